import { alarmRuleOf, deviceKinds, kindOfGroup, type OwnRule } from "@herdwise/device-kinds";
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
import { groupRuleRepository } from "./group-rule.repository.ts";
import { createGroupRules, type GroupRule, reachOfParts } from "./group-rules.service.ts";
import { createJournal } from "./journal.service.ts";

const scope = systemScope("a test of what devices send");
const nextId = createSnowflake(9);
const minuteMs = 60_000;
const minutes = 45;
const runs = volume({ short: 2, long: 60 });
/** A full hour, so that a run does not depend on its start time. */
const beginMs = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 4 * 3_600_000;
const endMs = beginMs + (minutes + 10) * minuteMs;
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase(8);
  const telemetry = telemetryRepository(db.database, scope);
  for (const day of [beginMs, endMs, Date.now()])
    await telemetry.createPartition(new Date(day).toISOString().slice(0, 10));
});
afterAll(() => db.drop());

interface Sent extends Message {
  device: number;
}

/**
 * Ammonia of one controller and a pump of another, each of which crosses its limit in both directions; some messages are lost.
 */
function recording(seed: number): Sent[] {
  const next = random(seed);
  let [gas, pump, level] = [20, true, 50];
  const sent: Sent[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    gas = Math.max(0, Math.min(60, gas + (next() - 0.5) * 25));
    level = Math.max(0, Math.min(100, level + (next() - 0.5) * 30));
    if (next() < 0.15) pump = !pump;
    const atMs = beginMs + minute * minuteMs;
    if (next() > 0.05) sent.push({ device: 0, atMs, values: { nh3: Math.round(gas * 10) / 10, mode: "normal" } });
    // At the same time in a third of the minutes, otherwise some seconds later.
    const apart = next() < 0.33 ? 0 : Math.floor(next() * 50_000);
    if (next() > 0.1)
      sent.push({ device: 1, atMs: atMs + apart, values: { mains: pump, rh: Math.round(level * 10) / 10 } });
  }
  return sent.toSorted((a, b) => a.atMs - b.atMs);
}

/** Rules that read both devices. */
const rules = (otherId: string): OwnRule[] => [
  {
    joint: "all",
    parts: [
      { type: "compare", key: "nh3", op: "gt", value: 20 },
      { type: "compare", deviceId: otherId, key: "mains", op: "eq", value: false },
    ],
  },
  {
    joint: "any",
    parts: [
      { type: "compare", key: "nh3", op: "gt", value: 45 },
      { type: "change", deviceId: otherId, key: "rh", windowS: 600, op: "gt", value: 40 },
      { type: "absent", deviceId: otherId, key: "rh", afterS: 150 },
    ],
  },
];

/** Stores the first version of a rule, because its state refers to it. */
async function written(devices: readonly InsertedDevice[], number: number): Promise<GroupRule> {
  const [own, other] = devices as [InsertedDevice, InsertedDevice];
  const id = nextId();
  const said = rules(other.id)[number] as OwnRule;
  await db.database.pool.query(
    `insert into own_alarm_rule_versions (id, tenant_id, rule_id, enabled, name, kind, scope, scope_id, severity, raise_after_s, clear_after_s, rule)
     values ($1, $2, $1, true, 'rule', 'environment', 'device', $3, 2, 60, 60, $4)`,
    [id, own.tenantId, own.id, JSON.stringify(said)],
  );
  const kind = kindOfGroup(deviceKinds.environment, new Map([[other.id, deviceKinds.environment]]));
  const rule = alarmRuleOf(kind, {
    ...said,
    id: `own-${id}`,
    name: "rule",
    severity: "MINOR",
    raiseAfterS: 60,
    clearAfterS: 60,
  });
  return {
    id,
    versionId: id,
    tenantId: own.tenantId,
    deviceId: own.id,
    otherIds: [other.id],
    kind,
    rule,
    reachMs: reachOfParts(said.parts),
  };
}

function openServer(now: () => number, rule: GroupRule) {
  const faults: unknown[] = [];
  const onError = (error: unknown) => void faults.push(error);
  const { kysely } = db.database;
  const held = new Map([[rule.id, rule]]);
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
  const group = createGroupRules({
    log: alarmLogRepository(kysely, scope),
    recent: recentRepository(kysely, scope),
    rules: () => held,
    maskedAt: () => false,
    recount: journal.recount,
    tellLate: journal.add,
    inTransaction: (work) =>
      kysely.transaction().execute((transaction) => work(groupRuleRepository(transaction, scope))),
    now,
    onError,
  });
  return { group, journal, faults };
}

/**
 * Sends messages in the order of arrival, with looks by the clock in between.
 * @param servers number of servers that take messages in turn and judge them
 * @param restarts after each of this many messages a new server takes over, and the earlier one has not judged the last of them
 */
async function play(
  devices: readonly InsertedDevice[],
  rule: GroupRule,
  arrivals: readonly { arrivesMs: number; message: Sent }[],
  { servers = 1, restarts = 0 }: { servers?: number; restarts?: number } = {},
): Promise<void> {
  let nowMs = beginMs - minuteMs;
  const open = () => openServer(() => nowMs, rule);
  let running = Array.from({ length: servers }, open);
  // The rule is in force before the first message.
  for (const { group } of running) await group.look();
  for (const [index, { arrivesMs, message }] of arrivals.entries()) {
    // Looks by the clock where they make a difference: soon after a message, and just before the next.
    for (const atMs of [nowMs + 1000, arrivesMs - 1]) {
      nowMs = Math.max(nowMs, Math.min(atMs, arrivesMs - 1));
      for (const { group } of running) await group.look();
    }
    nowMs = arrivesMs;
    const told = await kept(devices, message, nowMs);
    if (restarts > 0 && index % restarts === restarts - 1) {
      running = [open()];
      continue;
    }
    const taker = running[message.device % running.length] as (typeof running)[number];
    taker.group.stored([told]);
  }
  for (; nowMs < endMs; nowMs += 5000) for (const { group } of running) await group.look();
  for (const { group, journal, faults } of running) {
    await journal.settled();
    expect(faults).toEqual([]);
    await group.stop();
  }
}

const pair = async (): Promise<InsertedDevice[]> => [await boundDevice(db, nextId), await boundDevice(db, nextId)];

test(`${runs} recordings of two devices raise and clear the same in order, scattered and doubled, on two servers and across servers that die`, async () => {
  let alarms = 0;
  for (let seed = 1; seed <= runs; seed += 1) {
    const messages = recording(seed);
    const logs: string[][] = [];
    const late = (add: number) => scattered(messages, seed + add);
    const ways = [
      { arrivals: messages.map((message) => ({ arrivesMs: message.atMs, message })), options: {} },
      { arrivals: late(0), options: {} },
      { arrivals: late(500), options: { servers: 2 } },
      { arrivals: late(1000), options: { restarts: 7 } },
    ];
    for (const { arrivals, options } of ways) {
      const devices = await pair();
      const rule = await written(devices, seed % 2);
      await play(devices, rule, arrivals, options);
      logs.push((await logOf(db, devices[0] as InsertedDevice)).map((line) => line.replace(/^own-\d+ /, "")));
    }
    for (const log of logs.slice(1)) expect(log, `seed ${seed}`).toEqual(logs[0]);
    alarms += logs[0]?.length ?? 0;
  }
  // Recordings without alarms would prove nothing. The number depends only on the seeds: 6 alarms in the first two, 114 in
  // sixty; either rule alone has fewer than this.
  expect(alarms).toBeGreaterThan(runs * 1.5);
});

test("what comes later than two reports changes no alarm, and the log says what it would have raised: also when nothing came for a while, and before it is settled", async () => {
  const devices = await pair();
  const rule = await written(devices, 0);
  // Both are cut off from minute 12 to 20, and afterwards report that the condition held throughout.
  const sent = Array.from({ length: 30 }, (_, minute) => {
    const cutOff = minute >= 12 && minute < 20;
    const atMs = beginMs + minute * minuteMs;
    const arrivesMs = cutOff && minute < 17 ? beginMs + 20 * minuteMs : atMs;
    const messages: Sent[] = [
      { device: 0, atMs, values: { nh3: 30 } },
      { device: 1, atMs: atMs + 5000, values: { mains: !cutOff } },
    ];
    return cutOff && minute >= 17 ? [] : messages.map((message) => ({ arrivesMs: arrivesMs + 6000, message }));
  });
  await play(
    devices,
    rule,
    sent.flat().toSorted((a, b) => a.arrivesMs - b.arrivesMs),
  );
  expect(await logOf(db, devices[0] as InsertedDevice)).toEqual([]);
  const { rows } = await db.database.pool.query(
    "select (extract(epoch from raised_at) * 1000)::float8 as raised, rule_id, withdrawn, device_id from alarms where late and device_id = any($1)",
    [devices.map(({ id }) => id)],
  );
  // Both conditions held from minute 12 on, and the rule requires one minute.
  expect(rows).toEqual([
    { raised: beginMs + 13 * minuteMs + 5000, rule_id: rule.rule.id, withdrawn: false, device_id: rule.deviceId },
  ]);
});

test("late data of a time in which the alarm was open anyway tells nothing", async () => {
  const devices = await pair();
  const rule = await written(devices, 0);
  // The second is cut off from minute 2 to 5 and from 12 to 16; the alarm is open from minute 6 to 25.
  const sent = Array.from({ length: 30 }, (_, minute) => {
    const isWrong = minute >= 5 && minute < 25;
    const isCutOff = (minute >= 2 && minute < 5) || (minute >= 12 && minute < 16);
    const atMs = beginMs + minute * minuteMs;
    const messages: Sent[] = [
      { device: 0, atMs, values: { nh3: 30 } },
      { device: 1, atMs: atMs + 5000, values: { mains: !isWrong } },
    ];
    return messages.map((message) => ({
      arrivesMs: 6000 + (message.device === 1 && isCutOff ? beginMs + 20 * minuteMs : atMs),
      message,
    }));
  });
  await play(
    devices,
    rule,
    sent.flat().toSorted((a, b) => a.arrivesMs - b.arrivesMs),
  );
  expect(await logOf(db, devices[0] as InsertedDevice)).toHaveLength(1);
  const { rows } = await db.database.pool.query(
    "select (extract(epoch from raised_at) * 1000)::float8 - $2 as raised from alarms where late and device_id = any($1)",
    [devices.map(({ id }) => id), beginMs],
  );
  expect(rows).toEqual([]);
});

/** Too much ammonia at one and loss of the mains at the other, minute by minute. */
const both = (from: number, count: number): { arrivesMs: number; message: Sent }[] =>
  Array.from({ length: count }, (_, minute) => [
    { device: 0, atMs: beginMs + (from + minute) * minuteMs, values: { nh3: 30 } },
    { device: 1, atMs: beginMs + (from + minute) * minuteMs, values: { mains: false } },
  ])
    .flat()
    .map((message) => ({ arrivesMs: message.atMs + 100, message }));

/**
 * Stores a message as the receiving server does.
 * @returns what it tells its followers
 */
async function kept(devices: readonly InsertedDevice[], message: Sent, nowMs: number) {
  const telemetry = telemetryRepository(db.database, scope);
  const device = devices[message.device] as InsertedDevice;
  const rows = [{ at: message.atMs * 1000, values: message.values, clockSkew: false }];
  const reading = { readings: {}, oldestAt: message.atMs * 1000, newestAt: message.atMs * 1000, onlineUntil: nowMs };
  const [known] = await telemetry.addKeys([{ deviceId: device.id, keys: Object.keys(message.values) }]);
  const numbers = new Map(known?.keys.map((key, number) => [key, number]));
  await telemetry.store([{ deviceId: device.id, rows, numbers }], [{ deviceId: device.id, ...reading }]);
  return { deviceId: device.id, tenantId: device.tenantId, rows, ...reading };
}

test.each([
  ["unbound", "bound_at = null, farm_id = null"],
  ["another tenant's", "tenant_id = '900002', farm_id = 900002"],
])("a device that is %s ends the rule's alarm, and is not read any more", async (_name, change) => {
  await db.database.pool.query(
    "insert into tenants (tenant_id, name, type) values ('900002', 'another', 'enterprise') on conflict do nothing",
  );
  await db.database.pool.query(
    "insert into farms (id, tenant_id, code, name, type) values (900002, '900002', 'A', 'another farm', 'commercial') on conflict do nothing",
  );
  const devices = await pair();
  const [, other] = devices as [InsertedDevice, InsertedDevice];
  const rule = await written(devices, 0);
  let nowMs = beginMs - minuteMs;
  const { group, faults } = openServer(() => nowMs, rule);
  await group.look();
  const send = async (arrivals: ReturnType<typeof both>): Promise<void> => {
    for (const { arrivesMs, message } of arrivals) {
      nowMs = arrivesMs;
      group.stored([await kept(devices, message, nowMs)]);
      nowMs += 1000;
      await group.look();
    }
  };
  await send(both(0, 4));
  expect(await logOf(db, devices[0] as InsertedDevice)).toEqual([expect.stringMatching(/open$/)]);
  await db.database.pool.query(`update devices set ${change} where id = $1`, [other.id]);
  await send(both(4, 4));
  const after = await logOf(db, devices[0] as InsertedDevice);
  expect(after).toEqual([expect.not.stringMatching(/open$/)]);
  expect(faults).toEqual([]);
  await group.stop();
});

test("what a server stored and did not judge before it was gone is judged by one that takes over", async () => {
  const devices = await pair();
  const rule = await written(devices, 0);
  let nowMs = beginMs - minuteMs;
  const { group, faults } = openServer(() => nowMs, rule);
  await group.look();
  for (const { arrivesMs, message } of both(0, 4)) {
    nowMs = arrivesMs;
    await kept(devices, message, nowMs);
    await group.look();
  }
  expect(await logOf(db, devices[0] as InsertedDevice)).toEqual([]);
  await group.takeOver();
  await group.look();
  expect(await logOf(db, devices[0] as InsertedDevice)).toEqual([expect.stringMatching(/open$/)]);
  expect(faults).toEqual([]);
  await group.stop();
});
