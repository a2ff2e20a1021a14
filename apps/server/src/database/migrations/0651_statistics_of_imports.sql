-- While an import writes for long, an ANALYZE of another session would count its rows as none and its pages as full ones: plans that
-- read whole tables followed. This keeps others from analyzing the tables until the transaction ends; false where somebody else has
-- them, such as another import.
create function hold_statistics(names text[]) returns boolean language plpgsql set lock_timeout = '3s' as $$
declare
  name text;
begin
  foreach name in array names loop
    execute format('lock table %I in share update exclusive mode', name);
  end loop;
  return true;
exception when lock_not_available then
  return false;
end $$;
