-- Times that the server gives have microseconds that are never 0, while a device's times are whole milliseconds: so a message
-- without a time can never fall on the row of one that has a time. A reading keeps them in `us`; no `us` means 0.
create or replace function merge_readings(held jsonb, arrived jsonb) returns jsonb
language sql immutable parallel safe as $$
  select held || coalesce(
    (select jsonb_object_agg(a.key, a.value)
       from jsonb_each(arrived) a
      where held -> a.key is null
         or ((held -> a.key ->> 'ts')::bigint, coalesce((held -> a.key ->> 'us')::int, 0))
            < ((a.value ->> 'ts')::bigint, coalesce((a.value ->> 'us')::int, 0))),
    '{}'::jsonb)
$$;

-- Which server (servers.id) holds the device's connection: when it dies, nobody else can say that the connection ended.
alter table device_states add column connection_server text;
create index device_states_connection_server_idx on device_states (connection_server) where connected;
create index device_states_online_until_idx on device_states (online_until);

-- Oldest time in the batch that came last. It is here because an upsert can compare with columns only: what arrives later than
-- everything held needs no comparison key by key.
alter table device_states add column merged_from timestamptz;
