import type { HourRange } from "./hour-ranges.ts";
import { type PartitionedTable, type PartitionRepository, partitionAt } from "./partition.repository.ts";
import type { RolledKey, RollUpRepository, RollUpUnit, UnitRow } from "./roll-up.repository.ts";
import { createRollUp, dayOfHour, firstHourOf, hourMs, minuteMs, type RollUp, rollUpDay } from "./roll-up.ts";

export interface RollUpDependencies {
  inTransaction<T>(work: (repository: RollUpRepository) => Promise<T>): Promise<T>;
  partitions: Pick<PartitionRepository, "create">;
  now: () => number;
}

/** Devices whose hours are taken at a time. */
const devicesAtOnce = 200;
/** Most hours of devices in one transaction, and most raw rows in memory, however much a device sends. */
const hoursAtOnce = 300;
const rowsAtOnce = 20_000;

/** Splits hours at midnight in Asia/Shanghai, newest first, because people look at those. */
function unitsOf(taken: readonly { deviceId: string; hours: readonly HourRange[] }[]): RollUpUnit[] {
  const units = taken.flatMap(({ deviceId, hours }) =>
    hours.flatMap(([from, to]) => {
      const split: RollUpUnit[] = [];
      for (let at = from; at < to; ) {
        const day = dayOfHour(at);
        const end = Math.min(to, firstHourOf(day + 1));
        split.push({ deviceId, day, hours: [at, end] });
        at = end;
      }
      return split;
    }),
  );
  return units.sort((a, b) => b.day - a.day);
}

const byHour = (minutes: ReadonlyMap<number, RollUp>): Map<number, Map<number, RollUp>> => {
  const hours = new Map<number, Map<number, RollUp>>();
  for (const [minute, of] of minutes) {
    const hour = Math.floor(minute / 60);
    const held = hours.get(hour);
    if (held === undefined) hours.set(hour, new Map([[minute, of]]));
    else held.set(minute, of);
  }
  return hours;
};

/**
 * Rolls telemetry up by minute, hour and day. Each hour with new rows is computed again from its raw rows, so late, repeated or
 * reordered data gives the same result as ordered data, and an interrupted run can be repeated.
 */
export function createRollUps({ inTransaction, partitions, now }: RollUpDependencies) {
  const made = new Set<string>();

  const ensurePartitions = async (units: readonly RollUpUnit[]): Promise<void> => {
    for (const { hours } of units) {
      for (const table of ["telemetryMinutes", "telemetryHours"] satisfies PartitionedTable[]) {
        const partition = partitionAt(table, hours[0] * hourMs);
        // A day in Asia/Shanghai can be part of two months in UTC.
        const next = partitionAt(table, (hours[1] - 1) * hourMs);
        for (const each of [partition, next]) {
          const name = `${table} ${each.from}`;
          if (made.has(name)) continue;
          await partitions.create(table, each);
          made.add(name);
        }
      }
    }
  };

  const rollUnits = (units: readonly RollUpUnit[]): Promise<void> =>
    inTransaction(async (repository) => {
      await repository.lock();
      const keys = await repository.keysOf([...new Set(units.map(({ deviceId }) => deviceId))]);
      const rollUps = units.map(({ deviceId }) => createRollUp(keys.get(deviceId) ?? [], [hourMs, minuteMs]));
      for (let after: UnitRow | undefined; ; ) {
        const page = await repository.rawRows(units, after, rowsAtOnce);
        for (const row of page) rollUps[row.place]?.add(row);
        if (page.length < rowsAtOnce) break;
        after = page.at(-1);
      }
      const rolled = units.flatMap(({ deviceId, day }, place): RolledKey[] => {
        const [hours = new Map(), minutes = new Map()] = rollUps[place]?.rolled ?? [];
        return [...hours].map(([key, of]) => ({
          deviceId,
          day,
          key,
          hours: of,
          minutes: byHour(minutes.get(key) ?? new Map()),
        }));
      });
      if (rolled.length > 0) {
        await repository.writeHours(rolled);
        const hours = await repository.hoursOfDays(rolled);
        const days = rolled.flatMap(({ deviceId, key, day }, place) => {
          const of = rollUpDay(day, hours.get(place) ?? []);
          return of === undefined ? [] : [{ deviceId, key, day, of }];
        });
        // Two units may be of one day; both found all of its hours.
        await repository.writeDays([
          ...new Map(days.map((each) => [`${each.deviceId} ${each.day} ${each.key}`, each])).values(),
        ]);
      }
      await repository.finish(units);
    });

  return {
    /**
     * Rolls up all finished hours that got rows since their last roll-up.
     * @returns number of hours
     */
    async run(signal: AbortSignal): Promise<number> {
      let done = 0;
      for (;;) {
        signal.throwIfAborted();
        const before = Math.floor(now() / hourMs);
        const taken = await inTransaction(async (repository) => {
          await repository.lock();
          return repository.take(before, devicesAtOnce);
        });
        if (taken.length === 0) return done;
        const units = unitsOf(taken);
        for (let from = 0; from < units.length; ) {
          signal.throwIfAborted();
          let to = from;
          let hours = 0;
          while (to < units.length && (to === from || hours < hoursAtOnce)) {
            const [first, end] = (units[to] as RollUpUnit).hours;
            hours += end - first;
            to += 1;
          }
          const batch = units.slice(from, to);
          await ensurePartitions(batch);
          await rollUnits(batch);
          done += hours;
          from = to;
        }
      }
    },
  };
}
