-- What a person chose for screens: columns, row height, saved views. It follows the account to every browser.
create table preferences (
  account_id bigint not null constraint preferences_account_fk references accounts on delete cascade,
  key text not null constraint preferences_key_form check (key ~ '^[a-z][A-Za-z0-9_.-]{0,99}$'),
  -- Text, not jsonb: it is never looked into here, and comes back as it was sent.
  value text not null constraint preferences_value_size check (octet_length(value) <= 65536),
  updated_at timestamptz not null default now(),
  constraint preferences_pk primary key (account_id, key)
);
