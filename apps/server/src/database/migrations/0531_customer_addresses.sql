-- The address of a customer below the county as the group knows it, encrypted; "" for that of the first member.
alter table customer_profiles add column address_encrypted text not null default '';
