-- Roll-outs that are held and taken up again, and that hold themselves when too many devices fail.
alter table firmware_rollouts drop constraint firmware_rollouts_state_known;
alter table firmware_rollouts
  add constraint firmware_rollouts_state_known check (state in ('running', 'paused', 'stopped', 'done')),
  -- Why it is paused: a person did it, or devices failed; "" otherwise.
  add column pause_reason text not null default ''
    constraint firmware_rollouts_pause_reason_known check (pause_reason in ('', 'person', 'failures')),
  -- It pauses itself when so many failed since it was begun or taken up again.
  add column max_failures integer not null default 1 constraint firmware_rollouts_max_failures_range check (max_failures > 0),
  -- Failures before it was taken up again.
  add column failures_before integer not null default 0;
create index firmware_updates_rollout_idx on firmware_updates (rollout_id, position);
