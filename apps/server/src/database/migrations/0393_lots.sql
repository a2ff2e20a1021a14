-- Lots of pigs that are sold to the highest bidder, and the deposits of those who may bid. Money is fen, prices are fen per kg.
create table lots (
  id bigint constraint lots_pk primary key,
  tenant_id text not null constraint lots_tenant_fk references tenants,
  number text not null constraint lots_number_unique unique,
  plan bigint not null constraint lots_plan_fk references sale_plans,
  heads integer not null constraint lots_heads_range check (heads between 1 and 100000),
  reserve_per_kg integer not null,
  -- Of the sales model on the day on which the lot was announced.
  step_fen integer not null constraint lots_step_range check (step_fen > 0),
  deposit_fen integer not null constraint lots_deposit_range check (deposit_fen > 0),
  soft_close_minutes integer not null,
  participants text[] not null,
  -- As it was announced.
  bid_on date not null,
  bid_times text not null,
  opens_at timestamptz not null,
  -- The one end that holds; a late bid moves it.
  ends_at timestamptz not null,
  extensions integer not null default 0,
  -- Entries of the record of bids, and the best bid that was not struck.
  entries integer not null default 0,
  last_hash text not null default '',
  last_at timestamptz,
  best_per_kg integer,
  best_tenant text,
  best_account bigint,
  state text not null constraint lots_state_known
    check (state in ('announced', 'open', 'frozen', 'awarded', 'failed', 'withdrawn')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now(),
  constraint lots_times_order check (opens_at < ends_at)
);
create index lots_queue_idx on lots (state, id);
create index lots_plan_idx on lots (plan);
create index lots_opens_at_idx on lots (opens_at, id) where state = 'announced';
create index lots_ends_at_idx on lots (ends_at, id) where state in ('open', 'frozen');
create view lot_rows as
  select l.*, p.field, p.day, p.category, p.from_kg, p.to_kg from lots l join sale_plans p on p.id = l.plan;
-- As customers see them: the moments decide, also before the clock has taken the step.
create view lot_offers as
  select l.id, l.number, p.field, p.day, p.category, p.from_kg, p.to_kg, l.heads, l.reserve_per_kg, l.step_fen, l.deposit_fen,
         l.opens_at, l.ends_at, l.extensions, l.best_per_kg,
         case when l.state in ('announced', 'open') and l.ends_at <= now() then 'frozen'
              when l.state = 'announced' and l.opens_at <= now() then 'open' else l.state end as state,
         l.version, l.created_by, l.created_dept, l.created_at, l.updated_by, l.updated_at
    from lots l join sale_plans p on p.id = l.plan;

alter table sale_orders add column lot bigint constraint sale_orders_lot_fk references lots,
  add constraint sale_orders_lot_tenant_unique unique (lot, tenant_id);

create table deposits (
  id bigint constraint deposits_pk primary key,
  tenant_id text not null constraint deposits_tenant_fk references tenants,
  number text not null constraint deposits_number_unique unique,
  lot bigint not null constraint deposits_lot_fk references lots,
  amount_fen bigint not null constraint deposits_amount_range check (amount_fen > 0),
  bank_reference text not null default '',
  received_on date,
  recorded_by bigint,
  proposed_by bigint,
  -- Order that it is credited to.
  "order" bigint constraint deposits_order_fk references sale_orders,
  -- When the clock gives it back, as the lot was closed without its bidder; null while it stands for bids or for an order.
  return_at timestamptz,
  -- When the money must have been paid back.
  return_by timestamptz,
  refund_reference text not null default '',
  state text not null constraint deposits_state_known
    check (state in ('awaited', 'recorded', 'held', 'returning', 'forfeiting', 'released', 'credited', 'forfeited', 'void')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now()
);
create index deposits_queue_idx on deposits (tenant_id, state, id);
create unique index deposits_lot_tenant_unique on deposits (lot, tenant_id) where state <> 'void';
create unique index deposits_bank_reference_unique on deposits (bank_reference) where bank_reference <> '' and state <> 'void';
create index deposits_order_idx on deposits ("order") where "order" is not null;
create index deposits_return_at_idx on deposits (return_at, id) where state in ('awaited', 'held');

-- A transfer on the bank's statement is counted once, as a payment or as a deposit.
create function count_transfer_once() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('bank transfer ' || new.bank_reference));
  if tg_table_name = 'payments' and exists (select from deposits d where d.bank_reference = new.bank_reference and d.state <> 'void')
     or tg_table_name = 'deposits' and exists (
          select from payments y where y.bank_reference = new.bank_reference and y.state in ('recorded', 'done')) then
    raise unique_violation using message = 'transfer ' || new.bank_reference || ' is counted already',
      constraint = tg_table_name || '_bank_reference_unique';
  end if;
  return new;
end $$;
create trigger payments_transfer_once before update of bank_reference on payments for each row
  when (new.bank_reference <> '' and new.bank_reference is distinct from old.bank_reference) execute function count_transfer_once();
create trigger deposits_transfer_once before update of bank_reference on deposits for each row
  when (new.bank_reference <> '' and new.bank_reference is distinct from old.bank_reference) execute function count_transfer_once();

drop view sale_order_rows;
create view sale_order_rows as
  select o.*, p.field, p.day, p.category, p.mode,
         (coalesce((select sum(case when y.kind = 'refund' then -y.amount_fen else y.amount_fen end) from payments y
                     where y."order" = o.id and y.state = 'done'), 0)
          + coalesce((select sum(d.amount_fen) from deposits d where d."order" = o.id and d.state = 'credited'), 0))::bigint as paid_fen
    from sale_orders o join sale_plans p on p.id = o.plan;
