-- The home page as it is being written, one for the installation, and the versions of it that are kept. Visitors see the version that
-- published_version names; while it names none, the page as it is delivered.
create table home_page (
  id smallint constraint home_page_pk primary key constraint home_page_is_one check (id = 1),
  sections jsonb not null default '[]',
  publish_at timestamptz,
  scheduled_version integer,
  published_version integer,
  published_at timestamptz,
  version integer not null default 1,
  updated_by bigint constraint home_page_author_fk references accounts on delete set null,
  updated_at timestamptz not null default now(),
  constraint home_page_scheduled_whole check ((publish_at is null) = (scheduled_version is null)),
  constraint home_page_published_when check (published_version is null or published_at is not null)
);
insert into home_page (id) values (1);

-- What the page was when it was saved. Nothing changes a row.
create table home_page_versions (
  number integer constraint home_page_versions_pk primary key constraint home_page_versions_number_positive check (number > 0),
  sections jsonb not null,
  saved_by bigint constraint home_page_versions_author_fk references accounts on delete set null,
  saved_at timestamptz not null default now()
);
