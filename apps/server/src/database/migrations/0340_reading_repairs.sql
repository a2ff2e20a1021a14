-- Work on stored telemetry that an update leaves to a job, device by device and day by day, and how far it is.
create table telemetry_repairs (
  name text constraint telemetry_repairs_pk primary key,
  -- The last device that is done.
  after_device bigint not null default 0,
  -- Hours since 1970 of the next device that are done; null before its first.
  done_before integer,
  done_at timestamptz
);
-- Readings that cannot be true were stored as values until 0320.
insert into telemetry_repairs (name) select 'untrue readings' where exists (select from telemetry_keys);

-- Days in Asia/Shanghai of which a roll-up holds readings that cannot be true, and of which nothing tells the others any more: no chart,
-- report or analysis takes a roll-up of such a day.
create table telemetry_unreliable_days (
  device_id bigint not null constraint telemetry_unreliable_days_device_fk references devices on delete cascade,
  day date not null,
  key text collate "C" not null,
  constraint telemetry_unreliable_days_pk primary key (device_id, key, day)
);
