-- Services around products as the public site lists them.
create table product_services (
  id bigint constraint product_services_pk primary key,
  service_name text not null constraint product_services_service_name_unique unique,
  service_name_en text not null default '',
  kind text not null,
  service_scope text not null default '',
  service_scope_en text not null default '',
  duration text not null default '',
  duration_en text not null default '',
  prepare text not null default '',
  prepare_en text not null default '',
  -- Fen; null for a price by agreement.
  price integer constraint product_services_price_positive check (price >= 0),
  price_unit text not null default '',
  price_unit_en text not null default '',
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
