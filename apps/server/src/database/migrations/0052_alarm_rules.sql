-- What farms changed of the rules that the kinds declare, and windows in which alarms are masked.

-- Each change is a row; the newest of a place and rule holds. Nothing is overwritten, so the rows are the history.
create table alarm_rule_versions (
  id bigint constraint alarm_rule_versions_pk primary key,
  tenant_id text not null constraint alarm_rule_versions_tenant_fk references tenants,
  scope text not null constraint alarm_rule_versions_scope_known check (scope in ('tenant', 'farm', 'house', 'unit', 'device')),
  -- Id of the farm, house, unit or device; 0 for the tenant.
  scope_id bigint not null,
  kind text not null,
  rule_id text not null,
  -- The declaration of the kind holds again.
  removed boolean not null default false,
  enabled boolean not null default true,
  severity smallint constraint alarm_rule_versions_severity_range check (severity between 1 and 4),
  raise_after_s integer constraint alarm_rule_versions_raise_range check (raise_after_s between 0 and 604800),
  -- {threshold id: number}
  thresholds jsonb not null default '{}',
  created_by bigint constraint alarm_rule_versions_author_fk references accounts on delete set null,
  created_at timestamptz not null default now()
);
create index alarm_rule_versions_rule_idx on alarm_rule_versions (tenant_id, kind, rule_id, scope, scope_id, id desc);

create table alarm_maskings (
  id bigint constraint alarm_maskings_pk primary key,
  tenant_id text not null constraint alarm_maskings_tenant_fk references tenants,
  scope text not null constraint alarm_maskings_scope_known check (scope in ('farm', 'house', 'unit', 'device')),
  scope_id bigint not null,
  -- Empty for all rules but those of the safety class.
  rule_ids text[] not null default '{}',
  reason text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  created_by bigint constraint alarm_maskings_author_fk references accounts on delete set null,
  created_at timestamptz not null default now(),
  constraint alarm_maskings_length check (ends_at > starts_at and ends_at <= starts_at + interval '24 hours')
);
create index alarm_maskings_tenant_idx on alarm_maskings (tenant_id, ends_at desc);
