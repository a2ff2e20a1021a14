-- Long work that people asked for. The queue itself lives in the schema "jobs", which pg-boss makes and migrates.

create table background_jobs (
  id bigint constraint background_jobs_pk primary key,
  tenant_id text not null constraint background_jobs_tenant_fk references tenants,
  account_id bigint not null constraint background_jobs_account_fk references accounts on delete cascade,
  kind text not null,
  title text not null,
  state text not null default 'queued'
    constraint background_jobs_state_known check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  done integer not null default 0 constraint background_jobs_done_counts check (done >= 0),
  total integer not null default 0 constraint background_jobs_total_counts check (total >= 0),
  result jsonb not null default '{}',
  reason text not null default '',
  reason_values jsonb not null default '{}',
  -- The run that may write here: a server that was taken for dead must not overwrite its successor.
  attempt integer not null default 0,
  -- Its row in the queue.
  queue_id uuid not null constraint background_jobs_queue_unique unique,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index background_jobs_account_idx on background_jobs (account_id, id desc);
create index background_jobs_unfinished_idx on background_jobs (created_at) where state in ('queued', 'running');

-- A path in the portal that a message leads to.
alter table messages add column link text not null default '';
