-- A medicine may be given on several days in a row; its withdrawal period begins with the last of them.
alter table treatments
  add column days integer not null default 1 constraint treatments_days_range check (days between 1 and 60),
  add column last_day date generated always as (on_day + days - 1) stored;
