-- Kind of an announcement, by the dictionary "notice".
alter table announcements add column category integer not null default 1;
