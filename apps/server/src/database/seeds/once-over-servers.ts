import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";

/** Does a piece of a seed on one of the servers that begin with it at once; the others leave it. @param name of the piece */
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
