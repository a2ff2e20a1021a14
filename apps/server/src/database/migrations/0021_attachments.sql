-- Files that people uploaded and files that jobs made for them. The bytes lie on disk or at an S3 service under the same name.

create table attachments (
  id bigint constraint attachments_pk primary key,
  tenant_id text not null constraint attachments_tenant_fk references tenants,
  account_id bigint not null constraint attachments_account_fk references accounts,
  -- upload/<yyyyMMdd>/<uuid>.<extension>, made by the server.
  name text not null constraint attachments_name_unique unique
    constraint attachments_name_form check (name ~ '^upload/[0-9]{8}/[0-9a-f-]{36}\.[a-z]{3,4}$'),
  -- What the sender called it; shown, and offered when it is saved.
  original_name text not null,
  extension text not null,
  content_type text not null,
  size_bytes integer not null constraint attachments_size_counts check (size_bytes >= 0),
  sha256 bytea not null,
  visibility text not null constraint attachments_visibility_known check (visibility in ('shared', 'private')),
  -- pending while its bytes are being stored; what stays pending was broken off and is removed.
  state text not null default 'pending' constraint attachments_state_known check (state in ('pending', 'kept')),
  -- When it may be removed, for results of jobs.
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create index attachments_account_idx on attachments (account_id, id desc);
create index attachments_pending_idx on attachments (created_at) where state = 'pending';
create index attachments_expires_idx on attachments (expires_at) where expires_at is not null;
