-- Towns (9 digits) and villages (12) that the group's staff add, and what they change of divisions.
alter table regions drop constraint regions_code_form;
alter table regions
  add constraint regions_code_form check (code ~ '^\d{2}(\d{2}(\d{2}(\d{3}(\d{3})?)?)?)?$'),
  add column sort integer not null default 0,
  add column remark text not null default '',
  -- Pinyin or established name in lower case, by which it is found.
  add column english text not null default '',
  add column initials text not null default '',
  -- The name that the product last gave it; null where the group's staff added it. Another name than this stays after an update.
  add column seeded_name text;
update regions set seeded_name = name;
