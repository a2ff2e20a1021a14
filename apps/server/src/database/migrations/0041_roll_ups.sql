-- Roll-ups of telemetry by minute, hour and day, made anew from the raw rows of an hour whenever it got any (docs/decisions/0024).

-- Hours since 1970 (UTC) of which the roll-ups lack something: `pending` since a message came, `rolling` while a job has them.
-- They stand here because ingest writes this row anyway, in the transaction of the message.
alter table device_states
  add column pending_hours int4multirange not null default '{}',
  add column rolling_hours int4multirange not null default '{}';
-- What was stored before has none yet; until the job has been there, charts read it from the raw rows as they did.
update device_states set pending_hours = int4multirange(int4range(
    (extract(epoch from now() - interval '92 days') / 3600)::integer, (extract(epoch from now()) / 3600)::integer + 2))
 where readings <> '{}';

-- The minutes of an hour in one value: as rows of their own they would take more space than the raw rows. The form is in roll-up.ts.
create table telemetry_minutes (
  device_id bigint not null,
  key text collate "C" not null,
  hour timestamptz not null,
  minutes bytea not null,
  constraint telemetry_minutes_pk primary key (device_id, key, hour)
) partition by range (hour);

-- Numbers, and booleans as 1 and 0, of one key in one hour.
create table telemetry_hours (
  device_id bigint not null,
  hour timestamptz not null,
  -- How many values there are.
  count integer not null,
  -- When the first and the last came, ms since the start of the hour.
  first_ms integer not null,
  last_ms integer not null,
  sum double precision not null,
  min double precision not null,
  max double precision not null,
  last double precision not null,
  -- Integral from the first to the last value, each held until the next: value times seconds. Seconds on, for a boolean.
  held double precision not null,
  key text collate "C" not null,
  constraint telemetry_hours_pk primary key (device_id, key, hour)
) partition by range (hour);

-- The same of a day in Asia/Shanghai.
create table telemetry_days (
  device_id bigint not null,
  day date not null,
  count integer not null,
  first_ms integer not null,
  last_ms integer not null,
  sum double precision not null,
  min double precision not null,
  max double precision not null,
  last double precision not null,
  held double precision not null,
  key text collate "C" not null,
  constraint telemetry_days_pk primary key (device_id, key, day)
);

-- Raw rows before this time were dropped: no roll-up is made anew from what is left there.
create table telemetry_retention (
  only_row boolean constraint telemetry_retention_pk primary key default true constraint telemetry_retention_one check (only_row),
  raw_from timestamptz not null
);
insert into telemetry_retention (raw_from) values ('2000-01-01');
