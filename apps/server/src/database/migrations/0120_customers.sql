-- Customers as the group sees them: what it writes of them, one narrow table that lists are filtered and sorted by, and what the
-- rules of abnormal customers found.

create table customer_profiles (
  tenant_id text constraint customer_profiles_pk primary key constraint customer_profiles_tenant_fk references tenants on delete cascade,
  -- Whom the group talks to, encrypted; "" for the first member.
  contact_name_encrypted text not null default '',
  -- 2, 4 or 6 digits of the national divisions; "" for that of the first member's address.
  region_code text not null default '' constraint customer_profiles_region_code_form check (region_code ~ '^(\d{2}(\d{2}(\d{2})?)?)?$'),
  -- The group's own; the customer never sees it.
  remark text not null default '',
  version integer not null default 1,
  updated_by bigint,
  updated_at timestamptz not null default now()
);

-- A row for each customer, kept by triggers in the transaction of what changes (as member_entries).
create table customer_entries (
  tenant_id text constraint customer_entries_pk primary key constraint customer_entries_tenant_fk references tenants on delete cascade,
  -- Its owner, else its first member that is still there; null for none.
  account_id bigint,
  name text not null,
  kind text not null,
  state text not null constraint customer_entries_state_known check (state in ('active', 'disabled', 'cancelled')),
  authentication text not null
    constraint customer_entries_authentication_known check (authentication in ('none', 'reviewing', 'rejected', 'passed', 'suspended')),
  region_code text not null,
  created_at timestamptz not null,
  -- When the last account went.
  ended_at timestamptz,
  -- What a keyword is looked for in, in lower case: name, login name and the first member's name, a line each.
  words text not null
);
-- Pages and counts touch no row.
create index customer_entries_created_at_idx on customer_entries (created_at desc, tenant_id desc) include (state, kind, authentication);
create index customer_entries_state_idx on customer_entries (state, kind, authentication);
create index customer_entries_region_idx on customer_entries (region_code text_pattern_ops) include (state, kind, authentication) where region_code <> '';
create index customer_entries_ended_idx on customer_entries (ended_at desc, tenant_id desc) where state = 'cancelled';
create index customer_entries_words_idx on customer_entries using gin (word_pieces(words));
create index real_name_applications_tenant_idx on real_name_applications (tenant_id);

create function write_customer_entries(ids text[]) returns void language plpgsql as $$
begin
  -- Changes of one customer wait for each other here, so that the statement below sees what the other wrote.
  perform from tenants where tenant_id = any(ids) order by tenant_id for no key update;
  insert into customer_entries as held
  select t.tenant_id, p.account_id, t.name, t.type,
         case when p.account_id is null then 'cancelled' when t.status <> 1 or p.usable <> 1 then 'disabled' else 'active' end,
         coalesce(r.authentication, 'none'),
         coalesce(nullif(c.region_code, ''), d.region_code, ''),
         t.created_at,
         case when p.account_id is null then coalesce(h.ended_at, now()) end,
         lower(t.name || E'\n' || coalesce(p.account, '') || E'\n' || coalesce(p.real_name, ''))
    from tenants t
    left join lateral (
      select m.account_id, a.account, a.real_name,
             (exists (select from memberships o join accounts b on b.id = o.account_id
                       where o.tenant_id = t.tenant_id and o.status = 1 and b.status = 1 and b.removed_at is null))::int as usable
        from memberships m join accounts a on a.id = m.account_id
       where m.tenant_id = t.tenant_id and a.removed_at is null
       order by exists (select from membership_roles mr join roles o on o.id = mr.role_id
                         where mr.membership_id = m.id and o.role_alias = 'owner') desc, m.created_at, m.id limit 1) p on true
    left join customer_profiles c on c.tenant_id = t.tenant_id
    left join addresses d on d.account_id = p.account_id
    left join lateral (
      select case n.state when 'passed' then 'passed' when 'suspended' then 'suspended' when 'rejected' then 'rejected' else 'reviewing' end
               as authentication
        from real_name_applications n
       where n.tenant_id = t.tenant_id and n.state in ('passed', 'suspended', 'rejected', 'remitting', 'waiting', 'second_look')
       order by n.state in ('passed', 'suspended') desc, n.id desc limit 1) r on true
    left join customer_entries h on h.tenant_id = t.tenant_id
   where t.tenant_id = any(ids) and t.type <> 'group'
  on conflict (tenant_id) do update
    set account_id = excluded.account_id, name = excluded.name, kind = excluded.kind, state = excluded.state,
        authentication = excluded.authentication, region_code = excluded.region_code, ended_at = excluded.ended_at, words = excluded.words
    where held is distinct from excluded;
end $$;

create function keep_customer_entries() returns trigger language plpgsql as $$
begin
  perform write_customer_entries(array(select distinct tenant_id from changed));
  return null;
end $$;
create trigger tenants_added_to_customers after insert on tenants referencing new table as changed
  for each statement execute function keep_customer_entries();
create trigger memberships_added_to_customers after insert on memberships referencing new table as changed
  for each statement execute function keep_customer_entries();
create trigger memberships_changed_of_customers after update on memberships referencing new table as changed
  for each statement execute function keep_customer_entries();
create trigger memberships_removed_of_customers after delete on memberships referencing old table as changed
  for each statement execute function keep_customer_entries();
create function keep_customer_entries_of_roles() returns trigger language plpgsql as $$
begin
  perform write_customer_entries(array(select distinct m.tenant_id from changed c join memberships m on m.id = c.membership_id));
  return null;
end $$;
create trigger membership_roles_added_to_customers after insert on membership_roles referencing new table as changed
  for each statement execute function keep_customer_entries_of_roles();
create trigger membership_roles_removed_of_customers after delete on membership_roles referencing old table as changed
  for each statement execute function keep_customer_entries_of_roles();
create trigger customer_profiles_added after insert on customer_profiles referencing new table as changed
  for each statement execute function keep_customer_entries();
create trigger customer_profiles_changed after update on customer_profiles referencing new table as changed
  for each statement execute function keep_customer_entries();
create trigger real_name_added_to_customers after insert on real_name_applications referencing new table as changed
  for each statement execute function keep_customer_entries();

-- Where most changes are none of a customer's list, only those that are look further.
create function keep_customer_entries_of_tenants() returns trigger language plpgsql as $$
begin
  perform write_customer_entries(array(
    select c.tenant_id from changed c join before b using (tenant_id)
     where (c.name, c.type, c.status) is distinct from (b.name, b.type, b.status)));
  return null;
end $$;
create trigger tenants_changed_of_customers after update on tenants referencing old table as before new table as changed
  for each statement execute function keep_customer_entries_of_tenants();

create function keep_customer_entries_of_real_names() returns trigger language plpgsql as $$
begin
  perform write_customer_entries(array(
    select distinct c.tenant_id from changed c join before b using (id) where c.state <> b.state));
  return null;
end $$;
create trigger real_name_changed_of_customers after update on real_name_applications referencing old table as before new table as changed
  for each statement execute function keep_customer_entries_of_real_names();

create function keep_customer_entries_of_accounts() returns trigger language plpgsql as $$
begin
  perform write_customer_entries(array(
    select distinct m.tenant_id from changed c join before b using (id) join memberships m on m.account_id = c.id
     where (c.account, c.real_name, c.status, c.removed_at) is distinct from (b.account, b.real_name, b.status, b.removed_at)));
  return null;
end $$;
create trigger accounts_changed_of_customers after update on accounts referencing old table as before new table as changed
  for each statement execute function keep_customer_entries_of_accounts();

create function keep_customer_entries_of_addresses() returns trigger language plpgsql as $$
begin
  perform write_customer_entries(array(
    select distinct m.tenant_id from changed c join memberships m on m.account_id = c.account_id));
  return null;
end $$;
create trigger addresses_added_to_customers after insert on addresses referencing new table as changed
  for each statement execute function keep_customer_entries_of_addresses();
create trigger addresses_changed_of_customers after update on addresses referencing new table as changed
  for each statement execute function keep_customer_entries_of_addresses();

select write_customer_entries(array(select tenant_id from tenants where type <> 'group'));

-- What the rules found: one row per customer and rule, gone when it no longer holds.
create table customer_findings (
  tenant_id text not null constraint customer_findings_tenant_fk references tenants on delete cascade,
  rule text not null,
  since_at timestamptz not null,
  -- What it is about: a day, how often, how many.
  detail text not null default '',
  found_at timestamptz not null default now(),
  constraint customer_findings_pk primary key (tenant_id, rule)
);
create index customer_findings_rule_idx on customer_findings (rule, since_at);
create index customer_findings_since_idx on customer_findings (since_at);
-- When the rules were looked at last.
create table customer_looks (
  id smallint constraint customer_looks_pk primary key default 1 constraint customer_looks_one check (id = 1),
  looked_at timestamptz not null
);
create index account_events_locked_idx on account_events (created_at, account_id) where kind = 'log_in_locked';
