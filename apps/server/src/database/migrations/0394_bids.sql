-- The record of a lot: its bids and what was struck of them, in the order of the database, each entry bound to the one before by its hash.
create table bids (
  id bigint constraint bids_pk primary key,
  lot bigint not null constraint bids_lot_fk references lots,
  -- From 1, without gaps.
  seq integer not null,
  tenant_id text not null constraint bids_tenant_fk references tenants,
  account_id bigint not null,
  -- What stands for tenant and account in the hash, so that a record without names can be verified.
  who text not null,
  salt text not null,
  -- Null for a strike.
  fen_per_kg integer,
  -- Entered by the secret limit of its bidder.
  proxy boolean not null,
  -- Entry that this one strikes, and why.
  strikes integer,
  reason text not null default '',
  at timestamptz not null,
  previous_hash text not null,
  hash text not null,
  constraint bids_lot_seq_unique unique (lot, seq),
  constraint bids_kind_known check ((fen_per_kg is null) = (strikes is not null))
);
create unique index bids_struck_unique on bids (lot, strikes) where strikes is not null;
create index bids_account_idx on bids (account_id);

create function keep_bid() returns trigger language plpgsql as $$
begin
  raise exception 'entry % of lot % is final', old.seq, old.lot;
end $$;
create trigger bids_kept before update or delete on bids for each row execute function keep_bid();

-- Secret highest bids; nobody is shown one but its bidder.
create table bid_limits (
  lot bigint not null constraint bid_limits_lot_fk references lots,
  tenant_id text not null constraint bid_limits_tenant_fk references tenants,
  account_id bigint not null,
  fen_per_kg integer not null,
  constraint bid_limits_pk primary key (lot, tenant_id)
);
create index bid_limits_account_idx on bid_limits (account_id);
