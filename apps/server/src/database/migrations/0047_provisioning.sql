-- Devices that register themselves, and those that a customer takes over with what the device itself said.

create table provision_profiles (
  id bigint constraint provision_profiles_pk primary key,
  name text not null,
  kind text not null,
  strategy text not null constraint provision_profiles_strategy_known
    check (strategy in ('ALLOW_CREATE_NEW', 'CHECK_PRE_PROVISIONED')),
  provision_key text not null constraint provision_profiles_key_unique unique,
  -- SHA-256: the secret is made by the server from 192 random bits.
  secret_hash bytea not null,
  -- Devices that are made are gateways.
  gateways boolean not null default false,
  enabled boolean not null default true,
  created_by bigint constraint provision_profiles_created_by_fk references accounts on delete set null,
  created_at timestamptz not null default now()
);

-- When a device got its credentials by provisioning: it may do so once.
alter table devices add column provisioned_at timestamptz;

create table device_claims (
  device_id bigint constraint device_claims_pk primary key
    constraint device_claims_device_fk references devices on delete cascade,
  -- SHA-256 of what the device shows its owner; the tries are counted.
  secret_hash bytea not null,
  expires_at timestamptz not null,
  tries smallint not null default 0
);
