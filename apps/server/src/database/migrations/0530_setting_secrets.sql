-- Secrets among the settings of the installation, encrypted with a key derived from the secret key. They are written and never read back.
create table setting_secrets (
  id bigint constraint setting_secrets_pk primary key,
  setting_key text not null constraint setting_secrets_setting_key_unique unique,
  -- Null once the secret was removed; the version goes on.
  sealed bytea,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
