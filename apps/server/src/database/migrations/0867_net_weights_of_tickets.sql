-- The ticket of a vehicle that drives out tells what lies between it and the one before, when the same vehicle drove in there.
create index scale_tickets_vehicle_idx on scale_tickets (device, plate, weighed_at);
create or replace view scale_ticket_rows as
  select t.*, coalesce(d.name, '') as device_name, coalesce(f.name, '') as farm_name,
         case when t.state = 'unmatched' and t.problem is distinct from 'plate' then 'act'
              when t.state = 'matched' then 'wait'
              when t.state = 'unmatched' then 'passer' else 'done' end as need,
         case when t.phase = 'out' then (
           select case b.phase when 'in' then abs(t.weight_grams - b.weight_grams) end from scale_tickets b
            where b.device = t.device and b.plate = t.plate and b.weighed_at < t.weighed_at and b.weighed_at > t.weighed_at - interval '12 hours'
            order by b.weighed_at desc limit 1) end as net_grams
    from scale_tickets t left join devices d on d.id = t.device left join farms f on f.id = d.farm_id;
