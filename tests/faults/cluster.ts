import type { AddressInfo } from "node:net";
import type { LiveEvent } from "@herdwise/contract";
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

/** An open live stream. */
export interface LiveReader {
  readonly events: LiveEvent[];
  /** Resolves when the server ended it. */
  readonly ended: Promise<void>;
  isOpen(): boolean;
  close(): void;
}

/** Opens a live stream as a page does, and waits until the server serves it. */
export async function openLive(
  base: string,
  authorization: Record<string, string>,
  ids: string[],
): Promise<LiveReader> {
  const gone = new AbortController();
  const answer = await fetch(`${base}/api/muyuan-iot/live?ids=${ids.join(",")}`, {
    headers: { ...authorization, accept: "text/event-stream" },
    signal: gone.signal,
  });
  if (answer.status !== 200 || answer.body === null) throw new Error(`the stream was answered ${answer.status}`);
  const events: LiveEvent[] = [];
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  // The comment that the server begins with.
  let rest = (await reader.read()).value ?? "";
  let isOpen = true;
  const take = () => {
    const parts = rest.split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const line = part.split("\n").find((text) => text.startsWith("data: "));
      if (line !== undefined) events.push(JSON.parse(line.slice(6)) as LiveEvent);
    }
  };
  const ended = (async () => {
    try {
      for (;;) {
        take();
        const { done, value } = await reader.read();
        if (done) return;
        rest += value;
      }
    } finally {
      isOpen = false;
    }
  })();
  ended.catch(() => undefined);
  return { events, ended, isOpen: () => isOpen, close: () => gone.abort() };
}
