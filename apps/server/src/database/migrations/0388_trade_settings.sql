-- What trade is set up with: times of loading at a field, price adjustments by weight, and ways of selling.
create table loading_slots (
  id bigint constraint loading_slots_pk primary key,
  slot_name text not null constraint loading_slots_slot_name_unique unique,
  field_id bigint not null constraint loading_slots_field_id_fk references sale_fields,
  weekday text not null default 'daily',
  on_day date,
  kind text not null default 'open',
  times text not null default '',
  most_vehicles integer not null constraint loading_slots_most_vehicles_check check (most_vehicles > 0),
  heads_per_vehicle integer not null constraint loading_slots_heads_per_vehicle_check check (heads_per_vehicle > 0),
  valid_from date not null,
  status text not null default '1',
  remark text not null default '',
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now(),
  constraint loading_slots_on_day_check check ((weekday = 'date') = (on_day is not null)),
  constraint loading_slots_times_check check ((kind = 'open') = (times <> ''))
);
create index loading_slots_field_idx on loading_slots (field_id);

create table weight_bands (
  id bigint constraint weight_bands_pk primary key,
  band_name text not null constraint weight_bands_band_name_unique unique,
  sale_region bigint constraint weight_bands_sale_region_fk references sale_regions,
  category text not null,
  from_grams integer not null,
  to_grams integer not null,
  adjustment_fen integer not null,
  valid_from date not null,
  status text not null default '1',
  remark text not null default '',
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now(),
  constraint weight_bands_to_grams_check check (from_grams >= 0 and from_grams < to_grams)
);
create index weight_bands_sale_region_idx on weight_bands (sale_region);
create index weight_bands_category_idx on weight_bands (category, valid_from);

create table sales_models (
  id bigint constraint sales_models_pk primary key,
  model_name text not null constraint sales_models_model_name_unique unique,
  sale_region bigint constraint sales_models_sale_region_fk references sale_regions,
  category text not null,
  mode text not null,
  participants text[] not null,
  least_heads integer not null,
  most_heads integer not null,
  deposit_fen integer,
  bid_step_fen integer,
  soft_close_minutes integer not null default 2,
  valid_from date not null,
  status text not null default '1',
  remark text not null default '',
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now(),
  constraint sales_models_most_heads_check check (least_heads > 0 and least_heads <= most_heads),
  constraint sales_models_mode_check check (mode <> 'bidding' or (deposit_fen > 0 and bid_step_fen > 0)),
  constraint sales_models_valid_from_unique unique nulls not distinct (category, mode, sale_region, valid_from)
);
create index sales_models_sale_region_idx on sales_models (sale_region);
