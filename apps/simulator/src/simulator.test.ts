import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Aedes, type Client } from "aedes";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deviceLink } from "./device-link.ts";
import type { Fleet, FleetDevice } from "./fleet.ts";
import { type Simulator, startSimulator } from "./simulator.ts";
import { initialState, reportTimeBefore, stateTime, virtualDevice } from "./virtual-device.ts";

type Received = { readonly token: string; readonly topic: string; readonly body: unknown };
type Entry = { readonly ts: number; readonly values: Record<string, unknown> };

const unit = {
  id: "u",
  pigstyType: "fattening",
  headCount: 400,
  ageDays: 100,
  weightGrams: 60_000,
  mode: "normal",
} as const;
const environment: FleetDevice = {
  token: "good-1",
  serialNumber: "S1",
  kind: "environment",
  firmwareVersion: "2.0.0",
  unit,
};
const bath: FleetDevice = { token: "good-2", serialNumber: "S2", kind: "bathroom", firmwareVersion: "1.1.0" };

let broker: Aedes;
let server: Server;
let port = 0;
let directory = "";
let simulator: Simulator | undefined;
let received: Received[] = [];
let errors: string[] = [];
let lines: string[] = [];
const clients = new Map<string, Client>();
const tokens = new Map<Client, string>();
/** Tokens of devices that have subscribed to their attributes. */
const listening = new Set<string>();

async function listen(at: number): Promise<void> {
  broker = await Aedes.createBroker();
  broker.authenticate = (client, username, _password, done) => {
    const token = username ?? "";
    if (!token.startsWith("good")) {
      done(Object.assign(new Error("not authorized"), { returnCode: 5 }), false);
      return;
    }
    tokens.set(client, token);
    clients.set(token, client);
    done(null, true);
  };
  broker.authorizePublish = (client, packet, done) => {
    const token = client ? (tokens.get(client) ?? "") : "";
    received.push({ token, topic: packet.topic, body: JSON.parse(packet.payload.toString()) });
    // What a device sends is for the server alone; devices share their topic names.
    packet.topic = `received/${packet.topic}`;
    done(null);
  };
  broker.on("subscribe", (subscriptions, client) => {
    if (subscriptions.some(({ topic }) => topic === "v1/devices/me/attributes"))
      listening.add(tokens.get(client) ?? "");
  });
  server = createServer(broker.handle);
  server.listen(at, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
}

async function unlisten(): Promise<void> {
  await new Promise<void>((resolve) => broker.close(resolve));
  await new Promise((resolve) => server.close(resolve));
}

const until = async (condition: () => boolean, whatFor: string, limitMs = 10_000): Promise<void> => {
  const end = Date.now() + limitMs;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${whatFor}; errors: ${errors.join("; ")}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const start = async (
  devices: readonly FleetDevice[],
  options: { days?: number; speed?: number } = {},
): Promise<void> => {
  const fleet: Fleet = { seed: 4, devices };
  simulator = await startSimulator({
    fleet,
    mqttUrl: `mqtt://127.0.0.1:${port}`,
    statePath: join(directory, "state.json"),
    backfillDays: options.days ?? 0,
    speed: options.speed ?? 1,
    print: (line) => lines.push(line),
    onError: (line) => errors.push(line),
  });
};
const entriesOf = (token: string): Entry[] =>
  received
    .filter((each) => each.token === token && each.topic === "v1/devices/me/telemetry")
    .flatMap(({ body }) => body as Entry | Entry[]);
const bodies = (topic: string, token = "good-1"): unknown[] =>
  received.filter((each) => each.topic === topic && each.token === token).map(({ body }) => body);
const sendTo = (token: string, topic: string, body: unknown): void => {
  clients
    .get(token)
    ?.publish(
      { cmd: "publish", topic, payload: Buffer.from(JSON.stringify(body)), qos: 1, retain: false, dup: false },
      () => undefined,
    );
};
let callId = 0;
const call = async (token: string, method: string, params: unknown): Promise<unknown> => {
  callId += 1;
  sendTo(token, `v1/devices/me/rpc/request/${callId}`, { method, params });
  const topic = `v1/devices/me/rpc/response/${callId}`;
  await until(() => bodies(topic, token).length > 0, topic);
  return bodies(topic, token)[0];
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "simulator-"));
  received = [];
  errors = [];
  lines = [];
  listening.clear();
  await listen(0);
});
afterEach(async () => {
  await simulator?.stop();
  simulator = undefined;
  await unlisten();
  await rm(directory, { recursive: true, force: true });
});

describe("a fleet on a broker", () => {
  it("introduces itself and reports all channels first", async () => {
    await start([environment, bath], { speed: 300 });
    await until(() => entriesOf("good-1").length > 2 && entriesOf("good-2").length > 2, "reports");
    expect(bodies("v1/devices/me/attributes")[0]).toMatchObject({ firmwareVersion: "2.0.0", serialNumber: "S1" });
    expect(Object.keys(entriesOf("good-1")[0]?.values ?? {}).length).toBeGreaterThan(70);
    expect(Math.abs((entriesOf("good-1")[0]?.ts ?? 0) - Date.now())).toBeLessThan(10_000);
    expect(errors).toEqual([]);
    expect(lines).toEqual([]);
  });

  it("carries out commands and shows their effect at once", async () => {
    await start([environment, bath]);
    await until(() => clients.has("good-1") && bodies("v1/devices/me/attributes").length > 0, "the connection");
    expect(await call("good-1", "setTargetTemperature", { temperature: 24.5 })).toEqual({
      success: true,
      t_target: 24.5,
    });
    expect(await call("good-1", "setMode", { mode: "washing" })).toEqual({ success: true, mode: "washing" });
    expect(await call("good-1", "setGear", { gear: 7 })).toMatchObject({ success: true, gear: 7 });
    // What changed, and nothing else.
    const shown = (key: string, value: unknown) => entriesOf("good-1").some(({ values }) => values[key] === value);
    await until(() => shown("mode", "washing") && shown("gear", 7), "the effect");
    await until(() => bodies("v1/devices/me/events").flat().length >= 3, "events");
    expect(bodies("v1/devices/me/events").flat()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: "mode_change", from: "normal", to: "washing" }),
        expect.objectContaining({ type: "manual_override_start", gear: 7 }),
      ]),
    );
    expect(await call("good-1", "launch", {})).toMatchObject({ success: false });
    await until(() => clients.has("good-2"), "the bathroom");
    expect(await call("good-2", "selfDestruct", {})).toMatchObject({
      success: false,
      error: "Unknown method: selfDestruct",
    });
  });

  it("takes over desired parameters, reports them back once, and does not answer an echo", async () => {
    await start([environment]);
    await until(() => listening.has("good-1"), "the subscription");
    sendTo("good-1", "v1/devices/me/attributes", { t_target: 22.5, rh_max: 78 });
    await until(() => bodies("v1/devices/me/attributes").length > 1, "the answer");
    expect(bodies("v1/devices/me/attributes")[1]).toEqual({ t_target: 22.5, rh_max: 78 });
    sendTo("good-1", "v1/devices/me/attributes", { t_target: 22.5, rh_max: 78 });
    // Messages are handled in their order: with the answer to this one, one to the echo would have come.
    await call("good-1", "launch", {});
    expect(bodies("v1/devices/me/attributes")).toHaveLength(2);
  });

  it("stores reports while the broker is away and sends them with their times afterwards", async () => {
    const virtual = virtualDevice(environment, 4);
    const begun = reportTimeBefore(virtual, Date.now());
    const link = deviceLink({
      virtual,
      state: initialState(virtual, begun),
      url: `mqtt://127.0.0.1:${port}`,
      speed: 300,
      onError: (line) => errors.push(line),
    });
    const minutesPassed = () => Math.round((stateTime(link.state()) - begun) / 60_000);
    link.start();
    await until(() => entriesOf("good-1").length > 2, "reports");
    const at = port;
    await unlisten();
    await until(() => !link.connected(), "the end of the connection");
    const [gapFrom, minutesBefore] = [Date.now(), minutesPassed()];
    await until(() => minutesPassed() >= minutesBefore + 4, "reports that nobody takes");
    const gapTo = Date.now();
    await listen(at);
    await until(
      () => entriesOf("good-1").filter(({ ts }) => ts >= gapFrom && ts <= gapTo).length >= 4,
      "the stored reports",
      15_000,
    );
    expect(errors.length).toBeLessThan(3);
    await link.stop();
  });

  it("does not let a refused device hold up the others", async () => {
    const refused: FleetDevice = { ...bath, token: "bad", serialNumber: "S3" };
    await start([refused, environment], { days: 1 });
    await until(() => entriesOf("good-1").length > 1400, "the back-fill", 20_000);
    expect(errors.some((line) => line.startsWith("S3"))).toBe(true);
  });

  it("fills in the past, keeps its state, and later fills only the gap", async () => {
    await start([environment, bath], { days: 5 });
    await simulator?.backfill;
    const entries = entriesOf("good-1");
    const times = entries.map(({ ts }) => ts);
    expect(new Set(times).size).toBe(times.length);
    expect(entries.length).toBeGreaterThanOrEqual(1440 + 4 * 288);
    // Newest day first: the whole of it is there before the oldest begins.
    expect(times.indexOf(Math.max(...times))).toBeLessThan(times.indexOf(Math.min(...times)));
    // Before the telemetry of a day its events, the newest of them first.
    const past = received.filter(({ token, body }) => token === "good-2" && Array.isArray(body));
    const firstEvents = past.findIndex(({ topic }) => topic.endsWith("events"));
    expect(firstEvents).toBeLessThan(past.findIndex(({ topic }) => topic.endsWith("telemetry")));
    const eventTimes = ((past[firstEvents]?.body ?? []) as { ts: number }[]).map(({ ts }) => ts);
    expect(eventTimes).toEqual(eventTimes.toSorted((a, b) => b - a));
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^Back-fill done: \d+ reports and \d+ events/);
    for (const { body } of received) if (Array.isArray(body)) expect(body.length).toBeLessThanOrEqual(60);
    await simulator?.stop();

    // As if the machine had been off for half an hour.
    const path = join(directory, "state.json");
    const saved = JSON.parse(await readFile(path, "utf8"));
    const water = saved.devices.S1.unit.waterL;
    saved.devices.S1.unit.atMs -= 30 * 60_000;
    await writeFile(path, JSON.stringify(saved));
    received = [];
    await start([environment, bath], { days: 2 });
    await simulator?.backfill;
    const gap = entriesOf("good-1");
    expect(gap.length).toBeGreaterThanOrEqual(29);
    expect(gap.length).toBeLessThanOrEqual(33);
    const counters = gap.map(({ values }) => Number(values.water)).filter(Number.isFinite);
    expect(Math.min(...counters)).toBeGreaterThanOrEqual(Math.floor(water));
  });

  it("goes dark while it has no power and comes back by itself", async () => {
    const healthy = virtualDevice(environment, 4);
    const at = reportTimeBefore(healthy, Date.UTC(2026, 10, 20));
    // In three minutes, for three hours.
    const virtual = {
      ...healthy,
      scenarios: [{ name: "silent-device", fromMs: at + 3 * 60_000, untilMs: at + 6 * 3_600_000 }],
    };
    const link = deviceLink({
      virtual,
      state: initialState(virtual, at),
      url: `mqtt://127.0.0.1:${port}`,
      speed: 2700,
      onError: (line) => errors.push(line),
    });
    link.start();
    await until(() => entriesOf("good-1").length > 0, "the first report");
    await until(() => broker.connectedClients === 0, "the silence");
    const before = entriesOf("good-1").length;
    await until(() => entriesOf("good-1").length > before + 2, "the return");
    const minutes = Math.round((stateTime(link.state()) - at) / 60_000);
    expect(minutes).toBeGreaterThan(180);
    expect(minutes - entriesOf("good-1").length).toBeGreaterThanOrEqual(178);
    await link.stop();
  });

  it("refuses a state file of another version instead of overwriting it", async () => {
    await writeFile(join(directory, "state.json"), JSON.stringify({ version: 9 }));
    await expect(start([environment])).rejects.toThrow("another version");
  });
});
