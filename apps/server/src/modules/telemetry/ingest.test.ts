import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type InsertedDevice, insertDevices } from "../../../../../tests/faults/devices.ts";
import { createTestDatabase, type TestDatabase, workers } from "../../../../../tests/harness/database.ts";
import type { Prepared } from "../../database/connection.ts";
import { systemScope } from "../../tenant-scope.ts";
import { createIngest, type Ingest, type IngestDependencies } from "./ingest.service.ts";
import { partitionRepository } from "./partition.repository.ts";
import { recentRepository } from "./recent.repository.ts";
import { Dropped, parseTelemetry } from "./telemetry.parse.ts";
import { type TelemetryRepository, telemetryRepository } from "./telemetry.repository.ts";

const devicesSend = systemScope("a test of what devices send");
let test_: TestDatabase;
let repository: TelemetryRepository;
let device: InsertedDevice;
let other: InsertedDevice;
const started: Ingest[] = [];

beforeAll(async () => {
  test_ = await createTestDatabase(8);
  repository = telemetryRepository(test_.database, devicesSend);
});
beforeEach(async () => {
  [device, other] = (await insertDevices(test_, 2)) as [InsertedDevice, InsertedDevice];
});
afterAll(async () => {
  for (const ingest of started) await ingest.stop();
  await test_.drop();
});

function openIngest(dependencies: Partial<IngestDependencies> = {}): Ingest & { faults: unknown[] } {
  const faults: unknown[] = [];
  const ingest = createIngest({
    repository,
    now: Date.now,
    offlineAfterS: () => 300,
    onStored: () => undefined,
    onError: (error) => faults.push(error),
    heldOf: repository.heldOf,
    steppedChannels: () => [],
    rawRetentionMs: () => 90 * dayMs,
    ...dependencies,
  });
  started.push(ingest);
  return { ...ingest, faults };
}

const now = Date.now();
const dayMs = 86_400_000;
const send = (ingest: Ingest, to: InsertedDevice, payload: unknown, at = Date.now()) =>
  ingest.store(to, parseTelemetry(JSON.stringify(payload), at));

const rowsOf = async ({ id }: InsertedDevice) => {
  const { rows } = await test_.database.pool.query<{
    at: string;
    readings: Record<string, unknown>;
    clock_skew: boolean;
  }>(
    `select (extract(epoch from ts) * 1000000)::bigint as at, t.readings as readings, clock_skew from telemetry_values t
      where device_id = $1 order by ts`,
    [id],
  );
  return rows;
};
const newestOf = async ({ id }: InsertedDevice) => {
  const { rows } = await test_.database.pool.query<{
    readings: Record<string, { value: unknown; ts: number; us?: number }>;
    reported_at: Date;
  }>("select readings, reported_at from device_states join device_readings using (device_id) where device_id = $1", [
    id,
  ]);
  return rows[0];
};

describe("what is stored", () => {
  test("a replay changes nothing", async () => {
    const ingest = openIngest();
    const message = [
      { ts: now - 2000, values: { t_in: 20, rh: 60 } },
      { ts: now - 1000, values: { t_in: 21 } },
    ];
    await send(ingest, device, message);
    const [rows, newest] = [await rowsOf(device), await newestOf(device)];
    for (let i = 0; i < 3; i += 1) await send(ingest, device, message);
    expect(await rowsOf(device)).toEqual(rows);
    expect(await newestOf(device)).toEqual(newest);
    expect(rows).toHaveLength(2);
    expect(newest?.readings).toEqual({ t_in: { value: 21, ts: now - 1000 }, rh: { value: 60, ts: now - 2000 } });
  });

  test("of two values of one key and time the first stays, in the table and in the newest values", async () => {
    const ingest = openIngest();
    await send(ingest, device, { ts: now - 5, values: { a: 1 } });
    await send(ingest, device, { ts: now - 5, values: { a: 2, b: 3 } });
    // The same row twice within one batch.
    await Promise.all([
      send(ingest, other, { ts: now - 5, values: { a: 1 } }),
      send(ingest, other, { ts: now - 5, values: { a: 2, b: 3 } }),
    ]);
    for (const each of [device, other]) {
      expect((await rowsOf(each)).map(({ readings }) => readings)).toEqual([{ a: 1, b: 3 }]);
      expect((await newestOf(each))?.readings).toEqual({ a: { value: 1, ts: now - 5 }, b: { value: 3, ts: now - 5 } });
    }
  });

  // Over nodes it is several statements, whose texts differ with the number of rows.
  test.skipIf(workers() > 0)(
    "a connection plans once how it stores, also for days whose table is made later",
    async () => {
      const client = await test_.database.pool.connect();
      try {
        const prepared: Prepared = async (statement, values) =>
          (await client.query({ ...statement, values: [...values] })).rows;
        const ingest = openIngest({ repository: telemetryRepository({ ...test_.database, prepared }, devicesSend) });
        for (let n = 0; n < 10; n += 1) await send(ingest, device, { ts: now + n, values: { n } });
        await send(ingest, device, { ts: now - 40 * dayMs, values: { n: 10 } });
        expect(await rowsOf(device)).toHaveLength(11);
        const { rows } = await client.query<{ generic: number; custom: number }>(
          `select generic_plans::integer as generic, custom_plans::integer as custom from pg_prepared_statements
          where name = 'store telemetry'`,
        );
        // PostgreSQL makes five custom plans before it compares a generic one with them.
        expect(rows).toEqual([{ generic: 6, custom: 5 }]);
      } finally {
        client.release();
      }
    },
  );

  test("late, doubled and shuffled messages end as the ordered run does (10,000 messages)", async () => {
    const ingest = openIngest();
    const keys = ["t_in", "rh", "co2", "nh3", "fan_pct"];
    let seed = 42;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return seed % below;
    };
    // Over 7 days; each message has only some of the keys, so the newest values come from different messages.
    const messages = Array.from({ length: 10_000 }, (_, at) => ({
      ts: now - 7 * 86_400_000 + at * 60_000,
      values: Object.fromEntries(keys.filter(() => random(3) > 0).map((key) => [key, random(1000)])),
    })).filter(({ values }) => Object.keys(values).length > 0);
    const shuffled = [...messages, ...messages.slice(0, 1000)]
      .map((message) => ({ message, order: random(1_000_000) }))
      .sort((a, b) => a.order - b.order)
      .map(({ message }) => message);
    await Promise.all(messages.map((message) => send(ingest, device, message)));
    await Promise.all(shuffled.map((message) => send(ingest, other, message)));
    const ordered = await rowsOf(device);
    expect(ordered).toHaveLength(messages.length);
    expect(await rowsOf(other)).toEqual(ordered);
    expect(await newestOf(other)).toEqual(await newestOf(device));
  });

  test("messages without a time within one millisecond get a row each, and the last is the newest", async () => {
    const ingest = openIngest({ now: () => now });
    await Promise.all(Array.from({ length: 3000 }, (_, n) => send(ingest, device, { n }, now)));
    const rows = await rowsOf(device);
    expect(rows.map(({ readings }) => readings.n)).toEqual(Array.from({ length: 3000 }, (_, n) => n));
    expect((await newestOf(device))?.readings.n?.value).toBe(2999);
    // Their times stay close to the time of receipt.
    expect(Number(rows.at(-1)?.at) / 1000 - now).toBeLessThan(10);
  });

  test("a message without a time never falls on one with a time", async () => {
    const ingest = openIngest({ now: () => now });
    for (let n = 0; n < 50; n += 1) {
      await Promise.all([
        send(ingest, device, { ts: now + n, values: { timed: n } }, now),
        send(ingest, device, { timeless: n }, now + n),
      ]);
    }
    expect(await rowsOf(device)).toHaveLength(100);
  });

  test("a time that is ahead is replaced and flagged, and keeps nobody online for longer", async () => {
    const ingest = openIngest({ now: () => now });
    await send(ingest, device, { ts: now + 10 * 60_000, values: { a: 1 } }, now);
    await send(ingest, other, { ts: now + 4 * 60_000, values: { a: 1 } }, now);
    const [row] = await rowsOf(device);
    expect(row?.clock_skew).toBe(true);
    expect(Math.floor(Number(row?.at) / 1000)).toBe(now);
    const { rows } = await test_.database.pool.query<{ online_until: Date }>(
      "select online_until from device_states where device_id = any($1)",
      [[device.id, other.id]],
    );
    for (const { online_until } of rows) expect(online_until.getTime()).toBeLessThan(now + 300_000 + 10);
  });

  test("keys that every object has reach the newest values, too", async () => {
    const ingest = openIngest();
    const payload = '{"constructor":1,"__proto__":2,"toString":3}';
    await ingest.store(device, parseTelemetry(payload, now));
    expect(Object.keys((await rowsOf(device))[0]?.readings ?? {}).sort()).toEqual([
      "__proto__",
      "constructor",
      "toString",
    ]);
    const { rows } = await test_.database.pool.query<{ keys: string[] }>(
      "select array(select jsonb_object_keys(readings) order by 1) as keys from device_readings where device_id = $1",
      [device.id],
    );
    expect(rows[0]?.keys.sort()).toEqual(["__proto__", "constructor", "toString"]);
  });

  test("line breaks, quotes and braces in texts arrive as they were sent", async () => {
    const ingest = openIngest();
    const values = { a: 'x\ny\r\n"z"\\', b: "{1,2}", c: ["\u2028", { d: "'; drop table telemetry" }] };
    await send(ingest, device, { ts: now, values });
    expect((await rowsOf(device))[0]?.readings).toEqual(values);
  });
});

describe("jumps of what has inertia", () => {
  const minuteMs = 60_000;
  const stepped = { steppedChannels: () => [{ key: "t", perMinute: 3 }] };
  /** Sends one reading per minute, and returns the stored and the newest values. */
  const sendAll = async (ingest: Ingest, values: readonly number[], fromMinute = 0): Promise<void> => {
    for (const [at, t] of values.entries())
      await send(ingest, device, { ts: now + (fromMinute + at - 60) * minuteMs, values: { t, rh: 60 } });
  };
  const told = async () => (await rowsOf(device)).map(({ readings }) => readings.t ?? null);
  const evidence = async () =>
    (await rowsOf(device)).map(
      ({ readings }) => (readings["rejected:t"] as { text: string } | undefined)?.text ?? null,
    );

  test.each([
    [
      [21.4, 21.4, 70, 21.4],
      [21.4, 21.4, null, 21.4],
    ],
    [
      [21.4, 0, 21.3],
      [21.4, null, 21.3],
    ],
  ])("%j are stored as %j, with the jump as evidence", async (values, accepted) => {
    await sendAll(openIngest(stepped), values);
    expect(await told()).toEqual(accepted);
    expect(await evidence()).toEqual(accepted.map((value, at) => (value === null ? String(values[at]) : null)));
    expect((await newestOf(device))?.readings.t?.value).toBe(accepted.at(-1));
    // As for a server that loads the device later.
    const recent = recentRepository(test_.database.kysely, devicesSend);
    const since = await recent.since([{ deviceId: device.id, afterMs: now - 90 * minuteMs }]);
    expect(since.map((row) => row.values?.t ?? null)).toEqual(accepted);
  });

  test("three in a row that agree are accepted from the first of them on, and told to whoever follows", async () => {
    const followed: (readonly [value: unknown, again: boolean])[] = [];
    const ingest = openIngest({
      ...stepped,
      onStored: (stored) => {
        for (const { rows } of stored)
          for (const { values, believedLater } of rows) followed.push([values.t ?? null, believedLater === true]);
      },
    });
    await sendAll(ingest, [21.4, 12, 12.2, 12.1]);
    expect(await told()).toEqual([21.4, 12, 12.2, 12.1]);
    expect((await newestOf(device))?.readings.t).toEqual({ value: 12.1, ts: now - 57 * minuteMs });
    expect(followed).toEqual([
      [21.4, false],
      [null, false],
      [null, false],
      [12, true],
      [12.2, true],
      [12.1, false],
    ]);
    expect(ingest.faults).toEqual([]);
  });

  test("a list may begin with its newest, and hold a jump that is believed", async () => {
    const list = [21.4, 0, 21.3, 12, 12.1, 12].map((t, at) => ({ ts: now + (at - 60) * minuteMs, values: { t } }));
    await send(openIngest(stepped), device, list.toReversed());
    expect(await told()).toEqual([21.4, null, 21.3, 12, 12.1, 12]);
  });

  test("after a restart the newest accepted value is what readings are measured by", async () => {
    await sendAll(openIngest(stepped), [21.4]);
    await sendAll(openIngest(stepped), [0, 21.3], 1);
    expect(await told()).toEqual([21.4, null, 21.3]);
  });

  test("what is believed now does not make the next messages be looked for", async () => {
    const reckoned: (boolean | undefined)[] = [];
    const store: typeof repository.store = (parts, changes, repeats) => {
      reckoned.push(repeats);
      return repository.store(parts, changes, repeats);
    };
    await sendAll(openIngest({ ...stepped, repository: { ...repository, store } }), [21.4, 12, 12.2, 12.1, 12]);
    expect(reckoned).toEqual([false, false, false, false, true, false]);
  });
});

describe("what is not stored", () => {
  test("a value that PostgreSQL refuses costs its own message only", async () => {
    const ingest = openIngest();
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) =>
        // The parser refuses this text; here it stands for anything that the parser may overlook (SQLSTATE 22P05).
        ingest.store(device, [
          { ts: now - n, values: n === 77 ? { text: "\u0000" } : { n }, clockSkew: false, timeless: false },
        ]),
      ),
    );
    const refused = results.flatMap((result, n) =>
      result.status === "rejected" ? [{ n, reason: result.reason }] : [],
    );
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ n: 77, reason: { reason: "not_storable" } });
    expect(refused[0]?.reason).toBeInstanceOf(Dropped);
    expect(await rowsOf(device)).toHaveLength(199);
  });

  test("messages of a device that was removed do not stop the others", async () => {
    const ingest = openIngest();
    const gone = { ...device, id: "1" };
    const results = await Promise.allSettled([
      send(ingest, gone, { a: 1 }),
      send(ingest, device, { a: 1 }),
      send(ingest, other, { a: 1 }),
      send(ingest, gone, { a: 2 }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "rejected"]);
    expect(await rowsOf(device)).toHaveLength(1);
    expect(await rowsOf(other)).toHaveLength(1);
  });

  test("a device may use 500 keys, over all its messages and at once", async () => {
    const ingest = openIngest();
    const keys = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`k${from + i}`, i]));
    await Promise.all([send(ingest, device, keys(0, 250)), send(ingest, device, keys(250, 500))]);
    await expect(send(ingest, device, { one_more: 1 })).rejects.toMatchObject({ reason: "too_many_keys" });
    await send(ingest, device, keys(100, 110));
    // Another server also knows the keys.
    await expect(send(openIngest(), device, { one_more: 1 })).rejects.toMatchObject({ reason: "too_many_keys" });
    await send(ingest, other, { one_more: 1 });
  });

  test("long values of a device take 512 KB in all, whatever keys they come with; numbers are taken on", async () => {
    const ingest = openIngest();
    const long = "x".repeat(200_000);
    await send(ingest, device, [{ ts: now - 9000, values: { a: long, n: 1 } }]);
    await send(ingest, device, [{ ts: now - 8000, values: { b: { deep: long } } }]);
    const third = [{ ts: now - 7000, values: { c: long } }];
    await expect(send(ingest, device, third)).rejects.toMatchObject({ reason: "readings_full" });
    // Another server knows the long values, and a late one does not replace them.
    const second = openIngest();
    await expect(send(second, device, third)).rejects.toMatchObject({ reason: "readings_full" });
    await send(second, device, [{ ts: now - 60_000, values: { a: "short" } }]);
    await expect(send(second, device, third)).rejects.toMatchObject({ reason: "readings_full" });
    await send(second, device, [{ ts: now - 6000, values: { n: 2 } }]);
    await send(second, device, [{ ts: now - 5000, values: { a: "short" } }]);
    await send(second, device, third);
    const readings = (await newestOf(device))?.readings;
    expect([readings?.n?.value, readings?.a?.value, String(readings?.c?.value).length]).toEqual([2, "short", 200_000]);
  });
});

test("the first messages of a device wait for a database that is away, as all others do, in their order", async () => {
  let away = 3;
  const ingest = openIngest({
    heldOf: (id) => (away-- > 0 ? Promise.reject(new Error("the database is away")) : repository.heldOf(id)),
  });
  const at = now - 60_000;
  await Promise.all([1, 2].map((n) => send(ingest, device, { ts: at + n, values: { n } })));
  expect((await rowsOf(device)).map(({ readings }) => readings.n)).toEqual([1, 2]);
  expect(ingest.faults).toHaveLength(3);
});

describe("partitions", () => {
  test("two servers that meet new days at once both store", async () => {
    const [a, b] = [openIngest(), openIngest()];
    const day = (n: number) => now - (20 + n) * 86_400_000;
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => [
        send(a, device, { ts: day(n), values: { a: n } }),
        send(b, device, { ts: day(n), values: { b: n } }),
        send(b, other, { ts: day(9 - n), values: { b: n } }),
      ]).flat(),
    );
    expect(await rowsOf(device)).toHaveLength(10);
    expect((await rowsOf(device)).every(({ readings }) => "a" in readings && "b" in readings)).toBe(true);
    expect(await rowsOf(other)).toHaveLength(10);
    expect([...a.faults, ...b.faults]).toEqual([]);
  });

  test("a partition that was removed meanwhile is made again, and the whole batch is stored", async () => {
    const ingest = openIngest();
    const ts = now - 50 * 86_400_000;
    await send(ingest, device, { ts, values: { a: 1 } });
    await partitionRepository(test_.database.kysely, devicesSend).dropBefore(
      "telemetry",
      new Date(ts + dayMs).toISOString().slice(0, 10),
    );
    await Promise.all([
      send(ingest, device, { ts, values: { a: 2 } }),
      send(ingest, other, { ts: now, values: { a: 2 } }),
    ]);
    expect((await rowsOf(device)).map(({ readings }) => readings.a)).toEqual([2]);
    expect(await rowsOf(other)).toHaveLength(1);
  });

  test("that rows may be there already is reckoned with once one was, for ten seconds, and none is lost or doubled", async () => {
    let clock = now;
    const reckoned: (boolean | undefined)[] = [];
    const ingest = openIngest({
      now: () => clock,
      repository: {
        ...repository,
        store: (parts, changes, repeats) => {
          reckoned.push(repeats);
          return repository.store(parts, changes, repeats);
        },
      },
    });
    const tell = (ts: number, values: object) => send(ingest, device, { ts, values }, clock);
    await tell(now, { a: 1 });
    expect(reckoned.splice(0)).toEqual([false]);
    // Together with a new row, which must not be lost with the failing statement.
    await Promise.all([
      tell(now, { a: 2, b: 2 }),
      tell(now + 1, { a: 3 }),
      send(ingest, other, { ts: now, values: { a: 4 } }),
    ]);
    expect(reckoned.splice(0)).toContain(true);
    clock += 9000;
    await tell(now, { a: 5, c: 5 });
    expect(reckoned.splice(0)).toEqual([true]);
    clock += 2000;
    await tell(now + 2, { a: 6 });
    expect(reckoned.splice(0)).toEqual([false]);
    expect((await rowsOf(device)).map(({ readings }) => readings)).toEqual([{ a: 1, b: 2, c: 5 }, { a: 3 }, { a: 6 }]);
    expect(await rowsOf(other)).toHaveLength(1);
    expect(ingest.faults).toEqual([]);
  });

  test("messages that come several at a time share commits, one that comes alone is stored at once", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const sizes: number[] = [];
      const ingest = openIngest({
        repository: {
          ...repository,
          store: async (parts) => void sizes.push(parts.flatMap(({ rows }) => rows).length),
        },
      });
      const turns = async () => {
        for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      };
      await send(ingest, device, { ts: now, values: { a: 0 } });
      await send(ingest, device, { ts: now + 1, values: { a: 1 } });
      expect(sizes.splice(0)).toEqual([1, 1]);
      const tell = (ts: number) => send(ingest, device, { ts, values: { a: ts } });
      await Promise.all([tell(now + 2), tell(now + 3)]);
      const rest = Promise.all([4, 5, 6].map((ms) => tell(now + ms)));
      await turns();
      expect(sizes.splice(0)).toEqual([2]);
      await vi.advanceTimersByTimeAsync(50);
      await rest;
      expect(sizes.splice(0)).toEqual([3]);
      await vi.advanceTimersByTimeAsync(50);
      await tell(now + 7);
      expect(sizes).toEqual([1]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("two servers with the same devices in their batches do not deadlock", async () => {
    const devices = await insertDevices(test_, 40);
    const servers = [openIngest(), openIngest(), openIngest()];
    await Promise.all(
      Array.from({ length: 3000 }, (_, n) =>
        send(servers[n % 3] as Ingest, devices[(n * 7) % 40] as InsertedDevice, {
          ts: now - (n % 200),
          values: { [`k${n % 3}`]: n },
        }),
      ),
    );
    expect(servers.flatMap(({ faults }) => faults)).toEqual([]);
  });
});

describe("while the database is away", () => {
  const away = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

  test("a node that is away stops its own devices only, however much waits for it", async () => {
    let isAway = true;
    const ingest = openIngest({
      // The device lies on the first node, the other one on the second.
      heldOf: async (...of) => ({ ...(await repository.heldOf(...of)), node: of[0] === device.id ? 1 : 2 }),
      repository: {
        ...repository,
        store: async (...batch) => {
          if (isAway && batch[0].some(({ deviceId }) => deviceId === device.id)) throw away();
          return repository.store(...batch);
        },
      },
    });
    const waiting = Array.from({ length: 25_000 }, (_, n) => send(ingest, device, { ts: now - n, values: { n } }));
    await vi.waitUntil(() => ingest.faults.length > 0, { timeout: 60_000 });
    await send(ingest, other, { ts: now, values: { n: 1 } });
    expect(await rowsOf(other)).toHaveLength(1);
    expect(await rowsOf(device)).toHaveLength(0);
    isAway = false;
    await Promise.all(waiting);
    expect(await rowsOf(device)).toHaveLength(25_000);
  });

  test("acknowledgements wait, the queue is bounded, and then everything is stored once", async () => {
    let isAway = true;
    let tried: () => void = () => undefined;
    const firstTry = new Promise<void>((resolve) => {
      tried = resolve;
    });
    const ingest = openIngest({
      repository: {
        ...repository,
        store: async (...batch) => {
          if (!isAway) return repository.store(...batch);
          tried();
          throw away();
        },
      },
    });
    let acknowledged = 0;
    const sent = Array.from({ length: 30_000 }, (_, n) =>
      send(ingest, n % 2 ? device : other, { ts: now - n, values: { n } }).then(() => {
        acknowledged += 1;
      }),
    );
    await firstTry;
    expect(acknowledged).toBe(0);
    // Each node has room of its own.
    expect(ingest.waitingRows()).toBeLessThanOrEqual(20_000 * Math.max(1, workers()));
    isAway = false;
    await Promise.all(sent);
    expect(acknowledged).toBe(30_000);
    expect((await rowsOf(device)).length + (await rowsOf(other)).length).toBe(30_000);
    expect(ingest.waitingRows()).toBe(0);
    expect(ingest.faults.length).toBeGreaterThan(0);
  });

  test("stop refuses what can't be stored instead of waiting for ever, and stores what can", async () => {
    const stuck = openIngest({ repository: { ...repository, store: () => Promise.reject(away()) } });
    const refused = send(stuck, device, { a: 1 });
    const result = expect(refused).rejects.toThrow("ECONNREFUSED");
    await stuck.stop();
    await result;
    await expect(send(stuck, device, { a: 1 })).rejects.toThrow("stopping");

    const ingest = openIngest();
    const sent = Array.from({ length: 5000 }, (_, n) => send(ingest, device, { ts: now - n, values: { n } }));
    // The keys of a device are looked up once, so this message must have started its look-up.
    await sent[0];
    const rest = Promise.all(sent);
    await ingest.stop();
    await rest;
    expect(await rowsOf(device)).toHaveLength(5000);
  });

  test("a listener that fails does not make committed rows look uncommitted", async () => {
    const ingest = openIngest({
      onStored: () => {
        throw new Error("a stream broke");
      },
    });
    await send(ingest, device, { a: 1 });
    expect(await rowsOf(device)).toHaveLength(1);
    expect(ingest.faults).toHaveLength(1);
  });
});
