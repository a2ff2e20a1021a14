-- Dictionaries of a tenant's own: a code at the top, its values below it.
create table business_dictionaries (
  id bigint constraint business_dictionaries_pk primary key,
  tenant_id text not null constraint business_dictionaries_tenant_fk references tenants,
  parent_id bigint constraint business_dictionaries_parent_fk references business_dictionaries,
  code text not null,
  dict_key text not null,
  dict_value text not null,
  sort integer not null default 0,
  remark text not null default '',
  is_sealed boolean not null default false,
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now(),
  constraint business_dictionaries_dict_key_unique unique (tenant_id, code, dict_key)
);
create index business_dictionaries_parent_idx on business_dictionaries (parent_id);
