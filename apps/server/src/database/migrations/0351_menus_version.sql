-- What is kept of roles has names, paths and order of menus now, also of those that only lead to a granted one: any change of a menu counts.
create or replace function move_menus_version_of_menus() returns trigger language plpgsql as $$
begin
  if exists (select from changed c join before b on b.id = c.id where c is distinct from b) then
    update roles set menus_version = menus_version + 1;
  end if;
  return null;
end $$;
