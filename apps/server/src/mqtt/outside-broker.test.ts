import { randomUUID } from "node:crypto";
import { type EventEmitter, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mqtt, { type MqttClient } from "mqtt";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type InsertedDevice, insertDevices } from "../../../../tests/faults/devices.ts";
import { createTestApp, type TestApp } from "../../../../tests/harness/app.ts";
import {
  connectOutsideBroker,
  loadClientId,
  type OutsideBroker,
  type OutsideBrokerDependencies,
} from "./outside-broker.ts";

const url = "mqtt://127.0.0.1:1883";
const answers = await new Promise<boolean>((resolve) => {
  const socket = connect(1883, "127.0.0.1", () => {
    socket.destroy();
    resolve(true);
  });
  socket.on("error", () => resolve(false));
});

/** Runs of others on the same broker are neither heard nor disturbed. */
const prefix = `herdwise-test-${randomUUID()}`;
const clientId = `${prefix}-server`;

describe.skipIf(!answers)("MQTT broker on 127.0.0.1:1883", () => {
  let app: TestApp;
  let device: InsertedDevice;
  let publisher: MqttClient;
  const servers: OutsideBroker[] = [];

  beforeAll(async () => {
    app = await createTestApp();
    publisher = mqtt.connect(url, { protocolVersion: 4 });
    await once(publisher as unknown as EventEmitter, "connect");
  });
  beforeEach(async () => {
    [device] = (await insertDevices(app.test, 1)) as [InsertedDevice];
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    // Sessions that were kept go, so that the broker keeps nothing of this test.
    for (let at = 0; at < 4; at += 1) {
      const cleaner = mqtt.connect(url, { clientId: `${clientId}-${at}`, clean: true, protocolVersion: 5 });
      await once(cleaner as unknown as EventEmitter, "connect");
      await cleaner.endAsync();
    }
  });
  afterAll(async () => {
    await publisher.endAsync();
    await app.close();
  });

  const start = async (dependencies: Partial<OutsideBrokerDependencies> = {}) => {
    const server = await connectOutsideBroker({
      url,
      uplink: app.uplink,
      log: pino({ level: "silent" }),
      clientId,
      prefix,
      connections: 4,
      ...dependencies,
    });
    servers.push(server);
    return server;
  };
  const publish = (payload: string, topic = "telemetry", token = device.token) =>
    publisher.publishAsync(`${prefix}/${token}/v1/devices/me/${topic}`, payload, { qos: 1 });
  const stored = async () => {
    const { rows } = await app.test.database.pool.query<{ n: number }>(
      "select (t.readings->>'n')::int as n from telemetry_values t where device_id = $1 order by n",
      [device.id],
    );
    return rows.map(({ n }) => n);
  };
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

  test("messages are stored once, and those under an unknown token or a foreign topic stop nobody", async () => {
    await start();
    await publish('{"n":-1}', "telemetry", "unknown");
    await publish('{"n":-1}', "nothing-known");
    await Promise.all(upTo(500).map((n) => publish(`{"n":${n}}`)));
    await vi.waitFor(async () => expect(await stored()).toEqual(upTo(500)), { timeout: 10_000 });
  });

  test("what arrives while the server restarts waits in its session", async () => {
    const first = await start();
    await publish('{"n":0}');
    await vi.waitFor(async () => expect(await stored()).toEqual([0]));
    await first.stop();
    for (let n = 1; n < 50; n += 1) await publish(`{"n":${n}}`);
    expect(await stored()).toEqual([0]);
    await start();
    await vi.waitFor(async () => expect(await stored()).toEqual(upTo(50)));
  });

  test("nothing is acknowledged before the commit: what a server that stops had in hand comes again", async () => {
    let under = 0;
    const stuck = await start({
      uplink: {
        ...app.uplink,
        telemetry: () => {
          under += 1;
          return new Promise(() => undefined);
        },
      },
    });
    await Promise.all(upTo(20).map((n) => publish(`{"n":${n}}`)));
    // One a connection is in hand; the others wait at the broker.
    await vi.waitFor(() => expect(under).toBe(4));
    await stuck.stop();
    await start();
    await vi.waitFor(async () => expect(await stored()).toEqual(upTo(20)));
  });

  test("a fault is tried again and nothing is lost", async () => {
    let faults = 3;
    await start({
      uplink: {
        ...app.uplink,
        authenticate: (token, address) => {
          if (faults === 0) return app.uplink.authenticate(token, address);
          faults -= 1;
          return Promise.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" }));
        },
      },
    });
    await Promise.all(upTo(20).map((n) => publish(`{"n":${n}}`)));
    await vi.waitFor(async () => expect(await stored()).toEqual(upTo(20)), { timeout: 5000 });
    expect(faults).toBe(0);
  });

  test("answers go to the device's own prefix, and are not taken for messages of the device", async () => {
    const drops: string[] = [];
    await start({ uplink: { ...app.uplink, drop: (_device, reason) => drops.push(reason) } });
    const heard: string[] = [];
    const listener = mqtt.connect(url);
    listener.on("message", (topic, payload) => heard.push(`${topic} ${payload}`));
    await once(listener as unknown as EventEmitter, "connect");
    await listener.subscribeAsync(`${prefix}/+/v1/devices/me/rpc/response/+`, { qos: 1 });
    await publish('{"method":"getCurrentTime"}', "rpc/request/7");
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    expect(heard[0]).toMatch(new RegExp(`^${prefix}/${device.token}/v1/devices/me/rpc/response/7 \\d{13}$`));
    // The answer came back to the servers as well; a message behind it on the same connections shows that it was passed over.
    await Promise.all(upTo(20).map((n) => publish(`{"n":${n}}`)));
    await vi.waitFor(async () => expect(await stored()).toEqual(upTo(20)));
    expect(drops).toEqual([]);
    await listener.endAsync();
  });
});

test("a broker that is down does not hold the start up", async () => {
  const warned: string[] = [];
  const log = {
    info: () => undefined,
    debug: () => undefined,
    warn: (...told: unknown[]) => warned.push(String(told.at(-1))),
  };
  const server = await connectOutsideBroker({
    url: "mqtt://127.0.0.1:1",
    uplink: {} as OutsideBrokerDependencies["uplink"],
    log: log as unknown as OutsideBrokerDependencies["log"],
    clientId,
    connections: 1,
    firstConnectMs: 20,
  });
  expect(warned).toContain("the outside broker does not answer yet");
  await server.stop();
});

test("the id of the sessions is the same at the next start", async () => {
  const folder = await mkdtemp(join(tmpdir(), "herdwise-client-"));
  const ids = await Promise.all(Array.from({ length: 20 }, () => loadClientId(folder)));
  expect(ids[0]).toMatch(/^herdwise-[0-9a-f-]{36}$/);
  expect(new Set([...ids, await loadClientId(folder)]).size).toBe(1);
  await rm(folder, { recursive: true });
});
