-- Links by which the drivers of vehicles enter certificates, departure and arrival on their phones. A link holds the hash of its secret
-- alone, and of the phone that claimed it.
alter table transits add column destination text not null default '';
drop view transit_rows;
create view transit_rows as
  select t.*, p.day, o.created_by as buyer, o.state as order_state, clock_timestamp() as looked_at,
         ((t.quarantine_until + 1)::timestamp at time zone 'Asia/Shanghai') as quarantine_ends
    from transits t join sale_orders o on o.id = t."order" join sale_plans p on p.id = o.plan;

create table driver_links (
  id bigint constraint driver_links_pk primary key,
  tenant_id text not null constraint driver_links_tenant_fk references tenants,
  transit bigint not null constraint driver_links_transit_fk references transits,
  token_hash bytea not null constraint driver_links_token_unique unique,
  -- Of the secret of the phone that opened it first, salted with the link's own secret; null before.
  device_hash bytea,
  claimed_at timestamptz,
  sent_at timestamptz,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- Photos are files of whoever made the link.
  created_by bigint not null, created_tenant text not null, created_at timestamptz not null default now()
);
-- A vehicle has one link that is not withdrawn.
create unique index driver_links_transit_unique on driver_links (transit) where revoked_at is null;
create index driver_links_all_idx on driver_links (transit, id);

create table driver_photos (
  id bigint constraint driver_photos_pk primary key,
  tenant_id text not null constraint driver_photos_tenant_fk references tenants,
  link bigint not null constraint driver_photos_link_fk references driver_links,
  key uuid not null,
  attachment_id bigint not null,
  created_at timestamptz not null default now(),
  constraint driver_photos_key_unique unique (link, key)
);

create table driver_entries (
  id bigint constraint driver_entries_pk primary key,
  tenant_id text not null constraint driver_entries_tenant_fk references tenants,
  link bigint not null constraint driver_entries_link_fk references driver_links,
  key uuid not null,
  act text not null constraint driver_entries_act_known
    check (act in ('disinfect', 'quarantine', 'depart', 'arrive')),
  -- By the phone.
  done_at timestamptz not null,
  number text not null default '',
  photo bigint constraint driver_entries_photo_fk references driver_photos,
  outcome text not null constraint driver_entries_outcome_known check (outcome in ('done', 'refused')),
  text text not null default '',
  said jsonb not null default '{}',
  created_at timestamptz not null default now(),
  constraint driver_entries_key_unique unique (link, key)
);

-- Where vehicles were, by the phones of their drivers: millionths of a degree.
create table transit_positions (
  transit bigint not null constraint transit_positions_transit_fk references transits,
  at timestamptz not null,
  tenant_id text not null constraint transit_positions_tenant_fk references tenants,
  latitude integer not null constraint transit_positions_latitude_range check (latitude between -90000000 and 90000000),
  longitude integer not null constraint transit_positions_longitude_range check (longitude between -180000000 and 180000000),
  accuracy_m integer not null,
  -- No vehicle comes there so fast, or the phone itself did not know where it was.
  rejected boolean not null default false,
  constraint transit_positions_pk primary key (transit, at)
);
create index transit_positions_at_idx on transit_positions (at);
