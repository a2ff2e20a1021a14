import type { DeviceKindId, Readings } from "@herdwise/contract";
import { Dropped, messageLimits, type TelemetryRow } from "./telemetry.parse.ts";
import type { StateChange, StoredTelemetry, TelemetryRepository } from "./telemetry.repository.ts";
import { utcDay } from "./telemetry.repository.ts";

export interface IngestDevice {
  id: string;
  tenantId: string;
  kind: DeviceKindId;
}

/** What was committed, for the live streams and whatever else follows the data. */
export interface StoredReadings {
  deviceId: string;
  tenantId: string;
  readings: Readings;
  onlineUntil: number;
}

export interface IngestNeeds {
  /** Runs in one transaction. */
  inTransaction(work: (repository: TelemetryRepository) => Promise<void>): Promise<void>;
  repository: TelemetryRepository;
  now: () => number;
  /** How long a kind may be silent before it is offline, in seconds. */
  offlineAfterS: (kind: DeviceKindId) => number;
  /** Called after the commit, once per batch; `values` counts what was stored. */
  onStored: (stored: StoredReadings[], values: number) => void;
  onFault: (error: unknown, rows: number) => void;
  /** Keys that a device has used so far. */
  knownKeys: (deviceId: string) => Promise<Iterable<string>>;
}

interface Waiting {
  device: IngestDevice;
  rows: StoredTelemetry[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Rows of one transaction. Larger batches gain little (docs/decisions) and hold the acknowledgements up longer. */
const batchRows = 2000;
/** Transactions at a time: one is written while the next is prepared. */
const parallelBatches = 2;
/** Rows that may wait before callers are held back. */
const waitingRows = 20_000;
const firstRetryMs = 50;
const longestRetryMs = 2000;

/** Class 22: the data itself can't be stored; trying again can't help. */
const isBadData = (error: unknown): boolean => /^22/.test(String((error as { code?: unknown } | null)?.code ?? ""));
/** 23514: no partition holds the time. */
const lacksPartition = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === "23514";

/**
 * Writes telemetry in group commits: `store` resolves only after the commit, and whoever acknowledges waits for it. While
 * the database is away a batch is tried again until it succeeds; the queue is bounded, so callers wait and memory does not grow.
 */
export function createIngest(needs: IngestNeeds) {
  const { repository, inTransaction, now } = needs;
  const queue: Waiting[] = [];
  let queuedRows = 0;
  let running = 0;
  let stopped = false;
  const roomWaiters: (() => void)[] = [];
  const partitions = new Set<string>();
  const lastTimes = new Map<string, number>();
  const keysOf = new Map<string, Set<string>>();

  /** Messages without a time get one each, even when several arrive within one millisecond. */
  const ownTime = (deviceId: string, receivedAt: number): number => {
    const ts = Math.max(receivedAt, (lastTimes.get(deviceId) ?? 0) + 1);
    lastTimes.set(deviceId, ts);
    return ts;
  };

  const checkKeyBudget = async (deviceId: string, rows: readonly TelemetryRow[]): Promise<void> => {
    let known = keysOf.get(deviceId);
    if (known === undefined) {
      known = new Set(await needs.knownKeys(deviceId));
      keysOf.set(deviceId, known);
    }
    const fresh = new Set<string>();
    for (const { values } of rows) for (const key of Object.keys(values)) if (!known.has(key)) fresh.add(key);
    if (fresh.size === 0) return;
    if (known.size + fresh.size > messageLimits.keysPerDevice) throw new Dropped("too_many_keys");
    for (const key of fresh) known.add(key);
  };

  const ensurePartitions = async (rows: readonly StoredTelemetry[]): Promise<void> => {
    const missing = new Set<string>();
    for (const { ts } of rows) {
      const day = utcDay(ts);
      if (!partitions.has(day)) missing.add(day);
    }
    for (const day of missing) {
      await repository.createPartition(day);
      partitions.add(day);
    }
  };

  const changesOf = (batch: readonly Waiting[]): (StateChange & { tenantId: string })[] => {
    const changes = new Map<string, StateChange & { tenantId: string }>();
    for (const { device, rows } of batch) {
      let change = changes.get(device.id);
      if (change === undefined) {
        change = { deviceId: device.id, tenantId: device.tenantId, readings: {}, reportedAt: 0, onlineUntil: 0 };
        changes.set(device.id, change);
      }
      for (const { ts, values } of rows) {
        change.reportedAt = Math.max(change.reportedAt, ts);
        for (const [key, value] of Object.entries(values)) {
          const held = change.readings[key];
          if (held === undefined || held.ts < ts) change.readings[key] = { value, ts };
        }
      }
      change.onlineUntil = change.reportedAt + needs.offlineAfterS(device.kind) * 1000;
    }
    return [...changes.values()].sort((a, b) => (a.deviceId < b.deviceId ? -1 : 1));
  };

  /** One row per device and time; of two values for one key the first stays, as it does in the table. */
  const rowsOf = (batch: readonly Waiting[]): StoredTelemetry[] => {
    const rows = new Map<string, StoredTelemetry>();
    for (const waiting of batch) {
      for (const row of waiting.rows) {
        const at = `${row.deviceId}/${row.ts}`;
        const held = rows.get(at);
        rows.set(at, held ? { ...held, values: { ...row.values, ...held.values } } : row);
      }
    }
    return [...rows.values()].sort((a, b) =>
      a.deviceId === b.deviceId ? a.ts - b.ts : a.deviceId < b.deviceId ? -1 : 1,
    );
  };

  const write = async (batch: readonly Waiting[]): Promise<void> => {
    const rows = rowsOf(batch);
    const changes = changesOf(batch);
    await ensurePartitions(rows);
    await inTransaction(async (to) => {
      await to.insert(rows);
      await to.mergeStates(changes);
    });
    needs.onStored(
      changes,
      rows.reduce((sum, { values }) => sum + Object.keys(values).length, 0),
    );
  };

  const writeUntilDone = async (batch: readonly Waiting[]): Promise<void> => {
    for (let waitMs = firstRetryMs; ; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
      try {
        await write(batch);
        for (const { resolve } of batch) resolve();
        return;
      } catch (error) {
        if (isBadData(error)) {
          if (batch.length === 1) {
            batch[0]?.reject(new Dropped("not_storable"));
            return;
          }
          // One message spoils the batch: each goes alone, so that only that one is lost.
          for (const waiting of batch) await writeUntilDone([waiting]);
          return;
        }
        if (lacksPartition(error)) partitions.clear();
        needs.onFault(error, batch.length);
        if (stopped) {
          for (const { reject } of batch) reject(error);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  };

  const pump = (): void => {
    while (running < parallelBatches && queue.length > 0) {
      const batch: Waiting[] = [];
      let rows = 0;
      while (queue.length > 0 && rows < batchRows) {
        const next = queue.shift() as Waiting;
        batch.push(next);
        rows += next.rows.length;
      }
      running += 1;
      void writeUntilDone(batch).finally(() => {
        running -= 1;
        queuedRows -= rows;
        while (queuedRows < waitingRows && roomWaiters.length > 0) roomWaiters.shift()?.();
        pump();
      });
    }
  };

  return {
    /**
     * Stores the rows of one message. Resolves after the commit.
     * @throws {Dropped} when the message can't be taken; the caller counts it and acknowledges
     */
    async store(device: IngestDevice, rows: readonly TelemetryRow[]): Promise<void> {
      await checkKeyBudget(device.id, rows);
      while (queuedRows >= waitingRows) await new Promise<void>((resolve) => roomWaiters.push(resolve));
      const stored = rows.map(({ ts, values, clockSkew, timeless }) => ({
        deviceId: device.id,
        ts: timeless ? ownTime(device.id, ts) : ts,
        values,
        clockSkew,
      }));
      queuedRows += stored.length;
      await new Promise<void>((resolve, reject) => {
        queue.push({ device, rows: stored, resolve, reject });
        // Everything that arrives in one turn of the event loop shares a commit.
        if (running < parallelBatches && queue.length === 1) setImmediate(pump);
      });
    },

    /** Rows that wait for their commit. */
    waitingRows: () => queuedRows,

    /** Lets what waits finish; a batch that fails from now on is refused instead of tried again. */
    async stop(): Promise<void> {
      stopped = true;
      pump();
      while (running > 0 || queue.length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    },

    /** Makes the partitions of today and tomorrow before the first row asks. */
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
