-- What lists of roles, posts, departments and dictionaries count beside each row.

create view role_list as
select r.*, (select count(*)::int from membership_roles m where m.role_id = r.id) as persons
  from roles r;

create view post_list as
select p.*, (select count(*)::int from membership_posts m where m.post_id = p.id) as persons
  from posts p;

create view department_list as
select d.*, (select count(*)::int from membership_departments m where m.department_id = d.id) as persons
  from departments d;

create view dictionary_list as
select d.*, case when d.parent_id is null then (select count(*)::int from dictionaries v where v.parent_id = d.id) end as entries
  from dictionaries d;

create view business_dictionary_list as
select d.*, case when d.parent_id is null then (select count(*)::int from business_dictionaries v where v.parent_id = d.id) end as entries
  from business_dictionaries d;
