-- Regions of sale with their provinces.
create table sale_regions (
  id bigint constraint sale_regions_pk primary key,
  region_name text not null constraint sale_regions_region_name_unique unique,
  provinces text[] not null default '{}',
  principal text not null default '',
  sort integer not null default 0,
  status text not null default '1',
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now()
);
