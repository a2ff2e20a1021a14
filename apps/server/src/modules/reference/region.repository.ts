import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";

/** @param db a pool or an open transaction */
export function regionRepository(db: Kysely<DB>) {
  return {
    /** Divisions directly below a code, in order. */
    below: (parentCode: string): Promise<{ code: string; name: string; hasChildren: boolean }[]> =>
      db
        .selectFrom("regions as r")
        .select(["r.code", "r.name"])
        .select(sql<boolean>`exists (select 1 from regions c where c.parent_code = r.code)`.as("hasChildren"))
        .where("r.parentCode", "=", parentCode)
        .orderBy("r.code")
        .execute(),

    /** Names of divisions by their codes. */
    named: async (codes: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      if (codes.length === 0) return new Map();
      const rows = await db
        .selectFrom("regions")
        .select(["code", "name"])
        .where("code", "in", [...codes])
        .execute();
      return new Map(rows.map(({ code, name }) => [code, name]));
    },
  };
}
export type RegionRepository = ReturnType<typeof regionRepository>;
