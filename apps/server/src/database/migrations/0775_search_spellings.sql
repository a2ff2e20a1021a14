-- The search of the site finds Chinese words by their pinyin, as new ones are from now on.
insert into search_word_forms (form, word)
  select distinct replace(p, '''', ''), w.word from search_words w, unnest(pinyin_of(w.word)) p where p like '%''%'
  on conflict do nothing;
-- Words are offered by how their pinyin begins.
create index search_word_forms_spelt_idx on search_word_forms (form collate "C") where form ~ '^[a-z]+$';
