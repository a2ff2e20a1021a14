import { type Kysely, sql } from "kysely";
import { inReach } from "../../../database/conditions.ts";
import type { DB } from "../../../database/generated/database.ts";
import type { TenantScope } from "../../../tenant-scope.ts";

/** How the heads of a day changed. */
export interface HerdDay {
  /** Midnight in Asia/Shanghai, ms since 1970. */
  dayMs: number;
  deaths: number;
  /** What came less what left. */
  heads: number;
}

/** Heads and deaths of units by day. @param db a pool or an open transaction */
export function herdDayRepository(db: Kysely<DB>) {
  return {
    /** Heads of units at the beginning of [from, to), and the days of it on which they changed. */
    async days(
      scope: TenantScope,
      unitIds: readonly string[],
      { fromMs, toMs }: { fromMs: number; toMs: number },
    ): Promise<{ heads: number; days: HerdDay[] }> {
      const { rows } = await sql<HerdDay & { isBefore: boolean }>`
        select day < ${new Date(fromMs)} as is_before, (extract(epoch from day) * 1000)::float8 as day_ms,
               coalesce(-sum(heads) filter (where kind = 'death'), 0)::int as deaths, sum(heads)::int as heads
          from (select m.kind, m.heads,
                       case when m.happened_at < ${new Date(fromMs)} then '-infinity'::timestamptz
                            else date_trunc('day', m.happened_at, 'Asia/Shanghai') end as day
                  from inventory_movements m join units u on u.id = m.unit_id
                 where u.id = any(${[...unitIds]}::bigint[]) and ${inReach(scope, "u")}
                   and m.happened_at < ${new Date(toMs)}) as moved
         group by day order by day`.execute(db);
      return {
        heads: rows.find(({ isBefore }) => isBefore)?.heads ?? 0,
        days: rows.filter(({ isBefore }) => !isBefore),
      };
    },
  };
}
export type HerdDayRepository = ReturnType<typeof herdDayRepository>;
