-- Addresses to which a tenant has its events sent, and what was sent. Triggers write what happened into the log of deliveries in the
-- transaction in which it happens, so that a kill at any moment loses none and what is rolled back is told to nobody.
create table webhooks (
  id bigint constraint webhooks_pk primary key,
  tenant_id text not null constraint webhooks_tenant_fk references tenants,
  name text not null,
  address text not null,
  events text[] not null default '{}',
  active boolean,
  remark text not null default '',
  -- Sealed by a key outside the database; null until the first one was shown, and after the address changed.
  sealed_secret bytea,
  -- Since when every try has failed; null while it works.
  failing_since timestamptz,
  -- Turned off by itself after days of failures.
  stopped boolean not null default false,
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now(),
  constraint webhooks_name_unique unique (tenant_id, name)
);

-- A new address has to be given a secret of its own, and who turns a hook on again wants to know anew whether it works.
create function webhooks_begin_anew() returns trigger language plpgsql as $$ begin
  new.failing_since := null;
  new.stopped := false;
  if old.address <> new.address then new.sealed_secret := null; end if;
  return new;
end $$;
create trigger webhooks_begin_anew before update of address, active on webhooks
  for each row when (old.address <> new.address or (new.active and old.active is not true)) execute function webhooks_begin_anew();

create table webhook_deliveries (
  -- The message's id on the wire, the same for each try.
  id uuid constraint webhook_deliveries_pk primary key default gen_random_uuid(),
  webhook_id bigint not null constraint webhook_deliveries_webhook_fk references webhooks on delete cascade,
  tenant_id text not null constraint webhook_deliveries_tenant_fk references tenants,
  event text not null,
  body jsonb not null,
  state text not null default 'waiting' constraint webhook_deliveries_state_known check (state in ('waiting', 'delivered', 'failed')),
  attempts smallint not null default 0,
  created_at timestamptz not null default now(),
  -- When it is tried next; while one server tries, when another may.
  next_at timestamptz not null default now(),
  -- Of the last try.
  tried_at timestamptz,
  status smallint not null default 0,
  took_ms integer not null default 0,
  answer text not null default ''
);
create index webhook_deliveries_due_idx on webhook_deliveries (next_at) where state = 'waiting';
create index webhook_deliveries_hook_due_idx on webhook_deliveries (webhook_id, next_at) where state = 'waiting';
create index webhook_deliveries_webhook_idx on webhook_deliveries (webhook_id, created_at desc);
create index webhook_deliveries_created_idx on webhook_deliveries (created_at);
create index webhook_deliveries_tenant_idx on webhook_deliveries (tenant_id);

-- What hooks were last told of devices: online is a matter of time, of which no row tells.
create table webhook_devices (
  device_id bigint constraint webhook_devices_pk primary key constraint webhook_devices_device_fk references devices on delete cascade,
  tenant_id text not null constraint webhook_devices_tenant_fk references tenants,
  online boolean not null
);
create index webhook_devices_tenant_idx on webhook_devices (tenant_id);

create view webhook_rows as
  select w.id, w.tenant_id, w.name, w.address, w.events, w.active, w.remark, w.version, w.created_by, w.created_dept, w.created_at, w.updated_by,
         w.updated_at,
         case when w.active is not true then case when w.stopped then 'stopped' else 'off' end
              when w.sealed_secret is null then 'no_secret'
              when w.failing_since is not null then 'failing'
              else 'on' end as state,
         (select max(d.tried_at) from webhook_deliveries d where d.webhook_id = w.id and d.state = 'delivered') as last_delivered_at
    from webhooks w;

create function tell_webhooks(of_tenant text, of_event text, at timestamptz, facts jsonb) returns void language sql as $$
  insert into webhook_deliveries (webhook_id, tenant_id, event, body)
  select w.id, w.tenant_id, of_event,
         jsonb_build_object('type', of_event, 'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', facts)
    from webhooks w
   where w.tenant_id = of_tenant and w.active and w.sealed_secret is not null and of_event = any(w.events)
$$;

create function webhook_alarm(a alarms) returns jsonb language sql immutable as $$
  select jsonb_build_object('alarmId', a.id::text, 'deviceId', a.device_id::text, 'farmId', coalesce(a.farm_id::text, ''),
    'unitId', coalesce(a.unit_id::text, ''), 'kind', a.kind, 'ruleId', a.rule_id,
    'severity', (array['WARN', 'MINOR', 'MAJOR', 'CRITICAL'])[a.severity])
$$;
create function tell_webhooks_of_alarm() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' then
    perform tell_webhooks(new.tenant_id, 'alarm.raised', new.raised_at, webhook_alarm(new));
  else
    perform tell_webhooks(new.tenant_id, 'alarm.ended', new.ended_at, webhook_alarm(new));
  end if;
  return null;
end $$;
create trigger alarms_raised_to_webhooks after insert on alarms
  for each row when (not new.suppressed and not new.late and new.ended_at is null) execute function tell_webhooks_of_alarm();
create trigger alarms_ended_to_webhooks after update of ended_at on alarms
  for each row when (old.ended_at is null and new.ended_at is not null and not new.suppressed and not new.late)
  execute function tell_webhooks_of_alarm();

create function tell_webhooks_of_work_order() returns trigger language plpgsql as $$ begin
  perform tell_webhooks(new.tenant_id, 'work_order.changed', now(), jsonb_build_object('workOrderId', new.id::text, 'number', new.number,
    'type', new.type, 'state', new.state, 'deviceId', coalesce(new.device_id::text, '')));
  return null;
end $$;
create trigger work_orders_added_to_webhooks after insert on work_orders for each row execute function tell_webhooks_of_work_order();
create trigger work_orders_moved_to_webhooks after update of state on work_orders
  for each row when (old.state <> new.state) execute function tell_webhooks_of_work_order();

create function tell_webhooks_of_sale_order() returns trigger language plpgsql as $$ begin
  perform tell_webhooks(new.tenant_id, 'sale_order.changed', now(), jsonb_build_object('orderId', new.id::text, 'number', new.number,
    'state', new.state, 'heads', new.heads));
  return null;
end $$;
create trigger sale_orders_added_to_webhooks after insert on sale_orders for each row execute function tell_webhooks_of_sale_order();
create trigger sale_orders_moved_to_webhooks after update of state on sale_orders
  for each row when (old.state <> new.state) execute function tell_webhooks_of_sale_order();

-- A draft is the group's alone until it is sent.
create function tell_webhooks_of_contract() returns trigger language plpgsql as $$ begin
  perform tell_webhooks(new.tenant_id, 'contract.changed', now(), jsonb_build_object('contractId', new.id::text, 'number', new.number,
    'state', new.state));
  return null;
end $$;
create trigger contracts_added_to_webhooks after insert on contracts
  for each row when (new.state <> 'draft') execute function tell_webhooks_of_contract();
create trigger contracts_moved_to_webhooks after update of state on contracts
  for each row when (old.state <> new.state and not (old.state = 'draft' and new.state <> 'sent'))
  execute function tell_webhooks_of_contract();

create function tell_webhooks_of_binding() returns trigger language plpgsql as $$ begin
  delete from webhook_devices h where h.device_id = new.device_id;
  perform tell_webhooks(new.tenant_id, case when new.unbound_at is null then 'device.bound' else 'device.unbound' end, now(),
    jsonb_build_object('deviceId', new.device_id::text, 'serialNumber', new.serial_number));
  return null;
end $$;
create trigger device_bindings_added_to_webhooks after insert on device_bindings
  for each row when (new.unbound_at is null) execute function tell_webhooks_of_binding();
create trigger device_bindings_ended_to_webhooks after update of unbound_at on device_bindings
  for each row when (old.unbound_at is null and new.unbound_at is not null) execute function tell_webhooks_of_binding();
