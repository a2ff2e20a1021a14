-- Washing masks alarms, so it ends by itself: when, and what the unit goes back to.
alter table units
  add column mode_ends_at timestamptz,
  -- Empty or normal; an empty unit with pigs inside goes back to normal.
  add column mode_before text constraint units_mode_before_known check (mode_before in ('normal', 'empty')),
  add constraint units_mode_ends check (mode_ends_at is null or mode = 'washing');
-- Nobody chose a time for what is washed now: the usual one counts from here on.
update units set mode_ends_at = now() + interval '4 hours', mode_before = 'normal' where mode = 'washing';
create index units_mode_ends_idx on units (mode_ends_at) where mode_ends_at is not null;
