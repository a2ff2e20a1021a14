/**
 * Shows devices of the portal in Home Assistant: publishes MQTT discovery and the newest readings to its broker.
 *
 *     HERDWISE_URL=https://portal.example HERDWISE_TOKEN=hwp_... MQTT_URL=mqtt://broker node deploy/integrations/home-assistant/bridge.ts
 *
 * The token needs devices:read. Also MQTT_USERNAME, MQTT_PASSWORD, INTERVAL_S (60), LANGUAGE (zh or en), DISCOVERY_PREFIX (homeassistant).
 */
import { createHerdwiseClient, type HerdwiseClient } from "@herdwise/client";
import { type Channel, deviceKinds, localUnit } from "@herdwise/device-kinds";
import mqtt from "mqtt";

/** Device classes of Home Assistant by the unit of a channel; a unit that it does not know gets none. */
const classesByUnit: Readonly<Record<string, string>> = {
  "°C": "temperature",
  Pa: "pressure",
  kPa: "pressure",
  V: "voltage",
  A: "current",
  W: "power",
  kW: "power",
  "m/s": "wind_speed",
  lx: "illuminance",
  dBA: "sound_pressure",
  Hz: "frequency",
  "m³/h": "volume_flow_rate",
  "L/min": "volume_flow_rate",
};
/** Device classes of counters. */
const countersByUnit: Readonly<Record<string, string>> = { kWh: "energy", "m³": "water", L: "water" };
/** Device classes of channels whose unit alone does not tell. */
const classesByKey: Readonly<Record<string, string>> = { rh: "humidity", rh_out: "humidity", co2: "carbon_dioxide" };

export interface BridgeOptions {
  portal: HerdwiseClient;
  /** Address of the portal, to which Home Assistant's device page leads. */
  portalUrl: string;
  mqttUrl: string;
  username?: string | undefined;
  password?: string | undefined;
  /** Between two looks at the portal. */
  intervalMs: number;
  language: "zh" | "en";
  discoveryPrefix: string;
  /** Told what failed; the next turn tries again. */
  onError: (error: unknown) => void;
  now?: () => number;
}

type Device = Awaited<ReturnType<typeof devicesOf>>[number];

const onlineOf = ({ status }: Device): string =>
  status === "offline" || status === "unactivated" ? "offline" : "online";

/** All devices of the token's organization. */
async function devicesOf(portal: HerdwiseClient) {
  const size = 500;
  const first = await portal.get("/api/muyuan-iot/device/page", { params: { query: { size, current: 1 } } });
  const rows = [...first.records];
  for (let current = 2; rows.length < Number(first.total); current += 1) {
    const { records } = await portal.get("/api/muyuan-iot/device/page", { params: { query: { size, current } } });
    if (records.length === 0) break;
    rows.push(...records);
  }
  return rows;
}

/** A reading older than three intervals of its channel is not known any more (as on the portal). */
const staleMs = ({ intervalS }: Channel): number => 3 * intervalS * 1000;

/** Topics of a channel of a device. */
function topicsOf(prefix: string, { id }: Device, { key, type }: Channel) {
  const component = type === "boolean" ? "binary_sensor" : "sensor";
  return { config: `${prefix}/${component}/herdwise_${id}/${key}/config`, state: `herdwise/${id}/${key}` };
}

/** What Home Assistant needs to know of a channel of a device. */
function discoveryOf(
  device: Device,
  channel: Channel,
  { portalUrl, language, discoveryPrefix, intervalMs }: BridgeOptions,
): Record<string, unknown> {
  const { id, name, kind, serialNumber, firmwareVersion } = device;
  const { key, unit, type, words, cumulative, step, decimals } = channel;
  const deviceClass = cumulative ? countersByUnit[unit] : (classesByKey[key] ?? classesByUnit[unit]);
  return {
    name: channel.name[language],
    unique_id: `herdwise_${id}_${key}`,
    state_topic: topicsOf(discoveryPrefix, device, channel).state,
    availability: [{ topic: "herdwise/bridge" }, { topic: `herdwise/${id}/availability` }],
    availability_mode: "all",
    expire_after: Math.ceil((staleMs(channel) + intervalMs) / 1000),
    device: {
      identifiers: [`herdwise_${id}`],
      name,
      manufacturer: "Herdwise",
      model: deviceKinds[kind].name[language],
      serial_number: serialNumber,
      ...(firmwareVersion && { sw_version: firmwareVersion }),
      configuration_url: portalUrl,
    },
    origin: { name: "Herdwise bridge" },
    ...(type === "boolean" && { payload_on: "true", payload_off: "false" }),
    ...(type === "text" && words && { device_class: "enum", options: words.map(({ value }) => value) }),
    ...(type === "number" && {
      ...(unit !== "" && { unit_of_measurement: localUnit(unit)[language] }),
      ...(deviceClass && { device_class: deviceClass }),
      ...(!step && { state_class: cumulative ? "total_increasing" : "measurement" }),
      suggested_display_precision: decimals,
    }),
  };
}

/**
 * Starts a bridge: discovery is kept by the broker, readings are not, so that an old one is never taken for a new one. When Home Assistant
 * starts anew it is told everything again.
 * @returns `stop` tells that the devices are not available any more; `turn` looks at the portal at once
 */
export async function startBridge(options: BridgeOptions) {
  const { portal, mqttUrl, username, password, intervalMs, discoveryPrefix, onError, now = Date.now } = options;
  const client = await mqtt.connectAsync(mqttUrl, {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    will: { topic: "herdwise/bridge", payload: Buffer.from("offline"), qos: 1, retain: true },
  });
  const send = (topic: string, payload: string, retain = false) =>
    client.publishAsync(topic, payload, { qos: 1, retain });
  /** Discovery that the broker has, by topic. */
  const announced = new Map<string, string>();
  /** Times of the readings that were sent, by topic. */
  const sent = new Map<string, number>();

  const announce = async (topic: string, payload: string): Promise<void> => {
    if (announced.get(topic) === payload) return;
    await send(topic, payload, true);
    announced.set(topic, payload);
  };

  const turn = async (): Promise<void> => {
    const devices = await devicesOf(portal);
    const topics = new Set<string>();
    for (const device of devices) {
      const latest = await portal.get("/api/muyuan-iot/device/latest", { params: { query: { id: device.id } } });
      await announce(`herdwise/${device.id}/availability`, onlineOf(device));
      topics.add(`herdwise/${device.id}/availability`);
      for (const channel of deviceKinds[device.kind].channels) {
        const reading = latest[channel.key];
        if (reading === undefined) continue;
        const { config, state } = topicsOf(discoveryPrefix, device, channel);
        await announce(config, JSON.stringify(discoveryOf(device, channel, options)));
        topics.add(config);
        if (now() - reading.ts > staleMs(channel) || sent.get(state) === reading.ts) continue;
        await send(state, String(reading.value));
        sent.set(state, reading.ts);
      }
    }
    // A device that was unbound goes from Home Assistant, too.
    for (const topic of announced.keys()) {
      if (topics.has(topic)) continue;
      await send(topic, "", true);
      announced.delete(topic);
    }
    await send("herdwise/bridge", "online", true);
  };
  let running: Promise<void> = Promise.resolve();
  const inTurn = (): Promise<void> => {
    running = running.then(turn).catch(onError);
    return running;
  };
  client.on("message", (_topic, payload) => {
    if (payload.toString() !== "online") return;
    announced.clear();
    sent.clear();
    void inTurn();
  });
  // After a break the broker may have told that the bridge is away.
  client.on("connect", () => void inTurn());
  await client.subscribeAsync(`${discoveryPrefix}/status`, { qos: 1 });
  await inTurn();
  const timer = setInterval(() => void inTurn(), intervalMs);
  return {
    turn: inTurn,
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
      await send("herdwise/bridge", "offline", true);
      await client.endAsync();
    },
  };
}

if (import.meta.main) {
  const {
    HERDWISE_URL,
    HERDWISE_TOKEN,
    MQTT_URL,
    MQTT_USERNAME,
    MQTT_PASSWORD,
    INTERVAL_S,
    LANGUAGE,
    DISCOVERY_PREFIX,
  } = process.env;
  if (!HERDWISE_URL || !HERDWISE_TOKEN || !MQTT_URL)
    throw new Error("HERDWISE_URL, HERDWISE_TOKEN and MQTT_URL are needed");
  const bridge = await startBridge({
    portal: createHerdwiseClient({ baseUrl: HERDWISE_URL, token: HERDWISE_TOKEN }),
    portalUrl: HERDWISE_URL,
    mqttUrl: MQTT_URL,
    username: MQTT_USERNAME,
    password: MQTT_PASSWORD,
    intervalMs: Number(INTERVAL_S ?? 60) * 1000,
    language: LANGUAGE?.startsWith("zh") ? "zh" : "en",
    discoveryPrefix: DISCOVERY_PREFIX ?? "homeassistant",
    onError: (error) => console.error(error),
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void bridge.stop());
}
