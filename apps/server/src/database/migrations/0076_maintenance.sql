-- What was done at devices and in units, and when it is due again.
create table maintenance_entries (
  id bigint constraint maintenance_entries_pk primary key,
  tenant_id text not null constraint maintenance_entries_tenant_fk references tenants,
  code text not null,
  work text not null,
  type text not null,
  device_id bigint constraint maintenance_entries_device_fk references devices,
  unit_id bigint constraint maintenance_entries_unit_fk references units,
  done_on date not null,
  person text not null,
  minutes integer constraint maintenance_entries_minutes_range check (minutes between 0 and 14400),
  parts text not null default '',
  next_due_on date,
  -- For which due day members were reminded; another day is told again.
  reminded_for date,
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now(),
  constraint maintenance_entries_code_unique unique (tenant_id, code)
);
create index maintenance_entries_tenant_idx on maintenance_entries (tenant_id, done_on desc, id desc);
create index maintenance_entries_device_idx on maintenance_entries (device_id, done_on desc);
create index maintenance_entries_unit_idx on maintenance_entries (unit_id, done_on desc);
create index maintenance_entries_due_idx on maintenance_entries (next_due_on) where next_due_on is not null;

create table maintenance_photos (
  entry_id bigint not null constraint maintenance_photos_entry_fk references maintenance_entries on delete cascade,
  attachment_id bigint not null constraint maintenance_photos_attachment_fk references attachments on delete cascade,
  added_at timestamptz not null default clock_timestamp(),
  constraint maintenance_photos_pk primary key (entry_id, attachment_id)
);
