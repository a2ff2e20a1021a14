import type { VisitPageSum, visitSorts } from "@herdwise/contract";
import { type Kysely, type SqlBool, sql } from "kysely";
import { likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";

export interface VisitCount {
  routeName: string;
  path: string;
  language: string;
  referrer: string;
  visits: number;
  dwellMs: number;
}

/** Visits of a page on a day. */
interface VisitPageRow {
  day: string;
  routeName: string;
  path: string;
  visits: number;
  dwellMs: number;
}

export type VisitSort = (typeof visitSorts)[number];

/** Rows that a day may have; what comes beyond is counted together. Anyone may send visits, of pages that never were. */
const mostRowsPerDay = 20_000;
/** Path that stands for what went beyond. */
const beyond = "…";

const today = sql<string>`(now() at time zone 'Asia/Shanghai')::date`;
const sortColumns = {
  day: sql`day`,
  visits: sql`sum(visits)`,
  dwell_ms: sql`sum(dwell_ms) / greatest(sum(visits), 1)`,
  path: sql`path`,
} as const satisfies Record<VisitSort, unknown>;

/** @param db a pool or an open transaction @param mostRows less only in tests */
export function visitRepository(db: Kysely<DB>, mostRows = mostRowsPerDay) {
  const between = (from: string, to: string) =>
    db.selectFrom("pageVisits").where("day", ">=", from).where("day", "<=", to);
  const visitsColumn = sql<number>`sum(visits)::int`.as("visits");

  /** The counts as they can be added: new rows of a full day become one. */
  const fitting = async (counts: readonly VisitCount[]): Promise<VisitCount[]> => {
    const { rows } = await sql<{
      held: number;
    }>`select count(*)::int as held from page_visits where day = ${today}`.execute(db);
    if ((rows[0]?.held ?? 0) + counts.length <= mostRows) return [...counts];
    const kept = await db
      .selectFrom("pageVisits")
      .select(["routeName", "path", "language", "referrer"])
      .where("day", "=", today)
      .where("path", "in", [...new Set(counts.map(({ path }) => path))])
      .execute();
    const keyOf = ({ routeName, path, language, referrer }: Omit<VisitCount, "visits" | "dwellMs">) =>
      JSON.stringify([routeName, path, language, referrer]);
    const known = new Set(kept.map(keyOf));
    const folded = new Map<string, VisitCount>();
    for (const count of counts) {
      const row = known.has(keyOf(count)) ? count : { ...count, routeName: beyond, path: beyond, referrer: "" };
      const held = folded.get(keyOf(row));
      folded.set(keyOf(row), {
        ...row,
        visits: (held?.visits ?? 0) + row.visits,
        dwellMs: (held?.dwellMs ?? 0) + row.dwellMs,
      });
    }
    return [...folded.values()];
  };

  return {
    /** Removes visits of days that are longer ago. */
    async sweep(days: number): Promise<void> {
      await sql`delete from page_visits where day < ${today} - ${days}::int`.execute(db);
    },

    /** Visits per page and day, both days included. */
    page(
      { from, to, keyword }: { from: string; to: string; keyword?: string | undefined },
      { orders, ...request }: PageRange & { orders: readonly { column: VisitSort; direction: "asc" | "desc" }[] },
    ) {
      const where = [sql<SqlBool>`day >= ${from}`, sql<SqlBool>`day <= ${to}`];
      if (keyword) where.push(sql<SqlBool>`path ilike ${likeWord(keyword)}`);
      const list = {
        table: sql`page_visits`,
        where,
        groupBy: sql`day, route_name, path`,
        order: [
          ...orders.map(({ column, direction }) => ({ by: sortColumns[column], descending: direction === "desc" })),
          { by: sql`day`, descending: true },
          { by: sql`sum(visits)`, descending: true },
          { by: sql`path` },
          { by: sql`route_name` },
        ],
        columns: sql`day, route_name, path, sum(visits)::int as visits, (sum(dwell_ms) / greatest(sum(visits), 1))::int as dwell_ms`,
      };
      return readList<VisitPageRow>(db, list, request);
    },

    /** Visits of each day, also of days without any. */
    async byDay(from: string, to: string): Promise<{ day: string; visits: number }[]> {
      const { rows } = await sql<{ day: string; visits: number }>`
        select d::date::text as day, coalesce(sum(v.visits), 0)::int as visits
          from generate_series(${from}::date, ${to}::date, interval '1 day') as d
          left join page_visits v on v.day = d::date
         group by d order by d`.execute(db);
      return rows;
    },

    /** Visits of each page, and of as many days before the first; the busiest pages. */
    async byPage(from: string, to: string, limit: number): Promise<VisitPageSum[]> {
      const { rows } = await sql<VisitPageSum>`
        select route_name as "routeName", path, coalesce(sum(visits) filter (where day >= ${from}), 0)::int as visits,
               coalesce(sum(visits) filter (where day < ${from}), 0)::int as before,
               (coalesce(sum(dwell_ms) filter (where day >= ${from}), 0) / greatest(sum(visits) filter (where day >= ${from}), 1))::int as "dwellMs"
          from page_visits
         where day between ${from}::date - (${to}::date - ${from}::date + 1) and ${to}::date
         group by route_name, path order by 3 desc, 4 desc, path, route_name limit ${limit}`.execute(db);
      return rows;
    },

    /** The sites that sent most visitors; visits within the portal and without a referrer are not among them. */
    byReferrer: (from: string, to: string, limit: number) =>
      between(from, to)
        .select(["referrer", visitsColumn])
        .where("referrer", "!=", "")
        .groupBy("referrer")
        .orderBy(sql`sum(visits)`, "desc")
        .orderBy("referrer")
        .limit(limit)
        .execute(),

    byLanguage: (from: string, to: string) =>
      between(from, to)
        .select([sql<"en" | "zh">`language`.as("language"), visitsColumn])
        .groupBy("language")
        .orderBy("language", "desc")
        .execute(),

    /** Adds to the counts of the day in Shanghai. */
    async add(counts: readonly VisitCount[]): Promise<void> {
      await db
        .insertInto("pageVisits")
        .values((await fitting(counts)).map((count) => ({ ...count, day: today })))
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
