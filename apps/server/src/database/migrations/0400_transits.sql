-- Vehicles of orders, with their drivers and certificates. Contact tracing and passports read the plate, the driver by the index of the phone,
-- field, unit, times and the dried flag.
create table transits (
  id bigint constraint transits_pk primary key,
  tenant_id text not null constraint transits_tenant_fk references tenants,
  number text not null constraint transits_number_unique unique,
  "order" bigint not null constraint transits_order_fk references sale_orders,
  -- Of the order's plan, as it was when the vehicle was entered.
  field bigint not null constraint transits_field_fk references sale_fields,
  unit bigint constraint transits_unit_fk references units,
  plate text not null,
  heads integer not null constraint transits_heads_range check (heads between 1 and 1000),
  driver_name text not null,
  driver_phone_encrypted text not null,
  driver_phone_index bytea,
  disinfection_number text not null default '',
  disinfected_at timestamptz,
  disinfection_until timestamptz,
  dried boolean not null default false,
  quarantine_number text not null default '',
  quarantine_heads integer,
  -- Last day on which it is valid.
  quarantine_until date,
  departed_at timestamptz,
  arrived_at timestamptz,
  state text not null constraint transits_state_known
    check (state in ('planned', 'ready', 'loading', 'departed', 'arrived', 'closed', 'cancelled')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now(),
  constraint transits_disinfection_order check (disinfected_at < disinfection_until),
  constraint transits_times_order check (departed_at <= arrived_at)
);
create index transits_queue_idx on transits (tenant_id, state, id);
-- A vehicle of an order is entered once.
create unique index transits_order_plate_unique on transits ("order", plate) where state <> 'cancelled';
create index transits_plate_idx on transits (plate, departed_at);
create index transits_driver_idx on transits (driver_phone_index, departed_at);
create index transits_field_idx on transits (field, departed_at);
create index transits_unit_idx on transits (unit, departed_at) where unit is not null;
create view transit_rows as
  select t.*, p.day, o.created_by as buyer, o.state as order_state, clock_timestamp() as looked_at,
         ((t.quarantine_until + 1)::timestamp at time zone 'Asia/Shanghai') as quarantine_ends
    from transits t join sale_orders o on o.id = t."order" join sale_plans p on p.id = o.plan;
