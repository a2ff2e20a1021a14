-- What the desk's list of contracts needs over 100,000 of them, as its list of orders does (decision 0190).

-- A word is looked for in one index: number, titles, and the customer's name, also after the customer is called otherwise.
alter table contracts add column customer text not null default '';
update contracts c set customer = t.name from tenants t where t.tenant_id = c.tenant_id;
alter table contracts add column words text not null
  generated always as (lower(number || E'\n' || title || E'\n' || title_en || E'\n' || customer)) stored;
create index contracts_words_idx on contracts using gin (word_pieces(words));

-- Of orders and of contracts.
alter function name_customer_of_work_order() rename to name_customer;
create trigger contracts_named before insert on contracts for each row execute function name_customer();
create function rename_customer_of_contracts() returns trigger language plpgsql as $$
begin
  update contracts k set customer = c.name from changed c join before b using (tenant_id)
   where c.name <> b.name and k.tenant_id = c.tenant_id;
  return null;
end $$;
create trigger tenants_renamed_of_contracts after update on tenants referencing old table as before new table as changed
  for each statement execute function rename_customer_of_contracts();

-- Figures of the last 30 days.
create index contracts_signed_at_idx on contracts (signed_at) include (amount_fen, sent_at) where signed_at is not null;

-- Each row was written anew: lists are planned by what the columns hold now.
analyze contracts;
