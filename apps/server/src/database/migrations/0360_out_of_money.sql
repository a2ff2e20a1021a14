-- Services that said last that they have no money left: a row goes with the next message that one of them takes.
create table out_of_money (
  channel text constraint out_of_money_pk primary key constraint out_of_money_channel_known check (channel in ('sms', 'voice')),
  since_at timestamptz not null default now(),
  -- What the service answered; it names neither the receiver nor what was to be sent.
  fault text not null
);
