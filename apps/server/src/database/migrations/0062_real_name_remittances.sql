-- Test remittances to settlement accounts. A row is written with the transition that asks for it; the bank is told after the commit,
-- by the row's id, which it takes once.
create table real_name_remittances (
  id bigint constraint real_name_remittances_pk primary key,
  tenant_id text not null constraint real_name_remittances_tenant_fk references tenants,
  real_name_application_id bigint not null
    constraint real_name_remittances_application_fk references real_name_applications on delete cascade,
  state text not null default 'ordered' constraint real_name_remittances_state_known
    check (state in ('ordered', 'sent', 'arrived', 'confirmed', 'failed', 'expired')),
  failure text not null default '' constraint real_name_remittances_failure_known
    check (failure in ('', 'name_mismatch', 'not_public', 'no_account', 'refused', 'tries')),
  amount_fen integer not null constraint real_name_remittances_amount_counts check (amount_fen > 0),
  sandbox boolean not null,
  reference text not null default '',
  -- How often the bank says that it arrived.
  arrivals smallint not null default 0,
  tries smallint not null default 0,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  arrived_at timestamptz,
  -- Until then it must have arrived, and from its arrival on its amount must have been typed.
  expires_at timestamptz not null,
  constraint real_name_remittances_failed check ((state = 'failed') = (failure <> ''))
);
create index real_name_remittances_application_idx on real_name_remittances (real_name_application_id, id desc);
create index real_name_remittances_tenant_idx on real_name_remittances (tenant_id, created_at);
create index real_name_remittances_running_idx on real_name_remittances (id) where state in ('ordered', 'sent', 'arrived');
