-- What became of each planned vaccination, by the farm's injectors: one tells the end of a task within weeks of its day. A week after the
-- day nobody asks for it any more; where no injector ever told of a task, a day that is over says nothing.
create view vaccination_plan_rows as
select p.*,
       case
         when d.is_done then 'done'
         when p.planned_on > d.today then 'planned'
         when p.planned_on = d.today then 'today'
         when p.planned_on >= d.today - 7 and exists (
           select from devices i join device_events e on e.device_id = i.id and e.type = 'session_closed'
            where i.tenant_id = p.tenant_id and i.kind = 'needleless') then 'overdue'
         else 'unheard'
       end as state
  from vaccination_plans p
 cross join lateral (
   select (now() at time zone 'Asia/Shanghai')::date as today,
          exists (
            select from devices i join device_events e on e.device_id = i.id and e.type = 'session_closed'
             where i.tenant_id = p.tenant_id and i.kind = 'needleless' and e.body ->> 'task' = p.task
               and e.ts > p.planned_on - interval '60 days' and e.ts < p.planned_on + interval '60 days') as is_done) d;
