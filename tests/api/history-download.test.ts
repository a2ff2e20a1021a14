import type { Device, Page, SeriesReply } from "@herdwise/contract";
import { parquetReadObjects } from "hyparquet";
import Papa from "papaparse";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic } from "../harness/session.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const path = "/api/muyuan-iot/telemetry/download";
/** An hour that is over, some days ago, with midnight of Asia/Shanghai in the day after it. */
const hour = Math.floor((Date.now() - 4 * dayMs) / dayMs) * dayMs + 14 * hourMs;

let app: TestApp;
let address: string;
let farm: string;
let worker: string;
let first: Device;
let second: Device;
let foreign: Device;
/** A device with rows of several pages. */
let busy: Device;

const deviceOf = async (serialNumber: string, token: string): Promise<Device> => {
  const page = await app.get<Page<Device>>(`/api/muyuan-iot/device/page?size=500&name=${serialNumber}`, token);
  const [device] = page.body.data.records;
  if (device === undefined) throw new Error(`${serialNumber} is not there`);
  return device;
};
const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;

beforeAll(async () => {
  app = await createTestApp();
  address = await app.listen();
  [farm, worker] = await Promise.all([app.logIn("farm"), app.logIn("worker")]);
  first = await deviceOf("ENV-ZJY-01", farm);
  second = await deviceOf("ENV-ZJY-02", farm);
  busy = await deviceOf("ENV-ZJY-05", farm);
  foreign = await deviceOf("ENV-LH01-01", worker);
  await app.report("ENV-ZJY-01", [
    { ts: hour, values: { t_in: 20, rh: 50, mode: "normal", mains: true } },
    {
      ts: hour + minuteMs,
      values: { t_in: 22.5, '=cmd|"/c calc"': "+1+1", note: 'a,"b"\r\nc', time: -3, more: { a: [1] } },
    },
    // Neither reading is true: one is beyond what the sensor can report, the other no number.
    { ts: hour + 2 * minuteMs, values: { t_in: -127, rh: "wet" } },
    { ts: hour + 3 * minuteMs, values: { t_in: 21.25, mains: false, rh: 200 } },
    { ts: hour + 5 * hourMs, values: { t_in: 30 } },
  ]);
  await app.report("ENV-ZJY-02", { ts: hour, values: { t_in: 10, rh: 80 } });
  await app.report("ENV-LH01-01", { ts: hour, values: { t_in: 77 } });
  for (let at = 0; at < 12_000; at += 500)
    await app.report(
      "ENV-ZJY-05",
      Array.from({ length: 500 }, (_, row) => ({
        ts: hour + (at + row) * 1000,
        values: { t_in: 20 + (row % 7) / 10 },
      })),
    );
});
afterAll(() => app.close());

type Asked = Record<string, string | number>;
const addressOf = (asked: Asked): string => {
  const all = { start: hour, end: hour + dayMs, ...asked };
  return `${path}?${new URLSearchParams(Object.entries(all).map(([name, value]): [string, string] => [name, String(value)]))}`;
};
const send = (asked: Asked, token = farm) =>
  app.http.inject({ url: addressOf(asked), headers: { authorization: basic, "muyuan-auth": `bearer ${token}` } });
/** Sends it over a socket. */
const fetched = (asked: Asked, init: RequestInit = {}, token = farm) =>
  fetch(`${address}${addressOf(asked)}`, {
    ...init,
    headers: { authorization: basic, "muyuan-auth": `bearer ${token}`, ...init.headers },
  });
type Row = Record<string, unknown>;
/** Rows without the values that they lack. */
const dense = (rows: readonly Row[]): Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== "")));
const parquetRows = async (bytes: Buffer): Promise<Row[]> => {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const rows = (await parquetReadObjects({ file })) as Row[];
  return dense(rows).map((row) => ({ ...row, time: (row.time as Date).toISOString() }));
};
const jsonRows = (text: string): Row[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

describe("what is in it", () => {
  const wanted = () => {
    const at = (device: Device, ts: number) => ({
      deviceId: device.id,
      device: device.name,
      serialNumber: device.serialNumber,
      time: new Date(ts).toISOString(),
    });
    return [
      { ...at(first, hour), t_in: 20, rh: 50, mode: "normal", mains: true },
      {
        ...at(first, hour + minuteMs),
        t_in: 22.5,
        '=cmd|"/c calc"': "+1+1",
        note: 'a,"b"\r\nc',
        value_time: -3,
        more: { a: [1] },
      },
      { ...at(first, hour + 3 * minuteMs), t_in: 21.25, mains: false },
      { ...at(first, hour + 5 * hourMs), t_in: 30 },
      { ...at(second, hour), t_in: 10, rh: 80 },
    ].sort((a, b) => (a.device < b.device ? -1 : a.device > b.device ? 1 : 0));
  };

  /** How a value stands in a CSV; a text that a program could take for a formula begins with an apostrophe. */
  const inCsv = (value: unknown): string => {
    if (typeof value !== "string") return typeof value === "number" ? String(value) : JSON.stringify(value);
    return /^[=+]/.test(value) ? `'${value}` : value;
  };
  const csvRows = (text: string): Row[] =>
    dense(Papa.parse<Row>(text.replace(/^\ufeff/, ""), { header: true, skipEmptyLines: true }).data);

  test("CSV, JSON lines and Parquet have the same readings, none of them rejected", async () => {
    const asked = { ids: `${first.id},${second.id}` };
    const csv = await send({ ...asked, format: "csv" });
    const lines = await send({ ...asked, format: "ndjson" });
    const parquet = await send({ ...asked, format: "parquet" });
    expect([csv, lines, parquet].map(({ headers }) => headers["content-type"])).toEqual([
      "text/csv; charset=utf-8",
      "application/x-ndjson; charset=utf-8",
      "application/vnd.apache.parquet",
    ]);
    expect(csv.headers["content-disposition"]).toMatch(/^attachment;filename=history-\d{4}-\d\d-\d\d-raw\.csv$/);
    expect(jsonRows(lines.body)).toEqual(wanted());
    expect(await parquetRows(parquet.rawPayload)).toEqual(wanted());
    expect(csvRows(csv.body)).toEqual(
      wanted().map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [inCsv(name), inCsv(value)])),
      ),
    );
    for (const { body } of [csv, lines, parquet]) expect(body).not.toMatch(/-127|wet|rejected/);
  });

  test("the readings are those that the database names as evidence, of which the download has none", async () => {
    const rejected = await query<{ key: string }>(
      "select unnest(keys) as key from telemetry_keys where device_id = $1",
      [first.id],
    );
    expect(rejected.map(({ key }) => key)).toEqual(expect.arrayContaining(["rejected:t_in", "rejected:rh"]));
  });

  test("named keys alone, in their order; a key that was never sent is an empty column", async () => {
    const { body } = await send({ ids: first.id, keys: "rh,t_in,never", format: "csv" });
    expect(body.split("\r\n").slice(0, 2)).toEqual([
      "deviceId,device,serialNumber,time,rh,t_in,never",
      `${first.id},${first.name},${first.serialNumber},${new Date(hour).toISOString()},50,20,`,
    ]);
  });

  test("heads for people have names and units in their language, and the mark that Excel wants", async () => {
    const heads = async (language: string, resolution: string) =>
      (await send({ ids: first.id, keys: "t_in,note", format: "csv", language, resolution })).body.split("\r\n")[0];
    expect(await heads("zh", "raw")).toBe("\ufeff设备编号,设备,序列号,时间 (UTC),平均温度 (°C),note");
    expect(await heads("en", "raw")).toBe("\ufeffDevice id,Device,Serial number,Time (UTC),Mean temperature (°C),note");
    expect(await heads("zh", "hour")).toContain("平均温度 (°C) 最小,平均温度 (°C) 平均,平均温度 (°C) 最大");
  });

  test.each(["minute", "hour", "day"])(
    "by %s it has what charts show, before and after it is rolled up",
    async (resolution) => {
      const span = { start: hour - 40 * dayMs + 30_000, end: hour + dayMs };
      const { body } = await app.call({
        path: "/api/muyuan-iot/telemetry/series",
        query: {
          ids: first.id,
          keys: "t_in,rh",
          start: String(hour - 3 * dayMs),
          end: String(hour + dayMs),
          resolution,
        },
        token: farm,
      });
      const { series } = body.data as SeriesReply;
      const wantedRows = new Map<number, Row>();
      for (const { key, points } of series)
        for (const [ts, min, avg, max] of points as number[][]) {
          const row = wantedRows.get(ts as number) ?? { time: new Date(ts as number).toISOString() };
          wantedRows.set(ts as number, { ...row, [`${key}_min`]: min, [`${key}_avg`]: avg, [`${key}_max`]: max });
        }
      expect(wantedRows.size).toBeGreaterThan(0);
      const expected = [...wantedRows].sort(([a], [b]) => a - b).map(([, row]) => row);
      const got = async () => {
        const lines = jsonRows(
          (await send({ ids: first.id, keys: "t_in,rh", ...span, resolution, format: "ndjson" })).body,
        );
        const parquet = await send({ ids: first.id, keys: "t_in,rh", ...span, resolution, format: "parquet" });
        expect(await parquetRows(parquet.rawPayload)).toEqual(lines);
        return lines.map(({ deviceId: _id, device: _name, serialNumber: _number, ...row }) => row);
      };
      expect(await got()).toEqual(expected);
      await app.runJob("telemetry.roll-ups");
      expect(await got()).toEqual(expected);
    },
  );

  test("many rows arrive whole, in every format, packed and not", async () => {
    const counts: number[] = [];
    for (const format of ["csv", "ndjson", "parquet"]) {
      const answer = await fetched({ ids: busy.id, format });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (format === "parquet") counts.push((await parquetRows(bytes)).length);
      else counts.push(bytes.toString().trim().split("\n").length - (format === "csv" ? 1 : 0));
    }
    expect(counts).toEqual([12_000, 12_000, 12_000]);
  });
});

describe("who gets it", () => {
  test("another tenant's device is a 404, alone and among one's own; without a session nothing", async () => {
    for (const ids of [foreign.id, `${first.id},${foreign.id}`, "7"])
      expect((await send({ ids, format: "csv" })).statusCode, ids).toBe(404);
    const own = await send({ ids: foreign.id, format: "ndjson" }, worker);
    expect(jsonRows(own.body)).toMatchObject([{ t_in: 77 }]);
    expect((await app.http.inject({ url: addressOf({ ids: first.id, format: "csv" }) })).statusCode).toBe(401);
  });

  test("a personal access token reads it with history:read, and with no other scope", async () => {
    const tokenOf = async (scope: string) => {
      await app.pass(61);
      const { body } = await app.call({
        method: "POST",
        path: "/api/muyuan-auth/personal-token/submit",
        body: { tokenName: "history", scopes: [scope], days: 1 },
        token: await app.logIn("farm"),
      });
      return (body.data as { token: string }).token;
    };
    const ask = async (scope: string, ids: string) =>
      app.http.inject({
        url: addressOf({ ids, format: "ndjson" }),
        headers: { authorization: `Bearer ${await tokenOf(scope)}` },
      });
    const read = await ask("history:read", second.id);
    expect([read.statusCode, jsonRows(read.body)]).toMatchObject([200, [{ t_in: 10 }]]);
    expect((await ask("history:read", foreign.id)).statusCode).toBe(404);
    const refused = await ask("devices:read", second.id);
    expect([refused.statusCode, refused.json().data.reason]).toEqual([403, "token.scope"]);
  });

  test("what is too much is refused in words", async () => {
    const reasonOf = async (asked: Asked) =>
      (await send({ ids: first.id, format: "csv", ...asked })).json().data.reason;
    const many = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`).join();
    expect(await reasonOf({ keys: many(101) })).toBe("history.download_keys");
    expect(await reasonOf({ keys: "," })).toBe("history.download_keys");
    expect(await reasonOf({ ids: Array.from({ length: 51 }, (_, at) => 100 + at).join() })).toBe(
      "history.download_keys",
    );
    expect(await reasonOf({ end: hour })).toBe("history.empty_range");
    expect(await reasonOf({ end: hour + 367 * dayMs })).toBe("history.range_too_long");
    expect(await reasonOf({ end: hour + 367 * dayMs, resolution: "minute" })).toBe("history.range_too_long");
    expect((await send({ ids: first.id, format: "xlsx" })).statusCode).toBe(400);
  });
});

describe("when it does not come to its end", () => {
  /** Rows of telemetry can't be read while it runs. */
  const whileLocked = async (work: () => Promise<void>): Promise<void> => {
    const client = await app.test.database.pool.connect();
    try {
      await client.query("begin; lock table telemetry in access exclusive mode");
      await work();
    } finally {
      await client.query("rollback");
      client.release();
    }
  };
  /** Statements on raw rows that wait for the lock. */
  const waitingStatements = async (): Promise<number> => {
    const [row] = await query<{ count: number }>(
      "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from telemetry%'",
    );
    return row?.count ?? 0;
  };

  test("a reader that leaves ends its statement, and four at a time are enough for one person", async () => {
    await whileLocked(async () => {
      const leaving = new AbortController();
      const { signal } = leaving;
      const all = ["csv", "parquet", "ndjson", "csv"].map((format) =>
        fetched({ ids: busy.id, format }, { signal }).catch((error) => error),
      );
      await expect.poll(waitingStatements).toBe(4);
      const fifth = await send({ ids: busy.id, format: "csv" });
      expect([fifth.statusCode, fifth.json().data.reason]).toEqual([429, "history.downloads_open"]);
      leaving.abort();
      expect((await Promise.all(all)).map(({ name }) => name)).toEqual(all.map(() => "AbortError"));
      // The lock is still held: nothing but the reader's leaving ends them.
      await expect.poll(waitingStatements).toBe(0);
    });
    const again = await Promise.all(["csv", "csv", "csv", "csv"].map((format) => send({ ids: busy.id, format })));
    expect(again.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  });

  test("an error before the first bytes is answered as such", async () => {
    await whileLocked(async () => {
      const asked = send({ ids: busy.id, format: "ndjson" });
      await expect.poll(waitingStatements).toBe(1);
      await query(
        "select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from telemetry%'",
      );
      expect((await asked).statusCode).toBe(503);
    });
  });

  test.each([
    ["csv", "identity"],
    ["csv", "gzip"],
    ["ndjson", "br"],
    ["parquet", "identity"],
  ])("an error amid %s in %s breaks the transfer", async (format, encoding) => {
    const where = "device_id = $1 and ts = to_timestamp($2::float8 / 1000)";
    const values = [busy.id, hour + 11_500_000];
    const [kept] = await query<{ packed: Buffer }>(`select packed from telemetry where ${where}`, values);
    // A text of two bytes that is no JSON.
    await query(`update telemetry set packed = '\\x07027b7b' where ${where}`, values);
    try {
      const answer = await fetched({ ids: busy.id, format }, { headers: { "accept-encoding": encoding } });
      const end = answer.arrayBuffer().then(
        () => `whole, ${answer.status}`,
        (error: Error) => error.message,
      );
      // What is compressed well may not have begun to leave, and is answered as an error then.
      expect(["terminated", ...(encoding === "br" ? ["whole, 500"] : [])]).toContain(await end);
    } finally {
      await query(`update telemetry set packed = $3 where ${where}`, [...values, kept?.packed]);
    }
    expect(app.logged.some((line) => line.includes("a download broke off"))).toBe(true);
    expect((await send({ ids: busy.id, format })).statusCode).toBe(200);
  });

  test("a device that goes to somebody else meanwhile makes it break off instead of ending early", async () => {
    interface Place {
      tenant_id: string;
      farm_id: string;
      house_id: string;
      unit_id: string;
    }
    const placeOf = ({ id }: Device) =>
      query<Place & pg.QueryResultRow>("select tenant_id, farm_id, house_id, unit_id from devices where id = $1", [id]);
    const move = ({ tenant_id, farm_id, house_id, unit_id }: Place) =>
      query("update devices set tenant_id = $2, farm_id = $3, house_id = $4, unit_id = $5 where id = $1", [
        second.id,
        tenant_id,
        farm_id,
        house_id,
        unit_id,
      ]);
    const [[held], [other]] = await Promise.all([placeOf(second), placeOf(foreign)]);
    if (!held || !other) throw new Error("a device is not there");
    let lost: Promise<unknown> | undefined;
    await whileLocked(async () => {
      lost = send({ ids: second.id, format: "csv" });
      await expect.poll(waitingStatements).toBe(1);
      await move(other);
    });
    expect(await lost).toMatchObject({ statusCode: 404 });
    await move(held);
  });
});
