import type { Kysely } from "kysely";
import type { DB } from "../database/generated/database.ts";
import type { SqlRunner } from "./queue.ts";

/** SQL of the queue in an open transaction. */
export const transactionRunner = (db: Kysely<DB>): SqlRunner => ({
  async query(text, values = []) {
    const { rows } = await db.executeQuery({
      sql: text,
      parameters: values,
      query: { kind: "RawNode", sqlFragments: [text], parameters: [] },
      queryId: { queryId: "jobs" },
    });
    return { rows };
  },
});
