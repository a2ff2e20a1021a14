import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { onServer, type TestDatabase } from "./database.ts";

/** A file of the database server as text, a byte a character. */
export interface DatabaseFile {
  name: string;
  text: string;
}

/** Where the server's log stands now, for `databaseFiles`. */
export const logPosition = (): Promise<string> =>
  onServer(inject("testServer").url, async (client) => {
    const { rows } = await client.query<{ segment: string }>("select pg_walfile_name(pg_current_wal_lsn()) as segment");
    return rows[0]?.segment ?? "";
  });

/**
 * What lies on the disk of a database and of the server's log since a position: what a backup takes. Nothing where the server is another
 * machine's, or another user's.
 */
export async function* databaseFiles(held: TestDatabase, since: string): AsyncGenerator<DatabaseFile> {
  const { rows } = await held.database.pool.query<{ oid: string }>(
    "select oid::text as oid from pg_database where datname = current_database()",
  );
  const directory = await onServer(inject("testServer").url, async (client) => {
    await client.query("checkpoint");
    const { rows: settings } = await client.query<{ data_directory: string }>("show data_directory");
    return settings[0]?.data_directory ?? "";
  });
  const folders = [join(directory, "base", rows[0]?.oid ?? ""), join(directory, "pg_wal")];
  for (const folder of folders) {
    if ((await access(folder).catch((error: unknown) => error)) !== undefined) return;
    for (const name of await readdir(folder)) {
      const isLog = /^[0-9A-F]{24}$/.test(name);
      if (folder.endsWith("pg_wal") && (!isLog || name < since)) continue;
      // Others make and remove files meanwhile.
      const bytes = await readFile(join(folder, name)).catch(() => undefined);
      if (bytes !== undefined) yield { name: join(folder, name), text: bytes.toString("latin1") };
    }
  }
}
