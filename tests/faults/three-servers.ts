import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { freePort } from "../../apps/server/src/free-port.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { redisUrl } from "../harness/redis.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { type Haproxy, startHaproxy } from "./haproxy.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/** Servers stop so long after they are told to, seconds; HAProxy sends nothing new to them meanwhile. */
const stopDelaySeconds = 5;

/** Three processes on one database and one Redis behind HAProxy, with the configuration that is shipped. */
export interface ThreeServers {
  readonly database: TestDatabase;
  readonly haproxy: Haproxy;
  server(at: number): ServerProcess;
  /** Starts one of this version at its place, and waits until HAProxy sends to all. */
  restart(at: number): Promise<void>;
  /** Waits until HAProxy sends nothing to one any more. */
  isDown(at: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param redisDatabase number of the database of Redis that these servers have for themselves
 * @param checkout of the version that they start with; this one by default
 */
export async function openThreeServers(redisDatabase: number, checkout?: string): Promise<ThreeServers> {
  // An earlier version does not open the tables of this one.
  const database = await (checkout === undefined ? createTestDatabase : createEmptyDatabase)(2);
  const places = await Promise.all(
    [0, 1, 2].map(async () => ({
      httpPort: await freePort(),
      mqttPort: await freePort(),
      dataDir: await mkdtemp(join(tmpdir(), "herdwise-servers-")),
    })),
  );
  const start = ({ httpPort, mqttPort, dataDir }: (typeof places)[number], of?: string) =>
    startServerProcess(
      {
        DATABASE_URL: database.url,
        REDIS_URL: Object.assign(new URL(redisUrl), { pathname: `/${redisDatabase}` }).href,
        SECRET_KEY: "a key for tests that is long enough to be one",
        DATA_DIR: dataDir,
        TRUST_PROXY: "127.0.0.1",
        PORT: String(httpPort),
        MQTT_PORT: String(mqttPort),
        STOP_DELAY_SECONDS: String(stopDelaySeconds),
      },
      of === undefined ? {} : { checkout: of },
    );
  const servers: ServerProcess[] = [];
  let haproxy: Haproxy | undefined;
  const close = async () => {
    await haproxy?.close();
    for (const server of servers) await server.kill();
    for (const { dataDir } of places) await rm(dataDir, { recursive: true, force: true });
    await database.drop();
  };
  try {
    // One after the other: a slow machine has only so much for each.
    for (const place of places) servers.push(await start(place, checkout));
    haproxy = await startHaproxy(places);
    const { states } = haproxy;
    const allUp = () => expect.poll(states, { timeout: onThisMachine(60_000) }).toEqual(["UP", "UP", "UP"]);
    await allUp();
    return {
      database,
      haproxy,
      server: (at) => servers[at] as ServerProcess,
      async restart(at) {
        servers[at] = await start(places[at] as (typeof places)[number]);
        await allUp();
      },
      isDown: (at) => expect.poll(async () => (await states())[at], { timeout: onThisMachine(30_000) }).toBe("DOWN"),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
