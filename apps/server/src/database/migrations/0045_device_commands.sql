-- Calls of the server to devices, and what it wants them to run with. The tables are the truth; what servers tell each other
-- only wakes the one that holds the connection.

-- Numbers the calls of a device: the id in the topic of an RPC, and the order in which they are delivered.
alter table devices add column last_request_id integer not null default 0;

create table device_commands (
  id bigint constraint device_commands_pk primary key,
  tenant_id text not null constraint device_commands_tenant_fk references tenants,
  device_id bigint not null constraint device_commands_device_fk references devices on delete cascade,
  request_id integer not null,
  -- Given by the caller: the same one again is the same command.
  request_key text,
  method text not null,
  params jsonb not null default '{}',
  one_way boolean not null default false,
  state text not null default 'queued' constraint device_commands_state_known
    check (state in ('queued', 'sent', 'delivered', 'succeeded', 'failed', 'timed_out', 'expired', 'cancelled')),
  -- How often it was handed to a connection.
  attempts smallint not null default 0,
  max_attempts smallint not null default 3,
  -- How long the answer may take after delivery.
  timeout_s integer not null,
  -- Not delivered until then, it never is.
  expires_at timestamptz not null,
  -- While sent: when it counts as lost; while delivered: when the answer is late.
  due_at timestamptz,
  sent_by text,
  response jsonb,
  error text not null default '',
  created_by bigint constraint device_commands_created_by_fk references accounts on delete set null,
  actor_name text not null default '',
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  delivered_at timestamptz,
  finished_at timestamptz,
  constraint device_commands_request_unique unique (device_id, request_id),
  constraint device_commands_request_key_unique unique (tenant_id, request_key),
  -- A terminal state has its time, and nothing else has one.
  constraint device_commands_finished check ((state in ('queued', 'sent', 'delivered')) = (finished_at is null))
);
create index device_commands_open_idx on device_commands (device_id, request_id) where finished_at is null;
create index device_commands_tenant_idx on device_commands (tenant_id, id desc);
create index device_commands_device_idx on device_commands (device_id, id desc);

-- A setting that somebody wants a device to have. The value itself is the shared attribute (devices.shared_attributes).
create table device_parameters (
  device_id bigint not null constraint device_parameters_device_fk references devices on delete cascade,
  key text not null,
  -- pending: not confirmed by the device; applied: reported as wanted; refused: after the push something else was reported;
  -- drifted: was applied, and is something else now.
  state text not null default 'pending' constraint device_parameters_state_known
    check (state in ('pending', 'applied', 'refused', 'drifted')),
  changed_at timestamptz not null default now(),
  -- When a connection of the device took it; null asks for it to be sent.
  pushed_at timestamptz,
  reported_at timestamptz,
  constraint device_parameters_pk primary key (device_id, key)
);
create index device_parameters_unsent_idx on device_parameters (device_id) where pushed_at is null;

create table device_parameter_changes (
  id bigint constraint device_parameter_changes_pk primary key,
  tenant_id text not null constraint device_parameter_changes_tenant_fk references tenants,
  device_id bigint not null constraint device_parameter_changes_device_fk references devices on delete cascade,
  key text not null,
  -- null: nothing was wanted.
  before jsonb,
  after jsonb,
  created_by bigint constraint device_parameter_changes_created_by_fk references accounts on delete set null,
  actor_name text not null default '',
  created_at timestamptz not null default now()
);
create index device_parameter_changes_device_idx on device_parameter_changes (device_id, id desc);
