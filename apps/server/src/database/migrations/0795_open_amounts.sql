-- What lists of trade say of money and papers that are open now.

-- Fen that arrived for an order, without what was paid back.
create function order_paid_fen(order_id bigint) returns bigint language sql stable as $$
  select (coalesce((select sum(case when y.kind = 'refund' then -y.amount_fen else y.amount_fen end) from payments y
                     where y."order" = order_id and y.state = 'done' and y.pay_notice is null), 0)
          + coalesce((select sum(d.amount_fen) from deposits d where d."order" = order_id and d.state = 'credited'), 0))::bigint
$$;
-- Fen that an order costs in the end: its confirmed settlement with its notes; null before it.
create function order_final_fen(order_id bigint) returns bigint language sql stable as $$
  select (s.total_fen + coalesce((select sum(case n.kind when 'debit' then n.amount_fen else -n.amount_fen end) from notes n
                                   where n."order" = order_id and n.state = 'confirmed'), 0))::bigint
    from settlements s where s."order" = order_id and s.state = 'confirmed'
$$;
-- Fen of the winner's deposit, which is credited when the rest of the prepayment arrives.
create function order_deposit_fen(lot_id bigint, tenant text) returns bigint language sql stable as $$
  select coalesce(sum(d.amount_fen), 0)::bigint from deposits d
   where d.lot = lot_id and d.tenant_id = tenant and d.pay_notice is null
     and (d.state = 'credited' or d.state = 'held' and d.return_at is null)
$$;

-- What comes next for an order, by the customer or by others, and what is owed of it now: negative where it is paid back.
create or replace view sale_order_rows as
  select o.*, p.field, p.day, p.category, p.mode, order_paid_fen(o.id) as paid_fen,
         case o.state
           when 'waiting_payment' then
             case when exists (select from payments y where y."order" = o.id and y.state = 'recorded') then 'check' else 'pay' end
           when 'confirmed' then
             case when not exists (select from transits t where t."order" = o.id and t.state <> 'cancelled') then 'vehicle'
                  when exists (select from transits t where t."order" = o.id and t.state = 'planned') then 'papers' else 'load' end
           when 'loading' then 'weigh'
           when 'weighed' then 'settle'
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
         end as due_fen
    from sale_orders o left join sale_plans p on p.id = o.plan;

-- A settlement with what is open of its order now.
create or replace view settlement_rows as
  select s.*, o.created_by as buyer, round(s.goods_fen::float8 * 1000 / s.net_grams)::integer as price_per_kg,
         case s.state
           when 'confirmed' then order_final_fen(s."order") - order_paid_fen(s."order")
           when 'computed' then s.total_fen - order_paid_fen(s."order") end as open_fen
    from settlements s left join sale_orders o on o.id = s."order";

-- A payment with the moment until which it is awaited.
create view payment_rows as
  select y.*, case when y.kind = 'prepayment' and y.state = 'awaited' then o.pay_by end as due_by
    from payments y left join sale_orders o on o.id = y."order";

-- An attempt with its order, and when it was paid.
create view pay_attempt_rows as
  select a.*, y."order", case when a.state in ('succeeded', 'surplus') then a.state_at end as paid_at
    from pay_attempts a left join payments y on y.id = a.payment;

-- An invoice with the reason for which its application was sent back.
create view invoice_rows as
  select i.*, coalesce(case when i.state = 'returned' then (
           select e.words ->> 'reason' from process_entries e
            where e.process = 'invoice' and e.row_id = i.id and e.event = 'give_back' order by e.id desc limit 1) end, '') as return_reason
    from invoices i;

-- A declaration with the order that it became.
create or replace view declaration_rows as
  select d.*, p.field, p.day, p.category,
         coalesce(case when d.state = 'declined' then (
           select e.words ->> 'reason' from process_entries e
            where e.process = 'declaration' and e.row_id = d.id and e.event = 'decline' order by e.id desc limit 1) end, '') as decline_reason,
         case when d.state = 'accepted' then (select o.id from sale_orders o where o.declaration = d.id) end as "order"
    from declarations d left join sale_plans p on p.id = d.plan;

-- An abnormal order with what is owed of it.
create or replace view abnormal_orders as
  select o.id, o.tenant_id, o.number, o.id as "order", p.field, p.day, o.heads, o.state as order_state, w.reason, w.since, o.version,
         o.created_by, o.created_dept, o.created_at, o.updated_by, o.updated_at,
         coalesce(order_final_fen(o.id), o.expected_fen) - order_paid_fen(o.id) as due_fen
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

-- The awaited payment that a transfer's remark names, by its own number or its order's. The expression is the one of payments_urgent_idx.
create function payment_named(remark text, incoming boolean) returns bigint language sql stable as $$
  select y.id from payments y join sale_orders o on o.id = y."order"
   where (case y.state when 'recorded' then 2 when 'awaited' then 1 else 0 end) = 1 and (y.kind = 'refund') <> incoming
     and (position(y.number in remark) > 0 or position(o.number in remark) > 0)
   order by y.id limit 1
$$;
-- A line with what it pays, or with the awaited payment that it names and how much it differs from it.
create or replace view bank_line_rows as
  select b.*, coalesce(m.number, '') as matched_to,
         case when m.number is not null then case when m.open then 'recorded' else 'done' end
              when b.aside then 'aside' else 'unmatched' end as matching,
         case when m.number is null and not b.aside
              then greatest(0, (now() at time zone 'Asia/Shanghai')::date - b.booked_on) end as waiting_days,
         case when m.number is null and not b.aside then payment_named(b.summary, b.direction = 'in') end as named_payment,
         case when m.number is null and not b.aside then b.amount_fen - (
           select y.amount_fen from payments y where y.id = payment_named(b.summary, b.direction = 'in')) end as named_difference_fen
    from bank_lines b
    left join lateral (
      select y.number, y.state = 'recorded' as open from payments y
       where y.bank_reference = b.bank_reference and y.state in ('recorded', 'done')
      union all
      select d.number, d.state = 'recorded' from deposits d
       where d.bank_reference = b.bank_reference and d.bank_reference <> '' and d.state <> 'void'
      union all
      select d.number, false from deposits d where d.refund_reference = b.bank_reference and d.refund_reference <> ''
      limit 1) m on true;

-- Maintenance with how urgent its next time is; what was followed by another of its type at the same place is done.
create view maintenance_list as
  select m.*, case
           when m.next_due_on is null or exists (
             select from maintenance_entries l
              where l.tenant_id = m.tenant_id and l.type = m.type and l.id <> m.id and (l.done_on, l.id) > (m.done_on, m.id)
                and case when m.device_id is null then l.unit_id = m.unit_id else l.device_id = m.device_id end) then 'none'
           when m.next_due_on < (now() at time zone 'Asia/Shanghai')::date then 'late'
           when m.next_due_on <= (now() at time zone 'Asia/Shanghai')::date + 3 then 'soon'
           else 'later' end as due
    from maintenance_entries m;
