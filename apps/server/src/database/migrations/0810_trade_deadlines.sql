-- Until when somebody has to act on an open order: pay, load, load fully, settle, or pay the rest. Migration 0795 has the same terms.
create function order_act_by(o sale_orders) returns timestamptz language sql stable as $$
  select case o.state
    when 'waiting_payment' then o.pay_by
    when 'confirmed' then (select (p.day + 1)::timestamp at time zone 'Asia/Shanghai' from sale_plans p where p.id = o.plan)
    when 'loading' then o.state_at + interval '1 day'
    when 'weighed' then o.state_at + interval '2 days'
    when 'settled' then o.state_at + interval '3 days' end
$$;
-- Since when an order is late; null for one that is not. A settled one is late while something of it is not paid.
create function order_late_since(o sale_orders) returns timestamptz language sql stable as $$
  select case when order_act_by(o) < now() and (o.state <> 'settled' or exists (
           select from payments y where y."order" = o.id and y.state in ('awaited', 'recorded'))) then order_act_by(o) end
$$;

-- The next deadline of an order, and of what is awaited for it, by which their lists are sorted.
alter table sale_orders add column act_by timestamptz;
alter table payments add column due_by timestamptz;

create function keep_order_deadline() returns trigger language plpgsql as $$
begin
  new.act_by := order_act_by(new);
  return new;
end $$;
create trigger sale_orders_deadline before insert or update of state, state_at, pay_by, plan on sale_orders for each row
  execute function keep_order_deadline();

create function keep_payment_deadline() returns trigger language plpgsql as $$
begin
  new.due_by := case when new.state in ('awaited', 'recorded') and new.kind <> 'refund' then (
    select o.act_by from sale_orders o where o.id = new."order" and o.state in ('waiting_payment', 'settled')) end;
  return new;
end $$;
create trigger payments_deadline before insert or update of state, kind on payments for each row execute function keep_payment_deadline();

create function pass_order_deadline() returns trigger language plpgsql as $$
begin
  update payments y set due_by = case when new.state in ('waiting_payment', 'settled') then new.act_by end
   where y."order" = new.id and y.state in ('awaited', 'recorded') and y.kind <> 'refund';
  return null;
end $$;
create trigger sale_orders_pass_deadline after update of state, state_at, pay_by, plan on sale_orders for each row
  when (old.act_by is distinct from new.act_by) execute function pass_order_deadline();

update sale_orders o set act_by = order_act_by(o) where o.state not in ('completed', 'cancelled');
update payments y set due_by = o.act_by from sale_orders o
 where o.id = y."order" and y.state in ('awaited', 'recorded') and y.kind <> 'refund' and o.state in ('waiting_payment', 'settled');

-- Pages of these lists begin with what is open, the earliest deadline first.
drop index sale_orders_urgent_idx;
create index sale_orders_act_by_idx on sale_orders (
  (case state when 'waiting_payment' then 1 when 'confirmed' then 1 when 'loading' then 1 when 'weighed' then 1 when 'settled' then 1 else 0 end),
  (case when (case state when 'waiting_payment' then 1 when 'confirmed' then 1 when 'loading' then 1 when 'weighed' then 1 when 'settled' then 1 else 0 end) > 0 then act_by end) desc nulls first,
  act_by nulls first, id);
create index payments_due_by_idx on payments (
  (case state when 'recorded' then 2 when 'awaited' then 1 else 0 end),
  (case when (case state when 'recorded' then 2 when 'awaited' then 1 else 0 end) > 0 then due_by end) desc nulls first,
  due_by nulls first, id);

-- A settlement that waits for review is what the order waits for. The view is made anew, as its orders have one more column.
drop view sale_order_rows;
create view sale_order_rows as
  select o.*, p.field, p.day, p.category, p.mode, order_paid_fen(o.id) as paid_fen,
         case o.state
           when 'waiting_payment' then
             case when exists (select from payments y where y."order" = o.id and y.state = 'recorded') then 'check' else 'pay' end
           when 'confirmed' then
             case when not exists (select from transits t where t."order" = o.id and t.state <> 'cancelled') then 'vehicle'
                  when exists (select from transits t where t."order" = o.id and t.state = 'planned') then 'papers' else 'load' end
           when 'loading' then 'weigh'
           when 'weighed' then
             case when exists (select from settlements s where s."order" = o.id and s.state = 'computed') then 'review' else 'settle' end
           when 'settled' then
             case when exists (select from payments y where y."order" = o.id and y.state = 'awaited' and y.kind <> 'refund') then 'rest'
                  when exists (select from payments y where y."order" = o.id and y.state = 'recorded') then 'check'
                  when exists (select from payments y where y."order" = o.id and y.state = 'awaited') then 'refund' else 'complete' end
           when 'completed' then
             case when not exists (select from invoices i where i."order" = o.id and i.state in ('applied', 'issued')) then 'invoice' end
         end as next,
         order_final_fen(o.id) as final_fen,
         case when o.lot is not null then order_deposit_fen(o.lot, o.tenant_id) else 0 end as deposit_fen,
         case o.state
           when 'cancelled' then -order_paid_fen(o.id)
           when 'waiting_payment' then
             o.expected_fen - order_paid_fen(o.id) - case when o.lot is not null then order_deposit_fen(o.lot, o.tenant_id) else 0 end
           else coalesce(order_final_fen(o.id), o.expected_fen) - order_paid_fen(o.id)
         end as due_fen,
         order_late_since(o) as late_since
    from sale_orders o left join sale_plans p on p.id = o.plan;

drop view payment_rows;
create view payment_rows as
  select y.*, case when y.state in ('awaited', 'recorded') and y.due_by < now() then y.due_by end as late_since
    from payments y;

-- A settlement with what is open of its order, what notes changed of it, and since when the rest is late.
create or replace view settlement_rows as
  select s.*, o.created_by as buyer, round(s.goods_fen::float8 * 1000 / s.net_grams)::integer as price_per_kg,
         case s.state
           when 'confirmed' then order_final_fen(s."order") - order_paid_fen(s."order")
           when 'computed' then s.total_fen - order_paid_fen(s."order") end as open_fen,
         case when s.state = 'confirmed' then order_final_fen(s."order") - s.total_fen end as notes_fen,
         case when s.state = 'confirmed' and o.state = 'settled' then order_late_since(o) end as late_since
    from settlements s left join sale_orders o on o.id = s."order";

-- What is late of an abnormal order is late everywhere else.
create or replace view abnormal_orders as
  select o.id, o.tenant_id, o.number, o.id as "order", p.field, p.day, o.heads, o.state as order_state, w.reason, w.since, o.version,
         o.created_by, o.created_dept, o.created_at, o.updated_by, o.updated_at,
         coalesce(order_final_fen(o.id), o.expected_fen) - order_paid_fen(o.id) as due_fen,
         case when w.reason in ('not_loaded', 'loading_long', 'not_settled', 'not_paid') then w.since end as late_since
    from sale_orders o join sale_plans p on p.id = o.plan
    join lateral (
      select r.reason, r.since from (values
        -- The loading day is over and nothing was loaded.
        (1, 'not_loaded', order_act_by(o), o.state = 'confirmed' and order_late_since(o) is not null),
        -- Loading lasts longer than a day.
        (2, 'loading_long', order_act_by(o), o.state = 'loading' and order_late_since(o) is not null),
        -- The weight at arrival is disputed.
        (3, 'weight', (select min(a.state_at) from arrival_weighings a where a."order" = o.id and a.state = 'disputed'),
         exists (select from arrival_weighings a where a."order" = o.id and a.state = 'disputed')),
        -- A stop near another farm, a break on the way, or a certificate that was over at departure.
        (4, 'way', (select min(g.from_at) from transit_flags g join transits t on t.id = g.transit where t."order" = o.id),
         exists (select from transit_flags g join transits t on t.id = g.transit where t."order" = o.id)),
        -- Loading is tomorrow at the latest, and no vehicle was entered.
        (5, 'no_vehicle', o.state_at, o.state = 'confirmed' and p.day <= (now() at time zone 'Asia/Shanghai')::date + 1
          and not exists (select from transits t where t."order" = o.id and t.state <> 'cancelled')),
        (6, 'not_settled', order_act_by(o), o.state = 'weighed' and order_late_since(o) is not null),
        (7, 'not_paid', order_act_by(o), o.state = 'settled' and order_late_since(o) is not null)
      ) r (rank, reason, since, holds) where r.holds order by r.rank limit 1) w on true
   where o.state in ('confirmed', 'loading', 'weighed', 'settled');

-- Declarations go by the moment at which they expire.
drop index declarations_urgent_idx;
create index declarations_expiry_idx on declarations (
  (case state when 'submitted' then 2 when 'offered' then 1 else 0 end),
  (case when (case state when 'submitted' then 2 when 'offered' then 1 else 0 end) > 0 then expires_at end) desc nulls first,
  expires_at nulls first, id);

-- Until when the washing certificate holds, as long as the vehicle may still need it.
create or replace view transit_rows as
  select t.*, p.day, o.created_by as buyer, o.state as order_state, clock_timestamp() as looked_at,
         ((t.quarantine_until + 1)::timestamp at time zone 'Asia/Shanghai') as quarantine_ends,
         case when exists (select from transit_flags g where g.transit = t.id) then 'yes' else 'no' end as flagged,
         case when t.state in ('planned', 'ready', 'loading') then
           case when w.holds and q.holds then 'none' when q.holds then 'wash' when w.holds then 'quarantine' else 'both' end end as missing,
         case when t.state in ('planned', 'ready', 'loading') then t.disinfection_until end as wash_ends
    from transits t left join sale_orders o on o.id = t."order" left join sale_plans p on p.id = o.plan
    cross join lateral (select t.disinfection_number <> '' and coalesce(t.disinfection_until > now(), false) as holds) w
    cross join lateral (
      select t.quarantine_number <> '' and coalesce(t.quarantine_heads, 0) >= t.heads
             and coalesce((t.quarantine_until + 1)::timestamp at time zone 'Asia/Shanghai' > now(), false) as holds) q;
