import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPoolClient } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InsertedDevice, insertDevices } from "../../../../../tests/faults/devices.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../../../../../tests/harness/database.ts";
import { volume } from "../../../../../tests/harness/volume.ts";
import type { Prepared } from "../../database/connection.ts";
import type { DB } from "../../database/generated/database.ts";
import { silentLog } from "../../database/log.ts";
import { migrate, migrationsFolder } from "../../database/migrate.ts";
import { systemScope, tenantScopeOf } from "../../tenant-scope.ts";
import { historyRepository } from "./history.repository.ts";
import { createIngest, type Ingest } from "./ingest.service.ts";
import { partitionRepository } from "./partition.repository.ts";
import { createRetention } from "./retention.service.ts";
import { rollUpRepository } from "./roll-up.repository.ts";
import { createRollUps } from "./roll-up.service.ts";
import { createSeries, type StoredResolution } from "./series.service.ts";
import { parseTelemetry } from "./telemetry.parse.ts";
import { telemetryRepository, utcDay } from "./telemetry.repository.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;
const system = systemScope("a test of storage");
const mine = tenantScopeOf({
  tenantId: "900001",
  everyTenant: false,
  rows: { all: true, departmentIds: [], own: false },
  accountId: "1",
  membershipId: "1",
  departmentId: "",
  remoteAddress: "",
});
const kept = { rawMs: 90 * dayMs, minuteMs: 365 * dayMs, hourMs: 1826 * dayMs };
const forever = new AbortController().signal;

let here: TestDatabase;
beforeAll(async () => {
  here = await createTestDatabase(8);
});
afterAll(() => here.drop());

/** Telemetry modules with their own clock. */
function openStorage(from: number, { database: { kysely, prepared } }: Pick<TestDatabase, "database"> = here) {
  const clock = { now: from };
  const now = () => clock.now;
  const repository = telemetryRepository({ kysely, prepared }, system);
  const ingest = createIngest({
    repository,
    now,
    offlineAfterS: () => 300,
    onStored: () => undefined,
    onError: (error) => {
      throw error;
    },
    heldOf: repository.heldOf,
    steppedChannels: () => [],
    rawRetentionMs: () => kept.rawMs,
  });
  /** Number of transactions until the simulated process ends; -1 for never. */
  const life: { transactions: number; beforeWrite?: () => Promise<void> } = { transactions: -1 };
  const rollUps = createRollUps({
    inTransaction: (work) => {
      if (life.transactions === 0) return Promise.reject(new Error("killed"));
      life.transactions -= 1;
      return kysely.transaction().execute((transaction) => {
        const repository = rollUpRepository(transaction, system);
        const writeHours: typeof repository.writeHours = async (keys_) => {
          await life.beforeWrite?.();
          await repository.writeHours(keys_);
        };
        return work({ ...repository, writeHours });
      });
    },
    partitions: partitionRepository(kysely, system),
    now,
  });
  const series = createSeries({ history: historyRepository(kysely, prepared), retention: () => kept, now });
  return { clock, ingest, rollUps, series, life };
}

/** A database that runs one statement at a time, with a callback between any two. */
function inTurn(order: "as they come" | "the last first", between: () => Promise<void>) {
  const { pool, prepared } = here.database;
  const waiting: (() => Promise<void>)[] = [];
  let statements = 0;
  let running = false;
  const runAll = async () => {
    // Waits until all parallel statements are queued before one of them is chosen.
    for (await setTimeout(20); waiting.length > 0; await setTimeout(20)) {
      if (statements > 0) await between();
      statements += 1;
      await (order === "as they come" ? waiting.shift() : waiting.pop())?.();
    }
    running = false;
  };
  const turn = <T>(statement: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    waiting.push(() => statement().then(resolve, reject));
    if (!running) void runAll();
    running = true;
    return promise;
  };
  const dialect = new PostgresDialect({
    pool: {
      async connect() {
        const client = await pool.connect();
        const query = (...of: [string, unknown[]]) => turn(() => client.query(...of));
        return { query, release: () => client.release() } as unknown as PostgresPoolClient;
      },
      end: async () => undefined,
      options: pool.options,
    },
  });
  const kysely = new Kysely<DB>({ dialect, plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })] });
  const inTurns: Prepared = (...of) => turn(() => prepared(...of));
  return { database: { kysely, prepared: inTurns }, statements: () => statements };
}

const send = (ingest: Ingest, device: InsertedDevice, payload: unknown, at: number) =>
  ingest.store(device, parseTelemetry(JSON.stringify(payload), at));

interface Message {
  ts: number;
  values: Record<string, unknown>;
}

function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    // The low bits of this generator repeat soon, so they are dropped.
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

/** Reports with some of the keys, values of each type, and numbers with many digits. */
function messagesOf(count: number, from: number, everyMs: number, random: (below: number) => number): Message[] {
  return Array.from({ length: count }, (_, at) => {
    const all = {
      t_in: (random(4000) - 500) / 100,
      rh: random(100),
      odd: Math.sin(at) * 1e6,
      fan: random(2) === 1,
      mode: ["normal", "washing"][random(2)],
      shape: { a: [at] },
    };
    const values = Object.fromEntries(Object.entries(all).filter(() => random(4) > 0));
    return { ts: from + at * everyMs + random(500), values: { n: at, ...values } };
  });
}

/** All rows of a device in a table, without ids and physical order. */
async function allOf(device: InsertedDevice) {
  const read = async (sql: string) => (await here.database.pool.query(sql, [device.id])).rows;
  return {
    raw: await read(
      "select ts::text, t.readings as readings, clock_skew from telemetry_values t where device_id = $1 order by ts",
    ),
    latest: await read(
      "select readings, reported_at from device_states join device_readings using (device_id) where device_id = $1",
    ),
    minutes: await read(
      "select key, hour, encode(minutes, 'hex') as minutes from telemetry_minutes where device_id = $1 order by key, hour",
    ),
    hours: await read("select h.*, '' as device_id from telemetry_hours h where device_id = $1 order by key, hour"),
    days: await read("select d.*, '' as device_id from telemetry_days d where device_id = $1 order by key, day"),
  };
}

const bucketStarts = { minute: minuteMs, hour: hourMs, day: dayMs } as const;
/** Expected buckets by resolution and key, computed from raw rows by an independent statement. */
async function expected(device: InsertedDevice, of: readonly string[], from: number, to: number) {
  const { rows } = await here.database.pool.query<{
    resolution: string;
    key: string;
    ts: number;
    min: number;
    sum: number;
    n: number;
    max: number;
  }>(
    `with raw as materialized (
       select t.ts, k.key, r -> k.key as value from telemetry_values t cross join lateral (select t.readings) as n (r), unnest($2::text[]) as k (key) where device_id = $1),
     numbers as (
       select ts, key, case jsonb_typeof(value) when 'number' then value::float8 when 'boolean' then value::boolean::int::float8 end as v from raw),
     buckets as (
       select resolution, key, date_bin(width, ts, timestamptz '2000-01-01 00:00:00+08') as b, width, v, ts
         from numbers, unnest($3::text[], $4::interval[]) as w (resolution, width) where v is not null)
     select resolution, key, (extract(epoch from b) * 1000)::float8 as ts, min(v), sum(v order by ts) as sum, count(*)::int as n, max(v)
       from buckets where b + width > to_timestamp($5 / 1000.0) and b < to_timestamp($6 / 1000.0)
      group by resolution, key, b order by b`,
    [device.id, of, Object.keys(bucketStarts), Object.values(bucketStarts).map((ms) => `${ms / 1000} s`), from, to],
  );
  return Map.groupBy(
    rows.map(({ resolution, key, ts, min, sum, n, max }) => ({
      name: `${resolution} ${key}`,
      point: [ts, min, sum / n, max],
    })),
    ({ name }) => name,
  );
}

const keys = ["t_in", "odd", "fan", "mode"];
type Storage = ReturnType<typeof openStorage>;
const seriesOf = async (
  { series }: Storage,
  device: InsertedDevice,
  start: number,
  end: number,
  resolution: StoredResolution,
) =>
  (await series.read(mine, { ids: [device.id], keys, start, end, resolution })).series.map(({ key, points }) => ({
    key,
    points,
  }));

async function expectFresh(storage: Storage, device: InsertedDevice, start: number, end: number): Promise<void> {
  const all = await expected(device, keys, start, end);
  for (const resolution of ["minute", "hour", "day"] as const) {
    const found = await seriesOf(storage, device, start, end, resolution);
    for (const { key, points } of found) {
      const wanted = (all.get(`${resolution} ${key}`) ?? []).map(({ point }) => point);
      // The sum over a day may differ from the sum of its hours in the last digits.
      const rounded = (list: unknown[][]) => list.map((point) => point.map((figure) => Number(figure).toFixed(5)));
      const [mine_, theirs] = resolution === "day" ? [rounded(points), rounded(wanted)] : [points, wanted];
      expect(mine_, `${key} by ${resolution}`).toEqual(theirs);
    }
    // Otherwise nothing would be compared with nothing.
    expect(found.filter(({ points }) => points.length > 0).length, resolution).toBeGreaterThanOrEqual(2);
  }
}

/**
 * Sends the same telemetry twice: to one device in order with roll-ups afterwards, and to another reordered, repeated and late,
 * with roll-ups in between that are killed between any two transactions, and by two servers at once.
 */
async function compareOrders({
  count,
  everyMs,
  lateMs,
  seed,
}: {
  count: number;
  everyMs: number;
  lateMs: number;
  seed: number;
}) {
  const random = randomOf(seed);
  const start = Math.floor((Date.now() - 20 * dayMs) / dayMs) * dayMs + 3 * hourMs;
  const end = start + count * everyMs;
  const messages = messagesOf(count, start, everyMs, random);
  const [ordered, mixed] = (await insertDevices(here, 2)) as [InsertedDevice, InsertedDevice];

  const orderly = openStorage(start);
  orderly.clock.now = end;
  for (let at = 0; at < messages.length; at += 500) {
    await Promise.all(messages.slice(at, at + 500).map((message) => send(orderly.ingest, ordered, message, end)));
  }
  orderly.clock.now = end + lateMs + 2 * dayMs;
  expect(await orderly.rollUps.run(forever)).toBeGreaterThan(0);

  const arrivals = messages
    .flatMap((message) => {
      const late = () => message.ts + random(1000) + (random(3) === 0 ? 0 : random(1000) * (lateMs / 1000));
      return random(10) === 0 ? [late(), late()].map((at) => ({ message, at })) : [{ message, at: late() }];
    })
    .sort((a, b) => a.at - b.at);
  const unruly = openStorage(start);
  const second = openStorage(start);
  const steps = 8;
  for (let step = 0; step < steps; step += 1) {
    const part = arrivals.slice((step * arrivals.length) / steps, ((step + 1) * arrivals.length) / steps);
    const now = part.at(-1)?.at ?? start;
    for (const { clock } of [unruly, second]) clock.now = now;
    // Messages of one list share a batch; others are sent to another server.
    const lists = Map.groupBy(part, (_, at) => at % Math.max(5, Math.ceil(part.length / 500)));
    const sending = [...lists.values()].map((list, at) =>
      send(
        at % 2 ? unruly.ingest : second.ingest,
        mixed,
        list.map(({ message }) => message),
        now,
      ),
    );
    unruly.life.transactions = step;
    await Promise.all([...sending, unruly.rollUps.run(forever).catch(() => 0), second.rollUps.run(forever)]);
    if (step === 2 || step === steps - 2) await expectFresh(unruly, mixed, start, Math.min(now, end));
  }
  unruly.life.transactions = -1;
  unruly.clock.now = orderly.clock.now;
  // Hours that wait for their roll-up are computed from raw rows, with the same result as the roll-ups afterwards.
  await expectFresh(unruly, mixed, start, end);
  await unruly.rollUps.run(forever);
  await expectFresh(unruly, mixed, start, end);
  const [found, wanted] = [await allOf(mixed), await allOf(ordered)];
  expect(found).toEqual(wanted);
  expect(wanted.raw).toHaveLength(count);
  expect(wanted.hours.length).toBeGreaterThan(4);
  for (const resolution of ["raw", "minute", "hour", "day"] as const) {
    const span = resolution === "raw" ? Math.min(end, start + 7 * dayMs) : end;
    const of = (device: InsertedDevice) => seriesOf(unruly, device, start, span, resolution);
    expect(JSON.stringify(await of(mixed))).toBe(JSON.stringify(await of(ordered)));
  }
}

describe("late, doubled and reordered telemetry ends as what came in order does", {
  timeout: volume({ short: 60_000, long: 900_000 }),
}, () => {
  test("a day, late by up to 48 hours", () =>
    compareOrders({
      count: volume({ short: 720, long: 8640 }),
      everyMs: dayMs / volume({ short: 720, long: 8640 }),
      lateMs: 2 * dayMs,
      seed: 7,
    }));

  test("messages that are late by up to 7 days, one in ten doubled", () => {
    const count = volume({ short: 1500, long: 100_000 });
    return compareOrders({ count, everyMs: (8 * dayMs) / count, lateMs: 7 * dayMs, seed: 41 });
  });
});

describe("roll-ups", () => {
  test("a value that is switched tells how long it was on, whatever the resolution", async () => {
    const [device] = (await insertDevices(here, 1)) as [InsertedDevice];
    const start = Math.floor((Date.now() - 10 * dayMs) / dayMs) * dayMs - 8 * hourMs;
    const storage = openStorage(start + 3 * dayMs);
    // On from 1:50 to 3:20, with a reading at each change and each hour.
    const told: [number, boolean][] = [
      [60, false],
      [110, true],
      [120, true],
      [180, true],
      [200, false],
      [240, false],
    ];
    for (const [minute, fan] of told) {
      await send(storage.ingest, device, { ts: start + minute * minuteMs, values: { fan } }, start + 3 * dayMs);
    }
    await storage.rollUps.run(forever);
    const { rows } = await here.database.pool.query<{ held: number; count: number; first_ms: number; last_ms: number }>(
      "select held, count, first_ms, last_ms from telemetry_days where device_id = $1",
      [device.id],
    );
    expect(rows).toEqual([{ held: 90 * 60, count: 6, first_ms: 60 * minuteMs, last_ms: 240 * minuteMs }]);
  });

  test("a run that was killed after it took its hours is done by the next, and charts tell them meanwhile", async () => {
    const [device] = (await insertDevices(here, 1)) as [InsertedDevice];
    const start = Math.floor((Date.now() - 10 * dayMs) / hourMs) * hourMs;
    const storage = openStorage(start + dayMs);
    await storage.rollUps.run(forever);
    await send(storage.ingest, device, { ts: start, values: { t_in: 20 } }, start + dayMs);
    storage.life.transactions = 1;
    await expect(storage.rollUps.run(forever)).rejects.toThrow("killed");
    const { rows } = await here.database.pool.query(
      "select isempty(pending_hours) as taken, isempty(rolling_hours) as finished from device_states where device_id = $1",
      [device.id],
    );
    expect(rows).toEqual([{ taken: true, finished: false }]);
    const read = () => seriesOf(storage, device, start, start + hourMs, "hour");
    const wanted = await read();
    expect(wanted[0]).toEqual({ key: "t_in", points: [[start, 20, 20, 20]] });
    storage.life.transactions = -1;
    expect(await storage.rollUps.run(forever)).toBe(1);
    expect((await allOf(device)).hours).toMatchObject([{ key: "t_in", count: 1, sum: 20 }]);
    expect(await read()).toEqual(wanted);
  });

  for (const order of ["as they come", "the last first"] as const) {
    for (const [resolution, start] of [
      ["minute", hourMs],
      ["hour", hourMs],
      ["day", 24 * hourMs],
    ] as const) {
      test(`an hour that is rolled up between any two statements of a read is told by ${resolution}, ${order}`, async () => {
        const [device] = (await insertDevices(here, 1)) as [InsertedDevice];
        // Midnight in Shanghai.
        const at = Math.floor((Date.now() - 5 * dayMs) / dayMs) * dayMs - 8 * hourMs;
        const storage = openStorage(at + 2 * dayMs);
        await storage.rollUps.run(forever);
        await send(storage.ingest, device, { ts: at + 90_000, values: { t_in: 20 } }, at + 2 * dayMs);
        const turns = inTurn(order, async () => {
          await storage.rollUps.run(forever);
        });
        const { kysely, prepared } = turns.database;
        const { read } = createSeries({
          history: historyRepository(kysely, prepared),
          retention: () => kept,
          now: () => storage.clock.now,
        });
        const asked = { ids: [device.id], keys: ["t_in"], start: at, end: at + start, resolution };
        const { series } = await read(mine, asked);
        expect(turns.statements()).toBeGreaterThan(1);
        expect((await allOf(device)).hours).toMatchObject([{ key: "t_in", count: 1, sum: 20 }]);
        expect(series[0]?.points).toEqual([[resolution === "minute" ? at + 60_000 : at, 20, 20, 20]]);
      });
    }
  }

  test("a run that was believed dead does not write over what a later one made of newer rows", async () => {
    const [device] = (await insertDevices(here, 1)) as [InsertedDevice];
    const start = Math.floor((Date.now() - 10 * dayMs) / hourMs) * hourMs;
    const [slow, later] = [openStorage(start + dayMs), openStorage(start + dayMs)];
    await slow.rollUps.run(forever);
    await send(slow.ingest, device, { ts: start, values: { t_in: 20 } }, start + dayMs);
    let goOn: () => void = () => undefined;
    const told = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    // It has read the raw rows and is about to write.
    const reached = new Promise<void>((resolve) => {
      slow.life.beforeWrite = () => {
        resolve();
        return told;
      };
    });
    const first = slow.rollUps.run(forever);
    await reached;
    await send(slow.ingest, device, { ts: start + 1000, values: { t_in: 30 } }, start + dayMs);
    let ended = false;
    const second = later.rollUps.run(forever).then(() => {
      ended = true;
    });
    const waits = async () => {
      const { rows } = await here.database.pool.query(
        "select 1 from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database() and locktype = 'advisory' and not granted",
      );
      return ended || rows.length > 0;
    };
    await expect.poll(waits, { timeout: 10_000 }).toBe(true);
    goOn();
    await Promise.all([first, second]);
    expect((await allOf(device)).hours).toMatchObject([{ key: "t_in", count: 2, sum: 50 }]);
  });

  test("days begin at midnight in Shanghai", async () => {
    const [device] = (await insertDevices(here, 1)) as [InsertedDevice];
    const midnight = Math.floor((Date.now() - 10 * dayMs) / dayMs) * dayMs - 8 * hourMs;
    const storage = openStorage(midnight + 3 * dayMs);
    for (const [ts, t_in] of [
      [midnight - 1, 1],
      [midnight, 2],
    ] as const) {
      await send(storage.ingest, device, { ts, values: { t_in } }, midnight + dayMs);
    }
    const read = () =>
      storage.series.read(mine, {
        ids: [device.id],
        keys: ["t_in"],
        start: midnight - 1,
        end: midnight + 1,
        resolution: "day",
      });
    const wanted = [
      [midnight - dayMs, 1, 1, 1],
      [midnight, 2, 2, 2],
    ];
    expect((await read()).series[0]?.points).toEqual(wanted);
    await storage.rollUps.run(forever);
    expect((await read()).series[0]?.points).toEqual(wanted);
  });

  test("rows from before, with their values as JSON, are read, rolled up and not doubled by a resend", async () => {
    const [device] = (await insertDevices(here, 1)) as [InsertedDevice];
    const ts = Math.floor((Date.now() - 5 * dayMs) / hourMs) * hourMs;
    const storage = openStorage(ts + dayMs);
    await send(storage.ingest, device, { ts: ts + 1000, values: { rh: 50 } }, ts + dayMs);
    await here.database.pool.query(
      `insert into telemetry (device_id, ts, readings) values ($1, to_timestamp($2 / 1000.0), '{"t_in": 20.5, "mode": "normal"}')`,
      [device.id, ts],
    );
    await send(storage.ingest, device, { ts, values: { t_in: 99, mode: "normal", late: 1 } }, ts + dayMs);
    await storage.rollUps.run(forever);
    const read = async (resolution: StoredResolution) =>
      (
        await storage.series.read(mine, {
          ids: [device.id],
          keys: ["t_in", "late"],
          start: ts,
          end: ts + 500,
          resolution,
        })
      ).series.map(({ points }) => points);
    expect(await read("raw")).toEqual([[[ts, 20.5]], [[ts, 1]]]);
    expect(await read("hour")).toEqual([[[ts, 20.5, 20.5, 20.5]], [[ts, 1, 1, 1]]]);
    expect((await allOf(device)).raw[0].readings).toEqual({ t_in: 20.5, mode: "normal", late: 1 });
  });

  test("a message of ten numbers takes at most 160 bytes, its index included", async () => {
    const devices = await insertDevices(here, 20);
    // A separate day, so that its partition contains nothing else.
    const ts = Math.floor(Date.now() / dayMs) * dayMs - 60 * dayMs;
    const storage = openStorage(Date.now());
    const random = randomOf(3);
    const count = 200;
    for (let at = 0; at < count; at += 1) {
      await Promise.all(
        devices.map((device) => {
          const values = {
            t_in: 18 + random(80) / 10,
            t_out: random(300) / 10 - 5,
            rh: 50 + random(300) / 10,
            co2: 900 + random(2000),
            nh3: random(200) / 10,
            dp: random(400) / 10 - 20,
            fan_pct: random(101),
            heat_pct: random(101),
            water: 1834.25 + at / 4,
            kwh: 20_311.5 + at / 10,
          };
          return send(storage.ingest, device, { ts: ts + at * minuteMs, values }, Date.now());
        }),
      );
    }
    const name = `telemetry_${new Date(ts).toISOString().slice(0, 10).replaceAll("-", "")}`;
    const { rows } = await here.database.pool.query<{ bytes: string; rows: string }>(
      // Concurrent writers at the end of a table leave empty pages for later rows, so only pages with rows count.
      `select pg_indexes_size('${name}') + 8192 * count(distinct (ctid::text::point)[0]) as bytes, count(*) as rows from ${name}`,
    );
    expect(Number(rows[0]?.rows)).toBe(devices.length * count);
    // Even a small index has a root page and a metadata page.
    const overhead = 2 * 8192;
    const each = (Number(rows[0]?.bytes) - overhead) / (devices.length * count);
    expect(each).toBeLessThan(160);
  });
});

test("an upgrade keeps what is there: nothing is written anew, charts tell it at once, the job rolls it up", async () => {
  const old = await createEmptyDatabase(3);
  const folder = await mkdtemp(join(tmpdir(), "herdwise-migrations-"));
  try {
    for (const name of await readdir(migrationsFolder)) {
      if (name < "0040") await copyFile(join(migrationsFolder, name), join(folder, name));
    }
    await migrate(old.database, silentLog, folder);
    const [device] = (await insertDevices(old, 1)) as [InsertedDevice];
    const ts = Math.floor((Date.now() - 50 * dayMs) / dayMs) * dayMs;
    const { pool } = old.database;
    const next = new Date(ts + dayMs).toISOString();
    await pool.query(
      `create table telemetry_old partition of telemetry for values from ('${new Date(ts).toISOString()}') to ('${next}')`,
    );
    // Named as the server names its partitions.
    await pool.query(`alter table telemetry_old rename to telemetry_${utcDay(ts).replaceAll("-", "")}`);
    await pool.query(
      `insert into telemetry (device_id, ts, readings) select $1, to_timestamp($2 / 1000.0) + n * interval '1 minute',
              jsonb_build_object('t_in', n, 'mode', 'normal') from generate_series(0, 99) n`,
      [device.id, ts],
    );
    // The comment marks it as a statement of an earlier version (tests/harness/statements.ts).
    await pool.query("/* before 0040 */ insert into device_states (device_id, readings) values ($1, $2)", [
      device.id,
      { t_in: { value: 99, ts }, mode: { value: "normal", ts } },
    ]);
    const files = async () =>
      (await pool.query(`select relfilenode from pg_class where relname like 'telemetry_2%' order by relname`)).rows;
    const before = await files();
    await migrate(old.database, silentLog);
    expect(await files()).toEqual(before);
    expect((await pool.query("select name, done_at from telemetry_repairs")).rows).toEqual([
      { name: "untrue readings", done_at: null },
    ]);
    const storage = openStorage(Date.now(), old);
    const read = async () =>
      (
        await storage.series.read(mine, {
          ids: [device.id],
          keys: ["t_in"],
          start: ts,
          end: ts + dayMs,
          resolution: "hour",
        })
      ).series[0]?.points;
    const wanted = [
      [ts, 0, 29.5, 59],
      [ts + hourMs, 60, 79.5, 99],
    ];
    expect(await read()).toEqual(wanted);
    await storage.rollUps.run(forever);
    expect((await pool.query("select count(*)::int as n from telemetry_hours")).rows).toEqual([{ n: 2 }]);
    expect(await read()).toEqual(wanted);
  } finally {
    await rm(folder, { recursive: true });
    await old.drop();
  }
});

describe("retention", () => {
  const rollUpsOf = async (device: InsertedDevice) => {
    const { hours, minutes, days } = await allOf(device);
    return { hours, minutes, days };
  };
  const unasked = { "log.usualDays": 1, "log.apiDays": 1, "log.errorDays": 1 };
  const openRetention = (storage: Storage, days: { raw: number; minute: number; hour: number }) =>
    createRetention({
      settings: {
        numbers: async () => ({
          ...unasked,
          "telemetry.rawDays": days.raw,
          "telemetry.minuteDays": days.minute,
          "telemetry.hourDays": days.hour,
        }),
      },
      inTransaction: (work) =>
        here.database.kysely.transaction().execute((transaction) =>
          work({
            rollUps: rollUpRepository(transaction, system),
            partitions: partitionRepository(transaction, system),
          }),
        ),
      now: () => storage.clock.now,
      onError: (error) => {
        throw error;
      },
    });
  const rawCount = async (device: InsertedDevice) => (await allOf(device)).raw.length;

  test("raw days go only when they are rolled up, roll-ups stay as they were, and by whole partitions", async () => {
    const [device] = (await insertDevices(here, 1)) as [InsertedDevice];
    const old = Math.floor((Date.now() - 80 * dayMs) / dayMs) * dayMs;
    const storage = openStorage(old + hourMs);
    // Rolls up the remains of other tests, so that only this device is left.
    storage.clock.now = Date.now() + dayMs;
    await storage.rollUps.run(forever);
    await send(
      storage.ingest,
      device,
      [
        { ts: old, values: { t_in: 20 } },
        { ts: old + 1000, values: { t_in: 30 } },
      ],
      old + hourMs,
    );
    storage.clock.now = old + 40 * dayMs;
    const retention = openRetention(storage, { raw: 30, minute: 60, hour: 400 });
    await retention.drop();
    expect(await rawCount(device)).toBe(2);
    await storage.rollUps.run(forever);
    const rolled = await rollUpsOf(device);
    expect(rolled.hours).toHaveLength(1);
    expect(await retention.drop()).toBeGreaterThan(0);
    expect(await rawCount(device)).toBe(0);
    expect(await rollUpsOf(device)).toEqual(rolled);

    // A message that waited longer than the retention must not replace the hour's roll-up by itself alone.
    const waited = openStorage(old);
    await send(waited.ingest, device, { ts: old + 2000, values: { t_in: 90 } }, old);
    await storage.rollUps.run(forever);
    expect(await rollUpsOf(device)).toEqual(rolled);

    storage.clock.now = old + 130 * dayMs;
    await retention.drop();
    const later = await rollUpsOf(device);
    expect(later).toEqual({ ...rolled, minutes: [] });
    storage.clock.now = old + 900 * dayMs;
    await retention.drop();
    expect(await rollUpsOf(device)).toEqual({ hours: [], minutes: [], days: rolled.days });
  });

  test("devices of 1970 are refused with the reason, those of 2099 get the time of receipt and a mark", async () => {
    const [device] = (await insertDevices(here, 1)) as [InsertedDevice];
    const now = Date.now();
    const storage = openStorage(now);
    const late = [0, 12 * hourMs, now - kept.rawMs - 1];
    for (const ts of late) {
      // A message is stored completely or not at all.
      const message = [
        { ts: now, values: { a: 1 } },
        { ts, values: { a: 2 } },
      ];
      await expect(send(storage.ingest, device, message, now)).rejects.toMatchObject({ reason: "too_old" });
    }
    expect(await rawCount(device)).toBe(0);
    await send(storage.ingest, device, { ts: Date.UTC(2099, 0, 1), values: { a: 3 } }, now);
    await send(storage.ingest, device, { ts: now - kept.rawMs + 1000, values: { a: 4 } }, now);
    const { raw } = await allOf(device);
    expect(raw.map(({ readings, clock_skew }) => [readings.a, clock_skew])).toEqual([
      [4, false],
      [3, true],
    ]);
    expect(Math.abs(Date.parse(raw[1].ts) - now)).toBeLessThan(10);
  });
});
