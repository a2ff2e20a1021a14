-- Provinces, cities and counties by their code of GB/T 2260; the parent's code is the code without its last two digits.
create table regions (
  code text constraint regions_pk primary key constraint regions_code_form check (code ~ '^\d{2}(\d{2}(\d{2})?)?$'),
  parent_code text not null,
  name text not null
);
create index regions_parent_idx on regions (parent_code, code);
