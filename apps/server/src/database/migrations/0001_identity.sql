-- Tenants, accounts, roles, menus and sessions. Ids are snowflakes made by the server, written as strings on the wire.

create table tenants (
  tenant_id text constraint tenants_pk primary key constraint tenants_tenant_id_form check (tenant_id ~ '^[0-9]{6,12}$'),
  name text not null,
  type text not null constraint tenants_type_known check (type in ('group', 'enterprise', 'personal')),
  -- Visitors of the public site may see figures of one unit of this tenant.
  showcase boolean not null default false,
  status smallint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table accounts (
  id bigint constraint accounts_pk primary key,
  account text not null,
  -- Login names are compared without regard to case and width.
  account_key text not null constraint accounts_account_key_unique unique,
  type text not null constraint accounts_type_known check (type in ('personal', 'enterprise', 'employee')),
  real_name text not null default '',
  nick_name text not null default '',
  avatar text not null default '',
  -- argon2id over the MD5 that clients send, with a pepper; see modules/identity/password.ts for the form.
  password_hash text not null,
  password_changed_at timestamptz not null default now(),
  status smallint not null default 1,
  demo_note text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table memberships (
  id bigint constraint memberships_pk primary key,
  account_id bigint not null constraint memberships_account_fk references accounts on delete cascade,
  tenant_id text not null constraint memberships_tenant_fk references tenants,
  status smallint not null default 1,
  created_at timestamptz not null default now(),
  constraint memberships_account_tenant_unique unique (account_id, tenant_id)
);
create index memberships_tenant_idx on memberships (tenant_id);

create table roles (
  id bigint constraint roles_pk primary key,
  tenant_id text not null constraint roles_tenant_fk references tenants,
  parent_id bigint constraint roles_parent_fk references roles,
  name text not null,
  alias text not null,
  sort integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint roles_tenant_alias_unique unique (tenant_id, alias)
);

create table membership_roles (
  membership_id bigint not null constraint membership_roles_membership_fk references memberships on delete cascade,
  role_id bigint not null constraint membership_roles_role_fk references roles on delete cascade,
  constraint membership_roles_pk primary key (membership_id, role_id)
);
create index membership_roles_role_idx on membership_roles (role_id);

create table menus (
  id bigint constraint menus_pk primary key,
  parent_id bigint constraint menus_parent_fk references menus,
  code text not null constraint menus_code_unique unique,
  name text not null,
  alias text not null default '',
  path text not null default '',
  component text not null default '',
  icon text not null default '',
  type text not null default '',
  sort integer not null default 0,
  category smallint not null constraint menus_category_known check (category in (1, 2)),
  action smallint not null default 0,
  is_open smallint not null default 1,
  hidden boolean not null default false,
  no_menu boolean not null default false,
  active_menu text not null default ''
);
create index menus_parent_idx on menus (parent_id);

create table role_menus (
  role_id bigint not null constraint role_menus_role_fk references roles on delete cascade,
  menu_id bigint not null constraint role_menus_menu_fk references menus on delete cascade,
  constraint role_menus_pk primary key (role_id, menu_id)
);
create index role_menus_menu_idx on role_menus (menu_id);

-- One row per log-in. A refresh keeps the row and rotates its tokens, so that ending the row ends the whole family.
create table sessions (
  id bigint constraint sessions_pk primary key,
  account_id bigint not null constraint sessions_account_fk references accounts on delete cascade,
  tenant_id text not null constraint sessions_tenant_fk references tenants,
  membership_id bigint not null constraint sessions_membership_fk references memberships on delete cascade,
  client_id text not null,
  user_agent text not null default '',
  remote_address text not null default '',
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ended_at timestamptz,
  end_reason text
);
create index sessions_account_idx on sessions (account_id) where ended_at is null;

-- Only hashes are stored: a copy of this table opens no session.
create table session_tokens (
  token_hash bytea constraint session_tokens_pk primary key,
  session_id bigint not null constraint session_tokens_session_fk references sessions on delete cascade,
  purpose text not null constraint session_tokens_purpose_known check (purpose in ('access', 'refresh')),
  expires_at timestamptz not null,
  -- When a refresh token was exchanged; its use again after the grace for racing tabs ends the session.
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index session_tokens_session_idx on session_tokens (session_id);
create index session_tokens_expires_idx on session_tokens (expires_at);

-- Wrong passwords per subject (a hash of the login name or address), for names that exist and for those that do not.
create table login_failures (
  subject bytea constraint login_failures_pk primary key,
  failures integer not null,
  window_started_at timestamptz not null,
  locked_until timestamptz
);
