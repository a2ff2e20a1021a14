import type { PartitionRepository } from "./partition.repository.ts";
import type { RollUpRepository } from "./roll-up.repository.ts";
import { hourMs } from "./roll-up.ts";

const dayMs = 86_400_000;
/** Milliseconds after which changed settings apply on every server. */
const renewMs = 60_000;

/** Milliseconds for which values are kept; daily roll-ups are kept permanently. */
export interface Retention {
  rawMs: number;
  minuteMs: number;
  hourMs: number;
}

export interface RetentionDependencies {
  settings: {
    numbers(
      keys: readonly ["telemetry.rawDays", "telemetry.minuteDays", "telemetry.hourDays"],
    ): Promise<Record<"telemetry.rawDays" | "telemetry.minuteDays" | "telemetry.hourDays", number>>;
  };
  inTransaction<T>(
    work: (repositories: { rollUps: RollUpRepository; partitions: PartitionRepository }) => Promise<T>,
  ): Promise<T>;
  now: () => number;
  onError: (error: unknown) => void;
}

/** Retention of telemetry as administrators set it, and removal of older data. */
export function createRetention({ settings, inTransaction, now, onError }: RetentionDependencies) {
  let held: Retention = { rawMs: 90 * dayMs, minuteMs: 365 * dayMs, hourMs: 1826 * dayMs };
  let timer: NodeJS.Timeout | undefined;

  const renew = async (): Promise<Retention> => {
    const days = await settings.numbers(["telemetry.rawDays", "telemetry.minuteDays", "telemetry.hourDays"]);
    const rawMs = days["telemetry.rawDays"] * dayMs;
    // A roll-up is kept at least as long as the data that it is made from.
    const minuteMs = Math.max(rawMs, days["telemetry.minuteDays"] * dayMs);
    held = { rawMs, minuteMs, hourMs: Math.max(minuteMs, days["telemetry.hourDays"] * dayMs) };
    return held;
  };

  /**
   * The UTC day before which everything is older than `ms`, with one day of grace, because messages may wait for the database.
   */
  const dayBefore = (ms: number): string => new Date(now() - ms - dayMs).toISOString().slice(0, 10);

  return {
    current: (): Retention => held,

    async start(): Promise<void> {
      await renew();
      timer = setInterval(() => void renew().catch(onError), renewMs);
    },
    stop(): void {
      clearInterval(timer);
    },

    /**
     * Drops partitions that are older than the retention; of raw rows only days that are rolled up.
     * @returns number of dropped partitions
     */
    async drop(): Promise<number> {
      const { rawMs, minuteMs, hourMs: hoursMs } = await renew();
      return inTransaction(async ({ rollUps, partitions }) => {
        await rollUps.lock();
        const oldest = await rollUps.oldestUnfinished();
        const aged = dayBefore(rawMs);
        const unfinished = oldest === undefined ? aged : new Date(oldest * hourMs).toISOString().slice(0, 10);
        const day = unfinished < aged ? unfinished : aged;
        await rollUps.rawDroppedBefore(day);
        return (
          (await partitions.dropBefore("telemetry", day)) +
          (await partitions.dropBefore("telemetryMinutes", dayBefore(minuteMs))) +
          (await partitions.dropBefore("telemetryHours", dayBefore(hoursMs)))
        );
      });
    },
  };
}
