-- What lists of members are filtered and sorted by, in one narrow table: a tenant of a million members is listed and counted
-- within indexes of it. Triggers keep it, in the transaction that changes an account or membership.

-- A text's characters and pairs of neighbours, for an index that finds any part of a text, also one of a single character.
create function word_pieces(words text) returns text[]
  language sql immutable strict parallel safe
  return string_to_array(
    regexp_replace(words, '(..)', E'\\1\u0001', 'g') || E'\u0001'
      || regexp_replace(substr(words, 2), '(..)', E'\\1\u0001', 'g') || E'\u0001'
      || regexp_replace(words, '(.)', E'\\1\u0001', 'g'), E'\u0001');

create table member_entries (
  membership_id bigint constraint member_entries_pk primary key
    constraint member_entries_membership_fk references memberships on delete cascade,
  tenant_id text not null,
  account_id bigint not null,
  account text not null,
  real_name text not null,
  user_type smallint not null,
  -- The lower one of the account's and the membership's.
  status smallint not null,
  -- Of the membership.
  created_at timestamptz not null,
  -- Of the account.
  updated_at timestamptz not null,
  -- What a keyword is looked for in, in lower case: account, real name, nickname and number, a line each.
  words text not null
);

insert into member_entries
select m.id, m.tenant_id, a.id, a.account, a.real_name, a.user_type, least(m.status, a.status), m.created_at, a.updated_at,
       lower(a.account || E'\n' || a.real_name || E'\n' || a.nick_name || E'\n' || m.code)
  from memberships m join accounts a on a.id = m.account_id
 where a.removed_at is null;

-- Each order of the list, with what narrows it most often: pages and counts touch no row.
create index member_entries_account_id_idx on member_entries (account_id, membership_id) include (tenant_id, user_type, status);
create index member_entries_account_idx on member_entries (account, account_id, membership_id) include (tenant_id, user_type, status);
create index member_entries_real_name_idx on member_entries (real_name, account_id, membership_id) include (tenant_id, user_type, status);
create index member_entries_created_at_idx on member_entries (created_at, account_id, membership_id) include (tenant_id, user_type, status);
create index member_entries_updated_at_idx on member_entries (updated_at, account_id, membership_id) include (tenant_id, user_type, status);
create index member_entries_tenant_idx on member_entries (tenant_id, status, user_type);
create index member_entries_words_idx on member_entries using gin (word_pieces(words));

create function write_member_entries(ids bigint[]) returns void
  language sql
  begin atomic
    -- The lock makes changes of the account wait: else what changes at the same time would be read as it was before.
    insert into member_entries as held
    select m.id, m.tenant_id, a.id, a.account, a.real_name, a.user_type, least(m.status, a.status), m.created_at, a.updated_at,
           lower(a.account || E'\n' || a.real_name || E'\n' || a.nick_name || E'\n' || m.code)
      from memberships m join accounts a on a.id = m.account_id
     where m.id = any(ids) and a.removed_at is null
       for share of a
    on conflict (membership_id) do update
      set tenant_id = excluded.tenant_id, account_id = excluded.account_id, account = excluded.account,
          real_name = excluded.real_name, user_type = excluded.user_type, status = excluded.status,
          created_at = excluded.created_at, updated_at = excluded.updated_at, words = excluded.words
      where held is distinct from excluded;
  end;

create function keep_member_entries() returns trigger language plpgsql as $$
begin
  perform write_member_entries(array(select id from changed));
  return null;
end $$;
create trigger memberships_added after insert on memberships referencing new table as changed
  for each statement execute function keep_member_entries();
create trigger memberships_changed after update on memberships referencing new table as changed
  for each statement execute function keep_member_entries();

create function keep_member_entries_of_accounts() returns trigger language plpgsql as $$
begin
  delete from member_entries e using changed c where e.account_id = c.id and c.removed_at is not null;
  perform write_member_entries(array(
    select m.id from changed c join before b using (id) join memberships m on m.account_id = c.id
     where (c.account, c.real_name, c.nick_name, c.user_type, c.status, c.updated_at, c.removed_at)
           is distinct from (b.account, b.real_name, b.nick_name, b.user_type, b.status, b.updated_at, b.removed_at)));
  return null;
end $$;
create trigger accounts_changed after update on accounts referencing old table as before new table as changed
  for each statement execute function keep_member_entries_of_accounts();
