-- What the desk's lists need over a million orders and 200,000 customers (decision 0190).

-- How many orders of a type there are, by spans of ids that take some 19 hours each: the total and the place of a page without counting rows.
create table work_order_counts (
  -- An id without its last 48 bits.
  span integer not null,
  type text not null,
  count integer not null,
  constraint work_order_counts_pk primary key (span, type)
);
insert into work_order_counts (span, type, count) select id >> 48, type, count(*) from work_orders group by 1, 2;

create function count_added_work_orders() returns trigger language plpgsql as $$
begin
  insert into work_order_counts as held (span, type, count)
  select id >> 48, type, count(*) from changed group by 1, 2 order by 1, 2
  on conflict (span, type) do update set count = held.count + excluded.count;
  return null;
end $$;
create trigger work_orders_added_to_counts after insert on work_orders referencing new table as changed
  for each statement execute function count_added_work_orders();
create function count_removed_work_orders() returns trigger language plpgsql as $$
begin
  update work_order_counts held set count = held.count - gone.count
    from (select id >> 48 as span, type, count(*)::int as count from changed group by 1, 2 order by 1, 2) gone
   where (held.span, held.type) = (gone.span, gone.type);
  return null;
end $$;
create trigger work_orders_removed_from_counts after delete on work_orders referencing old table as changed
  for each statement execute function count_removed_work_orders();

-- A word is looked for in one index: with the customer's name beside number, title and device, also after the customer is called otherwise.
drop index work_orders_words_idx;
alter table work_orders drop column words;
alter table work_orders add column customer text not null default '';
update work_orders w set customer = t.name from tenants t where t.tenant_id = w.tenant_id;
alter table work_orders add column words text not null
  generated always as (lower(number || E'\n' || title || E'\n' || device_name || E'\n' || customer)) stored;
create index work_orders_words_idx on work_orders using gin (word_pieces(words));

create function name_customer_of_work_order() returns trigger language plpgsql as $$
begin
  -- The lock waits for a new name that is on its way; a row that comes before it is written anew by it.
  select name into new.customer from tenants where tenant_id = new.tenant_id for share;
  new.customer := coalesce(new.customer, '');
  return new;
end $$;
create trigger work_orders_named before insert on work_orders for each row execute function name_customer_of_work_order();
create function rename_customer_of_work_orders() returns trigger language plpgsql as $$
begin
  update work_orders w set customer = c.name from changed c join before b using (tenant_id)
   where c.name <> b.name and w.tenant_id = c.tenant_id;
  return null;
end $$;
create trigger tenants_renamed_of_work_orders after update on tenants referencing old table as before new table as changed
  for each statement execute function rename_customer_of_work_orders();

-- Open orders by what is due first; pages and counts of the queues read the index alone.
create index work_orders_due_idx
  on work_orders ((least(case when first_answered_at is null then first_due_at end, solve_due_at)), id)
  include (state, type, assignee_id, first_answered_at, first_due_at, solve_due_at, created_at, words)
  where state in ('pending', 'in_process', 'waiting_customer');
-- Orders of a type, and whoever had them.
create index work_orders_type_idx on work_orders (type, id);
create index work_orders_assigned_idx on work_orders (assignee_id, id) include (type) where assignee_id is not null;
create index work_orders_solved_by_idx on work_orders (assignee_id, solved_at) include (state, rating) where solved_at is not null;
-- Figures of the last 30 days.
drop index work_orders_created_idx;
create index work_orders_created_idx
  on work_orders (created_at) include (type, first_answered_at, first_due_at, solved_at, solve_due_at, rating);
-- The primary key is read backwards as fast.
drop index work_orders_newest_idx;

-- What reviewers decided, the newest first, and the names that they look for.
drop index real_name_applications_decided_idx;
create index real_name_applications_decided_idx on real_name_applications (decided_at, id) include (state, kind) where decided_at is not null;
create index real_name_applications_words_idx on real_name_applications using gin (word_pieces(lower(title)));
