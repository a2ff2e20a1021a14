-- What comes next tells a weighing that waits for its confirmation, vehicles that are all weighed, and an application for an invoice that was
-- sent back; and an order tells what is wrong with it, as the abnormal orders do.
create or replace view sale_order_rows as
  select o.*, p.field, p.day, p.category, p.mode, order_paid_fen(o.id) as paid_fen,
         case o.state
           when 'waiting_payment' then
             case when exists (select from payments y where y."order" = o.id and y.state = 'recorded') then 'check' else 'pay' end
           when 'confirmed' then
             case when not exists (select from transits t where t."order" = o.id and t.state <> 'cancelled') then 'vehicle'
                  when exists (select from transits t where t."order" = o.id and t.state = 'planned') then 'papers' else 'load' end
           when 'loading' then
             case when exists (select from transits t where t."order" = o.id and t.state <> 'cancelled' and not exists (
                         select from weighings w where w."order" = o.id and w.plate = t.plate and w.state <> 'void')) then 'weigh'
                  when exists (select from weighings w where w."order" = o.id and w.state = 'entered') then 'recheck'
                  when exists (select from weighings w where w."order" = o.id and w.state = 'confirmed') then 'finish' else 'weigh' end
           when 'weighed' then
             case when exists (select from settlements s where s."order" = o.id and s.state = 'computed') then 'review' else 'settle' end
           when 'settled' then
             case when exists (select from payments y where y."order" = o.id and y.state = 'awaited' and y.kind <> 'refund') then 'rest'
                  when exists (select from payments y where y."order" = o.id and y.state = 'recorded') then 'check'
                  when exists (select from payments y where y."order" = o.id and y.state = 'awaited') then 'refund' else 'complete' end
           when 'completed' then
             case when exists (select from invoices i where i."order" = o.id and i.state in ('applied', 'issued')) then null
                  when exists (select from invoices i where i."order" = o.id and i.state = 'returned') then 'reinvoice' else 'invoice' end
         end as next,
         order_final_fen(o.id) as final_fen,
         case when o.lot is not null then order_deposit_fen(o.lot, o.tenant_id) else 0 end as deposit_fen,
         case o.state
           when 'cancelled' then -order_paid_fen(o.id)
           when 'waiting_payment' then
             o.expected_fen - order_paid_fen(o.id) - case when o.lot is not null then order_deposit_fen(o.lot, o.tenant_id) else 0 end
           else coalesce(order_final_fen(o.id), o.expected_fen) - order_paid_fen(o.id)
         end as due_fen,
         order_late_since(o) as late_since,
         case when o.state in ('confirmed', 'loading', 'weighed', 'settled') then
           case when exists (select from arrival_weighings a where a."order" = o.id and a.state = 'disputed') then 'weight'
                when exists (select from transit_flags g join transits t on t.id = g.transit where t."order" = o.id) then 'way' end
         end as wrong
    from sale_orders o left join sale_plans p on p.id = o.plan;
