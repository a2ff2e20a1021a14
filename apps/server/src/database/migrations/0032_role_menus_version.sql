-- Moves with what a role grants: a server keeps what it read of a role until the number that each request brings is another.
alter table roles add column menus_version integer not null default 1;

create function move_role_menus_version() returns trigger language plpgsql as $$
begin
  update roles set menus_version = menus_version + 1 where id in (select role_id from changed);
  return null;
end $$;
create trigger role_menus_added after insert on role_menus referencing new table as changed
  for each statement execute function move_role_menus_version();
create trigger role_menus_removed after delete on role_menus referencing old table as changed
  for each statement execute function move_role_menus_version();
-- Grants are added and removed; one that is rewritten in place counts as both.
create trigger role_menus_changed_from after update on role_menus referencing old table as changed
  for each statement execute function move_role_menus_version();
create trigger role_menus_changed_to after update on role_menus referencing new table as changed
  for each statement execute function move_role_menus_version();

create function move_menus_version_of_menus() returns trigger language plpgsql as $$
begin
  update roles set menus_version = menus_version + 1
   where id in (select rm.role_id from role_menus rm
                  join changed c on c.id = rm.menu_id join before b on b.id = c.id
                 where (c.code, c.category) is distinct from (b.code, b.category));
  return null;
end $$;
create trigger menus_changed after update on menus referencing old table as before new table as changed
  for each statement execute function move_menus_version_of_menus();
