-- How the work by the clock ended last, a row for each job, of whichever server ran it.
create table job_outcomes (
  job text constraint job_outcomes_pk primary key,
  succeeded_at timestamptz,
  failed_at timestamptz,
  -- What the last failure said.
  fault text not null default ''
);

-- How the services of others answered last: SMS, mail, calls, WeChat.
create table service_outcomes (
  service text constraint service_outcomes_pk primary key,
  succeeded_at timestamptz,
  failed_at timestamptz,
  -- What the service answered; it names neither the receiver nor what was to be sent.
  fault text not null default ''
);
