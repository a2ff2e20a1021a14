-- Administrators arrange menus. A menu without created_by comes with the product.
alter table menus rename column icon to source;
alter table menus
  alter column category type integer,
  alter column action type integer,
  alter column is_open type integer,
  add column remark text not null default '',
  -- What the product last gave it: what differs from that was changed by an administrator, and stays.
  add column seeded jsonb,
  add column version integer not null default 1,
  add column created_by bigint,
  add column created_dept bigint,
  add column created_at timestamptz not null default now(),
  add column updated_by bigint,
  add column updated_at timestamptz not null default now();

create view menu_rows as
  select m.*,
         coalesce((select d.dict_value from dictionaries d where d.code = 'menu_category' and d.dict_key = m.category::text), '') as category_name,
         coalesce((select d.dict_value from dictionaries d where d.code = 'button_func' and d.dict_key = m.action::text), '') as action_name,
         coalesce((select d.dict_value from dictionaries d where d.code = 'yes_no' and d.dict_key = m.is_open::text), '') as is_open_name
    from menus m;

-- Nobody grants what they do not hold, so that a menu that an administrator adds is theirs first.
create function grant_added_menu() returns trigger language plpgsql as $$
begin
  if new.created_by is not null then
    insert into role_menus (role_id, menu_id)
    select r.id, new.id from roles r where r.tenant_id = '000000' and r.role_alias = 'administrator'
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger menus_added after insert on menus for each row execute function grant_added_menu();

-- Menus in the header of clients that show one part of the menu at a time.
create table top_menus (
  id bigint constraint top_menus_pk primary key,
  tenant_id text not null constraint top_menus_tenant_fk references tenants,
  code text not null,
  name text not null,
  source text not null default '',
  sort integer not null default 0,
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now(),
  constraint top_menus_code_unique unique (tenant_id, code)
);
create table top_menu_menus (
  top_menu_id bigint not null constraint top_menu_menus_top_menu_fk references top_menus on delete cascade,
  menu_id bigint not null constraint top_menu_menus_menu_fk references menus on delete cascade,
  constraint top_menu_menus_pk primary key (top_menu_id, menu_id)
);
create index top_menu_menus_menu_idx on top_menu_menus (menu_id);

-- What is kept of roles has the top menus of their tenant, too.
create function move_menus_version_of_top_menus() returns trigger language plpgsql as $$
begin
  update roles set menus_version = menus_version + 1 where tenant_id = coalesce(new.tenant_id, old.tenant_id);
  return null;
end $$;
create trigger top_menus_changed after insert or update or delete on top_menus
  for each row execute function move_menus_version_of_top_menus();
