-- What the group keeps of a tenant beside its name.
create sequence tenant_row_ids;
alter table tenants
  add column id bigint not null default (1560000000000900000 + nextval('tenant_row_ids')) constraint tenants_id_unique unique,
  add column domain_url text not null default '',
  add column background_url text not null default '',
  add column linkman text not null default '',
  add column contact_number_encrypted text not null default '',
  add column contact_number_index bytea,
  add column address text not null default '',
  -- Most members; -1 for no limit.
  add column account_number integer not null default -1 constraint tenants_account_number_known check (account_number >= -1),
  -- From then on nobody logs in there.
  add column expire_time timestamptz;
create unique index tenants_domain_url_unique on tenants (lower(domain_url)) where domain_url <> '';
