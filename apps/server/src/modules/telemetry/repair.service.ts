import {
  type Accept,
  createAcceptance,
  type DeviceKind,
  type RejectedReading,
  type RejectedReadings,
} from "@herdwise/device-kinds";
import { type PackedRow, packAll, rejectedPrefix, valuesOf } from "./packing.ts";
import { type PartitionedTable, type PartitionRepository, partitionAt } from "./partition.repository.ts";
import type { RepairRepository, RepairRow, RolledRange } from "./repair.repository.ts";
import type { RolledKey, RollUpRepository } from "./roll-up.repository.ts";
import { createRollUp, dayOfHour, firstHourOf, hourMs, minuteMs, type RollUp, rollUpDay } from "./roll-up.ts";
import type { TelemetryRepository } from "./telemetry.repository.ts";

interface RepairRepositories {
  repair: RepairRepository;
  rollUps: RollUpRepository;
}

export interface RepairDependencies {
  repair: RepairRepository;
  inTransaction<T>(work: (repositories: RepairRepositories) => Promise<T>): Promise<T>;
  partitions: Pick<PartitionRepository, "create">;
  addKeys: TelemetryRepository["addKeys"];
  kindOf: (kind: string) => DeviceKind | undefined;
  now: () => number;
  /** Waits between two steps, so that the ingest has priority. */
  pace: () => Promise<void>;
}

/** Result of a repair. */
export interface Repaired {
  rows: number;
  days: number;
}

type Progress = { afterDevice: string; doneBefore: number | null };

const devicesAtOnce = 50;
/** Raw rows read at a time, and rows written by one transaction. */
const rowsAtOnce = 2000;
const rowsPerTransaction = 500;

/** Valid ranges of a kind's number channels. */
const rangesOf = ({ channels }: DeviceKind): RolledRange[] =>
  channels.map(({ key, type, valid }) => {
    if (type === "boolean") return { key, low: 0, high: 1 };
    if (type === "text") return { key, low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };
    const [low, high] = valid ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    return { key, low, high };
  });

/** Readings of a stored row that would be rejected today. */
function untrueOf(row: PackedRow, keys: readonly string[], accept: Accept): RejectedReadings | undefined {
  const values: [string, unknown][] = [];
  valuesOf(row, keys, (key, value) => values.push([key, value]));
  return accept(Object.fromEntries(values)).rejected;
}

/**
 * A row with some of its readings moved to the rejected ones.
 * @param numbers numbers of the keys, including those of rejected readings
 */
function withEvidence(
  row: RepairRow,
  keys: readonly string[],
  untrue: RejectedReadings,
  numbers: ReadonlyMap<string, number>,
): RepairRow {
  const remaining = ([key]: readonly [string, unknown]): boolean => !Object.hasOwn(untrue, key);
  const packed: [string, unknown][] = [];
  const evidence = new Map<string, RejectedReading>(Object.entries(untrue));
  valuesOf(
    { packed: row.packed, readings: null },
    keys,
    (key, value) => packed.push([key, value]),
    (key, reading) => evidence.set(key, reading),
  );
  return {
    ...row,
    packed: packAll([
      {
        rows: [{ values: Object.fromEntries(packed.filter(remaining)), rejected: Object.fromEntries(evidence) }],
        numbers,
      },
    ]).packed,
    readings: row.readings && Object.fromEntries(Object.entries(row.readings).filter(remaining)),
  };
}

/** Number of rejected readings by channel and reason, with the newest text. */
function countsOf(rows: readonly { at: number; untrue: RejectedReadings }[]) {
  type Count = Parameters<RepairRepository["addRejected"]>[1][number];
  const counts = new Map<string, Count>();
  for (const { at, untrue } of rows) {
    for (const [key, { reason, text }] of Object.entries(untrue)) {
      const held = counts.get(`${key} ${reason}`);
      counts.set(`${key} ${reason}`, { key, reason, readings: (held?.readings ?? 0) + 1, lastText: text, lastAt: at });
    }
  }
  return [...counts.values()].sort((a, b) => (`${a.key} ${a.reason}` < `${b.key} ${b.reason}` ? -1 : 1));
}

const byHourOf = (minutes: ReadonlyMap<number, RollUp>): Map<number, Map<number, RollUp>> =>
  new Map([...Map.groupBy(minutes, ([minute]) => Math.floor(minute / 60))].map(([hour, of]) => [hour, new Map(of)]));

/**
 * Checks readings that an older release stored without checks by today's rules.
 * Invalid raw readings become rejected ones, the roll-ups of their hours and days are computed again, and days of which only an
 * invalid roll-up remains are marked.
 * An interrupted run is continued; a second run finds nothing.
 */
export function createRepair(dependencies: RepairDependencies) {
  const { repair, inTransaction, partitions, addKeys, kindOf, now, pace } = dependencies;

  /** Computes the roll-ups of some keys of a device for hours of one day again. */
  const rollAnew = async (
    { repair: inside, rollUps }: RepairRepositories,
    device: { id: string; keys: readonly string[] },
    channels: readonly string[],
    hours: readonly number[],
  ): Promise<void> => {
    const wanted = [...channels, ...channels.map((key) => `${rejectedPrefix}${key}`)];
    const day = dayOfHour(hours[0] as number);
    // The current hour is rolled up when it is over.
    const over = hours.filter((hour) => (hour + 1) * hourMs <= now());
    if (over.length === 0) return;
    const rollUp = createRollUp(device.keys, [hourMs, minuteMs], new Set(wanted));
    for (const hour of over) {
      for (let after: string | undefined; ; ) {
        const page = await inside.rawRows(device.id, [hour, hour + 1], after, rowsAtOnce);
        for (const row of page) rollUp.add(row);
        if (page.length < rowsAtOnce) break;
        after = page.at(-1)?.ts;
      }
    }
    const [byHour = new Map(), byMinute = new Map()] = rollUp.rolled;
    await inside.dropHours(device.id, wanted, over);
    const rolled = wanted.map(
      (key): RolledKey => ({
        deviceId: device.id,
        key,
        day,
        hours: byHour.get(key) ?? new Map(),
        minutes: byHourOf(byMinute.get(key) ?? new Map()),
      }),
    );
    await rollUps.writeHours(rolled);
    await inside.dropDay(device.id, wanted, day);
    const ofDays = await rollUps.hoursOfDays(rolled);
    await rollUps.writeDays(
      rolled.flatMap(({ key }, place) => {
        const of = rollUpDay(day, ofDays.get(place) ?? []);
        return of === undefined ? [] : [{ deviceId: device.id, key, day, of }];
      }),
    );
  };

  const made = new Set<string>();
  const ensurePartitions = async (hours: readonly number[]): Promise<void> => {
    for (const table of ["telemetryMinutes", "telemetryHours"] satisfies PartitionedTable[]) {
      for (const hour of hours) {
        const partition = partitionAt(table, hour * hourMs);
        const name = `${table} ${partition.from}`;
        if (made.has(name)) continue;
        await partitions.create(table, partition);
        made.add(name);
      }
    }
  };

  /**
   * Repairs rows of a device within one day, and the roll-ups of their hours.
   * @returns number of rows with invalid readings
   */
  const repairRows = async (
    { id, keys: known }: { id: string; keys: readonly string[] },
    accept: Accept,
    times: readonly string[],
    channels: ReadonlySet<string>,
    hours: readonly number[],
  ): Promise<number> => {
    await ensurePartitions(hours);
    // In a transaction of its own, so that a message with a new key does not have to wait for the rows.
    const evidenceKeys = [...channels].map((key) => `${rejectedPrefix}${key}`).filter((key) => !known.includes(key));
    const [added] = evidenceKeys.length === 0 ? [] : await addKeys([{ deviceId: id, keys: evidenceKeys }]);
    const keys = added?.keys ?? known;
    const numbers = new Map(keys.map((key, number) => [key, number]));
    return inTransaction(async (repositories) => {
      const { repair: inside, rollUps } = repositories;
      await rollUps.lock();
      const rawFrom = await inside.rawFromHour();
      const held = times.length === 0 ? [] : await inside.holdRows(id, times);
      const changed = held.flatMap((row) => {
        const untrue = untrueOf(row, keys, accept);
        return untrue === undefined ? [] : [{ row, at: row.at, untrue }];
      });
      for (const { row, untrue } of changed) await inside.writeRow(id, withEvidence(row, keys, untrue, numbers));
      await inside.addRejected(id, countsOf(changed));
      const there = hours.filter((hour) => hour >= rawFrom);
      if (there.length > 0) await rollAnew(repositories, { id, keys }, [...channels], there);
      return changed.length;
    });
  };

  /**
   * Repairs a day of a device.
   * @param range hours since 1970 with raw rows
   */
  const repairDay = async (
    device: { id: string; keys: readonly string[] },
    accept: Accept,
    ranges: readonly RolledRange[],
    range: readonly [number, number],
  ): Promise<number> => {
    let rows = 0;
    let found: { row: RepairRow; untrue: RejectedReadings }[] = [];
    const write = async (): Promise<void> => {
      const channels = new Set(found.flatMap(({ untrue }) => Object.keys(untrue)));
      const hours = [...new Set(found.map(({ row }) => Math.floor(row.at / hourMs)))];
      const times = found.map(({ row }) => row.ts);
      found = [];
      rows += await repairRows(device, accept, times, channels, hours);
      await pace();
    };
    for (let after: string | undefined; ; ) {
      const page = await repair.rawRows(device.id, range, after, rowsAtOnce);
      for (const row of page) {
        const untrue = untrueOf(row, device.keys, accept);
        if (untrue === undefined) continue;
        found.push({ row, untrue });
        if (found.length === rowsPerTransaction) await write();
      }
      if (page.length > 0) await pace();
      if (page.length < rowsAtOnce) break;
      after = page.at(-1)?.ts;
    }
    if (found.length > 0) await write();
    // Roll-ups whose raw rows are gone.
    const outside = await repair.hoursOutside(device.id, ranges, range);
    if (outside.length > 0) {
      const channels = new Set(outside.map(({ key }) => key));
      await repairRows(device, accept, [], channels, [...new Set(outside.map(({ hour }) => hour))]);
    }
    return rows;
  };

  /**
   * Repairs a device.
   * @param doneBefore hour before which an earlier run repaired it
   * @param repaired result of this run, which is added to
   * @returns whether the device is done; false when the time ended first
   */
  const repairDevice = async (
    { id, kind: kindId, keys }: { id: string; kind: string; keys: readonly string[] },
    { afterDevice, doneBefore }: Progress,
    signal: AbortSignal,
    isOver: () => boolean,
    repaired: Repaired,
  ): Promise<boolean> => {
    const kind = kindOf(kindId);
    if (kind === undefined) return true;
    const accept = createAcceptance(kind);
    const ranges = rangesOf(kind);
    // The newest readings come first, because people look at them.
    const newest = await repair.newestReadings(id);
    const values = Object.entries(newest).map(([key, { value }]) => [key, value] as const);
    const { rejected = {} } = accept(Object.fromEntries(values));
    await repair.dropNewest(
      id,
      Object.entries(newest).flatMap(([key, { ts }]) => (Object.hasOwn(rejected, key) ? [{ key, ts }] : [])),
    );
    const span = await repair.spanOf(id);
    if (span !== undefined) {
      const from = Math.max(span[0], await repair.rawFromHour(), doneBefore ?? 0);
      for (let at = from; at < span[1]; ) {
        signal.throwIfAborted();
        if (isOver()) return false;
        const end = Math.min(span[1], firstHourOf(dayOfHour(at) + 1));
        repaired.rows += await repairDay({ id, keys }, accept, ranges, [at, end]);
        await repair.noteProgress(afterDevice, end);
        at = end;
      }
    }
    repaired.days += await repair.markDays(id, ranges);
    return true;
  };

  return {
    /**
     * Repairs the remaining devices one after another.
     * @param isOver whether the rest is left to a later run; checked after each day of a device
     * @returns whether everything is done, with the result of this run; undefined when nothing was left
     */
    async run(signal: AbortSignal, isOver = () => false): Promise<(Repaired & { done: boolean }) | undefined> {
      let progress = await repair.progress();
      if (progress === undefined) return undefined;
      const sum = { rows: 0, days: 0, done: false };
      for (;;) {
        const devices = await repair.devicesAfter(progress.afterDevice, devicesAtOnce);
        if (devices.length === 0) break;
        for (const device of devices) {
          signal.throwIfAborted();
          if (!(await repairDevice(device, progress, signal, isOver, sum))) return sum;
          progress = { afterDevice: device.id, doneBefore: null };
          await repair.noteProgress(device.id, null);
          await pace();
        }
      }
      await repair.done();
      return { ...sum, done: true };
    },
  };
}
