-- Price terms of signed sale contracts. They are written with the customer's signature and never change; money is fen per kg.
create table contract_terms (
  id bigint constraint contract_terms_pk primary key,
  tenant_id text not null constraint contract_terms_tenant_fk references tenants,
  contract bigint not null constraint contract_terms_contract_fk references contracts,
  line smallint not null,
  category text not null,
  -- For one field or one region alone; for all where both are null. The place's name is that of the contract's text.
  field bigint constraint contract_terms_field_fk references sale_fields,
  sale_region bigint constraint contract_terms_region_fk references sale_regions,
  place text not null,
  from_kg integer not null,
  to_kg integer not null,
  kind text not null constraint contract_terms_kind_known check (kind in ('fixed', 'board')),
  -- The price, or what is added to the price board's.
  fen integer not null,
  heads integer not null constraint contract_terms_heads_range check (heads > 0),
  from_day date not null,
  to_day date not null,
  created_by bigint, created_at timestamptz not null default now(),
  constraint contract_terms_line_unique unique (contract, line),
  constraint contract_terms_weights_order check (from_kg < to_kg),
  constraint contract_terms_days_order check (from_day <= to_day)
);
create index contract_terms_tenant_idx on contract_terms (tenant_id);

create function keep_contract_term() returns trigger language plpgsql as $$
begin
  raise exception 'price term % is signed', old.id;
end $$;
create trigger contract_terms_kept before update or delete on contract_terms for each row execute function keep_contract_term();

alter table declarations add column contract_term bigint constraint declarations_contract_term_fk references contract_terms;
create index declarations_contract_term_idx on declarations (contract_term) where contract_term is not null;
alter table sale_orders add column contract_term bigint constraint sale_orders_contract_term_fk references contract_terms;
create index sale_orders_contract_term_idx on sale_orders (contract_term) where contract_term is not null;

drop view declaration_rows;
create view declaration_rows as
  select d.*, p.field, p.day, p.category from declarations d join sale_plans p on p.id = d.plan;
drop view sale_order_rows;
create view sale_order_rows as
  select o.*, p.field, p.day, p.category, p.mode,
         (coalesce((select sum(case when y.kind = 'refund' then -y.amount_fen else y.amount_fen end) from payments y
                     where y."order" = o.id and y.state = 'done' and y.pay_notice is null), 0)
          + coalesce((select sum(d.amount_fen) from deposits d where d."order" = o.id and d.state = 'credited'), 0))::bigint as paid_fen
    from sale_orders o join sale_plans p on p.id = o.plan;

-- The price board's price of a province and breed that counts on a day: the newest published one of the last seven days.
create function board_fen(region text, kind text, on_day date) returns integer language sql stable as $$
  select e.fen from price_entries e
   where e.region_code = left(region, 2) and e.breed = kind and e.price_day between on_day - 6 and on_day
     and e.state = 'published' and e.fen is not null
   order by e.price_day desc limit 1
$$;

-- Signed terms with what hangs on them. Cancelled orders count nowhere; market prices are those of the days on which orders began.
create view price_term_rows as
  select t.id, t.tenant_id, c.number || '-' || t.line as number, t.contract, t.line, t.category, t.field, t.sale_region, t.place,
         t.from_kg, t.to_kg, t.kind, t.fen,
         case t.kind when 'fixed' then t.fen end as price_per_kg, case t.kind when 'board' then t.fen end as difference_fen,
         t.heads, u.used_heads, w.waiting_heads, t.heads - u.used_heads as left_heads, u.average_fen, u.against_fen, t.from_day, t.to_day,
         case when c.state <> 'signed' then 'ended' when t.to_day < d.today then 'over' when t.heads <= u.used_heads then 'used'
              when t.from_day > d.today then 'early' else 'open' end as term_state,
         1 as version, t.created_by, null::bigint as created_dept, t.created_at, t.created_by as updated_by, t.created_at as updated_at
    from contract_terms t join contracts c on c.id = t.contract
    cross join (select (now() at time zone 'Asia/Shanghai')::date as today) d
    cross join lateral (
      select coalesce(sum(o.heads), 0)::integer as used_heads,
             round(sum(o.heads::bigint * o.price_per_kg)::numeric / sum(o.heads))::integer as average_fen,
             round(sum(o.heads::bigint * (o.price_per_kg - m.fen))::numeric / sum(o.heads) filter (where m.fen is not null))::integer as against_fen
        from sale_orders o join sale_plans p on p.id = o.plan join sale_fields f on f.id = p.field
        cross join lateral (select board_fen(f.region_code, p.category, (o.created_at at time zone 'Asia/Shanghai')::date) as fen) m
       where o.contract_term = t.id and o.state <> 'cancelled') u
    cross join lateral (
      select coalesce(sum(n.heads), 0)::integer as waiting_heads from declarations n
       where n.contract_term = t.id and n.state in ('submitted', 'offered')) w;
