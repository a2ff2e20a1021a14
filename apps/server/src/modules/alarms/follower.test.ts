import { type DeviceKindId, deviceKinds } from "@herdwise/device-kinds";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { InsertedDevice } from "../../../../../tests/faults/devices.ts";
import { createTestDatabase, type TestDatabase } from "../../../../../tests/harness/database.ts";
import { boundDevice, logOf, type Message, random, scattered } from "../../../../../tests/harness/recordings.ts";
import { volume } from "../../../../../tests/harness/volume.ts";
import { memoryBus } from "../../providers/bus.ts";
import { createSnowflake } from "../../snowflake.ts";
import { systemScope } from "../../tenant-scope.ts";
import {
  type EventRow,
  recentRepository,
  type StoredReadings,
  telemetryRepository,
  utcDay,
} from "../telemetry/index.ts";
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
const bound = (kind?: DeviceKindId): Promise<InsertedDevice> => boundDevice(db, nextId, kind);

/** Stores messages of a device, oldest first, as the ingest does, and returns what a follower is told. */
async function store(
  { id: deviceId, tenantId }: InsertedDevice,
  messages: readonly Message[],
  nowMs: number,
): Promise<StoredReadings> {
  const telemetry = telemetryRepository(db.database, scope);
  const rows = messages.map(({ atMs, values }) => ({ at: atMs * 1000, values, clockSkew: false }));
  for (const day of new Set(messages.map(({ atMs }) => utcDay(atMs)))) await telemetry.createPartition(day);
  const keys = [...new Set(messages.flatMap(({ values }) => Object.keys(values)))];
  const [known] = await telemetry.addKeys([{ deviceId, keys }]);
  const numbers = new Map(known?.keys.map((key, number) => [key, number]));
  const reading = {
    readings: {},
    oldestAt: rows[0]?.at ?? 0,
    newestAt: rows.at(-1)?.at ?? 0,
    onlineUntil: nowMs + 300_000,
  };
  await telemetry.store([{ deviceId, rows, numbers }], [{ deviceId, ...reading }]);
  return { deviceId, tenantId, rows, ...reading };
}

/** Readings of an environment controller without any fault. */
const calm = { t_in: 22, t_target: 22, rh: 65, co2: 1500, mains: true, mode: "normal", pigs: 400 };

interface Server {
  follower: Follower;
  journal: Journal;
  faults: unknown[];
}

/** @param onRecounted runs after a device is judged from stored data, and before it counts as loaded */
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

/** Hours of a controller whose values cross limits in both directions. */
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

const runs = volume({ short: 2, long: 40 });
const minutes = 60;
/** A full hour, so that a run does not depend on its start time. */
const beginMs = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 4 * 3_600_000;

/** A message or event that a device sent. */
type Sent = Message | { atMs: number; event: EventRow };

/** Hours of a bathroom: values that cross limits, events, and gaps in which durations end and silence grows. */
function eventfulRecording(seed: number, beginMs: number, minutes: number): Sent[] {
  const next = random(seed);
  const sent: Sent[] = [];
  let [water, tank] = [40, 20];
  for (let atMs = beginMs; atMs < beginMs + minutes * minuteMs; ) {
    water = Math.max(30, Math.min(52, water + (next() - 0.5) * 8));
    tank = Math.max(5, Math.min(40, tank + (next() - 0.5) * 10));
    const [door_a, door_b] = [next() < 0.3, next() < 0.3];
    const values = { water_t: Math.round(water), tank: Math.round(tank), flow: 5, disinfectant: 50, door_a, door_b };
    sent.push({ atMs, values: { ...values, occupied_s: next() < 0.1 ? 2500 : 60, room_t: 24, tank_t: 50 } });
    if (next() < 0.3) {
      const ts = atMs + 1000 + Math.floor(next() * 20_000);
      const type = ["bypass", "unknown_person", "quarantine_breach"][Math.floor(next() * 3)] ?? "";
      sent.push({ atMs: ts, event: { type, eventId: String(ts), ts, body: {} } });
    }
    atMs += next() < 0.1 ? Math.floor(next() * 20) * minuteMs + minuteMs : minuteMs;
  }
  return sent;
}

/** Random disturbances while a device sends. */
interface Disturbance {
  next: () => number;
  /** Whether rules change, too. Earlier results stay as they were, so only ordered data gives the same log. */
  retakes: boolean;
}

/**
 * Sends a recording in the order of arrival, with a look by the clock before each message.
 * @param disturbance looks by the clock, and servers that die and are replaced
 * @returns the device's log; the device is unbound afterwards, so that servers of later runs don't load it
 */
async function play(
  device: InsertedDevice,
  arrivals: readonly { arrivesMs: number; message: Sent }[],
  endMs: number,
  disturbance?: Disturbance,
): Promise<string[]> {
  let nowMs = arrivals[0]?.arrivesMs ?? 0;
  let server = openServer(() => nowMs);
  const takeOver = async () => {
    server = openServer(() => nowMs);
    await server.follower.takeUp();
    await judged(server);
  };
  const disturb = async ({ next, retakes }: Disturbance, untilMs: number) => {
    while (next() < 0.4) {
      nowMs += Math.floor(next() * (untilMs - nowMs));
      if (next() < 0.3) await takeOver();
      else if (retakes && next() < 0.6) server.follower.forgetTenant(device.tenantId);
      else await server.follower.look();
      await judged(server);
    }
  };
  const telemetry = telemetryRepository(db.database, scope);
  for (const { arrivesMs, message } of arrivals) {
    if (disturbance) await disturb(disturbance, arrivesMs);
    nowMs = arrivesMs;
    await server.follower.look();
    await judged(server);
    // A server that dies between the commit and the judgement has judged nothing.
    const dies = disturbance !== undefined && disturbance.next() < 0.1;
    if ("event" in message) {
      await telemetry.insertEvents(device.id, [message.event]);
      if (!dies) server.follower.events(device.id, [message.event]);
    } else {
      const stored = await store(device, [message], nowMs);
      if (!dies) server.follower.stored([stored]);
    }
    if (dies) await takeOver();
    await judged(server);
  }
  if (disturbance) await disturb(disturbance, endMs);
  nowMs = endMs;
  await server.follower.look();
  await judged(server);
  await server.follower.stop();
  await db.database.pool.query("update devices set farm_id = null, bound_at = null where id = $1", [device.id]);
  return logOf(db, device);
}

const recordings: Record<string, { kind: DeviceKindId; record: (...of: Parameters<typeof recording>) => Sent[] }> = {
  "of a controller": { kind: "environment", record: recording },
  "of a bathroom, with events and pauses,": { kind: "bathroom", record: eventfulRecording },
};

for (const [what, { kind, record }] of Object.entries(recordings)) {
  test(`${runs} recordings ${what} raise and clear the same in order, scattered and doubled, while rules change and servers die`, async () => {
    let alarms = 0;
    for (let seed = 1; seed <= runs; seed += 1) {
      const sent = record(seed, beginMs, minutes);
      const endMs = (sent.at(-1)?.atMs ?? beginMs) + 30 * minuteMs;
      const inOrder = sent.map((message) => ({ arrivesMs: message.atMs, message }));
      const expected = await play(await bound(kind), inOrder, endMs);
      alarms += expected.length;
      const plays: [how: string, arrivals: typeof inOrder, disturbance?: Disturbance][] = [
        ["scattered", scattered(sent, seed)],
        ["killed", scattered(sent, seed + 1000), { next: random(seed + 1000), retakes: false }],
        ["retaken", inOrder, { next: random(seed + 2000), retakes: true }],
      ];
      for (const [how, arrivals, disturbance] of plays) {
        const log = await play(await bound(kind), arrivals, endMs, disturbance);
        expect(log, `${how}, seed ${seed}`).toEqual(expected);
      }
    }
    // A recording without alarms would prove nothing.
    expect(alarms).toBeGreaterThan(runs * 5);
  });
}

/** Stores two messages with hydrogen sulfide that raise an alarm 20 s before a time. */
const storeGas = (device: InsertedDevice, nowMs: number): Promise<StoredReadings> =>
  store(
    device,
    [80_000, 1000].map((agoMs) => ({ atMs: nowMs - agoMs, values: { ...calm, h2s: 12 } })),
    nowMs,
  );

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
    // Its next message goes to the other server.
    nowMs = diedMs + tookMs;
    other.follower.stored([await store(device, [{ atMs: nowMs - 1000, values: { h2s: 12 } }], nowMs)]);
    await judged(other);
    nowMs += 70_000;
    await other.follower.look();
    await judged(other);
    expect(await alarms()).toEqual(raised);
    await other.follower.stop();
  });
}

test("what comes late while its device waits to be taken up is in the log; of what nobody has, nothing waits", async () => {
  const nowMs = Date.now();
  const [device, unknown] = [await bound(), await bound()];
  await db.database.pool.query("update devices set farm_id = null, bound_at = null where id = $1", [unknown.id]);
  const server = openServer(() => nowMs);
  await server.follower.takeUp();
  await server.follower.idle();
  const messageOf = (agoMs: number, h2s: number) => ({ atMs: nowMs - agoMs, values: { ...calm, h2s } });
  const late = [50, 49, 48, 47].map((minutesAgo) => messageOf(minutesAgo * minuteMs, 12));
  const came: (() => void)[] = [];
  for (const of of [unknown, device]) {
    const stored = await store(of, [...late, messageOf(5000, 3)], nowMs);
    for (const rows of [stored.rows.slice(-1), stored.rows.slice(0, -1)])
      came.push(() => server.follower.stored([{ ...stored, rows }]));
  }
  // While the first device is loaded, all messages of the second one arrive.
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

test("an alarm of readings that cannot be read quotes them while its device is followed", async () => {
  let nowMs = Date.now() - 10 * minuteMs;
  const device = await bound();
  const server = openServer(() => nowMs);
  await server.follower.takeUp();
  server.follower.stored([await store(device, [{ atMs: nowMs, values: calm }], nowMs)]);
  await judged(server);
  const { t_in: _unread, ...values } = calm;
  const rejected = { t_in: { reason: "type", text: '"36,5"' } } as const;
  for (let minute = 0; minute < 4; minute += 1) {
    nowMs += minuteMs;
    const stored = await store(device, [{ atMs: nowMs, values }], nowMs);
    server.follower.stored([{ ...stored, rows: stored.rows.map((row) => ({ ...row, rejected })) }]);
    await judged(server);
  }
  const { rows } = await db.database.pool.query(
    "select facts from alarms where device_id = $1 and rule_id = 'temperature_unknown'",
    [device.id],
  );
  expect(rows).toEqual([{ facts: { key: "t_in", fields: rejected.t_in } }]);
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

const allOf = async (device: InsertedDevice) =>
  (
    await db.database.pool.query(
      `select rule_id as rule, round(extract(epoch from raised_at) * 1000)::float8 as ms, withdrawn, ended_at is null as open
         from alarms where device_id = $1 order by raised_at`,
      [device.id],
    )
  ).rows;

/** Reasons for a server to load a device again, with its state. */
const retakes: Record<string, (server: Server, device: InsertedDevice, open: () => Server) => Promise<Server>> = {
  "its farm changes a rule": async (server, { tenantId }) => {
    server.follower.forgetTenant(tenantId);
    await judged(server);
    return server;
  },
  "late data came and another server takes over": async (server, device, open) => {
    const late = { atMs: Date.now() - 60 * minuteMs, values: { t_in: 22 } };
    server.follower.stored([await store(device, [late], Date.now())]);
    await judged(server);
    await server.follower.look();
    const other = open();
    await other.follower.takeUp();
    await judged(other);
    return other;
  },
};

for (const [what, retake] of Object.entries(retakes)) {
  test(`what only the passing of time raised stays when ${what} before the next message`, async () => {
    const sinceMs = Date.now() - 11 * minuteMs;
    let nowMs = sinceMs;
    const device = await bound();
    const hot = { ...calm, t_in: 36, t_target: 36, rh: 80 };
    const server = openServer(() => nowMs);
    await server.follower.takeUp();
    for (; nowMs < sinceMs + 10 * minuteMs; nowMs += minuteMs) {
      server.follower.stored([await store(device, [{ atMs: nowMs, values: hot }], nowMs)]);
      await judged(server);
    }
    const emergencies = async () => (await allOf(device)).filter(({ rule }) => rule === "heat_emergency");
    expect(await emergencies()).toEqual([]);
    nowMs += 1000;
    await server.follower.look();
    await judged(server);
    const expected = [{ rule: "heat_emergency", ms: sinceMs + 10 * minuteMs, withdrawn: false, open: true }];
    expect(await emergencies()).toEqual(expected);
    const holder = await retake(server, device, () => openServer(() => nowMs));
    expect(await emergencies()).toEqual(expected);
    // The next message shows the same fault, which must not be raised a second time.
    holder.follower.stored([await store(device, [{ atMs: nowMs, values: hot }], nowMs)]);
    await judged(holder);
    expect(await emergencies()).toEqual(expected);
    await holder.follower.stop();
  });

  test(`what an event raised stays when ${what} before the next message`, async () => {
    let nowMs = Date.now();
    const device = await bound("bathroom");
    const server = openServer(() => nowMs);
    await server.follower.takeUp();
    server.follower.stored([await store(device, [{ atMs: nowMs - 5000, values: { t_in: 22 } }], nowMs)]);
    await judged(server);
    const atMs = nowMs - 1000;
    const event = { type: "bypass", eventId: "1", ts: atMs, body: {} };
    await telemetryRepository(db.database, scope).insertEvents(device.id, [event]);
    server.follower.events(device.id, [event]);
    await judged(server);
    const bypasses = async () => (await allOf(device)).filter(({ rule }) => rule === "bypass");
    const expected = [{ rule: "bypass", ms: atMs, withdrawn: false, open: true }];
    expect(await bypasses()).toEqual(expected);
    nowMs += 1000;
    const holder = await retake(server, device, () => openServer(() => nowMs));
    expect(await bypasses()).toEqual(expected);
    // It ends at its time, as if nothing had happened in between.
    nowMs += 10 * minuteMs;
    await holder.follower.look();
    await judged(holder);
    expect(await bypasses()).toEqual([{ ...expected[0], open: false }]);
    await holder.follower.stop();
  });
}

test("a device is judged again once after its row was changed", async () => {
  let [nowMs, recounts] = [Date.now(), 0];
  const device = await bound();
  const { follower, journal, faults } = openServer(
    () => nowMs,
    () => {
      recounts += 1;
    },
  );
  const look = async () => {
    nowMs += 31_000;
    await follower.look();
    await follower.idle();
  };
  follower.stored([await store(device, [{ atMs: nowMs, values: calm }], nowMs)]);
  await follower.idle();
  for (let turn = 0; turn < 3; turn += 1) await look();
  expect(recounts).toBe(1);
  await db.database.pool.query("update devices set updated_at = $2 where id = $1", [device.id, new Date(nowMs)]);
  for (let turn = 0; turn < 3; turn += 1) await look();
  expect(recounts).toBe(2);
  expect(faults).toEqual([]);
  await journal.settled();
});
