-- Tables of the resources, and what the resource kit keeps: an audit trail, keys of repeated submits.

-- People of a tenant stand in departments and hold posts.
create table departments (
  id bigint constraint departments_pk primary key,
  tenant_id text not null constraint departments_tenant_fk references tenants,
  parent_id bigint constraint departments_parent_fk references departments,
  dept_name text not null,
  full_name text not null,
  dept_category text not null,
  sort integer not null default 0,
  remark text not null default '',
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now(),
  constraint departments_dept_name_unique unique nulls not distinct (tenant_id, parent_id, dept_name)
);
create index departments_parent_idx on departments (parent_id);

create table posts (
  id bigint constraint posts_pk primary key,
  tenant_id text not null constraint posts_tenant_fk references tenants,
  post_code text not null,
  post_name text not null,
  category text not null,
  sort integer not null default 0,
  remark text not null default '',
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now(),
  constraint posts_post_code_unique unique (tenant_id, post_code)
);

create table membership_departments (
  membership_id bigint not null constraint membership_departments_membership_fk references memberships on delete cascade,
  department_id bigint not null constraint membership_departments_department_fk references departments,
  constraint membership_departments_pk primary key (membership_id, department_id)
);
create index membership_departments_department_idx on membership_departments (department_id);

create table membership_posts (
  membership_id bigint not null constraint membership_posts_membership_fk references memberships on delete cascade,
  post_id bigint not null constraint membership_posts_post_fk references posts,
  constraint membership_posts_pk primary key (membership_id, post_id)
);
create index membership_posts_post_idx on membership_posts (post_id);

alter table roles rename column name to role_name;
alter table roles rename column alias to role_alias;
alter table roles rename constraint roles_tenant_alias_unique to roles_role_alias_unique;
alter table roles
  add column data_scope text not null default 'all'
    constraint roles_data_scope_known check (data_scope in ('all', 'department-and-below', 'department', 'self', 'chosen')),
  add column remark text not null default '',
  add column version integer not null default 1,
  add column created_by bigint,
  add column created_dept bigint,
  add column updated_by bigint,
  add constraint roles_role_name_unique unique (tenant_id, role_name);

-- Departments that a role with the data scope "chosen" names.
create table role_departments (
  role_id bigint not null constraint role_departments_role_fk references roles on delete cascade,
  department_id bigint not null constraint role_departments_department_fk references departments on delete cascade,
  constraint role_departments_pk primary key (role_id, department_id)
);

alter table dictionaries drop constraint dictionaries_code_key_unique;
alter table dictionaries drop constraint dictionaries_is_sealed_known;
alter table dictionaries alter column is_sealed drop default;
alter table dictionaries alter column is_sealed type boolean using is_sealed = 1;
alter table dictionaries
  alter column is_sealed set default false,
  add column version integer not null default 1,
  add column created_by bigint,
  add column created_dept bigint,
  add column created_at timestamptz not null default now(),
  add column updated_by bigint,
  add column updated_at timestamptz not null default now(),
  add constraint dictionaries_dict_key_unique unique (code, dict_key);

create table parameters (
  id bigint constraint parameters_pk primary key,
  param_key text not null constraint parameters_param_key_unique unique,
  param_name text not null,
  param_value text not null,
  remark text not null default '',
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now()
);

-- Who changed what. Each entry holds the hash of the one before it in its chain (a tenant's, or the installation's), so that
-- a changed or removed entry is found.
create table audit_entries (
  id bigint constraint audit_entries_pk primary key,
  chain text not null,
  position bigint not null,
  account_id bigint,
  actor_name text not null,
  resource text not null,
  row_id bigint not null,
  row_title text not null,
  action text not null,
  changes jsonb not null,
  remote_address text not null,
  created_at timestamptz not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_entries_chain_position_unique unique (chain, position)
);
create index audit_entries_row_idx on audit_entries (resource, row_id, id);

-- The row that a submit with a key of its own made, so that the same submit sent again makes no second one.
create table idempotency_keys (
  account_id bigint not null constraint idempotency_keys_account_fk references accounts on delete cascade,
  key text not null,
  row_id bigint not null,
  created_at timestamptz not null default now(),
  constraint idempotency_keys_pk primary key (account_id, key)
);
create index idempotency_keys_created_idx on idempotency_keys (created_at);
