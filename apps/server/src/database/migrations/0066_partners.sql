-- Partners as the public site shows them.
create table partners (
  id bigint constraint partners_pk primary key,
  partner_name text not null constraint partners_partner_name_unique unique,
  partner_name_en text not null default '',
  kind text not null,
  intro text not null default '',
  intro_en text not null default '',
  example boolean not null default false,
  shown boolean not null default true,
  sort integer,
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now()
);
