-- Trade from the plan to the settlement. Money is fen, weights are grams, prices are fen per kg.
create table sale_plans (
  id bigint constraint sale_plans_pk primary key,
  tenant_id text not null constraint sale_plans_tenant_fk references tenants,
  number text not null constraint sale_plans_number_unique unique,
  field bigint not null constraint sale_plans_field_fk references sale_fields,
  day date not null,
  category text not null,
  from_kg integer not null,
  to_kg integer not null,
  heads integer not null,
  -- Heads of accepted declarations.
  taken integer not null default 0,
  mode text not null constraint sale_plans_mode_known check (mode in ('fixed', 'bidding', 'contract')),
  price_per_kg integer,
  note text not null default '',
  -- End of the loading day.
  ends_at timestamptz not null,
  state text not null constraint sale_plans_state_known check (state in ('draft', 'approved', 'published', 'closed', 'dropped')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now(),
  constraint sale_plans_weights_order check (from_kg < to_kg),
  constraint sale_plans_taken_range check (taken between 0 and heads)
);
create index sale_plans_queue_idx on sale_plans (state, id);
create index sale_plans_day_idx on sale_plans (day, field);
create index sale_plans_field_idx on sale_plans (field);
create index sale_plans_due_idx on sale_plans (ends_at, id) where state in ('draft', 'approved', 'published');

create view sale_offers as
  select id, number, field, day, category, from_kg, to_kg, mode, price_per_kg, heads - taken as heads_left, version,
         created_by, created_dept, created_at, updated_by, updated_at
    from sale_plans where state = 'published' and mode <> 'bidding' and taken < heads and ends_at > now();

create table declarations (
  id bigint constraint declarations_pk primary key,
  tenant_id text not null constraint declarations_tenant_fk references tenants,
  number text not null constraint declarations_number_unique unique,
  plan bigint not null constraint declarations_plan_fk references sale_plans,
  heads integer not null constraint declarations_heads_range check (heads between 1 and 100000),
  price_per_kg integer,
  plate text not null default '',
  note text not null default '',
  expires_at timestamptz not null,
  state text not null constraint declarations_state_known
    check (state in ('submitted', 'offered', 'accepted', 'declined', 'withdrawn', 'expired')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now()
);
create index declarations_queue_idx on declarations (tenant_id, state, id);
create index declarations_plan_idx on declarations (plan);
create index declarations_due_idx on declarations (expires_at, id) where state in ('submitted', 'offered');
create view declaration_rows as
  select d.*, p.field, p.day, p.category from declarations d join sale_plans p on p.id = d.plan;

create table sale_orders (
  id bigint constraint sale_orders_pk primary key,
  tenant_id text not null constraint sale_orders_tenant_fk references tenants,
  number text not null constraint sale_orders_number_unique unique,
  plan bigint not null constraint sale_orders_plan_fk references sale_plans,
  declaration bigint constraint sale_orders_declaration_fk references declarations
    constraint sale_orders_declaration_unique unique,
  heads integer not null constraint sale_orders_heads_range check (heads between 1 and 100000),
  price_per_kg integer not null,
  expected_fen bigint not null,
  plate text not null default '',
  pay_by timestamptz not null,
  -- When the clock completes it; null before all is paid.
  complete_at timestamptz,
  state text not null constraint sale_orders_state_known
    check (state in ('waiting_payment', 'confirmed', 'loading', 'weighed', 'settled', 'completed', 'cancelled')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now()
);
create index sale_orders_queue_idx on sale_orders (tenant_id, state, id);
create index sale_orders_plan_idx on sale_orders (plan);
create index sale_orders_pay_by_idx on sale_orders (pay_by, id) where state = 'waiting_payment';
create index sale_orders_complete_at_idx on sale_orders (complete_at, id) where state = 'settled';

create table payments (
  id bigint constraint payments_pk primary key,
  tenant_id text not null constraint payments_tenant_fk references tenants,
  number text not null constraint payments_number_unique unique,
  "order" bigint not null constraint payments_order_fk references sale_orders,
  kind text not null constraint payments_kind_known check (kind in ('prepayment', 'balance', 'refund')),
  amount_fen bigint not null constraint payments_amount_range check (amount_fen > 0),
  bank_reference text not null default '',
  received_on date,
  recorded_by bigint,
  state text not null constraint payments_state_known check (state in ('awaited', 'recorded', 'done', 'void')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now()
);
create index payments_queue_idx on payments (tenant_id, state, id);
-- A prepayment and a balance or refund of an order exist once.
create unique index payments_order_kind_unique on payments ("order", kind) where state <> 'void';
-- A transfer on the bank's statement is counted once.
create unique index payments_bank_reference_unique on payments (bank_reference) where state in ('recorded', 'done');

create view sale_order_rows as
  select o.*, p.field, p.day, p.category, p.mode,
         coalesce((select sum(case when y.kind = 'refund' then -y.amount_fen else y.amount_fen end) from payments y
                    where y."order" = o.id and y.state = 'done'), 0)::bigint as paid_fen
    from sale_orders o join sale_plans p on p.id = o.plan;

create table weighings (
  id bigint constraint weighings_pk primary key,
  tenant_id text not null constraint weighings_tenant_fk references tenants,
  number text not null constraint weighings_number_unique unique,
  "order" bigint not null constraint weighings_order_fk references sale_orders,
  plate text not null,
  heads integer not null constraint weighings_heads_range check (heads between 1 and 1000),
  gross_grams integer not null,
  tare_grams integer not null,
  state text not null constraint weighings_state_known check (state in ('entered', 'confirmed', 'void')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now(),
  constraint weighings_weights_order check (tare_grams < gross_grams)
);
create index weighings_queue_idx on weighings (tenant_id, state, id);
create index weighings_order_idx on weighings ("order");
create view weighing_rows as select w.*, w.gross_grams - w.tare_grams as net_grams from weighings w;

create table settlements (
  id bigint constraint settlements_pk primary key,
  tenant_id text not null constraint settlements_tenant_fk references tenants,
  number text not null constraint settlements_number_unique unique,
  "order" bigint not null constraint settlements_order_fk references sale_orders,
  heads integer not null,
  net_grams bigint not null,
  goods_fen bigint not null,
  tax_fen bigint not null,
  total_fen bigint not null,
  paid_fen bigint not null,
  left_fen bigint not null,
  deduction_fen bigint not null default 0,
  deduction_reason text not null default '',
  -- Lines with their operands, as they were computed.
  lines jsonb not null,
  state text not null constraint settlements_state_known check (state in ('computed', 'confirmed', 'void')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now()
);
create index settlements_queue_idx on settlements (tenant_id, state, id);
create view settlement_rows as
  select s.*, o.created_by as buyer from settlements s join sale_orders o on o.id = s."order";
-- An order has one settlement that holds.
create unique index settlements_order_unique on settlements ("order") where state <> 'void';

-- What was settled stays as it was.
create function keep_settlement() returns trigger language plpgsql as $$
begin
  if old.state <> 'computed' then
    raise exception 'settlement % is final', old.number;
  end if;
  if tg_op = 'UPDATE' and (new."order", new.heads, new.net_grams, new.goods_fen, new.tax_fen, new.total_fen, new.paid_fen, new.left_fen, new.lines)
     is distinct from (old."order", old.heads, old.net_grams, old.goods_fen, old.tax_fen, old.total_fen, old.paid_fen, old.left_fen, old.lines) then
    raise exception 'the figures of settlement % are final', old.number;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger settlements_kept before update or delete on settlements for each row execute function keep_settlement();
