-- Pictures inside the bodies of articles. Each is kept in some widths, so that a phone fetches a small one.
alter table site_files drop constraint site_files_name_form;
alter table site_files add constraint site_files_name_form
  check (name ~ '^site/[0-9]{8}/[0-9a-f-]{36}\.(pdf|png|jpg|webp)$');

create table article_pictures (
  -- Random: whoever has the address of a picture may see it, and nobody guesses one.
  id uuid constraint article_pictures_pk primary key,
  -- Of the largest version, in pixels.
  width integer not null constraint article_pictures_width_positive check (width > 0),
  height integer not null constraint article_pictures_height_positive check (height > 0),
  created_by bigint,
  created_at timestamptz not null default now()
);
create index article_pictures_created_idx on article_pictures (created_at);

create table article_picture_files (
  picture_id uuid not null constraint article_picture_files_picture_fk references article_pictures on delete cascade,
  width integer not null constraint article_picture_files_width_positive check (width > 0),
  file_name text not null constraint article_picture_files_file_fk references site_files,
  constraint article_picture_files_pk primary key (picture_id, width)
);
create index article_picture_files_file_idx on article_picture_files (file_name);

-- Articles that show a picture now or in one of their kept versions, which stay as long as the article does.
create table article_picture_uses (
  article_id bigint not null constraint article_picture_uses_article_fk references articles on delete cascade,
  picture_id uuid not null constraint article_picture_uses_picture_fk references article_pictures on delete cascade,
  constraint article_picture_uses_pk primary key (article_id, picture_id)
);
create index article_picture_uses_picture_idx on article_picture_uses (picture_id);

create index document_page_pictures_picture_idx on document_page_pictures (picture_name);
create index product_documents_file_idx on product_documents (file_name);
