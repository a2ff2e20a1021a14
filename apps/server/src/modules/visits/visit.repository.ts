import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";

export interface VisitCount {
  routeName: string;
  path: string;
  language: string;
  referrer: string;
  visits: number;
  dwellMs: number;
}

/** @param db a pool or an open transaction */
export function visitRepository(db: Kysely<DB>) {
  return {
    /** Adds to the counts of the day in Shanghai. */
    async add(counts: readonly VisitCount[]): Promise<void> {
      await db
        .insertInto("pageVisits")
        .values(counts.map((count) => ({ ...count, day: sql<string>`(now() at time zone 'Asia/Shanghai')::date` })))
        .onConflict((conflict) =>
          conflict.columns(["day", "routeName", "path", "language", "referrer"]).doUpdateSet({
            visits: sql<string>`page_visits.visits + excluded.visits`,
            dwellMs: sql<string>`page_visits.dwell_ms + excluded.dwell_ms`,
          }),
        )
        .execute();
    },
  };
}
export type VisitRepository = ReturnType<typeof visitRepository>;
