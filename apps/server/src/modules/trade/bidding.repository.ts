import { rankingOf } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inOneTenant } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import type { StoredEntry } from "./bid-chain.ts";

/** A lot as bids need it, with the database's clock. */
export interface LotRow {
  id: string;
  tenantId: string;
  number: string;
  state: string;
  heads: number;
  reservePerKg: number;
  stepFen: number;
  softCloseMinutes: number;
  opensAt: Date;
  endsAt: Date;
  extensions: number;
  /** How many entries its record has. */
  entries: number;
  lastHash: string;
  bestPerKg: number | null;
  bestTenant: string | null;
  plannedEnd: Date;
  depositFen: number;
  fromKg: number;
  toKg: number;
  category: string;
  day: string;
  fieldName: string;
  /** Now, not before the last entry; whole ms. */
  at: Date;
}

/** Who bids, and what for. */
export interface Bidder {
  tenantId: string;
  accountId: string;
  fenPerKg: number;
}

/** A bidder with what is shown instead of the name. */
export interface LotBidder extends Omit<Bidder, "fenPerKg"> {
  bidder: number;
  /** Null where every bid was struck. */
  fenPerKg: number | null;
}

/** A bidder of a closed lot, with the deposit and the order. */
interface Outcome {
  bidder: number;
  tenantName: string;
  fenPerKg: number | null;
  deposit: string;
  depositId: string;
  order: string;
  orderId: string;
}

/** What a customer has of a lot; "" and null for what there is not. */
interface OwnOutcome {
  deposit: string;
  returnBy: Date | null;
  orderId: string | null;
  number: string;
  state: string;
  payBy: Date | null;
  prepaymentFen: number;
}

/** An entry as everybody in the room sees it. */
export interface RecentEntry {
  seq: number;
  /** 0 for a strike. */
  bidder: number;
  fenPerKg: number | null;
  proxy: boolean;
  strikes: number | null;
  reason: string;
  at: Date;
  struckFen: number | null;
  struckBidder: number;
  /** False for a strike that is older than the newest entries. */
  recent: boolean;
}

/** States in which a lot is not decided yet. */
const runningStates = ["announced", "open", "frozen"];

/**
 * Lots with their record, secret limits and deposits.
 * @param db a pool or an open transaction
 */
export function biddingRepository(db: Kysely<DB>) {
  /** The record of a lot in order. */
  const readEntries = async (scope: SystemScope, lot: string): Promise<(StoredEntry & { tenantName: string })[]> => {
    requireSystemScope(scope);
    const { rows } = await sql<StoredEntry & { tenantName: string }>`
        select b.id, b.lot, b.seq, b.tenant_id as "tenantId", b.account_id as "accountId", b.who, b.salt, b.fen_per_kg as "fenPerKg", b.proxy,
               b.strikes, b.reason, b.at, b.previous_hash as "previousHash", b.hash, t.name as "tenantName"
          from bids b join tenants t on t.tenant_id = b.tenant_id where b.lot = ${lot} order by b.seq`.execute(db);
    return rows;
  };

  /** Bidders of a lot by their best bid, the best first. */
  const readRanking = async (scope: SystemScope, lot: string): Promise<Bidder[]> => {
    const all = await readEntries(scope, lot);
    const bySeq = new Map(all.map((entry) => [entry.seq, entry]));
    return rankingOf(all.map(rankedOf)).flatMap(({ seq, price }) => {
      const entry = bySeq.get(seq);
      return entry === undefined ? [] : [{ tenantId: entry.tenantId, accountId: entry.accountId, fenPerKg: price }];
    });
  };

  const readLots = async (ids: readonly string[]): Promise<LotRow[]> => {
    const { rows } = await sql<LotRow>`
        select l.id, l.tenant_id as "tenantId", l.number, l.state, l.heads, l.reserve_per_kg as "reservePerKg", l.step_fen as "stepFen",
               l.soft_close_minutes as "softCloseMinutes", l.opens_at as "opensAt", l.ends_at as "endsAt", l.extensions, l.entries,
               l.last_hash as "lastHash", l.best_per_kg as "bestPerKg", l.best_tenant as "bestTenant",
               (l.bid_on + split_part(l.bid_times, '-', 2)::interval) at time zone 'Asia/Shanghai' as "plannedEnd",
               l.deposit_fen * l.heads as "depositFen", p.from_kg as "fromKg", p.to_kg as "toKg", p.category, p.day::text as day,
               f.field_name as "fieldName",
               date_trunc('milliseconds', greatest(clock_timestamp(), l.last_at)) as at
          from lots l join sale_plans p on p.id = l.plan join sale_fields f on f.id = p.field
         where l.id = any(${ids}::bigint[])`.execute(db);
    return rows;
  };

  return {
    /** Lots as they are now, each once; those that are not there are left out. */
    async lots(scope: SystemScope, ids: readonly string[]): Promise<LotRow[]> {
      requireSystemScope(scope);
      return readLots(ids);
    },

    entries: (scope: SystemScope, lot: string) => readEntries(scope, lot),

    ranking: (scope: SystemScope, lot: string) => readRanking(scope, lot),

    /** @param hold makes other bids wait until the transaction ends; the clock is looked at after that */
    async lot(scope: SystemScope, id: string, hold: boolean): Promise<LotRow | undefined> {
      requireSystemScope(scope);
      if (hold) await sql`select from lots where id = ${id} for no key update`.execute(db);
      return (await readLots([id]))[0];
    },

    /** Bidders of a lot by their best bid, those whose bids were all struck at the end. */
    async bidders(scope: SystemScope, lot: string): Promise<LotBidder[]> {
      requireSystemScope(scope);
      const { rows } = await sql<LotBidder>`
        select r.tenant_id as "tenantId", r.account_id as "accountId", r.bidder, r.best_per_kg as "fenPerKg"
          from lot_bidders r where r.lot = ${lot} order by r.best_per_kg desc nulls last, r.best_seq desc`.execute(db);
      return rows;
    },

    /** The newest entries behind one, in order, and all struck ones. @param most of the newest */
    async recent(scope: SystemScope, lot: string, after: number, most: number): Promise<RecentEntry[]> {
      requireSystemScope(scope);
      const { rows } = await sql<RecentEntry>`
        select b.seq, coalesce(r.bidder, 0) as bidder, b.fen_per_kg as "fenPerKg", b.proxy, b.strikes, b.reason, b.at,
               s.fen_per_kg as "struckFen", coalesce(sr.bidder, 0) as "struckBidder", n.seq is not null as recent
          from (select seq, id from bids where lot = ${lot} and seq > ${after} order by seq desc limit ${most}) n
          full join (select id from bids where lot = ${lot} and strikes is not null) k on k.id = n.id
          join bids b on b.id = coalesce(n.id, k.id)
          left join bids s on s.lot = b.lot and s.seq = b.strikes
          left join lot_bidders r on r.lot = b.lot and r.tenant_id = b.tenant_id and b.strikes is null
          left join lot_bidders sr on sr.lot = s.lot and sr.tenant_id = s.tenant_id
         order by b.seq`.execute(db);
      return rows;
    },

    /** Takes the turn to tell a bidder of a higher bid: at most once a minute. @returns the account; undefined where it is too soon */
    async outbid(scope: SystemScope, lot: string, tenantId: string): Promise<string | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{ accountId: string }>`
        update lot_bidders set told_at = clock_timestamp()
         where lot = ${lot} and tenant_id = ${tenantId} and (told_at is null or told_at <= clock_timestamp() - interval '1 minute')
        returning account_id as "accountId"`.execute(db);
      return rows[0]?.accountId;
    },

    /** What became of the bidders of a closed lot, the best first. */
    async outcomes(scope: SystemScope, lot: string): Promise<Outcome[]> {
      requireSystemScope(scope);
      const { rows } = await sql<Outcome>`
        select r.bidder, t.name as "tenantName", r.best_per_kg as "fenPerKg", coalesce(d.state, '') as deposit,
               coalesce(d.id::text, '') as "depositId", coalesce(o.state, '') as "order", coalesce(o.id::text, '') as "orderId"
          from lot_bidders r join tenants t on t.tenant_id = r.tenant_id
          left join deposits d on d.lot = r.lot and d.tenant_id = r.tenant_id and d.state <> 'void' and d.pay_notice is null
          left join sale_orders o on o.lot = r.lot and o.tenant_id = r.tenant_id
         where r.lot = ${lot} order by r.best_per_kg desc nulls last, r.best_seq desc`.execute(db);
      return rows;
    },

    /** Adds entries to the record of a held lot, and what the lot says of them. */
    async enter(
      scope: SystemScope,
      lot: string,
      entries: readonly StoredEntry[],
      after: { best: Bidder | undefined; endsAt: number; extensions: number },
    ): Promise<void> {
      requireSystemScope(scope);
      await db
        .insertInto("bids")
        .values([...entries])
        .execute();
      const last = entries.at(-1);
      // What each bidder's best is after the entries; a strike is looked up, as it may take a best bid away.
      for (const { tenantId, accountId, fenPerKg, seq, strikes } of entries)
        if (fenPerKg !== null)
          await sql`
            insert into lot_bidders (lot, tenant_id, account_id, bidder, best_per_kg, best_seq)
            select ${lot}, ${tenantId}, ${accountId}, count(*) + 1, ${fenPerKg}, ${seq} from lot_bidders where lot = ${lot}
            on conflict (lot, tenant_id) do update
               set account_id = excluded.account_id, best_per_kg = excluded.best_per_kg, best_seq = excluded.best_seq`.execute(
            db,
          );
        else
          await sql`
            update lot_bidders r set (best_per_kg, best_seq) = (
              select max(w.fen_per_kg), max(w.seq) from (
                select b.fen_per_kg, b.seq from bids b
                 where b.lot = r.lot and b.tenant_id = r.tenant_id and b.fen_per_kg is not null
                   and not exists (select from bids s where s.lot = b.lot and s.strikes = b.seq)
                 order by b.fen_per_kg desc, b.seq desc limit 1) w)
             where r.lot = ${lot} and r.tenant_id = (select b.tenant_id from bids b where b.lot = ${lot} and b.seq = ${strikes})`.execute(
            db,
          );
      await sql`
        update lots set entries = ${last?.seq}, last_hash = ${last?.hash}, last_at = ${last?.at}, best_per_kg = ${after.best?.fenPerKg ?? null},
               best_tenant = ${after.best?.tenantId ?? null}, best_account = ${after.best?.accountId ?? null},
               ends_at = to_timestamp(${after.endsAt}::float8 / 1000), extensions = ${after.extensions}
         where id = ${lot}`.execute(db);
    },

    /** The secret highest bid of a customer. */
    async limit(
      scope: SystemScope,
      lot: string,
      tenantId: string,
    ): Promise<{ accountId: string; fenPerKg: number } | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{ accountId: string; fenPerKg: number }>`
        select m.account_id as "accountId", m.fen_per_kg as "fenPerKg" from bid_limits m
         where m.lot = ${lot} and m.tenant_id = ${tenantId}`.execute(db);
      return rows[0];
    },

    async setLimit({ tenantId, accountId }: TenantScope, lot: string, fenPerKg: number): Promise<void> {
      await sql`
        insert into bid_limits (lot, tenant_id, account_id, fen_per_kg) values (${lot}, ${tenantId}, ${accountId}, ${fenPerKg})
        on conflict (lot, tenant_id) do update set account_id = excluded.account_id, fen_per_kg = excluded.fen_per_kg`.execute(
        db,
      );
    },

    async dropLimit(scope: SystemScope, lot: string, tenantId: string): Promise<void> {
      requireSystemScope(scope);
      await sql`delete from bid_limits where lot = ${lot} and tenant_id = ${tenantId}`.execute(db);
    },

    /** Those of the accounts that are members of a tenant in any way. */
    async membersOf(scope: SystemScope, tenantIds: readonly string[], accountIds: readonly string[]) {
      requireSystemScope(scope);
      const { rows } = await sql<{ accountId: string; tenantId: string }>`
        select m.account_id as "accountId", m.tenant_id as "tenantId" from memberships m
         where m.account_id = any(${accountIds}::bigint[]) and m.tenant_id = any(${tenantIds})`.execute(db);
      return rows;
    },

    /** State of the scope's own deposit for a lot; "" for none. */
    async ownDeposit(scope: TenantScope, lot: string): Promise<string> {
      const { rows } = await sql<{ state: string }>`
        select d.state from deposits d where d.lot = ${lot} and d.state <> 'void' and d.pay_notice is null and ${inOneTenant(scope, "d")}`.execute(
        db,
      );
      return rows[0]?.state ?? "";
    },

    /** What the scope's own customer has of a lot: the deposit, and the newest order with its prepayment. */
    async ownOutcome(scope: TenantScope, lot: string): Promise<OwnOutcome> {
      const { rows } = await sql<OwnOutcome>`
        select coalesce(d.state, '') as deposit, d.return_by as "returnBy", o.id as "orderId", o.number, o.state, o.pay_by as "payBy",
               coalesce(m.amount_fen, 0)::float8 as "prepaymentFen"
          from lots l
          left join deposits d on d.lot = l.id and d.state <> 'void' and ${inOneTenant(scope, "d")}
          left join lateral (select o.id, o.number, o.state, o.pay_by from sale_orders o
                              where o.lot = l.id and ${inOneTenant(scope, "o")} order by o.id desc limit 1) o on true
          left join payments m on m."order" = o.id and m.kind = 'prepayment' and m.state <> 'void'
         where l.id = ${lot}`.execute(db);
      return (
        rows[0] ?? { deposit: "", returnBy: null, orderId: null, number: "", state: "", payBy: null, prepaymentFen: 0 }
      );
    },

    /** What a deposit for a lot depends on, where the lot takes some. */
    async openFor(
      scope: SystemScope,
      lot: string,
    ): Promise<
      { tenantId: string; heads: number; depositFen: number; participants: string[]; day: string } | undefined
    > {
      requireSystemScope(scope);
      const { rows } = await sql<{
        tenantId: string;
        heads: number;
        depositFen: number;
        participants: string[];
        day: string;
      }>`
        select l.tenant_id as "tenantId", l.heads, l.deposit_fen as "depositFen", l.participants, p.day::text as day
          from lots l join sale_plans p on p.id = l.plan
         where l.id = ${lot} and l.state in ('announced', 'open') and l.ends_at > clock_timestamp() for key share of l`.execute(
        db,
      );
      return rows[0];
    },

    /** Whether a lot is decided, and the state of a customer's order of it; "" for none. */
    async outcome(
      scope: SystemScope,
      { lot, tenantId }: { lot: string; tenantId: string },
    ): Promise<{ running: boolean; order: string }> {
      requireSystemScope(scope);
      const { rows } = await sql<{ running: boolean; order: string }>`
        select l.state = any(${runningStates}::text[]) as running, coalesce(o.state, '') as "order"
          from lots l left join sale_orders o on o.lot = l.id and o.tenant_id = ${tenantId} where l.id = ${lot}`.execute(
        db,
      );
      return rows[0] ?? { running: false, order: "" };
    },

    /** The held deposit of a customer that stands for the order of a lot, with what it is worth in fen. */
    async standing(
      scope: SystemScope,
      { lot, tenantId }: { lot: string; tenantId: string },
    ): Promise<{ id: string; fen: number } | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{ id: string; fen: string }>`
        select d.id, d.amount_fen as fen from deposits d
         where d.lot = ${lot} and d.tenant_id = ${tenantId} and d.state = 'held' and d.return_at is null`.execute(db);
      return rows[0] && { id: rows[0].id, fen: Number(rows[0].fen) };
    },

    /** Has the clock give the deposits of a closed lot back. @param winner whose deposit stands; null for nobody */
    async giveBack(scope: SystemScope, lot: string, winner: string | null): Promise<void> {
      requireSystemScope(scope);
      await sql`
        update deposits set return_at = now()
         where lot = ${lot} and state in ('awaited', 'recorded', 'held') and tenant_id is distinct from ${winner}`.execute(
        db,
      );
    },

    /** Accounts behind the deposits of a lot. */
    async depositors(scope: SystemScope, lot: string): Promise<string[]> {
      requireSystemScope(scope);
      const { rows } = await sql<{ accountId: string }>`
        select distinct d.created_by as "accountId" from deposits d where d.lot = ${lot} and d.state <> 'void'`.execute(
        db,
      );
      return rows.map(({ accountId }) => accountId);
    },

    /** The best bidder who has had no order of the lot; undefined where there is none, or the plan is over. */
    async next(scope: SystemScope, lot: string): Promise<Bidder | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{
        tenantId: string;
      }>`select o.tenant_id as "tenantId" from sale_orders o where o.lot = ${lot}`.execute(db);
      const { rows: open } = await sql`
        select from lots l join sale_plans p on p.id = l.plan where l.id = ${lot} and p.ends_at > now()`.execute(db);
      if (open.length === 0) return undefined;
      const had = new Set(rows.map(({ tenantId }) => tenantId));
      return (await readRanking(scope, lot)).find(({ tenantId }) => !had.has(tenantId));
    },

    /** The account behind the newest order of a lot. */
    async newestBuyer(scope: SystemScope, lot: string): Promise<string[]> {
      requireSystemScope(scope);
      const { rows } = await sql<{ accountId: string }>`
        select o.created_by as "accountId" from sale_orders o where o.lot = ${lot} order by o.id desc limit 1`.execute(
        db,
      );
      return rows.map(({ accountId }) => accountId);
    },

    /** Whether a lot of a plan is not decided yet. */
    async isRunning(scope: SystemScope, plan: string): Promise<boolean> {
      requireSystemScope(scope);
      const { rows } = await sql`
        select from lots l where l.plan = ${plan} and l.state = any(${runningStates}::text[]) limit 1`.execute(db);
      return rows.length > 0;
    },
  };
}

/** An entry as the rules rank it: bidders are customers, whoever of them presses the button. */
export const rankedOf = ({ seq, tenantId, fenPerKg, strikes }: StoredEntry) => ({
  seq,
  who: tenantId,
  price: fenPerKg,
  strikes,
});
