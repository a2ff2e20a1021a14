-- Commissioning lists of units: what was tried on site before animals depend on it.
create table commissionings (
  id bigint constraint commissionings_pk primary key,
  tenant_id text not null constraint commissionings_tenant_fk references tenants,
  unit_id bigint not null constraint commissionings_unit_fk references units,
  state text not null constraint commissionings_state_known check (state in ('open', 'signed', 'discarded')),
  state_at timestamptz not null default now(),
  version integer not null default 1,
  created_by bigint,
  created_at timestamptz not null default now(),
  -- What was signed, JSON exactly as it was hashed, and its SHA-256.
  body text,
  hash bytea,
  signed_by bigint,
  signed_name text,
  constraint commissionings_signed check ((state = 'signed') = (body is not null and hash is not null))
);
create unique index commissionings_open_unique on commissionings (unit_id) where state = 'open';
create index commissionings_unit_idx on commissionings (unit_id, state_at desc) where state = 'signed';
create index commissionings_tenant_idx on commissionings (tenant_id, id);

create table commissioning_items (
  id bigint constraint commissioning_items_pk primary key,
  commissioning_id bigint not null constraint commissioning_items_list_fk references commissionings,
  position integer not null,
  check_kind text not null constraint commissioning_items_check_known
    check (check_kind in ('label', 'fixed', 'link', 'settings', 'probe', 'machines', 'alarm')),
  -- Null for the unit as a whole. A device outlives no record, but the record outlives its device.
  device_id bigint,
  part text not null default '',
  result text not null default 'open' constraint commissioning_items_result_known
    check (result in ('open', 'running', 'passed', 'failed', 'absent')),
  reason text not null default '',
  said text not null default '',
  readings jsonb not null default '[]',
  note text not null default '',
  attachment_id bigint constraint commissioning_items_attachment_fk references attachments,
  -- Of a trial: when it began and is over at the latest, commands that it gave, and the reach of who began it.
  started_at timestamptz,
  ends_at timestamptz,
  commands jsonb not null default '[]',
  reach jsonb,
  receiver_id bigint,
  -- SHA-256 of the code in a test alarm.
  code_hash bytea,
  -- The newest action of a phone, by its key and time.
  act_key uuid,
  acted_at timestamptz,
  answered_by bigint,
  answered_at timestamptz,
  constraint commissioning_items_list_position_unique unique (commissioning_id, position)
);
create index commissioning_items_running_idx on commissioning_items (ends_at) where result = 'running';
create index commissioning_items_attachment_idx on commissioning_items (attachment_id) where attachment_id is not null;

-- The devices for which a signed list speaks, and where they hung.
create table commissioning_devices (
  commissioning_id bigint not null constraint commissioning_devices_list_fk references commissionings,
  device_id bigint not null,
  bound_at timestamptz,
  position_x integer,
  position_y integer,
  height_cm integer,
  constraint commissioning_devices_pk primary key (commissioning_id, device_id)
);

-- What was signed stays as it was; a unit that changed is commissioned again by another list.
create function keep_commissioning() returns trigger language plpgsql as $$
begin
  if old.state = 'signed' then
    raise exception 'commissioning % is signed', old.id;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger commissionings_kept before update or delete on commissionings for each row execute function keep_commissioning();

create function keep_commissioning_part() returns trigger language plpgsql as $$
declare
  list bigint := case when tg_op = 'INSERT' then new.commissioning_id else old.commissioning_id end;
begin
  if exists (select from commissionings c where c.id = list and c.state = 'signed') then
    raise exception 'commissioning % is signed', list;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger commissioning_items_kept before insert or update or delete on commissioning_items
  for each row execute function keep_commissioning_part();
create trigger commissioning_devices_kept before insert or update or delete on commissioning_devices
  for each row execute function keep_commissioning_part();
