-- Lists of trade begin with what waits for somebody; each resource with `urgent` has its order here, so that a page needs no sort.
create index declarations_urgent_idx on declarations ((case state when 'submitted' then 2 when 'offered' then 1 else 0 end), id);
create index sale_orders_urgent_idx on sale_orders ((case state when 'waiting_payment' then 5 when 'confirmed' then 4 when 'loading' then 3 when 'weighed' then 2 when 'settled' then 1 else 0 end), id);
create index payments_urgent_idx on payments ((case state when 'recorded' then 2 when 'awaited' then 1 else 0 end), id);
create index deposits_urgent_idx on deposits ((case state when 'returning' then 5 when 'forfeiting' then 4 when 'recorded' then 3 when 'awaited' then 2 when 'held' then 1 else 0 end), id);
create index pay_attempts_urgent_idx on pay_attempts ((case state when 'surplus' then 3 when 'unknown' then 2 when 'started' then 1 else 0 end), id);
create index transits_urgent_idx on transits ((case state when 'planned' then 5 when 'ready' then 4 when 'loading' then 3 when 'departed' then 2 when 'arrived' then 1 else 0 end), id);
create index weighings_urgent_idx on weighings ((case state when 'entered' then 1 else 0 end), id);
create index arrival_weighings_urgent_idx on arrival_weighings ((case state when 'disputed' then 1 else 0 end), id);
create index settlements_urgent_idx on settlements ((case state when 'computed' then 1 else 0 end), id);
create index notes_urgent_idx on notes ((case state when 'drafted' then 1 else 0 end), id);
create index invoices_urgent_idx on invoices ((case state when 'applied' then 2 when 'returned' then 1 else 0 end), id);

-- The weight band of a vehicle by its mean weight, as it holds on the loading day at the field's region.
create function band_of(order_id bigint, mean_grams integer) returns text language sql stable as $$
  select trim_scale(b.from_grams / 1000.0) || '–' || trim_scale(b.to_grams / 1000.0) || ' kg'
    from sale_orders o join sale_plans p on p.id = o.plan join sale_fields f on f.id = p.field
    join lateral (
      select v.sale_region, v.valid_from from weight_bands v
       where v.category = p.category and v.status = '1' and v.valid_from <= p.day
         and (v.sale_region is null or v.sale_region = f.sale_region)
       order by v.sale_region is null, v.valid_from desc limit 1) h on true
    join weight_bands b on b.category = p.category and b.status = '1' and b.valid_from = h.valid_from
     and b.sale_region is not distinct from h.sale_region and b.from_grams <= mean_grams and mean_grams < b.to_grams
   where o.id = order_id limit 1
$$;
create or replace view weighing_rows as
  select w.*, w.gross_grams - w.tare_grams as net_grams,
         round((w.gross_grams - w.tare_grams)::float8 / w.heads)::integer as mean_grams,
         band_of(w."order", round((w.gross_grams - w.tare_grams)::float8 / w.heads)::integer) as band
    from weighings w;

-- Halves are rounded to the even number, as by halfEven.
create or replace view settlement_rows as
  select s.*, o.created_by as buyer, round(s.goods_fen::float8 * 1000 / s.net_grams)::integer as price_per_kg
    from settlements s left join sale_orders o on o.id = s."order";

-- Why the desk declined.
create or replace view declaration_rows as
  select d.*, p.field, p.day, p.category,
         coalesce(case when d.state = 'declined' then (
           select e.words ->> 'reason' from process_entries e
            where e.process = 'declaration' and e.row_id = d.id and e.event = 'decline' order by e.id desc limit 1) end, '') as decline_reason
    from declarations d left join sale_plans p on p.id = d.plan;

-- Papers that keep a vehicle from loading.
create or replace view transit_rows as
  select t.*, p.day, o.created_by as buyer, o.state as order_state, clock_timestamp() as looked_at,
         ((t.quarantine_until + 1)::timestamp at time zone 'Asia/Shanghai') as quarantine_ends,
         case when exists (select from transit_flags g where g.transit = t.id) then 'yes' else 'no' end as flagged,
         case when t.state in ('planned', 'ready', 'loading') then
           case when w.holds and q.holds then 'none' when q.holds then 'wash' when w.holds then 'quarantine' else 'both' end end as missing
    from transits t left join sale_orders o on o.id = t."order" left join sale_plans p on p.id = o.plan
    cross join lateral (select t.disinfection_number <> '' and coalesce(t.disinfection_until > now(), false) as holds) w
    cross join lateral (
      select t.quarantine_number <> '' and coalesce(t.quarantine_heads, 0) >= t.heads
             and coalesce((t.quarantine_until + 1)::timestamp at time zone 'Asia/Shanghai' > now(), false) as holds) q;

create or replace view lot_rows as
  select l.*, p.field, p.day, p.category, p.from_kg, p.to_kg,
         (select count(*)::integer from lot_bidders b where b.lot = l.id) as bidders,
         (select count(*)::integer from bids b where b.lot = l.id and b.fen_per_kg is not null) as bids
    from lots l join sale_plans p on p.id = l.plan;

-- A deposit with how its customer stands in the lot.
create view deposit_rows as
  select d.*, b.best_per_kg as bid_per_kg,
         case when b.best_per_kg is not null then (
           select 1 + count(*)::integer from lot_bidders o
            where o.lot = d.lot and (o.best_per_kg, o.best_seq) > (b.best_per_kg, b.best_seq)) end as place
    from deposits d left join lot_bidders b on b.lot = d.lot and b.tenant_id = d.tenant_id;

-- What comes next for an order, by the customer or by others.
create or replace view sale_order_rows as
  select o.*, p.field, p.day, p.category, p.mode,
         (coalesce((select sum(case when y.kind = 'refund' then -y.amount_fen else y.amount_fen end) from payments y
                     where y."order" = o.id and y.state = 'done' and y.pay_notice is null), 0)
          + coalesce((select sum(d.amount_fen) from deposits d where d."order" = o.id and d.state = 'credited'), 0))::bigint as paid_fen,
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
         end as next
    from sale_orders o left join sale_plans p on p.id = o.plan;

-- Open plans beside today's price of the field's province.
create or replace view sale_offers as
  select p.id, p.number, p.field, p.day, p.category, p.from_kg, p.to_kg, p.mode, p.price_per_kg, p.heads - p.taken as heads_left, p.version,
         p.created_by, p.created_dept, p.created_at, p.updated_by, p.updated_at,
         p.from_kg || '–' || p.to_kg || ' kg' as weights,
         (select board_fen(f.region_code, p.category, (now() at time zone 'Asia/Shanghai')::date) from sale_fields f where f.id = p.field) as market_per_kg
    from sale_plans p where p.state = 'published' and p.mode <> 'bidding' and p.taken < p.heads and p.ends_at > now();

-- A ticket of a plate that no vehicle has is most likely of a lorry that passed by.
create or replace view scale_ticket_rows as
  select t.*, coalesce(d.name, '') as device_name, coalesce(f.name, '') as farm_name,
         case when t.state = 'unmatched' and t.problem is distinct from 'plate' then 'act'
              when t.state = 'matched' then 'wait'
              when t.state = 'unmatched' then 'passer' else 'done' end as need
    from scale_tickets t left join devices d on d.id = t.device left join farms f on f.id = d.farm_id;
