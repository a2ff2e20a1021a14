-- Translations that were asked for, kept for good, and visits of pages, counted.

create table translations (
  source text not null,
  language text not null constraint translations_language_known check (language in ('zh', 'en')),
  translation text not null,
  -- Made by a machine and not looked at by anybody.
  machine boolean not null,
  provider text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint translations_pk primary key (language, source)
);

create table page_visits (
  day date not null,
  route_name text not null,
  path text not null,
  language text not null,
  referrer text not null,
  visits bigint not null,
  dwell_ms bigint not null,
  constraint page_visits_pk primary key (day, route_name, path, language, referrer)
);
