-- What an order is found by, beside its customer's name; by pairs of characters, as customers and members are (0031).
alter table work_orders add column words text not null generated always as (lower(number || E'\n' || title || E'\n' || device_name)) stored;
create index work_orders_words_idx on work_orders using gin (word_pieces(words));
-- The desk's figures are of the last 30 days.
create index work_orders_created_idx on work_orders (created_at);
