-- What the group tells many at once.

create table announcements (
  id bigint constraint announcements_pk primary key,
  title text not null,
  content text not null,
  title_en text not null default '',
  content_en text not null default '',
  link text not null default '',
  audience text not null default 'all' constraint announcements_audience_known check (audience in ('all', 'customers', 'farms', 'roles')),
  -- Of farms: their customers' members. Of roles: their aliases, in every tenant.
  farm_ids bigint[] not null default '{}',
  role_aliases text[] not null default '{}',
  state text not null default 'draft' constraint announcements_state_known check (state in ('draft', 'scheduled', 'sending', 'sent', 'withdrawn')),
  due_at timestamptz,
  sent_at timestamptz,
  -- Accounts up to this one have it, in the order of their ids.
  last_account_id bigint not null default 0,
  version integer not null default 1,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index announcements_due_idx on announcements (due_at) where state in ('scheduled', 'sending');

-- Who got it, once, and when it was read; it outlives the message that somebody removes.
create table announcement_receipts (
  announcement_id bigint not null constraint announcement_receipts_announcement_fk references announcements on delete cascade,
  account_id bigint not null constraint announcement_receipts_account_fk references accounts on delete cascade,
  read_at timestamptz,
  constraint announcement_receipts_pk primary key (announcement_id, account_id)
);
alter table messages add constraint messages_announcement_fk foreign key (announcement_id) references announcements on delete set null;
create index messages_announcement_idx on messages (announcement_id, account_id) where announcement_id is not null;

create function note_announcement_read() returns trigger language plpgsql as $$
begin
  update announcement_receipts r set read_at = coalesce(r.read_at, new.read_at)
   where r.announcement_id = new.announcement_id and r.account_id = new.account_id;
  return null;
end $$;
create trigger messages_announcement_read after update of read_at on messages
  for each row when (new.announcement_id is not null and old.read_at is null and new.read_at is not null)
  execute function note_announcement_read();
