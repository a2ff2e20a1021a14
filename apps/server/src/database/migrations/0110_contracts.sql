-- Contracts between the group and its customers: templates, words by version, documents as they were sent and signed, who signed.
create table contract_templates (
  id bigint constraint contract_templates_pk primary key,
  template_name text not null constraint contract_templates_template_name_unique unique,
  kind text not null default 'service',
  enabled boolean not null default true,
  -- Of the newest words; 0 while nothing was written.
  version_number integer not null default 0,
  worded_at timestamptz,
  remark text not null default '',
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now()
);

create table contract_template_versions (
  template_id bigint not null constraint contract_template_versions_template_fk references contract_templates on delete cascade,
  number integer not null,
  form jsonb not null,
  saved_by bigint constraint contract_template_versions_saved_by_fk references accounts on delete set null,
  saved_at timestamptz not null default now(),
  constraint contract_template_versions_pk primary key (template_id, number)
);

create table contracts (
  id bigint constraint contracts_pk primary key,
  -- The customer.
  tenant_id text not null constraint contracts_tenant_fk references tenants,
  number text not null constraint contracts_number_unique unique,
  template_id bigint not null constraint contracts_template_fk references contract_templates,
  template_version integer not null,
  kind text not null,
  state text not null default 'draft' constraint contracts_state_known
    check (state in ('draft', 'sent', 'seen', 'signed', 'rejected', 'withdrawn', 'expired', 'ended')),
  title text not null,
  title_en text not null default '',
  -- Of the words.
  version integer not null default 1,
  -- Of the row: whoever changes it says which one was shown.
  revision integer not null default 1,
  amount_fen bigint constraint contracts_amount_range check (amount_fen between 0 and 1000000000000),
  start_day date,
  end_day date,
  sign_days smallint not null constraint contracts_sign_days_range check (sign_days between 1 and 60),
  sign_by timestamptz,
  sent_at timestamptz,
  signed_at timestamptz,
  reason text not null default '',
  batch_id bigint,
  request_key text,
  created_by bigint constraint contracts_created_by_fk references accounts on delete set null,
  created_at timestamptz not null default now(),
  updated_by bigint constraint contracts_updated_by_fk references accounts on delete set null,
  updated_at timestamptz not null default now(),
  -- What people were told of already: last days for signing, 30 and 7 days before the end.
  told_signing boolean not null default false,
  told_30 boolean not null default false,
  told_7 boolean not null default false,
  constraint contracts_request_unique unique (created_by, request_key)
);
create index contracts_tenant_idx on contracts (tenant_id, id desc);
create index contracts_waiting_idx on contracts (sign_by) where state in ('sent', 'seen');
create index contracts_signed_idx on contracts (end_day) where state = 'signed';
create index contracts_state_idx on contracts (state, id desc);
create index contracts_batch_idx on contracts (batch_id) where batch_id is not null;

-- Words and values of each version. They name people and sums, so they lie encrypted.
create table contract_versions (
  contract_id bigint not null constraint contract_versions_contract_fk references contracts on delete cascade,
  version integer not null,
  words_encrypted text not null,
  written_by bigint constraint contract_versions_written_by_fk references accounts on delete set null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  -- Why this version came back, where it did.
  reason text not null default '',
  constraint contract_versions_pk primary key (contract_id, version)
);

-- Bytes as they were sent (`document`) and as they were signed (`signed`), sealed. No statement changes them.
create table contract_documents (
  contract_id bigint not null,
  version integer not null,
  kind text not null constraint contract_documents_kind_known check (kind in ('document', 'signed')),
  sealed_encrypted text not null,
  sha256 bytea not null constraint contract_documents_sha256_size check (length(sha256) = 32),
  pages integer not null,
  created_at timestamptz not null default now(),
  constraint contract_documents_pk primary key (contract_id, version, kind),
  constraint contract_documents_version_fk foreign key (contract_id, version) references contract_versions on delete cascade
);
create index contract_documents_sha256_idx on contract_documents (sha256);

-- One for each side of a version, whatever happens at once.
create table contract_signatures (
  contract_id bigint not null,
  version integer not null,
  side text not null constraint contract_signatures_side_known check (side in ('group', 'customer')),
  account_id bigint constraint contract_signatures_account_fk references accounts on delete set null,
  -- Party, signer, account and shortened phone, as they were then.
  signer_encrypted text not null,
  -- Of the document that was signed.
  sha256 bytea not null,
  signed_at timestamptz not null,
  remote_address text not null default '',
  constraint contract_signatures_pk primary key (contract_id, version, side),
  constraint contract_signatures_version_fk foreign key (contract_id, version) references contract_versions on delete cascade
);

create table contract_events (
  id bigint constraint contract_events_pk primary key,
  contract_id bigint not null constraint contract_events_contract_fk references contracts on delete cascade,
  what text not null,
  side text not null constraint contract_events_side_known check (side in ('customer', 'desk', 'clock')),
  account_id bigint constraint contract_events_account_fk references accounts on delete set null,
  version integer not null,
  body text not null default '',
  created_at timestamptz not null default clock_timestamp()
);
create index contract_events_contract_idx on contract_events (contract_id, id);

-- The last number of a year of Asia/Shanghai.
create table contract_numbers (
  year integer constraint contract_numbers_pk primary key,
  last integer not null
);

-- What was signed stays as it was: only its seal may be made anew with another key, its hash and what it is never.
create function contract_documents_stay() returns trigger language plpgsql as $$
begin
  if new.sha256 <> old.sha256 or new.contract_id <> old.contract_id or new.version <> old.version or new.kind <> old.kind
     or new.pages <> old.pages or new.created_at <> old.created_at then
    raise exception 'a document of a contract does not change';
  end if;
  return new;
end $$;
create trigger contract_documents_stay before update on contract_documents for each row execute function contract_documents_stay();
create function contract_signatures_stay() returns trigger language plpgsql as $$
begin
  if new.sha256 <> old.sha256 or new.signed_at <> old.signed_at or new.contract_id <> old.contract_id or new.version <> old.version
     or new.side <> old.side then
    raise exception 'a signature does not change';
  end if;
  return new;
end $$;
create trigger contract_signatures_stay before update on contract_signatures for each row execute function contract_signatures_stay();
