import { shanghaiDay } from "@herdwise/contract/shanghai";
import type { CalendarRepository, Period } from "./calendar.repository.ts";
import {
  afterServiceTime,
  daysFrom,
  type IsWorkingDay,
  isStatutoryHoliday,
  isWeekend,
  type ServiceWindow,
  serviceMinutesBetween,
  serviceWindows,
  workingDayMinutes,
} from "./service-hours.ts";

/** What a calendar with these periods says of days: what is entered counts before the week and the law, work before leave. */
export function workingDaysBy(periods: readonly Period[]): IsWorkingDay {
  const named = new Map<string, "off" | "worked">();
  for (const { kind, firstDay, days } of periods)
    for (const day of daysFrom(firstDay, days))
      if (named.get(day) !== "worked") named.set(day, kind === "worked" ? "worked" : "off");
  const arranged = new Set([...named.keys()].map((day) => day.slice(0, 4)));
  return (day) => {
    const entered = named.get(day);
    if (entered) return entered === "worked";
    // The arrangement of a year names all its days off.
    return !isWeekend(day) && (arranged.has(day.slice(0, 4)) || !isStatutoryHoliday(day));
  };
}

export type ServiceCalendar = ReturnType<typeof createServiceCalendar>;

/** Due times by the hours of service and the calendar. */
export const createServiceCalendar = (repository: CalendarRepository) => ({
  /** When so many minutes of service have passed after an instant. @param minutes more than 0 */
  async afterMinutes(at: Date, minutes: number): Promise<Date> {
    return afterServiceTime(at, minutes, workingDaysBy(await repository.periodsFrom(shanghaiDay(at.getTime()))));
  },

  /** Minutes of service from one instant to another; negative when the second is the earlier one. */
  async minutesBetween(from: Date, to: Date): Promise<number> {
    const [first, last] = from <= to ? [from, to] : [to, from];
    const isWorkingDay = workingDaysBy(await repository.periodsFrom(shanghaiDay(first.getTime())));
    const minutes = serviceMinutesBetween(first, last, isWorkingDay);
    return from <= to ? minutes : -minutes;
  },

  /** Minutes of service of each pair of instants; 0 where the second is not the later one. */
  async minutesOfEach(pairs: readonly (readonly [from: Date, to: Date])[]): Promise<number[]> {
    const [first] = pairs.toSorted(([a], [b]) => a.getTime() - b.getTime());
    if (first === undefined) return [];
    const isWorkingDay = workingDaysBy(await repository.periodsFrom(shanghaiDay(first[0].getTime())));
    return pairs.map(([from, to]) => serviceMinutesBetween(from, to, isWorkingDay));
  },

  /** Stretches of service between two instants, cut at them, oldest first. @param most later ones are left out */
  async windows(from: Date, to: Date, most: number): Promise<ServiceWindow[]> {
    return serviceWindows(from, to, workingDaysBy(await repository.periodsFrom(shanghaiDay(from.getTime()))), most);
  },

  /** When so many working days of service have passed after an instant: an hour of service tomorrow counts as one of today. */
  async afterWorkingDays(at: Date, days: number): Promise<Date> {
    return afterServiceTime(
      at,
      days * workingDayMinutes,
      workingDaysBy(await repository.periodsFrom(shanghaiDay(at.getTime()))),
    );
  },

  /** So many days from that of an instant on, and whether each is worked. */
  async workedDays(at: Date, count: number): Promise<{ day: string; worked: boolean }[]> {
    const first = shanghaiDay(at.getTime());
    const isWorked = workingDaysBy(await repository.periodsFrom(first));
    return daysFrom(first, count).map((day) => ({ day, worked: isWorked(day) }));
  },
});
