import { type EventEmitter, once } from "node:events";
import type { DeviceCommand, Page, ParameterPeer, ParameterSetting } from "@herdwise/contract";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { type Broker, startBroker } from "../../apps/server/src/mqtt/broker.ts";
import { type Bus, memoryBus } from "../../apps/server/src/providers/bus.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let bus: Bus;
let broker: Broker;
let owner: string;
let worker: string;
const clients: MqttClient[] = [];

interface Refused {
  reason: string;
  problems: { field: string; text: string }[];
}

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
  owner = await app.logIn("farm");
  worker = await app.logIn("worker");
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
});
afterAll(async () => {
  await broker.stop();
  await app.close();
});

/** A demo device of its own for each test, so that none waits for another's commands. */
let used = 0;
async function environment(): Promise<{ id: string; token: string; unitId: string }> {
  const { rows } = await app.test.database.pool.query<{ id: string; serial_number: string; unit_id: string }>(
    "select id, serial_number, unit_id from devices where tenant_id = '100002' and kind = 'environment' order by id offset $1 limit 1",
    [used],
  );
  used += 1;
  const [row] = rows;
  if (row === undefined) throw new Error("no demo device is left");
  return { id: row.id, token: `${demoTokenPrefix}${row.serial_number}`, unitId: row.unit_id };
}

interface Heard {
  client: MqttClient;
  messages: { topic: string; body: unknown }[];
}

/** A device that listens for commands and settings, as client libraries do. */
async function listen(
  token: string,
  options: IClientOptions = {},
  qos: 0 | 1 = 1,
  acknowledges = true,
): Promise<Heard> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${broker.port}`, {
    username: token,
    protocolVersion: 4,
    reconnectPeriod: 0,
    ...options,
  });
  clients.push(client);
  // mqtt.js acknowledges when this calls back.
  if (!acknowledges) client.handleMessage = () => undefined;
  const messages: Heard["messages"] = [];
  client.on("message", (topic, payload) => messages.push({ topic, body: JSON.parse(payload.toString()) }));
  await once(client as unknown as EventEmitter, "connect");
  await client.subscribeAsync(["v1/devices/me/rpc/request/+", "v1/devices/me/attributes"], { qos });
  return { client, messages };
}
const rpcPrefix = "v1/devices/me/rpc/request/";
const commandsIn = ({ messages }: Heard) => messages.filter(({ topic }) => topic.startsWith(rpcPrefix));
/** Answers every command as the handler says. */
const answering = ({ client }: Heard, answer: (method: string) => unknown): void => {
  client.on("message", (topic, payload) => {
    if (!topic.startsWith(rpcPrefix)) return;
    const { method } = JSON.parse(payload.toString()) as { method: string };
    client.publish(`v1/devices/me/rpc/response/${topic.slice(rpcPrefix.length)}`, JSON.stringify(answer(method)), {
      qos: 1,
    });
  });
};

const submit = async (body: Record<string, unknown>, token = owner) => {
  const answer = await app.call({ method: "POST", path: "/api/muyuan-iot/command/submit", body, token });
  return { status: answer.status, data: answer.body.data as DeviceCommand & Refused };
};
const detail = async (id: string) =>
  (await app.get<DeviceCommand>(`/api/muyuan-iot/command/detail?id=${id}`, owner)).body.data;
const stateOf = async (id: string) => (await detail(id)).state;
const gear = (deviceId: string, value: number, more: Record<string, unknown> = {}) =>
  submit({ deviceId, method: "setGear", params: { gear: value, minutes: 5 }, confirmed: true, ...more });

describe("commands", () => {
  test.each([4, 5] as const)("MQTT %i: delivered in their order one after another, answered, done", async (version) => {
    const device = await environment();
    const heard = await listen(device.token, { protocolVersion: version });
    const seen: string[] = [];
    bus.subscribe("commandChanged", ({ commandId, state }) => seen.push(`${commandId} ${state}`));
    const first = await gear(device.id, 4);
    const second = await gear(device.id, 5);
    await expect.poll(() => commandsIn(heard)).toHaveLength(1);
    expect(heard.messages[0]).toEqual({
      topic: `${rpcPrefix}${first.data.requestId}`,
      body: { method: "setGear", params: { gear: 4, minutes: 5 } },
    });
    await expect.poll(() => stateOf(first.data.id)).toBe("delivered");
    expect(await stateOf(second.data.id)).toBe("queued");
    const reply = (requestId: number, body: unknown) =>
      heard.client.publishAsync(`v1/devices/me/rpc/response/${requestId}`, JSON.stringify(body), { qos: 1 });
    await reply(first.data.requestId, { success: true, gear: 4 });
    await expect.poll(() => commandsIn(heard)).toHaveLength(2);
    await reply(second.data.requestId, { success: false, error: "the motor is blocked" });
    await expect.poll(() => stateOf(second.data.id)).toBe("failed");
    expect(await detail(first.data.id)).toMatchObject({
      state: "succeeded",
      response: { success: true, gear: 4 },
      attempts: 1,
    });
    expect(await detail(second.data.id)).toMatchObject({ error: "the motor is blocked" });
    expect(seen.filter((entry) => entry.startsWith(first.data.id))).toEqual(
      ["queued", "sent", "delivered", "succeeded"].map((state) => `${first.data.id} ${state}`),
    );
    // A second answer changes nothing, and is counted.
    const late = reply(first.data.requestId, { success: false });
    if (version === 5) await expect(late).rejects.toThrow("Payload format invalid");
    else await late;
    expect(await stateOf(first.data.id)).toBe("succeeded");
  });

  test("a one-way command is done when the device has it; one without QoS 1 when it was sent", async () => {
    for (const qos of [1, 0] as const) {
      const device = await environment();
      await listen(device.token, {}, qos);
      const { data } = await gear(device.id, 3, { oneWay: true });
      await expect.poll(() => stateOf(data.id)).toBe("succeeded");
    }
  });

  test("what is not declared, out of range, unconfirmed, foreign or without the right reaches no device", async () => {
    const device = await environment();
    const heard = await listen(device.token);
    const cases: [Record<string, unknown>, string][] = [
      [{ method: "selfDestruct" }, "command.unknown"],
      [{ method: "setGear", params: { gear: 19, minutes: 5 }, confirmed: true }, "command.invalid"],
      [{ method: "setGear", params: { gear: -1, minutes: 5 }, confirmed: true }, "command.invalid"],
      [{ method: "setGear", params: { gear: "4", minutes: 5 }, confirmed: true }, "command.invalid"],
      [{ method: "setGear", params: { gear: 4, minutes: 5, force: true }, confirmed: true }, "command.invalid"],
      [{ method: "setGear", params: { gear: 4, minutes: 5 } }, "command.confirm"],
      [{ method: "setMode", params: { mode: "empty" } }, "command.confirm"],
    ];
    for (const [body, reason] of cases) {
      const { status, data } = await submit({ deviceId: device.id, ...body });
      expect([body.method, status, data.reason]).toEqual([body.method, 400, reason]);
    }
    expect((await submit({ deviceId: device.id, method: "setLight", params: { on: true } }, worker)).status).toBe(403);
    const { rows } = await app.test.database.pool.query<{ id: string }>(
      "select id from devices where tenant_id <> '100002' and kind = 'environment' limit 1",
    );
    const foreign = await submit({ deviceId: rows[0]?.id, method: "setLight", params: { on: true } });
    const missing = await submit({ deviceId: "1", method: "setLight", params: { on: true } });
    expect([foreign.status, foreign.data]).toEqual([missing.status, missing.data]);
    expect(foreign.status).toBe(404);
    const good = await submit({ deviceId: device.id, method: "setLight", params: { on: true }, oneWay: true });
    await expect.poll(() => stateOf(good.data.id)).toBe("succeeded");
    expect(commandsIn(heard)).toHaveLength(1);
  });

  test("the owner's people read of a command that moves machines, and the audit trail has it", async () => {
    const device = await environment();
    await gear(device.id, 2);
    const page = await app.get<Page<{ content: string }>>(
      "/api/muyuan-message-center/message/page/user?size=50",
      owner,
    );
    expect(page.body.data.records.some(({ content }) => content.includes("收到指令"))).toBe(true);
    const { rows } = await app.test.database.pool.query(
      "select action from audit_entries where resource = 'device_command' and row_id = $1",
      [device.id],
    );
    expect(rows).toEqual([{ action: "create" }]);
  });

  test("the same key gives one command, however often and at once", async () => {
    const device = await environment();
    const key = { requestKey: `key-${device.id}` };
    const all = await Promise.all(Array.from({ length: 20 }, () => gear(device.id, 6, key)));
    expect(new Set(all.map(({ data }) => data.id)).size).toBe(1);
    const other = await submit({
      deviceId: device.id,
      method: "setLight",
      params: { on: true },
      ...key,
    });
    expect([other.status, other.data.reason]).toEqual([409, "command.duplicate_key"]);
  });

  test("it waits for a device that is away, can be taken back until it leaves, and expires", async () => {
    const device = await environment();
    const taken = await gear(device.id, 7);
    const kept = await gear(device.id, 8);
    const short = await gear(device.id, 9, { expiresInS: 5 });
    const cancel = (id: string) =>
      app.call({ method: "POST", path: "/api/muyuan-iot/command/cancel", query: { id }, token: owner });
    expect((await cancel(taken.data.id)).status).toBe(200);
    await app.test.database.pool.query("update device_commands set expires_at = now() where id = $1", [short.data.id]);
    await expect.poll(() => stateOf(short.data.id), { timeout: 10_000 }).toBe("expired");
    const heard = await listen(device.token);
    answering(heard, () => ({ success: true }));
    await expect.poll(() => stateOf(kept.data.id)).toBe("succeeded");
    expect(await stateOf(taken.data.id)).toBe("cancelled");
    expect(commandsIn(heard).map(({ body }) => body)).toEqual([{ method: "setGear", params: { gear: 8, minutes: 5 } }]);
    expect((await cancel(kept.data.id)).status).toBe(409);
  });

  test("a connection that ends before the acknowledgement: sent again under its number, at most three times", async () => {
    const device = await environment();
    const { data } = await gear(device.id, 10);
    const numbers: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      const heard = await listen(device.token, {}, 1, false);
      await expect.poll(() => commandsIn(heard).length).toBe(1);
      numbers.push(commandsIn(heard)[0]?.topic ?? "");
      await clients.pop()?.endAsync(true);
      await expect.poll(() => stateOf(data.id)).toBe(times < 2 ? "queued" : "timed_out");
    }
    expect(new Set(numbers)).toEqual(new Set([`${rpcPrefix}${data.requestId}`]));
  });

  test("delivered and never answered: timed out, not sent again, and the next one goes", async () => {
    const device = await environment();
    const heard = await listen(device.token);
    const { data } = await gear(device.id, 11, { timeoutS: 1 });
    const next = await gear(device.id, 12, { oneWay: true });
    await expect.poll(() => stateOf(data.id), { timeout: 15_000 }).toBe("timed_out");
    await expect.poll(() => stateOf(next.data.id)).toBe("succeeded");
    expect(commandsIn(heard)).toHaveLength(2);
  });
});

const setParameters = async (deviceId: string, values: Record<string, unknown>, more: object = {}) => {
  const answer = await app.call({
    method: "POST",
    path: "/api/muyuan-iot/parameter/submit",
    body: { deviceId, values, ...more },
    token: owner,
  });
  return { status: answer.status, data: answer.body.data as ParameterSetting[] & Refused };
};
const settingsOf = async (id: string) => {
  const { body } = await app.get<ParameterSetting[]>(`/api/muyuan-iot/parameter/status?id=${id}`, owner);
  return Object.fromEntries(body.data.map(({ key, state }) => [key, state]));
};

describe("parameters", () => {
  test("pushed at once, applied when the device says so, refused and drifted when it says something else", async () => {
    const device = await environment();
    const heard = await listen(device.token);
    const report = (values: object) =>
      heard.client.publishAsync("v1/devices/me/attributes", JSON.stringify(values), { qos: 1 });
    expect((await setParameters(device.id, { t_target: 22.5, rh_max: 80 })).status).toBe(200);
    await expect.poll(() => heard.messages).toHaveLength(1);
    expect(heard.messages[0]).toEqual({ topic: "v1/devices/me/attributes", body: { t_target: 22.5, rh_max: 80 } });
    expect(await settingsOf(device.id)).toEqual({ t_target: "pending", rh_max: "pending" });
    await expect
      .poll(async () => {
        await report({ t_target: 22.5, rh_max: 70 });
        return settingsOf(device.id);
      })
      .toEqual({ t_target: "applied", rh_max: "refused" });
    await report({ t_target: 19 });
    expect(await settingsOf(device.id)).toEqual({ t_target: "drifted", rh_max: "refused" });
    // Taken back: the device is told which are gone.
    expect((await setParameters(device.id, { rh_max: null })).status).toBe(200);
    await expect.poll(() => heard.messages.at(-1)?.body).toEqual({ deleted: ["rh_max"] });
    const history = await app.get<Page<{ key: string; before: unknown; after: unknown; actorName: string }>>(
      `/api/muyuan-iot/parameter/history?id=${device.id}`,
      owner,
    );
    expect(history.body.data.records).toHaveLength(3);
    expect(history.body.data.records[0]).toMatchObject({ key: "rh_max", before: 80, after: null });
    expect(history.body.data.records[0]?.actorName).not.toBe("");
  });

  test("what was set while the device was away reaches it when it listens", async () => {
    const device = await environment();
    await setParameters(device.id, { t_target: 21 });
    const heard = await listen(device.token);
    await expect.poll(() => heard.messages.at(0)?.body).toEqual({ t_target: 21 });
  });

  test("what nothing took in time is withdrawn: the device never gets it, what was wanted before holds again", async () => {
    const device = await environment();
    const heard = await listen(device.token);
    await setParameters(device.id, { t_target: 21 });
    await expect.poll(() => heard.messages.at(-1)?.body).toEqual({ t_target: 21 });
    await heard.client.endAsync();
    // The second change replaces the first before anything took it: both are undone together.
    await setParameters(device.id, { t_target: 23, rh_max: 75 }, { expiresInS: 1 });
    await setParameters(device.id, { t_target: 24 }, { expiresInS: 1 });
    await expect
      .poll(() => settingsOf(device.id), { timeout: 12_000 })
      .toEqual({ t_target: "expired", rh_max: "expired" });
    const { body } = await app.get<ParameterSetting[]>(`/api/muyuan-iot/parameter/status?id=${device.id}`, owner);
    expect(body.data).toMatchObject([
      { key: "rh_max", desired: null, missed: 75 },
      { key: "t_target", desired: 21, missed: 24 },
    ]);
    const again = await listen(device.token);
    await again.client.publishAsync("v1/devices/me/attributes", '{"t_target":21}', { qos: 1 });
    // Somebody still has to read that it was withdrawn.
    expect(await settingsOf(device.id)).toMatchObject({ t_target: "expired" });
    // The same value once more is a new try, and the first thing that the device hears.
    expect((await setParameters(device.id, { t_target: 21 })).status).toBe(200);
    expect(await settingsOf(device.id)).toMatchObject({ t_target: "applied" });
    await expect.poll(() => again.messages.map((message) => message.body)).toEqual([{ t_target: 21 }]);
    const history = await app.get<Page<{ key: string; after: unknown; outcome: string }>>(
      `/api/muyuan-iot/parameter/history?id=${device.id}`,
      owner,
    );
    expect(history.body.data.records.map(({ key, after, outcome }) => [key, after, outcome])).toEqual([
      ["t_target", 21, "applied"],
      ["t_target", 24, "expired"],
      ["rh_max", 75, "expired"],
      ["t_target", 23, "replaced"],
      ["t_target", 21, "replaced"],
    ]);
  });

  test("a device that comes between the expiry and the next look gets nothing of it", async () => {
    const device = await environment();
    await setParameters(device.id, { t_target: 21 });
    await app.test.database.pool.query(
      "update device_parameters set expires_at = now() - interval '1 second' where device_id = $1",
      [device.id],
    );
    const heard = await listen(device.token);
    await expect.poll(() => settingsOf(device.id), { timeout: 12_000 }).toEqual({ t_target: "expired" });
    expect(heard.messages).toEqual([]);
  });

  test("settings of the same kind are told with what became of them, of the own tenant alone", async () => {
    const device = await environment();
    const heard = await listen(device.token);
    const told: string[] = [];
    bus.subscribe("parametersChanged", ({ deviceId }) => told.push(deviceId));
    const report = (values: object) =>
      heard.client.publishAsync("v1/devices/me/attributes", JSON.stringify(values), { qos: 1 });
    await setParameters(device.id, { rh_max: 80 });
    await report({ rh_max: 80 });
    await report({ rh_max: 82 });
    expect(told.filter((id) => id === device.id).length).toBeGreaterThanOrEqual(3);
    const path = "/api/muyuan-iot/parameter/peers?kind=environment";
    const peers = (await app.get<ParameterPeer[]>(path, owner)).body.data;
    expect(peers.find(({ id }) => id === device.id)).toMatchObject({
      desired: { rh_max: 80 },
      reported: { rh_max: 82 },
      drifted: 1,
      pending: 0,
    });
    expect(peers.length).toBeGreaterThan(5);
    const foreign = (await app.get<ParameterPeer[]>(path, worker)).body.data;
    expect(foreign.some(({ id }) => id === device.id)).toBe(false);
    // What drifted is sent again as it is.
    expect((await setParameters(device.id, { rh_max: 80 })).status).toBe(200);
    expect(await settingsOf(device.id)).toEqual({ rh_max: "pending" });
  });

  test("the kind's rules hold on the server, and nothing is sent of a form with one wrong value", async () => {
    const device = await environment();
    const row = (gear: number, t_up: number) => ({ gear, t_up });
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{ t_target: 60 }, /t_target/],
      [{ mode: "party" }, /mode/],
      [{ fan_table: Array.from({ length: 19 }, (_, at) => row(at + 1, at)) }, /fan_table/],
      [{ lighting: Array.from({ length: 7 }, () => ({ on: "08:00", off: "09:00" })) }, /lighting/],
      [{ lighting: [{ on: "", off: "09:00" }] }, /lighting/],
      [{ lighting: [{ on: "10:00", off: "09:00" }] }, /lighting/],
      [{ t_target: 21, rh_max: "wet" }, /rh_max/],
    ];
    for (const [values, field] of wrong) {
      const { status, data } = await setParameters(device.id, values, { confirmed: true });
      expect([status, data.reason]).toEqual([400, "parameter.problems"]);
      expect(data.problems.every((problem) => field.test(problem.field))).toBe(true);
    }
    expect((await setParameters(device.id, { nonsense: 1 })).data.reason).toBe("parameter.unknown");
    expect((await setParameters(device.id, { mode: "empty" }, { confirmed: true })).data.reason).toBe(
      "parameter.mode_of_unit",
    );
    expect(await settingsOf(device.id)).toEqual({});
    await setParameters(device.id, { t_target: 21 });
    expect((await setParameters(device.id, { t_target: 21 })).data.reason).toBe("parameter.unchanged");
  });

  test("the mode of a unit reaches its controllers, and masking its alarms is told", async () => {
    const device = await environment();
    const heard = await listen(device.token);
    const change = (body: object, token = owner) =>
      app.call({ method: "POST", path: "/api/muyuan-iot/unit/mode", body, token });
    expect((await change({ unitId: device.unitId, mode: "empty" })).status).toBe(400);
    expect((await change({ unitId: "1", mode: "normal" })).status).toBe(404);
    const answer = await change({ unitId: device.unitId, mode: "empty", confirmed: true });
    expect(answer.body.data).toMatchObject({ mode: "empty", deviceIds: [device.id] });
    await expect.poll(() => heard.messages.at(-1)?.body).toEqual({ mode: "empty" });
    const { rows } = await app.test.database.pool.query("select mode from units where id = $1", [device.unitId]);
    expect(rows).toEqual([{ mode: "empty" }]);
    const page = await app.get<Page<{ title: string }>>("/api/muyuan-message-center/message/page/user?size=50", owner);
    expect(page.body.data.records.some(({ title }) => title === "告警已屏蔽")).toBe(true);
  });

  test("washing ends by itself: the unit goes back to what it was, never to empty with pigs inside, and its owners are told", async () => {
    // The demo has one unit without pigs.
    const { rows: resting } = await app.test.database.pool.query<{ id: string; serial: string; unitId: string }>(
      `select d.id, d.serial_number as serial, u.id as "unitId" from devices d join units u on u.id = d.unit_id
        where d.tenant_id = '100002' and d.kind = 'environment' and u.mode = 'empty' and u.head_count = 0 limit 1`,
    );
    const device = { ...resting[0], token: `${demoTokenPrefix}${resting[0]?.serial}` };
    const query = (text: string, values: unknown[] = [device.unitId]) => app.test.database.pool.query(text, values);
    const change = async (body: object) =>
      (
        await app.call({
          method: "POST",
          path: "/api/muyuan-iot/unit/mode",
          body: { unitId: device.unitId, confirmed: true, ...body },
          token: owner,
        })
      ).body as { code: number; data: { reason?: string; modeEndsMs?: number } };
    const ends = async () => {
      await query("update units set mode_ends_at = now() - interval '1 second' where id = $1");
      await app.runJob("commands.unit-modes");
      return (await query("select mode, mode_ends_at, mode_before from units where id = $1")).rows[0];
    };
    expect((await change({ mode: "empty", endsInS: 600 })).data.reason).toBe("parameter.ends_washing");
    expect((await change({ mode: "washing", endsInS: 100_000 })).code).toBe(400);
    const usual = (await change({ mode: "washing" })).data.modeEndsMs ?? 0;
    expect(Math.abs(usual - Date.now() - 4 * 3_600_000)).toBeLessThan(60_000);
    // Begun anew, it still knows what was before.
    const begun = (await change({ mode: "washing", endsInS: 600 })).data.modeEndsMs ?? 0;
    expect(Math.abs(begun - Date.now() - 600_000)).toBeLessThan(60_000);
    const shown = await app.get<{ modeEndsMs: number }>(`/api/muyuan-farm/unit/overview?id=${device.unitId}`, owner);
    expect(shown.body.data.modeEndsMs).toBe(begun);
    await app.runJob("commands.unit-modes");
    expect((await query("select mode from units where id = $1")).rows).toEqual([{ mode: "washing" }]);
    expect(await ends()).toEqual({ mode: "empty", mode_ends_at: null, mode_before: null });
    await change({ mode: "washing" });
    await query(
      `insert into inventory_movements (id, tenant_id, unit_id, kind, category, heads, happened_at)
       values (1790000000000000077, '100002', $1, 'arrival', 'fattener', 12, now())`,
    );
    const heard = await listen(device.token);
    expect(await ends()).toEqual({ mode: "normal", mode_ends_at: null, mode_before: null });
    await expect.poll(() => heard.messages.at(-1)?.body).toEqual({ mode: "normal" });
    const { records } = (
      await app.get<Page<{ title: string; content: string }>>(
        "/api/muyuan-message-center/message/page/user?size=50",
        owner,
      )
    ).body.data;
    expect(records.filter(({ title }) => title === "冲洗已结束").map(({ content }) => content)).toEqual([
      expect.stringContaining("恢复为正常饲养，照常告警"),
      expect.stringContaining("恢复为空栏，仍不告警"),
    ]);
    const { rows } = await query(
      "select changes, account_id from audit_entries where resource = 'unit_mode' and row_id = $1 order by id desc limit 1",
    );
    expect(rows).toEqual([{ changes: [{ field: "mode", before: "washing", after: "normal" }], account_id: null }]);
  });

  test("attributes of a device beyond 64 KiB in all are dropped and counted, whatever the single message holds", async () => {
    const device = await environment();
    const send = (values: object) =>
      app.http.inject({
        method: "POST",
        url: `/api/v1/${device.token}/attributes`,
        payload: JSON.stringify(values),
        headers: { "content-type": "application/json" },
      });
    const filler = "x".repeat(20_000);
    for (const key of ["a", "b", "c"]) expect((await send({ [key]: filler })).statusCode).toBe(200);
    const full = await send({ d: filler });
    expect([full.statusCode, full.json()]).toEqual([400, { reason: "attributes_full" }]);
    expect((await send({ a: "short", d: "short" })).statusCode).toBe(200);
  });
});
