-- An order whose weight at arrival is disputed is abnormal: it can't be settled before somebody decides.
drop view abnormal_orders;
create view abnormal_orders as
  select o.id, o.tenant_id, o.number, o.id as "order", p.field, p.day, o.heads, o.state as order_state, w.reason, w.since, o.version,
         o.created_by, o.created_dept, o.created_at, o.updated_by, o.updated_at
    from sale_orders o join sale_plans p on p.id = o.plan
    join lateral (
      select r.reason, r.since from (values
        -- The loading day is over and nothing was loaded.
        (1, 'not_loaded', (p.day + 1)::timestamp at time zone 'Asia/Shanghai',
         o.state = 'confirmed' and p.day < (now() at time zone 'Asia/Shanghai')::date),
        -- Loading lasts longer than a day.
        (2, 'loading_long', o.state_at + interval '1 day', o.state = 'loading' and o.state_at < now() - interval '1 day'),
        -- The weight at arrival is disputed.
        (3, 'weight', (select min(a.state_at) from arrival_weighings a where a."order" = o.id and a.state = 'disputed'),
         exists (select from arrival_weighings a where a."order" = o.id and a.state = 'disputed')),
        -- A stop near another farm, a break on the way, or a certificate that was over at departure.
        (4, 'way', (select min(g.from_at) from transit_flags g join transits t on t.id = g.transit where t."order" = o.id),
         exists (select from transit_flags g join transits t on t.id = g.transit where t."order" = o.id)),
        -- Loading is tomorrow at the latest, and no vehicle was entered.
        (5, 'no_vehicle', o.state_at, o.state = 'confirmed' and p.day <= (now() at time zone 'Asia/Shanghai')::date + 1
          and not exists (select from transits t where t."order" = o.id and t.state <> 'cancelled')),
        (6, 'not_settled', o.state_at + interval '2 days', o.state = 'weighed' and o.state_at < now() - interval '2 days'),
        (7, 'not_paid', o.state_at + interval '3 days', o.state = 'settled' and o.state_at < now() - interval '3 days'
          and exists (select from payments y where y."order" = o.id and y.state in ('awaited', 'recorded')))
      ) r (rank, reason, since, holds) where r.holds order by r.rank limit 1) w on true
   where o.state in ('confirmed', 'loading', 'weighed', 'settled');
