-- Prices of pigs by day, province and breed: what is entered, what was published, and each change of what was published.
create table price_days (
  id bigint constraint price_days_pk primary key,
  price_day date not null constraint price_days_price_day_unique unique,
  publish_at timestamptz not null,
  -- When the first prices of the day were published; later ones of the same day follow as soon as they are ready.
  published_at timestamptz,
  -- The site says that it is an example.
  example boolean not null default false
);

create table price_entries (
  -- Every change holds the row of price_days first; a foreign key would look it up again for each of a day's prices.
  price_day date not null,
  -- Province, GB/T 2260.
  region_code text not null constraint price_entries_region_form check (region_code ~ '^\d{2}$'),
  breed text not null constraint price_entries_breed_known check (breed in ('outer', 'inner', 'local')),
  -- Per kg. A published price that was taken back is none.
  fen integer constraint price_entries_fen_range check (fen between 300 and 6000),
  state text not null constraint price_entries_state_known check (state in ('ready', 'waiting', 'returned', 'published')),
  -- Names are kept as they were: who entered a price stands behind it, also when the account is gone.
  entered_by bigint,
  entered_name text not null default '',
  entered_at timestamptz not null default now(),
  confirmed_by bigint,
  confirmed_name text not null default '',
  confirmed_at timestamptz,
  note text not null default '',
  return_reason text not null default '',
  version integer not null default 1,
  constraint price_entries_pk primary key (price_day, region_code, breed),
  constraint price_entries_fen_there check (fen is not null or state = 'published'),
  constraint price_entries_second_person check (confirmed_by is null or confirmed_by <> entered_by)
);
create index price_entries_open_idx on price_entries (price_day) where state <> 'published';

create table price_corrections (
  id bigint constraint price_corrections_pk primary key,
  price_day date not null,
  region_code text not null,
  breed text not null,
  old_fen integer,
  new_fen integer constraint price_corrections_fen_range check (new_fen between 300 and 6000),
  reason text not null,
  state text not null default 'waiting'
    constraint price_corrections_state_known check (state in ('waiting', 'confirmed', 'returned')),
  entered_by bigint,
  entered_name text not null default '',
  entered_at timestamptz not null default now(),
  decided_by bigint,
  decided_name text not null default '',
  decided_at timestamptz,
  return_reason text not null default '',
  constraint price_corrections_entry_fk foreign key (price_day, region_code, breed) references price_entries,
  constraint price_corrections_second_person check (state <> 'confirmed' or decided_by is null or decided_by <> entered_by)
);
create unique index price_corrections_waiting_unique on price_corrections (price_day, region_code, breed) where state = 'waiting';
create index price_corrections_decided_idx on price_corrections (decided_at desc) where state = 'confirmed';
create index price_corrections_entry_idx on price_corrections (price_day, region_code, breed);
