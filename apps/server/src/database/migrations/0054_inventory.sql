-- Heads of a unit are the sum of its movements. Triggers keep units.head_count beside them, and refuse every other way to it.
create table inventory_movements (
  id bigint constraint inventory_movements_pk primary key,
  tenant_id text not null,
  unit_id bigint not null,
  kind text not null constraint inventory_movements_kind_known
    check (kind in ('arrival', 'transfer', 'death', 'cull', 'sale', 'correction')),
  category text not null constraint inventory_movements_category_known
    check (category in ('fattener', 'weaner', 'suckling', 'gilt', 'sow', 'boar')),
  -- Heads that came (more than 0) or went (less).
  heads integer not null constraint inventory_movements_heads_move check (heads <> 0),
  -- Where a transfer's heads went to or came from, and the movement there.
  other_unit_id bigint,
  other_movement_id bigint,
  -- What was counted, for a correction.
  counted_heads integer constraint inventory_movements_counted_range check (counted_heads >= 0),
  reason text not null default '',
  happened_at timestamptz not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  constraint inventory_movements_unit_fk foreign key (tenant_id, unit_id) references units (tenant_id, id),
  constraint inventory_movements_other_unit_fk foreign key (tenant_id, other_unit_id) references units (tenant_id, id),
  constraint inventory_movements_sign check (
    case kind when 'arrival' then heads > 0 when 'transfer' then true when 'correction' then true else heads < 0 end),
  constraint inventory_movements_transfer check ((kind = 'transfer') = (other_unit_id is not null)),
  constraint inventory_movements_correction check ((kind = 'correction') = (counted_heads is not null))
);
create index inventory_movements_unit_idx on inventory_movements (unit_id, happened_at, id);
create index inventory_movements_tenant_idx on inventory_movements (tenant_id, happened_at, id);
create index inventory_movements_other_unit_idx on inventory_movements (other_unit_id);

-- What units held before movements were kept is where their sums begin.
insert into inventory_movements (id, tenant_id, unit_id, kind, category, heads, reason, happened_at)
select u.id, u.tenant_id, u.id, 'arrival', coalesce(nullif(u.category, ''), 'fattener'), u.head_count, '期初存栏',
       coalesce(u.batch_arrived_on::timestamp at time zone 'Asia/Shanghai', u.created_at)
  from units u where u.head_count > 0;

create function keep_head_count() returns trigger language plpgsql as $$
begin
  update units set head_count = head_count + new.heads where id = new.unit_id;
  return null;
end $$;
create trigger inventory_movements_added after insert on inventory_movements
  for each row execute function keep_head_count();

-- A movement is what happened: a mistake is mended by another one.
create function refuse_movement_change() returns trigger language plpgsql as $$
begin
  raise exception 'movements are added, never changed' using errcode = 'restrict_violation';
end $$;
create trigger inventory_movements_stay before update or delete on inventory_movements
  for each row execute function refuse_movement_change();

create function refuse_head_count() returns trigger language plpgsql as $$
begin
  raise exception 'heads are the sum of movements' using errcode = 'restrict_violation';
end $$;
create trigger units_heads_begin before insert on units
  for each row when (new.head_count <> 0) execute function refuse_head_count();
-- Depth 0 is a statement of a program, 1 the trigger of a movement.
create trigger units_heads_stay before update of head_count on units
  for each row when (new.head_count <> old.head_count and pg_trigger_depth() = 0) execute function refuse_head_count();
