-- Service departments, which are the outlets of the public site.
create table service_departments (
  id bigint constraint service_departments_pk primary key,
  department_name text not null constraint service_departments_department_name_unique unique,
  sale_region bigint constraint service_departments_sale_region_fk references sale_regions,
  status text not null default '1',
  phone text not null,
  principal text not null default '',
  region_code text not null,
  address text not null,
  weekday_hours text not null,
  weekend_hours text not null default '',
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now()
);
create index service_departments_sale_region_idx on service_departments (sale_region);
