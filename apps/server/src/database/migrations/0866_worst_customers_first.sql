-- Customers stand in the order of the worst that a rule finds of them, and only then by how long it lasts.
-- Place of a rule, the worst first, as customerRules of the contract has them.
create function customer_rule_rank(of_rule text) returns smallint language sql immutable parallel safe as $$
  select array_position(array['licence_expired', 'authentication_suspended', 'complaint_overdue', 'sign_in_locked', 'phone_on_hold',
    'device_silent', 'owner_disabled', 'licence_expiring'], of_rule)::smallint
$$;
-- The first place among a customer's rules; null for none. Kept as the other columns are.
alter table customer_entries add column worst smallint;
update customer_entries e set worst = f.worst
  from (select tenant_id, min(customer_rule_rank(rule)) as worst from customer_findings group by tenant_id) f where f.tenant_id = e.tenant_id;
create or replace function write_customer_entries(ids text[]) returns void language plpgsql as $$
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
         lower(t.name || E'\n' || coalesce(p.account, '')),
         (select min(f.since_at) from customer_findings f where f.tenant_id = t.tenant_id),
         lower(coalesce(p.real_name, '')),
         (select min(customer_rule_rank(f.rule)) from customer_findings f where f.tenant_id = t.tenant_id)
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
        authentication = excluded.authentication, region_code = excluded.region_code, ended_at = excluded.ended_at, words = excluded.words,
        abnormal_since = excluded.abnormal_since, contact_key = excluded.contact_key, worst = excluded.worst
    where held is distinct from excluded;
end $$;
drop index customer_entries_abnormal_idx;
create index customer_entries_abnormal_idx on customer_entries (worst, abnormal_since, tenant_id) include (state, kind, authentication)
  where abnormal_since is not null;
drop index customer_entries_list_idx;
create index customer_entries_list_idx on customer_entries (worst, abnormal_since, created_at desc, tenant_id desc)
  include (state, kind, authentication);
