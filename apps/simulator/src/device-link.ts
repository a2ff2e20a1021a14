/** The MQTT connection of one virtual device: live reports, commands, desired parameters, and a bounded store while cut off. */
import { setTimeout as sleep } from "node:timers/promises";
import mqtt, { type MqttClient } from "mqtt";
import { splitMessages } from "./backfill.ts";
import type { DeviceEvent } from "./other-state.ts";
import {
  applyAttributes,
  bootedAt,
  type CommandOutcome,
  changesBetween,
  type DeviceState,
  effectsOf,
  entryFor,
  fullEntry,
  handleCommand,
  initialParameters,
  modelParameters,
  readNow,
  reported,
  stateTime,
  stepDevice,
  stepS,
  type TelemetryEntry,
  type VirtualDevice,
} from "./virtual-device.ts";

const telemetryTopic = "v1/devices/me/telemetry";
const eventTopic = "v1/devices/me/events";
const attributeTopic = "v1/devices/me/attributes";
const rpcPrefix = "v1/devices/me/rpc/request/";
const attributeRequestPrefix = "v1/devices/me/attributes/request/";
const attributeResponsePrefix = "v1/devices/me/attributes/response/";

/** Reports and events kept while the broker is away; the oldest go first. Six hours of minutes. */
const maxStored = 360;
/** Messages without acknowledgement before live reports go to the store instead. */
const maxInFlight = 20;
/** How long a goodbye may wait for open acknowledgements. */
const goodbyeMs = 1500;
const firstRetryMs = 1000;
const lastRetryMs = 60_000;

export type LinkOptions = {
  readonly virtual: VirtualDevice;
  readonly state: DeviceState;
  readonly url: string;
  /** 1 reports in real time; n reports n times as often while n minutes pass in the house per minute. */
  readonly speed: number;
  readonly onError: (message: string) => void;
};

export type DeviceLink = {
  readonly serialNumber: string;
  readonly state: () => DeviceState;
  readonly virtual: VirtualDevice;
  readonly start: () => void;
  readonly connected: () => boolean;
  /** Sends at QoS 1 and resolves at the acknowledgement; rejects without a connection. */
  readonly publish: (topic: "telemetry" | "events", payload: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const parse = (payload: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(payload).toString("utf8"));
  } catch {
    return undefined;
  }
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function deviceLink(options: LinkOptions): DeviceLink {
  const { virtual, speed, onError } = options;
  const { device, kind } = virtual;
  let state = options.state;
  let client: MqttClient | undefined;
  let reportTimer: NodeJS.Timeout | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let retries = 0;
  let stopped = false;
  /** Powered off, or without a connection. */
  let away = false;
  let inFlight = 0;
  let introduced = false;
  let complained = false;
  const storedEntries: TelemetryEntry[] = [];
  const storedEvents: DeviceEvent[] = [];
  /** Parameters in force, as JSON by key. */
  const parameters = new Map(
    Object.entries(initialParameters(virtual, options.state)).map(([key, value]) => [key, JSON.stringify(value)]),
  );

  const sharedKeys = kind.parameters.map(({ key }) => key);

  const connected = (): boolean => client?.connected === true && !away;

  const send = async (topic: string, payload: string): Promise<void> => {
    inFlight += 1;
    try {
      await client?.publishAsync(topic, payload, { qos: 1 });
    } finally {
      inFlight -= 1;
    }
  };
  const sendQuietly = (topic: string, payload: string): void => {
    // A failure here means the connection closed; the client sends what was not acknowledged again on its own.
    send(topic, payload).catch(() => undefined);
  };

  const store = <Item>(list: Item[], items: readonly Item[]): void => {
    list.push(...items);
    if (list.length > maxStored) list.splice(0, list.length - maxStored);
  };

  const sendStored = (): void => {
    // Events first: with the newest telemetry the server judges whether a record is missing.
    for (const message of splitMessages(storedEvents.splice(0).map((event) => JSON.stringify(event))))
      sendQuietly(eventTopic, message);
    for (const message of splitMessages(storedEntries.splice(0).map((entry) => JSON.stringify(entry))))
      sendQuietly(telemetryTopic, message);
  };

  const deliver = (entries: readonly TelemetryEntry[], events: readonly DeviceEvent[]): void => {
    if (!connected() || inFlight >= maxInFlight) {
      store(storedEntries, entries);
      store(storedEvents, events);
      return;
    }
    for (const entry of entries) sendQuietly(telemetryTopic, JSON.stringify(entry));
    for (const message of splitMessages(events.map((event) => JSON.stringify(event)))) sendQuietly(eventTopic, message);
  };

  /** Simulated time runs ahead of the clock with speed above 1; reports carry the clock then, or the server would refuse them. */
  const stamp = (atMs: number): number => (speed === 1 ? atMs : Date.now());

  const report = (): void => {
    const dueMs = speed === 1 ? Date.now() : stateTime(state) + stepS * 1000;
    let latest: TelemetryEntry | undefined;
    const events: DeviceEvent[] = [];
    // Usually one step; after the machine slept, the minutes in between are made up.
    for (let steps = 0; stateTime(state) + stepS * 1000 <= dueMs && steps < 1440; steps++) {
      const step = stepDevice(virtual, state);
      state = step.state;
      const atMs = stateTime(state);
      const raw = step.read();
      const entry = introduced
        ? entryFor(virtual, atMs, raw, kind.reportIntervalS, storedEntries.length)
        : fullEntry(virtual, atMs, raw, storedEntries.length);
      state = reported(state);
      const { silent: off = false, cutOff = false, clockS = 0 } = effectsOf(virtual, atMs);
      const silent = off || atMs < bootedAt(state);
      if ((silent || cutOff) !== away) {
        away = silent || cutOff;
        if (away) client?.end(true);
        else client?.reconnect();
      }
      // Powered off: nothing is measured, so nothing is stored either.
      if (silent) {
        introduced = false;
        continue;
      }
      introduced = true;
      const bootMs = bootedAt(state);
      if (bootMs > 0 && entry.values.uptime !== undefined) entry.values.uptime = (atMs - bootMs) / 1000;
      latest = { ts: stamp(atMs) + clockS * 1000, values: entry.values };
      events.push(
        ...step.events.map((event) =>
          speed === 1 && clockS === 0 ? event : { ...event, ts: stamp(event.ts) + clockS * 1000 },
        ),
      );
      deliver([latest], events.splice(0));
    }
  };

  const schedule = (): void => {
    if (stopped) return;
    const intervalMs = (stepS * 1000) / speed;
    const waitMs = speed === 1 ? Math.max(5, stateTime(state) + intervalMs - Date.now()) : intervalMs;
    reportTimer = setTimeout(() => {
      try {
        report();
      } catch (error) {
        onError(`${device.serialNumber}: ${error instanceof Error ? error.message : String(error)}`);
      }
      schedule();
    }, waitMs);
  };

  const conclude = (outcome: CommandOutcome): void => {
    const before = outcome.state === state ? undefined : readNow(virtual, state);
    state = outcome.state;
    for (const [key, value] of Object.entries(outcome.changed)) parameters.set(key, JSON.stringify(value));
    if (outcome.events.length > 0) deliver([], outcome.events);
    if (Object.keys(outcome.changed).length > 0 && connected())
      sendQuietly(attributeTopic, JSON.stringify(outcome.changed));
    if (before === undefined) return;
    // The effect is shown at once, not at the next minute.
    const values = changesBetween(virtual, before, readNow(virtual, state));
    if (Object.keys(values).length > 0) deliver([{ ts: Date.now(), values }], []);
  };

  const onMessage = (topic: string, payload: Uint8Array): void => {
    const body = parse(payload);
    if (topic.startsWith(rpcPrefix)) {
      const id = topic.slice(rpcPrefix.length);
      const outcome =
        isRecord(body) && typeof body.method === "string"
          ? handleCommand(virtual, state, body.method, body.params, Date.now())
          : { state, result: { success: false, error: "Not a call: method is missing" }, events: [], changed: {} };
      sendQuietly(`v1/devices/me/rpc/response/${id}`, JSON.stringify(outcome.result));
      conclude(outcome);
      return;
    }
    if (!isRecord(body)) return;
    const shared = topic.startsWith(attributeResponsePrefix) ? body.shared : body;
    if (!isRecord(shared)) return;
    // Only what differs counts: a desired value that already holds needs no answer, and an echo starts no talk.
    const news = Object.entries(shared).filter(([key, value]) => parameters.get(key) !== JSON.stringify(value));
    if (news.length > 0) conclude(applyAttributes(virtual, state, Object.fromEntries(news), Date.now()));
  };

  const retry = (): void => {
    if (stopped || away || retryTimer) return;
    const base = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(retries, 10));
    retries += 1;
    // Spread, so that a fleet does not come back in one wave.
    const waitMs = base * (0.5 + Math.random());
    retryTimer = setTimeout(() => {
      retryTimer = undefined;
      if (!stopped && !away) client?.reconnect();
    }, waitMs);
  };

  const start = (): void => {
    client = mqtt.connect(options.url, {
      protocolVersion: 4,
      clientId: `sim-${device.serialNumber}`,
      username: device.token,
      keepalive: 60,
      clean: true,
      reconnectPeriod: 0,
      connectTimeout: 15_000,
    });
    client.on("connect", () => {
      retries = 0;
      complained = false;
      const attributes = {
        firmwareVersion: device.firmwareVersion,
        serialNumber: device.serialNumber,
        ...Object.fromEntries([...parameters].map(([key, value]) => [key, JSON.parse(value) as unknown])),
        ...modelParameters(state),
      };
      client
        ?.subscribeAsync({
          [`${rpcPrefix}+`]: { qos: 1 },
          [attributeTopic]: { qos: 1 },
          [`${attributeResponsePrefix}+`]: { qos: 1 },
        })
        // What was set while it was away, or before it was switched off: a device keeps its settings, this one asks for them.
        .then(() => sendQuietly(`${attributeRequestPrefix}1`, JSON.stringify({ sharedKeys: sharedKeys.join() })))
        .catch(() => undefined);
      sendQuietly(attributeTopic, JSON.stringify(attributes));
      sendStored();
    });
    client.on("message", onMessage);
    client.on("error", (error) => {
      if (!complained) onError(`${device.serialNumber}: ${error.message || error.name}`);
      complained = true;
    });
    client.on("close", retry);
    schedule();
  };

  return {
    serialNumber: device.serialNumber,
    state: () => state,
    virtual,
    connected,
    start,
    publish: async (topic, payload) => {
      if (!connected() || stopped) throw new Error("not connected");
      await send(topic === "telemetry" ? telemetryTopic : eventTopic, payload);
    },
    stop: async () => {
      stopped = true;
      clearTimeout(reportTimer);
      clearTimeout(retryTimer);
      if (!client) return;
      // A live connection says goodbye; a broken one is dropped, or its unsent messages would hold the exit.
      const goodbye = client.endAsync(!client.connected).catch(() => undefined);
      await Promise.race([goodbye, sleep(goodbyeMs, undefined, { ref: false })]);
      if (client.connected) client.stream.destroy();
    },
  };
}
