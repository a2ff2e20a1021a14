-- What a veterinarian found or gave in a unit.
create table treatments (
  id bigint constraint treatments_pk primary key,
  tenant_id text not null constraint treatments_tenant_fk references tenants,
  code text not null,
  finding text not null,
  type text not null,
  unit_id bigint not null constraint treatments_unit_fk references units,
  on_day date not null,
  medicine_id bigint constraint treatments_medicine_fk references medicines,
  heads integer constraint treatments_heads_range check (heads between 0 and 100000),
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now(),
  constraint treatments_code_unique unique (tenant_id, code)
);
create index treatments_tenant_idx on treatments (tenant_id, on_day desc, id desc);
create index treatments_unit_idx on treatments (unit_id, on_day desc);
create index treatments_medicine_idx on treatments (medicine_id) where medicine_id is not null;
