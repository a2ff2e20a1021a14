-- Vaccines and medicines with their withdrawal periods.
create table medicines (
  id bigint constraint medicines_pk primary key,
  tenant_id text not null constraint medicines_tenant_fk references tenants,
  name text not null,
  type text not null,
  withdrawal_days integer not null constraint medicines_withdrawal_days_range check (withdrawal_days between 0 and 365),
  basis text not null default '',
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now(),
  constraint medicines_name_unique unique (tenant_id, name)
);
