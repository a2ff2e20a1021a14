-- The unit whose heads a plan sells, for fields that are farms of the group.
alter table sale_plans add column unit bigint constraint sale_plans_unit_fk references units;
create index sale_plans_unit_idx on sale_plans (unit) where unit is not null;
