import { type Kysely, sql } from "kysely";
import { createPace } from "../../breather.ts";
import { findSources } from "../../database/find-sources.ts";
import type { DB } from "../../database/generated/database.ts";
import { findArguments } from "../../database/seeds/finds.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** Things that are written into the index at a time. */
const atOnce = 100;

/**
 * Writes things that imports left waiting into the index of names. What was removed since is left out.
 * @param db a pool
 * @returns how many waited
 */
export async function catchUpFinds(db: Kysely<DB>, scope: SystemScope, signal?: AbortSignal): Promise<number> {
  requireSystemScope(scope);
  const rest = createPace();
  let done = 0;
  for (;;) {
    signal?.throwIfAborted();
    const taken = await db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ kind: string; id: string }>`
        delete from finds_waiting w
         using (select kind, row_id from finds_waiting order by kind, row_id limit ${atOnce} for update skip locked) t
         where w.kind = t.kind and w.row_id = t.row_id
        returning w.kind, w.row_id as id`.execute(transaction);
      for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.kind)) {
        const source = findSources.find((one) => one.kind === kind);
        if (source === undefined) continue;
        const given = sql.join(findArguments(source).map((one) => sql.lit(one)));
        await sql`select write_find(array[${given}], to_jsonb(t)) from ${sql.table(source.table)} t
          where ${sql.ref(`t.${source.key}`)} = any(${ofKind.map(({ id }) => id)}::${sql.raw(source.key === "tenant_id" ? "text" : "bigint")}[])`.execute(
          transaction,
        );
      }
      return rows.length;
    });
    done += taken;
    if (taken < atOnce) return done;
    await rest();
  }
}
