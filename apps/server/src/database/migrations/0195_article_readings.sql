-- A published body as pages show it and as the search reads it, made when it is published: making it at each reading cleans the same
-- text again and again. A row of other rules or of another version is not read.
create table article_readings (
  article_id bigint not null constraint article_readings_article_fk references articles on delete cascade,
  language text not null constraint article_readings_language_known check (language in ('zh', 'en')),
  version integer not null,
  -- What cleaned it: the allow-list and the library.
  rules text not null,
  -- Proof that the body is what they made.
  seal text not null,
  -- HTML that goes into a page as it is.
  body text not null,
  -- Headings of the body: [{id, text}].
  contents jsonb not null,
  minutes integer not null,
  -- The words without markup.
  words text not null,
  constraint article_readings_pk primary key (article_id, language)
);
