-- Staff look at one state of all customers' rows; the other index begins with the customer.
create index sale_orders_state_idx on sale_orders (state, id);
create index payments_state_idx on payments (state, id);
create index settlements_state_idx on settlements (state, id);
create index transits_state_idx on transits (state, id);
create index weighings_state_idx on weighings (state, id);
create index invoices_state_idx on invoices (state, id);
create index declarations_state_idx on declarations (state, id);
