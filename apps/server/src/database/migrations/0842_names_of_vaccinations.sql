-- A planned vaccination is found by what is injected and where: vaccine, house and unit in one text.
create or replace view vaccination_plan_rows as
select p.*,
       case
         when d.is_done then 'done'
         when p.planned_on > d.today then 'planned'
         when p.planned_on = d.today then 'today'
         when p.planned_on >= d.today - 7 and exists (
           select from devices i join device_events e on e.device_id = i.id and e.type = 'session_closed'
            where i.tenant_id = p.tenant_id and i.kind = 'needleless') then 'overdue'
         else 'unheard'
       end as state,
       concat_ws(' · ', m.name, h.name, u.name) as what
  from vaccination_plans p
  left join medicines m on m.id = p.medicine_id
  left join units u on u.id = p.unit_id
  left join pig_houses h on h.id = u.house_id
 cross join lateral (
   select (now() at time zone 'Asia/Shanghai')::date as today,
          exists (
            select from devices i join device_events e on e.device_id = i.id and e.type = 'session_closed'
             where i.tenant_id = p.tenant_id and i.kind = 'needleless' and e.body ->> 'task' = p.task
               and e.ts > p.planned_on - interval '60 days' and e.ts < p.planned_on + interval '60 days') as is_done) d;
