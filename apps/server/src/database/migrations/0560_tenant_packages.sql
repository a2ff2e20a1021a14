-- A package names the menus and buttons that members of its tenants may have at most.
create table tenant_packages (
  id bigint constraint tenant_packages_pk primary key,
  package_name text not null constraint tenant_packages_package_name_unique unique,
  remark text not null default '',
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now()
);
create table tenant_package_menus (
  package_id bigint not null constraint tenant_package_menus_package_fk references tenant_packages on delete cascade,
  menu_id bigint not null constraint tenant_package_menus_menu_fk references menus on delete cascade,
  constraint tenant_package_menus_pk primary key (package_id, menu_id)
);
create index tenant_package_menus_menu_idx on tenant_package_menus (menu_id);

-- A tenant without a package may have everything that its kind may have.
alter table tenants
  add column package_id bigint constraint tenants_package_fk references tenant_packages,
  -- The group keeps the packages, so that it can't lock itself out of them.
  add constraint tenants_package_of_customer check (type <> 'group' or package_id is null);
create index tenants_package_idx on tenants (package_id) where package_id is not null;

create view tenant_package_rows as
  select p.*,
         (select count(*)::int from tenant_package_menus pm where pm.package_id = p.id) as menu_count,
         (select count(*)::int from tenants t where t.package_id = p.id) as tenant_count
    from tenant_packages p;

-- What is in force of what roles grant: the one place that joins grants with packages. Every decision reads it, not role_menus.
create view granted_menus as
  select rm.role_id, rm.menu_id
    from role_menus rm join roles r on r.id = rm.role_id join tenants t on t.tenant_id = r.tenant_id
   where t.package_id is null
      or exists (select from tenant_package_menus pm where pm.package_id = t.package_id and pm.menu_id = rm.menu_id);

-- Servers keep what roles grant until its version moves.
create function move_menus_version_of_package_menus() returns trigger language plpgsql as $$
begin
  update roles r set menus_version = menus_version + 1 from tenants t
   where t.tenant_id = r.tenant_id and t.package_id in (select package_id from changed);
  return null;
end $$;
create trigger tenant_package_menus_added after insert on tenant_package_menus referencing new table as changed
  for each statement execute function move_menus_version_of_package_menus();
create trigger tenant_package_menus_removed after delete on tenant_package_menus referencing old table as changed
  for each statement execute function move_menus_version_of_package_menus();

create function move_menus_version_of_tenants() returns trigger language plpgsql as $$
begin
  update roles set menus_version = menus_version + 1
   where tenant_id in (select c.tenant_id from changed c join before b on b.tenant_id = c.tenant_id
                        where c.package_id is distinct from b.package_id);
  return null;
end $$;
create trigger tenants_package_changed after update on tenants referencing old table as before new table as changed
  for each statement execute function move_menus_version_of_tenants();
