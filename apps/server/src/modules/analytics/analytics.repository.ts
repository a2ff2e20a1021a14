import { type Kysely, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { EventRecord } from "./formulas/formula.ts";

/** Most records of a device that one answer is worked out of; thirty days of a busy injector are 15,000. */
const mostEvents = 100_000;

/** Records of devices, for what is worked out of them. @param db a pool or an open transaction */
export function analyticsRepository(db: Kysely<DB>) {
  return {
    /** Records of a device in [from, to), ms since 1970, ascending; of its present owner's time alone. */
    async events(
      scope: TenantScope,
      deviceId: string,
      types: readonly string[],
      { fromMs, toMs }: { fromMs: number; toMs: number },
    ): Promise<EventRecord[]> {
      if (types.length === 0) return [];
      const rows = await db
        .selectFrom("deviceEvents as e")
        .innerJoin("devices as d", "d.id", "e.deviceId")
        .where(inScope(scope, "d"))
        .where("e.deviceId", "=", deviceId)
        .where("e.type", "in", [...types])
        .where("e.ts", ">=", new Date(fromMs))
        .where("e.ts", "<", new Date(toMs))
        .where(sql<boolean>`e.ts >= coalesce(d.owned_since, '-infinity')`)
        .select(["e.type", "e.ts"])
        .select(sql<Record<string, unknown>>`e.body`.as("body"))
        .orderBy("e.ts")
        .orderBy("e.eventId")
        .limit(mostEvents)
        .execute();
      return rows.map(({ type, ts, body }) => ({ type, ts: ts.getTime(), body }));
    },
  };
}
export type AnalyticsRepository = ReturnType<typeof analyticsRepository>;
