-- Tickets of weighbridges, weighings made from them, and weights at arrival.
create table scale_tickets (
  id bigint constraint scale_tickets_pk primary key,
  -- Of the weighbridge: the group's at loading, the customer's at arrival.
  tenant_id text not null constraint scale_tickets_tenant_fk references tenants,
  -- Null once the device is removed.
  device bigint constraint scale_tickets_device_fk references devices on delete set null,
  ticket text not null,
  plate text not null,
  phase text,
  -- Null where the message had no weight that can be stored.
  weight_grams integer,
  zero_grams integer,
  stable text not null constraint scale_tickets_stable_known check (stable in ('yes', 'no')),
  calibrated_until timestamptz,
  weighed_at timestamptz not null,
  place text not null constraint scale_tickets_place_known check (place in ('loading', 'arrival')),
  use text constraint scale_tickets_use_known check (use in ('tare', 'gross')),
  problem text,
  "order" bigint constraint scale_tickets_order_fk references sale_orders,
  transit bigint constraint scale_tickets_transit_fk references transits,
  expires_at timestamptz not null,
  state text not null constraint scale_tickets_state_known check (state in ('unmatched', 'matched', 'used', 'refused', 'dismissed')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now(),
  -- A ticket counts once, however often it is sent.
  constraint scale_tickets_ticket_unique unique (device, ticket),
  constraint scale_tickets_matched_whole check (state not in ('matched', 'used') or (transit is not null and use is not null))
);
create index scale_tickets_queue_idx on scale_tickets (tenant_id, state, id);
create index scale_tickets_state_idx on scale_tickets (state, id);
create index scale_tickets_transit_idx on scale_tickets (transit);
create index scale_tickets_order_idx on scale_tickets ("order");
create index scale_tickets_due_idx on scale_tickets (expires_at) where state in ('unmatched', 'matched');
create view scale_ticket_rows as
  select t.*, coalesce(d.name, '') as device_name, coalesce(f.name, '') as farm_name
    from scale_tickets t left join devices d on d.id = t.device left join farms f on f.id = d.farm_id;

-- Events of weighbridges that nobody has read yet; written with the event, so that none is lost.
create table scale_messages (
  device_id bigint not null constraint scale_messages_device_fk references devices on delete cascade,
  event_id text not null,
  constraint scale_messages_pk primary key (device_id, event_id)
);
create function queue_scale_message() returns trigger language plpgsql as $$
begin
  insert into scale_messages (device_id, event_id)
  select d.id, new.event_id from devices d where d.id = new.device_id and d.kind = 'weighbridge' on conflict do nothing;
  return null;
end $$;
create trigger device_events_weighed after insert on device_events for each row
  when (new.type = 'weighed') execute function queue_scale_message();

alter table weighings
  add column source text not null default 'hand' constraint weighings_source_known check (source in ('hand', 'scale')),
  add column tare_ticket bigint constraint weighings_tare_ticket_fk references scale_tickets,
  add column gross_ticket bigint constraint weighings_gross_ticket_fk references scale_tickets,
  add constraint weighings_tickets_whole check ((source = 'scale') = (tare_ticket is not null and gross_ticket is not null));
create index weighings_tare_ticket_idx on weighings (tare_ticket) where tare_ticket is not null;
create index weighings_gross_ticket_idx on weighings (gross_ticket) where gross_ticket is not null;
drop view weighing_rows;
create view weighing_rows as select w.*, w.gross_grams - w.tare_grams as net_grams from weighings w;

create table arrival_weighings (
  id bigint constraint arrival_weighings_pk primary key,
  tenant_id text not null constraint arrival_weighings_tenant_fk references tenants,
  number text not null constraint arrival_weighings_number_unique unique,
  "order" bigint not null constraint arrival_weighings_order_fk references sale_orders,
  transit bigint not null constraint arrival_weighings_transit_fk references transits,
  plate text not null,
  gross_grams integer not null,
  tare_grams integer not null,
  -- Net weight at loading when it was reported.
  loading_grams integer not null constraint arrival_weighings_loading_range check (loading_grams > 0),
  source text not null constraint arrival_weighings_source_known check (source in ('hand', 'scale')),
  photo text not null default '',
  tare_ticket bigint constraint arrival_weighings_tare_ticket_fk references scale_tickets,
  gross_ticket bigint constraint arrival_weighings_gross_ticket_fk references scale_tickets,
  state text not null constraint arrival_weighings_state_known check (state in ('agreed', 'disputed', 'kept', 'taken', 'withdrawn')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now(),
  constraint arrival_weighings_weights_order check (tare_grams < gross_grams),
  -- By hand with a photo, by a scale with its tickets.
  constraint arrival_weighings_proof check (
    case source when 'scale' then tare_ticket is not null and gross_ticket is not null else photo <> '' end)
);
create index arrival_weighings_queue_idx on arrival_weighings (tenant_id, state, id);
create index arrival_weighings_state_idx on arrival_weighings (state, id);
create index arrival_weighings_order_idx on arrival_weighings ("order");
-- A vehicle arrives once.
create unique index arrival_weighings_transit_unique on arrival_weighings (transit) where state <> 'withdrawn';
create index arrival_weighings_tare_ticket_idx on arrival_weighings (tare_ticket) where tare_ticket is not null;
create index arrival_weighings_gross_ticket_idx on arrival_weighings (gross_ticket) where gross_ticket is not null;
create view arrival_weighing_rows as
  select a.*, a.gross_grams - a.tare_grams as net_grams, o.created_by as buyer,
         round(100000.0 * (a.gross_grams - a.tare_grams - a.loading_grams) / a.loading_grams)::int as difference_share
    from arrival_weighings a join sale_orders o on o.id = a."order";
