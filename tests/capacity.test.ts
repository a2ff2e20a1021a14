import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { partitionRepository } from "../apps/server/src/modules/telemetry/partition.repository.ts";
import { rollUpRepository } from "../apps/server/src/modules/telemetry/roll-up.repository.ts";
import { createRollUps } from "../apps/server/src/modules/telemetry/roll-up.service.ts";
import { telemetryRepository, utcDay } from "../apps/server/src/modules/telemetry/telemetry.repository.ts";
import { systemScope } from "../apps/server/src/tenant-scope.ts";
import { bytesOfDay, costOf, sizingRows, usualKeptDays } from "../bench/capacity-model.ts";
import { insertDevices } from "./faults/devices.ts";
import { createTestDatabase, type TestDatabase } from "./harness/database.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const system = systemScope("a test measures what a day of devices takes on disk");

let here: TestDatabase;
beforeAll(async () => {
  here = await createTestDatabase();
});
afterAll(() => here.drop());

/** A whole day of some devices, stored and rolled up. @returns bytes of a device's day in each resolution */
async function measuredDay({ everyS, values }: { everyS: number; values: number }) {
  const { database } = here;
  const { pool, kysely } = database;
  const deviceCount = 24;
  const now = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
  // In Asia/Shanghai, whose days the roll-ups keep.
  const from = Math.floor(now / dayMs) * dayMs - dayMs - 8 * hourMs;
  await pool.query("truncate telemetry, telemetry_minutes, telemetry_hours, telemetry_days, device_states cascade");
  const telemetry = telemetryRepository(database, system);
  const devices = await insertDevices(here, deviceCount);
  const keys = Array.from({ length: values }, (_, at) => `value_${at}`);
  await telemetry.addKeys(devices.map(({ id }) => ({ deviceId: id, keys })));
  const numbers = new Map(keys.map((key, number) => [key, number]));
  for (const day of [from, from + dayMs]) await telemetry.createPartition(utcDay(day));
  const atOnce = 60;
  for (let begin = from; begin < from + dayMs; begin += atOnce * everyS * 1000) {
    const times = Array.from({ length: atOnce }, (_, at) => begin + at * everyS * 1000).filter(
      (ts) => ts < from + dayMs,
    );
    const newestAt = (times.at(-1) ?? begin) * 1000;
    await telemetry.store(
      devices.map(({ id }, place) => ({
        deviceId: id,
        numbers,
        rows: times.map((ts) => ({
          at: ts * 1000,
          clockSkew: false,
          values: Object.fromEntries(
            keys.map((key, at) => [key, Math.round(Math.sin(ts / 4e6 + at + place) * 400) / 10 + at * 20]),
          ),
        })),
      })),
      devices.map(({ id }) => ({ deviceId: id, readings: {}, oldestAt: newestAt, newestAt, onlineUntil: now })),
    );
  }
  await createRollUps({
    inTransaction: (work) => kysely.transaction().execute((transaction) => work(rollUpRepository(transaction, system))),
    partitions: partitionRepository(kysely, system),
    now: () => now,
  }).run(new AbortController().signal);
  const { rows } = await pool.query<Record<"raw" | "minute" | "hour" | "day", number>>(
    `select ${["telemetry raw", "telemetry_minutes minute", "telemetry_hours hour"]
      .map((pair) => pair.split(" "))
      .map(
        ([table, name]) =>
          `(select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = '${table}'::regclass)::float8 / ${deviceCount} as ${name}`,
      )
      .join(", ")}, pg_total_relation_size('telemetry_days')::float8 / ${deviceCount} as day`,
  );
  return rows[0] as (typeof rows)[number];
}

test.each([
  { everyS: 60, values: 10 },
  { everyS: 60, values: 40 },
  { everyS: 300, values: 10 },
  { everyS: 20, values: 4 },
])("a day of a message of $values numbers every $everyS s takes what the model says", async (load) => {
  const measured = await measuredDay(load);
  const modelled = bytesOfDay(load);
  for (const resolution of ["raw", "minute", "hour"] as const) {
    const ratio = modelled[resolution] / measured[resolution];
    const told = `${resolution}: ${modelled[resolution]} by the model, ${measured[resolution]} measured`;
    expect(ratio, told).toBeGreaterThan(0.8);
    expect(ratio, told).toBeLessThan(1.25);
  }
});

test("the tables of the guides are those of the model", () => {
  for (const page of ["sizing.md", "sizing.zh.md"]) {
    const text = readFileSync(join(import.meta.dirname, "..", "docs", "operations", page), "utf8");
    for (const row of sizingRows()) expect(text, page).toContain(row);
  }
});

test("what a fleet costs grows with its messages, its people and its retention alone", () => {
  const fleet = { devices: 10_000, everyS: 60, values: 10, people: 0, keptDays: usualKeptDays };
  const cost = costOf(fleet);
  const tenfold = costOf({ ...fleet, devices: 100_000 });
  for (const key of ["messagesPerS", "diskMbPerDay", "diskGb"] as const)
    expect(tenfold[key] / cost[key], key).toBeCloseTo(10, 5);
  // Batches are gathered, so that more messages share what each of them costs.
  for (const key of ["serverCores", "databaseCores"] as const) {
    expect(tenfold[key], key).toBeGreaterThan(cost[key]);
    expect(tenfold[key], key).toBeLessThan(10 * cost[key]);
  }
  expect(costOf({ ...fleet, everyS: 30 }).messagesPerS).toBe(2 * cost.messagesPerS);
  expect(costOf({ ...fleet, people: 100 }).serverCores).toBeGreaterThan(cost.serverCores);
  expect(costOf({ ...fleet, keptDays: { ...usualKeptDays, hour: 366 } }).diskGb).toBeLessThan(cost.diskGb);
});
