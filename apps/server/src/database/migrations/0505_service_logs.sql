-- What the service did: calls of business that it refused, calls that changed something, calls that failed. Written in batches, removed by
-- age; personal data and secrets do not get here.
create table usual_logs (
  id bigint constraint usual_logs_pk primary key,
  created_at timestamptz not null,
  tenant_id text not null,
  account_id bigint,
  service_id text not null,
  server_host text not null,
  remote_address text not null,
  user_agent text not null,
  request_id text not null,
  request_uri text not null,
  method text not null,
  operation text not null,
  params text not null,
  log_level text not null,
  log_id text not null,
  log_data text not null
);
create index usual_logs_created_idx on usual_logs (created_at);
create index usual_logs_request_idx on usual_logs (request_id);
create table api_logs (
  id bigint constraint api_logs_pk primary key,
  created_at timestamptz not null,
  tenant_id text not null,
  account_id bigint,
  service_id text not null,
  server_host text not null,
  remote_address text not null,
  user_agent text not null,
  request_id text not null,
  request_uri text not null,
  method text not null,
  operation text not null,
  params text not null,
  title text not null,
  time_ms integer not null,
  status integer not null
);
create index api_logs_created_idx on api_logs (created_at);
create index api_logs_request_idx on api_logs (request_id);
create table error_logs (
  id bigint constraint error_logs_pk primary key,
  created_at timestamptz not null,
  tenant_id text not null,
  account_id bigint,
  service_id text not null,
  server_host text not null,
  remote_address text not null,
  user_agent text not null,
  request_id text not null,
  request_uri text not null,
  method text not null,
  operation text not null,
  params text not null,
  stack_trace text not null,
  exception_name text not null,
  message text not null,
  file_name text not null,
  line_number integer not null
);
create index error_logs_created_idx on error_logs (created_at);
create index error_logs_request_idx on error_logs (request_id);
