-- What was done at alarms without a network, by the key that the phone gave it: sent again it is not done again.
create table field_actions (
  tenant_id text not null constraint field_actions_tenant_fk references tenants,
  account_id bigint not null constraint field_actions_account_fk references accounts on delete cascade,
  key uuid not null,
  outcome text not null constraint field_actions_outcome_known check (outcome in ('done', 'already', 'refused')),
  -- Why it was refused.
  reason text not null default '',
  -- By the phone's clock.
  acted_at timestamptz not null,
  kept_at timestamptz not null default now(),
  constraint field_actions_pk primary key (tenant_id, account_id, key)
);
create index field_actions_kept_idx on field_actions (kept_at);
