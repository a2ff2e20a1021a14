import { createHash } from "node:crypto";
import { type EventEmitter, once } from "node:events";
import type { DeviceCommand, FirmwarePackage, FirmwareRollout, Page, ParameterSetting } from "@herdwise/contract";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Broker, startBroker } from "../../apps/server/src/mqtt/broker.ts";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";
import { type InsertedDevice, insertDevices } from "../faults/devices.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { upload as uploadFile } from "../harness/upload.ts";

/** Two servers on one database, of which devices are connected to the second. */
let app: TestApp;
let other: TestApp;
let broker: Broker;
let owner: string;
let admin: string;
const clients: MqttClient[] = [];

beforeAll(async () => {
  const bus = memoryBus();
  app = await createTestApp({}, { bus });
  other = await createTestApp({}, { bus, test: app.test });
  broker = await startBroker({
    uplink: other.uplink,
    log: pino({ level: "silent" }),
    host: "127.0.0.1",
    port: 0,
    orNextFree: false,
  });
  owner = await app.logIn("farm");
  admin = await app.logIn("admin");
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
});
afterAll(async () => {
  await broker.stop();
  await other.close();
  await app.close();
});

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;

/** A device of the customer whose owner is logged in. */
async function ownDevice(): Promise<InsertedDevice> {
  const [device] = (await insertDevices(app.test, 1)) as [InsertedDevice];
  await query("update devices set tenant_id = '100002' where id = $1", [device.id]);
  return { ...device, tenantId: "100002" };
}

async function connect(options: IClientOptions): Promise<MqttClient> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${broker.port}`, {
    protocolVersion: 4,
    reconnectPeriod: 0,
    ...options,
  });
  clients.push(client);
  await once(client as unknown as EventEmitter, "connect");
  return client;
}
const refusedCode = async (options: IClientOptions): Promise<number> => {
  const client = mqtt.connect(`mqtt://127.0.0.1:${broker.port}`, { reconnectPeriod: 0, ...options });
  clients.push(client);
  const [error] = (await once(client as unknown as EventEmitter, "error").catch((thrown: unknown) => [thrown])) as [
    { code: number },
  ];
  return error.code;
};
const heardBy = (client: MqttClient) => {
  const heard: { topic: string; body: Record<string, unknown> }[] = [];
  client.on("message", (topic, payload) => heard.push({ topic, body: JSON.parse(payload.toString()) }));
  return heard;
};
const publish = (client: MqttClient, topic: string, body: unknown) =>
  client.publishAsync(topic, JSON.stringify(body), { qos: 1 });
const give = async (deviceId: string, more: object = {}) =>
  (
    await app.call({
      method: "POST",
      path: "/api/muyuan-iot/command/submit",
      body: { deviceId, method: "setLight", params: { on: true }, ...more },
      token: owner,
    })
  ).body.data as DeviceCommand;
const stateOf = async (id: string) =>
  (await query<{ state: string }>("select state from device_commands where id = $1", [id]))[0]?.state;
const dropsOf = async (id: string) => {
  const rows = await query<{ reason: string; messages: number }>(
    "select reason, messages::int from device_dropped_messages where device_id = $1",
    [id],
  );
  return Object.fromEntries(rows.map(({ reason, messages }) => [reason, messages]));
};
const http = (method: "GET" | "POST", path: string, body?: unknown) =>
  other.http.inject({ method, url: `/api/v1/${path}`, ...(body !== undefined && { payload: JSON.stringify(body) }) });

describe("HTTP", () => {
  test("a request that waits takes the command, its answer ends it, and an empty wait is 408", async () => {
    const device = await ownDevice();
    expect((await http("GET", `${device.token}/rpc?timeout=30`)).statusCode).toBe(408);
    const waiting = http("GET", `${device.token}/rpc?timeout=20000`);
    const command = await give(device.id);
    const taken = await waiting;
    expect([taken.statusCode, taken.json()]).toEqual([
      200,
      { id: command.requestId, method: "setLight", params: { on: true } },
    ]);
    await expect.poll(() => stateOf(command.id)).toBe("delivered");
    expect((await http("POST", `${device.token}/rpc/${command.requestId}`, { success: true })).statusCode).toBe(200);
    expect(await stateOf(command.id)).toBe("succeeded");
    const late = await http("POST", `${device.token}/rpc/${command.requestId}`, {});
    expect([late.statusCode, late.json()]).toEqual([400, { reason: "late_answer" }]);
  });

  test("settings are waited for, and two requests of a device at most wait for the same", async () => {
    const device = await ownDevice();
    const waits = Array.from({ length: 3 }, () => http("GET", `${device.token}/attributes/updates?timeout=20000`));
    expect((await Promise.race(waits)).statusCode).toBe(429);
    const set = (values: object) =>
      app.call({
        method: "POST",
        path: "/api/muyuan-iot/parameter/submit",
        body: { deviceId: device.id, values },
        token: owner,
      });
    expect((await set({ t_target: 24 })).status).toBe(200);
    const first = await Promise.race(
      waits.map(async (wait) => {
        const answer = await wait;
        return answer.statusCode === 429 ? new Promise<never>(() => undefined) : answer;
      }),
    );
    expect(first.json()).toEqual({ t_target: 24 });
    await set({ rh_max: 70 });
    const codes = (await Promise.all(waits)).map(({ statusCode }) => statusCode).toSorted();
    expect(codes).toEqual([200, 200, 429]);
  });

  test("a device calls the server; what the server does not know is answered by an error", async () => {
    const device = await ownDevice();
    const now = await http("POST", `${device.token}/rpc`, { method: "getCurrentTime", params: {} });
    expect(Math.abs(now.json<number>() - Date.now())).toBeLessThan(60_000);
    const limits = await http("POST", `${device.token}/rpc`, { method: "getSessionLimits" });
    expect(limits.json()).toMatchObject({ maxPayloadSize: 262_144, rateLimits: { messages: "3000:1" } });
    expect((await http("POST", `${device.token}/rpc`, { method: "fly" })).json()).toEqual({
      error: "unknown method: fly",
    });
    expect((await http("POST", `${device.token}/rpc`, [1])).statusCode).toBe(400);
  });
});

describe("gateways", () => {
  async function gateway(mayCreate: boolean): Promise<InsertedDevice> {
    const device = await ownDevice();
    await query("update devices set is_gateway = true, may_create_children = $2 where id = $1", [device.id, mayCreate]);
    return device;
  }
  const childrenOf = (id: string) =>
    query<{ id: string; gateway_name: string; tenant_id: string; kind: string }>(
      "select id, gateway_name, tenant_id, kind from devices where gateway_id = $1 order by gateway_name",
      [id],
    );
  const connectedOf = async (id: string) =>
    (await query<{ connected: boolean }>("select connected from device_states where device_id = $1", [id]))[0]
      ?.connected ?? false;

  test("speaks for the devices behind it: presence, telemetry, attributes, commands and settings by name", async () => {
    const device = await gateway(true);
    const client = await connect({ username: device.token });
    const heard = heardBy(client);
    await client.subscribeAsync(
      ["v1/gateway/attributes", "v1/gateway/attributes/response", "v1/gateway/rpc"].map((topic) => topic),
      { qos: 1 },
    );
    await publish(client, "v1/gateway/connect", { device: "Stall 1", type: "environment" });
    const [child] = await childrenOf(device.id);
    if (child === undefined) throw new Error("no child was made");
    expect(child).toMatchObject({ gateway_name: "Stall 1", tenant_id: "100002", kind: "environment" });
    await expect.poll(() => connectedOf(child.id)).toBe(true);
    await publish(client, "v1/gateway/telemetry", {
      "Stall 1": [{ ts: Date.now(), values: { t_in: 21.5 } }],
      "Stall 2": [{ t_in: 20 }],
    });
    const [state] = await query<{ readings: { t_in: { value: number } } }>(
      "select readings from device_readings where device_id = $1",
      [child.id],
    );
    expect(state?.readings.t_in.value).toBe(21.5);
    expect(await childrenOf(device.id)).toHaveLength(2);
    // Attributes in both directions.
    await publish(client, "v1/gateway/attributes", { "Stall 1": { firmwareVersion: "2.0", serial: "a" } });
    await publish(client, "v1/gateway/attributes/request", {
      id: 7,
      device: "Stall 1",
      client: true,
      keys: ["serial"],
    });
    await publish(client, "v1/gateway/attributes/request", { id: 8, device: "Stall 1", client: true, key: "serial" });
    await expect.poll(() => heard.length).toBe(2);
    expect(heard.map(({ body }) => body)).toEqual([
      { id: 7, device: "Stall 1", values: { serial: "a" } },
      { id: 8, device: "Stall 1", value: "a" },
    ]);
    await app.call({
      method: "POST",
      path: "/api/muyuan-iot/parameter/submit",
      body: { deviceId: child.id, values: { t_target: 23 } },
      token: owner,
    });
    await expect
      .poll(() => heard.at(-1))
      .toEqual({
        topic: "v1/gateway/attributes",
        body: { device: "Stall 1", data: { t_target: 23 } },
      });
    // A command, given at the other server.
    const command = await give(child.id);
    await expect
      .poll(() => heard.at(-1))
      .toEqual({
        topic: "v1/gateway/rpc",
        body: {
          device: "Stall 1",
          data: { id: command.requestId, method: "setLight", params: { on: true } },
        },
      });
    await publish(client, "v1/gateway/rpc", { device: "Stall 1", id: command.requestId, data: { success: true } });
    expect(await stateOf(command.id)).toBe("succeeded");
    await publish(client, "v1/gateway/disconnect", { device: "Stall 1" });
    await expect.poll(() => connectedOf(child.id)).toBe(false);
    const [, second] = await childrenOf(device.id);
    expect(await connectedOf(second?.id ?? "")).toBe(true);
    await client.endAsync();
    await expect.poll(() => connectedOf(second?.id ?? "")).toBe(false);
  });

  test("makes nobody where it may not, and never speaks for a device of another tenant or gateway", async () => {
    const [foreign] = (await insertDevices(app.test, 1)) as [InsertedDevice];
    const taken = await gateway(true);
    const first = await connect({ username: taken.token });
    await publish(first, "v1/gateway/connect", { device: "Shared" });
    const [theirs] = await childrenOf(taken.id);
    const unallowed = await gateway(false);
    const second = await connect({ username: unallowed.token });
    await publish(second, "v1/gateway/telemetry", { New: [{ t_in: 1 }] });
    expect(await childrenOf(unallowed.id)).toEqual([]);
    await expect.poll(() => dropsOf(unallowed.id)).toEqual({ child_refused: 1 });
    // By the serial number of somebody else's device: another one is made, below the gateway's own number.
    const third = await gateway(true);
    const client = await connect({ username: third.token });
    for (const name of [foreign.serialNumber, `${taken.serialNumber}/Shared`])
      await publish(client, "v1/gateway/telemetry", { [name]: [{ t_in: 66 }] });
    for (const { id } of [foreign, theirs ?? foreign]) {
      expect(await query("select 1 from telemetry where device_id = $1", [id])).toEqual([]);
    }
    expect(await query("select gateway_id from devices where id = $1", [foreign.id])).toEqual([{ gateway_id: null }]);
    expect(
      await query("select serial_number from devices where gateway_id = $1 order by 1 limit 1", [third.id]),
    ).toEqual([{ serial_number: `${third.serialNumber}/${foreign.serialNumber}` }]);
    expect((await childrenOf(taken.id)).map(({ gateway_name }) => gateway_name)).toEqual(["Shared"]);
  });

  test("a device that is none is dropped on its topics and gets no subscription to them", async () => {
    const device = await ownDevice();
    const client = await connect({ username: device.token });
    await publish(client, "v1/gateway/telemetry", { A: [{ t_in: 1 }] });
    await expect.poll(() => dropsOf(device.id)).toEqual({ not_a_gateway: 1 });
    const granted = await client.subscribeAsync("v1/gateway/rpc").catch(() => "refused");
    expect(granted).toBe("refused");
  });

  test("a flush of 1,000 devices is taken by batches, and another device's reading is not late", async () => {
    const device = await gateway(true);
    const client = await connect({ username: device.token });
    const names = Array.from({ length: 1000 }, (_, at) => `P${at}`);
    const begun = Date.now();
    const sent: Promise<unknown>[] = [];
    for (let from = 0; from < names.length; from += 100) {
      const message = Object.fromEntries(
        names
          .slice(from, from + 100)
          .map((name) => [
            name,
            Array.from({ length: 12 }, (_, at) => ({ ts: begun - at * 600_000, values: { t_in: at } })),
          ]),
      );
      sent.push(publish(client, "v1/gateway/telemetry", message));
    }
    const bystander = await ownDevice();
    const before = performance.now();
    expect((await http("POST", `${bystander.token}/telemetry`, { t_in: 20 })).statusCode).toBe(200);
    expect(performance.now() - before).toBeLessThan(5000);
    await Promise.all(sent);
    const [counted] = await query<{ rows: number }>(
      "select count(*)::int as rows from telemetry t join devices d on d.id = t.device_id where d.gateway_id = $1",
      [device.id],
    );
    expect(counted?.rows).toBe(12_000);
  });
});

describe("registration, claim and log-in", () => {
  const staff = (path: string, body: object, token = admin) =>
    app.call({ method: "POST", path: `/api/muyuan-iot/${path}`, body, token });
  const profile = async (strategy: string) =>
    (await staff("provision/submit", { name: `p ${strategy}`, kind: "environment", strategy })).body.data as {
      provisionKey: string;
      provisionSecret: string;
    };
  const keysOf = ({ provisionKey, provisionSecret }: Awaited<ReturnType<typeof profile>>) => ({
    provisionDeviceKey: provisionKey,
    provisionDeviceSecret: provisionSecret,
  });

  test("over MQTT as `provision`: one request, the credentials work, and nothing else may be said", async () => {
    const keys = keysOf(await profile("ALLOW_CREATE_NEW"));
    const client = await connect({ username: "provision" });
    const heard = heardBy(client);
    await client.subscribeAsync("/provision/response");
    expect(await client.subscribeAsync("v1/devices/me/attributes").catch(() => "refused")).toBe("refused");
    await publish(client, "v1/devices/me/telemetry", { t_in: 1 });
    await publish(client, "/provision/request", { deviceName: "NEW-1", ...keys });
    await expect.poll(() => heard.length).toBe(1);
    expect(heard[0]).toMatchObject({
      topic: "/provision/response",
      body: { status: "SUCCESS", credentialsType: "ACCESS_TOKEN" },
    });
    const token = heard[0]?.body.credentialsValue as string;
    expect((await http("POST", `${token}/telemetry`, { t_in: 20 })).statusCode).toBe(200);
    const [made] = await query("select tenant_id, kind, bound_at from devices where serial_number = 'NEW-1'");
    expect(made).toEqual({ tenant_id: "000000", kind: "environment", bound_at: null });
    // The name is taken now.
    expect((await http("POST", "provision", { deviceName: "NEW-1", ...keys })).json()).toMatchObject({
      status: "FAILURE",
    });
  });

  test("over HTTP with user name and password; wrong keys, X.509 and a second time are refused in words", async () => {
    const keys = keysOf(await profile("CHECK_PRE_PROVISIONED"));
    await query(
      "insert into devices (id, tenant_id, kind, name, serial_number, token_hash) values (991, '000000', 'environment', 'x', 'PRE-1', '\\x01')",
    );
    const ask = async (more: object) =>
      (await http("POST", "provision", { deviceName: "PRE-1", ...keys, ...more })).json();
    const unknown = { status: "NOT_FOUND", errorMsg: "Provision data was not found!" };
    expect(await ask({ provisionDeviceSecret: "wrong" })).toMatchObject(unknown);
    expect(await ask({ provisionDeviceKey: "wrong" })).toMatchObject(unknown);
    expect(await ask({ deviceName: "PRE-2" })).toMatchObject(unknown);
    expect((await ask({ credentialsType: "X509_CERTIFICATE", hash: "x" })).errorMsg).toContain("not supported");
    const basic = { credentialsType: "MQTT_BASIC", clientId: "c-1", username: "pre-1", password: "long enough" };
    expect(await ask(basic)).toMatchObject({
      status: "SUCCESS",
      credentialsValue: { clientId: "c-1", userName: "pre-1", password: "long enough" },
    });
    expect(await ask({})).toMatchObject(unknown);
    await connect({ username: "pre-1", password: "long enough", clientId: "c-1" });
    expect(await refusedCode({ username: "pre-1", password: "wrong enough", clientId: "c-1" })).toBe(5);
    expect(await refusedCode({ username: "pre-1", password: "long enough", clientId: "c-2" })).toBe(5);
    expect(await refusedCode({ username: "pre-1", clientId: "c-1" })).toBe(5);
  });

  test("requests of one address are limited", async () => {
    const from = "198.51.100.77";
    const ask = () =>
      app.http.inject({
        method: "POST",
        url: "/api/v1/provision",
        remoteAddress: from,
        payload: '{"deviceName":"X-1"}',
      });
    const answers: string[] = [];
    for (let n = 0; n < 61; n += 1) answers.push((await ask()).json<{ status: string }>().status);
    expect(answers.slice(0, 60)).toEqual(Array(60).fill("NOT_FOUND"));
    expect(answers[60]).toBe("FAILURE");
  });

  test("a device offers itself, and only who knows its secret binds it, once", async () => {
    const device = await ownDevice();
    await query("update devices set tenant_id = '000000' where id = $1", [device.id]);
    const [farm] = await query<{ id: string }>("select id from farms where tenant_id = '100002' limit 1");
    const [elsewhere] = await query<{ id: string }>("select id from farms where tenant_id <> '100002' limit 1");
    const claim = async (more: object = {}) => {
      const body = { serialNumber: device.serialNumber, secretKey: "right", farmId: farm?.id, ...more };
      const answer = await staff("device/claim", body, owner);
      return [answer.status, (answer.body.data as { reason?: string }).reason];
    };
    expect(await claim()).toEqual([400, "device.claim_failed"]);
    expect((await http("POST", `${device.token}/claim`, { durationMs: 60_000 })).json()).toEqual({
      reason: "bad_claim",
    });
    expect((await http("POST", `${device.token}/claim`, { secretKey: "" })).json()).toEqual({ reason: "bad_claim" });
    expect((await http("POST", `${device.token}/claim`, { secretKey: "right", durationMs: 60_000 })).statusCode).toBe(
      200,
    );
    expect(await claim({ farmId: elsewhere?.id })).toEqual([400, "device.place"]);
    expect(await claim({ secretKey: "wrong" })).toEqual([400, "device.claim_failed"]);
    expect(await claim({ serialNumber: "nobody" })).toEqual([400, "device.claim_failed"]);
    expect(await claim()).toEqual([200, undefined]);
    const [bound] = await query("select tenant_id, farm_id from devices where id = $1", [device.id]);
    expect(bound).toEqual({ tenant_id: "100002", farm_id: farm?.id });
    expect(await claim()).toEqual([400, "device.claim_failed"]);
  });

  test("after five wrong secrets an offer takes no other, not even the right one", async () => {
    const device = await ownDevice();
    await query("update devices set tenant_id = '000000' where id = $1", [device.id]);
    await http("POST", `${device.token}/claim`, { secretKey: "right" });
    const [farm] = await query<{ id: string }>("select id from farms where tenant_id = '100002' limit 1");
    await app.pass(3600);
    const statuses: number[] = [];
    for (const secretKey of ["a", "b", "c", "d", "e", "right"]) {
      const body = { serialNumber: device.serialNumber, secretKey, farmId: farm?.id };
      statuses.push((await staff("device/claim", body, owner)).status);
    }
    expect(statuses).toEqual(Array(6).fill(400));
    expect(await query("select tenant_id from devices where id = $1", [device.id])).toEqual([{ tenant_id: "000000" }]);
  });

  test("staff renews a token and sets user name and password; what was shown before ends at once", async () => {
    const device = await ownDevice();
    const client = await connect({ username: device.token });
    const closed = once(client as unknown as EventEmitter, "close");
    expect((await staff("device/token", { id: device.id }, owner)).status).toBe(403);
    const { accessToken } = (await staff("device/token", { id: device.id })).body.data as { accessToken: string };
    await closed;
    expect(await refusedCode({ username: device.token })).toBe(5);
    await connect({ username: accessToken });
    await staff("device/credentials", { id: device.id, loginName: "stall-9", password: "long enough" });
    expect(await refusedCode({ username: accessToken })).toBe(5);
    await connect({ username: "stall-9", password: "long enough", clientId: "whatever" });
    const second = await ownDevice();
    const taken = await staff("device/credentials", { id: second.id, loginName: "stall-9", password: "long enough" });
    expect((taken.body.data as { reason: string }).reason).toBe("device.login_taken");
  });
});

test("settings that no connection took are found by the server that the device comes to", async () => {
  const device = await ownDevice();
  await app.call({
    method: "POST",
    path: "/api/muyuan-iot/parameter/submit",
    body: { deviceId: device.id, values: { t_target: 19 } },
    token: owner,
  });
  const client = await connect({ username: device.token });
  const heard = heardBy(client);
  await client.subscribeAsync("v1/devices/me/attributes", { qos: 1 });
  await expect.poll(() => heard.at(0)?.body).toEqual({ t_target: 19 });
  const { body } = await app.get<ParameterSetting[]>(`/api/muyuan-iot/parameter/status?id=${device.id}`, owner);
  expect(body.data).toMatchObject([{ key: "t_target", state: "pending" }]);
});

describe("firmware", () => {
  const staff = async <Data>(path: string, body: object): Promise<Data> =>
    (await app.call({ method: "POST", path: `/api/muyuan-iot/firmware/${path}`, body, token: admin })).body
      .data as Data;
  const upload = async (bytes: Buffer, version: string) => {
    const answer = await uploadFile(app, admin, bytes, "image.bin", {
      path: "/api/muyuan-iot/firmware/upload",
      query: { kind: "cough", title: "ear", version },
    });
    return answer.body.data as unknown as FirmwarePackage & { reason?: string };
  };

  test("is told by kind and version", async () => {
    const path = "/api/muyuan-iot/firmware/version/list";
    const told = (await app.get<{ kind: string; version: string; devices: number }[]>(path, admin)).body.data;
    const held = await query<{ kind: string; version: string; devices: number }>(
      "select kind, firmware_version as version, count(*)::int as devices from devices group by kind, firmware_version",
    );
    const keyOf = ({ kind, version, devices }: (typeof held)[number]): string => `${kind} ${version} ${devices}`;
    expect(told.map(keyOf).toSorted()).toEqual(held.map(keyOf).toSorted());
  });

  test("offered in stages, fetched by chunks over MQTT and HTTP, and followed to its end", async () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, at) => at % 251));
    const made = await upload(bytes, "2.0");
    expect(made).toMatchObject({ sizeBytes: 5000, checksum: createHash("sha256").update(bytes).digest("hex") });
    expect((await upload(bytes, "2.0")).reason).toBe("firmware.version_taken");
    const devices = await insertDevices(app.test, 4, "cough");
    const rollout = await staff<FirmwareRollout>("rollout/submit", {
      packageId: made.id,
      deviceIds: devices.map(({ id }) => id),
      stages: [25],
      maxFailures: 9,
    });
    expect(rollout).toMatchObject({ devices: 4, stages: [25, 100], stage: 0, state: "running", maxFailures: 9 });
    expect(rollout.progress).toEqual([
      { devices: 1, updated: 0, failed: 0, active: 1 },
      { devices: 3, updated: 0, failed: 0, active: 0 },
    ]);
    const offered = async () =>
      (await query<{ id: string }>("select id from devices where shared_attributes ->> 'fw_version' = '2.0'")).map(
        ({ id }) => id,
      );
    const [firstId] = await offered();
    expect(await offered()).toHaveLength(1);
    const first = devices.find(({ id }) => id === firstId) as InsertedDevice;
    const waiting = devices.find(({ id }) => id !== firstId) as InsertedDevice;

    const client = await connect({ username: first.token });
    const parts: Buffer[] = [];
    const settings: unknown[] = [];
    client.on("message", (topic, payload) => {
      if (topic.startsWith("v2/fw/response/")) parts.push(payload);
      else settings.push(JSON.parse(payload.toString()));
    });
    // As the libraries do, though by the standard `+` would not reach the chunks.
    await client.subscribeAsync(["v2/fw/response/+", "v1/devices/me/attributes"], { qos: 1 });
    await expect
      .poll(() => settings)
      .toEqual([
        {
          fw_title: "ear",
          fw_version: "2.0",
          fw_size: 5000,
          fw_checksum: made.checksum,
          fw_checksum_algorithm: "SHA256",
        },
      ]);
    for (const chunk of [0, 1, 2]) await client.publishAsync(`v2/fw/request/7/chunk/${chunk}`, "2048", { qos: 1 });
    await expect.poll(() => parts.length).toBe(3);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    await client.publishAsync("v2/fw/request/8/chunk/0", "", { qos: 1 });
    await expect.poll(() => parts[3]?.equals(bytes)).toBe(true);
    const fetchBy = (device: InsertedDevice, rest: string) => http("GET", `${device.token}/firmware?${rest}`);
    const second = await fetchBy(first, "title=ear&version=2.0&size=2048&chunk=2");
    expect(second.rawPayload.equals(bytes.subarray(4096))).toBe(true);
    expect((await fetchBy(first, "title=ear&version=1.0&size=2048&chunk=0")).statusCode).toBe(404);
    expect((await fetchBy(first, "title=ear&version=2.0&size=-1&chunk=0")).statusCode).toBe(400);
    // A device to which it is not offered yet gets nothing of it.
    expect((await fetchBy(waiting, "title=ear&version=2.0&size=0&chunk=0")).statusCode).toBe(404);
    await expect.poll(() => dropsOf(waiting.id)).toEqual({ no_firmware: 1 });

    const progress = async () =>
      (await app.get<Page<FirmwareRollout>>("/api/muyuan-iot/firmware/rollout/page", admin)).body.data.records[0];
    for (const fw_state of ["DOWNLOADING", "DOWNLOADED", "VERIFIED", "UPDATING", "UPDATED", "WAITING", "FAILED"])
      await publish(client, "v1/devices/me/telemetry", { fw_state });
    expect(await progress()).toMatchObject({ updated: 1, failed: 0, state: "running" });
    expect(await staff<FirmwareRollout>("rollout/step", { id: rollout.id, step: "next" })).toMatchObject({ stage: 1 });
    expect(await offered()).toHaveLength(4);
    for (const { token, id } of devices)
      if (id !== firstId) await http("POST", `${token}/telemetry`, { fw_state: "FAILED", fw_error: "checksum" });
    // The last device ended, by failing.
    expect(await progress()).toMatchObject({ updated: 1, failed: 3, state: "done" });
    expect(await staff("rollout/step", { id: rollout.id, step: "next" })).toMatchObject({
      reason: "firmware.last_stage",
    });
    expect(await staff("rollout/step", { id: rollout.id, step: "stop" })).toMatchObject({
      reason: "firmware.not_running",
    });
  });

  test("it pauses itself at the limit of failures, takes back what nobody began, and goes on when it is told to", async () => {
    const made = await upload(Buffer.from("image"), "3.0");
    const devices = await insertDevices(app.test, 5, "cough");
    const { id } = await staff<FirmwareRollout>("rollout/submit", {
      packageId: made.id,
      deviceIds: devices.map((device) => device.id),
      maxFailures: 2,
    });
    const offered = async () =>
      (await query("select id from devices where shared_attributes ->> 'fw_version' = '3.0'")).length;
    const standing = async () =>
      (await app.get<Page<FirmwareRollout>>("/api/muyuan-iot/firmware/rollout/page", admin)).body.data.records.find(
        (rollout) => rollout.id === id,
      );
    const tell = (at: number, fw_state: string) =>
      http("POST", `${devices[at]?.token}/telemetry`, { fw_state, fw_error: "checksum" });
    expect(await offered()).toBe(5);
    await tell(0, "DOWNLOADING");
    await tell(1, "FAILED");
    expect(await standing()).toMatchObject({ state: "running", failed: 1 });
    await tell(2, "FAILED");
    expect(await standing()).toMatchObject({ state: "paused", pauseReason: "failures", failed: 2 });
    // The one that fetches and the two that failed keep the offer; the two that had not begun lost it.
    await expect.poll(offered).toBe(3);
    await tell(3, "UPDATED");
    expect(await standing()).toMatchObject({ updated: 0 });
    await tell(0, "UPDATED");
    expect(await standing()).toMatchObject({ updated: 1, state: "paused" });
    expect(await staff("update/retry", { rolloutId: id, deviceId: devices[1]?.id })).toMatchObject({
      reason: "firmware.not_failed",
    });

    expect(await staff("rollout/step", { id, step: "resume" })).toMatchObject({ state: "running", pauseReason: "" });
    expect(await offered()).toBe(5);
    expect(await staff("update/retry", { rolloutId: id, deviceId: devices[1]?.id })).toMatchObject({ failed: 1 });
    expect(await staff("rollout/step", { id, step: "pause" })).toMatchObject({
      state: "paused",
      pauseReason: "person",
    });
    expect(await offered()).toBe(2);
    expect(await staff("rollout/step", { id, step: "next" })).toMatchObject({ reason: "firmware.last_stage" });
    expect(await staff("rollout/step", { id, step: "stop" })).toMatchObject({ state: "stopped" });
    expect(await staff("rollout/step", { id, step: "resume" })).toMatchObject({ reason: "firmware.not_running" });
  });
});
