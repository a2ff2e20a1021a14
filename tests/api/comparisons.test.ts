import type { ComparisonReply, ComparisonSubscription, Device, KindAnalytics, Message, Page } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let farm: string;

const base = "/api/muyuan-iot";
const hourMs = 3_600_000;

beforeAll(async () => {
  app = await createTestApp();
  farm = await app.logIn("farm");
});
afterAll(() => app.close());

const deviceOf = async (serialNumber: string): Promise<Device> => {
  const page = await app.get<Page<Device>>(`${base}/device/page?size=500&name=${serialNumber}`, farm);
  return page.body.data.records[0] as Device;
};
const comparison = (query: string, token = farm) =>
  app.get<ComparisonReply>(`${base}/analytics/comparison?${query}`, token);
const now = Date.now();
/** Values by the hour over days up to now. */
const told = async (serialNumber: string, days: number, valuesAt: (hoursAgo: number) => object | undefined) => {
  const entries = Array.from({ length: days * 24 }, (_, at) => {
    const hoursAgo = days * 24 - at;
    const values = valuesAt(hoursAgo);
    return values ? [{ ts: now - hoursAgo * hourMs, values: { rssi: -60, ...values } }] : [];
  }).flat();
  for (let at = 0; at < entries.length; at += 100)
    expect(await app.report(serialNumber, entries.slice(at, at + 100))).toBe(200);
};
/** A little up and down that no day repeats. */
const wobble = (hoursAgo: number): number => Math.sin(hoursAgo * 12.9898) * 0.4;

describe("a comparison", () => {
  test("says the difference that was planted, and none where there is none", async () => {
    const [first, warm, alike] = await Promise.all(["ENV-QS-02", "ENV-QS-03", "ENV-QS-04"].map(deviceOf));
    await told("ENV-QS-02", 12, (at) => ({ t_in: 20 + wobble(at), nh3: 8 + wobble(at + 7) }));
    await told("ENV-QS-03", 12, (at) => ({ t_in: 22.5 + wobble(at + 99), nh3: 8 + wobble(at + 500) }));
    await told("ENV-QS-04", 12, (at) => ({ t_in: 20 + wobble(at + 333), nh3: 8 + wobble(at + 900) }));
    const of = `${first?.id},${warm?.id},${alike?.id}`;
    const { status, body } = await comparison(`kind=environment&ids=${of}&show=t_in&days=7`);
    expect(status).toBe(200);
    const { lines, answers, others, resolution } = body.data;
    expect(resolution).toBe("hour");
    expect(lines.map(({ deviceName, level, isEarlier }) => [deviceName, level, isEarlier])).toEqual(
      [first, warm, alike].map((device) => [device?.name, "device", false]),
    );
    expect(answers).toMatchObject([
      { key: "t_in", first: 0, other: 1, verdict: "different", test: "paired-t" },
      { key: "t_in", first: 0, other: 2, verdict: "noise", test: "paired-t" },
    ]);
    const [answer] = answers;
    expect(answer?.size).toBeCloseTo(2.5, 0);
    expect(answer?.low).toBeLessThanOrEqual(2.5);
    expect(answer?.high).toBeGreaterThanOrEqual(2.4);
    expect(answer?.days[0]).toBeGreaterThanOrEqual(6);
    expect(answer?.hours?.map(([hour]) => hour)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
    expect(others.find(({ key }) => key === "nh3")).toMatchObject({ verdict: "noise" });

    // Of a farm the values are means of its devices, and its own span before is what it is held against.
    const farms = await comparison(`kind=environment&ids=f${first?.farmId},h${first?.houseId}&show=t_in&days=7`);
    expect(farms.body.data.lines.map(({ level, devices }) => [level, devices > 1])).toEqual([
      ["farm", true],
      ["house", true],
    ]);
    const spans = await comparison(`kind=environment&ids=${first?.id}&show=t_in&days=7&earlier=before`);
    expect(spans.body.data.lines.map(({ isEarlier }) => isEarlier)).toEqual([false, true]);
    expect(spans.body.data.answers).toMatchObject([{ first: 1, other: 0, test: "welch-t" }]);
  });

  test("has too few days for a verdict, and a gap in what was not told", async () => {
    const [first, other] = await Promise.all(["ENV-QS-05", "ENV-QS-06"].map(deviceOf));
    await told("ENV-QS-05", 7, (at) => ({ t_in: 20 + wobble(at) }));
    await told("ENV-QS-06", 7, (at) => (at > 72 ? undefined : { t_in: 30 + wobble(at) }));
    const { body } = await comparison(`kind=environment&ids=${first?.id},${other?.id}&show=t_in&days=7`);
    const [answer] = body.data.answers;
    expect(answer).toMatchObject({ verdict: "too-few" });
    expect(answer).not.toHaveProperty("size");
    const [full, short] = body.data.lines.map(({ series }) => series[0]?.points.length ?? 0);
    expect(full).toBeGreaterThan(160);
    expect(short).toBeLessThan(80);
  });

  test("counts deaths by day of 1,000 heads, for who may read the book of heads", async () => {
    const [first, other] = await Promise.all(["ENV-QS-02", "ENV-ZJY-01"].map(deviceOf));
    const { body, status } = await comparison(`kind=environment&ids=${first?.id},${other?.id}&show=deaths&days=30`);
    expect(status).toBe(200);
    expect(body.data.answers).toMatchObject([{ key: "deaths", test: "mann-whitney" }]);
    const { pool } = app.test.database;
    const { rows } = await pool.query<{ deaths: number; heads: number }>(
      `select coalesce(-sum(heads) filter (where kind = 'death' and happened_at >= date_trunc('day', now() - interval '30 days', 'Asia/Shanghai')), 0)::int as deaths,
              sum(heads)::int as heads
         from inventory_movements where unit_id = $1`,
      [first?.unitId],
    );
    const points = body.data.lines[0]?.series[0]?.points ?? [];
    const sum = points.reduce((all, [, value]) => all + value, 0);
    // Heads change little in a month, so that the rates come to about the deaths of it.
    const [row] = rows;
    expect(sum / 1000).toBeCloseTo((row?.deaths ?? 0) / Math.max(1, row?.heads ?? 0), 2);
  });

  test("is refused for a place that the session does not reach", async () => {
    const device = await deviceOf("ENV-QS-02");
    for (const of of ["1", "f1", "h1"])
      expect((await comparison(`kind=environment&ids=${of}&show=t_in`)).status).toBe(404);
    expect((await comparison(`kind=environment&ids=${device.id},f1&show=t_in`)).status).toBe(404);
    expect((await comparison(`kind=environment&ids=x&show=t_in`)).status).toBe(400);
    const { rows } = await app.test.database.pool.query<{ id: string; farm: string }>(
      "select id::text, farm_id::text as farm from devices where farm_id is not null and tenant_id <> (select tenant_id from devices where id = $1) limit 1",
      [device.id],
    );
    const [foreign] = rows;
    expect(foreign).toBeDefined();
    for (const ids of [foreign?.id, `f${foreign?.farm}`])
      expect((await comparison(`kind=environment&ids=${ids}&show=t_in`)).status).toBe(404);
  });
});

describe("a comparison by message", () => {
  const path = `${base}/analytics/comparison-subscribe`;
  const told = async () =>
    (
      await app.get<Page<Message>>("/api/muyuan-message-center/message/page/user?size=100", farm)
    ).body.data.records.filter(({ title }) => title === "每周的分析");

  test("comes once a week with its answer, as far as the places are still in reach", async () => {
    const [first, other] = await Promise.all(["ENV-QS-02", "ENV-QS-03"].map(deviceOf));
    const query = { kind: "environment", ids: `${first?.id},${other?.id}`, show: "t_in", days: 7 };
    const subscribe = (body: object) => app.call({ method: "POST", path, body, token: farm });
    expect((await subscribe({ name: "保育温度", ...query, enabled: true })).status).toBe(200);
    expect((await subscribe({ name: "别人的", ...query, ids: "1", enabled: true })).status).toBe(404);
    const list = await app.get<ComparisonSubscription[]>(`${base}/analytics/comparison-subscription-list`, farm);
    expect(list.body.data).toEqual([{ name: "保育温度", ...query }]);
    // This Monday counts as told.
    await app.runJob("comparisons.tell");
    expect(await told()).toEqual([]);
    const { pool } = app.test.database;
    const aWeekBack = () => pool.query("update comparison_subscriptions set told_on = told_on - 14");
    await aWeekBack();
    await Promise.all([app.runJob("comparisons.tell"), app.runJob("comparisons.tell")]);
    await app.runJob("comparisons.tell");
    const messages = await told();
    expect(messages).toHaveLength(1);
    expect(messages[0]?.content).toMatch(/^保育温度：.*平均温度差 2\.\d °C（95 % .*），不像是波动$/);
    expect(messages[0]?.contentEn).toMatch(/apart \(95 % .*\), more than noise$/);
    expect(messages[0]?.link).toBe(
      `/selfCenter/vet/dataAnalysis?kind=environment&of=${first?.id}%2C${other?.id}&show=t_in&days=7`,
    );
    // Who does not reach a place any more is told nothing of it.
    await aWeekBack();
    await pool.query("update comparison_subscriptions set query = jsonb_set(query, '{ids}', '\"1\"')");
    await app.runJob("comparisons.tell");
    expect(await told()).toHaveLength(1);
    expect((await subscribe({ name: "保育温度", ...query, enabled: false })).status).toBe(200);
    expect(
      (await app.get<ComparisonSubscription[]>(`${base}/analytics/comparison-subscription-list`, farm)).body.data,
    ).toEqual([]);
  });
});

test("the cough butler says what to do, from trend, air and treatment", async () => {
  const device = await deviceOf("COU-ZJY-01");
  const index = (perDay: number) => ({ coughs: perDay, laeq: 60 + Math.random() });
  await told("COU-ZJY-01", 15, (at) => index(at <= 24 ? 30 : 10 + (at % 3)));
  const environment = await deviceOf("ENV-ZJY-01");
  expect(environment.unitId).toBe(device.unitId);
  await told("ENV-ZJY-01", 3, (at) => ({ nh3: at <= 24 ? 26 : 9, t_in: at <= 24 ? 20 + (at % 12) : 20 }));
  const { body } = await app.get<KindAnalytics>(`${base}/analytics/list?kind=cough&days=1&deviceId=${device.id}`, farm);
  const advice = body.data.devices[0]?.advice;
  expect(advice).toMatchObject({
    state: "act",
    unitId: device.unitId,
    place: `${device.houseName} · ${device.unitName}`,
  });
  expect((advice?.index ?? 0) / (advice?.baseline ?? 1)).toBeGreaterThan(2);
  expect(advice?.ammonia?.hoursAbove).toBeGreaterThan(12);
  expect(advice?.swing?.range).toBeGreaterThan(8);
  expect(advice?.steps).toEqual(
    expect.arrayContaining(["call-vet", "look-at-pens", "measure-temperature", "lower-ammonia", "even-temperature"]),
  );
  const others = await app.get<KindAnalytics>(`${base}/analytics/list?kind=disinfect&days=1`, farm);
  expect(others.body.data.devices.every((one) => one.advice === undefined)).toBe(true);
});
