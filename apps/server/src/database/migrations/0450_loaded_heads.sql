-- Heads that leave a unit with an order, and what its weighing corrected.
alter table inventory_movements add column sale_order bigint constraint inventory_movements_sale_order_fk references sale_orders;
create index inventory_movements_sale_order_idx on inventory_movements (sale_order) where sale_order is not null;
-- An order takes heads of a category once.
create unique index inventory_movements_sale_order_unique on inventory_movements (sale_order, category) where kind = 'sale' and sale_order is not null;
