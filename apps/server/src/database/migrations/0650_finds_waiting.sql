-- Things that an import wrote and that the index of names does not have yet: noted in its transaction for a tenth of the cost, and
-- written into the index by a job.
create table finds_waiting (
  kind text not null,
  row_id text not null,
  constraint finds_waiting_pk primary key (kind, row_id)
);

create or replace function note_find() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from finds f where f.kind = tg_argv[0] and f.row_id = to_jsonb(old) ->> tg_argv[1];
  elsif current_setting('herdwise.finds_wait', true) = 'on' then
    insert into finds_waiting (kind, row_id) values (tg_argv[0], to_jsonb(new) ->> tg_argv[1]) on conflict do nothing;
  else
    perform write_find(array[tg_argv[0], tg_argv[1], tg_argv[2], tg_argv[3], tg_argv[4], tg_argv[5]], to_jsonb(new));
  end if;
  return null;
end $$;
