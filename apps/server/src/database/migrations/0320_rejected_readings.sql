-- How many readings of a channel were not believed, and what the newest said. The readings themselves stand beside the accepted ones of their
-- message, under keys that begin with "rejected:".
create table device_rejected_readings (
  device_id bigint not null constraint device_rejected_readings_device_fk references devices on delete cascade,
  key text not null,
  reason text not null constraint device_rejected_readings_reason_known check (reason in ('type', 'range', 'step')),
  readings bigint not null constraint device_rejected_readings_counts check (readings > 0),
  last_text text not null,
  last_at timestamptz not null,
  constraint device_rejected_readings_pk primary key (device_id, key, reason)
);
