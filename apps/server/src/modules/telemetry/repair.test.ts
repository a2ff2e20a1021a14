/** Data of earlier releases is judged like new data: a database with invalid readings, before and after the repair. */
import { type DeviceKind, deviceKinds } from "@herdwise/device-kinds";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type InsertedDevice, insertDevices } from "../../../../../tests/faults/devices.ts";
import { createTestDatabase, type TestDatabase } from "../../../../../tests/harness/database.ts";
import { systemScope, tenantScopeOf } from "../../tenant-scope.ts";
import { historyRepository } from "./history.repository.ts";
import { pack } from "./packing.ts";
import { partitionAt, partitionRepository } from "./partition.repository.ts";
import { repairRepository } from "./repair.repository.ts";
import { createRepair } from "./repair.service.ts";
import { rollUpRepository } from "./roll-up.repository.ts";
import { createRollUps } from "./roll-up.service.ts";
import { createSeries, type StoredResolution } from "./series.service.ts";
import { telemetryRepository } from "./telemetry.repository.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const minuteMs = 60_000;
const system = systemScope("a test of the repair");
const mine = tenantScopeOf({
  tenantId: "900001",
  everyTenant: false,
  rows: { all: true, departmentIds: [], own: false },
  accountId: "1",
  membershipId: "1",
  departmentId: "",
  remoteAddress: "",
});
const forever = new AbortController().signal;
const kinds = new Map<string, DeviceKind>(Object.values(deviceKinds).map((kind) => [kind.kind, kind]));
/** Midnight in Shanghai. */
const today = Math.floor((Date.now() + 8 * hourMs) / dayMs) * dayMs - 8 * hourMs;
const gone = today - 30 * dayMs;
const day = today - 3 * dayMs;

let here: TestDatabase;
beforeEach(async () => {
  here = await createTestDatabase(5);
});
afterEach(() => here.drop());

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await here.database.pool.query<Row>(text, values)).rows;

function open() {
  const { kysely, prepared } = here.database;
  const partitions = partitionRepository(kysely, system);
  const repository = telemetryRepository({ kysely, prepared }, system);
  /** Number of transactions until the simulated process ends; -1 for never. */
  const life = { transactions: -1 };
  const repair = createRepair({
    repair: repairRepository(kysely, system),
    inTransaction: (work) => {
      if (life.transactions === 0) return Promise.reject(new Error("killed"));
      life.transactions -= 1;
      return kysely
        .transaction()
        .execute((transaction) =>
          work({ repair: repairRepository(transaction, system), rollUps: rollUpRepository(transaction, system) }),
        );
    },
    partitions,
    addKeys: repository.addKeys,
    kindOf: (kind) => kinds.get(kind),
    now: Date.now,
    pace: async () => undefined,
  });
  const rollUps = createRollUps({
    inTransaction: (work) => kysely.transaction().execute((transaction) => work(rollUpRepository(transaction, system))),
    partitions,
    now: Date.now,
  });
  const kept = { rawMs: 90 * dayMs, minuteMs: 365 * dayMs, hourMs: 1826 * dayMs };
  const series = createSeries({ history: historyRepository(kysely, prepared), retention: () => kept, now: Date.now });
  const read = async (device: InsertedDevice, start: number, end: number, resolution: StoredResolution) => {
    const reply = await series.read(mine, { ids: [device.id], keys: ["t_in"], start, end, resolution });
    return reply.series[0];
  };
  return { repair, rollUps, repository, partitions, life, read };
}

type Values = Record<string, unknown>;

/** Stores rows without checks like an earlier release: packed, or as JSON by key. */
async function store(
  { repository, partitions }: ReturnType<typeof open>,
  device: InsertedDevice,
  rows: readonly { at: number; values: Values; json?: boolean }[],
): Promise<void> {
  for (const at of new Set(rows.map(({ at }) => Math.floor(at / dayMs) * dayMs)))
    await partitions.create("telemetry", partitionAt("telemetry", at));
  const [added] = await repository.addKeys([
    { deviceId: device.id, keys: [...new Set(rows.flatMap(({ values }) => Object.keys(values)))] },
  ]);
  const numbers = new Map(added?.keys.map((key, number) => [key, number]));
  for (const { at, values, json } of rows) {
    await query(
      "insert into telemetry (device_id, ts, packed, readings) values ($1, to_timestamp($2 / 1000.0), $3, $4)",
      [device.id, at, json ? null : pack(values, numbers), json ? JSON.stringify(values) : null],
    );
  }
  const hours = [...new Set(rows.map(({ at }) => Math.floor(at / hourMs)))];
  await query(
    `insert into device_states as held (device_id, pending_hours) values ($1, $2::int4multirange)
     on conflict (device_id) do update set pending_hours = held.pending_hours + excluded.pending_hours`,
    [device.id, `{${hours.map((hour) => `[${hour},${hour + 1})`).join()}}`],
  );
}

const untrue = [-127, 12_000_000, "36,5", true];
/** Three hours of a day: the second contains invalid readings, the third only invalid ones. */
const rowsOf = (from: number) =>
  Array.from({ length: 180 }, (_, minute) => {
    const isUntrue = (minute >= 60 && minute < 120 && minute % 10 === 5) || minute >= 120;
    return {
      at: from + minute * minuteMs,
      values: { t_in: isUntrue ? untrue[minute % untrue.length] : 20 + minute / 100, rh: 60, odd: "text" },
      json: minute % 3 === 0,
    };
  });
const isTrue = ({ values }: { values: Values }) =>
  typeof values.t_in === "number" && values.t_in > -50 && values.t_in < 100;

/** All stored data of a device, as text. */
const everything = async ({ id }: InsertedDevice) => {
  const tables = {
    raw: "select ts::text, t.readings as readings from telemetry_values t where device_id = $1 order by ts",
    minutes: "select key, hour, encode(minutes, 'hex') from telemetry_minutes where device_id = $1 order by key, hour",
    hours: "select * from telemetry_hours where device_id = $1 order by key, hour",
    days: "select * from telemetry_days where device_id = $1 order by key, day",
    counts: "select * from device_rejected_readings where device_id = $1 order by key, reason",
    marks: "select key, day::text from telemetry_unreliable_days where device_id = $1 order by key, day",
    newest: "select readings from device_readings where device_id = $1",
  };
  const read = Object.entries(tables).map(async ([name, text]) => [name, await query<Values>(text, [id])] as const);
  return Object.fromEntries(await Promise.all(read));
};

/** A device with old rows and their roll-ups; for one day it only has roll-ups. */
async function earlier(storage: ReturnType<typeof open>): Promise<InsertedDevice> {
  const [device] = (await insertDevices(here, 1)) as [InsertedDevice];
  await store(storage, device, [...rowsOf(gone), ...rowsOf(day)]);
  // Kept permanently although its raw rows are gone, because it is in range.
  await store(
    storage,
    device,
    Array.from({ length: 30 }, (_, minute) => ({ at: gone + dayMs + minute * minuteMs, values: { t_in: 21, rh: 50 } })),
  );
  await storage.rollUps.run(forever);
  const rawFrom = new Date(today - 10 * dayMs).toISOString().slice(0, 10);
  await rollUpRepository(here.database.kysely, system).rawDroppedBefore(rawFrom);
  await storage.partitions.dropBefore("telemetry", rawFrom);
  const newest = { t_in: { value: -127, ts: day + 179 * minuteMs }, rh: { value: 60, ts: day + 179 * minuteMs } };
  await query("insert into device_readings (device_id, readings, newest_at) values ($1, $2, now())", [
    device.id,
    newest,
  ]);
  await query("insert into telemetry_repairs (name) values ('untrue readings')");
  return device;
}

test("readings that cannot be true become evidence, and roll-ups are those of the others", async () => {
  const storage = open();
  const device = await earlier(storage);
  const before = await storage.read(device, day, day + dayMs, "day");
  expect(before?.points[0]?.[1]).toBe(-127);
  expect(await storage.repair.run(forever)).toMatchObject({ done: true, rows: 66 });

  const good = rowsOf(day).filter(isTrue);
  const values = good.map(({ values }) => values.t_in as number);
  const raw = await storage.read(device, day, day + dayMs, "raw");
  expect(raw?.points).toEqual(good.map(({ at, values }) => [at, values.t_in]));
  expect(raw?.rejected?.map(([, , count]) => count)).toEqual([1, 1, 1, 1, 1, 1, 60]);
  const whole = await storage.read(device, day, day + dayMs, "day");
  expect(whole?.points).toEqual([
    [
      day,
      Math.min(...values),
      expect.closeTo(values.reduce((sum, value) => sum + value) / values.length, 9),
      Math.max(...values),
    ],
  ]);
  expect(whole?.rejected).toEqual([[day, day + dayMs, 66]]);
  const hours = await storage.read(device, day, day + dayMs, "hour");
  expect(hours?.points.map(([ts]) => ts)).toEqual([day, day + hourMs]);
  expect(hours?.rejected).toEqual([
    [day + hourMs, day + 2 * hourMs, 6],
    [day + 2 * hourMs, day + 3 * hourMs, 60],
  ]);
  const minutes = await storage.read(device, day, day + dayMs, "minute");
  expect(minutes?.points.length).toBe(114);
  expect(minutes?.rejected?.length).toBe(66);
  const kept = await query<{ reason: string; n: number }>(
    "select reason, readings::int as n from device_rejected_readings where device_id = $1 and key = 't_in' order by 1",
    [device.id],
  );
  expect(kept.map(({ reason }) => reason)).toEqual(["range", "type"]);
  expect(kept.reduce((sum, { n }) => sum + n, 0)).toBe(66);
  // The other values of the rows are unchanged.
  const rows = await query<{ rh: number; odd: string; evidence: { reason: string } | null }>(
    `select r -> 'rh' as rh, r ->> 'odd' as odd, r -> 'rejected:t_in' as evidence
       from telemetry_values t cross join lateral (select t.readings) as n (r) where device_id = $1 order by ts`,
    [device.id],
  );
  expect(rows.every(({ rh, odd }) => rh === 60 && odd === "text")).toBe(true);
  expect(rows.filter(({ evidence }) => evidence !== null).length).toBe(66);
});

test("days whose raw rows are gone are marked, and no answer takes their roll-ups", async () => {
  const storage = open();
  const device = await earlier(storage);
  const span = [gone, gone + 2 * dayMs] as const;
  expect((await storage.read(device, ...span, "day"))?.points.map(([, low]) => low)).toEqual([-127, 21]);
  await storage.repair.run(forever);
  for (const resolution of ["day", "hour", "minute"] as const) {
    const read = await storage.read(device, ...span, resolution);
    expect(read?.points.length, resolution).toBe(resolution === "minute" ? 30 : 1);
    expect(
      read?.points.every(([, low]) => low === 21),
      resolution,
    ).toBe(true);
    expect(read?.unreliable, resolution).toEqual([[gone, gone + dayMs]]);
  }
  expect(await storage.read(device, gone + dayMs, gone + 2 * dayMs, "day")).not.toHaveProperty("unreliable");
});

test("a newest value that cannot be true becomes unknown", async () => {
  const storage = open();
  const device = await earlier(storage);
  await storage.repair.run(forever);
  const [row] = await query<{ readings: Values }>("select readings from device_readings where device_id = $1", [
    device.id,
  ]);
  expect(Object.keys(row?.readings ?? {})).toEqual(["rh"]);
});

test("a second run changes nothing, also when it does not know of the first", async () => {
  const storage = open();
  const device = await earlier(storage);
  await storage.repair.run(forever);
  const once = await everything(device);
  expect(await storage.repair.run(forever)).toBeUndefined();
  await query("update telemetry_repairs set after_device = 0, done_before = null, done_at = null");
  expect(await storage.repair.run(forever)).toEqual({ done: true, rows: 0, days: 0 });
  expect(await everything(device)).toEqual(once);
  await storage.rollUps.run(forever);
  expect(await everything(device)).toEqual(once);
});

test.each([0, 1])("a run that is killed after %i of its writes is done by the next", async (transactions) => {
  const storage = open();
  const device = await earlier(storage);
  await store(storage, device, rowsOf(day + dayMs));
  await storage.rollUps.run(forever);
  storage.life.transactions = transactions;
  await expect(storage.repair.run(forever)).rejects.toThrow("killed");
  storage.life.transactions = -1;
  expect(await storage.repair.run(forever)).toMatchObject({ done: true, rows: 66 * (2 - transactions) });
  const [{ n } = { n: 0 }] = await query<{ n: number }>(
    "select sum(readings)::int as n from device_rejected_readings where device_id = $1",
    [device.id],
  );
  expect(n).toBe(132);
  const read = await storage.read(device, day, day + 2 * dayMs, "day");
  expect(read?.points.map(([, low]) => low)).toEqual([20, 20]);
});

test("a run whose time is over leaves the rest to the next", async () => {
  const storage = open();
  const device = await earlier(storage);
  await store(storage, device, rowsOf(day + dayMs));
  let asked = 0;
  const isOver = () => ++asked > 1;
  expect(await storage.repair.run(forever, isOver)).toEqual({ done: false, rows: 66, days: 0 });
  expect(await storage.repair.run(forever)).toEqual({ done: true, rows: 66, days: 1 });
});

test("hours that run or are not rolled up yet are left to the job of the roll-ups", async () => {
  const storage = open();
  const [device] = (await insertDevices(here, 1)) as [InsertedDevice];
  const hour = Math.floor(Date.now() / hourMs) * hourMs;
  await store(storage, device, [
    { at: hour, values: { t_in: -127 } },
    { at: hour + 1, values: { t_in: 21 } },
  ]);
  await query("insert into telemetry_repairs (name) values ('untrue readings')");
  await storage.repair.run(forever);
  expect(await query("select from telemetry_hours")).toEqual([]);
  expect((await storage.read(device, hour, hour + hourMs, "hour"))?.points).toEqual([[hour, 21, 21, 21]]);
});
