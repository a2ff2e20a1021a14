-- The brand's own logos for light and for dark pages, encoded by the server.
create table logos (
  theme text constraint logos_pk primary key constraint logos_theme_known check (theme in ('light', 'dark')),
  -- PNG for page headers and papers, and a square one for the browser's tab.
  image bytea not null,
  icon bytea not null,
  width integer not null,
  height integer not null,
  -- Of both, as a part of their addresses.
  hash text not null,
  updated_at timestamptz not null default now()
);
