-- What a message is about: messages of one thing are one row of the list.

-- The row that a link opens; of an alarm the fault, by device, rule and the day on which it was raised, so that one which comes and goes stays
-- one thing. A message that leads to no row is a thing of its own.
create function message_thing(message_link text, message_id bigint) returns text language sql stable
  return case
    when message_link ~ '^/selfCenter/vet/alarm\?id=\d{1,19}$' then coalesce(
      (select 'alarm:' || a.device_id || ':' || a.rule_id || ':' || (a.raised_at at time zone 'Asia/Shanghai')::date
         from alarms a where a.id = least(substring(message_link from '\d+$')::numeric, 9223372036854775807)::bigint), message_link)
    when message_link ~ '^/[^?]*\?(id|row)=\d{1,19}$' then message_link
    else 'message:' || message_id end;

alter table messages add column thing text not null default '';
update messages set thing = message_thing(link, id);
create index messages_thing_idx on messages (account_id, thing, id);

-- As it was, and the thing where the writer named none.
create or replace function settle_message() returns trigger language plpgsql as $$
begin
  if new.read_at is null and not new.urgent and exists (select from message_defaults d where d.kind = new.kind)
     and not message_channel_on(new.account_id, new.kind, 'site') then
    new.read_at := now();
  end if;
  if new.thing = '' then
    new.thing := message_thing(new.link, new.id);
  end if;
  return new;
end $$;

-- A log-in that its owner did not know yet: whether it was them.
alter table account_events add column answer text not null default ''
  constraint account_events_answer_known check (answer in ('', 'mine', 'foreign'));

-- When alarms were told at which step, whoever got them: what other settings would have told is worked out from it.
create table alarm_announcements (
  alarm_id bigint not null constraint alarm_announcements_alarm_fk references alarms on delete cascade,
  round smallint not null,
  step smallint not null,
  at timestamptz not null default now(),
  constraint alarm_announcements_pk primary key (alarm_id, round, step)
);
create index alarm_announcements_at_idx on alarm_announcements (at);
insert into alarm_announcements (alarm_id, round, step, at)
select id, 1, 1, recorded_at from alarms where step >= 1 and round = 1 and recorded_at > now() - interval '8 days';
insert into alarm_announcements (alarm_id, round, step, at)
select e.alarm_id, 1, e.body::smallint, min(e.created_at)
  from alarm_entries e join alarms a on a.id = e.alarm_id and a.round = 1
 where e.action = 'escalate' and e.body ~ '^[23]$' and a.recorded_at > now() - interval '8 days' group by 1, 3
on conflict do nothing;
