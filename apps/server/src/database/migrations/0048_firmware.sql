-- Firmware for devices: packages, roll-outs in stages, and how far each device is.

create table firmware_packages (
  id bigint constraint firmware_packages_pk primary key,
  kind text not null,
  title text not null,
  version text not null,
  size_bytes integer not null constraint firmware_packages_size_range check (size_bytes > 0),
  -- SHA-256 in hex.
  checksum text not null,
  created_by bigint constraint firmware_packages_created_by_fk references accounts on delete set null,
  created_at timestamptz not null default now(),
  constraint firmware_packages_version_unique unique (kind, title, version)
);

-- The bytes, not compressed, so that a device's some kilobytes are cut out without reading the rest.
create table firmware_contents (
  package_id bigint constraint firmware_contents_pk primary key
    constraint firmware_contents_package_fk references firmware_packages on delete cascade,
  bytes bytea not null
);
alter table firmware_contents alter column bytes set storage external;

create table firmware_rollouts (
  id bigint constraint firmware_rollouts_pk primary key,
  package_id bigint not null constraint firmware_rollouts_package_fk references firmware_packages,
  -- Shares of the devices in percent, ascending, the last 100.
  stages smallint[] not null,
  -- From 0.
  stage smallint not null default 0,
  state text not null default 'running' constraint firmware_rollouts_state_known
    check (state in ('running', 'stopped', 'done')),
  created_by bigint constraint firmware_rollouts_created_by_fk references accounts on delete set null,
  created_at timestamptz not null default now()
);
create index firmware_rollouts_package_idx on firmware_rollouts (package_id);

create table firmware_updates (
  rollout_id bigint not null constraint firmware_updates_rollout_fk references firmware_rollouts on delete cascade,
  device_id bigint not null constraint firmware_updates_device_fk references devices on delete cascade,
  -- Place among the devices of the roll-out, from 0: a stage takes those below its share.
  position integer not null,
  state text not null default 'WAITING' constraint firmware_updates_state_known
    check (state in ('WAITING', 'QUEUED', 'DOWNLOADING', 'DOWNLOADED', 'VERIFIED', 'UPDATING', 'UPDATED', 'FAILED')),
  error text not null default '',
  changed_at timestamptz not null default now(),
  constraint firmware_updates_pk primary key (rollout_id, device_id)
);
create index firmware_updates_device_idx on firmware_updates (device_id);
