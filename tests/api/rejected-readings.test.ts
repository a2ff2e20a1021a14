/** Any mix of accepted, rejected, late, doubled and shuffled readings comes to the same as the accepted ones alone. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Device, FarmReport, Job, KindAnalytics, Page, SeriesReply } from "@herdwise/contract";
import { environment, type ReportedValue, verdictsOf } from "@herdwise/device-kinds";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { random } from "../harness/recordings.ts";
import { volume } from "../harness/volume.ts";

const base = "/api/muyuan-iot";
const minuteMs = 60_000;
const minutes = 90;
const probes = ["t_in", "t1", "t2", "t3", "t4"];
const keysSent = [...probes, ..."rh,nh3,h2s,t_target,pigs,gear,water,mains,mode,rssi".split(",")];
/** Sent with each message and never spoilt, so that the device is heard of as often without its rejected readings. */
const heard = "rssi";

let app: TestApp;
let farm: string;
let farmId: string;
let devices: Device[];
/** What live pages are told, by device. */
const live = new Map<string, unknown[]>();

beforeAll(async () => {
  const bus = memoryBus();
  app = await createTestApp({}, { bus });
  bus.subscribe("readings", (changes) => {
    for (const { deviceId, readings } of changes) live.set(deviceId, [...(live.get(deviceId) ?? []), { ...readings }]);
  });
  farm = await app.logIn("farm");
  const path = `${base}/device/page?size=500&kind=environment&name=ENV-ZJY`;
  const records = (await app.get<Page<Device>>(path, farm)).body.data.records;
  farmId = records[0]?.farmId ?? "";
  devices = records.filter((device) => device.farmId === farmId);
  // All of them stand in the same surroundings, which were changed long ago: what was just changed is taken up anew by itself.
  const { pool } = app.test.database;
  await pool.query("update units set updated_at = '2020-01-01'");
  await pool.query(
    `update devices d set house_id = u.house_id, unit_id = u.id, updated_at = '2020-01-01' from units u
      where u.id = $1 and d.id = any($2)`,
    [devices[0]?.unitId, devices.map(({ id }) => id)],
  );
});
afterAll(() => app.close());

type Values = Record<string, unknown>;
interface Sent {
  readonly arrivesMs: number;
  readonly atMs: number;
  readonly accepted: Values;
  /** What is sent beside them, and rejected. */
  readonly rejected: Values;
}

/** What no reading of an ordinary channel may be. */
const spoilt = (type: "number" | "boolean", next: () => number): unknown => {
  const wrong: unknown[] =
    type === "number" ? ["36,5", "ERR", true, { v: 1 }, [1], 65535e9, -1e9] : ["yes", 1, "true", {}, []];
  return wrong[Math.floor(next() * wrong.length)];
};

/** One and a half hours of a house whose values cross limits, of which some readings are spoilt. */
function recording(seed: number, beginMs: number): Sent[] {
  const next = random(seed);
  let [temperature, gas, ammonia, water, mains] = [23, 5, 15, 1000, true];
  const jumps = new Map<string, number[]>();
  const mayJump = (key: string, minute: number): boolean => {
    const lately = (jumps.get(key) ?? []).filter((earlier) => minute - earlier < 10);
    if (minute < 5 || lately.length >= 2 || next() > 0.2) return false;
    jumps.set(key, [...lately, minute]);
    return true;
  };
  return Array.from({ length: minutes }, (_, minute): Sent => {
    temperature = Math.max(18, Math.min(34, temperature + (next() - 0.45) * 1.6));
    gas = Math.max(0, Math.min(20, gas + (next() - 0.5) * 8));
    ammonia = Math.max(0, Math.min(40, ammonia + (next() - 0.45) * 8));
    water += Math.round(next() * 30);
    if (next() < 0.1) mains = !mains;
    const tenths = (value: number) => Math.round(value * 10) / 10;
    const good: Values = {
      ...Object.fromEntries(probes.map((key, place) => [key, tenths(temperature + place / 5)])),
      rh: 70,
      nh3: tenths(ammonia),
      h2s: tenths(gas),
      t_target: 22,
      pigs: 400,
      gear: 3,
      water,
      mains,
      mode: "normal",
      [heard]: -60,
    };
    // Order within two reports has tests of its own, by the follower's clock.
    const lateMinutes = next() < 0.8 ? 0 : Math.floor(10 + next() * 20);
    const accepted: Values = {};
    const rejected: Values = {};
    for (const [key, value] of Object.entries(good)) {
      const isProbe = probes.includes(key);
      if (key === heard || key === "mode" || next() > 0.2) accepted[key] = value;
      else if (isProbe && lateMinutes === 0 && mayJump(key, minute))
        rejected[key] = (value as number) - 25 - minute / 9;
      else rejected[key] = spoilt(typeof value as "number" | "boolean", next);
    }
    const atMs = beginMs + minute * minuteMs;
    return {
      atMs,
      arrivesMs: Math.min(atMs + lateMinutes * minuteMs, beginMs + (minutes - 1) * minuteMs),
      accepted,
      rejected,
    };
  });
}

/** Sends as the messages arrive, some of them twice, by a clock of its own; to one device without what is rejected. */
async function play(mixed: Device, clean: Device, sent: readonly Sent[], seed: number): Promise<void> {
  const next = random(seed);
  const report = async (values: Values, others: Values, ts: number) => {
    const answers = await Promise.all([
      app.report(mixed.serialNumber, { ts, values: { ...others, ...values } }),
      app.report(clean.serialNumber, { ts, values }),
    ]);
    expect(answers).toEqual([200, 200]);
  };
  // An alarm says that both are followed; what comes before that is judged from what is stored.
  const beginMs = (sent[0]?.atMs ?? 0) - 5 * minuteMs;
  vi.setSystemTime(beginMs + minuteMs + 100);
  for (const ts of [beginMs, beginMs + minuteMs]) await report({ [heard]: -60, mains: false }, {}, ts);
  for (const device of [mixed, clean]) while ((await alarmsOf(device)).length === 0) await setImmediate();
  // By the first message a device is active, which is a change of it as well.
  await app.test.database.pool.query("update devices set updated_at = '2020-01-01'");
  const arrivals = sent
    .flatMap((message) => (next() < 0.15 ? [message, message] : [message]))
    .map((message) => ({ message, order: message.arrivesMs + next() }))
    .toSorted((a, b) => a.order - b.order);
  for (const { message } of arrivals) {
    const { atMs, arrivesMs, accepted, rejected } = message;
    vi.setSystemTime(arrivesMs + 100);
    await report(accepted, rejected, atMs);
    // What was stored is judged before the clock goes on.
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  }
  // Power that comes back and fails once more: when that is in the log, all is that came before.
  const endMs = beginMs + (5 + minutes) * minuteMs;
  for (const [minute, mains] of [
    [0, true],
    [1.1, true],
    [2, false],
    [2.6, false],
  ] as const) {
    const ts = endMs + minute * minuteMs;
    vi.setSystemTime(ts + 100);
    await report({ [heard]: -60, mains }, {}, ts);
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  }
  const isLogged = async (device: Device) =>
    (await alarmsOf(device)).some(({ raised_at }) => raised_at.getTime() === endMs + 2.5 * minuteMs);
  for (const device of [mixed, clean]) while (!(await isLogged(device))) await setImmediate();
}

const query = async <Row extends object>(text: string, device: Device): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, [device.id])).rows;

const newestOf = async (device: Device): Promise<Record<string, { value: ReportedValue; ts: number }>> => {
  type Row = { readings: Record<string, { value: ReportedValue; ts: number }> };
  const [row] = await query<Row>("select readings from device_readings where device_id = $1", device);
  return row?.readings ?? {};
};
const rolledUp = async (device: Device) => {
  const figures = "key, first_ms, last_ms, count, sum, min, max, last, held";
  // How many were rejected is counted beside the values.
  const of = "where device_id = $1 and not starts_with(key, 'rejected:')";
  return {
    hours: await query(`select hour, ${figures} from telemetry_hours ${of} order by key, hour`, device),
    days: await query(`select day, ${figures} from telemetry_days ${of} order by key, day`, device),
  };
};
const seriesOf = async (device: Device, from: number, resolution: string) => {
  const range = { start: String(from), end: String(from + minutes * minuteMs), resolution };
  const { body } = await app.call({
    path: `${base}/telemetry/series`,
    query: { ids: device.id, keys: keysSent.join(), ...range },
    token: farm,
  });
  return (body.data as SeriesReply).series.map(({ key, points }) => ({ key, points }));
};
/** How many readings of each key charts say were rejected. */
const rejectedOf = async (device: Device, from: number, resolution: string) => {
  const range = { start: String(from), end: String(from + minutes * minuteMs), resolution };
  const query_ = { ids: device.id, keys: keysSent.join(), ...range };
  const { body } = await app.call({ path: `${base}/telemetry/series`, query: query_, token: farm });
  return Object.fromEntries(
    (body.data as SeriesReply).series.map(({ key, rejected = [] }) => [
      key,
      rejected.reduce((sum, [, , n]) => sum + n, 0),
    ]),
  );
};
const verdictOf = async (device: Device) => {
  const values = Object.entries(await newestOf(device)).map(([key, { value }]) => [key, value] as const);
  return verdictsOf(environment, Object.fromEntries(values), { ageS: 0, pigstyType: "fattening", weightKg: 60 });
};
/** But for those of its own sensors. */
const alarmsOf = (device: Device) =>
  query<{ raised_at: Date }>(
    `select rule_id, severity, late, suppressed, since_at, raised_at, ended_at, facts from alarms
      where device_id = $1 and not withdrawn and rule_id not in ('sensor_range', 'offline') and rule_id not like '%_unknown'
      order by raised_at, rule_id, late`,
    device,
  );
const reportOf = async (device: Device, day: string) => {
  const { body } = await app.get<FarmReport>(`${base}/report/detail?farmId=${farmId}&period=day&day=${day}`, farm);
  const ofKind = body.data.kinds.find((one) => one.kind === "environment");
  return ofKind?.devices.find(({ deviceId }) => deviceId === device.id)?.results;
};
const analysisOf = async (device: Device) => {
  const path = `${base}/analytics/list?kind=environment&days=1&deviceId=${device.id}`;
  return (await app.get<KindAnalytics>(path, farm)).body.data.devices[0]?.results;
};
/** Lines of the raw export, without who sent them and what was rejected. */
const exportOf = async (device: Device, from: number): Promise<string[]> => {
  const { body } = await app.call({
    method: "POST",
    path: `${base}/telemetry/export`,
    body: { ids: [device.id], start: from, end: from + minutes * minuteMs, format: "csv", keys: keysSent },
    token: farm,
  });
  const { jobId } = body.data as { jobId: string };
  const job = await vi.waitFor(
    async () => {
      const { data } = (await app.get<Job>(`/api/muyuan-system/job/detail?id=${jobId}`, farm)).body;
      if (data.state !== "succeeded") throw new Error(`still ${data.state}`);
      return data;
    },
    { timeout: 15_000, interval: 20 },
  );
  const [file] = (
    await app.test.database.pool.query("select name from attachments where id = $1", [job.result.attachmentId])
  ).rows;
  const text = await readFile(join(app.dataDir, "files", file.name), "utf8");
  // Values of ordinary channels have no commas; what was rejected stands behind them.
  return text
    .trim()
    .split("\r\n")
    .slice(1)
    .map((line) =>
      line
        .split(",")
        .slice(2, 3 + keysSent.length)
        .join(),
    );
};

const seeds = Array.from({ length: volume({ short: 1, long: 5 }) }, (_, at) => at + 1);

describe.each(seeds)("recording %i", (seed) => {
  let mixed: Device;
  let clean: Device;
  let from: number;
  let day: string;
  let sent: Sent[];

  beforeAll(async () => {
    [mixed, clean] = devices.slice(2 * seed - 2, 2 * seed) as [Device, Device];
    // A whole minute, so that buckets do not depend on when the test begins.
    from = Math.floor(Date.now() / minuteMs) * minuteMs - (minutes + 5) * minuteMs;
    day = new Date(from + (minutes - 1) * minuteMs + 8 * 3_600_000).toISOString().slice(0, 10);
    sent = recording(seed, from);
    vi.useFakeTimers({ toFake: ["Date"], now: from - 5 * minuteMs });
    try {
      await play(mixed, clean, sent, seed);
    } finally {
      vi.useRealTimers();
    }
  });

  test("has readings that are rejected for each reason, and none without them", async () => {
    const count = sent.reduce((sum, { rejected }) => sum + Object.keys(rejected).length, 0);
    type Row = { reason: string; n: number };
    const countsOf = (device: Device) =>
      query<Row>(
        "select reason, sum(readings)::int as n from device_rejected_readings where device_id = $1 group by 1 order by 1",
        device,
      );
    const told = async () => (await countsOf(mixed)).reduce((sum, { n }) => sum + n, 0);
    // Doubled ones are counted twice.
    await expect.poll(told).toBeGreaterThanOrEqual(count);
    expect((await countsOf(mixed)).map(({ reason }) => reason)).toEqual(["range", "step", "type"]);
    expect(await countsOf(clean)).toEqual([]);
  });

  test("the newest values, live pages and the verdict", async () => {
    expect(live.get(mixed.id)).toEqual(live.get(clean.id));
    expect(Object.keys(await newestOf(mixed)).length).toBeGreaterThan(10);
    expect(await newestOf(mixed)).toEqual(await newestOf(clean));
    expect(await verdictOf(mixed)).toEqual(await verdictOf(clean));
  });

  test("charts and roll-ups, before and after they are rolled up", async () => {
    for (const rolled of [false, true]) {
      if (rolled) await app.runJob("telemetry.roll-ups");
      for (const resolution of ["raw", "minute", "hour", "day"])
        expect(await seriesOf(mixed, from, resolution), resolution).toEqual(await seriesOf(clean, from, resolution));
    }
    const { hours, days } = await rolledUp(mixed);
    expect([hours.length > 10, days.length > 10]).toEqual([true, true]);
    expect({ hours, days }).toEqual(await rolledUp(clean));
  });

  test("charts count what was rejected, alike at every resolution, and nothing without it", async () => {
    const end = from + minutes * minuteMs;
    const wanted = Object.fromEntries(
      keysSent.map((key) => [
        key,
        sent.filter(({ atMs, rejected }) => atMs < end && Object.hasOwn(rejected, key)).length,
      ]),
    );
    expect(Object.values(wanted).filter((count) => count > 5).length).toBeGreaterThan(5);
    for (const resolution of ["raw", "minute", "hour", "day"]) {
      expect(await rejectedOf(mixed, from, resolution), resolution).toEqual(wanted);
      expect(Object.values(await rejectedOf(clean, from, resolution)).every((count) => count === 0)).toBe(true);
    }
  });

  test("the alarms", async () => {
    expect((await alarmsOf(clean)).length).toBeGreaterThan(5);
    expect(await alarmsOf(mixed)).toEqual(await alarmsOf(clean));
  });

  test("the report, the analysis and the export", async () => {
    // A report of today ends now, so both are made at the same time.
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const [ofMixed, ofClean] = [await reportOf(mixed, day), await reportOf(clean, day)];
      expect(ofMixed?.some(({ value }) => value !== undefined)).toBe(true);
      expect(ofMixed).toEqual(ofClean);
      expect(await analysisOf(mixed)).toEqual(await analysisOf(clean));
    } finally {
      vi.useRealTimers();
    }
    expect(await exportOf(mixed, from)).toEqual(await exportOf(clean, from));
  });

  test("a day that is marked is told as not reliable by the analysis and the report, and counts in neither", async () => {
    const told = async () => {
      const path = `${base}/analytics/list?kind=environment&days=2&deviceId=${mixed.id}`;
      const analysis = (await app.get<KindAnalytics>(path, farm)).body.data.devices[0];
      const { body } = await app.get<FarmReport>(`${base}/report/detail?farmId=${farmId}&period=day&day=${day}`, farm);
      const ofKind = body.data.kinds.find((one) => one.kind === "environment");
      const report = ofKind?.devices.find(({ deviceId }) => deviceId === mixed.id);
      return { analysis, report };
    };
    const before = await told();
    expect([before.analysis?.unreliable, before.report?.unreliable]).toEqual([undefined, undefined]);
    await query(
      `insert into telemetry_unreliable_days (device_id, key, day)
       select $1, 't_in', day from telemetry_days where device_id = $1 and key = 't_in' union select $1, 't_in', '${day}'::date`,
      mixed,
    );
    const after = await told();
    expect([after.analysis?.unreliable, after.report?.unreliable]).toEqual([["t_in"], ["t_in"]]);
    expect(after.analysis?.results).not.toEqual(before.analysis?.results);
    await query("delete from telemetry_unreliable_days where device_id = $1", mixed);
  });
});
