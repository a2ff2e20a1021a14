-- Screens that members ask for, until somebody who gives roles has answered.
create table access_requests (
  id bigint constraint access_requests_pk primary key,
  tenant_id text not null constraint access_requests_tenant_fk references tenants,
  menu_id bigint not null constraint access_requests_menu_fk references menus on delete cascade,
  state text not null constraint access_requests_state_known check (state in ('waiting', 'granted', 'refused', 'expired')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now()
);
create unique index access_requests_open_unique on access_requests (tenant_id, created_by, menu_id) where state = 'waiting';
create index access_requests_queue_idx on access_requests (tenant_id, state, id);
create index access_requests_due_idx on access_requests (state_at, id) where state = 'waiting';
create index access_requests_menu_idx on access_requests (menu_id);
create view access_request_rows as
  select q.*, q.created_at as asked_at, n.name as screen, n.code as menu_code, coalesce(nullif(p.real_name, ''), nullif(p.nick_name, ''), p.account, '') as asker
    from access_requests q join menus n on n.id = q.menu_id left join accounts p on p.id = q.created_by;
