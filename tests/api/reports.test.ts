import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Device,
  type FarmReport,
  type KindAnalytics,
  type Message,
  type Page,
  type ReportReader,
  type ReportSubscription,
  reportedAnalytics,
} from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let farm: string;
let worker: string;
let farmId: string;

const base = "/api/muyuan-iot";
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const dayOf = (ms: number): string => new Date(ms + 8 * hourMs).toISOString().slice(0, 10);
const deviceOf = async (serialNumber: string): Promise<Device> => {
  const page = await app.get<Page<Device>>(`${base}/device/page?size=500&name=${serialNumber}`, farm);
  return page.body.data.records[0] as Device;
};
const report = (query: string, token = farm) => app.get<FarmReport>(`${base}/report/detail?${query}`, token);
const post = (path: string, body: unknown, token = farm) =>
  app.call({ method: "POST", path: `${base}/report/${path}`, body, token });

beforeAll(async () => {
  app = await createTestApp();
  [farm, worker] = await Promise.all([app.logIn("farm"), app.logIn("worker")]);
  farmId = (await deviceOf("ENV-ZJY-01")).farmId;
});
afterAll(() => app.close());

describe("the report of a farm", () => {
  test("has the figures that the pages of the kinds have, over the same time", async () => {
    const device = await deviceOf("ENV-ZJY-02");
    // Values of the running day, told every ten minutes until now, so that a span of a day up to now is the same but for its begin.
    const now = Date.now();
    const begin = Date.parse(`${dayOf(now)}T00:00:00+08:00`);
    const first = Math.max(begin, now - 3 * hourMs);
    for (let ts = first; ts < now; ts += 10 * 60_000) {
      const values = { t_in: ts - first < 90 * 60_000 ? 20 : 29, rh: 60, t_target: 20, pigs: 400, nh3: 4, gear: 3 };
      expect(await app.report("ENV-ZJY-02", { ts, values })).toBe(200);
    }
    const { status, body } = await report(`farmId=${farmId}&period=day&day=${dayOf(now)}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ farmId, period: "day", day: dayOf(now), from: begin, running: true });
    const ofKind = body.data.kinds.find(({ kind }) => kind === "environment");
    const told = ofKind?.devices.find(({ deviceId }) => deviceId === device.id);
    expect(told?.place).toBe(`${device.houseName} · ${device.unitName}`);
    const page = await app.get<KindAnalytics>(
      `${base}/analytics/list?kind=environment&days=1&deviceId=${device.id}`,
      farm,
    );
    const shown = page.body.data.devices[0]?.results ?? [];
    const compared = reportedAnalytics.environment.filter((id) => id !== "water_per_pig_day");
    expect(compared.length).toBeGreaterThan(3);
    for (const id of compared) {
      const [ofReport, ofPage] = [told?.results, shown].map((results) => results?.find((one) => one.id === id));
      expect(ofReport, id).toBeDefined();
      // The minute may change between the two questions.
      if (ofPage?.value === undefined) expect(ofReport?.value, id).toBeUndefined();
      else expect(Math.abs((ofReport?.value ?? Number.NaN) - ofPage.value), id).toBeLessThan(1.5);
    }
    expect(told?.results.find(({ id }) => id === "comfort_time")?.count).toBeGreaterThan(0);
  });

  test("tells what was wrong, since when, by cause, and how long devices were silent", async () => {
    const device = await deviceOf("ENV-ZJY-03");
    const { pool } = app.test.database;
    const { rows } = await pool.query<{ tenantId: string }>(
      'select tenant_id as "tenantId" from devices where id = $1',
      [device.id],
    );
    const today = Date.parse(`${dayOf(Date.now())}T00:00:00+08:00`);
    const day = today - 2 * dayMs;
    const insert = (rule: string, severity: number, from: number, to: number | null, seen: number | null) =>
      pool.query(
        `insert into alarms (id, tenant_id, device_id, farm_id, unit_id, kind, rule_id, severity, since_at, raised_at, recorded_at, ended_at, acknowledged_at)
         values ($1, $2, $3, $4, $5, 'environment', $6, $7, $8, $8, $8, $9, $10)`,
        [
          app.nextId(),
          rows[0]?.tenantId,
          device.id,
          farmId,
          device.unitId,
          rule,
          severity,
          new Date(from),
          to === null ? null : new Date(to),
          seen === null ? null : new Date(seen),
        ],
      );
    // Begun the day before, over at 2:00; two of ammonia, answered after 5 and 15 minutes; one of the next day.
    await insert("offline", 4, day - 3 * hourMs, day + 2 * hourMs, null);
    await insert("ammonia_high", 2, day + 4 * hourMs, day + 5 * hourMs, day + 4 * hourMs + 300_000);
    await insert("ammonia_high", 2, day + 8 * hourMs, day + 9 * hourMs, day + 8 * hourMs + 900_000);
    await insert("temperature_high", 3, day + dayMs + 1, day + dayMs + hourMs, null);
    const { body } = await report(`farmId=${farmId}&period=day&day=${dayOf(day)}`);
    const { data } = body;
    expect(data.running).toBe(false);
    expect(data.to - data.from).toBe(dayMs);
    expect(data.wrong.map(({ ruleId }) => ruleId)).toEqual(["offline", "ammonia_high", "ammonia_high"]);
    expect(data.wrong[0]).toMatchObject({ deviceName: device.name, sinceMs: day - 3 * hourMs });
    expect(data.alarms).toMatchObject({ total: 2, MINOR: 2, CRITICAL: 0, acknowledged: 2, acknowledgeS: 600 });
    expect(data.alarms.causes).toEqual([
      {
        kind: "environment",
        ruleId: "ammonia_high",
        ruleName: "",
        severity: "MINOR",
        count: 2,
        acknowledgeS: 600,
        clearS: 3600,
      },
    ]);
    // Of the five hours only those of the day.
    expect(data.offline).toEqual([
      { deviceId: device.id, deviceName: device.name, kind: "environment", seconds: 7200 },
    ]);
    expect(data.offlineS).toBe(7200);
    const week = await report(`farmId=${farmId}&period=week&day=${dayOf(day)}`);
    expect(new Date(week.body.data.from + 8 * hourMs).getUTCDay()).toBe(1);
    expect(week.body.data.from).toBeLessThanOrEqual(day);
  });

  test("is nobody else's, and none of a day to come", async () => {
    const today = dayOf(Date.now());
    expect((await report(`farmId=${farmId}&period=day&day=${today}`, worker)).status).toBe(404);
    expect((await report(`farmId=${farmId}&period=day&day=${dayOf(Date.now() + 2 * dayMs)}`)).status).toBe(400);
    expect((await report(`farmId=${farmId}&period=day&day=2020-01-01`)).status).toBe(400);
    expect((await report(`farmId=${farmId}&period=year&day=${today}`)).status).toBe(400);
    // Who sees no barn reads no report of one.
    expect((await report(`farmId=${farmId}&period=day&day=${today}`, await app.logIn("chenxiao"))).status).toBe(403);
  });
});

describe("a report as a file", () => {
  test("is a PDF with its own fonts, small, and in both languages", async () => {
    for (const language of ["zh", "en"]) {
      const begun = await post("pdf", { farmId, period: "day", day: dayOf(Date.now()), language });
      const { jobId } = begun.body.data as { jobId: string };
      const { pool } = app.test.database;
      const done = async () =>
        (
          await pool.query<{ state: string; reason: string; result: { attachmentId: string } }>(
            "select state, reason, result from background_jobs where id = $1",
            [jobId],
          )
        ).rows[0];
      await expect.poll(async () => (await done())?.state, { timeout: 10_000, interval: 50 }).toBe("succeeded");
      const { rows } = await pool.query("select name from attachments where id = $1", [
        (await done())?.result.attachmentId,
      ]);
      const bytes = await readFile(join(app.dataDir, "files", String(rows[0].name)));
      expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
      const text = bytes.toString("latin1");
      expect(text).toContain("NotoSansHans");
      const { rows: named } = await pool.query("select original_name from attachments where name = $1", [rows[0].name]);
      if (language === "en") expect(named[0].original_name).not.toMatch(/\p{Script=Han}/u);
      else expect(named[0].original_name).toContain("养殖日报");
      // A subset of a font has six letters before its name.
      expect(text).toMatch(/\/BaseFont \/[A-Z]{6}\+NotoSansHans-Regular/);
      expect(bytes.length).toBeLessThan(300_000);
    }
  });
});

describe("reports by message", () => {
  const messages = async (token = farm): Promise<Message[]> =>
    (await app.get<Page<Message>>("/api/muyuan-message-center/message/page/user?size=100", token)).body.data.records;
  const ofReports = async () => (await messages()).filter(({ title }) => title.startsWith("养殖"));

  test("come to who asked for them, once, and lead to the report of the day before", async () => {
    await app.runJob("reports.tell");
    expect(await ofReports()).toEqual([]);
    const minute = 0;
    expect((await post("subscribe", { farmId, period: "day", minute, enabled: true })).status).toBe(200);
    // Its time of today is over: the first one comes tomorrow.
    await app.runJob("reports.tell");
    expect(await ofReports()).toEqual([]);
    await app.test.database.pool.query("update report_subscriptions set told_on = told_on - 1");
    await Promise.all([app.runJob("reports.tell"), app.runJob("reports.tell")]);
    await app.runJob("reports.tell");
    const told = await ofReports();
    expect(told).toHaveLength(1);
    const yesterday = dayOf(Date.now() - dayMs);
    expect(told[0]).toMatchObject({
      title: "养殖日报",
      link: `/selfCenter/vet/report?farm=${farmId}&period=day&day=${yesterday}`,
    });
    const list = await app.get<ReportSubscription[]>(`${base}/report/subscription-list`, farm);
    expect(list.body.data).toEqual([{ farmId, period: "day", minute }]);
    expect((await post("subscribe", { farmId, period: "day", minute, enabled: false })).status).toBe(200);
    expect((await app.get<ReportSubscription[]>(`${base}/report/subscription-list`, farm)).body.data).toEqual([]);
  });

  test("are sent to colleagues who may read them, and to nobody else", async () => {
    const readers = await app.get<ReportReader[]>(`${base}/report/readers`, farm);
    const idOf = async (account: string): Promise<string> => {
      const { rows } = await app.test.database.pool.query(
        "select id::text as id from accounts where account_key = $1",
        [account],
      );
      return rows[0].id;
    };
    const [manager, finance, stranger, self] = await Promise.all(["wangzq", "chenxiao", "heqing", "farm"].map(idOf));
    const ids = readers.body.data.map(({ id }) => id);
    expect(ids).toContain(manager);
    for (const other of [finance, stranger, self]) expect(ids).not.toContain(other);

    const week = { farmId, period: "week", day: dayOf(Date.now() - 7 * dayMs) };
    const sent = await post("send", { ...week, accountIds: [manager, manager] });
    expect(sent.body).toMatchObject({ data: { sent: 1 } });
    const [told] = await messages(await app.logIn("wangzq"));
    expect(told?.title).toBe("周建平 发来一份养殖周报");
    expect(told?.link).toMatch(
      new RegExp(`^/selfCenter/vet/report\\?farm=${farmId}&period=week&day=\\d{4}-\\d\\d-\\d\\d$`),
    );

    for (const other of [finance, stranger, self])
      expect((await post("send", { ...week, accountIds: [manager, other] })).status).toBe(400);
    expect((await post("send", { ...week, day: dayOf(Date.now() + 9 * dayMs), accountIds: [manager] })).status).toBe(
      400,
    );
    expect((await post("send", { ...week, accountIds: [manager] }, worker)).status).toBe(404);
    expect((await messages(await app.logIn("wangzq"))).filter(({ title }) => title.includes("发来"))).toHaveLength(1);
  });

  test("are refused for another tenant's farm, and end with the right to read them", async () => {
    expect((await post("subscribe", { farmId, period: "week", minute: 0, enabled: true }, worker)).status).toBe(404);
    expect((await post("subscribe", { farmId, period: "week", minute: 0, enabled: true })).status).toBe(200);
    const { pool } = app.test.database;
    await pool.query("update report_subscriptions set told_on = told_on - 30");
    const rights = await pool.query(
      "delete from role_menus where menu_id = (select id from menus where code = 'report_view') returning role_id, menu_id",
    );
    const before = (await ofReports()).length;
    await app.runJob("reports.tell");
    expect((await ofReports()).length).toBe(before);
    for (const { role_id, menu_id } of rights.rows)
      await pool.query("insert into role_menus (role_id, menu_id) values ($1, $2)", [role_id, menu_id]);
    await app.runJob("reports.tell");
    expect((await ofReports()).length).toBe(before + 1);
  });
});
