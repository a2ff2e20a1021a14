-- Lists and neighbours of a page are read from the row of an article alone: of 100,000 articles nobody joins all versions to count a channel.
alter table articles add column published_channel text;
alter table articles add column published_topic text;
update articles a
   set published_channel = v.channel, published_topic = v.topic
  from article_versions v where v.article_id = a.id and v.number = a.published_version;
alter table articles add constraint articles_published_place
  check ((published_version is null) = (published_channel is null) and (published_channel is null) = (published_topic is null));
create index articles_channel_idx on articles (published_channel, published_at desc, id desc) where published_version is not null;
create index articles_topic_idx on articles (published_channel, published_topic, published_at desc, id desc) where published_version is not null;

-- What the search reads of a published article: pairs of Chinese characters and words of alphabets, with their places.
create table article_search (
  article_id bigint constraint article_search_pk primary key constraint article_search_article_fk references articles on delete cascade,
  -- The published version that was taken apart.
  version integer not null,
  channel text not null,
  topic text not null,
  published_at timestamptz not null,
  lexemes tsvector not null
);
create index article_search_lexemes_idx on article_search using gin (lexemes) with (fastupdate = off);

-- Words that published articles used, to find what a visitor meant who typed one letter wrong.
create table search_words (
  word text constraint search_words_pk primary key,
  -- How often an article with it was published.
  articles integer not null default 1
);
-- Each word, and each with one character left out: two words that differ in one character share one of these.
create table search_word_forms (
  form text not null,
  word text not null constraint search_word_forms_word_fk references search_words on delete cascade,
  constraint search_word_forms_pk primary key (form, word)
);
create index search_word_forms_word_idx on search_word_forms (word);
