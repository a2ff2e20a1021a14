-- Closing of accounts and of whole customers, what law keeps afterwards, and exports of a person's data.
create table cancellations (
  id bigint constraint cancellations_pk primary key,
  kind text not null constraint cancellations_kind_known check (kind in ('account', 'tenant')),
  state text not null default 'cooling' constraint cancellations_state_known
    check (state in ('cooling', 'waiting', 'accepted', 'refused', 'taken_back', 'erased')),
  -- Where it was asked; of an account it is the tenant of the session.
  tenant_id text not null constraint cancellations_tenant_fk references tenants,
  -- Who asked: the account that is closed, or who may close the customer.
  account_id bigint not null constraint cancellations_account_fk references accounts,
  reason text not null default '' constraint cancellations_reason_known
    check (reason in ('', 'no_farming', 'other_account', 'privacy', 'service', 'other')),
  asked_at timestamptz not null default now(),
  cool_until timestamptz not null,
  due_at timestamptz not null,
  decided_by bigint constraint cancellations_decided_by_fk references accounts on delete set null,
  decided_at timestamptz,
  answer text not null default '',
  -- When it is erased; null unless it is accepted.
  erase_at timestamptz,
  erased_at timestamptz,
  -- {erased: [{what, rows}], anonymized: [{what, rows}]}
  report jsonb,
  -- The desk was told that it is late.
  told_late boolean not null default false,
  version integer not null default 1,
  constraint cancellations_erase_time check ((state = 'accepted') = (erase_at is not null)),
  constraint cancellations_report check ((state = 'erased') = (report is not null))
);
create unique index cancellations_account_open_unique on cancellations (account_id)
  where kind = 'account' and state in ('cooling', 'waiting', 'accepted');
create unique index cancellations_tenant_open_unique on cancellations (tenant_id)
  where kind = 'tenant' and state in ('cooling', 'waiting', 'accepted');
create index cancellations_account_idx on cancellations (account_id, id desc);
create index cancellations_tenant_idx on cancellations (tenant_id, id desc);
create index cancellations_queue_idx on cancellations (state, due_at);

create table cancellation_steps (
  id bigint constraint cancellation_steps_pk primary key,
  cancellation_id bigint not null constraint cancellation_steps_cancellation_fk references cancellations on delete cascade,
  what text not null,
  -- Of the group; null for the customer and the clock.
  account_id bigint constraint cancellation_steps_account_fk references accounts on delete set null,
  created_at timestamptz not null default clock_timestamp()
);
create index cancellation_steps_cancellation_idx on cancellation_steps (cancellation_id, id);

-- What law keeps of who is gone: apart from everything else, encrypted as a whole, until its day.
create table retained_records (
  id bigint constraint retained_records_pk primary key,
  cancellation_id bigint not null constraint retained_records_cancellation_fk references cancellations,
  category text not null constraint retained_records_category_known check (category in ('identity', 'consents', 'payments', 'log_ins')),
  -- "" after its day.
  content_encrypted text not null,
  keep_until date not null,
  created_at timestamptz not null default now(),
  constraint retained_records_category_unique unique (cancellation_id, category)
);
create index retained_records_due_idx on retained_records (keep_until) where content_encrypted <> '';

-- Exports of everything that is held on a person. The file is encrypted by a key that stands here.
create table data_exports (
  id bigint constraint data_exports_pk primary key,
  account_id bigint not null constraint data_exports_account_fk references accounts on delete cascade,
  tenant_id text not null constraint data_exports_tenant_fk references tenants,
  job_id bigint,
  language text not null constraint data_exports_language_known check (language in ('zh', 'en')),
  attachment_id bigint constraint data_exports_attachment_fk references attachments on delete set null,
  -- "" until the file is there, and after it was fetched.
  file_key_encrypted text not null default '',
  size_bytes bigint not null default 0,
  created_at timestamptz not null default now(),
  ready_at timestamptz,
  expires_at timestamptz not null,
  fetched_at timestamptz
);
create index data_exports_account_idx on data_exports (account_id, id desc);

-- Names that were taken out of the journal. The chain keeps the hash of what an entry was; this one tells what it is now.
create table audit_redactions (
  audit_entry_id bigint not null constraint audit_redactions_entry_fk references audit_entries,
  cancellation_id bigint not null constraint audit_redactions_cancellation_fk references cancellations,
  hash bytea not null,
  constraint audit_redactions_pk primary key (audit_entry_id, cancellation_id)
);
create index audit_redactions_cancellation_idx on audit_redactions (cancellation_id);
