-- What is to be looked at on a vehicle's way: stops near farms, stretches without a position, a certificate that was over at departure.
-- Made anew from the positions while they come in, kept when those are removed.
create table transit_flags (
  transit bigint not null constraint transit_flags_transit_fk references transits,
  tenant_id text not null constraint transit_flags_tenant_fk references tenants,
  kind text not null constraint transit_flags_kind_known check (kind in ('stop', 'gap', 'wash')),
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- Millionths of a degree; null where no position says where it was.
  latitude integer,
  longitude integer,
  -- Of a stop.
  farm bigint constraint transit_flags_farm_fk references farms on delete set null,
  metres integer,
  constraint transit_flags_pk primary key (transit, kind, from_at)
);
create index transit_flags_farm_idx on transit_flags (farm);
-- Vehicles whose way is looked at by the clock.
create index transits_on_way_idx on transits (id) where state = 'departed';
drop view transit_rows;
create view transit_rows as
  select t.*, p.day, o.created_by as buyer, o.state as order_state, clock_timestamp() as looked_at,
         ((t.quarantine_until + 1)::timestamp at time zone 'Asia/Shanghai') as quarantine_ends,
         case when exists (select from transit_flags g where g.transit = t.id) then 'yes' else 'no' end as flagged
    from transits t join sale_orders o on o.id = t."order" join sale_plans p on p.id = o.plan;
