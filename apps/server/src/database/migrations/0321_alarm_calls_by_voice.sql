-- Critical alarms call people by phone; the demo shows such calls in its outbox.
alter table outbox_messages drop constraint outbox_messages_channel_known;
alter table outbox_messages add constraint outbox_messages_channel_known check (channel in ('sms', 'mail', 'wechat', 'voice'));
