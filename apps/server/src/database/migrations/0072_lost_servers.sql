-- A server that died leaves work that lived in its memory; one of the others takes it over, once.
alter table servers
  -- Somebody has taken over what this server had in hand; false again as soon as it is seen alive.
  add column taken_over boolean not null default false;
