-- Farms, houses and units get what every editable list has: a version for two editors, who wrote a row, a code that sheets find
-- it by. Places and sizes become integers in small units.

alter table farms
  add column region_code text not null default '',
  add column contact_phone_encrypted text not null default '',
  add column contact_phone_index bytea,
  add column version integer not null default 1,
  add column created_by bigint,
  add column created_dept bigint,
  add column updated_by bigint;
-- The names of the divisions above and of the division itself were kept as words.
update farms f set region_code = r.code
  from regions r join regions c on c.code = left(r.code, 4) join regions p on p.code = left(r.code, 2)
 where length(r.code) = 6 and f.region_name = p.name || ' ' || c.name || ' ' || r.name;
alter table farms drop column region_name;
alter table farms drop constraint farms_latitude_range, drop constraint farms_longitude_range;
alter table farms
  alter column latitude type integer using round(latitude * 1000000)::integer,
  alter column longitude type integer using round(longitude * 1000000)::integer,
  alter column status drop default,
  alter column status type text using status::text,
  alter column status set default '1',
  add constraint farms_latitude_range check (latitude between -90000000 and 90000000),
  add constraint farms_longitude_range check (longitude between -180000000 and 180000000),
  add constraint farms_name_unique unique (tenant_id, name);
alter table farms rename constraint farms_tenant_code_unique to farms_code_unique;

alter table pig_houses
  add column code text,
  add column status text not null default '1',
  add column version integer not null default 1,
  add column created_by bigint,
  add column created_dept bigint,
  add column updated_by bigint,
  alter column floor drop default,
  alter column floor type integer,
  alter column floor set default 1;
update pig_houses h set code = numbered.code
  from (select p.id, f.code || '-' || lpad((row_number() over (partition by p.farm_id order by p.sort, p.id))::text, 2, '0') as code
          from pig_houses p join farms f on f.id = p.farm_id) numbered
 where numbered.id = h.id;
alter table pig_houses alter column code set not null, add constraint pig_houses_code_unique unique (tenant_id, code);

alter table units
  add column code text,
  add column category text not null default ''
    constraint units_category_known check (category in ('', 'fattener', 'weaner', 'suckling', 'gilt', 'sow', 'boar')),
  add column status text not null default '1',
  add column version integer not null default 1,
  add column created_by bigint,
  add column created_dept bigint,
  add column updated_by bigint,
  alter column area_square_meters type integer using round(area_square_meters)::integer,
  alter column volume_cubic_meters type integer using round(volume_cubic_meters)::integer;
update units u set code = numbered.code
  from (select n.id, h.code || '-' || lpad((row_number() over (partition by n.house_id order by n.sort, n.id))::text, 2, '0') as code
          from units n join pig_houses h on h.id = n.house_id) numbered
 where numbered.id = u.id;
alter table units alter column code set not null, add constraint units_code_unique unique (tenant_id, code);
update units set category = case pigsty_type
  when 'piglet' then 'weaner' when 'boar' then 'boar' when 'reserve' then 'gilt'
  when 'pregnancy' then 'sow' when 'nursing' then 'sow' else 'fattener' end;

-- The structure reads one level at a time, in its order.
drop index pig_houses_farm_idx;
create index pig_houses_farm_idx on pig_houses (farm_id, sort, id);
drop index units_house_idx;
create index units_house_idx on units (house_id, sort, id);
create index devices_farm_idx on devices (farm_id);
create index devices_house_idx on devices (house_id);

-- What hangs on a place goes along with it. A device's change of place is told by its updated_at.
create function move_devices_of_unit() returns trigger language plpgsql as $$
begin
  update devices d set house_id = new.house_id, farm_id = h.farm_id, updated_at = now()
    from pig_houses h where h.id = new.house_id and d.unit_id = new.id;
  return null;
end $$;
create trigger units_moved after update of house_id on units
  for each row when (new.house_id <> old.house_id) execute function move_devices_of_unit();
create function move_devices_of_house() returns trigger language plpgsql as $$
begin
  update devices d set farm_id = new.farm_id, updated_at = now() where d.house_id = new.id;
  return null;
end $$;
create trigger pig_houses_moved after update of farm_id on pig_houses
  for each row when (new.farm_id <> old.farm_id) execute function move_devices_of_house();
