import { type EventEmitter, once } from "node:events";
import { connect as openSocket } from "node:net";
import type { DeviceCommand } from "@herdwise/contract";
import mqtt, { type MqttClient } from "mqtt";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Broker, startBroker } from "../../apps/server/src/mqtt/broker.ts";
import { type InsertedDevice, insertDevices } from "../faults/devices.ts";
import { publishPacket } from "../faults/mqtt-wire.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

/**
 * What ThingsBoard's Python client SDK 1.13.13 (over paho-mqtt 2.1) says on the wire, recorded between it and this server by a proxy
 * in between, and said again here as it was. Only keys, names and times are put in.
 */
let app: TestApp;
let broker: Broker;
let admin: string;
let owner: string;
let keys: { provisionDeviceKey: string; provisionDeviceSecret: string };
const clients: MqttClient[] = [];

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
const post = (path: string, body: object, token: string) =>
  app.call({ method: "POST", path: `/api/muyuan-iot/${path}`, body, token });
const http = (path: string, body: unknown) =>
  app.http.inject({
    method: "POST",
    url: `/api/v1/${path}`,
    payload: JSON.stringify(body),
    headers: { "content-type": "application/json", "user-agent": "python-requests/2.34.2" },
  });

beforeAll(async () => {
  app = await createTestApp();
  broker = await startBroker({
    uplink: app.uplink,
    log: pino({ level: "silent" }),
    host: "127.0.0.1",
    port: 0,
    orNextFree: false,
  });
  [admin, owner] = await Promise.all([app.logIn("admin"), app.logIn("farm")]);
  const profile = { name: "stock", kind: "environment", strategy: "ALLOW_CREATE_NEW" };
  const made = (await post("provision/submit", profile, admin)).body.data as {
    provisionKey: string;
    provisionSecret: string;
  };
  keys = { provisionDeviceKey: made.provisionKey, provisionDeviceSecret: made.provisionSecret };
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
});
afterAll(async () => {
  await broker.stop();
  await app.close();
});

/** CONNECT of MQTT 3.1.1 as `provision` without a client id, keep alive 60 s, and its SUBSCRIBE with QoS 0. */
const provisionConnect = Buffer.from("\x10\x17\x00\x04MQTT\x04\x82\x00<\x00\x00\x00\x09provision", "latin1");
const provisionSubscribe = Buffer.from("\x82\x18\x00\x01\x00\x13/provision/response\x00", "latin1");

/** One registration as `TBDeviceMqttClient.provision` does it: nothing but CONNACK is waited for, and the request has QoS 0. */
async function provision(request: object): Promise<Record<string, unknown>> {
  const socket = openSocket(broker.port, "127.0.0.1");
  socket.write(provisionConnect);
  expect([...(await once(socket, "data"))[0]]).toEqual([0x20, 2, 0, 0]);
  socket.write(Buffer.concat([provisionSubscribe, publishPacket("/provision/request", JSON.stringify(request))]));
  let heard = "";
  for await (const chunk of socket) {
    heard += chunk.toString("latin1");
    const at = heard.indexOf("/provision/response{");
    if (at >= 0 && heard.endsWith("}")) return JSON.parse(heard.slice(at + "/provision/response".length));
  }
  throw new Error("the connection ended without an answer");
}

/** The SDK's session of a device or gateway: MQTT 5, no client id, the same subscriptions in the same order, QoS 1. */
async function session(username: string, isGateway = false, more: mqtt.IClientOptions = {}): Promise<MqttClient> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${broker.port}`, {
    username,
    clientId: "",
    protocolVersion: 5,
    keepalive: 120,
    reconnectPeriod: 0,
    ...more,
  });
  clients.push(client);
  await once(client as unknown as EventEmitter, "connect");
  const own = ["attributes", "attributes/response/+", "rpc/request/+", "rpc/response/+"].map(
    (rest) => `v1/devices/me/${rest}`,
  );
  const ofGateway = ["attributes", "attributes/response", "rpc"].map((rest) => `v1/gateway/${rest}`);
  for (const filter of [...own, ...(isGateway ? ofGateway : [])]) await client.subscribeAsync(filter, { qos: 1 });
  return client;
}
const say = (client: MqttClient, topic: string, body: unknown) =>
  client.publishAsync(topic, JSON.stringify(body), { qos: 1 });
function heardBy(client: MqttClient) {
  const heard: [string, unknown][] = [];
  client.on("message", (topic, payload) => heard.push([topic, JSON.parse(payload.toString())]));
  return heard;
}
const farmOf = async (tenantId: string) =>
  (await query<{ id: string }>("select id from farms where tenant_id = $1 limit 1", [tenantId]))[0]?.id;
const claim = async (serialNumber: string, secretKey: string) =>
  (await post("device/claim", { serialNumber, secretKey, farmId: await farmOf("100002") }, owner)).status;

describe("registration", () => {
  test("over MQTT: a token is given, a token or a user name of its own is taken, and refusals are in words", async () => {
    const given = await provision({ ...keys, deviceName: "SDK-1" });
    expect(given).toMatchObject({ status: "SUCCESS", credentialsType: "ACCESS_TOKEN" });
    const own = { token: "a-token-of-its-own-1234", credentialsType: "ACCESS_TOKEN", deviceName: "SDK-2" };
    expect(await provision({ ...keys, ...own })).toMatchObject({ status: "SUCCESS", credentialsValue: own.token });
    const basic = { username: "u3", password: "password3", clientId: "c3", credentialsType: "MQTT_BASIC" };
    expect(await provision({ ...keys, ...basic, deviceName: "SDK-3" })).toMatchObject({
      credentialsType: "MQTT_BASIC",
      credentialsValue: { clientId: "c3", userName: "u3", password: "password3" },
    });
    // What the caller left out is sent as null.
    const unnamed = { ...basic, username: "u4", clientId: null, deviceName: "SDK-4" };
    expect(await provision({ ...keys, ...unnamed })).toMatchObject({
      status: "SUCCESS",
      credentialsValue: { clientId: "" },
    });
    expect(await provision(keys)).toMatchObject({ status: "SUCCESS" });
    const x509 = { hash: "MIIB", credentialsType: "X509_CERTIFICATE", deviceName: "SDK-5" };
    expect(await provision({ ...keys, ...x509 })).toMatchObject({
      status: "FAILURE",
      errorMsg: "credentialsType X509_CERTIFICATE is not supported: use ACCESS_TOKEN or MQTT_BASIC",
    });
    const wrong = { ...keys, provisionDeviceSecret: "nope", deviceName: "SDK-6" };
    expect(await provision(wrong)).toMatchObject({ status: "NOT_FOUND", errorMsg: "Provision data was not found!" });
    // A request can't make itself a gateway: the profile says who is.
    expect(await provision({ ...keys, deviceName: "SDK-7", gateway: true })).toMatchObject({ status: "SUCCESS" });
    expect(await query("select is_gateway from devices where serial_number = 'SDK-7'")).toEqual([
      { is_gateway: false },
    ]);

    await say(await session(String(given.credentialsValue)), "v1/devices/me/telemetry", [{ t_in: 22.5 }]);
    await say(await session(own.token), "v1/devices/me/telemetry", [{ t_in: 22.5 }]);
    const login = { password: "password3", clientId: "c3" };
    await say(await session("u3", false, login), "v1/devices/me/telemetry", [{ t_in: 22.5 }]);
    expect(
      await query(
        `select d.serial_number from devices d join device_readings n on n.device_id = d.id
          where n.readings -> 't_in' ->> 'value' = '22.5' order by 1`,
      ),
    ).toEqual(["SDK-1", "SDK-2", "SDK-3"].map((serial_number) => ({ serial_number })));
  });

  test("over HTTP: the answer's token works at once", async () => {
    const answer = (await http("provision", { deviceName: "SDK-8", ...keys })).json<Record<string, string>>();
    expect(answer).toMatchObject({ status: "SUCCESS", credentialsType: "ACCESS_TOKEN" });
    expect((await http(`${answer.credentialsValue}/telemetry`, { t_in: 21.5 })).statusCode).toBe(200);
    expect((await http(`${answer.credentialsValue}/attributes`, { serial: "y" })).statusCode).toBe(200);
    const asked = await app.http.inject({ url: `/api/v1/${answer.credentialsValue}/attributes?client_keys=serial` });
    expect(asked.json()).toMatchObject({ client: { serial: "y" } });
  });

  test("a device without a name is given one that is a serial number, whatever chance says", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const request = { method: "POST", url: "/api/v1/provision", payload: JSON.stringify(keys) } as const;
        return (await app.http.inject({ ...request, remoteAddress: `10.77.0.${at}` })).json<{ status: string }>()
          .status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set(["SUCCESS"]));
  });
});

test("a device's session: limits, attributes, a call of its own and a claim that its owner takes up", async () => {
  const { credentialsValue } = await provision({ ...keys, deviceName: "SDK-CLAIM" });
  const client = await session(String(credentialsValue));
  const heard = heardBy(client);
  await say(client, "v1/devices/me/rpc/request/1", { method: "getSessionLimits", params: { timeout: 5000 } });
  await say(client, "v1/devices/me/attributes", { firmwareVersion: "9" });
  await say(client, "v1/devices/me/attributes/request/1", { clientKeys: "firmwareVersion" });
  await expect.poll(() => heard.length).toBe(2);
  expect(heard).toEqual([
    // Without `rateLimits` the SDK goes on with limits that it made up.
    ["v1/devices/me/rpc/response/1", expect.objectContaining({ rateLimits: expect.anything() })],
    ["v1/devices/me/attributes/response/1", { client: { firmwareVersion: "9" } }],
  ]);
  await say(client, "v1/devices/me/claim", { secretKey: "mqtt-secret", durationMs: 60_000 });
  expect(await claim("SDK-CLAIM", "wrong")).toBe(400);
  expect(await claim("SDK-CLAIM", "mqtt-secret")).toBe(200);
});

test("a claim over HTTP, as the manual's curl sends it", async () => {
  const { credentialsValue } = (await http("provision", { deviceName: "CURL-1", ...keys })).json();
  const body = { secretKey: "http-secret", durationMs: 60_000 };
  expect((await http(`${credentialsValue}/claim`, body)).statusCode).toBe(200);
  expect(await claim("CURL-1", "http-secret")).toBe(200);
});

describe("a gateway's session", () => {
  async function gateway(tenantId: string): Promise<InsertedDevice> {
    const [device] = (await insertDevices(app.test, 1)) as [InsertedDevice];
    await query("update devices set is_gateway = true, may_create_children = true, tenant_id = $2 where id = $1", [
      device.id,
      tenantId,
    ]);
    return device;
  }
  const childOf = async (id: string) =>
    (
      await query<{ id: string; serial_number: string; tenant_id: string; connected: boolean }>(
        `select d.id, d.serial_number, d.tenant_id, coalesce(s.connected, false) as connected
           from devices d left join device_states s on s.device_id = d.id where d.gateway_id = $1`,
        [id],
      )
    )[0];

  test("a device behind the group's gateway is claimed through it, and the gateway goes on speaking for it", async () => {
    const device = await gateway("000000");
    const client = await session(device.token, true);
    const heard = heardBy(client);
    await say(client, "v1/gateway/connect", { device: "Pen 1", type: "environment" });
    await say(client, "v1/gateway/telemetry", { "Pen 1": [{ ts: Date.now(), values: { t_in: 20 } }] });
    await say(client, "v1/gateway/attributes", { "Pen 1": { serial: "x" } });
    await say(client, "v1/gateway/attributes/request", { keys: ["serial"], device: "Pen 1", client: true, id: 1 });
    await expect
      .poll(() => heard)
      .toEqual([["v1/gateway/attributes/response", { id: 1, device: "Pen 1", values: { serial: "x" } }]]);
    await say(client, "v1/gateway/claim", { "Pen 1": { secretKey: "pen-secret", durationMs: 60_000 } });
    const before = await childOf(device.id);
    expect(await claim(String(before?.serial_number), "pen-secret")).toBe(200);
    expect(await childOf(device.id)).toMatchObject({ tenant_id: "100002" });

    await say(client, "v1/gateway/telemetry", { "Pen 1": [{ ts: Date.now(), values: { t_in: 21 } }] });
    await say(client, "v1/gateway/events", { "Pen 1": { ts: Date.now(), type: "gear", id: "g-1", gear: 3 } });
    // Sent twice, stored once.
    await say(client, "v1/gateway/events", { "Pen 1": [{ ts: Date.now(), type: "gear", id: "g-1", gear: 3 }] });
    expect(
      await query("select readings -> 't_in' ->> 'value' as t_in from device_readings where device_id = $1", [
        before?.id,
      ]),
    ).toEqual([{ t_in: "21" }]);
    expect(await query("select event_id, body from device_events where device_id = $1", [before?.id])).toEqual([
      { event_id: "g-1", body: expect.objectContaining({ gear: 3 }) },
    ]);
    // Commands of the new owner go through the gateway, too.
    const given = await post(
      "command/submit",
      { deviceId: before?.id, method: "setLight", params: { on: true } },
      owner,
    );
    const { id, requestId } = given.body.data as DeviceCommand;
    const data = { id: requestId, method: "setLight", params: { on: true } };
    await expect.poll(() => heard.at(-1)).toEqual(["v1/gateway/rpc", { device: "Pen 1", data }]);
    await say(client, "v1/gateway/rpc", { device: "Pen 1", id: requestId, data: { success: true } });
    expect(await query("select state from device_commands where id = $1", [id])).toEqual([{ state: "succeeded" }]);

    await expect.poll(async () => (await childOf(device.id))?.connected).toBe(true);
    await say(client, "v1/gateway/disconnect", { device: "Pen 1" });
    await expect.poll(async () => (await childOf(device.id))?.connected).toBe(false);
  });

  test("a customer's gateway loses a device that came to belong to another customer", async () => {
    const device = await gateway("100002");
    const client = await session(device.token, true);
    await say(client, "v1/gateway/telemetry", { "Pen 2": [{ t_in: 20 }] });
    const child = await childOf(device.id);
    await query("update devices set tenant_id = '900001' where id = $1", [child?.id]);
    app.uplink.changed(String(child?.id));
    await expect(say(client, "v1/gateway/telemetry", { "Pen 2": [{ t_in: 66 }] })).rejects.toThrow();
    await expect
      .poll(() => query("select reason from device_dropped_messages where device_id = $1", [device.id]))
      .toEqual([{ reason: "child_refused" }]);
    expect(
      await query("select readings -> 't_in' ->> 'value' as t_in from device_readings where device_id = $1", [
        child?.id,
      ]),
    ).toEqual([{ t_in: "20" }]);
  });
});
