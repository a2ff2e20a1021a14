-- The values of rows by name, for people at a SQL prompt and for tests. A view instead of a function of the row: it reads keys and rows
-- by a join, so that it also works where both are distributed by device.
create function named_values(packed bytea, readings jsonb, keys text[]) returns jsonb
language sql immutable parallel safe as $$
  select coalesce((select jsonb_object_agg(keys[e.key_number + 1], e.value) from telemetry_entries(packed) e
                    where keys[e.key_number + 1] is not null), '{}')
    || coalesce(readings, '{}')
$$;
create view telemetry_values as
  select t.device_id, t.ts, t.clock_skew, named_values(t.packed, t.readings, k.keys) as readings
    from telemetry t left join telemetry_keys k on k.device_id = t.device_id;
drop function telemetry_readings(telemetry);
