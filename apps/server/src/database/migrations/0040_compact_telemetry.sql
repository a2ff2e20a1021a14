-- Telemetry in a third of the space: the values of a message are one byte string, its keys are numbers of their device.
-- docs/decisions/0023 has the format and what was measured.
--
-- No row is written anew: a large table must not need hours. Rows from before keep their JSON in `readings`, which new rows leave
-- empty; both are read until the raw retention has taken the older ones away.
alter table telemetry alter column readings drop not null;
alter table telemetry add column packed bytea;

-- The keys of a device in the order in which they first came; a key's number is its place from 0, and never changes.
create table telemetry_keys (
  device_id bigint constraint telemetry_keys_pk primary key constraint telemetry_keys_device_fk references devices on delete cascade,
  keys text[] not null
);
insert into telemetry_keys (device_id, keys)
select device_id, array(select jsonb_object_keys(readings) order by 1) from device_states where readings <> '{}';

-- Entries of `packed`, each: varint of key number * 8 + form, then its value. Varints have seven bits a byte, the lowest first.
--   0 whole number, 1 tenths, 2 hundredths: zigzag varint    3 a byte with the decimal places, then as before
--   4 float8, little-endian    5 false    6 true    7 varint of a length, then so many bytes of JSON in UTF-8
create function telemetry_entries(packed bytea) returns table (key_number integer, value jsonb, entry bytea)
language plpgsql immutable strict parallel safe as $$
declare
  place integer := 0;
  start integer;
  byte integer;
  shift integer;
  form integer;
  places integer;
  number bigint;
  varints integer;
begin
  while place < length(packed) loop
    start := place;
    form := -1;
    places := 0;
    -- The head, and for the forms that have one a number.
    for varints in 1..2 loop
      if form = 3 then
        places := get_byte(packed, place);
        place := place + 1;
      end if;
      number := 0;
      shift := 0;
      loop
        byte := get_byte(packed, place);
        place := place + 1;
        number := number | ((byte & 127)::bigint << shift);
        shift := shift + 7;
        exit when byte < 128;
      end loop;
      if form < 0 then
        key_number := (number >> 3)::integer;
        form := (number & 7)::integer;
        exit when form in (4, 5, 6);
      end if;
    end loop;
    if form < 4 then
      if form < 3 then places := form; end if;
      number := case when number & 1 = 0 then number >> 1 else -(number >> 1) - 1 end;
      value := to_jsonb(round(number / 10::numeric ^ places, places));
    elsif form = 4 then
      number := 0;
      for shift in 0..6 loop
        number := number | (get_byte(packed, place + shift)::bigint << (8 * shift));
      end loop;
      byte := ((get_byte(packed, place + 7) & 127) << 4) | (number >> 52)::integer;
      number := number & ((1::bigint << 52) - 1);
      value := to_jsonb(
        case when get_byte(packed, place + 7) > 127 then -1::float8 else 1::float8 end
        * (case when byte = 0 then number else number + (1::bigint << 52) end)::float8
        * power(2::float8, greatest(byte, 1) - 1075));
      place := place + 8;
    elsif form = 7 then
      value := convert_from(substr(packed, place + 1, number::integer), 'UTF8')::jsonb;
      place := place + number::integer;
    else
      value := to_jsonb(form = 6);
    end if;
    entry := substr(packed, start + 1, place - start);
    return next;
  end loop;
end
$$;

-- What is held stays; of what arrived only keys are added that were not there.
create function merge_telemetry(held bytea, arrived bytea) returns bytea
language sql immutable parallel safe as $$
  select coalesce(held, '') || coalesce(
    (select string_agg(a.entry, '' order by a.key_number) from telemetry_entries(arrived) a
      where not exists (select from telemetry_entries(coalesce(held, '')) h where h.key_number = a.key_number)), '')
$$;

-- The values of a row by name, for people at a SQL prompt and for tests: `select telemetry_readings(t) from telemetry t`.
create function telemetry_readings(row_of telemetry) returns jsonb
language sql stable parallel safe as $$
  select coalesce(
      (select jsonb_object_agg(k.keys[e.key_number + 1], e.value)
         from telemetry_entries(row_of.packed) e, telemetry_keys k where k.device_id = row_of.device_id), '{}')
    || coalesce(row_of.readings, '{}')
$$;
