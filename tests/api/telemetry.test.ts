import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Device, DeviceDetail, HistoryReply, Job, Page, SeriesReply } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { sheetCalls } from "../resources/sheets.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const base = "/api/muyuan-iot/telemetry";
/** An hour that is over, some days ago. */
const hour = Math.floor((Date.now() - 3 * dayMs) / hourMs) * hourMs;
const waiting = { timeout: 15_000, interval: 20 };

let app: TestApp;
let farm: string;
let worker: string;
let admin: string;
let first: Device;
let second: Device;
let foreign: Device;

const deviceOf = async (serialNumber: string, token: string): Promise<Device> => {
  const page = await app.get<Page<Device>>(`/api/muyuan-iot/device/page?size=500&name=${serialNumber}`, token);
  const [device] = page.body.data.records;
  if (device === undefined) throw new Error(`${serialNumber} is not there`);
  return device;
};

beforeAll(async () => {
  app = await createTestApp();
  [farm, worker, admin] = await Promise.all([app.logIn("farm"), app.logIn("worker"), app.logIn("admin")]);
  first = await deviceOf("ENV-ZJY-01", farm);
  second = await deviceOf("ENV-ZJY-02", farm);
  foreign = await deviceOf("ENV-LH01-01", worker);
  await app.report("ENV-ZJY-01", [
    { ts: hour, values: { t_in: 20, rh: 50, mode: "normal", mains: true } },
    { ts: hour + 60_000, values: { t_in: 22.5, '=cmd|"/c calc"': "+1+1", note: 'a,"b"\r\nc' } },
    { ts: hour + 2 * hourMs, values: { t_in: 30 } },
  ]);
  await app.report("ENV-ZJY-02", { ts: hour, values: { t_in: 10, rh: 80 } });
  await app.report("ENV-LH01-01", { ts: hour, values: { t_in: 77 } });
});
afterAll(() => app.close());

const post = (path: string, body: unknown, token: string) => app.call({ method: "POST", path, body, token });

describe("series", () => {
  const ask = (query: Record<string, string>, token = farm) =>
    app.call({ path: `${base}/series`, query: { start: String(hour), end: String(hour + dayMs), ...query }, token });

  test("several keys of several devices come at one resolution, before and after they are rolled up", async () => {
    const query = { ids: `${first.id},${second.id}`, keys: "t_in,rh,mode", resolution: "hour" };
    const wanted = {
      resolution: "hour",
      series: [
        {
          id: first.id,
          key: "t_in",
          points: [
            [hour, 20, 21.25, 22.5],
            [hour + 2 * hourMs, 30, 30, 30],
          ],
        },
        { id: first.id, key: "rh", points: [[hour, 50, 50, 50]] },
        { id: first.id, key: "mode", points: [] },
        { id: second.id, key: "t_in", points: [[hour, 10, 10, 10]] },
        { id: second.id, key: "rh", points: [[hour, 80, 80, 80]] },
        { id: second.id, key: "mode", points: [] },
      ],
    };
    expect((await ask(query)).body.data).toEqual(wanted);
    await app.runJob("telemetry.roll-ups");
    const { rows } = await app.test.database.pool.query("select count(*)::int as n from telemetry_hours");
    expect(rows[0].n).toBeGreaterThanOrEqual(6);
    expect((await ask(query)).body.data).toEqual(wanted);
  });

  test("a late message corrects the hour that was rolled up, at once and after the next run", async () => {
    await app.report("ENV-ZJY-02", { ts: hour + 120_000, values: { rh: 60 } });
    const query = { ids: second.id, keys: "rh", resolution: "hour" };
    const points = async () => ((await ask(query)).body.data as SeriesReply).series[0]?.points;
    expect(await points()).toEqual([[hour, 60, 70, 80]]);
    await app.runJob("telemetry.roll-ups");
    expect(await points()).toEqual([[hour, 60, 70, 80]]);
  });

  test("another tenant's device is a 404, alone and among one's own", async () => {
    for (const ids of [foreign.id, `${first.id},${foreign.id}`, "7"]) {
      expect((await ask({ ids, keys: "t_in" })).status).toBe(404);
    }
    expect((await ask({ ids: foreign.id, keys: "t_in" }, worker)).status).toBe(200);
  });

  test("too many series, points or nothing at all are refused in words", async () => {
    const keys = Array.from({ length: 51 }, (_, at) => `k${at}`).join();
    expect((await ask({ ids: first.id, keys })).body.msg).toContain("1 到 50 个数值");
    expect((await ask({ ids: ",", keys: "t_in" })).status).toBe(400);
    const many = { ids: first.id, keys: keys.split(",").slice(0, 50).join(), end: String(hour + 7 * dayMs) };
    expect((await ask({ ...many, resolution: "raw" })).body.msg).toContain("时间范围过大");
    expect((await ask(many)).body.data).toMatchObject({ resolution: "hour" });
  });
});

test("a range of five years is told by the day, and an old one by what is still kept of it", async () => {
  const ask = async (start: number, end: number) =>
    (await app.get<HistoryReply>(`${base}/history?id=${first.id}&key=t_in&start=${start}&end=${end}`, farm)).body.data;
  const years = await ask(Date.now() - 5 * 365 * dayMs, Date.now());
  expect([years.resolution, years.points.length]).toEqual(["day", expect.any(Number)]);
  expect(years.points.flat()).toContain(30);
  const monthsAgo = Date.now() - 200 * dayMs;
  expect((await ask(monthsAgo, monthsAgo + hourMs)).resolution).toBe("minute");
  const yearsAgo = Date.now() - 800 * dayMs;
  expect((await ask(yearsAgo, yearsAgo + hourMs)).resolution).toBe("hour");
});

test("administrators set how long raw values are kept, within bounds, and a device hears that a message is too old", async () => {
  const { body } = await app.call({
    path: "/api/muyuan-system/param/page",
    query: { paramKey: "telemetry.rawDays" },
    token: admin,
  });
  const [row] = (body.data as Page<{ id: string; paramValue: string; version: number }>).records;
  expect(row?.paramValue).toBe("90");
  const submit = (paramValue: string) => post("/api/muyuan-system/param/submit", { ...row, paramValue }, admin);
  for (const wrong of ["6", "731", "1.5", "ninety"]) {
    const refused = await submit(wrong);
    expect([refused.status, refused.body.data]).toMatchObject([400, { problems: [{ field: "paramValue" }] }]);
  }
  const report = (ts: number) => app.report("ENV-ZJY-03", { ts, values: { t_in: 20 } });
  expect(await report(Date.now() - 40 * dayMs)).toBe(200);
  expect((await submit("30")).status).toBe(200);
  await app.runJob("telemetry.partitions");
  expect(await report(Date.now() - 40 * dayMs)).toBe(400);
  expect(await report(0)).toBe(400);
  expect(await report(Date.UTC(2099, 0, 1))).toBe(200);
  const { id } = await deviceOf("ENV-ZJY-03", farm);
  await expect
    .poll(async () => (await app.get<DeviceDetail>(`/api/muyuan-iot/device/detail?id=${id}`, farm)).body.data.dropped, {
      timeout: 10_000,
    })
    .toMatchObject([{ reason: "too_old", count: 2 }]);
});

describe("an export of raw values", () => {
  const order = (more: object = {}) => ({
    ids: [second.id, first.id],
    start: hour,
    end: hour + dayMs,
    format: "csv",
    ...more,
  });
  const finished = (jobId: string): Promise<Job> =>
    vi.waitFor(async () => {
      const { data } = (await app.get<Job>(`/api/muyuan-system/job/detail?id=${jobId}`, farm)).body;
      if (!["succeeded", "failed", "cancelled"].includes(data.state)) throw new Error(`still ${data.state}`);
      return data;
    }, waiting);
  const begin = async (more: object = {}, token = farm) => post(`${base}/export`, order(more), token);
  const jobOf = async (more: object = {}) => {
    const { body } = await begin(more);
    return finished((body.data as { jobId: string }).jobId);
  };
  const bytesOf = async (job: Job): Promise<string> => {
    const { rows } = await app.test.database.pool.query("select name from attachments where id = $1", [
      job.result.attachmentId,
    ]);
    return readFile(join(app.dataDir, "files", rows[0].name), "utf8");
  };
  const timeOf = (ts: number) => new Date(ts + 8 * hourMs).toISOString().replace("T", " ").slice(0, 23);

  test("a CSV has a row for each message and a column for each key; no text is a formula", async () => {
    const job = await jobOf();
    expect(job).toMatchObject({ state: "succeeded", result: { rows: "5" } });
    const text = await bytesOf(job);
    expect(text).toMatch(/^\ufeff设备,序列号,时间,/);
    expect(text.split("\r\n")[0]).toContain(`"'=cmd|""/c calc"""`);
    expect(text).toContain(`${first.serialNumber},${timeOf(hour)},20,50,`);
    expect(text).toContain(",'+1+1,");
    expect(text).toContain('"a,""b""\r\nc"');
    expect(text).not.toContain("77");
  });

  test("an xlsx has the chosen keys alone, and the file comes with a message", async () => {
    const job = await jobOf({ format: "xlsx", keys: ["rh", "t_in"], language: "en" });
    expect(job).toMatchObject({ state: "succeeded", result: { rows: "5" } });
    const { headers, rows } = await sheetCalls(app, base, farm).read(job.result.attachmentId);
    expect(headers.slice(0, 3)).toEqual(["Device", "Serial number", "Time"]);
    expect(headers.slice(5)).toEqual(["Rejected readings"]);
    expect(rows.map((row) => [row["Serial number"], row[String(headers[3])], row[String(headers[4])]])).toEqual(
      [
        [first.serialNumber, "50", "20"],
        [first.serialNumber, undefined, "22.5"],
        [first.serialNumber, undefined, "30"],
        [second.serialNumber, "80", "10"],
        [second.serialNumber, "60", undefined],
      ].sort((a, b) => (a[0] === first.serialNumber ? 0 : 1) - (b[0] === first.serialNumber ? 0 : 1)),
    );
    const messages = await app.get<Page<{ content: string; link: string }>>(
      "/api/muyuan-message-center/message/page/user?size=5",
      farm,
    );
    expect(JSON.stringify(messages.body.data)).toContain(job.id);
  });

  test("another tenant's device, an empty range and devices without data are refused before a job begins", async () => {
    expect((await begin({ ids: [first.id, foreign.id] })).status).toBe(404);
    expect((await begin({}, worker)).status).toBe(404);
    expect((await begin({ end: hour })).body.msg).toBe("结束时间必须晚于开始时间");
    const silent = await deviceOf("COU-ZJY-01", farm);
    expect((await begin({ ids: [silent.id] })).body.msg).toBe("这些设备还没有上报过数据");
    expect((await begin({ ids: [] })).status).toBe(400);
  });

  test("a device that leaves the tenant before the job runs is not in its file", async () => {
    const { pool } = app.test.database;
    const moved = await deviceOf("ENV-ZJY-04", farm);
    await app.report("ENV-ZJY-04", { ts: hour, values: { t_in: 41 } });
    // The transaction holds the job back until the device is away.
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("lock table background_jobs in exclusive mode");
      const asked = begin({ ids: [moved.id] });
      await vi.waitFor(async () => {
        const { rows } = await pool.query(
          "select 1 from pg_locks where not granted and relation = 'background_jobs'::regclass",
        );
        expect(rows).not.toHaveLength(0);
      }, waiting);
      await client.query(
        "update devices set tenant_id = '000000', farm_id = null, house_id = null, unit_id = null, bound_at = null where id = $1",
        [moved.id],
      );
      await client.query("commit");
      const { body } = await asked;
      expect((await finished((body.data as { jobId: string }).jobId)).state).toBe("failed");
    } finally {
      client.release();
    }
  });
});
