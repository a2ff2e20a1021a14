import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { type Broker, startBroker } from "../../apps/server/src/mqtt/broker.ts";
import { type Bus, redisBus } from "../../apps/server/src/providers/bus.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { newPrefix, openRedisProxy, type RedisProxy, redisBench } from "../harness/redis.ts";

/** One of several servers, with its sockets. */
export interface ClusterServer extends TestApp {
  readonly base: string;
  readonly broker: Broker;
  readonly bus: Bus;
}

/** Servers on one database and one Redis, which they reach through one gate. */
export interface Cluster {
  readonly servers: readonly [ClusterServer, ClusterServer, ClusterServer];
  readonly test: TestDatabase;
  readonly gate: RedisProxy;
  close(): Promise<void>;
}

/** Starts three whole servers at the same moment on a database that is migrated and empty. */
export async function openCluster(environment: Record<string, string> = {}): Promise<Cluster> {
  const test = await createTestDatabase(5);
  const gate = await openRedisProxy();
  const prefix = newPrefix();
  const open = async (): Promise<ClusterServer> => {
    const bus = await redisBus(gate.url, { warn: () => undefined }, prefix);
    const app = await createTestApp(environment, { test, bus, bench: await redisBench(prefix, gate.url) });
    await app.http.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.http.server.address() as AddressInfo;
    const broker = await startBroker({
      uplink: app.uplink,
      log: pino({ level: "silent" }),
      host: "127.0.0.1",
      port: 0,
      orNextFree: false,
    });
    return Object.assign(app, { base: `http://127.0.0.1:${port}`, broker, bus });
  };
  const servers = await Promise.all([open(), open(), open()]);
  return {
    servers,
    test,
    gate,
    async close() {
      await gate.reopen();
      for (const { broker, close } of servers) {
        await broker.stop();
        await close();
      }
      await gate.shut();
      await test.drop();
    },
  };
}
