-- Farms, pig houses, units and the device registry. The composite keys make a row of one tenant below another impossible.

create table farms (
  id bigint constraint farms_pk primary key,
  tenant_id text not null constraint farms_tenant_fk references tenants,
  code text not null,
  name text not null,
  type text not null constraint farms_type_known check (type in ('breeding', 'multiplication', 'commercial', 'boar-station')),
  principal text not null default '',
  region_name text not null default '',
  address text not null default '',
  latitude double precision constraint farms_latitude_range check (latitude between -90 and 90),
  longitude double precision constraint farms_longitude_range check (longitude between -180 and 180),
  area_square_meters integer,
  sort integer not null default 0,
  status smallint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint farms_tenant_id_unique unique (tenant_id, id),
  constraint farms_tenant_code_unique unique (tenant_id, code)
);

create table pig_houses (
  id bigint constraint pig_houses_pk primary key,
  tenant_id text not null,
  farm_id bigint not null,
  name text not null,
  pigsty_type text not null constraint pig_houses_pigsty_type_known
    check (pigsty_type in ('integrated', 'piglet', 'fattening', 'boar', 'reserve', 'pregnancy', 'nursing')),
  floor smallint not null default 1,
  sort integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pig_houses_farm_fk foreign key (tenant_id, farm_id) references farms (tenant_id, id),
  constraint pig_houses_tenant_id_unique unique (tenant_id, id)
);
create index pig_houses_farm_idx on pig_houses (farm_id);

create table units (
  id bigint constraint units_pk primary key,
  tenant_id text not null,
  house_id bigint not null,
  name text not null,
  pigsty_type text not null constraint units_pigsty_type_known
    check (pigsty_type in ('integrated', 'piglet', 'fattening', 'boar', 'reserve', 'pregnancy', 'nursing')),
  head_count integer not null default 0 constraint units_head_count_range check (head_count >= 0),
  capacity integer not null default 0 constraint units_capacity_range check (capacity >= 0),
  area_square_meters double precision,
  volume_cubic_meters double precision,
  batch_arrived_on date,
  batch_arrival_age_days integer,
  average_weight_grams integer,
  target_temperature double precision,
  mode text not null default 'normal' constraint units_mode_known check (mode in ('normal', 'empty', 'washing')),
  sort integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint units_house_fk foreign key (tenant_id, house_id) references pig_houses (tenant_id, id),
  constraint units_tenant_id_unique unique (tenant_id, id)
);
create index units_house_idx on units (house_id);

-- A device that no customer has bound belongs to the group ('000000').
create table devices (
  id bigint constraint devices_pk primary key,
  tenant_id text not null constraint devices_tenant_fk references tenants,
  kind text not null,
  name text not null,
  serial_number text not null constraint devices_serial_number_unique unique,
  -- SHA-256 of the access token: high-entropy random outside demo mode, so no slow hash is needed.
  token_hash bytea not null constraint devices_token_hash_unique unique,
  farm_id bigint,
  house_id bigint,
  unit_id bigint,
  firmware_version text not null default '',
  position text not null default '',
  activated_at timestamptz,
  bound_at timestamptz,
  -- Desired parameters: ThingsBoard's shared attributes.
  shared_attributes jsonb not null default '{}',
  sort integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint devices_farm_fk foreign key (tenant_id, farm_id) references farms (tenant_id, id),
  constraint devices_house_fk foreign key (tenant_id, house_id) references pig_houses (tenant_id, id),
  constraint devices_unit_fk foreign key (tenant_id, unit_id) references units (tenant_id, id),
  constraint devices_bound_place check ((bound_at is null) = (farm_id is null))
);
create index devices_tenant_idx on devices (tenant_id, kind);
create index devices_unit_idx on devices (unit_id);

-- What changes with every message, apart from the registry so that its rows stay small and its updates cheap.
create table device_states (
  device_id bigint constraint device_states_pk primary key constraint device_states_device_fk references devices on delete cascade,
  -- {key: {value, ts}}: the value with the newest device time, never merely the one received last.
  readings jsonb not null default '{}',
  -- Client attributes as the device reported them.
  attributes jsonb not null default '{}',
  -- Newest device time of telemetry.
  reported_at timestamptz,
  -- The device counts as online until then; moved on by telemetry only, never by keep-alives.
  online_until timestamptz,
  connected boolean not null default false,
  connection_changed_at timestamptz
) with (fillfactor = 50);

-- Messages that were dropped, counted by reason.
create table device_dropped_messages (
  device_id bigint not null constraint device_dropped_messages_device_fk references devices on delete cascade,
  reason text not null,
  messages bigint not null,
  last_at timestamptz not null,
  constraint device_dropped_messages_pk primary key (device_id, reason)
);

-- Servers on this database; tells at start whether somebody kept watch while this one was away.
create table servers (
  id text constraint servers_pk primary key,
  seen_at timestamptz not null
);
