-- Who is told of the reports of a farm, and when.
create table report_subscriptions (
  id bigint constraint report_subscriptions_pk primary key,
  tenant_id text not null constraint report_subscriptions_tenant_fk references tenants,
  account_id bigint not null constraint report_subscriptions_account_fk references accounts on delete cascade,
  farm_id bigint not null constraint report_subscriptions_farm_fk references farms on delete cascade,
  period text not null constraint report_subscriptions_period_known check (period in ('day', 'week')),
  -- Minute of the day in Asia/Shanghai.
  minute smallint not null constraint report_subscriptions_minute_range check (minute between 0 and 1439),
  -- The day on which it was told last; of a week its Monday.
  told_on date not null,
  constraint report_subscriptions_unique unique (tenant_id, account_id, farm_id, period)
);
create index report_subscriptions_due_idx on report_subscriptions (told_on);
create index report_subscriptions_farm_idx on report_subscriptions (farm_id);
