import { randomUUID } from "node:crypto";
import type {
  Alarm,
  AlarmCounts,
  AlarmDetail,
  Device,
  FieldOutcome,
  GroupStart,
  OpenAlarms,
  Page,
  StructureNode,
  WorstAlarm,
} from "@herdwise/contract";
import { asksNow, worstFirst } from "@herdwise/contract/alarm-asking";
import { type DeviceKindId, deviceKinds } from "@herdwise/device-kinds";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let farm: string;
let group: string;

const base = "/api/muyuan-iot/alarm";
const calm = { t_in: 22, t_target: 22, rh: 65, nh3: 5, co2: 1500, h2s: 0, mains: true, mode: "normal", pigs: 400 };
const rule = "hydrogen_sulfide_danger";
const minuteMs = 60_000;

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query(text, values)).rows as Row[];
const post = (path: string, body: unknown, token = farm, of = base) =>
  app.call({ method: "POST", path: `${of}/${path}`, body, token });
const deviceOf = async (serialNumber: string): Promise<Device> => {
  const page = await app.get<Page<Device>>(`/api/muyuan-iot/device/page?size=500&name=${serialNumber}`, farm);
  const [device] = page.body.data.records;
  if (device === undefined) throw new Error(`${serialNumber} is not there`);
  return device;
};
const detail = async (id: string): Promise<AlarmDetail> =>
  (await app.get<AlarmDetail>(`${base}/detail?id=${id}`, farm)).body.data;
/** Notices of an alarm as "round step", each once. */
const told = async (id: string): Promise<string[]> =>
  (
    await query<{ told: string }>(
      "select distinct round || ' ' || step as told from alarm_notices where alarm_id = $1 and state <> 'dropped' order by 1",
      [id],
    )
  ).map(({ told: of }) => of);

/** A controller whose hydrogen sulfide is over its danger, is fine, and is over it again, as often as is asked. */
function house(device: Device) {
  const begin = Date.now();
  let at = begin - 80_000;
  const report = async (h2s: number): Promise<void> => {
    await app.report(device.serialNumber, { ts: at, values: { ...calm, h2s } });
    await app.report(device.serialNumber, { ts: at + 61_000, values: { ...calm, h2s } });
    at += 62_000;
  };
  const alarms = async (state: string): Promise<Alarm[]> =>
    (await app.get<Page<Alarm>>(`${base}/page?size=100&deviceId=${device.id}&state=${state}&ruleId=${rule}`, farm)).body
      .data.records;
  return {
    device,
    /** Sends two reports over a minute; @returns the alarm that they raised */
    async over(h2s: number): Promise<Alarm> {
      await report(h2s);
      await expect.poll(async () => (await alarms("open")).length, { timeout: 5000, interval: 30 }).toBe(1);
      return (await alarms("open"))[0] as Alarm;
    },
    async fine(): Promise<void> {
      await report(0);
      await expect.poll(async () => (await alarms("open")).length, { timeout: 5000, interval: 30 }).toBe(0);
    },
    now: (h2s: number) => {
      at += 1000;
      return app.report(device.serialNumber, { ts: at, values: { ...calm, h2s } });
    },
  };
}
/** Moves the clock on for what is known of an alarm. */
const overTime = (id: string) =>
  query("update alarms set known_until = now() - interval '1 second' where id = $1", [id]);

const places = async () => {
  const [open, counts, start, devices] = await Promise.all([
    app.get<OpenAlarms>(`${base}/open`, farm),
    app.get<AlarmCounts & { worst: WorstAlarm[] }>(`${base}/counts`, farm),
    app.get<GroupStart>("/api/muyuan-desk/start/detail", group),
    app.get<StructureNode[]>("/api/muyuan-farm/structure/list", farm),
  ]);
  return { open: open.body.data, counts: counts.body.data, start: start.body.data, farms: devices.body.data };
};

let serials: string[];
const nextHouse = async () => house(await deviceOf(serials.shift() ?? ""));

/** One that no test about readings uses afterwards. */
const anyHouse = async () => house(await deviceOf(serials.at(-1) ?? ""));

beforeAll(async () => {
  app = await createTestApp();
  [farm, group] = await Promise.all([app.logIn("farm"), app.logIn("admin")]);
  const { records } = (await app.get<Page<Device>>("/api/muyuan-iot/device/page?size=500&kind=environment", farm)).body
    .data;
  serials = records.filter(({ unitId }) => unitId !== "").map(({ serialNumber }) => serialNumber);
});
afterAll(() => app.close());
beforeEach(() => query("update alarms set ended_at = now(), known_until = null where ended_at is null"));

describe("the same cause", () => {
  test("does not ask again while somebody knows of it, however often it comes", async () => {
    const held = await nextHouse();
    const first = await held.over(12);
    await expect.poll(() => told(first.id)).toEqual(["1 1"]);
    expect(first.known).toBeUndefined();
    expect((await post("acknowledge", { ids: first.id })).status).toBe(200);
    const known = (await detail(first.id)).known;
    expect(known).toMatchObject({ by: expect.stringMatching(/./) });
    expect(Math.abs((known?.untilMs ?? 0) - Date.now() - 30 * minuteMs)).toBeLessThan(10_000);
    for (let times = 0; times < 2; times += 1) {
      await held.fine();
      const again = await held.over(13);
      expect(again.id).not.toBe(first.id);
      expect((await detail(again.id)).known).toEqual(known);
      expect(await told(again.id)).toEqual([]);
      const { counts } = await places();
      expect(counts.unacknowledged).toBe(0);
    }
  });

  test("asks when it comes back worse, and afterwards, too, until somebody acknowledges it anew", async () => {
    const held = await nextHouse();
    const first = await held.over(12);
    await post("acknowledge", { ids: first.id });
    await held.fine();
    const worse = await held.over(17);
    expect(worse.known).toBeUndefined();
    await expect.poll(() => told(worse.id)).toEqual(["1 1"]);
    await held.fine();
    const after = await held.over(11);
    expect(after.known).toBeUndefined();
    await expect.poll(() => told(after.id)).toEqual(["1 1"]);
  });

  test("asks when it comes back after its time", async () => {
    const held = await nextHouse();
    const first = await held.over(12);
    await post("acknowledge", { ids: first.id });
    await held.fine();
    await overTime(first.id);
    const again = await held.over(12);
    expect(again.known).toBeUndefined();
    await expect.poll(() => told(again.id)).toEqual(["1 1"]);
  });

  test("asks when it comes back with a higher severity", async () => {
    const held = await nextHouse();
    const first = await held.over(12);
    await post("acknowledge", { ids: first.id });
    await query("update alarms set known_severity = 3 where id = $1", [first.id]);
    await held.fine();
    expect((await held.over(12)).known).toBeUndefined();
  });

  test("asks in another unit, and where a person closed or cleared it", async () => {
    const moved = await nextHouse();
    const first = await moved.over(12);
    await post("acknowledge", { ids: first.id });
    await moved.fine();
    await query("update alarms set unit_id = unit_id + 1 where id = $1", [first.id]);
    expect((await moved.over(12)).known).toBeUndefined();

    const closed = await nextHouse();
    const done = await closed.over(12);
    await post("acknowledge", { ids: done.id });
    await closed.fine();
    expect((await post("close", { ids: done.id, resolution: "resolved" })).status).toBe(200);
    expect((await closed.over(12)).known).toBeUndefined();
  });

  test("is that of a device that replaced another in its unit, and not that of a second one", async () => {
    const [old, next] = [await nextHouse(), await nextHouse()];
    const first = await old.over(12);
    await post("acknowledge", { ids: first.id });
    await old.fine();
    const { unitId, houseId } = old.device;
    await query("update devices set unit_id = $2, house_id = $3, updated_at = now() where id = $1", [
      next.device.id,
      unitId,
      houseId,
    ]);
    const second = await next.over(12);
    expect(second.known).toBeUndefined();
    await next.fine();
    await query("update devices set unit_id = null, updated_at = now() where id = $1", [old.device.id]);
    expect((await next.over(12)).known?.by).toMatch(/./);
  });
});

/** Waits until alarms are looked at again: an alarm elsewhere, that is known and gets worse after all else was sent, asks. */
async function looked(): Promise<void> {
  const control = house(await deviceOf(serials.pop() ?? ""));
  const { id } = await control.over(12);
  await post("acknowledge", { ids: id });
  await control.now(17);
  await expect.poll(async () => (await detail(id)).entries.at(-1)?.body, { timeout: 10_000 }).toBe("worse");
}

describe("an alarm that goes on", () => {
  test("asks again when its time is over: everywhere, and its steps begin anew", async () => {
    const held = await nextHouse();
    const { id } = await held.over(12);
    await post("acknowledge", { ids: id });
    expect((await places()).counts).toMatchObject({ unacknowledged: 0, CRITICAL: 1 });
    const [before] = await query<{ next: Date | null }>("select next_step_at as next from alarms where id = $1", [id]);
    expect(before?.next).toBeNull();
    await overTime(id);
    await expect.poll(() => told(id)).toContain("2 1");
    const { entries, known, nextStepMs = 0, step } = await detail(id);
    expect(known).toBeUndefined();
    expect(entries.at(-1)).toMatchObject({ action: "ask", body: "time", personName: "" });
    expect(step).toBe(1);
    expect(Math.abs(nextStepMs - Date.now() - 5 * minuteMs)).toBeLessThan(10_000);
    expect((await places()).counts.unacknowledged).toBe(1);
  });

  test("asks again at once when its value gets worse by the declared step, and not before", async () => {
    const held = await nextHouse();
    const { id } = await held.over(12);
    await post("acknowledge", { ids: id });
    await held.now(16.5);
    await looked();
    expect((await detail(id)).known).toBeDefined();
    await held.now(17);
    await expect.poll(async () => (await detail(id)).entries.at(-1)?.body, { timeout: 5000 }).toBe("worse");
    expect((await detail(id)).known).toBeUndefined();
    expect(await told(id)).toContain("2 1");
    // Acknowledged anew it is known at this value.
    await post("acknowledge", { ids: id });
    await looked();
    expect((await detail(id)).known).toBeDefined();
  });

  test("asks again when a value that is worked out from readings gets worse", async () => {
    const { device } = await nextHouse();
    const send = (ago: number, gear: number) =>
      app.report(device.serialNumber, { ts: Date.now() - ago, values: { ...calm, gear_cmd: 5, gear } });
    await send(80_000, 4);
    await send(10_000, 4);
    const found = async () =>
      (await app.get<OpenAlarms>(`${base}/open?deviceId=${device.id}`, farm)).body.data.alarms.find(
        ({ ruleId }) => ruleId === "gear_not_reached",
      );
    await expect.poll(found, { timeout: 5000 }).toBeDefined();
    const id = (await found())?.id ?? "";
    await post("acknowledge", { ids: id });
    expect((await detail(id)).known).toBeDefined();
    await send(5000, 1);
    await expect.poll(async () => (await detail(id)).entries.at(-1)?.body, { timeout: 5000 }).toBe("worse");
  });
});

describe("how long", () => {
  test("is chosen within bounds, and a time that runs is set anew when it is chosen again", async () => {
    const held = await nextHouse();
    const { id } = await held.over(12);
    const left = async () => Math.round((((await detail(id)).known?.untilMs ?? 0) - Date.now()) / minuteMs);
    expect((await post("acknowledge", { ids: id, minutes: 15 })).status).toBe(200);
    expect(await left()).toBe(15);
    // Never longer than a critical alarm may be silent.
    await post("acknowledge", { ids: id, minutes: 480 });
    expect(await left()).toBe(60);
    expect((await post("acknowledge", { ids: id, minutes: 481 })).status).toBe(400);
    expect((await post("acknowledge", { ids: id, minutes: 14 })).status).toBe(400);
    // Without a length, what is known stays as it is.
    await post("acknowledge", { ids: id });
    expect(await left()).toBe(60);
    expect((await detail(id)).entries.map(({ body }) => body)).toEqual(["15", "60"]);
  });

  test("counts from when a phone's person acknowledged, and is refused when that is over", async () => {
    const held = await nextHouse();
    const { id } = await held.over(12);
    const send = async (ago: number, more: object = {}, sentMs = Date.now()) =>
      (
        await post(
          "submit",
          { actions: [{ key: randomUUID(), type: "acknowledge", alarmId: id, atMs: sentMs - ago, ...more }], sentMs },
          farm,
          "/api/muyuan-iot/field-action",
        )
      ).body.data as FieldOutcome[];
    expect(await send(31 * minuteMs)).toMatchObject([{ outcome: "refused" }]);
    expect((await detail(id)).known).toBeUndefined();
    // The phone's clock is an hour slow: only what lies between counts.
    expect(await send(10 * minuteMs, {}, Date.now() - 60 * minuteMs)).toMatchObject([{ outcome: "done" }]);
    expect(Math.round((((await detail(id)).known?.untilMs ?? 0) - Date.now()) / minuteMs)).toBe(20);
    expect(await send(0)).toMatchObject([{ outcome: "already" }]);
    await overTime(id);
    await expect.poll(() => told(id)).toContain("2 1");
    // Who acknowledged before it asked again has not seen that.
    expect(await send(minuteMs, { minutes: 60 })).toMatchObject([{ outcome: "refused" }]);
  });
});

describe("what stands beneath", () => {
  /** Alarms of ammonia: the higher one follows from the lower, and both from pigs in an empty unit. */
  const insert = async (device: Device, ruleId: string, severity: number, causeId: string | null = null) => {
    const [row] = await query<{ id: string }>(
      `insert into alarms (id, tenant_id, device_id, farm_id, house_id, unit_id, kind, rule_id, severity, since_at, raised_at, cause_id, facts)
       select (random() * 1e15)::bigint, tenant_id, id, farm_id, house_id, unit_id, kind, $2, $3, now(), now(), $4,
              '{"key": "nh3", "value": 25, "limit": 20}' from devices where id = $1 returning id::text`,
      [device.id, ruleId, severity, causeId],
    );
    return row?.id ?? "";
  };

  test("is known with its cause, unless it is more severe, and asks when the cause ends", async () => {
    const { device, ...held } = await nextHouse();
    const cause = await held.over(12);
    const milder = await insert(device, "ammonia_high", 3, cause.id);
    await post("acknowledge", { ids: cause.id });
    const until = (await detail(cause.id)).known;
    expect((await detail(milder)).known).toEqual(until);
    expect((await places()).counts.unacknowledged).toBe(0);

    await query("update alarms set severity = 3, known_severity = 3 where id = $1", [cause.id]);
    const worse = await insert(device, "ammonia_very_high", 4, cause.id);
    await post("acknowledge", { ids: cause.id, minutes: 60 });
    expect((await detail(worse)).known).toBeUndefined();

    await held.fine();
    await expect.poll(async () => (await detail(milder)).known).toBeUndefined();
    expect(await told(milder)).toContain("2 1");
  });

  test("is known when it begins beneath a cause that is known, as its kind declares", async () => {
    const { device } = await nextHouse();
    const at = Date.now();
    const send = (ts: number, values: object) =>
      app.report(device.serialNumber, { ts, values: { ...calm, ...values } });
    const pigs = { mode: "empty", pigs: 400 };
    await send(at - 100_000, pigs);
    await send(at - 30_000, pigs);
    const open = async () => (await app.get<OpenAlarms>(`${base}/open?deviceId=${device.id}`, farm)).body.data.alarms;
    const of = async (ruleId: string) => (await open()).find((alarm) => alarm.ruleId === ruleId);
    await expect.poll(() => of("empty_with_pigs"), { timeout: 5000 }).toBeDefined();
    const cause = await of("empty_with_pigs");
    await post("acknowledge", { ids: cause?.id });
    await send(at - 29_000, { ...pigs, h2s: 12 });
    await send(at + 40_000, { ...pigs, h2s: 12 });
    await expect.poll(() => of(rule), { timeout: 5000 }).toBeDefined();
    const effect = await of(rule);
    expect(effect?.causeId).toBe(cause?.id);
    expect(effect?.known?.untilMs).toBe((await of("empty_with_pigs"))?.known?.untilMs);
  });
});

describe("every place", () => {
  const states = ["asks", "known", "time over", "suppressed", "ended", "known and ended"] as const;

  test.each(states)("says the same of an alarm that %s", async (state) => {
    const { device } = await anyHouse();
    const [row] = await query<{ id: string }>(
      `insert into alarms (id, tenant_id, device_id, farm_id, house_id, unit_id, kind, rule_id, severity, since_at, raised_at,
                           suppressed, ended_at, known_until, known_by)
       select (random() * 1e15)::bigint, tenant_id, id, farm_id, house_id, unit_id, kind, 'mains_loss', 4, now(), now(), $2,
              case when $3 then now() end, now() + $4::interval, case when $4 is not null then (select id from accounts where account_key = 'farm') end
         from devices where id = $1 returning id::text`,
      [
        device.id,
        state === "suppressed",
        state.includes("ended"),
        state.startsWith("known") ? "20 minutes" : state === "time over" ? "-1 seconds" : null,
      ],
    );
    const id = row?.id ?? "";
    const asks = state === "asks" || state === "time over";
    const open = asks || state === "known";
    const { open: list, counts, start, farms } = await places();
    const inList = list.alarms.find((alarm) => alarm.id === id);
    const worst = counts.worst.find((alarm) => alarm.id === id);
    const place = farms.find((node) => node.id === device.farmId);
    const alarm = await detail(id);
    expect({
      list: inList && asksNow(inList, Date.now()),
      detail: alarm.state === "open" && asksNow(alarm, Date.now()),
      console: worst && !worst.acknowledged,
      counts: counts.unacknowledged > 0,
      listCounts: list.counts.unacknowledged > 0,
      groupStart: (start.unheard ?? 0) > 0,
      structure: (place?.asking ?? 0) > 0,
      shown: (place?.alarms ?? 0) > 0,
    }).toEqual({
      list: open ? asks : undefined,
      detail: asks,
      console: open ? asks : undefined,
      counts: asks,
      listCounts: asks,
      groupStart: asks,
      structure: asks,
      shown: open,
    });
    if (state === "known")
      expect([inList?.known, worst?.known, alarm.known].map((known) => known?.by)).toEqual(Array(3).fill("周建平"));
  });

  test("sorts by one order, and decides by one verdict, in SQL as in code", async () => {
    const { device } = await anyHouse();
    await query(
      `insert into alarms (id, tenant_id, device_id, farm_id, kind, rule_id, severity, since_at, raised_at, suppressed, ended_at, known_until)
       select 7000 + n, tenant_id, id, farm_id, kind, 'made-' || n, 1 + n % 4, now(), now() - make_interval(secs => (n * 7) % 5),
              n % 7 = 0, case when n % 5 = 0 then now() end,
              case n % 3 when 0 then now() + interval '1 hour' when 1 then now() - interval '1 hour' end
         from devices, generate_series(1, 120) n where id = $1`,
      [device.id],
    );
    const { body } = await app.get<OpenAlarms>(`${base}/open`, farm);
    const { alarms, counts } = body.data;
    const now = Date.now();
    expect(alarms.map(({ id }) => id)).toEqual(alarms.toSorted(worstFirst(now)).map(({ id }) => id));
    expect(counts.unacknowledged).toBe(alarms.filter((alarm) => asksNow(alarm, now)).length);
    expect(counts.unacknowledged).toBeGreaterThan(10);
    expect(counts.unacknowledged).toBeLessThan(alarms.length - 10);
    await query("delete from alarms where id between 7000 and 7200");
  });
});

test("what is known survives a server: another one on the same data asks only when the time is over", async () => {
  const held = await nextHouse();
  const { id } = await held.over(12);
  await post("acknowledge", { ids: id });
  const { known } = await detail(id);
  const other = await createTestApp({}, { test: app.test });
  const token = await other.logIn("farm");
  const there = async () => (await other.get<AlarmDetail>(`${base}/detail?id=${id}`, token)).body.data;
  expect((await there()).known).toEqual(known);
  // Both servers look; it asks once.
  await overTime(id);
  await expect.poll(async () => (await there()).entries.at(-1)?.action, { timeout: 5000 }).toBe("ask");
  await looked();
  expect((await there()).entries.filter(({ action }) => action === "ask")).toHaveLength(1);
  await other.close();
});

test("each rule that compares a number declares a step by which it gets worse, or has one by its hysteresis", async () => {
  const { worseFrom } = await import("@herdwise/device-kinds");
  for (const kind of Object.keys(deviceKinds) as DeviceKindId[])
    for (const { id, condition } of deviceKinds[kind].alarmRules) {
      if (condition.type !== "compare" || condition.op === "eq" || condition.op === "ne") continue;
      const above = condition.op === "gt" || condition.op === "ge";
      const from = worseFrom(deviceKinds[kind], id, { key: condition.key, value: above ? 11 : 9, limit: 10 });
      expect(above ? from.above : -(from.below ?? 99), id).toBeGreaterThan(above ? 11 : -9);
    }
});
