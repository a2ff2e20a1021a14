-- What is due is what was delivered, and what is paid is what stays paid: a credit note lowers the one, a refund the other. Balances stay as they
-- were. A month in which both come to nothing still has its documents.
create or replace function statement_lines(of_tenant text, from_at timestamptz, until_at timestamptz)
returns table (at timestamptz, id bigint, kind text, number text, "order" bigint, debit_fen bigint, credit_fen bigint)
language sql stable as $$
  select s.state_at, s.id, 'settlement', s.number, s."order", s.total_fen, 0::bigint
    from settlements s
   where s.state = 'confirmed' and s.tenant_id = of_tenant and s.state_at >= from_at and s.state_at < until_at
  union all
  select n.state_at, n.id, n.kind || '_note', n.number, n."order", case n.kind when 'credit' then -n.amount_fen else n.amount_fen end, 0::bigint
    from notes n where n.state = 'confirmed' and n.tenant_id = of_tenant and n.state_at >= from_at and n.state_at < until_at
  union all
  select y.state_at, y.id, y.kind, y.number, y."order", 0::bigint, case y.kind when 'refund' then -y.amount_fen else y.amount_fen end
    from payments y where y.state = 'done' and y.tenant_id = of_tenant and y.state_at >= from_at and y.state_at < until_at
  union all
  select d.state_at, d.id, 'deposit', d.number, d."order", 0, d.amount_fen
    from deposits d where d.state = 'credited' and d.tenant_id = of_tenant and d.state_at >= from_at and d.state_at < until_at
  union all
  -- Came by the payment provider although nothing waited for it; its refund is a line of its own.
  select t.at, t.id, 'surplus', a.number, y."order", 0, t.amount_fen
    from pay_attempts a join pay_notices t on t.attempt = a.id join payments y on y.pay_notice = t.id
   where a.tenant_id = of_tenant and t.at >= from_at and t.at < until_at
$$;
alter table statement_months add column documents integer not null default 0;
insert into statement_marks (tenant_id, month) select tenant_id, month from statement_months;
