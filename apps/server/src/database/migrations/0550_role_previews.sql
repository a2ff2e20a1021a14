-- A session that looks through one role of the own tenant: it reads what the role and the person both may, changes nothing, and ends with
-- the session that opened it.
alter table sessions
  add column preview_role_id bigint constraint sessions_preview_role_fk references roles on delete cascade,
  add column preview_of bigint constraint sessions_preview_of_fk references sessions on delete cascade,
  add constraint sessions_preview_whole check ((preview_role_id is null) = (preview_of is null));
create index sessions_preview_role_idx on sessions (preview_role_id) where preview_role_id is not null;
create index sessions_preview_of_idx on sessions (preview_of) where preview_of is not null;
