-- Comparisons of which a person is told every Monday.
create table comparison_subscriptions (
  id bigint constraint comparison_subscriptions_pk primary key,
  tenant_id text not null constraint comparison_subscriptions_tenant_fk references tenants,
  account_id bigint not null constraint comparison_subscriptions_account_fk references accounts on delete cascade,
  name text not null constraint comparison_subscriptions_name_length check (char_length(name) between 1 and 40),
  -- What is compared, as it is asked for.
  query jsonb not null,
  -- The Monday on which it was told last.
  told_on date not null,
  constraint comparison_subscriptions_unique unique (tenant_id, account_id, name)
);
create index comparison_subscriptions_due_idx on comparison_subscriptions (told_on);
create index comparison_subscriptions_account_idx on comparison_subscriptions (account_id);
