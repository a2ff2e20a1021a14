import {
  type Accept,
  createAcceptance,
  type DeviceKindId,
  deviceKinds,
  type RejectedReading,
} from "@herdwise/device-kinds";
import type { DeviceDownstream } from "../commands/index.ts";
import {
  type ClaimService,
  claimIn,
  type DeviceIdentity,
  type DeviceService,
  type GatewayService,
  type KnownDevice,
  type ProvisionService,
} from "../devices/index.ts";
import type { FirmwareService } from "../firmware/index.ts";
import { answerCall } from "./device-calls.ts";
import { type Ingest, isBadData } from "./ingest.service.ts";
import { createKnownTokens, remember } from "./known-tokens.ts";
import {
  attributesIn,
  Dropped,
  type DropReason,
  eventRows,
  parseAttributes,
  parseEvents,
  parseJson,
  parseTelemetry,
  type TelemetryRow,
  telemetryRows,
} from "./telemetry.parse.ts";
import type { RejectedCount, StoredTelemetry, TelemetryRepository } from "./telemetry.repository.ts";

/** Messages per second that one device may send over time, and in a burst after a pause. */
const steadyMessagesPerS = 3000;
const burstMessages = 9000;
/** Interval in ms at which numbers of dropped messages are written. */
const discardedFlushMs = 2000;
/** Most devices whose budgets are remembered, beyond which the oldest is dropped. */
const rememberedBudgets = 50_000;
/** Most open connections of one device; a further one closes the oldest. */
const connectionsPerDevice = 10;
/** Interval in ms at which open connections are compared with the devices' rows, in case a change event was lost. */
const connectionCheckMs = 10_000;
/** Milliseconds after which a failed write of connections is tried again. */
const connectionRetryMs = 1000;

const acceptances = new Map(Object.values(deviceKinds).map((kind) => [kind.kind, createAcceptance(kind)]));
/** The acceptance function of a kind. */
const acceptanceOf = (kind: DeviceKindId): Accept | undefined => acceptances.get(kind);

export interface UplinkDependencies {
  devices: Pick<
    DeviceService,
    "byAccessToken" | "byLogin" | "changedSince" | "activate" | "attributes" | "mergeAttributes"
  >;
  gateways: GatewayService;
  claims: Pick<ClaimService, "offer">;
  provisioning: Pick<ProvisionService, "provision">;
  firmware: Pick<FirmwareService, "chunk" | "reported">;
  downstream: DeviceDownstream;
  ingest: Pick<Ingest, "store">;
  repository: Pick<
    TelemetryRepository,
    "insertEvents" | "setConnections" | "endConnections" | "addDropped" | "addRejected"
  >;
  /** Id of this server among those that use the database. */
  serverId: string;
  now: () => number;
  /** Called after the change was written. */
  onPresence: (deviceId: string, connected: boolean, online: boolean) => void;
  /** Counts stored and dropped messages for /metrics. */
  onMessage: (outcome: "stored" | DropReason) => void;
  onError: (error: unknown) => void;
}

/** An open connection of a device, whatever carries it. */
export interface DeviceConnection {
  /** Closes it at once; where the protocol allows, the device is told that the server did so. */
  close(): void;
}

interface Budget {
  messages: number;
  at: number;
}

/** Counts rows in memory and writes the sums at intervals; a failed write is repeated with the next. */
function createTally<Row>({
  nameOf,
  sum,
  write,
  onError,
}: {
  nameOf: (row: Row) => string;
  sum: (held: Row, row: Row) => Row;
  write: (rows: Row[]) => Promise<void>;
  onError: (error: unknown) => void;
}) {
  let rows = new Map<string, Row>();
  const add = (row: Row): void => {
    const name = nameOf(row);
    const held = rows.get(name);
    rows.set(name, held === undefined ? row : sum(held, row));
  };
  return {
    add,
    async flush(): Promise<void> {
      const taken = [...rows.values()];
      if (taken.length === 0) return;
      rows = new Map();
      try {
        await write(taken);
      } catch (error) {
        onError(error);
        taken.forEach(add);
      }
    },
  };
}

/**
 * Handles messages for every transport of the device protocol. Each call resolves when the message is durable, or dropped and
 * counted; then the transport acknowledges.
 */
export function createUplink(dependencies: UplinkDependencies) {
  const {
    devices,
    gateways,
    claims,
    provisioning,
    firmware,
    downstream,
    ingest,
    repository,
    serverId,
    now,
    onPresence,
    onMessage,
    onError,
  } = dependencies;
  const tokens = createKnownTokens(devices, now);
  const budgets = new Map<string, Budget>();
  const connections = new Map<string, Map<DeviceConnection, KnownDevice>>();
  /** Devices whose connected flag in the database may differ from `connections`. */
  let changed = new Set<string>();
  let writing: Promise<void> | undefined;
  let stopped = false;
  let wakeWriter: () => void = () => undefined;
  const drops = createTally<{ deviceId: string; reason: string; messages: number; lastAt: Date }>({
    nameOf: ({ deviceId, reason }) => `${deviceId}/${reason}`,
    sum: (held, { messages, lastAt }) => ({ ...held, messages: held.messages + messages, lastAt }),
    write: (rows) => repository.addDropped(rows),
    onError,
  });
  const rejects = createTally<RejectedCount>({
    nameOf: ({ deviceId, key, reason }) => `${deviceId}/${reason}/${key}`,
    sum: (held, row) => ({
      ...(held.lastAt > row.lastAt ? held : row),
      readings: held.readings + row.readings,
    }),
    write: (rows) => repository.addRejected(rows),
    onError,
  });

  const countDrop = (deviceId: string, reason: string): void =>
    drops.add({ deviceId, reason, messages: 1, lastAt: new Date(now()) });
  const countRejected = ({ id }: DeviceIdentity, rows: readonly StoredTelemetry[]): void => {
    for (const { at, rejected } of rows)
      for (const key in rejected) {
        const { reason, text } = rejected[key] as RejectedReading;
        rejects.add({ deviceId: id, key, reason, readings: 1, lastText: text, lastAt: new Date(at / 1000) });
      }
  };

  const flushCounts = async (): Promise<void> => {
    await drops.flush();
    await rejects.flush();
  };
  const timer = setInterval(() => void flushCounts(), discardedFlushMs);

  /**
   * Writes connected flags, one statement at a time and always with the current values, so that the flags of a device that
   * connects and disconnects quickly are never written in the wrong order.
   */
  const writeConnections = async (): Promise<void> => {
    while (changed.size > 0 && !stopped) {
      const ids = [...changed];
      changed = new Set();
      const rows = ids.map((deviceId) => ({ deviceId, connected: connections.has(deviceId) }));
      try {
        for (const { deviceId, connected, online } of await repository.setConnections(serverId, rows)) {
          onPresence(deviceId, connected, online);
        }
      } catch (error) {
        onError(error);
        for (const id of ids) changed.add(id);
        await new Promise<void>((resolve) => {
          const retry = setTimeout(resolve, connectionRetryMs);
          wakeWriter = () => {
            clearTimeout(retry);
            resolve();
          };
        });
      }
    }
  };
  const connectionChanged = (deviceId: string): void => {
    changed.add(deviceId);
    writing ??= writeConnections().finally(() => {
      writing = undefined;
    });
  };

  const spend = (deviceId: string): void => {
    const at = now();
    let budget = budgets.get(deviceId);
    if (budget === undefined) {
      budget = { messages: burstMessages, at };
      remember(budgets, deviceId, budget, rememberedBudgets);
    }
    // A clock that is set back must not reduce the budget.
    const passedS = Math.max(0, at - budget.at) / 1000;
    budget.messages = Math.min(burstMessages, budget.messages + passedS * steadyMessagesPerS);
    budget.at = at;
    if (budget.messages < 1) throw new Dropped("too_fast");
    budget.messages -= 1;
  };

  const stored = (): undefined => {
    onMessage("stored");
    return undefined;
  };
  const dropped =
    (device: DeviceIdentity) =>
    (error: unknown): DropReason => {
      const reason = error instanceof Dropped ? error.reason : isBadData(error) ? "not_storable" : undefined;
      if (reason === undefined) throw error;
      countDrop(device.id, reason);
      onMessage(reason);
      return reason;
    };

  /**
   * Runs `work`; a drop is counted and returned, any other error is thrown. It uses plain promises because it runs for every
   * message.
   */
  const taking = (device: DeviceIdentity, work: () => Promise<void>): Promise<DropReason | undefined> => {
    try {
      spend(device.id);
      return work().then(stored, dropped(device));
    } catch (error) {
      try {
        return Promise.resolve(dropped(device)(error));
      } catch (unexpected) {
        return Promise.reject(unexpected);
      }
    }
  };

  const reportFirmware = async (device: DeviceIdentity, rows: readonly TelemetryRow[]): Promise<void> => {
    for (const { values } of rows) if (values.fw_state !== undefined) await firmware.reported(device.id, values);
  };
  const store = (device: DeviceIdentity, rows: TelemetryRow[]): Promise<void> => {
    if (rows.length === 0) return Promise.resolve();
    const tellsFirmware = rows.some(({ values }) => values.fw_state !== undefined);
    return ingest.store(device, rows).then((stored) => {
      countRejected(device, stored);
      return tellsFirmware ? reportFirmware(device, rows) : undefined;
    });
  };
  const merge = async (device: DeviceIdentity, attributes: Record<string, unknown>): Promise<void> => {
    if (!(await devices.mergeAttributes(device.id, attributes))) throw new Dropped("attributes_full");
    await downstream.reported(device.id, Object.keys(attributes));
  };
  const takeAnswer = async (device: DeviceIdentity, requestId: string, answer: unknown): Promise<void> => {
    const isKnown = /^\d{1,9}$/.test(requestId) && (await downstream.answer(device.id, Number(requestId), answer));
    if (!isKnown) throw new Dropped("late_answer");
  };

  const changedDevice = (deviceId: string): void => {
    tokens.forget(deviceId);
    for (const connection of [...(connections.get(deviceId)?.keys() ?? [])]) connection.close();
  };

  const checkConnections = async (): Promise<void> => {
    const open = [...connections.values()].flatMap((of) => [...of.values()]);
    for (const id of await devices.changedSince(open)) changedDevice(id);
  };
  const checkTimer = setInterval(() => void checkConnections().catch(onError), connectionCheckMs);

  return {
    /**
     * Finds the device of an access token, cached for some seconds because of reconnect storms.
     * @param address address of the caller, whose unknown tokens are limited
     */
    authenticate: tokens.find,

    /** Called when a device was removed or moved, or its token replaced: cached facts are dropped and its connections closed. */
    changed: changedDevice,
    /** Compares open connections with the devices' rows; it runs every 10 s. */
    checkConnections,

    /** @returns the reason for dropping the message; undefined when it was stored */
    telemetry: (device: DeviceIdentity, payload: Buffer | string) =>
      taking(device, () => store(device, parseTelemetry(payload, now(), acceptanceOf(device.kind)))),
    events: (device: DeviceIdentity, payload: Buffer | string) =>
      taking(device, () => repository.insertEvents(device.id, parseEvents(payload, now()))),
    attributes: (device: DeviceIdentity, payload: Buffer | string) =>
      taking(device, () => merge(device, parseAttributes(payload))),
    /**
     * Handles the device's answer to a command.
     * @param requestId as the device sent it
     */
    answer: (device: DeviceIdentity, requestId: string, payload: Buffer | string) =>
      taking(device, () => takeAnswer(device, requestId, parseJson(payload))),

    /** As `telemetry`, for a parsed message of a device behind a gateway. */
    telemetryOf: (device: DeviceIdentity, content: unknown) =>
      taking(device, () => store(device, telemetryRows(content, now(), acceptanceOf(device.kind)))),
    eventsOf: (device: DeviceIdentity, content: unknown) =>
      taking(device, () => repository.insertEvents(device.id, eventRows(content, now()))),
    attributesOf: (device: DeviceIdentity, content: unknown) =>
      taking(device, () => merge(device, attributesIn(content))),
    answerOf: (device: DeviceIdentity, requestId: string, content: unknown) =>
      taking(device, () => takeAnswer(device, requestId, content)),

    /**
     * Handles a claim: the device names a secret, and whoever knows it can claim the device.
     * @param content undefined when it was no object
     */
    claim: (device: DeviceIdentity, content: unknown) =>
      taking(device, async () => {
        const claim = claimIn(content);
        if (claim === undefined) throw new Dropped("bad_claim");
        await claims.offer(device.id, claim);
      }),

    /**
     * Answers a registration request.
     * @param address address of the caller, whose requests are limited
     */
    provision: (request: Record<string, unknown>, address: string | undefined) =>
      provisioning.provision(request, address),

    /** Devices behind a gateway, by name. */
    gateways,

    /**
     * A chunk of the firmware offered to the device, from 0; see `FirmwareService.chunk`.
     * @returns undefined, and counts it, when there is none
     */
    async firmware(
      device: DeviceIdentity,
      wanted: { title: string; version: string } | undefined,
      size: number,
      chunk: number,
    ): Promise<Buffer | undefined> {
      let bytes: Buffer | undefined;
      const refused = await taking(device, async () => {
        bytes = await firmware.chunk(device.id, wanted, size, chunk);
        if (bytes === undefined) throw new Dropped("no_firmware");
      });
      return refused === undefined ? bytes : undefined;
    },

    /** Connections from the server to devices. */
    links: downstream.links,

    /** Answers a call of the device. */
    call: (device: KnownDevice, request: Record<string, unknown>): unknown =>
      answerCall(request, { now, messagesPerS: steadyMessagesPerS }, device),

    /** Answers `{client, shared}` with the requested keys; without any list, all keys of both sides. */
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

    /**
     * Counts a message of a gateway; its parts are then counted for the devices behind it.
     * @returns the reason for dropping it
     */
    admit(device: DeviceIdentity): DropReason | undefined {
      try {
        spend(device.id);
        return undefined;
      } catch (error) {
        return dropped(device)(error);
      }
    },

    /** Counts a message that the transport had to drop. */
    drop(device: DeviceIdentity, reason: DropReason): void {
      countDrop(device.id, reason);
      onMessage(reason);
    },

    /** Records an accepted connection of the device; each call is followed by one of `closed`. */
    opened(device: KnownDevice, connection: DeviceConnection): void {
      const open = connections.get(device.id) ?? new Map<DeviceConnection, KnownDevice>();
      open.set(connection, device);
      connections.set(device.id, open);
      if (open.size === 1) connectionChanged(device.id);
      if (tokens.isOutdated(device)) connection.close();
      const [oldest] = open.keys();
      if (open.size > connectionsPerDevice) oldest?.close();
    },

    closed(device: KnownDevice, connection: DeviceConnection): void {
      const open = connections.get(device.id);
      open?.delete(connection);
      if (open !== undefined && open.size > 0) return;
      connections.delete(device.id);
      connectionChanged(device.id);
    },

    isConnected: (deviceId: string): boolean => connections.has(deviceId),

    connectedDevices: (): number => connections.size,

    async stop(): Promise<void> {
      clearInterval(timer);
      clearInterval(checkTimer);
      stopped = true;
      wakeWriter();
      await writing;
      await flushCounts();
      await repository.endConnections(serverId).catch(onError);
    },
  };
}
export type Uplink = ReturnType<typeof createUplink>;
