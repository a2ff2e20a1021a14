-- Fields whose words a machine translated and nobody has looked at. A version keeps which of its own they are.
alter table articles add column unreviewed text[] not null default '{}'
  constraint articles_unreviewed_known check (unreviewed <@ array['summary', 'body', 'titleEn', 'summaryEn', 'bodyEn']);
alter table article_versions add column unreviewed text[] not null default '{}';

-- Words that change are a person's, whichever way they came: the editor, a form, a sheet. A proposal marks its field after it wrote it.
create function article_words_changed() returns trigger language plpgsql as $$
begin
  if new.summary is distinct from old.summary then new.unreviewed := array_remove(new.unreviewed, 'summary'); end if;
  if new.body is distinct from old.body then new.unreviewed := array_remove(new.unreviewed, 'body'); end if;
  if new.title_en is distinct from old.title_en then new.unreviewed := array_remove(new.unreviewed, 'titleEn'); end if;
  if new.summary_en is distinct from old.summary_en then new.unreviewed := array_remove(new.unreviewed, 'summaryEn'); end if;
  if new.body_en is distinct from old.body_en then new.unreviewed := array_remove(new.unreviewed, 'bodyEn'); end if;
  return new;
end $$;
create trigger articles_words_changed before update on articles for each row
  when (cardinality(old.unreviewed) > 0) execute function article_words_changed();
