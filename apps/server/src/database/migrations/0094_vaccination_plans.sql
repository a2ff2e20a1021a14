-- What is to be injected in a unit, and when.
create table vaccination_plans (
  id bigint constraint vaccination_plans_pk primary key,
  tenant_id text not null constraint vaccination_plans_tenant_fk references tenants,
  -- As injectors tell it.
  task text not null,
  unit_id bigint not null constraint vaccination_plans_unit_fk references units,
  medicine_id bigint not null constraint vaccination_plans_medicine_fk references medicines,
  planned_on date not null,
  remark text not null default '',
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now(),
  constraint vaccination_plans_task_unique unique (tenant_id, task)
);
create index vaccination_plans_tenant_idx on vaccination_plans (tenant_id, planned_on desc, id desc);
create index vaccination_plans_unit_idx on vaccination_plans (unit_id, planned_on);
create index vaccination_plans_medicine_idx on vaccination_plans (medicine_id);
