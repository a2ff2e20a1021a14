-- Attempts to pay by the payment provider. Money is fen.
create table pay_attempts (
  -- The order number at the provider.
  id bigint constraint pay_attempts_pk primary key,
  tenant_id text not null constraint pay_attempts_tenant_fk references tenants,
  number text not null constraint pay_attempts_number_unique unique,
  payment bigint constraint pay_attempts_payment_fk references payments,
  deposit bigint constraint pay_attempts_deposit_fk references deposits,
  amount_fen bigint not null constraint pay_attempts_amount_range check (amount_fen > 0),
  received_fen bigint not null default 0,
  reference text not null default '',
  channel text not null constraint pay_attempts_channel_known check (channel in ('gateway', 'sandbox')),
  expires_at timestamptz not null,
  -- When the provider is asked next; null where nothing can come any more.
  look_at timestamptz,
  state text not null constraint pay_attempts_state_known
    check (state in ('started', 'unknown', 'succeeded', 'failed', 'expired', 'surplus')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now(),
  constraint pay_attempts_target_one check ((payment is null) <> (deposit is null))
);
create index pay_attempts_queue_idx on pay_attempts (tenant_id, state, id);
create index pay_attempts_payment_idx on pay_attempts (payment, id) where payment is not null;
create index pay_attempts_deposit_idx on pay_attempts (deposit, id) where deposit is not null;
create index pay_attempts_look_at_idx on pay_attempts (look_at, id) where look_at is not null;
-- One at a time.
create unique index pay_attempts_running_unique on pay_attempts (coalesce(payment, deposit)) where state in ('started', 'unknown');

-- What the provider said of attempts, each once.
create table pay_notices (
  id bigint constraint pay_notices_pk primary key,
  attempt bigint not null constraint pay_notices_attempt_fk references pay_attempts,
  outcome text not null constraint pay_notices_outcome_known check (outcome in ('paid', 'failed')),
  reference text not null,
  amount_fen bigint not null,
  at timestamptz not null default now(),
  constraint pay_notices_said_unique unique (attempt, outcome, reference)
);

-- Money that the provider took and nothing waited for is paid back by a refund, or by a deposit, of its own.
alter table payments add column pay_notice bigint constraint payments_pay_notice_fk references pay_notices
  constraint payments_pay_notice_unique unique;
alter table deposits add column pay_notice bigint constraint deposits_pay_notice_fk references pay_notices
  constraint deposits_pay_notice_unique unique;
drop index payments_order_kind_unique;
create unique index payments_order_kind_unique on payments ("order", kind) where state <> 'void' and pay_notice is null;
drop index deposits_lot_tenant_unique;
create unique index deposits_lot_tenant_unique on deposits (lot, tenant_id) where state <> 'void' and pay_notice is null;

-- What was paid of an order, without what came by mistake and goes back.
create or replace view sale_order_rows as
  select o.*, p.field, p.day, p.category, p.mode,
         (coalesce((select sum(case when y.kind = 'refund' then -y.amount_fen else y.amount_fen end) from payments y
                     where y."order" = o.id and y.state = 'done' and y.pay_notice is null), 0)
          + coalesce((select sum(d.amount_fen) from deposits d where d."order" = o.id and d.state = 'credited'), 0))::bigint as paid_fen
    from sale_orders o join sale_plans p on p.id = o.plan;
