-- A text's characters, pairs and triples of neighbours: a pair of digits is in too many of a million numbers.
create function word_grams(words text) returns text[]
  language sql immutable strict parallel safe
  return word_pieces(words) || string_to_array(
    regexp_replace(words, '(...)', E'\\1\u0001', 'g') || E'\u0001'
      || regexp_replace(substr(words, 2), '(...)', E'\\1\u0001', 'g') || E'\u0001'
      || regexp_replace(substr(words, 3), '(...)', E'\\1\u0001', 'g'), E'\u0001');

-- Words of lists of trade, among millions of rows: each resource with `wordIndex` has its searched fields here, in their order.
create index declarations_words_idx on declarations using gin (word_grams(lower(coalesce(number, '') || E'\n' || coalesce(plate, ''))));
create index deposits_words_idx on deposits using gin (word_grams(lower(coalesce(number, '') || E'\n' || coalesce(bank_reference, '') || E'\n' || coalesce(refund_reference, ''))));
create index sale_orders_words_idx on sale_orders using gin (word_grams(lower(coalesce(number, '') || E'\n' || coalesce(plate, ''))));
create index payments_words_idx on payments using gin (word_grams(lower(coalesce(number, '') || E'\n' || coalesce(bank_reference, ''))));
create index pay_attempts_words_idx on pay_attempts using gin (word_grams(lower(coalesce(number, '') || E'\n' || coalesce(reference, ''))));
create index transits_words_idx on transits using gin (word_grams(lower(coalesce(number, '') || E'\n' || coalesce(plate, '') || E'\n' || coalesce(driver_name, '') || E'\n' || coalesce(disinfection_number, '') || E'\n' || coalesce(quarantine_number, ''))));
create index weighings_words_idx on weighings using gin (word_grams(lower(coalesce(number, '') || E'\n' || coalesce(plate, ''))));
create index arrival_weighings_words_idx on arrival_weighings using gin (word_grams(lower(coalesce(number, '') || E'\n' || coalesce(plate, ''))));
create index settlements_words_idx on settlements using gin (word_grams(lower(coalesce(number, ''))));
create index invoices_words_idx on invoices using gin (word_grams(lower(coalesce(number, '') || E'\n' || coalesce(title, '') || E'\n' || coalesce(invoice_number, '') || E'\n' || coalesce(red_number, ''))));

-- Without columns of the joined rows nothing is joined, so that rows of a state are counted in their index.
create or replace view sale_order_rows as
  select o.*, p.field, p.day, p.category, p.mode,
         (coalesce((select sum(case when y.kind = 'refund' then -y.amount_fen else y.amount_fen end) from payments y
                     where y."order" = o.id and y.state = 'done' and y.pay_notice is null), 0)
          + coalesce((select sum(d.amount_fen) from deposits d where d."order" = o.id and d.state = 'credited'), 0))::bigint as paid_fen
    from sale_orders o left join sale_plans p on p.id = o.plan;
create or replace view declaration_rows as
  select d.*, p.field, p.day, p.category from declarations d left join sale_plans p on p.id = d.plan;
create or replace view transit_rows as
  select t.*, p.day, o.created_by as buyer, o.state as order_state, clock_timestamp() as looked_at,
         ((t.quarantine_until + 1)::timestamp at time zone 'Asia/Shanghai') as quarantine_ends,
         case when exists (select from transit_flags g where g.transit = t.id) then 'yes' else 'no' end as flagged
    from transits t left join sale_orders o on o.id = t."order" left join sale_plans p on p.id = o.plan;
create or replace view settlement_rows as
  select s.*, o.created_by as buyer from settlements s left join sale_orders o on o.id = s."order";
create or replace view arrival_weighing_rows as
  select a.*, a.gross_grams - a.tare_grams as net_grams, o.created_by as buyer,
         round(100000.0 * (a.gross_grams - a.tare_grams - a.loading_grams) / a.loading_grams)::int as difference_share
    from arrival_weighings a left join sale_orders o on o.id = a."order";
