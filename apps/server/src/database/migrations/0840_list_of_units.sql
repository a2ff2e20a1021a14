-- Units with their farm and the alarms that are open in them.
create view unit_list as
  select u.*, coalesce(f.name, '') as farm_name,
         (select count(*)::integer from alarms a
           where a.unit_id = u.id and a.tenant_id = u.tenant_id and a.ended_at is null and not a.suppressed and not a.late) as alarms
    from units u
    left join pig_houses h on h.id = u.house_id
    left join farms f on f.id = h.farm_id;
