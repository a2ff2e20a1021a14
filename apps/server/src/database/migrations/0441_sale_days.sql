-- Trade by loading day, field and category, for reports over millions of orders. A step marks what it touched; the report works out anew what
-- is marked, so that it always is the sum of its lines. Marks are only added, as steps of one day must not wait for each other.
create table sale_days (
  field bigint not null constraint sale_days_field_fk references sale_fields,
  day date not null,
  category text not null,
  planned_heads bigint not null,
  offered_heads bigint not null,
  sold_heads bigint not null,
  orders integer not null,
  cancelled_orders integer not null,
  loaded_heads bigint not null,
  -- Of confirmed settlements.
  net_grams bigint not null,
  goods_fen bigint not null,
  dead_grams bigint not null,
  -- Net weight times the market price of the loading day, where there is one, and the net weight that it is of.
  market_fen_grams numeric not null,
  market_grams bigint not null,
  -- Of completed orders: seconds from the plan's entry to the completion.
  money_seconds numeric not null,
  completed_orders integer not null,
  constraint sale_days_pk primary key (day, field, category)
);
create table sale_day_marks (
  id bigint generated always as identity constraint sale_day_marks_pk primary key,
  field bigint not null,
  day date not null
);

create function mark_sale_plan() returns trigger language plpgsql as $$
begin
  insert into sale_day_marks (field, day) select distinct of.field, of.day from (values (new.field, new.day), (old.field, old.day)) of (field, day)
   where of.field is not null;
  return null;
end $$;
create trigger sale_plans_marked after insert or update of state, heads, field, day, category on sale_plans
  for each row execute function mark_sale_plan();

create function mark_sale_order() returns trigger language plpgsql as $$
begin
  insert into sale_day_marks (field, day) select p.field, p.day from sale_plans p where p.id = new.plan;
  return null;
end $$;
create trigger sale_orders_marked after insert or update of state, heads on sale_orders
  for each row execute function mark_sale_order();

create function mark_order_part() returns trigger language plpgsql as $$
begin
  insert into sale_day_marks (field, day)
  select p.field, p.day from sale_orders o join sale_plans p on p.id = o.plan where o.id = new."order";
  return null;
end $$;
create trigger weighings_marked after insert or update of state on weighings for each row execute function mark_order_part();
create trigger settlements_marked after insert or update of state on settlements for each row execute function mark_order_part();

-- A price of a day that is published or corrected later counts for what was loaded on it.
create function mark_price_day() returns trigger language plpgsql as $$
begin
  insert into sale_day_marks (field, day) select distinct p.field, p.day from sale_plans p where p.day = new.price_day;
  return null;
end $$;
create trigger price_entries_marked after insert or update of state, fen on price_entries for each row
  when (new.state = 'published') execute function mark_price_day();

insert into sale_day_marks (field, day) select distinct field, day from sale_plans;
