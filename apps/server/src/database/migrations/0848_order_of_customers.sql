-- The list of customers: those that a rule finds first, the longest found before, then the newest.
create index customer_entries_list_idx on customer_entries (abnormal_since, created_at desc, tenant_id desc)
  include (state, kind, authentication);
