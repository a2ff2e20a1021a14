import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";

/** Hours in which customers are served on a working day (product.md 2), minutes after midnight in Asia/Shanghai. */
const serviceHours = [
  [8 * 60 + 30, 12 * 60],
  [14 * 60, 18 * 60],
] as const;

/** Service time of a working day, minutes. */
export const workingDayMinutes = serviceHours.reduce((sum, [from, to]) => sum + to - from, 0);

/** Whether customers are served on a day of Asia/Shanghai, YYYY-MM-DD. */
export type IsWorkingDay = (day: string) => boolean;

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** No calendar has so many days off in a row: one that says so is wrong. */
const mostDays = 400;

/** So many days from one on, YYYY-MM-DD. */
export const daysFrom = (day: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.parse(`${day}T00:00:00Z`) + at * dayMs).toISOString().slice(0, 10),
  );

/** Saturday or Sunday. */
export const isWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

/**
 * The instant at which service time has run for so long: nothing runs at night, over noon and on days off.
 * @param minutes more than 0
 * @throws {Error} when the calendar has no working day within a year
 */
export function afterServiceTime(at: Date, minutes: number, isWorkingDay: IsWorkingDay): Date {
  let left = minutes * minuteMs;
  const firstMidnight = shanghaiMidnight(shanghaiDay(at.getTime()));
  for (let passed = 0; passed < mostDays; passed += 1) {
    const midnight = firstMidnight + passed * dayMs;
    if (!isWorkingDay(shanghaiDay(midnight))) continue;
    for (const [from, to] of serviceHours) {
      const begins = Math.max(midnight + from * minuteMs, at.getTime());
      const here = midnight + to * minuteMs - begins;
      if (here <= 0) continue;
      if (left <= here) return new Date(begins + left);
      left -= here;
    }
  }
  throw new Error(`the calendar has no working day within ${mostDays} days after ${at.toISOString()}`);
}

/** A stretch in which customers are served without a break. */
export interface ServiceWindow {
  start: Date;
  end: Date;
}

/**
 * Stretches of service between two instants, cut at them, oldest first.
 * @param most no more than so many; later ones are left out
 */
export function serviceWindows(
  from: Date,
  to: Date,
  isWorkingDay: IsWorkingDay,
  most: number = Number.POSITIVE_INFINITY,
): ServiceWindow[] {
  const windows: ServiceWindow[] = [];
  const firstMidnight = shanghaiMidnight(shanghaiDay(from.getTime()));
  for (let midnight = firstMidnight; midnight < to.getTime() && windows.length < most; midnight += dayMs) {
    if (!isWorkingDay(shanghaiDay(midnight))) continue;
    for (const [opens, closes] of serviceHours) {
      const start = Math.max(midnight + opens * minuteMs, from.getTime());
      const end = Math.min(midnight + closes * minuteMs, to.getTime());
      if (start < end && windows.length < most) windows.push({ start: new Date(start), end: new Date(end) });
    }
  }
  return windows;
}

/** Minutes of service between two instants, the begun one counted as it stands; 0 when the second is not later. */
export const serviceMinutesBetween = (from: Date, to: Date, isWorkingDay: IsWorkingDay): number =>
  serviceWindows(from, to, isWorkingDay).reduce((sum, { start, end }) => sum + end.getTime() - start.getTime(), 0) /
  minuteMs;

/**
 * First day of the Spring Festival, Dragon Boat and Mid-Autumn by the calendar of the Purple Mountain Observatory. A table, as ICU's
 * Chinese calendar is a day late for 2027, whose new moon is four minutes before midnight. Later years have the solar holidays alone
 * until they are entered.
 */
const lunarHolidays: Readonly<Record<number, readonly [spring: string, dragonBoat: string, midAutumn: string]>> = {
  2025: ["01-29", "05-31", "10-06"],
  2026: ["02-17", "06-19", "09-25"],
  2027: ["02-06", "06-09", "09-15"],
  2028: ["01-26", "05-28", "10-03"],
  2029: ["02-13", "06-16", "09-22"],
  2030: ["02-03", "06-05", "09-12"],
  2031: ["01-23", "06-24", "10-01"],
  2032: ["02-11", "06-12", "09-19"],
  2033: ["01-31", "06-01", "09-08"],
  2034: ["02-19", "06-20", "09-27"],
  2035: ["02-08", "06-10", "09-16"],
};

/** Day of April of Qingming, by the usual approximation of the solar term for 2000 to 2099. */
function qingmingDay(year: number): number {
  const ofCentury = year % 100;
  return Math.floor(ofCentury * 0.2422 + 4.81) - Math.floor(ofCentury / 4);
}

const fixedHolidays = new Set(["01-01", "05-01", "05-02", "10-01", "10-02", "10-03"]);
/** Days from the first of the Spring Festival, its eve included. */
const springDays = [-1, 0, 1, 2];

/**
 * Whether the law gives a day off (State Council Order 795 of November 2024: thirteen days), whatever is arranged around it; for years
 * whose arrangement is not entered.
 */
export function isStatutoryHoliday(day: string): boolean {
  const [year, monthDay] = [Number(day.slice(0, 4)), day.slice(5)];
  if (fixedHolidays.has(monthDay) || monthDay === `04-0${qingmingDay(year)}`) return true;
  const lunar = lunarHolidays[year];
  if (lunar === undefined) return false;
  const [spring, ...others] = lunar;
  const sinceSpring = (Date.parse(`${day}T00:00:00Z`) - Date.parse(`${year}-${spring}T00:00:00Z`)) / dayMs;
  return springDays.includes(sinceSpring) || others.includes(monthDay);
}
