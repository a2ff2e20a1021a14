-- These functions look up the rows beside a few changed ones. Their plans are kept for the connection: one made while a table was
-- small read the whole table for each part of an import.
do $$
declare
  name text;
begin
  foreach name in array array['keep_customer_entries_of_roles()', 'keep_customer_entries_of_accounts()',
    'keep_customer_entries_of_addresses()', 'keep_member_entries_of_accounts()', 'write_member_entries(bigint[])'] loop
    execute format('alter function %s set enable_seqscan = off', name);
    execute format('alter function %s set enable_hashjoin = off', name);
    execute format('alter function %s set enable_mergejoin = off', name);
  end loop;
end $$;
