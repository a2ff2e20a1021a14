import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";

/**
 * Runs a part of a seed on one of several servers that start together; the others skip it.
 * @param name name of the part
 */
export const onceOverServers = (db: Kysely<DB>, name: string, work: () => Promise<void>): Promise<void> =>
  db.connection().execute(async (connection) => {
    const key = sql`hashtext(${name})`;
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${key}) as mine`.execute(connection);
    if (rows[0]?.mine !== true) return;
    try {
      await work();
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(connection);
    }
  });
