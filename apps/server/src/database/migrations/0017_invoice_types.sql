-- Kinds of invoice.
create table invoice_types (
  id bigint constraint invoice_types_pk primary key,
  type_name text not null constraint invoice_types_type_name_unique unique,
  tax_rate integer not null,
  needed_fields text[] not null default '{}',
  sort integer not null default 0,
  status text not null default '1',
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now()
);
