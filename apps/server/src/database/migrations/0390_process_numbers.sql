-- Last number of each process and day.
create table process_numbers (
  process text not null,
  day date not null,
  last integer not null,
  constraint process_numbers_pk primary key (process, day)
);
