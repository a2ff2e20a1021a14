-- Fixed pages of the site that were seeded once. A page that comes with a later version is added to an installation that has content,
-- and one that editors removed stays away.
create table seeded_pages (
  page text constraint seeded_pages_pk primary key
);
insert into seeded_pages (page)
select unnest(array['biosafety', 'wisdom', 'evcManure', 'ammoniaDeodorization', 'highStandardFarmland', 'environmentalControl',
                    'pigFarmDesign', 'privacy', 'terms'])
 where exists (select from articles);
