-- Rows that roles reach in single resources, and paths that only some roles may call.
create table data_scopes (
  id bigint constraint data_scopes_pk primary key,
  menu_id bigint not null constraint data_scopes_menu_id_fk references menus,
  scope_name text not null constraint data_scopes_scope_name_unique unique,
  resource_code text not null,
  scope_type text not null,
  scope_value text not null default '',
  scope_field text not null default '',
  scope_class text not null default '',
  scope_column text not null default '',
  remark text not null default '',
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now()
);
create index data_scopes_menu_idx on data_scopes (menu_id);

create table api_scopes (
  id bigint constraint api_scopes_pk primary key,
  menu_id bigint not null constraint api_scopes_menu_id_fk references menus,
  scope_name text not null constraint api_scopes_scope_name_unique unique,
  resource_code text not null,
  scope_path text not null,
  scope_type text not null,
  remark text not null default '',
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now()
);
create index api_scopes_menu_idx on api_scopes (menu_id);

create table role_data_scopes (
  role_id bigint not null constraint role_data_scopes_role_fk references roles on delete cascade,
  data_scope_id bigint not null constraint role_data_scopes_data_scope_fk references data_scopes on delete cascade,
  constraint role_data_scopes_pk primary key (role_id, data_scope_id)
);
create index role_data_scopes_scope_idx on role_data_scopes (data_scope_id);
create table role_api_scopes (
  role_id bigint not null constraint role_api_scopes_role_fk references roles on delete cascade,
  api_scope_id bigint not null constraint role_api_scopes_api_scope_fk references api_scopes on delete cascade,
  constraint role_api_scopes_pk primary key (role_id, api_scope_id)
);
create index role_api_scopes_scope_idx on role_api_scopes (api_scope_id);

-- Servers keep what roles grant until its version moves; a path that is guarded from now on concerns every role.
create function move_menus_version_of_scopes() returns trigger language plpgsql as $$
begin
  update roles set menus_version = menus_version + 1;
  return null;
end $$;
create trigger data_scopes_changed after update or delete on data_scopes
  for each statement execute function move_menus_version_of_scopes();
create trigger api_scopes_changed after insert or update or delete on api_scopes
  for each statement execute function move_menus_version_of_scopes();

create function move_menus_version_of_role_scopes() returns trigger language plpgsql as $$
begin
  update roles set menus_version = menus_version + 1 where id = coalesce(new.role_id, old.role_id);
  return null;
end $$;
create trigger role_data_scopes_changed after insert or delete on role_data_scopes
  for each row execute function move_menus_version_of_role_scopes();
create trigger role_api_scopes_changed after insert or delete on role_api_scopes
  for each row execute function move_menus_version_of_role_scopes();

-- A path that is guarded from now on stays open to the group's administrators, who could not take the rule back otherwise.
create function grant_added_api_scope() returns trigger language plpgsql as $$
begin
  insert into role_api_scopes (role_id, api_scope_id)
  select r.id, new.id from roles r where r.tenant_id = '000000' and r.role_alias = 'administrator'
  on conflict do nothing;
  return null;
end $$;
create trigger api_scopes_added after insert on api_scopes for each row execute function grant_added_api_scope();
