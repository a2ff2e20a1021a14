-- Who let a person into a tenant and who changed the membership or its account last, as other rows have it. Empty for those who
-- registered themselves.
alter table memberships
  add column created_by bigint,
  add column created_dept bigint,
  add column updated_by bigint;
