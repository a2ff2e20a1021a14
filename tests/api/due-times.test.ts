import { answerWorkingDays, workOrderMinutes } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createServiceCalendarOn, type ServiceCalendar } from "../../apps/server/src/modules/service-calendar/index.ts";
import { createSeededDatabase, type TestDatabase } from "../harness/database.ts";

// Due times over holidays, by the calendar that every installation begins with. The table was counted minute by minute by a program that shares
// nothing with the product, with the holidays as the State Council announced them.
let held: TestDatabase;
let calendar: ServiceCalendar;
beforeAll(async () => {
  held = await createSeededDatabase();
  calendar = createServiceCalendarOn(held.database);
});
afterAll(() => held?.drop());

const { after_sales: afterSales, complaint, suggestion } = workOrderMinutes;
/** What is promised, in the order of the columns. */
const promises: readonly [name: string, due: (at: Date) => Promise<Date>][] = [
  ["first answer of after-sales", (at) => calendar.afterMinutes(at, afterSales.first)],
  ["first answer to a complaint", (at) => calendar.afterMinutes(at, complaint.first)],
  ["review of an authentication", (at) => calendar.afterWorkingDays(at, 1)],
  ["solution of after-sales", (at) => calendar.afterMinutes(at, afterSales.solution)],
  ["solution of a complaint", (at) => calendar.afterMinutes(at, complaint.solution)],
  ["answer to a suggestion", (at) => calendar.afterMinutes(at, suggestion.first)],
];
const closing = (at: Date) => calendar.afterWorkingDays(at, answerWorkingDays);

/** When it is asked for, and when each promise is due, in Asia/Shanghai. */
const table = [
  {
    holiday:
      "Spring Festival 2025: Sunday 26 January is worked, 28 January to 4 February off, Saturday 8 February is worked",
    rows: [
      "2025-01-24 17:30 | 01-26 10:00 | 01-26 12:00 | 01-26 17:30 | 01-26 18:00 | 02-05 17:30 | 02-13 17:30",
      "2025-01-25 10:00 | 01-26 10:30 | 01-26 14:30 | 01-26 18:00 | 01-27 09:00 | 02-05 18:00 | 02-13 18:00",
      "2025-01-26 08:30 | 01-26 10:30 | 01-26 14:30 | 01-26 18:00 | 01-27 09:00 | 02-05 18:00 | 02-13 18:00",
      "2025-01-26 13:00 | 01-26 16:00 | 01-26 18:00 | 01-27 12:00 | 01-27 14:30 | 02-06 12:00 | 02-14 12:00",
      "2025-01-27 09:10 | 01-27 11:10 | 01-27 15:10 | 02-05 09:10 | 02-05 09:40 | 02-07 09:10 | 02-17 09:10",
      "2025-01-27 17:59 | 02-05 10:29 | 02-05 14:29 | 02-05 17:59 | 02-06 08:59 | 02-07 17:59 | 02-17 17:59",
      "2025-01-31 12:00 | 02-05 10:30 | 02-05 14:30 | 02-05 18:00 | 02-06 09:00 | 02-07 18:00 | 02-17 18:00",
      "2025-02-04 23:59 | 02-05 10:30 | 02-05 14:30 | 02-05 18:00 | 02-06 09:00 | 02-07 18:00 | 02-17 18:00",
      "2025-02-07 16:45 | 02-08 09:15 | 02-08 11:15 | 02-08 16:45 | 02-08 17:15 | 02-11 16:45 | 02-20 16:45",
      "2025-02-08 11:59 | 02-08 15:59 | 02-08 17:59 | 02-10 11:59 | 02-10 14:29 | 02-12 11:59 | 02-21 11:59",
      "2025-02-09 07:00 | 02-10 10:30 | 02-10 14:30 | 02-10 18:00 | 02-11 09:00 | 02-12 18:00 | 02-21 18:00",
    ],
  },
  {
    holiday:
      "National Day 2025 with Mid-Autumn: Sunday 28 September is worked, 1 to 8 October off, Saturday 11 October is worked",
    rows: [
      "2025-09-26 17:00 | 09-28 09:30 | 09-28 11:30 | 09-28 17:00 | 09-28 17:30 | 09-30 17:00 | 10-16 17:00",
      "2025-09-27 09:00 | 09-28 10:30 | 09-28 14:30 | 09-28 18:00 | 09-29 09:00 | 09-30 18:00 | 10-16 18:00",
      "2025-09-28 15:20 | 09-28 17:20 | 09-29 09:50 | 09-29 15:20 | 09-29 15:50 | 10-09 15:20 | 10-17 15:20",
      "2025-09-30 08:30 | 09-30 10:30 | 09-30 14:30 | 09-30 18:00 | 10-09 09:00 | 10-10 18:00 | 10-20 18:00",
      "2025-09-30 18:00 | 10-09 10:30 | 10-09 14:30 | 10-09 18:00 | 10-10 09:00 | 10-11 18:00 | 10-21 18:00",
      "2025-10-05 03:00 | 10-09 10:30 | 10-09 14:30 | 10-09 18:00 | 10-10 09:00 | 10-11 18:00 | 10-21 18:00",
      "2025-10-09 08:31 | 10-09 10:31 | 10-09 14:31 | 10-10 08:31 | 10-10 09:01 | 10-13 08:31 | 10-22 08:31",
      "2025-10-10 17:15 | 10-11 09:45 | 10-11 11:45 | 10-11 17:15 | 10-11 17:45 | 10-14 17:15 | 10-23 17:15",
      "2025-10-11 14:00 | 10-11 16:00 | 10-11 18:00 | 10-13 12:00 | 10-13 14:30 | 10-15 12:00 | 10-24 12:00",
      "2025-10-12 12:30 | 10-13 10:30 | 10-13 14:30 | 10-13 18:00 | 10-14 09:00 | 10-15 18:00 | 10-24 18:00",
    ],
  },
  {
    holiday:
      "Spring Festival 2026: Saturday 14 February is worked, 15 to 23 February off, Saturday 28 February is worked",
    rows: [
      "2026-02-11 10:40 | 02-11 14:40 | 02-11 16:40 | 02-12 10:40 | 02-12 11:10 | 02-14 10:40 | 03-03 10:40",
      "2026-02-13 18:00 | 02-14 10:30 | 02-14 14:30 | 02-14 18:00 | 02-24 09:00 | 02-25 18:00 | 03-05 18:00",
      "2026-02-14 08:30 | 02-14 10:30 | 02-14 14:30 | 02-14 18:00 | 02-24 09:00 | 02-25 18:00 | 03-05 18:00",
      "2026-02-14 17:59 | 02-24 10:29 | 02-24 14:29 | 02-24 17:59 | 02-25 08:59 | 02-26 17:59 | 03-06 17:59",
      "2026-02-17 00:00 | 02-24 10:30 | 02-24 14:30 | 02-24 18:00 | 02-25 09:00 | 02-26 18:00 | 03-06 18:00",
      "2026-02-23 23:59 | 02-24 10:30 | 02-24 14:30 | 02-24 18:00 | 02-25 09:00 | 02-26 18:00 | 03-06 18:00",
      "2026-02-27 14:30 | 02-27 16:30 | 02-28 09:00 | 02-28 14:30 | 02-28 15:00 | 03-03 14:30 | 03-12 14:30",
      "2026-02-28 16:00 | 02-28 18:00 | 03-02 10:30 | 03-02 16:00 | 03-02 16:30 | 03-04 16:00 | 03-13 16:00",
      "2026-03-01 09:00 | 03-02 10:30 | 03-02 14:30 | 03-02 18:00 | 03-03 09:00 | 03-04 18:00 | 03-13 18:00",
    ],
  },
  {
    holiday:
      "National Day 2026: Sunday 20 September is worked, 25 to 27 September and 1 to 7 October off, Saturday 10 October is worked",
    rows: [
      "2026-09-18 17:20 | 09-20 09:50 | 09-20 11:50 | 09-20 17:20 | 09-20 17:50 | 09-22 17:20 | 10-09 17:20",
      "2026-09-19 10:00 | 09-20 10:30 | 09-20 14:30 | 09-20 18:00 | 09-21 09:00 | 09-22 18:00 | 10-09 18:00",
      "2026-09-20 11:30 | 09-20 15:30 | 09-20 17:30 | 09-21 11:30 | 09-21 12:00 | 09-23 11:30 | 10-10 11:30",
      "2026-09-24 16:10 | 09-28 08:40 | 09-28 10:40 | 09-28 16:10 | 09-28 16:40 | 09-30 16:10 | 10-15 16:10",
      "2026-09-26 08:30 | 09-28 10:30 | 09-28 14:30 | 09-28 18:00 | 09-29 09:00 | 09-30 18:00 | 10-15 18:00",
      "2026-09-30 13:59 | 09-30 16:00 | 09-30 18:00 | 10-08 12:00 | 10-08 14:30 | 10-10 12:00 | 10-20 12:00",
      "2026-10-07 20:00 | 10-08 10:30 | 10-08 14:30 | 10-08 18:00 | 10-09 09:00 | 10-10 18:00 | 10-20 18:00",
      "2026-10-09 17:00 | 10-10 09:30 | 10-10 11:30 | 10-10 17:00 | 10-10 17:30 | 10-13 17:00 | 10-22 17:00",
      "2026-10-10 09:00 | 10-10 11:00 | 10-10 15:00 | 10-12 09:00 | 10-12 09:30 | 10-14 09:00 | 10-23 09:00",
      "2026-10-11 23:00 | 10-12 10:30 | 10-12 14:30 | 10-12 18:00 | 10-13 09:00 | 10-14 18:00 | 10-23 18:00",
    ],
  },
] as const;

const shanghai = (text: string) => new Date(`${text.replace(" ", "T")}:00+08:00`);
const textOf = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(5, 16).replace("T", " ");

test.each(table)("$holiday", async ({ rows }) => {
  for (const row of rows) {
    const [from = "", ...due] = row.split(" | ");
    const found = await Promise.all(promises.map(([, promise]) => promise(shanghai(from)).then(textOf)));
    expect(found, `${from}: ${promises.map(([name]) => name).join(", ")}`).toEqual(due);
    // A cancellation is answered as fast as a complaint is solved: three working days.
    expect(textOf(await closing(shanghai(from))), `${from}: answer to a cancellation`).toBe(due[4]);
  }
});

test("the table has 200 cases and more", () => {
  expect(table.reduce((sum, { rows }) => sum + rows.length * promises.length, 0)).toBeGreaterThanOrEqual(200);
});
