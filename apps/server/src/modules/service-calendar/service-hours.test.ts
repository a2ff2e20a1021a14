import { expect, test } from "vitest";
import type { Period } from "./calendar.repository.ts";
import { workingDaysBy } from "./calendar.service.ts";
import {
  afterServiceTime,
  isStatutoryHoliday,
  serviceMinutesBetween,
  serviceWindows,
  workingDayMinutes,
} from "./service-hours.ts";

const period = (kind: string, firstDay: string, days = 1): Period => ({ kind, firstDay, days });
/** As the State Council announced it on 4 November 2025. */
const of2026 = [
  period("off", "2026-01-01", 3),
  period("worked", "2026-01-04"),
  period("off", "2026-02-15", 9),
  period("worked", "2026-02-14"),
  period("worked", "2026-02-28"),
  period("off", "2026-04-04", 3),
  period("off", "2026-05-01", 5),
  period("worked", "2026-05-09"),
  period("off", "2026-06-19", 3),
  period("off", "2026-09-25", 3),
  period("worked", "2026-09-20"),
  period("off", "2026-10-01", 7),
  period("worked", "2026-10-10"),
];
const in2026 = workingDaysBy(of2026);
const shanghai = (text: string) => new Date(`${text.replace(" ", "T")}:00+08:00`);

test("a working day has seven and a half hours of service", () => expect(workingDayMinutes).toBe(450));

// Worked out by hand with a printed calendar: from, minutes of service, due.
test.each([
  // Within a period, over noon, over night.
  ["2026-11-23 09:00", 60, "2026-11-23 10:00"],
  ["2026-11-23 08:30", 210, "2026-11-23 12:00"],
  ["2026-11-23 08:30", 211, "2026-11-23 14:01"],
  ["2026-11-23 11:30", 60, "2026-11-23 14:30"],
  ["2026-11-23 17:59", 1, "2026-11-23 18:00"],
  ["2026-11-23 17:59", 2, "2026-11-24 08:31"],
  ["2026-11-23 16:00", 450, "2026-11-24 16:00"],
  // Outside of the hours nothing runs.
  ["2026-11-23 03:00", 30, "2026-11-23 09:00"],
  ["2026-11-23 12:00", 30, "2026-11-23 14:30"],
  ["2026-11-23 13:15", 30, "2026-11-23 14:30"],
  ["2026-11-23 18:00", 30, "2026-11-24 09:00"],
  ["2026-11-23 23:59", 450, "2026-11-24 18:00"],
  // Weekends.
  ["2026-11-20 17:00", 120, "2026-11-23 09:30"],
  ["2026-11-21 10:00", 60, "2026-11-23 09:30"],
  ["2026-11-22 23:00", 450, "2026-11-23 18:00"],
  ["2026-11-20 16:00", 450, "2026-11-23 16:00"],
  // Three working days.
  ["2026-11-19 10:00", 1350, "2026-11-24 10:00"],
  // New Year: Thursday to Saturday off, the Sunday worked.
  ["2025-12-31 17:00", 120, "2026-01-04 09:30"],
  ["2026-01-03 10:00", 450, "2026-01-04 18:00"],
  ["2026-01-04 16:00", 450, "2026-01-05 16:00"],
  // Spring Festival: the Saturday before is worked, nine days off, the Saturday after is worked.
  ["2026-02-13 16:00", 450, "2026-02-14 16:00"],
  ["2026-02-14 17:00", 120, "2026-02-24 09:30"],
  ["2026-02-14 09:00", 450, "2026-02-24 09:00"],
  ["2026-02-17 12:00", 60, "2026-02-24 09:30"],
  ["2026-02-23 23:00", 450, "2026-02-24 18:00"],
  ["2026-02-27 16:00", 450, "2026-02-28 16:00"],
  ["2026-02-28 16:00", 450, "2026-03-02 16:00"],
  ["2026-02-12 14:00", 1350, "2026-02-24 12:00"],
  // Qingming, Labour Day, Dragon Boat.
  ["2026-04-03 16:00", 450, "2026-04-07 16:00"],
  ["2026-04-06 09:00", 60, "2026-04-07 09:30"],
  ["2026-04-30 17:30", 60, "2026-05-06 09:00"],
  ["2026-05-08 16:00", 450, "2026-05-09 16:00"],
  ["2026-05-09 16:00", 450, "2026-05-11 16:00"],
  ["2026-06-18 16:00", 450, "2026-06-22 16:00"],
  // Mid-Autumn and National Day with the Sunday before and the Saturday after.
  ["2026-09-19 10:00", 60, "2026-09-20 09:30"],
  ["2026-09-20 17:00", 120, "2026-09-21 09:30"],
  ["2026-09-24 17:00", 120, "2026-09-28 09:30"],
  ["2026-09-30 16:00", 450, "2026-10-08 16:00"],
  ["2026-10-03 10:00", 60, "2026-10-08 09:30"],
  ["2026-10-09 16:00", 450, "2026-10-10 16:00"],
  ["2026-10-10 16:00", 450, "2026-10-12 16:00"],
  ["2026-09-28 08:30", 1800, "2026-10-08 18:00"],
  ["2026-09-28 08:30", 1801, "2026-10-09 08:31"],
])("%s and %i minutes of service are due on %s", (from, minutes, due) => {
  expect(afterServiceTime(shanghai(from), minutes, in2026)).toEqual(shanghai(due));
});

test("a minute counted one by one over a year comes to the same", () => {
  const served: number[] = [];
  const begin = shanghai("2026-01-01 00:00").getTime();
  for (let minute = 0; minute < 300 * 1440; minute += 1) {
    const at = new Date(begin + minute * 60_000);
    const local = new Date(at.getTime() + 8 * 3_600_000);
    const ofDay = local.getUTCHours() * 60 + local.getUTCMinutes();
    const open = (ofDay >= 510 && ofDay < 720) || (ofDay >= 840 && ofDay < 1080);
    if (open && in2026(local.toISOString().slice(0, 10))) served.push(minute);
  }
  const tries = Array.from({ length: 400 }, (_, at) => [(at * 977) % (270 * 1440), 1 + ((at * 331) % 2000)] as const);
  for (const [from, minutes] of tries) {
    const first = served.findIndex((minute) => minute >= from);
    const due = begin + ((served[first + minutes - 1] ?? Number.NaN) + 1) * 60_000;
    expect(afterServiceTime(new Date(begin + from * 60_000), minutes, in2026).getTime()).toBe(due);
  }
});

test.each([
  // Over a night, a weekend, a worked Sunday, the nine days of the Spring Festival.
  ["2026-11-23 17:00", "2026-11-24 09:30", 120],
  ["2026-11-20 17:00", "2026-11-23 09:30", 120],
  ["2026-09-19 10:00", "2026-09-21 09:30", 510],
  ["2026-02-14 17:00", "2026-02-24 09:30", 120],
  ["2026-02-13 16:00", "2026-02-24 12:00", 780],
  ["2026-10-01 09:00", "2026-10-07 18:00", 0],
  ["2026-11-23 12:00", "2026-11-23 14:00", 0],
  ["2026-11-23 10:00", "2026-11-23 09:00", 0],
])("from %s to %s the desk serves for %i minutes", (from, to, minutes) => {
  expect(serviceMinutesBetween(shanghai(from), shanghai(to), in2026)).toBe(minutes);
});

test("what lies between an instant and its due time is the time that was given", () => {
  const begin = shanghai("2026-01-01 00:00").getTime();
  for (let at = 0; at < 300; at += 1) {
    const [from, minutes] = [new Date(begin + ((at * 1733) % (270 * 1440)) * 60_000), 1 + ((at * 271) % 1900)];
    expect(serviceMinutesBetween(from, afterServiceTime(from, minutes, in2026), in2026)).toBe(minutes);
  }
});

test("the stretches of service are cut at both ends, skip days off, and are no more than asked for", () => {
  const windows = serviceWindows(shanghai("2026-09-30 16:00"), shanghai("2026-10-08 09:30"), in2026);
  expect(windows).toEqual([
    { start: shanghai("2026-09-30 16:00"), end: shanghai("2026-09-30 18:00") },
    { start: shanghai("2026-10-08 08:30"), end: shanghai("2026-10-08 09:30") },
  ]);
  expect(serviceWindows(shanghai("2026-01-01 00:00"), shanghai("2026-12-31 00:00"), in2026, 7)).toHaveLength(7);
});

test("the statutory holidays of years are those of the law", () => {
  const holidaysOf = (year: number) =>
    Array.from({ length: 366 }, (_, at) => new Date(Date.UTC(year, 0, 1 + at)).toISOString().slice(0, 10)).filter(
      (day) => day.startsWith(String(year)) && isStatutoryHoliday(day),
    );
  // In 2028 Mid-Autumn is the third day of the National Day.
  expect(holidaysOf(2027).map((day) => day.slice(5))).toEqual([
    "01-01",
    "02-05",
    "02-06",
    "02-07",
    "02-08",
    "04-05",
    "05-01",
    "05-02",
    "06-09",
    "09-15",
    "10-01",
    "10-02",
    "10-03",
  ]);
  expect(holidaysOf(2028).map((day) => day.slice(5))).toEqual([
    "01-01",
    "01-25",
    "01-26",
    "01-27",
    "01-28",
    "04-04",
    "05-01",
    "05-02",
    "05-28",
    "10-01",
    "10-02",
    "10-03",
  ]);
});

test("no holiday of the moon's calendar is more than a day off what ICU computes", () => {
  const lunar = new Intl.DateTimeFormat("en-u-ca-chinese", { month: "numeric", day: "numeric", timeZone: "UTC" });
  const about = (day: string, wanted: string) =>
    [-1, 0, 1].some((off) => lunar.format(Date.parse(`${day}T00:00:00Z`) + off * 86_400_000) === wanted);
  for (let year = 2025; year <= 2035; year += 1) {
    const days = Array.from({ length: 365 }, (_, at) => new Date(Date.UTC(year, 0, 1 + at)).toISOString().slice(0, 10));
    for (const festival of ["1/1", "5/5", "8/15"])
      expect(
        days.filter((day) => isStatutoryHoliday(day) && about(day, festival)).length,
        `${year} ${festival}`,
      ).toBeGreaterThan(0);
  }
});

test("a year without an arrangement has the week and the statutory holidays; an arranged one only what it says", () => {
  expect([in2026("2027-02-05"), in2026("2027-02-09"), in2026("2027-02-13")]).toEqual([false, true, false]);
  expect(workingDaysBy([period("off", "2027-02-09")])("2027-02-05")).toBe(true);
});

test("a calendar without a working day is told, not waited for", () => {
  expect(() => afterServiceTime(shanghai("2026-01-01 09:00"), 1, () => false)).toThrow(/no working day/);
});
