-- What customers owe by month, so that a statement reads one month and not the whole history. The sums are worked out anew where a document
-- counted, or no longer counts; marks are only added, as for sale_days.
create table statement_months (
  tenant_id text not null constraint statement_months_tenant_fk references tenants,
  -- First day, in Asia/Shanghai.
  month date not null,
  debit_fen bigint not null,
  credit_fen bigint not null,
  constraint statement_months_pk primary key (tenant_id, month)
);
create table statement_marks (
  id bigint generated always as identity constraint statement_marks_pk primary key,
  tenant_id text not null,
  month date not null
);

-- Documents of a customer in a span of time, [from, until).
drop view statement_lines;
create function statement_lines(of_tenant text, from_at timestamptz, until_at timestamptz)
returns table (at timestamptz, id bigint, kind text, number text, "order" bigint, debit_fen bigint, credit_fen bigint)
language sql stable as $$
  select s.state_at, s.id, 'settlement', s.number, s."order", s.total_fen, 0::bigint
    from settlements s
   where s.state = 'confirmed' and s.tenant_id = of_tenant and s.state_at >= from_at and s.state_at < until_at
  union all
  select n.state_at, n.id, n.kind || '_note', n.number, n."order", case n.kind when 'debit' then n.amount_fen else 0 end,
         case n.kind when 'credit' then n.amount_fen else 0 end
    from notes n where n.state = 'confirmed' and n.tenant_id = of_tenant and n.state_at >= from_at and n.state_at < until_at
  union all
  select y.state_at, y.id, y.kind, y.number, y."order", case y.kind when 'refund' then y.amount_fen else 0 end,
         case y.kind when 'refund' then 0 else y.amount_fen end
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
create index settlements_statement_idx on settlements (tenant_id, state_at) where state = 'confirmed';
create index payments_statement_idx on payments (tenant_id, state_at) where state = 'done';
create index notes_statement_idx on notes (tenant_id, state_at) where state = 'confirmed';
create index deposits_statement_idx on deposits (tenant_id, state_at) where state = 'credited';

create function statement_month(of_time timestamptz) returns date language sql immutable parallel safe as $$
  select date_trunc('month', of_time at time zone 'Asia/Shanghai')::date
$$;
-- @param the state in which a document of the table counts
create function mark_statement() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.state = tg_argv[0] then
    insert into statement_marks (tenant_id, month) values (old.tenant_id, statement_month(old.state_at));
  end if;
  if new.state = tg_argv[0] then
    insert into statement_marks (tenant_id, month) values (new.tenant_id, statement_month(new.state_at));
  end if;
  return null;
end $$;
create trigger settlements_stated after insert or update on settlements for each row execute function mark_statement('confirmed');
create trigger notes_stated after insert or update on notes for each row execute function mark_statement('confirmed');
create trigger payments_stated after insert or update on payments for each row execute function mark_statement('done');
create trigger deposits_stated after insert or update on deposits for each row execute function mark_statement('credited');
create function mark_surplus() returns trigger language plpgsql as $$
begin
  insert into statement_marks (tenant_id, month)
  select a.tenant_id, statement_month(t.at) from pay_notices t join pay_attempts a on a.id = t.attempt where t.id = new.pay_notice;
  return null;
end $$;
create trigger payments_surplus after insert or update of pay_notice on payments for each row when (new.pay_notice is not null)
  execute function mark_surplus();

insert into statement_marks (tenant_id, month)
select tenant_id, statement_month(state_at) from settlements where state = 'confirmed'
union select tenant_id, statement_month(state_at) from notes where state = 'confirmed'
union select tenant_id, statement_month(state_at) from payments where state = 'done'
union select tenant_id, statement_month(state_at) from deposits where state = 'credited'
union select a.tenant_id, statement_month(t.at) from pay_notices t join pay_attempts a on a.id = t.attempt
        join payments y on y.pay_notice = t.id;
