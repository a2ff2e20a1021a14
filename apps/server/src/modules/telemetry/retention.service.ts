import type { SettingsService } from "../settings/index.ts";
import type { PartitionRepository } from "./partition.repository.ts";
import type { RollUpRepository } from "./roll-up.repository.ts";
import { hourMs } from "./roll-up.ts";

const dayMs = 86_400_000;
/** Changed settings hold after this time on every server, ms. */
const renewMs = 60_000;

/** How long values are kept, in ms. Days are kept for good. */
export interface Retention {
  rawMs: number;
  minuteMs: number;
  hourMs: number;
}

export interface RetentionDependencies {
  settings: Pick<SettingsService, "numbers">;
  inTransaction<T>(
    work: (repositories: { rollUps: RollUpRepository; partitions: PartitionRepository }) => Promise<T>,
  ): Promise<T>;
  now: () => number;
  onError: (error: unknown) => void;
}

/** How long telemetry is kept, as administrators set it, and the removal of what is older. */
export function createRetention({ settings, inTransaction, now, onError }: RetentionDependencies) {
  let held: Retention = { rawMs: 90 * dayMs, minuteMs: 365 * dayMs, hourMs: 1826 * dayMs };
  let timer: NodeJS.Timeout | undefined;

  const renew = async (): Promise<Retention> => {
    const days = await settings.numbers(["telemetry.rawDays", "telemetry.minuteDays", "telemetry.hourDays"]);
    const rawMs = days["telemetry.rawDays"] * dayMs;
    // What is rolled up is never shorter there than what it is made of.
    const minuteMs = Math.max(rawMs, days["telemetry.minuteDays"] * dayMs);
    held = { rawMs, minuteMs, hourMs: Math.max(minuteMs, days["telemetry.hourDays"] * dayMs) };
    return held;
  };

  /** The day (UTC) before which everything is older than `ms`. A day of grace: messages may wait for the database. */
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
     * Drops whole partitions that are older than what is kept; of raw rows only days that are rolled up.
     * @returns how many partitions were dropped
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
