-- Alarms, what was done about them, and what their evaluation remembers.

create table alarms (
  id bigint constraint alarms_pk primary key,
  tenant_id text not null constraint alarms_tenant_fk references tenants,
  device_id bigint not null constraint alarms_device_fk references devices on delete cascade,
  -- Where the device was when it was raised; a device that moves does not take its past along.
  farm_id bigint,
  house_id bigint,
  unit_id bigint,
  kind text not null,
  rule_id text not null,
  severity smallint not null constraint alarms_severity_range check (severity between 1 and 4),
  -- By the device's clock.
  since_at timestamptz not null,
  raised_at timestamptz not null,
  -- By the server's clock.
  recorded_at timestamptz not null default clock_timestamp(),
  -- The unit's mode or a masking window hid it: a record, and no alarm.
  suppressed boolean not null default false,
  -- It comes from data that came too late: what would have been raised.
  late boolean not null default false,
  -- Data that came in another order showed that it never was.
  withdrawn boolean not null default false,
  -- Set when the condition is gone, or a person ended it.
  ended_at timestamptz,
  ended_by bigint constraint alarms_ended_by_fk references accounts on delete set null,
  acknowledged_at timestamptz,
  acknowledged_by bigint constraint alarms_acknowledged_by_fk references accounts on delete set null,
  assigned_to bigint constraint alarms_assigned_to_fk references accounts on delete set null,
  closed_at timestamptz,
  closed_by bigint constraint alarms_closed_by_fk references accounts on delete set null,
  resolution text not null default '' constraint alarms_resolution_known
    check (resolution in ('', 'resolved', 'false-alarm', 'expected', 'other')),
  -- The alarm that this one follows from.
  cause_id bigint,
  -- The value, its limit and unit at the moment of raising.
  facts jsonb not null default '{}',
  -- The escalation step that was reached, and when the next is due.
  step smallint not null default 0,
  next_step_at timestamptz,
  constraint alarms_device_rule_raised_unique unique (device_id, rule_id, raised_at)
);
-- One open alarm per device and rule, also when several servers find it at the same moment.
create unique index alarms_open_unique on alarms (device_id, rule_id) where ended_at is null;
create index alarms_tenant_open_idx on alarms (tenant_id, severity desc, raised_at) where ended_at is null;
create index alarms_tenant_raised_idx on alarms (tenant_id, raised_at desc, id desc);
create index alarms_device_raised_idx on alarms (device_id, raised_at desc);
create index alarms_unit_raised_idx on alarms (unit_id, raised_at desc);
create index alarms_cause_idx on alarms (cause_id) where cause_id is not null;
create index alarms_step_idx on alarms (next_step_at) where ended_at is null and next_step_at is not null;
create index alarms_raised_idx on alarms (raised_at);

-- What people did and said, and what happened of itself after the raising.
create table alarm_entries (
  id bigint constraint alarm_entries_pk primary key,
  alarm_id bigint not null constraint alarm_entries_alarm_fk references alarms on delete cascade,
  action text not null constraint alarm_entries_action_known
    check (action in ('acknowledge', 'assign', 'comment', 'clear', 'close', 'escalate')),
  account_id bigint constraint alarm_entries_account_fk references accounts on delete set null,
  body text not null default '',
  created_at timestamptz not null default now()
);
create index alarm_entries_alarm_idx on alarm_entries (alarm_id, id);

-- What the evaluation of a device remembered at a moment from which on its stored telemetry is judged again: after a restart, on
-- another server, and when data came in another order.
create table alarm_states (
  device_id bigint constraint alarm_states_pk primary key constraint alarm_states_device_fk references devices on delete cascade,
  -- Telemetry and events up to this device time are in it.
  settled_at timestamptz not null,
  -- Telemetry up to this device time came late: it is history and judged by nobody.
  late_until timestamptz,
  state text not null
);
