-- The newest values of a device stand apart from the rest of its state (docs/decisions/0151): lists and counts of many devices read
-- a tenth as many pages, and a message that changes values touches no index.
create table device_readings (
  device_id bigint constraint device_readings_pk primary key constraint device_readings_device_fk references devices on delete cascade,
  -- {key: {value, ts}}: the value with the newest device time, never merely the one received last.
  readings jsonb not null,
  -- Oldest time among what was merged last, and the newest of all.
  merged_from timestamptz,
  newest_at timestamptz
) with (fillfactor = 50);
insert into device_readings (device_id, readings, merged_from, newest_at)
select device_id, readings, merged_from, reported_at from device_states where readings <> '{}';

-- Whether a device says of itself that it has a fault.
create function readings_tell_fault(readings jsonb) returns boolean
  language sql immutable
  return coalesce(coalesce(readings -> 'state' ->> 'value', readings -> 'mode' ->> 'value')
                    in ('fault', 'mic_fault', 'jam', 'estop'), false);

drop view device_registry;
drop function device_status(devices, device_states, boolean);

alter table device_states add column tells_fault boolean not null default false;
update device_states set tells_fault = true where readings_tell_fault(readings);
alter table device_states drop column readings, drop column merged_from;
-- Writes the rows anew, without what was dropped.
alter table device_states alter column connected type boolean using (connected is true);

create function device_status(device devices, state device_states, faulty boolean) returns text
  language sql stable
  return case
    when device.blocked_at is not null then 'blocked'
    when device.activated_at is null then 'unactivated'
    when state.online_until is null or state.online_until <= now() then 'offline'
    when state.tells_fault or faulty then 'fault'
    else 'online' end;

create view device_registry as
select d.id, d.tenant_id, d.name, d.serial_number, d.kind, d.firmware_version,
       d.version, d.created_by, d.created_dept, d.created_at, d.updated_by, d.updated_at,
       concat_ws(' / ', f.name, h.name, u.name) as place,
       case when s.connected then 'connected' else 'disconnected' end as connection,
       device_status(d, s, exists (select from alarms a where a.device_id = d.id and a.ended_at is null and a.fault
                                     and not a.suppressed and not a.late)) as status,
       case when d.bound_at is null then 'unbound' else 'bound' end as bound,
       coalesce((select sum(m.messages) from device_dropped_messages m where m.device_id = d.id), 0)::integer as dropped_count,
       s.reported_at as report_at
  from devices d
  left join device_states s on s.device_id = d.id
  left join farms f on f.id = d.farm_id
  left join pig_houses h on h.id = d.house_id
  left join units u on u.id = d.unit_id;
