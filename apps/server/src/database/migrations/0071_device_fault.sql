-- A device that works and has a fault: it says so itself, or an alarm about one of its own parts is running.
alter table alarms
  -- The rule is about a part of the device, not about what it measures.
  add column fault boolean not null default false;
create index alarms_open_fault_idx on alarms (device_id) where ended_at is null and fault;

-- The status of a device, in one place: lists, trees and the device's own page tell the same.
create function device_status(device devices, state device_states) returns text
  language sql stable
  return case
    when device.blocked_at is not null then 'blocked'
    when device.activated_at is null then 'unactivated'
    when state.online_until is null or state.online_until <= now() then 'offline'
    when coalesce(state.readings -> 'state' ->> 'value', state.readings -> 'mode' ->> 'value')
         in ('fault', 'mic_fault', 'jam', 'estop') then 'fault'
    when exists (select from alarms a where a.device_id = device.id and a.ended_at is null and a.fault
                    and not a.suppressed and not a.late) then 'fault'
    else 'online' end;

create or replace view device_registry as
select d.id, d.tenant_id, d.name, d.serial_number, d.kind, d.firmware_version,
       d.version, d.created_by, d.created_dept, d.created_at, d.updated_by, d.updated_at,
       concat_ws(' / ', f.name, h.name, u.name) as place,
       case when s.connected then 'connected' else 'disconnected' end as connection,
       device_status(d, s) as status,
       case when d.bound_at is null then 'unbound' else 'bound' end as bound,
       coalesce((select sum(m.messages) from device_dropped_messages m where m.device_id = d.id), 0)::integer as dropped_count,
       s.reported_at as report_at
  from devices d
  left join device_states s on s.device_id = d.id
  left join farms f on f.id = d.farm_id
  left join pig_houses h on h.id = d.house_id
  left join units u on u.id = d.unit_id;
