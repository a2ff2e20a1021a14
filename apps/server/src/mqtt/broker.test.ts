import { type EventEmitter, once } from "node:events";
import { createConnection, type Socket } from "node:net";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type InsertedDevice, insertDevices } from "../../../../tests/faults/devices.ts";
import { publishPacket, WirePublisher } from "../../../../tests/faults/mqtt-wire.ts";
import { createTestApp, type TestApp } from "../../../../tests/harness/app.ts";
import { createDeviceService, deviceProtocolRepository, deviceRepository } from "../modules/devices/index.ts";
import { type Bus, memoryBus } from "../providers/bus.ts";
import { systemScope } from "../tenant-scope.ts";
import { type Broker, startBroker } from "./broker.ts";

let app: TestApp;
let broker: Broker;
let bus: Bus;
let a: InsertedDevice;
let b: InsertedDevice;
const clients: MqttClient[] = [];

beforeAll(async () => {
  bus = memoryBus();
  app = await createTestApp({}, { bus });
  broker = await startBroker({
    uplink: app.uplink,
    log: pino({ level: "silent" }),
    host: "127.0.0.1",
    port: 0,
    orNextFree: false,
  });
  [a, b] = (await insertDevices(app.test, 2)) as [InsertedDevice, InsertedDevice];
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
});
afterAll(async () => {
  await broker.stop();
  await app.close();
});

/** The typings of mqtt.js know no `once` of Node. */
const next = (client: MqttClient, event: string): Promise<unknown[]> => once(client as unknown as EventEmitter, event);

async function connect(device: InsertedDevice, options: IClientOptions = {}): Promise<MqttClient> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${broker.port}`, {
    username: device.token,
    protocolVersion: 4,
    reconnectPeriod: 0,
    ...options,
  });
  clients.push(client);
  await next(client, "connect");
  return client;
}

async function stateOf({ id }: InsertedDevice) {
  const { rows } = await app.test.database.pool.query<{
    connected: boolean;
    connection_server: string | null;
    readings: object;
  }>(
    "select connected, connection_server, coalesce(readings, '{}') as readings from device_states left join device_readings using (device_id) where device_id = $1",
    [id],
  );
  return rows[0];
}
const isConnected = async (device: InsertedDevice) => (await stateOf(device))?.connected ?? false;

describe("log-in", () => {
  test("a wrong token, and none, is answered with return code 5", async () => {
    for (const token of ["wrong", ""]) {
      const { code } = await WirePublisher.open(broker.port, token, "c");
      expect(code).toBe(5);
    }
  });

  test("one device has at most ten connections; a further one ends the oldest", async () => {
    const [device] = (await insertDevices(app.test, 1)) as [InsertedDevice];
    const open: MqttClient[] = [];
    for (let at = 0; at < 10; at += 1) open.push(await connect(device, { clientId: `line-${at}` }));
    const ended = next(open[0] as MqttClient, "close");
    await connect(device, { clientId: "line-10" });
    await ended;
    expect(open.map(({ connected }) => connected)).toEqual([false, ...Array.from({ length: 9 }, () => true)]);
  });

  test("connections of one address that do not say who they are: at most 2,000, and others come in once they are gone", async () => {
    const sockets: Socket[] = [];
    const open = () => {
      const socket = createConnection(broker.port, "127.0.0.1");
      socket.on("error", () => undefined);
      sockets.push(socket);
      return socket;
    };
    try {
      for (let at = 0; at < 2000; at += 1) await once(open(), "connect");
      const refused = open();
      await once(refused, "close");
      // Closed without an answer.
      expect((await WirePublisher.open(broker.port, a.token, "c")).code).toBe(-1);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await vi.waitFor(async () => expect((await WirePublisher.open(broker.port, a.token, "c")).code).toBe(0));
  });

  test("the same client id on two devices disturbs neither; on one device the newer connection stays", async () => {
    const first = await connect(a, { clientId: "same" });
    const other = await connect(b, { clientId: "same" });
    await other.publishAsync("v1/devices/me/telemetry", '{"t_in":1}', { qos: 1 });
    await first.publishAsync("v1/devices/me/telemetry", '{"t_in":2}', { qos: 1 });
    const pushedOff = next(first, "close");
    const newer = await connect(a, { clientId: "same" });
    await pushedOff;
    await newer.publishAsync("v1/devices/me/telemetry", '{"t_in":3}', { qos: 1 });
    expect(other.connected).toBe(true);
    // The flag is written beside the messages, not before them.
    await vi.waitFor(async () => expect(await isConnected(a)).toBe(true));
  });

  test("a hundred take-overs in a row end connected, and the end of the last one ends it", async () => {
    const [device] = (await insertDevices(app.test, 1)) as [InsertedDevice];
    const lines = await Promise.all(
      Array.from({ length: 100 }, async () => (await WirePublisher.open(broker.port, device.token, "same")).publisher),
    );
    // The one that is left answers.
    const alive = lines.filter(({ socket }) => !socket.destroyed && !socket.closed);
    expect(alive.length).toBeGreaterThan(0);
    await vi.waitFor(async () => expect(await isConnected(device)).toBe(true));
    for (const line of lines) line.close();
    await vi.waitFor(async () => {
      expect(await isConnected(device)).toBe(false);
      expect(app.uplink.isConnected(device.id)).toBe(false);
    });
  });

  test("devices that connect and leave at once end as disconnected", async () => {
    const devices = await insertDevices(app.test, 30);
    await Promise.all(
      devices.map(async (device) => {
        for (let i = 0; i < 5; i += 1) (await WirePublisher.open(broker.port, device.token, `c${i}`)).publisher.close();
      }),
    );
    await vi.waitFor(async () => {
      const { rows } = await app.test.database.pool.query<{ connected: boolean; seen: string }>(
        "select connected, count(*) as seen from device_states where device_id = any($1) group by 1",
        [devices.map(({ id }) => id)],
      );
      expect(rows).toEqual([{ connected: false, seen: "30" }]);
      expect(devices.some(({ id }) => app.uplink.isConnected(id))).toBe(false);
    });
  });

  test("a will is not taken for a sign of life", async () => {
    const [device] = (await insertDevices(app.test, 1)) as [InsertedDevice];
    const client = await connect(device, {
      will: { topic: "v1/devices/me/telemetry", payload: Buffer.from('{"ghost":1}'), qos: 1, retain: true },
    });
    await vi.waitFor(async () => expect(await isConnected(device)).toBe(true));
    client.stream.destroy();
    await vi.waitFor(async () => expect(await isConnected(device)).toBe(false));
    expect((await stateOf(device))?.readings).toEqual({});
  });
});

describe("a device that changes", () => {
  /** Two connections of a new device, and what tells that they ended. */
  const open = async () => {
    const [device] = (await insertDevices(app.test, 1)) as [InsertedDevice];
    const clients = [await connect(device), await connect(device)];
    const ended = Promise.all(clients.map((client) => next(client, "close")));
    await vi.waitFor(async () => expect(await isConnected(device)).toBe(true));
    return { device, ended };
  };
  const codeFor = async (token: string) => {
    const { publisher, code } = await WirePublisher.open(broker.port, token, "again");
    publisher.close();
    return code;
  };
  const overHttp = async (token: string) =>
    (await app.http.inject({ method: "POST", url: `/api/v1/${token}/telemetry`, payload: '{"t_in":1}' })).statusCode;

  test("a replaced token: its connections close, it is refused at once, and the new one is let in", async () => {
    const { device, ended } = await open();
    expect(await overHttp(device.token)).toBe(200);
    const [bystander] = (await insertDevices(app.test, 1)) as [InsertedDevice];
    const other = await connect(bystander);
    const devices = createDeviceService({
      repository: deviceRepository(app.test.database.kysely),
      protocol: deviceProtocolRepository(app.test.database.kysely, systemScope("a test replaces a token")),
      onChanged: (deviceId) => bus.publish("deviceChanged", { deviceId }),
    });
    const token = await devices.replaceToken(device.serialNumber);
    await ended;
    expect(await codeFor(device.token)).toBe(5);
    expect(await overHttp(device.token)).toBe(401);
    expect(await codeFor(String(token))).toBe(0);
    expect(await overHttp(String(token))).toBe(200);
    await vi.waitFor(async () => expect(await isConnected(device)).toBe(false));
    expect(other.connected).toBe(true);
    expect(await devices.replaceToken("no-such-device")).toBeUndefined();
  });

  test.each([
    ["has another token", "update devices set token_hash = sha256('another'::bytea || id::text::bytea) where id = $1"],
    ["went to another tenant", "update devices set tenant_id = '000000' where id = $1"],
    ["was removed", "delete from devices where id = $1"],
  ])("a device that %s in the table alone loses its connections with the next look", async (_what, change) => {
    const { device, ended } = await open();
    await app.uplink.checkConnections();
    expect(app.uplink.isConnected(device.id)).toBe(true);
    await app.test.database.pool.query(change, [device.id]);
    await app.uplink.checkConnections();
    await ended;
    expect(app.uplink.isConnected(device.id)).toBe(false);
  });
});

describe("topics", () => {
  test("foreign and wide subscriptions are refused, the own ones granted", async () => {
    const client = await connect(a);
    const refused = [
      "#",
      "+/devices/me/telemetry",
      "v1/devices/me/#",
      "v1/devices/me/+",
      "v1/devices/me/telemetry",
      "v1/devices/+/attributes",
      "v1/gateway/telemetry",
      "$SYS/#",
      "stored/#",
      "$handled",
      "$share/g/v1/devices/me/attributes",
    ];
    for (const topic of refused) {
      await expect(client.subscribeAsync(topic, { qos: 1 }), topic).rejects.toThrow();
    }
    for (const topic of [
      "v1/devices/me/attributes",
      "v1/devices/me/attributes/response/+",
      "v1/devices/me/rpc/request/+",
      "v1/devices/me/rpc/response/+",
    ]) {
      expect((await client.subscribeAsync(topic, { qos: 1 }))[0]?.qos, topic).toBe(1);
    }
  });

  test("subscriptions of one connection are bounded", async () => {
    const client = await connect(a);
    const granted = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) => client.subscribeAsync(`v1/devices/me/rpc/response/${n}`, { qos: 0 })),
    );
    expect(granted.filter(({ status }) => status === "fulfilled").length).toBe(50);
  });

  test("what a device publishes never reaches another, nor itself", async () => {
    const [sender, listener] = [await connect(a), await connect(b)];
    const heard: string[] = [];
    const own: string[] = [];
    sender.on("message", (topic) => own.push(topic));
    listener.on("message", (topic) => heard.push(topic));
    for (const client of [sender, listener]) {
      await client.subscribeAsync(["v1/devices/me/attributes", "v1/devices/me/rpc/request/+"], { qos: 1 });
    }
    await sender.subscribeAsync("v1/devices/me/rpc/response/+", { qos: 1 });
    for (const topic of [
      "v1/devices/me/attributes",
      "v1/devices/me/rpc/request/1",
      "$too-large",
      "$handled",
      "other",
    ]) {
      await sender.publishAsync(topic, '{"fw":"1"}', { qos: 1, retain: true });
    }
    // Answers come in order: had anything been routed, it would have come before this one.
    await listener.subscribeAsync("v1/devices/me/rpc/response/+", { qos: 1 });
    const answered = next(listener, "message");
    await listener.publishAsync("v1/devices/me/rpc/request/7", '{"method":"getCurrentTime"}', { qos: 1 });
    await answered;
    expect(heard).toEqual(["v1/devices/me/rpc/response/7"]);
    // Its call was answered, and that is all.
    expect(own).toEqual(["v1/devices/me/rpc/response/1"]);
  });

  test("attributes are merged and read back; getCurrentTime is answered", async () => {
    const [device] = (await insertDevices(app.test, 1)) as [InsertedDevice];
    const client = await connect(device);
    await client.subscribeAsync(["v1/devices/me/attributes/response/+", "v1/devices/me/rpc/response/+"], { qos: 1 });
    await client.publishAsync("v1/devices/me/attributes", '{"firmwareVersion":"1.4.2","x":1}', { qos: 1 });
    await client.publishAsync("v1/devices/me/attributes", '{"x":2}', { qos: 1 });
    await app.test.database.pool.query(`update devices set shared_attributes = '{"target":22.5}' where id = $1`, [
      device.id,
    ]);
    const ask = async (topic: string, payload: string) => {
      const answer = next(client, "message");
      await client.publishAsync(`v1/devices/me/${topic}`, payload, { qos: 1 });
      const [from, text] = (await answer) as [string, Buffer];
      return [from, JSON.parse(text.toString()) as unknown];
    };
    expect(await ask("attributes/request/1", '{"clientKeys":"x","sharedKeys":"target,none"}')).toEqual([
      "v1/devices/me/attributes/response/1",
      { client: { x: 2 }, shared: { target: 22.5 } },
    ]);
    expect(await ask("attributes/request/2", "{}")).toEqual([
      "v1/devices/me/attributes/response/2",
      { client: { firmwareVersion: "1.4.2", x: 2 }, shared: { target: 22.5 } },
    ]);
    const [from, time] = await ask("rpc/request/3", '{"method":"getCurrentTime"}');
    expect(from).toBe("v1/devices/me/rpc/response/3");
    expect(Math.abs(Number(time) - Date.now())).toBeLessThan(5000);
  });
});

test("30,000 malformed messages: none is stored, each is counted and acknowledged, the connection lives", async () => {
  const [device] = (await insertDevices(app.test, 1)) as [InsertedDevice];
  const acks = new Set<number>();
  const { publisher } = await WirePublisher.open(broker.port, device.token, "c", { onPuback: (id) => acks.add(id) });
  const bad = [
    "{",
    "[1]",
    "3",
    '{"a":1e999}',
    '{"a":"\\u0000"}',
    '{"ts":-1,"values":{"a":1}}',
    "",
    "\xff\xfe",
    '{"":1}',
    "nul",
  ];
  const count = 8000;
  for (let n = 1; n <= count; n += 1) {
    publisher.socket.write(publishPacket("v1/devices/me/telemetry", bad[n % bad.length] ?? "", n));
  }
  await vi.waitFor(() => expect(acks.size).toBe(count), { timeout: 10_000 });
  // Beyond its budget of 9,000 at once a device is too fast.
  for (let n = count + 1; n <= 30_000; n += 1) {
    publisher.socket.write(publishPacket("v1/devices/me/telemetry", "{", n));
  }
  await vi.waitFor(() => expect(acks.size).toBe(30_000), { timeout: 10_000 });
  await vi.waitFor(
    async () => {
      const { rows } = await app.test.database.pool.query<{ reason: string; messages: string }>(
        "select reason, messages from device_dropped_messages where device_id = $1",
        [device.id],
      );
      expect(rows.reduce((sum, { messages }) => sum + Number(messages), 0)).toBe(30_000);
      expect(rows.map(({ reason }) => reason).sort()).toEqual([
        "bad_number",
        "bad_text",
        "bad_time",
        "not_json",
        "too_fast",
        "wrong_form",
      ]);
    },
    { timeout: 6000 },
  );
  const { rows } = await app.test.database.pool.query("select 1 from telemetry where device_id = $1", [device.id]);
  expect(rows).toHaveLength(0);
  expect(publisher.socket.destroyed).toBe(false);
  publisher.close();
});
