-- Third-party authorization: registered applications, what the authorization server keeps, and its signing keys.

create table oauth_clients (
  id bigint constraint oauth_clients_pk primary key,
  client_id text not null constraint oauth_clients_client_id_unique unique,
  -- SHA-256 of the secret (256 random bits); none for public applications.
  secret_hash text,
  name text not null,
  logo text not null default '',
  redirect_uris text[] not null constraint oauth_clients_redirect_uris_some check (cardinality(redirect_uris) > 0),
  scopes text[] not null,
  grant_types text[] not null,
  status smallint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Interactions, grants, codes and tokens. Ids of codes and tokens are stored as SHA-256.
create table authorization_payloads (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  account_id text,
  client_id text,
  uid text,
  consumed_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  constraint authorization_payloads_pk primary key (model, id)
);
create index authorization_payloads_grant_idx on authorization_payloads (grant_id) where grant_id is not null;
create index authorization_payloads_account_idx on authorization_payloads (account_id) where model = 'Grant';
create index authorization_payloads_expires_idx on authorization_payloads (expires_at);

-- Private keys, encrypted with a key that is not in the database.
create table authorization_keys (
  kid text constraint authorization_keys_pk primary key,
  sealed bytea not null,
  created_at timestamptz not null default now()
);
