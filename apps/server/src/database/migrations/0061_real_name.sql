-- Who customers are. A tenant has at most one application under way and one authentication in force; the rest is history.
create table real_name_applications (
  id bigint constraint real_name_applications_pk primary key,
  tenant_id text not null constraint real_name_applications_tenant_fk references tenants,
  kind text not null constraint real_name_applications_kind_known check (kind in ('personal', 'enterprise')),
  state text not null constraint real_name_applications_state_known
    check (state in ('remitting', 'waiting', 'second_look', 'rejected', 'passed', 'suspended', 'replaced', 'withdrawn')),
  -- Name of the person or the enterprise, for the reviewers' queue.
  title text not null,
  -- Keyed hash of ID number or credit code: whether somebody else is authenticated by the same.
  subject_index bytea not null,
  -- A personal authentication shall become one of an enterprise.
  upgrade boolean not null default false,
  round smallint not null default 1,
  version integer not null default 1,
  rejections smallint not null default 0,
  submitted_by bigint constraint real_name_applications_submitted_by_fk references accounts on delete set null,
  submitted_at timestamptz not null default now(),
  -- When it came to the reviewers in this round, and by when they should have answered.
  queued_at timestamptz,
  due_at timestamptz,
  -- A reviewer has it in hand until then; who lets the time pass loses it.
  claimed_by bigint constraint real_name_applications_claimed_by_fk references accounts on delete set null,
  claimed_until timestamptz,
  -- Who looked first: the second look is somebody else's.
  first_by bigint constraint real_name_applications_first_by_fk references accounts on delete set null,
  decided_by bigint constraint real_name_applications_decided_by_fk references accounts on delete set null,
  decided_at timestamptz,
  -- Last day of the licence; 9999-12-31 for one without an end; null for a person.
  licence_until date,
  -- The reminder that was sent last, in days before the end.
  reminded_days smallint
);
create unique index real_name_applications_open_unique on real_name_applications (tenant_id)
  where state in ('remitting', 'waiting', 'second_look', 'rejected');
create unique index real_name_applications_current_unique on real_name_applications (tenant_id)
  where state in ('passed', 'suspended');
create index real_name_applications_queue_idx on real_name_applications (due_at, id) where state in ('waiting', 'second_look');
create index real_name_applications_decided_idx on real_name_applications (decided_at desc) where decided_at is not null;
create index real_name_applications_subject_idx on real_name_applications (subject_index);
create index real_name_applications_licence_idx on real_name_applications (licence_until) where state = 'passed';

-- What an application says, item by item.
create table real_name_items (
  real_name_application_id bigint not null
    constraint real_name_items_application_fk references real_name_applications on delete cascade,
  field text not null,
  -- Encrypted; "" for a picture.
  value_encrypted text not null default '',
  attachment_id bigint constraint real_name_items_attachment_fk references attachments on delete set null,
  verdict text not null default 'open' constraint real_name_items_verdict_known
    check (verdict in ('open', 'accepted', 'returned')),
  reason text not null default '' constraint real_name_items_reason_known
    check (reason in ('', 'mismatch', 'seal', 'missing', 'expired', 'expiring', 'none')),
  note text not null default '',
  -- What the document says as the reviewer read it, encrypted.
  document_encrypted text not null default '',
  -- The round that it was sent in last.
  round smallint not null default 1,
  constraint real_name_items_pk primary key (real_name_application_id, field)
);

create table real_name_events (
  id bigint constraint real_name_events_pk primary key,
  real_name_application_id bigint not null
    constraint real_name_events_application_fk references real_name_applications on delete cascade,
  what text not null,
  -- Of the group; null for customers and for what the clock did.
  account_id bigint constraint real_name_events_account_fk references accounts on delete set null,
  -- [{field, reason}]
  items jsonb not null default '[]',
  created_at timestamptz not null default now()
);
create index real_name_events_application_idx on real_name_events (real_name_application_id, id desc);
create index real_name_events_what_idx on real_name_events (what, created_at);

-- What somebody typed and did not send yet: {field: value}, encrypted as a whole.
create table real_name_drafts (
  tenant_id text not null constraint real_name_drafts_tenant_fk references tenants,
  account_id bigint not null constraint real_name_drafts_account_fk references accounts on delete cascade,
  kind text not null constraint real_name_drafts_kind_known check (kind in ('personal', 'enterprise')),
  values_encrypted text not null,
  updated_at timestamptz not null default now(),
  constraint real_name_drafts_pk primary key (tenant_id, account_id)
);
