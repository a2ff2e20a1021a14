-- Contact data that its owner proved, how it changed, where a person lives, and what happened with an account.

alter table accounts add column email_verified_at timestamptz;

create table addresses (
  account_id bigint constraint addresses_pk primary key constraint addresses_account_fk references accounts on delete cascade,
  -- 2, 4 or 6 digits of the national divisions; "" for none.
  region_code text not null default '' constraint addresses_region_code_form check (region_code ~ '^(\d{2}(\d{2}(\d{2})?)?)?$'),
  -- Below the county, encrypted; "" for none.
  address_encrypted text not null default '',
  updated_at timestamptz not null default now()
);

create table contact_changes (
  id bigint constraint contact_changes_pk primary key,
  account_id bigint not null constraint contact_changes_account_fk references accounts on delete cascade,
  kind text not null constraint contact_changes_kind_known check (kind in ('phone', 'email')),
  state text not null constraint contact_changes_state_known check (state in ('waiting', 'done', 'withdrawn', 'taken_back')),
  proven_by text not null constraint contact_changes_proven_by_known check (proven_by in ('old_phone', 'identity', 'password')),
  -- Encrypted; "" for none.
  old_encrypted text not null default '',
  -- Of the old phone, by which its owner takes the change back.
  old_index bytea,
  new_encrypted text not null default '',
  new_index bytea,
  created_at timestamptz not null default now(),
  effective_at timestamptz not null,
  -- Until then the owner of the old phone can take it back; null where nobody can.
  take_back_until timestamptz
);
-- One at a time waits.
create unique index contact_changes_one_waiting on contact_changes (account_id, kind) where state = 'waiting';
create index contact_changes_due_index on contact_changes (effective_at) where state = 'waiting';
create index contact_changes_old_index on contact_changes (old_index, created_at desc) where old_index is not null;

create table account_events (
  id bigint constraint account_events_pk primary key,
  account_id bigint not null constraint account_events_account_fk references accounts on delete cascade,
  kind text not null,
  detail text not null default '',
  user_agent text not null default '',
  remote_address text not null default '',
  created_at timestamptz not null default now()
);
create index account_events_account_index on account_events (account_id, id desc);
create index account_events_created_index on account_events (created_at);
