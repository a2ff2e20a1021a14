-- Telemetry: one row per device and device time, its values as one JSON object, partitioned by day (UTC).
-- See docs/decisions for the measurements behind this shape. Partitions are made as rows ask for them.

create table telemetry (
  device_id bigint not null,
  ts timestamptz not null,
  readings jsonb not null,
  -- The device's clock was ahead of the server's: ts is the time of receipt.
  clock_skew boolean not null default false,
  constraint telemetry_pk primary key (device_id, ts)
) partition by range (ts);

-- Records that are not a number in time (shots, showers, gear changes). The id makes a resend harmless.
create table device_events (
  device_id bigint not null constraint device_events_device_fk references devices on delete cascade,
  type text not null,
  event_id text not null,
  ts timestamptz not null,
  body jsonb not null,
  constraint device_events_pk primary key (device_id, type, event_id)
);
create index device_events_ts_idx on device_events (device_id, ts);

-- Newest value per key by device time. An equal time keeps the value that is there: a replay changes nothing.
create function merge_readings(held jsonb, arrived jsonb) returns jsonb
language sql immutable parallel safe as $$
  select held || coalesce(
    (select jsonb_object_agg(a.key, a.value)
       from jsonb_each(arrived) a
      where held -> a.key is null or (held -> a.key ->> 'ts')::bigint < (a.value ->> 'ts')::bigint),
    '{}'::jsonb)
$$;

-- Values stored per hour of receipt, for the public figures; written every few seconds, not with every message.
create table telemetry_volumes (
  hour timestamptz constraint telemetry_volumes_pk primary key,
  stored_values bigint not null
);
