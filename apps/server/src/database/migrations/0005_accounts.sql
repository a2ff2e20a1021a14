-- Phone numbers and appearance of accounts, agreements with consent, messages, and the outbox of the demo.

alter table accounts
  -- AES-256-GCM, key id in front; see personal-cipher.ts. "" for none.
  add column phone_box text not null default '',
  -- HMAC of the normalized number, for look-up. Several accounts may share a phone.
  add column phone_index bytea,
  add column phone_changed_at timestamptz,
  -- Set by a reset of an administrator: the next log-in may do nothing but choose a password.
  add column password_must_change boolean not null default false,
  add column side_mode text not null default 'light' constraint accounts_side_mode_known check (side_mode in ('light', 'dark')),
  add column active_color text not null default '',
  add column base_color text not null default '';
create index accounts_phone_index_idx on accounts (phone_index) where phone_index is not null;

-- Numbers of tenants that open by registration; demo tenants and the group lie below.
create sequence tenant_numbers start 200001;

create table agreement_versions (
  id bigint constraint agreement_versions_pk primary key,
  kind text not null constraint agreement_versions_kind_known check (kind in ('user', 'privacy')),
  version text not null,
  published_at timestamptz not null,
  constraint agreement_versions_kind_version_unique unique (kind, version)
);

create table agreement_texts (
  version_id bigint not null constraint agreement_texts_version_fk references agreement_versions on delete cascade,
  lang text not null constraint agreement_texts_lang_known check (lang in ('zh', 'en')),
  title text not null,
  body text not null,
  constraint agreement_texts_pk primary key (version_id, lang)
);

create table agreement_consents (
  account_id bigint not null constraint agreement_consents_account_fk references accounts on delete cascade,
  version_id bigint not null constraint agreement_consents_version_fk references agreement_versions,
  agreed_at timestamptz not null default now(),
  remote_address text not null default '',
  constraint agreement_consents_pk primary key (account_id, version_id)
);

-- Messages inside the portal. Title and content are Chinese, keys of the translations.
create table messages (
  id bigint constraint messages_pk primary key,
  account_id bigint not null constraint messages_account_fk references accounts on delete cascade,
  kind text not null,
  title text not null,
  content text not null default '',
  read_at timestamptz,
  created_at timestamptz not null default now()
);
create index messages_account_idx on messages (account_id, id);
create index messages_unread_idx on messages (account_id) where read_at is null;

-- SMS and mails of the demo, shown at /dev/outbox instead of being sent. Receiver and text are encrypted like other personal data.
create table outbox_messages (
  id bigint constraint outbox_messages_pk primary key,
  channel text not null constraint outbox_messages_channel_known check (channel in ('sms', 'mail')),
  message_box text not null,
  created_at timestamptz not null default now()
);
