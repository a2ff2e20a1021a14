-- Staff may type another number for somebody: a proven one gives way only after a hold, and what was typed is not proven.
alter table contact_changes drop constraint contact_changes_proven_by_known;
alter table contact_changes add constraint contact_changes_proven_by_known
  check (proven_by in ('old_phone', 'identity', 'password', 'staff'));

-- When a default card ceased to be one: for a day after it the next default still waits.
alter table bank_cards add column default_ended_at timestamptz;
