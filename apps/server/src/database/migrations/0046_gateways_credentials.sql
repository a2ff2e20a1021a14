-- Devices behind gateways, and log-ins of devices that are no access token.

alter table devices add column is_gateway boolean not null default false;
-- The gateway may register devices that nobody has registered.
alter table devices add column may_create_children boolean not null default false;
-- The gateway behind which the device stands, and what the gateway calls it.
alter table devices add column gateway_id bigint constraint devices_gateway_fk references devices on delete set null;
alter table devices add column gateway_name text;
create unique index devices_gateway_name_unique on devices (gateway_id, gateway_name) where gateway_id is not null;

-- MQTT user name and password of a device, with the client id where that is asked for, too.
create table device_credentials (
  device_id bigint constraint device_credentials_pk primary key
    constraint device_credentials_device_fk references devices on delete cascade,
  -- "" where any client id will do.
  client_id text not null default '',
  user_name text not null,
  -- scrypt, with its salt in front.
  password_hash bytea not null,
  updated_at timestamptz not null default now(),
  constraint device_credentials_name_unique unique (user_name, client_id)
);
