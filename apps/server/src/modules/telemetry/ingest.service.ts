import type { DeviceKindId } from "@herdwise/contract";
import { createSteps, type SteppedChannel, type Steps } from "@herdwise/device-kinds";
import { rejectedPrefix } from "./packing.ts";
import { Dropped, messageLimits, type TelemetryRow } from "./telemetry.parse.ts";
import type {
  DeviceRows,
  HeldOfDevice,
  LongValues,
  StateChange,
  StoredTelemetry,
  TelemetryRepository,
  TimedReading,
  TimedReadings,
} from "./telemetry.repository.ts";
import { utcDay } from "./telemetry.repository.ts";

export interface IngestDevice {
  id: string;
  tenantId: string;
  kind: DeviceKindId;
}

/** Committed rows, for the live streams and other followers. */
export interface StoredReadings {
  deviceId: string;
  tenantId: string;
  /** Newest committed reading of each key; it may be older than a stored one, when a device sends late. */
  readings: TimedReadings;
  /** The committed rows in the order of their times. */
  rows: readonly StoredTelemetry[];
  /** ms since 1970 */
  onlineUntil: number;
}

export interface IngestDependencies {
  repository: Pick<TelemetryRepository, "store" | "addKeys" | "createPartition" | "partitions">;
  now: () => number;
  /** Seconds without a message after which a device of a kind is offline. */
  offlineAfterS: (kind: DeviceKindId) => number;
  /** Called after each commit, once per batch; `values` is the number of stored values. */
  onStored: (stored: StoredReadings[], values: number) => void;
  /** Called after each batch; the next one waits for the returned promise. */
  ready?: () => Promise<unknown> | undefined;
  onError: (error: unknown, rows: number) => void;
  /** Runs the writing of each batch, for what looks at it from outside. */
  around?: (batch: { messages: number; rows: number }, write: () => Promise<void>) => Promise<void>;
  /** Called after a batch was committed, with the seconds since its first message came. */
  onCommitted?: (seconds: number) => void;
  /** Reads the stored facts about a device before its first message here, with the newest numbers of some channels. */
  heldOf: (deviceId: string, channels: readonly string[]) => Promise<HeldOfDevice>;
  /** Channels of a kind with a limited rate of change. */
  steppedChannels: (kind: DeviceKindId) => readonly SteppedChannel[];
  /** Milliseconds for which raw rows are kept; older messages are refused. */
  rawRetentionMs: () => number;
}

interface Waiting {
  device: IngestDevice;
  /** When it came, by `performance.now()`. */
  cameMs: number;
  memory: DeviceMemory;
  rows: StoredTelemetry[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Devices are distributed over lanes; a lane writes one batch at a time, so a device's messages are stored in order. */
interface Lane {
  queue: Waiting[];
  busy: boolean;
  readonly room: Room;
}

/**
 * What waits for one database node. Each node has lanes and room of its own, so that the messages for a node that is away don't
 * stop those for the others.
 */
interface Room {
  readonly lanes: readonly Lane[];
  /** Number of accepted rows that are not committed. */
  heldRows: number;
  readonly waiters: { rows: number; enter: () => void }[];
}

/** Facts about a device that are remembered between its messages. */
interface DeviceMemory {
  /** Undefined until its node is known. */
  lane: Lane | undefined;
  /** The newest time that the server assigned, in microseconds. */
  lastAt: number;
  /** Keys of its accepted messages. */
  keys: Set<string> | undefined;
  /** Numbers of the keys that were already written. */
  numbers: ReadonlyMap<string, number>;
  /** Its newest long values, by key. */
  long: LongValues;
  /** Detects jumps; undefined for a device without channels of limited change. */
  steps: Steps | undefined;
  /** Tenant whose readings `steps` has seen; a new owner has the device in another house. */
  tenantId: string;
  /** The running query for the keys; messages that arrive meanwhile wait for it in order. */
  asking: Promise<Set<string>> | undefined;
}

/** Most rows of one transaction; larger batches gain little and delay the acknowledgements. */
const batchRows = 2000;
/** Simultaneous transactions on a node: one is written while the next is prepared. */
const laneCount = 2;
/** Most rows that wait for a node before callers have to wait. */
const roomRows = 20_000;
/**
 * Minimum interval in ms between batches of a lane while several messages arrive at a time, because a commit costs nearly as
 * much for one message as for many.
 * A message that arrives alone is written at once.
 */
const gatherMs = 50;
/** A batch with this many rows is written without waiting for more. */
const worthwhileRows = 500;
const firstRetryMs = 50;
const longestRetryMs = 2000;
/**
 * Milliseconds after a repeated row for which more repetitions are expected, because a device sends everything again that may
 * be lost.
 */
const repeatsMs = 10_000;
/** Most devices that are remembered; the keys of others are read again with their next message. */
const rememberedDevices = 50_000;
/** Milliseconds by which assigned times may be ahead of the clock; a message that needs more came too fast. */
const aheadMs = 10_000;

const numbersOf = (keys: readonly string[]): ReadonlyMap<string, number> =>
  new Map(keys.map((key, number) => [key, number]));

/** Length of a value as JSON; numbers and booleans count as 0. */
const lengthOf = (value: unknown): number => {
  if (typeof value === "string") return value.length;
  return typeof value === "object" && value !== null ? JSON.stringify(value).length : 0;
};
const sumOf = (long: LongValues): number => [...long.values()].reduce((sum, { length }) => sum + length, 0);

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? "");
/** A row of the same device and time exists. */
const isRepeated = (error: unknown): boolean => codeOf(error) === "23505";
/** There is no partition for the time. */
const lacksPartition = (error: unknown): boolean => codeOf(error) === "23514";
/**
 * The message can't be stored, and trying again is useless: class 22 (a value that PostgreSQL does not accept), 54 (too large),
 * or 23503 (the device was removed meanwhile).
 */
export const isBadData = (error: unknown): boolean => /^(22|54|23503)/.test(codeOf(error));

const sizeOf = (batch: readonly Waiting[]) => ({
  messages: batch.length,
  rows: batch.reduce((sum, { rows }) => sum + rows.length, 0),
});

const laneNumberOf = (deviceId: string): number => {
  let hash = 0;
  for (let at = 0; at < deviceId.length; at += 1) hash = (hash * 31 + deviceId.charCodeAt(at)) | 0;
  return Math.abs(hash) % laneCount;
};

/** Merges rows of the same time; of two values of one key the first is kept, as in the table. Reorders `rows`. */
function inOrder(rows: StoredTelemetry[]): StoredTelemetry[] {
  let sorted = true;
  for (let i = 1; i < rows.length && sorted; i += 1) sorted = (rows[i - 1]?.at ?? 0) < (rows[i]?.at ?? 0);
  if (sorted) return rows;
  rows.sort((a, b) => a.at - b.at);
  const merged: StoredTelemetry[] = [];
  for (const row of rows) {
    const held = merged.at(-1);
    if (held === undefined || held.at !== row.at) merged.push(row);
    else {
      const rejected = { ...row.rejected, ...held.rejected };
      merged[merged.length - 1] = {
        ...held,
        values: { ...row.values, ...held.values },
        ...((row.rejected ?? held.rejected) && { rejected }),
      };
    }
  }
  return merged;
}

function timedReading(value: unknown, at: number): TimedReading {
  const us = at % 1000;
  const reading = { value, ts: (at - us) / 1000 } as TimedReading;
  if (us !== 0) reading.us = us;
  return reading;
}

/**
 * Newest reading of each key, and the oldest time among them.
 * @param rows in the order of their times, at least one
 * @param keys number of keys of the device: most rows have all of them, and then older rows need not be read
 */
function newestOf(
  rows: readonly StoredTelemetry[],
  keys: number,
): { readings: TimedReadings; oldestAt: number; newestAt: number } {
  // Without a prototype, because a device may send a key such as "constructor".
  const readings: TimedReadings = Object.create(null);
  const newestAt = rows.at(-1)?.at ?? 0;
  let oldestAt = newestAt;
  let found = 0;
  for (let i = rows.length - 1; i >= 0 && found < keys; i -= 1) {
    const { at, values } = rows[i] as StoredTelemetry;
    for (const key of Object.keys(values)) {
      if (readings[key] !== undefined) continue;
      readings[key] = timedReading(values[key], at);
      oldestAt = at;
      found += 1;
    }
  }
  return { readings, oldestAt, newestAt };
}

/** Rows of devices and the changes of their states, in the same order. */
interface Batch {
  readonly parts: DeviceRows[];
  readonly changes: StateChange[];
}
const emptyBatch = (): Batch => ({ parts: [], changes: [] });

/**
 * Writes telemetry in group commits: `store` resolves after the commit, and the caller acknowledges then.
 * While the database is unavailable a batch is retried until it succeeds; the queue is bounded, so callers wait and memory does
 * not grow.
 */
export function createIngest(dependencies: IngestDependencies) {
  const { repository, now, around } = dependencies;
  /** By the number of the node. */
  const rooms = new Map<number, Room>();
  const roomOf = (node: number): Room => {
    const held = rooms.get(node);
    if (held !== undefined) return held;
    const lanes: Lane[] = [];
    const room: Room = { lanes, heldRows: 0, waiters: [] };
    for (let at = 0; at < laneCount; at += 1) lanes.push({ queue: [], busy: false, room });
    rooms.set(node, room);
    return room;
  };
  const laneOf = (deviceId: string, node: number): Lane => roomOf(node).lanes[laneNumberOf(deviceId)] as Lane;
  const isIdle = (): boolean =>
    [...rooms.values()].every(({ heldRows, waiters }) => heldRows === 0 && waiters.length === 0);
  const partitions = new Set<string>();
  const memories = new Map<string, DeviceMemory>();
  /** Time until which repeated rows are expected, ms since 1970. */
  let repeatsUntil = 0;
  let stopped = false;
  /** Batches that wait before their next attempt. */
  const sleepers = new Set<() => void>();
  let whenIdle: (() => void) | undefined;

  const memoryOf = ({ id: deviceId, tenantId, kind }: IngestDevice): DeviceMemory => {
    let memory = memories.get(deviceId);
    if (memory !== undefined && memory.tenantId !== tenantId) {
      memory.tenantId = tenantId;
      if (memory.steps) memory.steps = createSteps(dependencies.steppedChannels(kind), new Map());
    }
    if (memory === undefined) {
      if (memories.size >= rememberedDevices) {
        const [oldest] = memories.keys();
        if (oldest !== undefined) memories.delete(oldest);
      }
      memory = {
        lane: undefined,
        lastAt: 0,
        keys: undefined,
        numbers: new Map(),
        long: new Map(),
        steps: undefined,
        tenantId,
        asking: undefined,
      };
      memories.set(deviceId, memory);
    }
    return memory;
  };

  /**
   * Assigns times to messages without one, unique even when thousands arrive within a millisecond.
   * The microseconds start at a random value other than 0, so that they collide neither with a device's own times nor with
   * those of another server.
   */
  const ownTime = (memory: DeviceMemory, receivedAt: number): number => {
    const first = receivedAt * 1000 + 1 + Math.floor(Math.random() * 400);
    let at = Math.max(first, memory.lastAt + 1);
    if (at % 1000 === 0) at += 1;
    if (at > first + aheadMs * 1000) throw new Dropped("too_fast");
    memory.lastAt = at;
    return at;
  };

  /** Removes jumps from rows, and adds earlier readings that are now accepted. */
  const withoutSteps = ({ steps }: DeviceMemory, rows: StoredTelemetry[]): StoredTelemetry[] => {
    if (steps === undefined) return rows;
    // A list may begin with its newest row.
    const ordered = rows.length === 1 ? rows : rows.toSorted((a, b) => a.at - b.at);
    const taken: StoredTelemetry[] = [];
    for (const row of ordered) {
      const { readings, believed } = steps(row.at / 1000, row);
      taken.push(readings === row ? row : { ...row, ...readings });
      for (const { atMs, key, value } of believed)
        taken.push({ at: Math.round(atMs * 1000), values: { [key]: value }, clockSkew: false, believedLater: true });
    }
    return taken;
  };

  const noteKeys = (known: Set<string>, rows: readonly StoredTelemetry[]): void => {
    let fresh: Set<string> | undefined;
    const note = (key: string): void => {
      if (known.has(key)) return;
      fresh ??= new Set();
      fresh.add(key);
    };
    for (const { values, rejected } of rows) {
      for (const key in values) note(key);
      for (const key in rejected) note(`${rejectedPrefix}${key}`);
    }
    if (fresh === undefined) return;
    if (known.size + fresh.size > messageLimits.keysPerDevice) throw new Dropped("too_many_keys");
    for (const key of fresh) known.add(key);
  };

  /** The long values of a device after these rows; a late value does not count against newer ones. */
  const withLong = (held: LongValues, rows: readonly TelemetryRow[]): LongValues => {
    let next: Map<string, { length: number; ts: number }> | undefined;
    for (const { ts, values } of rows) {
      for (const key in values) {
        const length = lengthOf(values[key]);
        // As with nearly all devices, no value is or was long.
        if (length === 0 && next === undefined && held.size === 0) continue;
        const isLong = length > messageLimits.longValue;
        const before = (next ?? held).get(key);
        if (before === undefined ? !isLong : ts < before.ts) continue;
        next ??= new Map(held);
        if (isLong) next.set(key, { length, ts });
        else next.delete(key);
      }
    }
    if (next === undefined) return held;
    const total = sumOf(next);
    if (total > messageLimits.longValuesPerDevice && total > sumOf(held)) throw new Dropped("readings_full");
    return next;
  };

  const ensurePartitions = async (parts: readonly DeviceRows[]): Promise<void> => {
    const missing = new Set<string>();
    let checked = -1;
    for (const { rows } of parts) {
      for (const { at } of rows) {
        const dayNumber = Math.floor(at / 86_400_000_000);
        if (dayNumber === checked) continue;
        checked = dayNumber;
        const day = utcDay(at / 1000);
        if (!partitions.has(day)) missing.add(day);
      }
    }
    for (const day of missing) {
      await repository.createPartition(day);
      partitions.add(day);
    }
  };

  /** Assigns numbers to new keys, permanently for each device. */
  const ensureNumbers = async (byDevice: ReadonlyMap<string, Pick<Waiting, "memory">>): Promise<void> => {
    const fresh: { deviceId: string; keys: string[] }[] = [];
    for (const [deviceId, { memory }] of byDevice) {
      const { keys = new Set(), numbers } = memory;
      if (keys.size === numbers.size) continue;
      fresh.push({ deviceId, keys: [...keys].filter((key) => !numbers.has(key)) });
    }
    if (fresh.length === 0) return;
    for (const { deviceId, keys } of await repository.addKeys(fresh)) {
      const memory = byDevice.get(deviceId)?.memory;
      if (memory === undefined) continue;
      memory.numbers = numbersOf(keys);
      // Another server may have added other keys.
      for (const key of keys) memory.keys?.add(key);
    }
  };

  /** Repetitions are rare, so rows are first inserted without looking for existing ones. */
  const storeParts = async (parts: readonly DeviceRows[], changes: readonly StateChange[]): Promise<void> => {
    if (now() >= repeatsUntil) {
      try {
        await repository.store(parts, changes, false);
        return;
      } catch (error) {
        if (!isRepeated(error)) throw error;
        repeatsUntil = now() + repeatsMs;
      }
    }
    await repository.store(parts, changes, true);
  };

  const write = async (batch: readonly Waiting[]): Promise<void> => {
    const unsorted = new Map<string, Pick<Waiting, "device" | "memory"> & { rows: StoredTelemetry[] }>();
    for (const { device, memory, rows } of batch) {
      const held = unsorted.get(device.id);
      if (held === undefined) unsorted.set(device.id, { device, memory, rows: [...rows] });
      else for (const row of rows) held.rows.push(row);
    }
    // The same order on all servers, so that they wait for each other without deadlocks.
    const byDevice = new Map([...unsorted].sort(([a], [b]) => (a < b ? -1 : 1)));
    await ensureNumbers(byDevice);
    const stored: StoredReadings[] = [];
    const [fresh, believed] = [emptyBatch(), emptyBatch()];
    let values = 0;
    const receivedAt = now();
    for (const [deviceId, { device, memory, rows }] of byDevice) {
      const { numbers } = memory;
      const add = (to: Batch, ordered: readonly StoredTelemetry[]): StateChange => {
        const newest = newestOf(ordered, numbers.size);
        // A clock that is ahead must not keep a silent device online.
        const onlineUntil =
          Math.min(newest.newestAt / 1000, receivedAt) + dependencies.offlineAfterS(device.kind) * 1000;
        const change = { deviceId, ...newest, onlineUntil };
        to.parts.push({ deviceId, rows: ordered, numbers });
        to.changes.push(change);
        return change;
      };
      const ordered = inOrder(rows);
      for (const row of ordered) values += Object.keys(row.values).length;
      const again = ordered.filter(({ believedLater }) => believedLater);
      if (again.length > 0) add(believed, again);
      const sent = again.length > 0 ? ordered.filter(({ believedLater }) => !believedLater) : ordered;
      const { readings, onlineUntil } = add(fresh, sent);
      stored.push({ deviceId, tenantId: device.tenantId, readings, rows: ordered, onlineUntil });
    }
    await ensurePartitions(fresh.parts);
    await storeParts(fresh.parts, fresh.changes);
    // These rows exist already; they are stored separately, because the others need no look-up.
    if (believed.parts.length > 0) await repository.store(believed.parts, believed.changes, true);
    try {
      dependencies.onStored(stored, values);
    } catch (error) {
      // An error of a follower must not make committed rows look uncommitted.
      dependencies.onError(error, 0);
    }
  };

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      sleepers.add(wake);
    });

  /**
   * Stored facts about a device, read until the database answers; meanwhile its first messages wait, and its connection stays
   * open.
   */
  const askHeld = async (deviceId: string, channels: readonly string[]): Promise<HeldOfDevice> => {
    for (let waitMs = firstRetryMs; ; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
      try {
        return await dependencies.heldOf(deviceId, channels);
      } catch (error) {
        dependencies.onError(error, 0);
        if (stopped) throw error;
        await pause(waitMs);
      }
    }
  };

  /** Writes a batch; when one message makes it fail, the batch is halved until only that message is left out. */
  const writeUntilDone = async (batch: readonly Waiting[]): Promise<void> => {
    for (let waitMs = firstRetryMs; ; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
      try {
        await (around === undefined ? write(batch) : around(sizeOf(batch), () => write(batch)));
        dependencies.onCommitted?.((performance.now() - (batch[0]?.cameMs ?? 0)) / 1000);
        for (const { resolve } of batch) resolve();
        return;
      } catch (error) {
        if (isBadData(error)) {
          if (batch.length === 1) {
            batch[0]?.reject(new Dropped("not_storable"));
            return;
          }
          const half = batch.length >> 1;
          await writeUntilDone(batch.slice(0, half));
          await writeUntilDone(batch.slice(half));
          return;
        }
        if (lacksPartition(error)) partitions.clear();
        dependencies.onError(error, batch.length);
        if (stopped) {
          for (const { reject } of batch) reject(error);
          return;
        }
        await pause(waitMs);
      }
    }
  };

  const letIn = (room: Room): void => {
    while (room.waiters.length > 0 && room.heldRows < roomRows) {
      const next = room.waiters.shift();
      if (next === undefined) return;
      room.heldRows += next.rows;
      next.enter();
    }
  };

  const run = async (lane: Lane): Promise<void> => {
    if (lane.busy) return;
    lane.busy = true;
    const { room } = lane;
    while (lane.queue.length > 0) {
      const beganAt = performance.now();
      let rows = 0;
      let messages = 0;
      while (messages < lane.queue.length && rows < batchRows) {
        rows += lane.queue[messages]?.rows.length ?? 0;
        messages += 1;
      }
      await writeUntilDone(lane.queue.splice(0, messages));
      room.heldRows -= rows;
      letIn(room);
      const wait = dependencies.ready?.();
      if (wait !== undefined) await wait;
      const restMs = gatherMs - (performance.now() - beganAt);
      if (messages > 1 && room.heldRows < worthwhileRows && restMs > 0 && !stopped) await pause(restMs);
    }
    lane.busy = false;
    if (isIdle()) whenIdle?.();
  };

  const enqueue = (device: IngestDevice, rows: StoredTelemetry[], memory: DeviceMemory, lane: Lane): Promise<void> => {
    return new Promise<void>((resolve, reject) => {
      lane.queue.push({ device, cameMs: performance.now(), memory, rows, resolve, reject });
      // All messages that arrive in one turn of the event loop share a commit.
      if (!lane.busy && lane.queue.length === 1) setImmediate(() => void run(lane));
    });
  };

  const storeKnown = async (
    device: IngestDevice,
    rows: readonly TelemetryRow[],
    memory: DeviceMemory,
    keys: Set<string>,
  ): Promise<readonly StoredTelemetry[]> => {
    const long = withLong(memory.long, rows);
    const stored = withoutSteps(
      memory,
      rows.map(({ ts, values, rejected, clockSkew, timeless }) => ({
        at: timeless ? ownTime(memory, ts) : ts * 1000,
        values,
        ...(rejected && { rejected }),
        clockSkew,
      })),
    );
    noteKeys(keys, stored);
    memory.long = long;
    const lane = memory.lane ?? laneOf(device.id, 0);
    const { room } = lane;
    if (room.heldRows < roomRows && room.waiters.length === 0) {
      room.heldRows += stored.length;
      await enqueue(device, stored, memory, lane);
    } else {
      await new Promise<void>((resolve, reject) => {
        const enter = () => enqueue(device, stored, memory, lane).then(resolve, reject);
        room.waiters.push({ rows: stored.length, enter });
      });
    }
    return stored;
  };

  return {
    /**
     * Stores the rows of one message; resolves after the commit with the rows as stored.
     * @throws {Dropped} when the message can't be stored; the caller counts it and acknowledges
     */
    store(device: IngestDevice, rows: readonly TelemetryRow[]): Promise<readonly StoredTelemetry[]> {
      if (stopped) return Promise.reject(new Error("the server is stopping"));
      const oldest = now() - dependencies.rawRetentionMs();
      if (rows.some(({ ts }) => ts < oldest)) return Promise.reject(new Dropped("too_old"));
      const memory = memoryOf(device);
      if (memory.keys !== undefined) return storeKnown(device, rows, memory, memory.keys);
      const channels = dependencies.steppedChannels(device.kind);
      memory.asking ??= askHeld(
        device.id,
        channels.map(({ key }) => key),
      )
        .then(({ keys, long, numbers, node }) => {
          memory.lane = laneOf(device.id, node);
          memory.keys = new Set(keys);
          memory.numbers = numbersOf(keys);
          memory.long = long;
          if (channels.length > 0) memory.steps = createSteps(channels, numbers);
          return memory.keys;
        })
        .finally(() => {
          memory.asking = undefined;
        });
      return memory.asking.then((keys) => storeKnown(device, rows, memory, keys));
    },

    /** Number of accepted rows that wait for their commit; at most about 20,000 and one message for each node. */
    waitingRows: () => [...rooms.values()].reduce((sum, { heldRows }) => sum + heldRows, 0),

    /** Lets waiting batches finish; a batch that fails from now on is refused instead of retried. */
    async stop(): Promise<void> {
      stopped = true;
      for (const wake of sleepers) wake();
      if (isIdle()) return;
      await new Promise<void>((resolve) => {
        whenIdle = resolve;
      });
    },

    /** Creates the partitions of today and tomorrow in advance. */
    async preparePartitions(): Promise<void> {
      for (const day of await repository.partitions()) partitions.add(day);
      for (const day of [utcDay(now()), utcDay(now() + 86_400_000)]) {
        if (!partitions.has(day)) await repository.createPartition(day);
        partitions.add(day);
      }
    },
  };
}
export type Ingest = ReturnType<typeof createIngest>;
