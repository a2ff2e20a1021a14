-- Forms that visitors of the public site sent, and what became of them.
create table site_forms (
  id bigint constraint site_forms_pk primary key,
  form_number text not null constraint site_forms_form_number_unique unique,
  kind text not null,
  state text not null default 'new' constraint site_forms_state_known check (state in ('new', 'working', 'done', 'refused')),
  contact_name text not null,
  contact_phone_encrypted text not null default '',
  contact_phone_index bytea,
  contact_email_encrypted text not null default '',
  contact_email_index bytea,
  organization text not null default '',
  region_code text not null default '',
  service bigint constraint site_forms_service_fk references product_services,
  product text not null default '',
  solution text not null default '',
  partner_kind text not null default '',
  wished_on date,
  content text not null default '',
  form_language text not null default 'zh',
  note text not null default '',
  assignee_id bigint constraint site_forms_assignee_fk references accounts on delete set null,
  version integer not null default 1,
  created_by bigint,
  created_dept bigint,
  created_at timestamptz not null default now(),
  updated_by bigint,
  updated_at timestamptz not null default now(),
  -- A form ends with what came of it.
  constraint site_forms_end_told check (state not in ('done', 'refused') or note <> '')
);
create index site_forms_state_idx on site_forms (state, id desc);

create view site_form_list as
select f.*, coalesce(nullif(a.real_name, ''), a.account, '') as assignee_name
  from site_forms f left join accounts a on a.id = f.assignee_id;
