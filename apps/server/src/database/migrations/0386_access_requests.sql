-- Screens that members ask for, until somebody who gives rights has answered.
create table access_requests (
  id bigint constraint access_requests_pk primary key,
  tenant_id text not null constraint access_requests_tenant_fk references tenants,
  account_id bigint not null constraint access_requests_account_fk references accounts,
  menu_id bigint not null constraint access_requests_menu_fk references menus on delete cascade,
  state text not null default 'waiting' constraint access_requests_state_known check (state in ('waiting', 'granted', 'refused')),
  reason text not null default '',
  asked_at timestamptz not null,
  version integer not null default 1
);
create unique index access_requests_open_unique on access_requests (tenant_id, account_id, menu_id) where state = 'waiting';
create index access_requests_queue_idx on access_requests (tenant_id, state, id);
create index access_requests_account_idx on access_requests (account_id);
create index access_requests_menu_idx on access_requests (menu_id);
