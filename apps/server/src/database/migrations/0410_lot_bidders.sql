-- Who bids for a lot, kept beside its record so that a look at the lot does not read the record.
create table lot_bidders (
  lot bigint not null constraint lot_bidders_lot_fk references lots,
  tenant_id text not null constraint lot_bidders_tenant_fk references tenants,
  account_id bigint not null,
  -- Shown instead of the name, from 1 by the first bid.
  bidder integer not null,
  -- Best bid that was not struck; null where all were.
  best_per_kg integer,
  best_seq integer,
  -- When the bidder was last told of a higher bid.
  told_at timestamptz,
  constraint lot_bidders_pk primary key (lot, tenant_id),
  constraint lot_bidders_number_unique unique (lot, bidder)
);
create index lot_bidders_account_idx on lot_bidders (account_id);
create index lot_bidders_tenant_idx on lot_bidders (tenant_id);
create index bids_strikes_idx on bids (lot, seq) where strikes is not null;

insert into lot_bidders (lot, tenant_id, account_id, bidder, best_per_kg, best_seq)
select f.lot, f.tenant_id, f.account_id, row_number() over (partition by f.lot order by f.seq), w.fen_per_kg, w.seq
  from (select distinct on (b.lot, b.tenant_id) b.lot, b.tenant_id, b.account_id, b.seq
          from bids b where b.fen_per_kg is not null order by b.lot, b.tenant_id, b.seq) f
  left join lateral (
    select b.fen_per_kg, b.seq from bids b
     where b.lot = f.lot and b.tenant_id = f.tenant_id and b.fen_per_kg is not null
       and not exists (select from bids s where s.lot = b.lot and s.strikes = b.seq)
     order by b.fen_per_kg desc, b.seq desc limit 1) w on true;
