import type { PriceBreed } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type AccountScope, requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

export interface PriceAlertRow {
  id: string;
  area: string;
  breed: PriceBreed;
  direction: "below" | "above";
  thresholdFen: number;
  armed: boolean;
  firedAt: Date | null;
  firedFen: number | null;
}

/** An alert whose threshold was crossed. */
export interface FiredAlert extends Pick<PriceAlertRow, "area" | "breed" | "direction" | "thresholdFen"> {
  accountId: string;
  fen: number;
}

/** A price of an area as it is published now. */
export interface AreaPrice {
  area: string;
  breed: PriceBreed;
  fen: number;
}

/** Alerts that people made for themselves. @param db a pool or an open transaction */
export function priceAlertRepository(db: Kysely<DB>) {
  return {
    async list(owner: AccountScope): Promise<PriceAlertRow[]> {
      const { rows } = await sql<PriceAlertRow>`
        select a.id::text as id, a.area, a.breed, a.direction, a.threshold_fen, a.armed, a.fired_at, a.fired_fen
          from price_alerts a where ${ofAccount(owner, "a")} order by a.created_at, a.id`.execute(db);
      return rows;
    },

    /** @returns false where the same one is there already */
    async add(
      owner: AccountScope,
      alert: Pick<PriceAlertRow, "id" | "area" | "breed" | "direction" | "thresholdFen" | "armed">,
    ): Promise<boolean> {
      const { rows } = await sql`
        insert into price_alerts (id, account_id, area, breed, direction, threshold_fen, armed)
        values (${alert.id}, ${owner.accountId}, ${alert.area}, ${alert.breed}, ${alert.direction}, ${alert.thresholdFen}, ${alert.armed})
        on conflict do nothing returning 1`.execute(db);
      return rows.length > 0;
    },

    /** Waits for whoever adds one at the same time, so that a limit is one. */
    async lock(owner: AccountScope): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext(${`price alerts ${owner.accountId}`}))`.execute(db);
    },

    async remove(owner: AccountScope, ids: readonly string[]): Promise<void> {
      await sql`delete from price_alerts a where ${ofAccount(owner, "a")} and a.id = any(${[...ids]}::bigint[])`.execute(
        db,
      );
    },

    /**
     * Holds all alerts against prices: those that were crossed are disarmed and told, those whose price is back are armed again.
     * @param prices at most one of an area and breed
     */
    async judge(scope: SystemScope, prices: readonly AreaPrice[]): Promise<FiredAlert[]> {
      requireSystemScope(scope);
      const { rows } = await sql<FiredAlert & { fired: boolean }>`
        with now as (
          select * from unnest(${prices.map(({ area }) => area)}::text[], ${prices.map(({ breed }) => breed)}::text[],
                               ${prices.map(({ fen }) => fen)}::int[]) as n (area, breed, fen)
        ), held as (
          select a.id, a.armed, n.fen,
                 case a.direction when 'below' then n.fen < a.threshold_fen else n.fen > a.threshold_fen end as beyond
            from price_alerts a join now n on n.area = a.area and n.breed = a.breed
             for update of a
        )
        update price_alerts a
           set armed = not h.beyond,
               fired_at = case when h.beyond then now() else a.fired_at end,
               fired_fen = case when h.beyond then h.fen else a.fired_fen end
          from held h
         where h.id = a.id and h.armed = h.beyond
        returning a.account_id::text as account_id, a.area, a.breed, a.direction, a.threshold_fen, h.fen, h.beyond as fired`.execute(
        db,
      );
      return rows.filter(({ fired }) => fired);
    },
  };
}
export type PriceAlertRepository = ReturnType<typeof priceAlertRepository>;
