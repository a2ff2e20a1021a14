-- What customers bring to the group's desk: after-sales, complaints, suggestions.
create table work_orders (
  id bigint constraint work_orders_pk primary key,
  tenant_id text not null constraint work_orders_tenant_fk references tenants,
  -- For people: type, day and place in the day.
  number text not null constraint work_orders_number_unique unique,
  type text not null constraint work_orders_type_known check (type in ('after_sales', 'complaint', 'suggestion')),
  state text not null default 'pending' constraint work_orders_state_known
    check (state in ('pending', 'in_process', 'waiting_customer', 'completed', 'closed', 'cancelled', 'merged', 'adopted', 'rejected')),
  title text not null,
  description text not null,
  category text not null default '',
  repair_mode text not null default '' constraint work_orders_repair_mode_known check (repair_mode in ('', 'remote', 'return_factory')),
  product_id text not null default '',
  device_id bigint constraint work_orders_device_fk references devices on delete set null,
  -- As they were called when it was raised; a device that moves on does not take the order along.
  device_name text not null default '',
  place text not null default '',
  order_number text not null default '',
  -- Of whoever raised it, so that the same form sent twice is one order.
  request_key text,
  created_by bigint constraint work_orders_created_by_fk references accounts on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Who changed it last: told to whoever comes too late.
  updated_by bigint constraint work_orders_updated_by_fk references accounts on delete set null,
  version integer not null default 1,
  assignee_id bigint constraint work_orders_assignee_fk references accounts on delete set null,
  first_due_at timestamptz not null,
  first_answered_at timestamptz,
  -- Null while the time stands still; then there is how much of it is left.
  solve_due_at timestamptz,
  minutes_left integer,
  solved_at timestamptz,
  urges smallint not null default 0,
  urged_at timestamptz,
  reopens smallint not null default 0,
  rating smallint constraint work_orders_rating_range check (rating between 1 and 5),
  merged_into bigint constraint work_orders_merged_into_fk references work_orders,
  published boolean not null default false,
  -- What people were told of already: first answer late, solution soon due, solution late, customer waited for.
  told_first boolean not null default false,
  told_soon boolean not null default false,
  told_late boolean not null default false,
  told_customer boolean not null default false,
  constraint work_orders_request_unique unique (created_by, request_key)
);
create index work_orders_tenant_idx on work_orders (tenant_id, type, id desc);
create index work_orders_open_idx on work_orders (solve_due_at, id) where state in ('pending', 'in_process', 'waiting_customer');
create index work_orders_assignee_idx on work_orders (assignee_id, solve_due_at) where state in ('pending', 'in_process', 'waiting_customer');
create index work_orders_unanswered_idx on work_orders (first_due_at) where first_answered_at is null;
create index work_orders_completed_idx on work_orders (solved_at) where state = 'completed';
create index work_orders_solved_idx on work_orders (solved_at desc) where solved_at is not null;
create index work_orders_device_idx on work_orders (device_id, id desc) where device_id is not null;
create index work_orders_newest_idx on work_orders (id desc);
create index work_orders_published_idx on work_orders (updated_at desc) where published;

create table work_order_entries (
  id bigint constraint work_order_entries_pk primary key,
  work_order_id bigint not null constraint work_order_entries_order_fk references work_orders on delete cascade,
  what text not null,
  side text not null constraint work_order_entries_side_known check (side in ('customer', 'desk', 'clock')),
  account_id bigint constraint work_order_entries_account_fk references accounts on delete set null,
  body text not null default '',
  internal boolean not null default false,
  -- What was sent, whom it went to, how long it took: by the kind of the entry.
  details jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp()
);
create index work_order_entries_order_idx on work_order_entries (work_order_id, id);

create table work_order_photos (
  work_order_entry_id bigint not null
    constraint work_order_photos_entry_fk references work_order_entries on delete cascade,
  attachment_id bigint not null constraint work_order_photos_attachment_fk references attachments on delete cascade,
  position smallint not null default 0,
  constraint work_order_photos_pk primary key (work_order_entry_id, attachment_id)
);

-- How the device stood in the 24 hours before an order was raised; written once.
create table work_order_snapshots (
  work_order_id bigint constraint work_order_snapshots_pk primary key
    constraint work_order_snapshots_order_fk references work_orders on delete cascade,
  body jsonb not null
);

-- The last number of a type on a day of Asia/Shanghai.
create table work_order_numbers (
  type text not null,
  day date not null,
  last integer not null,
  constraint work_order_numbers_pk primary key (type, day)
);
