-- Farms that sell pigs.
create table sale_fields (
  id bigint constraint sale_fields_pk primary key,
  field_code text not null constraint sale_fields_field_code_unique unique,
  field_name text not null constraint sale_fields_field_name_unique unique,
  field_type text not null,
  status text not null default '1',
  sale_region bigint constraint sale_fields_sale_region_fk references sale_regions,
  principal text not null,
  contact_phone_encrypted text not null default '',
  contact_phone_index bytea,
  region_code text not null,
  address text not null default '',
  area_mu integer,
  capacity integer,
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now()
);
create index sale_fields_sale_region_idx on sale_fields (sale_region);
