-- Customers' applications for the invoices of settled orders. Money is fen.
create table invoices (
  id bigint constraint invoices_pk primary key,
  tenant_id text not null constraint invoices_tenant_fk references tenants,
  number text not null constraint invoices_number_unique unique,
  "order" bigint not null constraint invoices_order_fk references sale_orders,
  settlement bigint not null constraint invoices_settlement_fk references settlements,
  kind text not null constraint invoices_kind_known check (kind in ('ordinary', 'special')),
  amount_fen bigint not null constraint invoices_amount_range check (amount_fen > 0),
  title text not null,
  tax_number text not null default '',
  address text not null default '',
  bank text not null default '',
  bank_account_encrypted text not null default '',
  bank_account_index bytea,
  invoice_number text not null default '',
  issued_on date,
  issued_by bigint,
  red_number text not null default '',
  state text not null constraint invoices_state_known check (state in ('applied', 'issued', 'returned', 'withdrawn', 'reversed')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint, created_dept bigint, created_at timestamptz not null default now(),
  updated_by bigint, updated_at timestamptz not null default now()
);
create index invoices_queue_idx on invoices (tenant_id, state, id);
create index invoices_order_idx on invoices ("order");
-- A settlement is invoiced once.
create unique index invoices_settlement_unique on invoices (settlement) where state not in ('returned', 'withdrawn');
-- A number of the tax authority names one invoice.
create unique index invoices_invoice_number_unique on invoices (invoice_number) where invoice_number <> '';
create unique index invoices_red_number_unique on invoices (red_number) where red_number <> '';
