-- Fewer pieces a thing, as each costs a place in the index: letters and digits by threes, other characters alone and in pairs.
create function find_triples(words text) returns text[]
  language sql immutable strict parallel safe
  return string_to_array(
    regexp_replace(words, '(...)', E'\\1\u0001', 'g') || E'\u0001'
      || regexp_replace(substr(words, 2), '(...)', E'\\1\u0001', 'g') || E'\u0001'
      || regexp_replace(substr(words, 3), '(...)', E'\\1\u0001', 'g'), E'\u0001');

drop index finds_pieces_idx;
create or replace function find_pieces(kind text, tenant_id text, title text, words text, places bigint[]) returns text[]
  language sql immutable parallel safe
  return array['#' || kind, '#' || kind || ' ' || coalesce(tenant_id, ''), '=' || left(title, 64)]
    || array(select '@' || place from unnest(places) as place)
    || array(select '^' || left(line, size) from string_to_table(replace(words, '''', ''), E'\n') as line, generate_series(1, 3) as size)
    || (select word_pieces(coalesce(string_agg(line, E'\n') filter (where line ~ '[^\x01-\x7f]'), ''))
               || find_triples(coalesce(string_agg(regexp_replace(line, '[^\x01-\x7f]+', E'\n', 'g'), E'\n'), ''))
          from string_to_table(replace(words, '''', ''), E'\n') as line);
-- Some dozens of new rows wait in a short list, and are sorted in together: a sheet of fifty thousand has most pieces in common. The list is
-- read by each look into the index, so that it must stay short.
create index finds_pieces_idx on finds using gin (find_pieces(kind, tenant_id, title, words, places)) with (gin_pending_list_limit = 64);

-- As before, with one look-up a name.
create or replace function pinyin_of(name text) returns text[]
  language plpgsql stable parallel safe as $$
declare
  said text[] := string_to_array(left(lower(name), 60), null);
  known jsonb;
  whole text[] := array[''];
  firsts text[] := array[''];
  held text[];
  letters text[];
  one text;
begin
  select jsonb_object_agg(r.character, r.readings) into known from pinyin_readings r where r.character = any(said);
  if known is null then return '{}'; end if;
  foreach one in array said loop
    if known ? one then
      held := string_to_array(translate(known ->> one, '[] "', ''), ',');
      if cardinality(held) > 1 and cardinality(whole) * cardinality(held) <= 12 then
        select array_agg(distinct left(reading, 1)) into letters from unnest(held) as reading;
        select array_agg(before || '''' || reading) into whole from unnest(whole) as before, unnest(held) as reading;
        select array_agg(distinct before || letter) into firsts from unnest(firsts) as before, unnest(letters) as letter;
      else
        for at in 1 .. cardinality(whole) loop whole[at] := whole[at] || '''' || held[1]; end loop;
        for at in 1 .. cardinality(firsts) loop firsts[at] := firsts[at] || left(held[1], 1); end loop;
      end if;
    elsif one !~ '[[:space:][:punct:]]' then
      -- A number stands by itself, so that what follows begins a syllable.
      for at in 1 .. cardinality(whole) loop
        whole[at] := whole[at] || case when one ~ '[0-9]' then one else '''' || one end;
      end loop;
      for at in 1 .. cardinality(firsts) loop firsts[at] := firsts[at] || one; end loop;
    end if;
  end loop;
  for at in 1 .. cardinality(whole) loop whole[at] := ltrim(whole[at], ''''); end loop;
  return whole || firsts;
end $$;
