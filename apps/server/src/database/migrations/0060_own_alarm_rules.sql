-- Alarm rules that farms write themselves. Each change is a row; the newest of a rule holds. Nothing is overwritten, so the rows are
-- the history.
create table own_alarm_rule_versions (
  id bigint constraint own_alarm_rule_versions_pk primary key,
  tenant_id text not null constraint own_alarm_rule_versions_tenant_fk references tenants,
  -- Id of the first version.
  rule_id bigint not null,
  -- The version that it was made from; none for the first. Of two changes of one version the second is refused.
  previous_id bigint constraint own_alarm_rule_versions_previous_fk references own_alarm_rule_versions,
  removed boolean not null default false,
  enabled boolean not null,
  name text not null,
  kind text not null,
  scope text not null constraint own_alarm_rule_versions_scope_known check (scope in ('tenant', 'farm', 'house', 'unit', 'device')),
  -- Id of the farm, house, unit or device; 0 for the tenant.
  scope_id bigint not null,
  severity smallint not null constraint own_alarm_rule_versions_severity_range check (severity between 1 and 4),
  raise_after_s integer not null constraint own_alarm_rule_versions_raise_range check (raise_after_s between 0 and 604800),
  clear_after_s integer not null constraint own_alarm_rule_versions_clear_range check (clear_after_s between 0 and 604800),
  -- {joint, parts}
  rule jsonb not null,
  created_by bigint constraint own_alarm_rule_versions_author_fk references accounts on delete set null,
  created_at timestamptz not null default now(),
  constraint own_alarm_rule_versions_previous_unique unique (previous_id),
  constraint own_alarm_rule_versions_first check ((previous_id is null) = (id = rule_id))
);
create index own_alarm_rule_versions_rule_idx on own_alarm_rule_versions (tenant_id, rule_id, id desc);
