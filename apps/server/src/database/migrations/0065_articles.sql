-- Articles of the public site as they are being written, and the versions of them that are kept. Visitors read the version that
-- published_version names.
create table articles (
  id bigint constraint articles_pk primary key,
  title text not null constraint articles_title_unique unique,
  title_en text not null default '',
  summary text not null default '',
  summary_en text not null default '',
  channel text not null,
  topic text not null default '',
  page text not null default '',
  cover text not null default '',
  author text not null default '',
  example boolean not null default false,
  -- HTML that was cleaned by the allow-list.
  body text not null default '',
  body_en text not null default '',
  state text not null default 'draft'
    constraint articles_state_known check (state in ('draft', 'scheduled', 'published', 'withdrawn')),
  -- When scheduled_version is published.
  publish_at timestamptz,
  scheduled_version integer,
  -- When it was first published, which stays its date.
  published_at timestamptz,
  published_version integer,
  -- Page of the site that the published version is; one article at a time.
  published_page text constraint articles_published_page_unique unique,
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now(),
  constraint articles_scheduled_whole check ((state = 'scheduled') = (publish_at is not null) and (publish_at is null) = (scheduled_version is null)),
  constraint articles_published_whole check (state <> 'published' or (published_version is not null and published_at is not null)),
  constraint articles_page_published check (published_page is null or published_version is not null)
);
create index articles_due_idx on articles (publish_at) where state = 'scheduled';
create index articles_published_idx on articles (published_at desc, id desc) where published_version is not null;

-- What an article was when it was saved. Nothing changes a row.
create table article_versions (
  article_id bigint not null constraint article_versions_article_fk references articles on delete cascade,
  number integer not null constraint article_versions_number_positive check (number > 0),
  title text not null,
  title_en text not null,
  summary text not null,
  summary_en text not null,
  channel text not null,
  topic text not null,
  page text not null,
  cover text not null,
  author text not null,
  example boolean not null,
  body text not null,
  body_en text not null,
  saved_by bigint constraint article_versions_author_fk references accounts on delete set null,
  saved_at timestamptz not null default now(),
  constraint article_versions_pk primary key (article_id, number)
);

create view article_list as
select a.*, coalesce((select max(v.number) from article_versions v where v.article_id = a.id), 0) as version_number
  from articles a;
