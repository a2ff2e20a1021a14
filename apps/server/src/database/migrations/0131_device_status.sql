-- The same word as before, in a form that the planner puts into the query it stands in: a function with a query of its own is
-- called for each row, which took seconds for 100,000 devices. Whether a fault alarm is open is said by who calls.
create function device_status(device devices, state device_states, faulty boolean) returns text
  language sql stable
  return case
    when device.blocked_at is not null then 'blocked'
    when device.activated_at is null then 'unactivated'
    when state.online_until is null or state.online_until <= now() then 'offline'
    when coalesce(state.readings -> 'state' ->> 'value', state.readings -> 'mode' ->> 'value')
         in ('fault', 'mic_fault', 'jam', 'estop') then 'fault'
    when faulty then 'fault'
    else 'online' end;

create or replace view device_registry as
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

drop function device_status(devices, device_states);

-- The order in which devices are shown, so that a page of them does not sort all.
create index devices_tenant_sort_idx on devices (tenant_id, sort, id);
