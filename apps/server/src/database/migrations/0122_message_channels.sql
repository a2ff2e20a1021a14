-- How people are told beside the list in the portal, and the outbox of what they are told.

alter table messages
  -- Told at once, in quiet hours and without waiting for a digest.
  add column urgent boolean not null default false,
  -- In English where somebody wrote it so; else the Chinese is translated.
  add column title_en text not null default '',
  add column content_en text not null default '',
  add column announcement_id bigint;

-- What a person chose other than what a kind begins with.
create table message_choices (
  account_id bigint not null constraint message_choices_account_fk references accounts on delete cascade,
  kind text not null,
  channel text not null constraint message_choices_channel_known check (channel in ('site', 'sms', 'mail', 'wechat')),
  enabled boolean not null,
  constraint message_choices_pk primary key (account_id, kind, channel)
);

create table message_settings (
  account_id bigint constraint message_settings_pk primary key constraint message_settings_account_fk references accounts on delete cascade,
  -- Minutes of the day in Asia/Shanghai; the same number twice for none.
  quiet_from smallint not null default 0 constraint message_settings_quiet_from_range check (quiet_from between 0 and 1439),
  quiet_to smallint not null default 0 constraint message_settings_quiet_to_range check (quiet_to between 0 and 1439),
  -- Minute of the day at which mails and WeChat come in one; null for each at once.
  digest_at smallint constraint message_settings_digest_at_range check (digest_at between 0 and 1439),
  updated_at timestamptz not null default now()
);

-- The WeChat user of an account on the official account that tells it; encrypted, with an index to find it by when it leaves.
create table wechat_bindings (
  account_id bigint constraint wechat_bindings_pk primary key constraint wechat_bindings_account_fk references accounts on delete cascade,
  open_id_encrypted text not null,
  open_id_index bytea not null,
  -- Does not follow the official account any more, so that nothing reaches it.
  left_at timestamptz,
  created_at timestamptz not null default now()
);
create index wechat_bindings_open_id_idx on wechat_bindings (open_id_index);

-- What each kind begins with. A channel that is not here is not offered for it.
create table message_defaults (
  kind text not null,
  channel text not null,
  enabled boolean not null,
  -- Nobody can turn it off.
  locked boolean not null default false,
  constraint message_defaults_pk primary key (kind, channel)
);
insert into message_defaults (kind, channel, enabled, locked) values
  ('security', 'site', true, true), ('security', 'mail', true, true), ('security', 'sms', false, false), ('security', 'wechat', true, false),
  ('alarm', 'site', true, true), ('alarm', 'wechat', true, false),
  ('service', 'site', true, true), ('service', 'mail', false, false), ('service', 'sms', false, false), ('service', 'wechat', true, false),
  ('trade', 'site', true, true), ('trade', 'mail', false, false), ('trade', 'sms', false, false), ('trade', 'wechat', true, false),
  ('contract', 'site', true, true), ('contract', 'mail', true, false), ('contract', 'sms', false, false), ('contract', 'wechat', true, false),
  ('real_name', 'site', true, true), ('real_name', 'mail', false, false), ('real_name', 'sms', false, false), ('real_name', 'wechat', true, false),
  ('price', 'site', true, false), ('price', 'mail', false, false), ('price', 'wechat', false, false),
  ('announcement', 'site', true, false), ('announcement', 'mail', false, false), ('announcement', 'wechat', false, false),
  ('system', 'site', true, false), ('system', 'mail', false, false), ('system', 'wechat', false, false);

-- One row for each message and channel beside the list, made in the transaction of the message.
create table message_deliveries (
  id bigint generated always as identity constraint message_deliveries_pk primary key,
  message_id bigint not null constraint message_deliveries_message_fk references messages on delete cascade,
  account_id bigint not null constraint message_deliveries_account_fk references accounts on delete cascade,
  channel text not null,
  state text not null default 'waiting' constraint message_deliveries_state_known check (state in ('waiting', 'sent', 'failed', 'dropped')),
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  sent_at timestamptz,
  -- Number of what was sent with it in one; the service knows it by this, however often it is tried.
  bundle_id bigint,
  -- Handed to a service that has not answered yet.
  begun boolean not null default false,
  fault text not null default '',
  constraint message_deliveries_message_channel_unique unique (message_id, channel)
);
create index message_deliveries_waiting_idx on message_deliveries (due_at) where state = 'waiting';
create index message_deliveries_bundle_idx on message_deliveries (bundle_id) where bundle_id is not null;
create index message_deliveries_account_idx on message_deliveries (account_id, channel, sent_at desc);

create function message_channel_on(account bigint, message_kind text, message_channel text) returns boolean
  language sql stable
  return coalesce(
    (select case when d.locked then true else coalesce(c.enabled, d.enabled) end
       from message_defaults d
       left join message_choices c on c.account_id = account and c.kind = d.kind and c.channel = d.channel
      where d.kind = message_kind and d.channel = message_channel), false);

-- Who does not want a kind in the list has it there as read: nothing is lost, and nothing calls.
create function settle_message() returns trigger language plpgsql as $$
begin
  if new.read_at is null and not new.urgent and exists (select from message_defaults d where d.kind = new.kind)
     and not message_channel_on(new.account_id, new.kind, 'site') then
    new.read_at := now();
  end if;
  return new;
end $$;
create trigger messages_settled before insert on messages for each row execute function settle_message();

create function deliver_messages() returns trigger language plpgsql as $$
begin
  insert into message_deliveries (message_id, account_id, channel)
  select m.id, m.account_id, d.channel
    from added m
    join message_defaults d on d.kind = m.kind and d.channel <> 'site'
    join accounts a on a.id = m.account_id and a.status = 1 and a.removed_at is null
    left join message_choices c on c.account_id = m.account_id and c.kind = d.kind and c.channel = d.channel
   where (d.locked or coalesce(c.enabled, d.enabled))
     and case d.channel
           when 'sms' then a.phone_verified_at is not null and a.phone_encrypted <> ''
           when 'mail' then a.email_verified_at is not null and a.email_encrypted <> ''
           when 'wechat' then exists (select from wechat_bindings w where w.account_id = a.id and w.left_at is null)
           else false end;
  return null;
end $$;
create trigger messages_delivered after insert on messages referencing new table as added
  for each statement execute function deliver_messages();

alter table outbox_messages drop constraint outbox_messages_channel_known;
alter table outbox_messages add constraint outbox_messages_channel_known check (channel in ('sms', 'mail', 'wechat'));
