-- The newest entry of each chain of the audit trail: a trail whose last entries were removed, or which somebody appended to, differs from it.
create table audit_heads (
  chain text not null constraint audit_heads_pk primary key,
  position bigint not null,
  entry_id bigint not null,
  hash bytea not null,
  created_at timestamptz not null
);
insert into audit_heads (chain, position, entry_id, hash, created_at)
select distinct on (chain) chain, position, id, hash, created_at from audit_entries order by chain, position desc;
