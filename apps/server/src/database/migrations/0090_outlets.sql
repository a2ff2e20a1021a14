-- What the public page of outlets shows of a service department beside its address and hours.
alter table service_departments
  add column department_name_en text not null default '',
  add column address_en text not null default '',
  add column services text[] not null default '{}',
  add column example boolean not null default false,
  add column shown boolean not null default true;
