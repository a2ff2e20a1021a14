-- What administrators keep of the people in their tenant, and the dictionary whose words forms offer.

alter table accounts
  -- Platform of the family's user table: 1 web, 2 app, 3 other.
  add column user_type smallint not null default 1 constraint accounts_user_type_known check (user_type in (1, 2, 3)),
  -- 1 male, 2 female, 3 unknown.
  add column sex smallint not null default 3 constraint accounts_sex_known check (sex in (1, 2, 3)),
  add column birthday date,
  -- As phone_box.
  add column email_box text not null default '',
  -- When its owner proved the number by a code. One that an administrator typed is none until then.
  add column phone_verified_at timestamptz,
  -- Set when the last membership was removed: the row stays for what points at it, without anything personal.
  add column removed_at timestamptz,
  -- Moves with each change by an administrator, so that two editors do not overwrite each other.
  add column version integer not null default 1;
update accounts set phone_verified_at = coalesce(phone_changed_at, created_at) where phone_index is not null;

-- Number of a person in the tenant's own books.
alter table memberships add column code text not null default '';

create table dictionaries (
  id bigint constraint dictionaries_pk primary key,
  -- None for the row that names a code.
  parent_id bigint constraint dictionaries_parent_fk references dictionaries,
  code text not null,
  -- '-1' for the row that names a code.
  dict_key text not null,
  dict_value text not null,
  sort integer not null default 0,
  remark text not null default '',
  -- 1: not offered any more, but still readable where it was used.
  is_sealed smallint not null default 0 constraint dictionaries_is_sealed_known check (is_sealed in (0, 1)),
  constraint dictionaries_code_key_unique unique (code, dict_key)
);
create index dictionaries_parent_idx on dictionaries (parent_id);
