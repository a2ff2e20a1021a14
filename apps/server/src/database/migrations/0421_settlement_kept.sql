-- What was computed stays as it was, its deduction, number and customer as well; only the state moves on.
create or replace function keep_settlement() returns trigger language plpgsql as $$
begin
  if old.state <> 'computed' then
    raise exception 'settlement % is final', old.number;
  end if;
  if tg_op = 'UPDATE' and to_jsonb(new) - '{state,state_at,version,updated_by,updated_at}'::text[]
     is distinct from to_jsonb(old) - '{state,state_at,version,updated_by,updated_at}'::text[] then
    raise exception 'the figures of settlement % are final', old.number;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
