-- Lines of the bank's statement. Money is fen.
create table bank_lines (
  id bigint constraint bank_lines_pk primary key,
  bank_reference text not null constraint bank_lines_bank_reference_unique unique,
  booked_on date not null,
  direction text not null constraint bank_lines_direction_known check (direction in ('in', 'out')),
  amount_fen bigint not null constraint bank_lines_amount_range check (amount_fen > 0),
  counterparty_name_encrypted text not null default '',
  counterparty_name_index bytea,
  counterparty_account_encrypted text not null default '',
  counterparty_account_index bytea,
  summary text not null default '',
  -- No money of trade; nothing is matched to it.
  aside boolean not null default false,
  note text not null default '',
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now()
);
create index bank_lines_booked_on_idx on bank_lines (booked_on, id);
create index deposits_refund_reference_idx on deposits (refund_reference) where refund_reference <> '';
-- Looked at for each line with a card's number.
create index bank_cards_number_idx on bank_cards (number_index) where number_index is not null;
create index payments_awaited_amount_idx on payments (amount_fen) where state = 'awaited';

-- A transfer is counted once: what comes in as a payment or a deposit, what goes out as a refund or a deposit that was given back.
create or replace function count_transfer_once() returns trigger language plpgsql as $$
declare
  reference text := case when tg_argv[0] = 'refund_reference' then to_jsonb(new)->>'refund_reference' else new.bank_reference end;
begin
  perform pg_advisory_xact_lock(hashtext('bank transfer ' || reference));
  if exists (select from payments y where y.bank_reference = reference and y.state in ('recorded', 'done')
                and not (tg_table_name = 'payments' and y.id = new.id))
     or exists (select from deposits d where d.bank_reference = reference and d.state <> 'void'
                and not (tg_table_name = 'deposits' and d.id = new.id and tg_argv[0] is null))
     or exists (select from deposits d where d.refund_reference = reference
                and not (tg_table_name = 'deposits' and d.id = new.id and tg_argv[0] is not null)) then
    raise unique_violation using message = 'transfer ' || reference || ' is counted already',
      constraint = tg_table_name || '_' || coalesce(tg_argv[0], 'bank_reference') || '_unique';
  end if;
  return new;
end $$;
create trigger deposits_refund_once before update of refund_reference on deposits for each row
  when (new.refund_reference <> '' and new.refund_reference is distinct from old.refund_reference)
  execute function count_transfer_once('refund_reference');

-- A line with what it pays: the payment or deposit that was recorded with its reference.
create view bank_line_rows as
  select b.*, coalesce(m.number, '') as matched_to,
         case when m.number is not null then case when m.open then 'recorded' else 'done' end
              when b.aside then 'aside' else 'unmatched' end as matching,
         case when m.number is null and not b.aside
              then greatest(0, (now() at time zone 'Asia/Shanghai')::date - b.booked_on) end as waiting_days
    from bank_lines b
    left join lateral (
      select y.number, y.state = 'recorded' as open from payments y
       where y.bank_reference = b.bank_reference and y.state in ('recorded', 'done')
      union all
      select d.number, d.state = 'recorded' from deposits d
       where d.bank_reference = b.bank_reference and d.bank_reference <> '' and d.state <> 'void'
      union all
      select d.number, false from deposits d where d.refund_reference = b.bank_reference and d.refund_reference <> ''
      limit 1) m on true;
