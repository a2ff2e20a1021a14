-- Imports that tell rows which exist as problems instead of changing them.
alter table imports add column refuses_existing boolean not null default false;

-- Members as sheets of users hold them: under the id of the account, with roles, departments and posts by their ids.
create view user_sheet_rows as
  select a.id, m.id as membership_id, m.tenant_id, a.user_type::text as user_type, a.account, a.nick_name as name, a.real_name,
         a.email_encrypted, a.phone_encrypted, coalesce(a.birthday::text, '') as birthday,
         array(select r.role_id::text from membership_roles r where r.membership_id = m.id order by r.role_id) as role_name,
         array(select d.department_id::text from membership_departments d where d.membership_id = m.id order by d.department_id) as dept_name,
         array(select p.post_id::text from membership_posts p where p.membership_id = m.id order by p.post_id) as post_name,
         a.version, m.created_by, m.created_dept, m.created_at, m.updated_by, a.updated_at
    from memberships m join accounts a on a.id = m.account_id
   where a.removed_at is null;
