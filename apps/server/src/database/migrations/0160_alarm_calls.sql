-- Somebody asked whom to call about an alarm: its course says so.
alter table alarm_entries drop constraint alarm_entries_action_known;
alter table alarm_entries add constraint alarm_entries_action_known
  check (action in ('acknowledge', 'assign', 'comment', 'clear', 'close', 'escalate', 'call'));
