-- Slaughterhouses that pigs are delivered to.
create table slaughterhouses (
  id bigint constraint slaughterhouses_pk primary key,
  house_code text not null constraint slaughterhouses_house_code_unique unique,
  house_name text not null constraint slaughterhouses_house_name_unique unique,
  region_code text not null,
  address text not null default '',
  principal text not null default '',
  contact_phone_encrypted text not null default '',
  contact_phone_index bytea,
  daily_capacity integer,
  status text not null default '1',
  remark text not null default '',
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now()
);
