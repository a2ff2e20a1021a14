-- What happened to rows of processes, a line for each event.
create table process_entries (
  id bigint constraint process_entries_pk primary key,
  process text not null,
  row_id bigint not null,
  tenant_id text not null constraint process_entries_tenant_fk references tenants,
  event text not null,
  party text not null,
  -- Null for the clock.
  account_id bigint constraint process_entries_account_fk references accounts on delete set null,
  state text not null,
  words jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp()
);
create index process_entries_row_idx on process_entries (process, row_id, id);
create index process_entries_account_idx on process_entries (account_id);
