-- The registry as people work with it: who added what, devices that are kept out, codes of labels, and where a device hangs.
alter table devices
  add column version integer not null default 1,
  add column created_by bigint,
  add column created_dept bigint,
  add column updated_by bigint,
  -- Kept out, whatever it shows.
  add column blocked_at timestamptz,
  -- The code on its label, encrypted: labels are printed again.
  add column code_encrypted text not null default '',
  -- From here on what it sends is its tenant's; what came before is a former owner's. Null: from the beginning.
  add column owned_since timestamptz,
  -- Shares of the unit's length and width in ten-thousandths, from the west end and the north side.
  add column position_x smallint constraint devices_position_x_range check (position_x between 0 and 10000),
  add column position_y smallint constraint devices_position_y_range check (position_y between 0 and 10000),
  add column height_cm smallint constraint devices_height_range check (height_cm between 0 and 2000),
  -- A device that was registered by hand and got no token yet: a token that nobody has.
  alter column token_hash set default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- Orders of the lists: within a tenant, and over all of them.
create index devices_tenant_name_idx on devices (tenant_id, name, id);
create index devices_name_idx on devices (name, id);

-- Which tenant had a device where, and how long. It stays with that tenant.
create table device_bindings (
  id bigint constraint device_bindings_pk primary key,
  tenant_id text not null constraint device_bindings_tenant_fk references tenants,
  device_id bigint not null constraint device_bindings_device_fk references devices on delete cascade,
  -- As it was called then.
  device_name text not null,
  serial_number text not null,
  place text not null default '',
  bound_at timestamptz not null,
  unbound_at timestamptz,
  bound_by bigint,
  unbound_by bigint
);
create index device_bindings_device_idx on device_bindings (device_id, bound_at desc);
create index device_bindings_tenant_idx on device_bindings (tenant_id, bound_at desc);
create unique index device_bindings_open_unique on device_bindings (device_id) where unbound_at is null;
insert into device_bindings (id, tenant_id, device_id, device_name, serial_number, bound_at)
select id, tenant_id, id, name, serial_number, bound_at from devices where bound_at is not null;

-- A device as lists show it: `connection` is whether it holds a connection, `status` whether it reports.
create view device_registry as
select d.id, d.tenant_id, d.name, d.serial_number, d.kind, d.firmware_version,
       d.version, d.created_by, d.created_dept, d.created_at, d.updated_by, d.updated_at,
       concat_ws(' / ', f.name, h.name, u.name) as place,
       case when s.connected then 'connected' else 'disconnected' end as connection,
       case when d.blocked_at is not null then 'blocked'
            when d.activated_at is null then 'unactivated'
            when s.online_until > now() then 'online'
            else 'offline' end as status,
       case when d.bound_at is null then 'unbound' else 'bound' end as bound,
       coalesce((select sum(m.messages) from device_dropped_messages m where m.device_id = d.id), 0)::integer as dropped_count,
       s.reported_at as report_at
  from devices d
  left join device_states s on s.device_id = d.id
  left join farms f on f.id = d.farm_id
  left join pig_houses h on h.id = d.house_id
  left join units u on u.id = d.unit_id;
