-- A division that is no longer offered; what names it keeps its name.
alter table regions add column disabled boolean not null default false;

-- What an import of divisions changed, so that it can be undone.
create table region_imports (
  id bigint constraint region_imports_pk primary key,
  -- For each code in order: the division before (null for one that was added), and as it was imported.
  changes jsonb not null,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  undone_at timestamptz
);
