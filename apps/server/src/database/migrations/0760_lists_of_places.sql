-- Of what waits for somebody the earliest stands first: the orders of lists with `urgent` as `orderOf` writes them.
drop index declarations_urgent_idx;
create index declarations_urgent_idx on declarations ((case state when 'submitted' then 2 when 'offered' then 1 else 0 end) desc, (case when (case state when 'submitted' then 2 when 'offered' then 1 else 0 end) > 0 then id end), id desc);
drop index sale_orders_urgent_idx;
create index sale_orders_urgent_idx on sale_orders ((case state when 'waiting_payment' then 5 when 'confirmed' then 4 when 'loading' then 3 when 'weighed' then 2 when 'settled' then 1 else 0 end) desc, (case when (case state when 'waiting_payment' then 5 when 'confirmed' then 4 when 'loading' then 3 when 'weighed' then 2 when 'settled' then 1 else 0 end) > 0 then id end), id desc);
drop index payments_urgent_idx;
create index payments_urgent_idx on payments ((case state when 'recorded' then 2 when 'awaited' then 1 else 0 end) desc, (case when (case state when 'recorded' then 2 when 'awaited' then 1 else 0 end) > 0 then id end), id desc);
drop index deposits_urgent_idx;
create index deposits_urgent_idx on deposits ((case state when 'returning' then 5 when 'forfeiting' then 4 when 'recorded' then 3 when 'awaited' then 2 when 'held' then 1 else 0 end) desc, (case when (case state when 'returning' then 5 when 'forfeiting' then 4 when 'recorded' then 3 when 'awaited' then 2 when 'held' then 1 else 0 end) > 0 then id end), id desc);
drop index pay_attempts_urgent_idx;
create index pay_attempts_urgent_idx on pay_attempts ((case state when 'surplus' then 3 when 'unknown' then 2 when 'started' then 1 else 0 end) desc, (case when (case state when 'surplus' then 3 when 'unknown' then 2 when 'started' then 1 else 0 end) > 0 then id end), id desc);
drop index transits_urgent_idx;
create index transits_urgent_idx on transits ((case state when 'planned' then 5 when 'ready' then 4 when 'loading' then 3 when 'departed' then 2 when 'arrived' then 1 else 0 end) desc, (case when (case state when 'planned' then 5 when 'ready' then 4 when 'loading' then 3 when 'departed' then 2 when 'arrived' then 1 else 0 end) > 0 then id end), id desc);
drop index weighings_urgent_idx;
create index weighings_urgent_idx on weighings ((case state when 'entered' then 1 else 0 end) desc, (case when (case state when 'entered' then 1 else 0 end) > 0 then id end), id desc);
drop index arrival_weighings_urgent_idx;
create index arrival_weighings_urgent_idx on arrival_weighings ((case state when 'disputed' then 1 else 0 end) desc, (case when (case state when 'disputed' then 1 else 0 end) > 0 then id end), id desc);
drop index settlements_urgent_idx;
create index settlements_urgent_idx on settlements ((case state when 'computed' then 1 else 0 end) desc, (case when (case state when 'computed' then 1 else 0 end) > 0 then id end), id desc);
drop index notes_urgent_idx;
create index notes_urgent_idx on notes ((case state when 'drafted' then 1 else 0 end) desc, (case when (case state when 'drafted' then 1 else 0 end) > 0 then id end), id desc);
drop index invoices_urgent_idx;
create index invoices_urgent_idx on invoices ((case state when 'applied' then 2 when 'returned' then 1 else 0 end) desc, (case when (case state when 'applied' then 2 when 'returned' then 1 else 0 end) > 0 then id end), id desc);

-- Farms and houses with what stands in them.
create view farm_list as
  select f.*, coalesce(u.units, 0) as units, coalesce(u.heads, 0) as heads,
         (select count(*)::integer from alarms a
           where a.farm_id = f.id and a.tenant_id = f.tenant_id and a.ended_at is null and not a.suppressed and not a.late) as alarms
    from farms f
    left join lateral (
      select count(*)::integer as units, sum(u.head_count)::integer as heads
        from pig_houses h join units u on u.house_id = h.id
       where h.farm_id = f.id and h.status = '1' and u.status = '1') u on true;
create view pig_house_list as
  select h.*, coalesce(u.units, 0) as units, coalesce(u.heads, 0) as heads, coalesce(u.capacity, 0) as capacity,
         (select count(*)::integer from alarms a
           where a.house_id = h.id and a.tenant_id = h.tenant_id and a.ended_at is null and not a.suppressed and not a.late) as alarms
    from pig_houses h
    left join lateral (
      select count(*)::integer as units, sum(u.head_count)::integer as heads, sum(u.capacity)::integer as capacity
        from units u where u.house_id = h.id and u.status = '1') u on true;

-- When a member signed in last.
create index sessions_membership_idx on sessions (membership_id, created_at desc);

-- A role with the number of people who hold it and of screens that it opens.
create or replace view role_list as
  select r.id, r.tenant_id, r.parent_id, r.role_name, r.role_alias, r.sort, r.created_at, r.updated_at, r.data_scope, r.remark, r.version,
         r.created_by, r.created_dept, r.updated_by, r.menus_version,
         (select count(*)::integer from membership_roles m where m.role_id = r.id) as persons,
         (select count(*)::integer from role_menus g join menus m on m.id = g.menu_id
           where g.role_id = r.id and m.category = 1 and m.path <> '') as screens
    from roles r;
