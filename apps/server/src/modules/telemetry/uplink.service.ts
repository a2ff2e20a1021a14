import type { DeviceIdentity, DeviceService } from "../devices/index.ts";
import type { Ingest } from "./ingest.service.ts";
import {
  Dropped,
  type DropReason,
  parseAttributes,
  parseEvents,
  parseJson,
  parseTelemetry,
} from "./telemetry.parse.ts";
import type { TelemetryRepository } from "./telemetry.repository.ts";

/** Messages per second that one device may send over time, and at once after a pause. */
const steadyMessagesPerS = 3000;
const burstMessages = 9000;
/** Drops are written to the database this often. */
const dropFlushMs = 2000;
/** Callers for whom the database could not find a device wait this long for a changed answer. */
const unknownTokenMs = 5000;
const knownTokenMs = 30_000;

export interface UplinkNeeds {
  devices: DeviceService;
  ingest: Ingest;
  repository: TelemetryRepository;
  now: () => number;
  onPresence: (deviceId: string, connected: boolean) => void;
  /** Counts a message that was taken or dropped, for /metrics. */
  onMessage: (outcome: "stored" | DropReason) => void;
  onFault: (error: unknown) => void;
}

interface Budget {
  messages: number;
  at: number;
}

/**
 * What every transport of the device protocol does with a message. Each call resolves when the message is durable, or
 * dropped and counted: then the transport acknowledges.
 */
export function createUplink({ devices, ingest, repository, now, onPresence, onMessage, onFault }: UplinkNeeds) {
  const known = new Map<string, { device: DeviceIdentity | undefined; until: number }>();
  const budgets = new Map<string, Budget>();
  const connections = new Map<string, number>();
  let drops = new Map<string, { deviceId: string; reason: string; messages: number; lastAt: Date }>();

  const flushDrops = async (): Promise<void> => {
    if (drops.size === 0) return;
    const rows = [...drops.values()];
    drops = new Map();
    try {
      await devices.addDropped(rows);
    } catch (error) {
      onFault(error);
      for (const row of rows) countDrop(row.deviceId, row.reason, row.messages, row.lastAt);
    }
  };
  const timer = setInterval(() => void flushDrops(), dropFlushMs);

  const countDrop = (deviceId: string, reason: string, messages = 1, at = new Date(now())): void => {
    const key = `${deviceId}/${reason}`;
    const held = drops.get(key);
    drops.set(key, { deviceId, reason, messages: (held?.messages ?? 0) + messages, lastAt: at });
  };

  const spend = (deviceId: string): void => {
    const at = now();
    const budget = budgets.get(deviceId) ?? { messages: burstMessages, at };
    budget.messages = Math.min(burstMessages, budget.messages + ((at - budget.at) / 1000) * steadyMessagesPerS);
    budget.at = at;
    budgets.set(deviceId, budget);
    if (budget.messages < 1) throw new Dropped("too_fast");
    budget.messages -= 1;
  };

  /** Runs `work`; a drop is counted and told, anything else is thrown. */
  const taking = async (device: DeviceIdentity, work: () => Promise<void>): Promise<DropReason | undefined> => {
    try {
      spend(device.id);
      await work();
      onMessage("stored");
      return undefined;
    } catch (error) {
      if (!(error instanceof Dropped)) throw error;
      countDrop(device.id, error.reason);
      onMessage(error.reason);
      return error.reason;
    }
  };

  return {
    /** The device of an access token; answers are kept for some seconds so that a storm of reconnects asks once. */
    async authenticate(accessToken: string): Promise<DeviceIdentity | undefined> {
      const held = known.get(accessToken);
      if (held && held.until > now()) return held.device;
      const device = await devices.byAccessToken(accessToken);
      if (known.size > 50_000) known.clear();
      known.set(accessToken, { device, until: now() + (device ? knownTokenMs : unknownTokenMs) });
      if (device) await devices.activate(device.id);
      return device;
    },

    /** @returns why the message was dropped; undefined when it is stored */
    telemetry: (device: DeviceIdentity, payload: Buffer | string) =>
      taking(device, async () => ingest.store(device, parseTelemetry(payload, now()))),

    events: (device: DeviceIdentity, payload: Buffer | string) =>
      taking(device, async () => repository.insertEvents(device.id, parseEvents(payload, now()))),

    attributes: (device: DeviceIdentity, payload: Buffer | string) =>
      taking(device, async () => devices.mergeAttributes(device.id, parseAttributes(payload))),

    /** Answers `{client, shared}` of the keys that are asked for; without a list, all of that side when neither is named. */
    async requestAttributes(
      device: DeviceIdentity,
      request: { clientKeys?: string | undefined; sharedKeys?: string | undefined },
    ): Promise<{ client?: Record<string, unknown>; shared?: Record<string, unknown> }> {
      const held = await devices.attributes(device.id);
      const { clientKeys, sharedKeys } = request;
      const all = clientKeys === undefined && sharedKeys === undefined;
      const pick = (side: Record<string, unknown>, keys: string | undefined) => {
        if (all) return side;
        const wanted = new Set((keys ?? "").split(",").map((key) => key.trim()));
        return Object.fromEntries(Object.entries(side).filter(([key]) => wanted.has(key)));
      };
      return {
        ...((all || clientKeys !== undefined) && { client: pick(held.client, clientKeys) }),
        ...((all || sharedKeys !== undefined) && { shared: pick(held.shared, sharedKeys) }),
      };
    },

    /** Parses a request of the device; undefined when it is no JSON object. */
    parseRequest(payload: Buffer | string): Record<string, unknown> | undefined {
      try {
        const parsed = parseJson(payload);
        return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
          ? (parsed as Record<string, unknown>)
          : undefined;
      } catch {
        return undefined;
      }
    },

    /** Counts a message that the transport itself had to drop. */
    drop(device: DeviceIdentity, reason: DropReason): void {
      countDrop(device.id, reason);
      onMessage(reason);
    },

    async opened(device: DeviceIdentity): Promise<void> {
      const open = (connections.get(device.id) ?? 0) + 1;
      connections.set(device.id, open);
      if (open === 1) {
        await devices.setConnected(device.id, true);
        onPresence(device.id, true);
      }
    },

    async closed(device: DeviceIdentity): Promise<void> {
      const open = (connections.get(device.id) ?? 1) - 1;
      if (open > 0) {
        connections.set(device.id, open);
        return;
      }
      connections.delete(device.id);
      await devices.setConnected(device.id, false);
      onPresence(device.id, false);
    },

    isConnected: (deviceId: string): boolean => connections.has(deviceId),

    async stop(): Promise<void> {
      clearInterval(timer);
      await flushDrops();
    },
  };
}
export type Uplink = ReturnType<typeof createUplink>;
