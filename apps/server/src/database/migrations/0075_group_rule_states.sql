-- What the evaluation of a rule over several devices remembered at a moment from which on what they sent is judged again. A new
-- version of the rule begins afresh.
create table own_alarm_rule_states (
  rule_id bigint constraint own_alarm_rule_states_pk primary key
    constraint own_alarm_rule_states_rule_fk references own_alarm_rule_versions on delete cascade,
  version_id bigint not null
    constraint own_alarm_rule_states_version_fk references own_alarm_rule_versions on delete cascade,
  -- Telemetry up to this device time is in it; nothing that is in time can come before.
  settled_at timestamptz not null,
  state text not null
);
