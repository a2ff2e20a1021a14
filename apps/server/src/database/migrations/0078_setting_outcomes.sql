-- A setting that no connection of the device took in time is withdrawn, and each change keeps what became of it.

alter table device_parameters
  drop constraint device_parameters_state_known,
  -- Not taken by a connection until then, the change is withdrawn; null waits without an end.
  add column expires_at timestamptz,
  -- What holds again when the change is withdrawn: what was wanted before the first change that nothing took; null is nothing.
  add column fallback jsonb,
  -- The change that the state belongs to.
  add column change_id bigint;
alter table device_parameters
  add constraint device_parameters_state_known
    check (state in ('pending', 'applied', 'refused', 'drifted', 'expired')) not valid;
alter table device_parameters validate constraint device_parameters_state_known;
create index device_parameters_expiring_idx on device_parameters (expires_at)
  where state = 'pending' and pushed_at is null and expires_at is not null;

alter table device_parameter_changes
  -- null: from before outcomes were kept; replaced: another change came before the device had answered.
  add column outcome text constraint device_parameter_changes_outcome_known
    check (outcome in ('pending', 'applied', 'refused', 'expired', 'replaced')),
  add column outcome_at timestamptz;
