import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { processEnvironment } from "../../apps/server/src/config.ts";
import { type Database, openDatabase } from "../../apps/server/src/database/connection.ts";
import { acquireDirectoryLock } from "../../apps/server/src/database/directory-lock.ts";
import {
  type EmbeddedPostgres,
  findRunningPostgres,
  lockPath,
  startEmbeddedPostgres,
} from "../../apps/server/src/database/embedded-postgres.ts";
import { silentLog } from "../../apps/server/src/database/log.ts";
import { migrate } from "../../apps/server/src/database/migrate.ts";
import { createJobQueue } from "../../apps/server/src/jobs/queue.ts";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";
import { distributeForTests, joinNodes, nodeUrls, sealTemplate } from "./citus.ts";
import { dropDatabase, onServer, removeDeadRuns, type TestServer, templateName, thisRun, urlOf } from "./database.ts";
import { memoryFolder, scratchFolder } from "./scratch-folder.ts";
import { seedTemplate } from "./seed.ts";

declare module "vitest" {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

const directoryPrefix = "herdwise-test-";

/** Ends and removes the servers of runs that were killed. */
async function removeDeadServers(): Promise<void> {
  // Both places: what a killed run left in memory would stay there when it leaves too little room for the next one.
  const entries = await Promise.all(
    [memoryFolder, tmpdir()].map(async (folder) =>
      (await readdir(folder).catch(() => [])).map((name) => ({ folder, name })),
    ),
  );
  for (const { folder, name } of entries.flat()) {
    if (!name.startsWith(directoryPrefix)) continue;
    const directory = join(folder, name);
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
  const directory = await mkdtemp(join(await scratchFolder(), directoryPrefix));
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({
    directory,
    log: silentLog,
    // Tests of durability start their own; these rows may go with the machine.
    settings: { fsync: "off", full_page_writes: "off", max_connections: "200", autovacuum: "off" },
  });
  return {
    url: postgres.superuserUrl("postgres"),
    async stop() {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Makes the two databases that test files clone, on several nodes distributed from the migration on. */
async function makeTemplates(url: string, run: string, nodes: readonly string[]): Promise<void> {
  const [migrated, seeded] = [templateName(run, "migrated"), templateName(run, "seeded")];
  const distributed = nodes.length > 1;
  const create = async (name: string, from: string) => {
    await dropDatabase(nodes, name);
    for (const node of nodes)
      await onServer(node, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${from}`));
  };
  const fill = async (name: string, work: (database: Database) => Promise<unknown>) => {
    const options = { poolSize: 2, applicationName: "herdwise-test-setup", log: silentLog };
    const database = openDatabase({ url: urlOf(url, name), ...options });
    try {
      await work(database);
    } finally {
      await database.close();
    }
    if (distributed) await sealTemplate(nodes, name);
  };
  await create(migrated, "template0");
  if (distributed) await joinNodes(url, migrated);
  await fill(migrated, async (database) => {
    await migrate(database, silentLog);
    // The queue makes its own tables at its first start.
    const queue = createJobQueue({ pool: database.pool, bus: memoryBus(), log: pino({ level: "silent" }) });
    await queue.start([]);
    await queue.stop();
    if (distributed) await distributeForTests(urlOf(url, migrated));
  });
  await create(seeded, migrated);
  await fill(seeded, ({ kysely }) => seedTemplate(kysely));
}

interface Running {
  readonly server: TestServer;
  /** Projects that use it; the last one that ends stops it. */
  users: number;
  stop(): Promise<void>;
}

async function start(): Promise<Running> {
  const { url, stop } = await startServer();
  const nodes = processEnvironment().HERDWISE_TEST_DISTRIBUTED ? await nodeUrls(url) : [url];
  try {
    await removeDeadRuns(nodes);
    await makeTemplates(url, thisRun, nodes);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    server: { url, run: thisRun, nodes },
    users: 0,
    async stop() {
      await removeDeadRuns(nodes, thisRun);
      await stop();
    },
  };
}

// Each project may load this module anew; the server is one for all of them.
const shared = globalThis as { herdwiseTestServer?: Promise<Running> | undefined };

/** Vitest's globalSetup of the projects that need a database: one server and its templates per run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.herdwiseTestServer ??= start();
  const running = await shared.herdwiseTestServer;
  running.users += 1;
  project.provide("testServer", running.server);
  return async () => {
    running.users -= 1;
    if (running.users > 0) return;
    shared.herdwiseTestServer = undefined;
    await running.stop();
  };
}
