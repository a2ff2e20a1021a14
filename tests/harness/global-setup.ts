import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { processEnvironment } from "../../apps/server/src/config.ts";
import { openDatabase } from "../../apps/server/src/database/connection.ts";
import { acquireDirectoryLock } from "../../apps/server/src/database/directory-lock.ts";
import {
  type EmbeddedPostgres,
  findRunningPostgres,
  lockPath,
  startEmbeddedPostgres,
} from "../../apps/server/src/database/embedded-postgres.ts";
import { silentLog } from "../../apps/server/src/database/log.ts";
import { migrate } from "../../apps/server/src/database/migrate.ts";
import { onServer, removeDeadRuns, type TestServer, templateName, thisRun, urlOf } from "./database.ts";

declare module "vitest" {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

const directoryPrefix = "herdwise-test-";

/** Ends and removes the servers of runs that were killed. */
async function removeDeadServers(): Promise<void> {
  for (const entry of await readdir(tmpdir())) {
    if (!entry.startsWith(directoryPrefix)) continue;
    const directory = join(tmpdir(), entry);
    try {
      const lock = await acquireDirectoryLock(lockPath(directory));
      const orphan = await findRunningPostgres(directory);
      if (orphan !== undefined) process.kill(orphan.pid, "SIGQUIT");
      lock.release();
      await rm(directory, { recursive: true, force: true });
    } catch {
      // A live run, or another user's.
    }
  }
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = processEnvironment().TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => undefined };
  await removeDeadServers();
  const directory = await mkdtemp(join(tmpdir(), directoryPrefix));
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({
    directory,
    log: silentLog,
    // Tests of durability start their own; these rows may go with the machine.
    settings: { fsync: "off", full_page_writes: "off", max_connections: "200" },
  });
  return {
    url: postgres.url("postgres"),
    async stop() {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Vitest's globalSetup: one server and one migrated template per run; test files clone it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startServer();
  const server: TestServer = { url, run: thisRun };
  try {
    await removeDeadRuns(url);
    const template = templateName(server.run);
    await onServer(url, async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${template} TEMPLATE template0`);
    });
    const database = openDatabase({
      url: urlOf(url, template),
      poolSize: 1,
      applicationName: "herdwise-test-setup",
      log: silentLog,
    });
    try {
      await migrate(database, silentLog);
    } finally {
      await database.close();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide("testServer", server);
  return async () => {
    await removeDeadRuns(url, server.run);
    await stop();
  };
}
