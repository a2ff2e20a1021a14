import { deviceKinds } from "@herdwise/device-kinds";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { InsertedDevice } from "../../../../../tests/faults/devices.ts";
import { createTestDatabase, type TestDatabase } from "../../../../../tests/harness/database.ts";
import { boundDevice, logOf, type Message, random, scattered } from "../../../../../tests/harness/recordings.ts";
import { volume } from "../../../../../tests/harness/volume.ts";
import { memoryBus } from "../../providers/bus.ts";
import { createSnowflake } from "../../snowflake.ts";
import { systemScope } from "../../tenant-scope.ts";
import { recentRepository, telemetryRepository } from "../telemetry/index.ts";
import { alarmLogRepository } from "./alarm-log.repository.ts";
import { createFollower, type Follower } from "./follower.service.ts";
import { createJournal, type Journal } from "./journal.service.ts";

const scope = systemScope("a test of what devices send");
const nextId = createSnowflake(7);
const minuteMs = 60_000;
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase(8);
});
afterAll(() => db.drop());
const bound = (): Promise<InsertedDevice> => boundDevice(db, nextId);

interface Server {
  follower: Follower;
  journal: Journal;
  faults: unknown[];
}

/** @param onRecounted runs when a device is judged from what is stored, before it is taken up */
function openServer(now: () => number, onRecounted?: () => void): Server {
  const faults: unknown[] = [];
  const onError = (error: unknown) => void faults.push(error);
  const { kysely } = db.database;
  const journal = createJournal({
    inTransaction: (work) =>
      kysely
        .transaction()
        .execute((transaction) =>
          work({ log: alarmLogRepository(transaction, scope), announce: async () => undefined }),
        ),
    bus: memoryBus(),
    nextId,
    onError,
  });
  const follower = createFollower({
    log: alarmLogRepository(kysely, scope),
    recent: recentRepository(kysely, scope),
    now,
    rulesOf: ({ kind }) => deviceKinds[kind].alarmRules,
    maskedAt: () => false,
    onChanges: journal.add,
    async onRecount(found) {
      const forgotten = await journal.recount(found);
      onRecounted?.();
      return forgotten;
    },
    settled: journal.settled,
    onTaken: () => undefined,
    onError,
  });
  return { follower, journal, faults };
}

/** Hours of a controller whose values cross limits back and forth. */
function recording(seed: number, beginMs: number, minutes: number): Message[] {
  const next = random(seed);
  let [gas, mains, temperature] = [3, true, 24];
  return Array.from({ length: minutes }, (_, minute) => {
    gas = Math.max(0, Math.min(20, gas + (next() - 0.5) * 8));
    temperature = Math.max(18, Math.min(34, temperature + (next() - 0.48) * 3));
    if (next() < 0.1) mains = !mains;
    const t_in = Math.round(temperature * 10) / 10;
    return {
      atMs: beginMs + minute * minuteMs,
      values: {
        t_in,
        t_target: 22,
        rh: 70,
        h2s: Math.round(gas * 10) / 10,
        mains,
        mode: "normal",
        pigs: 400,
        co2: 1500,
      },
    };
  });
}

/** Sends messages as they arrive; the clock looks in between. @param restarts a new server takes over after each of so many messages */
async function play(
  device: InsertedDevice,
  arrivals: readonly { arrivesMs: number; message: Message }[],
  endMs: number,
  restarts = 0,
): Promise<void> {
  let nowMs = 0;
  const telemetry = telemetryRepository(db.database, scope);
  let server = openServer(() => nowMs);
  for (const [index, { arrivesMs, message }] of arrivals.entries()) {
    nowMs = arrivesMs;
    await server.follower.look();
    await server.follower.idle();
    const rows = [{ at: message.atMs * 1000, values: message.values, clockSkew: false }];
    const reading = { readings: {}, oldestAt: message.atMs * 1000, newestAt: message.atMs * 1000, onlineUntil: nowMs };
    const [known] = await telemetry.addKeys([{ deviceId: device.id, keys: Object.keys(message.values) }]);
    const numbers = new Map(known?.keys.map((key, number) => [key, number]));
    await telemetry.store([{ deviceId: device.id, rows, numbers }], [{ deviceId: device.id, ...reading }]);
    // A server that dies between the commit and the judgement has judged nothing.
    if (restarts > 0 && index % restarts === restarts - 1) {
      server = openServer(() => nowMs);
      await server.follower.takeUp();
      await server.follower.idle();
      await server.journal.settled();
      continue;
    }
    server.follower.stored([{ deviceId: device.id, tenantId: device.tenantId, rows, ...reading }]);
    await server.follower.idle();
    await server.journal.settled();
    expect(server.faults).toEqual([]);
  }
  nowMs = endMs;
  await server.follower.look();
  await server.follower.idle();
  await server.journal.settled();
  await server.follower.stop();
}

const runs = volume({ short: 2, long: 40 });
const minutes = 60;
/** A whole hour, so that a run does not depend on when it begins. */
const beginMs = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 4 * 3_600_000;
const endMs = beginMs + (minutes + 5) * minuteMs;

test(`${runs} recordings raise and clear the same in order, scattered and doubled, and across servers that die`, async () => {
  const telemetry = telemetryRepository(db.database, scope);
  for (const day of [beginMs, endMs, Date.now()])
    await telemetry.createPartition(new Date(day).toISOString().slice(0, 10));
  let alarms = 0;
  for (let seed = 1; seed <= runs; seed += 1) {
    const messages = recording(seed, beginMs, minutes);
    const [ordered, disordered, killed] = [await bound(), await bound(), await bound()];
    await play(
      ordered,
      messages.map((message) => ({ arrivesMs: message.atMs, message })),
      endMs,
    );
    await play(disordered, scattered(messages, seed), endMs);
    await play(killed, scattered(messages, seed + 1000), endMs, 7);
    const expected = await logOf(db, ordered);
    alarms += expected.length;
    expect(await logOf(db, disordered), `scattered, seed ${seed}`).toEqual(expected);
    expect(await logOf(db, killed), `killed, seed ${seed}`).toEqual(expected);
  }
  // A recording without alarms would prove nothing.
  expect(alarms).toBeGreaterThan(runs * 5);
});

/** Two messages of a device with hydrogen sulfide in between, which raise an alarm 20 s before a time, stored by a server. */
async function storeGas(device: InsertedDevice, nowMs: number) {
  const telemetry = telemetryRepository(db.database, scope);
  const rows = [80_000, 1000].map((agoMs) => ({
    at: (nowMs - agoMs) * 1000,
    values: { t_in: 22, t_target: 22, rh: 65, co2: 1500, mains: true, mode: "normal", pigs: 400, h2s: 12 },
    clockSkew: false,
  }));
  const [known] = await telemetry.addKeys([{ deviceId: device.id, keys: Object.keys(rows[0]?.values ?? {}) }]);
  const numbers = new Map(known?.keys.map((key, number) => [key, number]));
  await telemetry.createPartition(new Date(nowMs).toISOString().slice(0, 10));
  const reading = {
    readings: {},
    oldestAt: rows[0]?.at ?? 0,
    newestAt: rows[1]?.at ?? 0,
    onlineUntil: nowMs + 300_000,
  };
  await telemetry.store([{ deviceId: device.id, rows, numbers }], [{ deviceId: device.id, ...reading }]);
  return { deviceId: device.id, tenantId: device.tenantId, rows, ...reading };
}

const judged = async ({ follower, journal, faults }: Server): Promise<void> => {
  await follower.idle();
  await journal.settled();
  expect(faults).toEqual([]);
};

for (const tookMs of [20_000, 50_000]) {
  test(`what another server stored and did not judge before it died is judged by one that takes over after ${tookMs / 1000} s`, async () => {
    const diedMs = Date.now();
    let nowMs = diedMs;
    const device = await bound();
    const server = openServer(() => nowMs);
    await server.follower.takeUp();
    await server.follower.idle();
    await storeGas(device, diedMs);
    await server.follower.look();
    await judged(server);
    expect(await logOf(db, device)).toEqual([]);
    nowMs = diedMs + tookMs;
    await server.follower.takeOver();
    await judged(server);
    const [danger] = await logOf(db, device, "hydrogen_sulfide_danger");
    expect(danger).toContain(new Date(diedMs - 20_000).toISOString().slice(11, 23));
    await server.follower.stop();
  });

  test(`an alarm of a server that died before it kept anything is not raised again by another one ${tookMs / 1000} s later`, async () => {
    const diedMs = Date.now();
    let nowMs = diedMs;
    const device = await bound();
    const [dying, other] = [openServer(() => nowMs), openServer(() => nowMs)];
    for (const { follower } of [dying, other]) {
      await follower.takeUp();
      await follower.idle();
    }
    dying.follower.stored([await storeGas(device, diedMs)]);
    await judged(dying);
    const alarms = async () =>
      (
        await db.database.pool.query(
          "select raised_at, ended_at, late, withdrawn from alarms where device_id = $1 and rule_id = 'hydrogen_sulfide_danger'",
          [device.id],
        )
      ).rows;
    const raised = [{ raised_at: new Date(diedMs - 20_000), ended_at: null, late: false, withdrawn: false }];
    expect(await alarms()).toEqual(raised);
    // Its next message goes to the other one.
    nowMs = diedMs + tookMs;
    const at = nowMs - 1000;
    const values = { h2s: 12 };
    const telemetry = telemetryRepository(db.database, scope);
    const [known] = await telemetry.addKeys([{ deviceId: device.id, keys: ["h2s"] }]);
    const rows = [{ at: at * 1000, values, clockSkew: false }];
    const reading = { readings: {}, oldestAt: at * 1000, newestAt: at * 1000, onlineUntil: nowMs + 300_000 };
    const numbers = new Map(known?.keys.map((key, number) => [key, number]));
    await telemetry.store([{ deviceId: device.id, rows, numbers }], [{ deviceId: device.id, ...reading }]);
    other.follower.stored([{ deviceId: device.id, tenantId: device.tenantId, rows, ...reading }]);
    await judged(other);
    nowMs += 70_000;
    await other.follower.look();
    await judged(other);
    expect(await alarms()).toEqual(raised);
    await other.follower.stop();
  });
}

test("what comes late while its device waits to be taken up is in the log; of what nobody has, nothing waits", async () => {
  const telemetry = telemetryRepository(db.database, scope);
  const nowMs = Date.now();
  const [device, unknown] = [await bound(), await bound()];
  await db.database.pool.query("update devices set farm_id = null, bound_at = null where id = $1", [unknown.id]);
  const server = openServer(() => nowMs);
  await server.follower.takeUp();
  await server.follower.idle();
  const rowOf = (agoMs: number, h2s: number) => ({
    at: (nowMs - agoMs) * 1000,
    values: { t_in: 22, t_target: 22, rh: 65, co2: 1500, mains: true, mode: "normal", pigs: 400, h2s },
    clockSkew: false,
  });
  const current = [rowOf(5000, 3)];
  const late = [50, 49, 48, 47].map((minutesAgo) => rowOf(minutesAgo * minuteMs, 12));
  const rows = [...late, ...current];
  for (const { at } of rows) await telemetry.createPartition(new Date(at / 1000).toISOString().slice(0, 10));
  const came: (() => void)[] = [];
  for (const { id, tenantId } of [unknown, device]) {
    const [known] = await telemetry.addKeys([{ deviceId: id, keys: Object.keys(rows[0]?.values ?? {}) }]);
    const numbers = new Map(known?.keys.map((key, number) => [key, number]));
    const reading = {
      readings: {},
      oldestAt: late[0]?.at ?? 0,
      newestAt: current[0]?.at ?? 0,
      onlineUntil: nowMs + 300_000,
    };
    await telemetry.store([{ deviceId: id, rows, numbers }], [{ deviceId: id, ...reading }]);
    for (const part of [current, late]) {
      came.push(() => server.follower.stored([{ deviceId: id, tenantId, rows: part, ...reading }]));
    }
  }
  // While the first device is taken up, all of the second one's messages come.
  for (const arrive of came) arrive();
  await server.follower.idle();
  await server.journal.settled();
  const { rows: logged } = await db.database.pool.query("select rule_id from alarms where device_id = $1 and late", [
    device.id,
  ]);
  expect(logged).toEqual([{ rule_id: "hydrogen_sulfide_danger" }]);
  expect(await logOf(db, device)).toEqual([]);
  expect(server.follower.ready()).toBeUndefined();
  expect(server.faults).toEqual([]);
  await server.follower.stop();
});

test("what comes late while its device is taken up is judged before what comes behind it", async () => {
  const nowMs = Date.now();
  const device = await bound();
  const arrive = (minutesAgo: number) => {
    const at = (nowMs - minutesAgo * minuteMs) * 1000;
    const rows = [{ at, values: { t_in: 22, mode: "normal", pigs: 400, h2s: 12 }, clockSkew: false }];
    const reading = { readings: {}, oldestAt: at, newestAt: at, onlineUntil: nowMs + 300_000 };
    server.follower.stored([{ deviceId: device.id, tenantId: device.tenantId, rows, ...reading }]);
  };
  const server = openServer(
    () => nowMs,
    () => arrive(49),
  );
  await server.follower.takeUp();
  arrive(50);
  await server.follower.idle();
  await server.journal.settled();
  const { rows } = await db.database.pool.query(
    "select round(extract(epoch from raised_at) * 1000)::float8 as ms, late from alarms where device_id = $1",
    [device.id],
  );
  expect(rows).toEqual([{ ms: nowMs - 49 * minuteMs, late: true }]);
  expect(server.faults).toEqual([]);
  await server.follower.stop();
});
