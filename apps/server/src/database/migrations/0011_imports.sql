-- Imports of sheets: what was read, what stands against it, and what was written, so that a batch can be taken back.

create table imports (
  id bigint constraint imports_pk primary key,
  tenant_id text not null constraint imports_tenant_fk references tenants,
  account_id bigint not null constraint imports_account_fk references accounts,
  resource text not null,
  attachment_id bigint not null,
  file_name text not null,
  state text not null constraint imports_state_known
    check (state in ('checking', 'checked', 'writing', 'written', 'undone', 'failed', 'cancelled')),
  job_id bigint,
  columns jsonb not null default '[]',
  written integer not null default 0,
  failure text not null default '',
  created_at timestamptz not null default now(),
  written_at timestamptz
);
create index imports_resource_idx on imports (resource, tenant_id, id);

create table import_rows (
  import_id bigint not null constraint import_rows_import_fk references imports on delete cascade,
  row_number integer not null,
  cells jsonb not null,
  problems jsonb not null default '[]',
  -- The row that it changes, or that it added once it is written.
  row_id bigint,
  adds boolean not null default true,
  -- What the columns held before, to take a change back, and the version that the change left.
  before jsonb,
  version integer,
  constraint import_rows_pk primary key (import_id, row_number)
);
create index import_rows_problems_idx on import_rows (import_id, row_number) where problems <> '[]';
