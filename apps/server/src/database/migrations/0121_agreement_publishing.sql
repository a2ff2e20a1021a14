-- Agreements are written, scheduled and published by the group.

alter table agreement_versions
  -- None for a draft; in the future for one that is scheduled.
  alter column published_at drop not null,
  -- People who agreed to an earlier version are asked again. The first of a kind always asks.
  add column ask_again boolean not null default true,
  add column row_version integer not null default 1,
  add column created_by bigint,
  add column created_at timestamptz not null default now(),
  add column updated_at timestamptz not null default now();
-- What changed, in a sentence, for whoever is asked again.
alter table agreement_texts add column summary text not null default '';
create index agreement_consents_version_idx on agreement_consents (version_id, agreed_at desc, account_id);

-- What was published stays as people agreed to it.
create function keep_published_agreements() returns trigger language plpgsql as $$
begin
  if exists (select from agreement_versions v where v.id = old.version_id and v.published_at <= now()) then
    raise exception 'a published agreement does not change';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger agreement_texts_kept before update or delete on agreement_texts
  for each row execute function keep_published_agreements();

create function keep_published_versions() returns trigger language plpgsql as $$
begin
  if old.published_at <= now() then
    raise exception 'a published agreement does not change';
  end if;
  return old;
end $$;
create trigger agreement_versions_kept before delete on agreement_versions
  for each row execute function keep_published_versions();
