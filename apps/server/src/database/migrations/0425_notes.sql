-- Credit and debit notes of confirmed settlements. Money is fen.
create table notes (
  id bigint constraint notes_pk primary key,
  tenant_id text not null constraint notes_tenant_fk references tenants,
  number text not null constraint notes_number_unique unique,
  settlement bigint not null constraint notes_settlement_fk references settlements,
  "order" bigint not null constraint notes_order_fk references sale_orders,
  kind text not null constraint notes_kind_known check (kind in ('credit', 'debit')),
  amount_fen bigint not null constraint notes_amount_range check (amount_fen > 0),
  -- Amount and reason of each line, and the reasons with their amounts as people read them.
  lines jsonb not null,
  reasons text not null,
  state text not null constraint notes_state_known check (state in ('drafted', 'confirmed', 'void')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now()
);
create index notes_queue_idx on notes (tenant_id, state, id);
create index notes_settlement_idx on notes (settlement);
create index notes_order_idx on notes ("order");
create view note_rows as select n.*, o.created_by as buyer from notes n join sale_orders o on o.id = n."order";

-- What a note says stays as it was; a wrong one is followed by another one.
create function keep_note() returns trigger language plpgsql as $$
begin
  if old.state <> 'drafted' then
    raise exception 'note % is final', old.number;
  end if;
  if tg_op = 'UPDATE' and to_jsonb(new) - '{state,state_at,version,updated_by,updated_at}'::text[]
     is distinct from to_jsonb(old) - '{state,state_at,version,updated_by,updated_at}'::text[] then
    raise exception 'what note % says is final', old.number;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger notes_kept before update or delete on notes for each row execute function keep_note();

-- What is left to pay or to pay back after a note.
alter table payments add column note bigint constraint payments_note_fk references notes constraint payments_note_unique unique;
drop index payments_order_kind_unique;
create unique index payments_order_kind_unique on payments ("order", kind) where state <> 'void' and pay_notice is null and note is null;
create index payments_order_idx on payments ("order");
create index settlements_tenant_at_idx on settlements (tenant_id, state_at) where state = 'confirmed';

-- What a customer owes and what was paid, each document a line: the account that statements are made from.
create view statement_lines as
  select s.tenant_id, s.state_at as at, s.id, 'settlement' as kind, s.number, s."order", s.total_fen as debit_fen, 0::bigint as credit_fen
    from settlements s where s.state = 'confirmed'
  union all
  select n.tenant_id, n.state_at, n.id, n.kind || '_note', n.number, n."order",
         case n.kind when 'debit' then n.amount_fen else 0 end, case n.kind when 'credit' then n.amount_fen else 0 end
    from notes n where n.state = 'confirmed'
  union all
  select y.tenant_id, y.state_at, y.id, y.kind, y.number, y."order",
         case y.kind when 'refund' then y.amount_fen else 0 end, case y.kind when 'refund' then 0 else y.amount_fen end
    from payments y where y.state = 'done'
  union all
  select d.tenant_id, d.state_at, d.id, 'deposit', d.number, d."order", 0, d.amount_fen
    from deposits d where d.state = 'credited'
  union all
  -- Came by the payment provider although nothing waited for it; its refund is a line of its own.
  select a.tenant_id, t.at, t.id, 'surplus', a.number, y."order", 0, t.amount_fen
    from pay_notices t join payments y on y.pay_notice = t.id join pay_attempts a on a.id = t.attempt;
