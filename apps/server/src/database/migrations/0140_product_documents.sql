-- Files of the public site: they belong to the installation and not to the person who uploaded them, whose account may end.
create table site_files (
  name text constraint site_files_pk primary key
    constraint site_files_name_form check (name ~ '^site/[0-9]{8}/[0-9a-f-]{36}\.(pdf|png|jpg)$'),
  content_type text not null,
  size_bytes integer not null constraint site_files_size_counts check (size_bytes >= 0),
  sha256 bytea not null,
  -- pending while the bytes are being stored; what stays so was broken off.
  state text not null default 'pending' constraint site_files_state_known check (state in ('pending', 'kept')),
  created_at timestamptz not null default now()
);

-- Documents about products; visitors find those that are published.
create table product_documents (
  id bigint constraint product_documents_pk primary key,
  document_title text not null constraint product_documents_document_title_unique unique,
  document_title_en text not null default '',
  kind text not null,
  product text not null,
  document_version text not null default '',
  document_language text not null default 'zh',
  state text not null default 'draft' constraint product_documents_state_known check (state in ('draft', 'published')),
  summary text not null default '',
  summary_en text not null default '',
  example boolean not null default false,
  file_name text constraint product_documents_file_fk references site_files,
  pages integer not null default 0,
  -- What the file says, for the search.
  words text not null default '',
  published_at timestamptz,
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now(),
  constraint product_documents_published_whole
    check (state <> 'published' or (file_name is not null and pages > 0 and published_at is not null))
);
create index product_documents_published_idx on product_documents (published_at desc, id desc) where state = 'published';

-- Pages of files as pictures, drawn when somebody first looks at them.
create table document_page_pictures (
  file_name text not null constraint document_page_pictures_file_fk references site_files on delete cascade,
  page integer not null constraint document_page_pictures_page_positive check (page > 0),
  picture_name text not null constraint document_page_pictures_picture_fk references site_files,
  constraint document_page_pictures_pk primary key (file_name, page)
);

create view product_document_list as
select d.*, coalesce(f.size_bytes, 0) as file_bytes
  from product_documents d left join site_files f on f.name = d.file_name;
