-- Films of the public site, each with its picture and captions.
alter table site_files drop constraint site_files_name_form;
alter table site_files add constraint site_files_name_form
  check (name ~ '^site/[0-9]{8}/[0-9a-f-]{36}\.(pdf|png|jpg|webp|mp4|webm|vtt)$');

create table videos (
  id bigint constraint videos_pk primary key,
  video_title text not null constraint videos_video_title_unique unique,
  video_title_en text not null default '',
  product text not null,
  state text not null default 'draft' constraint videos_state_known check (state in ('draft', 'scheduled', 'published')),
  summary text not null default '',
  summary_en text not null default '',
  sort integer not null default 0,
  example boolean not null default false,
  -- As the film says; 0 where it does not.
  seconds integer not null default 0 constraint videos_seconds_counts check (seconds >= 0),
  publish_at timestamptz,
  published_at timestamptz,
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now(),
  constraint videos_scheduled_when check ((state = 'scheduled') = (publish_at is not null)),
  constraint videos_published_when check (state <> 'published' or published_at is not null)
);
create index videos_shown_idx on videos (sort, published_at desc, id desc) where state = 'published';
create index videos_due_idx on videos (publish_at) where state = 'scheduled';

-- What belongs to a video: its film, its picture in some widths, its captions by language.
create table video_files (
  video_id bigint not null constraint video_files_video_fk references videos on delete cascade,
  part text not null constraint video_files_part_known
    check (part = 'film' or part ~ '^poster-[1-9][0-9]{0,3}$' or part in ('captions-zh', 'captions-en')),
  file_name text not null constraint video_files_file_fk references site_files,
  constraint video_files_pk primary key (video_id, part)
);
create index video_files_file_idx on video_files (file_name);

create view video_list as
select v.*, coalesce(f.size_bytes, 0) as file_bytes,
       (select coalesce(max(substr(p.part, 8)::int), 0) from video_files p where p.video_id = v.id and p.part like 'poster-%') as poster_width,
       (select coalesce(string_agg(substr(p.part, 10), ',' order by p.part desc), '') from video_files p
         where p.video_id = v.id and p.part like 'captions-%') as captions
  from videos v
  left join video_files film on film.video_id = v.id and film.part = 'film'
  left join site_files f on f.name = film.file_name;
