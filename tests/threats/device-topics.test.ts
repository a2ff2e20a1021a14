import { type EventEmitter, once } from "node:events";
import mqtt, { type MqttClient } from "mqtt";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Broker, startBroker } from "../../apps/server/src/mqtt/broker.ts";
import { type InsertedDevice, insertDevices } from "../faults/devices.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let broker: Broker;
let device: InsertedDevice;
let gateway: InsertedDevice;
let victim: InsertedDevice;
const clients: MqttClient[] = [];

beforeAll(async () => {
  app = await createTestApp();
  broker = await startBroker({
    uplink: app.uplink,
    log: pino({ level: "silent" }),
    host: "127.0.0.1",
    port: 0,
    orNextFree: false,
  });
  [device, gateway, victim] = (await insertDevices(app.test, 3)) as [InsertedDevice, InsertedDevice, InsertedDevice];
  const { pool } = app.test.database;
  await pool.query("update devices set is_gateway = true, may_create_children = true where id = $1", [gateway.id]);
  await pool.query("update devices set tenant_id = '100002' where id = $1", [victim.id]);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.endAsync(true)));
  await broker.stop();
  await app.close();
});

async function connect(username: string): Promise<MqttClient> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${broker.port}`, { username, protocolVersion: 4, reconnectPeriod: 0 });
  clients.push(client);
  await once(client as unknown as EventEmitter, "connect");
  return client;
}

/** What a client may subscribe to by right, to begin with. */
const roots = [
  "v1/devices/me/telemetry",
  "v1/devices/me/attributes",
  "v1/devices/me/attributes/response/1",
  "v1/devices/me/rpc/request/1",
  "v1/gateway/rpc",
  "v1/gateway/attributes",
  "v1/gateway/telemetry",
  "v2/fw/response/1/chunk/0",
  "/provision/request",
  "/provision/response",
];
/** Each root with a part replaced, put in front, put behind, shared, or as a topic of the system. */
function* foreignTopics(names: readonly string[]): Generator<string> {
  yield* roots;
  yield* ["#", "+", "+/#", "/#", "$SYS/#", "$SYS/broker/clients", "v1/#", "v1/+/+/telemetry", "+/+/+/+", "v2/#"];
  for (const root of roots) {
    const levels = root.split("/");
    for (const name of ["+", "#", ...names]) {
      for (let at = 0; at < levels.length; at += 1) {
        if (name === "#") yield [...levels.slice(0, at), "#"].join("/");
        else yield [...levels.slice(0, at), name, ...levels.slice(at + 1)].join("/");
      }
      yield `${root}/${name}`;
      // mqtt.js sends no filter in which # is not the last level.
      if (name === "#") continue;
      yield `${name}/${root}`;
      yield `$share/${name === "+" ? "g" : name}/${root}`;
      yield `herdwise/${name}/${root}`;
    }
  }
}
/** What the protocol gives each of them, which is not foreign. */
const own =
  /^(v1\/devices\/me\/(attributes|attributes\/response\/[^/#]+|rpc\/(request|response)\/[^/#]+)|v2\/fw\/(error|response\/[^/#]+(\/chunk\/(\+|\d+))?))$/;
const ownOfGateway = /^v1\/gateway\/(attributes|attributes\/response|rpc|disconnect)$/;

test("T41: 5,000 filters and topics of others reach nobody, as a device, as a gateway and as one who registers", async () => {
  const names = [
    victim.id,
    victim.serialNumber,
    victim.token,
    device.serialNumber,
    "me2",
    "admin",
    "00",
    "%2e",
    "..",
    "000000",
    "provision",
    gateway.serialNumber,
  ];
  const topics = [...new Set(foreignTopics(names))];
  const asVictim = await connect(victim.token);
  await asVictim.subscribeAsync(["v1/devices/me/attributes", "v1/devices/me/rpc/request/+"]);
  const delivered: string[] = [];
  asVictim.on("message", (topic) => delivered.push(topic));
  let tried = 0;
  for (const [who, allowed] of [
    [device.token, [own]],
    [gateway.token, [own, ownOfGateway]],
    ["provision", [/^\/provision\/response$/]],
  ] as const) {
    const foreign = topics.filter((topic) => !allowed.some((expression) => expression.test(topic)));
    const client = await connect(who);
    client.on("message", (topic) => delivered.push(`${who} ${topic}`));
    for (let from = 0; from < foreign.length; from += 40) {
      const part = foreign.slice(from, from + 40);
      const answered = new Promise<number[]>((resolve) => {
        client.once("packetreceive", (packet) => resolve((packet as { granted?: number[] }).granted ?? []));
      });
      client.subscribe(part, { qos: 1 }, () => undefined);
      expect(await answered, part.join(" ")).toEqual(part.map(() => 128));
      tried += part.length;
    }
    const published = foreign.filter((topic) => !/[+#]/.test(topic) && !topic.startsWith("v1/devices/me/telemetry"));
    const body = JSON.stringify({
      [victim.serialNumber]: [{ t_in: 66 }],
      device: victim.serialNumber,
      id: 1,
      data: {},
    });
    await Promise.all(published.map((topic) => client.publishAsync(topic, body, { qos: 1 })));
    tried += published.length;
  }
  console.log(`T41: ${tried} filters and topics`);
  expect(tried).toBeGreaterThan(5000);
  expect(delivered).toEqual([]);
  const { rows } = await app.test.database.pool.query(
    "select coalesce(readings, '{}') as readings, gateway_id from devices d left join device_readings n on n.device_id = d.id where d.id = $1",
    [victim.id],
  );
  expect(rows).toEqual([{ readings: {}, gateway_id: null }]);
});
