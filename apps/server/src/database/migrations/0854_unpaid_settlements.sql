-- Until when the rest of a settlement has to be paid, while something of it is not paid: the list has those behind what waits for review.
alter table settlements add column rest_by timestamptz;

-- What was computed stays as it was; how long its rest is awaited is no part of it.
create or replace function keep_settlement() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'rest_by' = to_jsonb(old) - 'rest_by' then
    return new;
  end if;
  if old.state <> 'computed' then
    raise exception 'settlement % is final', old.number;
  end if;
  if tg_op = 'UPDATE' and to_jsonb(new) - '{state,state_at,version,updated_by,updated_at}'::text[]
     is distinct from to_jsonb(old) - '{state,state_at,version,updated_by,updated_at}'::text[] then
    raise exception 'the figures of settlement % are final', old.number;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;

create function keep_settlement_rest() returns trigger language plpgsql as $$
begin
  new.rest_by := case when new.state = 'confirmed' then (select min(y.due_by) from payments y where y."order" = new."order") end;
  return new;
end $$;
create trigger settlements_rest before insert or update of state on settlements for each row execute function keep_settlement_rest();

create function pass_payment_deadline() returns trigger language plpgsql as $$
begin
  update settlements s set rest_by = (select min(y.due_by) from payments y where y."order" = new."order")
   where s."order" = new."order" and s.state = 'confirmed';
  return null;
end $$;
create trigger payments_added_to_settlement after insert on payments for each row
  when (new.due_by is not null) execute function pass_payment_deadline();
create trigger payments_pass_deadline after update on payments for each row
  when (old.due_by is distinct from new.due_by) execute function pass_payment_deadline();

update settlements s set rest_by = y.due_by
  from (select p."order", min(p.due_by) as due_by from payments p where p.due_by is not null group by p."order") y
 where y."order" = s."order" and s.state = 'confirmed';

drop view settlement_rows;
create view settlement_rows as
  select s.*, o.created_by as buyer, round(s.goods_fen::float8 * 1000 / s.net_grams)::integer as price_per_kg,
         case s.state
           when 'confirmed' then order_final_fen(s."order") - order_paid_fen(s."order")
           when 'computed' then s.total_fen - order_paid_fen(s."order") end as open_fen,
         case when s.state = 'confirmed' then order_final_fen(s."order") - s.total_fen end as notes_fen,
         case when s.state = 'confirmed' and o.state = 'settled' then order_late_since(o) end as late_since,
         case when s.state = 'computed' then 'review' when s.rest_by is not null then 'rest' end as need
    from settlements s left join sale_orders o on o.id = s."order";

drop index settlements_urgent_idx;
create index settlements_need_idx on settlements (
  (case (case when state = 'computed' then 'review' when rest_by is not null then 'rest' end) when 'review' then 2 when 'rest' then 1 else 0 end) desc,
  (case when (case (case when state = 'computed' then 'review' when rest_by is not null then 'rest' end) when 'review' then 2 when 'rest' then 1 else 0 end) > 0 then id end),
  id desc);
