import type { Config } from "../config.ts";
import { type Database, openDatabase } from "../database/connection.ts";
import { findRunningPostgres, startEmbeddedPostgres } from "../database/embedded-postgres.ts";
import { silentLog, warningsOnly } from "../database/log.ts";

/** The database of an installation, for a command beside its server. */
export interface CommandDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

/**
 * Opens the database that the settings name: an outside one, or the embedded one of the data folder.
 * @param command shown in pg_stat_activity
 * @param startIt starts the embedded one when no server runs it; else the process ends with a word of what to do
 */
export async function openCommandDatabase(config: Config, command: string, startIt = false): Promise<CommandDatabase> {
  const running = config.databaseUrl ?? (await findRunningPostgres(config.dataDir))?.url();
  if (running === undefined && !startIt) {
    console.error("The server must be running: it holds the database.");
    process.exit(1);
  }
  const started =
    running === undefined ? await startEmbeddedPostgres({ directory: config.dataDir, log: silentLog }) : undefined;
  const url = running ?? started?.url() ?? "";
  const database = openDatabase({ url, poolSize: 1, applicationName: command, log: warningsOnly(console.error) });
  return {
    database,
    async close() {
      await database.close();
      await started?.stop();
    },
  };
}
