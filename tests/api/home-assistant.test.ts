import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { Aedes } from "aedes";
import mqtt, { type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBridge } from "../../deploy/integrations/home-assistant/bridge.ts";
import { createHerdwiseClient } from "../../packages/client/src/index.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

// Against Mosquitto where it is installed, else against a broker in this process.
const hasMosquitto = spawnSync("mosquitto", ["-h"]).error === undefined;

async function startBroker(): Promise<{ url: string; stop: () => Promise<void> }> {
  const held = createServer();
  held.listen(0, "127.0.0.1");
  await once(held, "listening");
  const { port } = held.address() as { port: number };
  const url = `mqtt://127.0.0.1:${port}`;
  if (hasMosquitto) {
    held.close();
    await once(held, "close");
    const broker = spawn("mosquitto", ["-p", String(port)], { stdio: "ignore" });
    return {
      url,
      async stop() {
        broker.kill();
        await once(broker, "exit");
      },
    };
  }
  const aedes = await Aedes.createBroker();
  held.on("connection", (socket) => void aedes.handle(socket));
  const close = (server: Server) => new Promise((resolve) => server.close(resolve));
  return {
    url,
    async stop() {
      await new Promise<void>((resolve) => aedes.close(resolve));
      await close(held);
    },
  };
}

/** What the documentation of Home Assistant lists for discovered sensors, with the units of the classes in use. */
const documented = {
  sensor: [
    ..."name unique_id state_topic availability availability_mode expire_after device origin device_class".split(" "),
    ..."unit_of_measurement state_class suggested_display_precision options".split(" "),
  ],
  binary_sensor: [
    ..."name unique_id state_topic availability availability_mode expire_after device origin device_class".split(" "),
    ..."payload_on payload_off".split(" "),
  ],
  device: "identifiers name manufacturer model serial_number sw_version configuration_url".split(" "),
};
const unitsOfClass: Readonly<Record<string, readonly string[]>> = {
  temperature: ["°C", "°F", "K"],
  humidity: ["%"],
  carbon_dioxide: ["ppm"],
  pressure: ["Pa", "hPa", "kPa", "bar", "cbar", "mbar", "mmHg", "inHg", "psi"],
  energy: ["Wh", "kWh", "MWh"],
  power: ["W", "kW"],
  voltage: ["V", "mV"],
  current: ["A", "mA"],
  wind_speed: ["m/s", "km/h"],
  illuminance: ["lx"],
  sound_pressure: ["dB", "dBA"],
  water: ["L", "m³"],
  volume_flow_rate: ["m³/h", "L/min"],
  frequency: ["Hz"],
  enum: [],
};

let app: TestApp;
let broker: Awaited<ReturnType<typeof startBroker>>;
let home: MqttClient;
let portalUrl: string;
let token: string;
/** What Home Assistant heard last, by topic, and everything in its order. */
const heard = new Map<string, { payload: string; retain: boolean }>();
const said: string[] = [];
const errors: unknown[] = [];

beforeAll(async () => {
  app = await createTestApp();
  portalUrl = await app.listen();
  broker = await startBroker();
  // Retries until the broker listens.
  home = mqtt.connect(broker.url, { reconnectPeriod: 50 });
  await new Promise<void>((resolve) => home.once("connect", () => resolve()));
  home.on("message", (topic, payload, { retain }) => {
    heard.set(topic, { payload: payload.toString(), retain });
    said.push(`${topic} ${payload.toString()}`);
  });
  await home.subscribeAsync(["homeassistant/#", "herdwise/#"], { qos: 1 });
  const { body } = await app.call({
    method: "POST",
    path: "/api/muyuan-auth/personal-token/submit",
    body: { tokenName: "home", scopes: ["devices:read"], days: 1 },
    token: await app.logIn("farm"),
  });
  token = (body.data as { token: string }).token;
  const now = Date.now();
  await app.report("ENV-ZJY-01", { ts: now - 600_000, values: { rh: 61 } });
  await app.report("ENV-ZJY-01", { ts: now, values: { t_in: 21.5, co2: 900, mains: true, mode: "normal" } });
  await app.report("ENV-ZJY-01", { ts: now + 1, values: { t_in: -127 } });
});
afterAll(async () => {
  await home.endAsync();
  await broker.stop();
  await app.close();
});

const start = (language: "zh" | "en") =>
  startBridge({
    portal: createHerdwiseClient({ baseUrl: portalUrl, token }),
    portalUrl,
    mqttUrl: broker.url,
    intervalMs: 3_600_000,
    language,
    discoveryPrefix: "homeassistant",
    onError: (error) => errors.push(error),
  });
const configs = () =>
  [...heard].flatMap(([topic, { payload }]) =>
    topic.endsWith("/config") && payload !== "" ? [[topic, JSON.parse(payload)] as const] : [],
  );

describe(`a bridge to Home Assistant by ${hasMosquitto ? "Mosquitto" : "aedes"}`, () => {
  let bridge: Awaited<ReturnType<typeof startBridge>>;
  let id: string;

  test("publishes discovery that Home Assistant documents", async () => {
    bridge = await start("en");
    await expect.poll(() => heard.get("herdwise/bridge")?.payload).toBe("online");
    expect(errors).toEqual([]);
    const all = configs();
    expect(all.length).toBeGreaterThan(3);
    expect(new Set(all.map(([, { unique_id }]) => unique_id)).size).toBe(all.length);
    for (const [topic, config] of all) {
      const [, component = ""] = topic.split("/");
      expect(topic).toMatch(/^homeassistant\/(sensor|binary_sensor)\/[a-zA-Z0-9_-]+\/[a-zA-Z0-9_-]+\/config$/);
      const fields = documented[component as "sensor" | "binary_sensor"];
      expect(Object.keys(config).filter((field) => !fields.includes(field))).toEqual([]);
      expect(Object.keys(config.device).filter((field) => !documented.device.includes(field))).toEqual([]);
      expect(config.origin.name).toBeTruthy();
      const { device_class: of, unit_of_measurement: unit, state_class: state } = config;
      if (of !== undefined && of !== "enum") expect(unitsOfClass[of], `${topic} ${of}`).toContain(unit);
      if (of === "energy" || of === "water") expect(state).toBe("total_increasing");
      if (of === "enum") expect(config.options.length).toBeGreaterThan(0);
    }
    const [topic, config] =
      all.find(([, { device, name }]) => device.serial_number === "ENV-ZJY-01" && name === "Mean temperature") ?? [];
    id = /herdwise_(\d+)/.exec(topic ?? "")?.[1] ?? "";
    expect(config).toMatchObject({
      unique_id: `herdwise_${id}_t_in`,
      device_class: "temperature",
      unit_of_measurement: "°C",
      state_class: "measurement",
      device: { identifiers: [`herdwise_${id}`], configuration_url: portalUrl },
    });
  });

  test("sends what is known now: no rejected reading, none that is too old", () => {
    expect(heard.get(`herdwise/${id}/t_in`)).toEqual({ payload: "21.5", retain: false });
    expect(heard.get(`herdwise/${id}/mains`)?.payload).toBe("true");
    expect(heard.get(`herdwise/${id}/mode`)?.payload).toBe("normal");
    expect(heard.get(`herdwise/${id}/availability`)?.payload).toBe("online");
    expect(heard.has(`herdwise/${id}/rh`)).toBe(false);
    expect(said.some((line) => line.includes("-127"))).toBe(false);
  });

  test("sends a reading once, and the next one", async () => {
    const sent = (value: string) => said.filter((line) => line === `herdwise/${id}/t_in ${value}`).length;
    await bridge.turn();
    await app.report("ENV-ZJY-01", { t_in: 21.75 });
    await bridge.turn();
    await expect.poll(() => sent("21.75")).toBe(1);
    expect(sent("21.5")).toBe(1);
  });

  test("tells everything again when Home Assistant starts anew, and discovery to who comes later", async () => {
    const before = said.length;
    await home.publishAsync("homeassistant/status", "online", { qos: 1 });
    await expect.poll(() => said.slice(before).filter((line) => line === `herdwise/${id}/t_in 21.75`).length).toBe(1);
    const later = mqtt.connect(broker.url);
    const isKept = new Promise<boolean>((resolve) =>
      later.once("message", (_topic, _payload, { retain }) => resolve(retain)),
    );
    await later.subscribeAsync(`homeassistant/sensor/herdwise_${id}/t_in/config`);
    expect(await isKept).toBe(true);
    await later.endAsync();
  });

  test("takes a device that the organization lost from Home Assistant", async () => {
    await app.test.database.pool.query(
      `update devices set (tenant_id, farm_id, house_id, unit_id) = (select tenant_id, farm_id, house_id, unit_id from devices
        where serial_number = 'ENV-LH01-01') where id = $1`,
      [id],
    );
    await bridge.turn();
    await expect.poll(() => heard.get(`homeassistant/sensor/herdwise_${id}/t_in/config`)?.payload).toBe("");
  });

  test("says that it is away when it ends, and speaks Chinese where it is asked to", async () => {
    await bridge.stop();
    await expect.poll(() => heard.get("herdwise/bridge")?.payload).toBe("offline");
    await app.report("ENV-ZJY-02", { t_in: 20 });
    bridge = await start("zh");
    await expect
      .poll(() =>
        configs().some(([, { device, name }]) => device.serial_number === "ENV-ZJY-02" && name === "平均温度"),
      )
      .toBe(true);
    await bridge.stop();
    expect(errors).toEqual([]);
  });
});
