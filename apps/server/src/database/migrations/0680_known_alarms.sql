-- What people know of (docs/decisions/0680): an acknowledgement holds for its cause until a time, and ends when it gets worse.

alter table alarms
  -- It does not ask until then. Null while it asks: nobody acknowledged it, the time is over, or it got worse.
  add column known_until timestamptz,
  add column known_by bigint constraint alarms_known_by_fk references accounts on delete set null,
  -- Severity at the acknowledgement; the same cause with a higher one asks.
  add column known_severity smallint,
  -- Values of the figure at which it asks again.
  add column worse_above double precision,
  add column worse_below double precision,
  -- The alarm above it whose acknowledgement covers this one; null where somebody acknowledged this one itself.
  add column known_through bigint,
  -- How often it has asked, and since when it asks this time; null for since it was recorded.
  add column round smallint not null default 1,
  add column asked_at timestamptz;
create index alarms_known_open_idx on alarms (known_until) where ended_at is null and known_until is not null;
create index alarms_known_cause_idx on alarms (rule_id, known_until) where known_until is not null;

-- What somebody acknowledged before this update does not ask forever, either.
update alarms set known_until = now() + make_interval(mins => case severity when 4 then 30 when 3 then 120 else 480 end),
                  known_by = acknowledged_by, known_severity = severity
 where ended_at is null and acknowledged_at is not null;

-- Each round tells people anew.
alter table alarm_notices add column round smallint not null default 1;
alter table alarm_notices drop constraint alarm_notices_alarm_step_person_unique;
alter table alarm_notices add constraint alarm_notices_alarm_round_step_person_unique
  unique (alarm_id, round, step, account_id, channel);

-- An alarm that asks again says so in its course.
alter table alarm_entries drop constraint alarm_entries_action_known;
alter table alarm_entries add constraint alarm_entries_action_known
  check (action in ('acknowledge', 'assign', 'comment', 'clear', 'close', 'escalate', 'call', 'ask'));
