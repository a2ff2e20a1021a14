import type { HistoryReply } from "@herdwise/contract";
import { shanghaiClock } from "@herdwise/contract/shanghai";

export interface DayOfHours {
  /** yyyy-MM-dd in Asia/Shanghai, by which a farm keeps its books. */
  day: string;
  /** 24 of them; undefined where nothing is known. */
  hours: (number | undefined)[];
}

/**
 * Points by the hour as days of 24 hours.
 * @param counter whether the value counts up: then an hour tells what it grew by
 */
export function daysOfHours(points: HistoryReply["points"], counter: boolean): DayOfHours[] {
  const days = new Map<string, DayOfHours>();
  for (const [ts, low, mean, high] of points) {
    if (typeof ts !== "number" || typeof mean !== "number") continue;
    const clock = shanghaiClock(ts);
    const day = clock.slice(0, 10);
    const held = days.get(day) ?? { day, hours: Array.from<number | undefined>({ length: 24 }) };
    days.set(day, held);
    held.hours[Number(clock.slice(11, 13))] = counter ? Number(high) - Number(low) : mean;
  }
  return [...days.values()];
}

/**
 * Whether an hour lies before the first that is known of, or is not over yet: nothing is missing there.
 * @param days in order, as of `daysOfHours`
 */
export function outsideOf(days: readonly DayOfHours[], nowMs: number): (day: string, hour: number) => boolean {
  const [first] = days;
  const firstHour = first?.hours.findIndex((hour) => hour !== undefined) ?? 0;
  const now = shanghaiClock(nowMs);
  const today = now.slice(0, 10);
  const hourNow = Number(now.slice(11, 13));
  return (day, hour) => (day === first?.day && hour < firstHour) || day > today || (day === today && hour >= hourNow);
}
