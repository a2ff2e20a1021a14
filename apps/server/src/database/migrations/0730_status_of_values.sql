-- The status of a device by the values that decide it instead of by rows of two tables: a distributed table (Citus) can't have a view
-- whose function takes its row type. Servers of the version before still call the old form while they are replaced one by one.
create function device_status(blocked_at timestamptz, activated_at timestamptz, online_until timestamptz, faulty boolean) returns text
  language sql stable
  return case
    when blocked_at is not null then 'blocked'
    when activated_at is null then 'unactivated'
    when online_until is null or online_until <= now() then 'offline'
    when faulty then 'fault'
    else 'online' end;

create or replace view device_registry as
select d.id, d.tenant_id, d.name, d.serial_number, d.kind, d.firmware_version,
       d.version, d.created_by, d.created_dept, d.created_at, d.updated_by, d.updated_at,
       concat_ws(' / ', f.name, h.name, u.name) as place,
       case when s.connected then 'connected' else 'disconnected' end as connection,
       device_status(d.blocked_at, d.activated_at, s.online_until, s.tells_fault or exists (
         select from alarms a where a.device_id = d.id and a.ended_at is null and a.fault and not a.suppressed and not a.late)) as status,
       case when d.bound_at is null then 'unbound' else 'bound' end as bound,
       coalesce((select sum(m.messages) from device_dropped_messages m where m.device_id = d.id), 0)::integer as dropped_count,
       s.reported_at as report_at
  from devices d
  left join device_states s on s.device_id = d.id
  left join farms f on f.id = d.farm_id
  left join pig_houses h on h.id = d.house_id
  left join units u on u.id = d.unit_id;
