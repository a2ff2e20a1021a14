-- Whom a price is told to when it crosses a threshold, once per crossing.
create table price_alerts (
  id bigint constraint price_alerts_pk primary key,
  account_id bigint not null constraint price_alerts_account_fk references accounts on delete cascade,
  -- A province, or cn for the average of all.
  area text not null constraint price_alerts_area_form check (area ~ '^(\d{2}|cn)$'),
  breed text not null,
  direction text not null constraint price_alerts_direction_known check (direction in ('below', 'above')),
  threshold_fen integer not null constraint price_alerts_threshold_range check (threshold_fen between 300 and 6000),
  -- The price is on the other side of the threshold: the next one beyond it is told.
  armed boolean not null,
  fired_at timestamptz,
  fired_fen integer,
  created_at timestamptz not null default now(),
  constraint price_alerts_unique unique (account_id, area, breed, direction, threshold_fen)
);
create index price_alerts_area_idx on price_alerts (area, breed);
