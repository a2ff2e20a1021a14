-- Where an outlet is, in millionths of a degree (WGS 84), so that the site can put the nearest first.
alter table service_departments
  add column latitude integer constraint service_departments_latitude_range check (latitude between -90000000 and 90000000),
  add column longitude integer constraint service_departments_longitude_range check (longitude between -180000000 and 180000000);

-- The service hours are times of the day now, so that pages can tell whether somebody answers; a free text gives way to the usual hours.
delete from parameters where param_key = 'site.hoursEn'
  or param_key = 'site.hours' and param_value !~ '^([01]\d|2[0-4]):[0-5]\d-([01]\d|2[0-4]):[0-5]\d(,([01]\d|2[0-4]):[0-5]\d-([01]\d|2[0-4]):[0-5]\d)*$';
