-- Who is told of alarms and how, and the outbox of what they are told.

-- Shown, and pushed to nobody: a safety alarm while the unit's mode masks the others.
alter table alarms add column quiet boolean not null default false;

create table alarm_subscriptions (
  id bigint constraint alarm_subscriptions_pk primary key,
  tenant_id text not null constraint alarm_subscriptions_tenant_fk references tenants,
  account_id bigint not null constraint alarm_subscriptions_account_fk references accounts on delete cascade,
  channel text not null constraint alarm_subscriptions_channel_known
    check (channel in ('site', 'sms', 'mail', 'webhook', 'wechat-robot')),
  -- Address of a webhook or robot: it holds a secret, so it is encrypted. "" for the other channels.
  address_encrypted text not null default '',
  least_severity smallint not null constraint alarm_subscriptions_severity_range check (least_severity between 1 and 4),
  -- Empty for all farms.
  farm_ids bigint[] not null default '{}',
  -- Told from this escalation step on: 1 at once.
  step smallint not null default 1 constraint alarm_subscriptions_step_range check (step between 1 and 3),
  -- Minutes of the day in Asia/Shanghai; the same number twice for none. Critical alarms are told all the same.
  quiet_from smallint not null default 0 constraint alarm_subscriptions_quiet_from_range check (quiet_from between 0 and 1439),
  quiet_to smallint not null default 0 constraint alarm_subscriptions_quiet_to_range check (quiet_to between 0 and 1439),
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint alarm_subscriptions_channel_unique unique (tenant_id, account_id, channel)
);

-- One notice per alarm, step, person and channel, in the transaction of what it tells of.
create table alarm_notices (
  id bigint generated always as identity constraint alarm_notices_pk primary key,
  alarm_id bigint not null constraint alarm_notices_alarm_fk references alarms on delete cascade,
  tenant_id text not null,
  account_id bigint not null constraint alarm_notices_account_fk references accounts on delete cascade,
  channel text not null,
  step smallint not null,
  state text not null default 'waiting' constraint alarm_notices_state_known
    check (state in ('waiting', 'sent', 'failed', 'dropped')),
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  sent_at timestamptz,
  -- Notices that were told in one.
  bundled integer not null default 1,
  fault text not null default '',
  constraint alarm_notices_alarm_step_person_unique unique (alarm_id, step, account_id, channel)
);
create index alarm_notices_waiting_idx on alarm_notices (due_at) where state = 'waiting';
create index alarm_notices_sent_idx on alarm_notices (account_id, channel, sent_at) where state = 'sent';
