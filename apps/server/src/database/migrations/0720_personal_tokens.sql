-- Tokens with which programs of a person call the API: of its text the database has a keyed hash, and the part that finds a leaked one.
create table personal_tokens (
  id bigint constraint personal_tokens_pk primary key,
  account_id bigint not null constraint personal_tokens_account_fk references accounts on delete cascade,
  tenant_id text not null constraint personal_tokens_tenant_fk references tenants on delete cascade,
  membership_id bigint not null constraint personal_tokens_membership_fk references memberships on delete cascade,
  name text not null,
  scopes text[] not null constraint personal_tokens_scopes_some check (cardinality(scopes) > 0),
  -- The first characters behind the prefix, which are no secret.
  lookup text not null constraint personal_tokens_lookup_unique unique,
  token_hash bytea not null constraint personal_tokens_token_hash_unique unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  remote_address text not null default '',
  ended_at timestamptz,
  end_reason text not null default ''
);
create index personal_tokens_account_idx on personal_tokens (account_id, id desc);
create index personal_tokens_membership_idx on personal_tokens (membership_id);
create index personal_tokens_tenant_idx on personal_tokens (tenant_id);
