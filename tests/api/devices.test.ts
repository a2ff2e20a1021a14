import type {
  Device,
  DeviceDetail,
  DeviceEventRecord,
  HistoryReply,
  KindFarm,
  LiveFigures,
  Page,
  PlaceCounts,
  Readings,
} from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoDevices } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let farm: string;
let worker: string;
let mine: Device;
let foreign: Device;

const deviceOf = async (serialNumber: string, token: string): Promise<Device> => {
  const page = await app.get<Page<Device>>(`/api/muyuan-iot/device/page?size=500&name=${serialNumber}`, token);
  const [device] = page.body.data.records;
  if (device === undefined) throw new Error(`${serialNumber} is not there`);
  return device;
};

beforeAll(async () => {
  app = await createTestApp();
  farm = await app.logIn("farm");
  worker = await app.logIn("worker");
  mine = await deviceOf("ENV-ZJY-01", farm);
  foreign = await deviceOf("ENV-LH01-01", worker);
});
afterAll(() => app.close());

test("lists hold own devices only, whatever is asked for", async () => {
  const { body } = await app.get<Page<Device>>(`/api/muyuan-iot/device/page?size=500&farmId=${foreign.farmId}`, farm);
  expect(body.data.total).toBe(0);
  const all = await app.get<Page<Device>>("/api/muyuan-iot/device/page?size=500", farm);
  const { rows } = await app.test.database.pool.query("select serial_number from devices where tenant_id = '100002'");
  expect(all.body.data.records.map((row) => row.serialNumber).sort()).toEqual(
    rows.map((row) => row.serial_number).sort(),
  );
});

describe("registry", () => {
  test("the demo has 3 customers, 60 units and over 150 devices of all nine kinds", async () => {
    const { rows } = await app.test.database.pool.query(
      "select (select count(*) from tenants where type <> 'group')::int as tenants, (select count(*) from units)::int as units, count(*)::int as devices, count(distinct kind)::int as kinds from devices",
    );
    expect(rows[0]).toMatchObject({ tenants: 3, units: 60, kinds: 10 });
    expect(rows[0].devices).toBeGreaterThanOrEqual(150);
  });

  test("paging, filters and sorting", async () => {
    const first = await app.get<Page<Device>>(
      "/api/muyuan-iot/device/page?size=10&kind=environment&descs=serial_number",
      farm,
    );
    expect(first.body.data).toMatchObject({ size: 10, current: 1, total: 36, pages: 4 });
    const serials = first.body.data.records.map(({ serialNumber }) => serialNumber);
    expect(serials).toEqual([...serials].sort().reverse());
    const last = await app.get<Page<Device>>("/api/muyuan-iot/device/page?size=10&current=4&kind=environment", farm);
    expect(last.body.data.records).toHaveLength(6);
    const unactivated = await app.get<Page<Device>>("/api/muyuan-iot/device/page?status=unactivated&size=1", farm);
    expect(unactivated.body.data.total).toBeGreaterThan(50);
  });

  test.each([
    ["size=1000000000", "参数校验失败: size"],
    ["current=0", "参数校验失败: current"],
    ["kind=toaster", "参数校验失败: kind"],
    ["farmId=1%27%20or%201%3D1", "参数校验失败: farmId"],
  ])("%s is refused in words", async (query, msg) => {
    const answer = await app.get(`/api/muyuan-iot/device/page?${query}`, farm);
    expect([answer.status, answer.body.msg]).toEqual([400, msg]);
  });

  test.each(["token_hash", "id;drop table devices", "(select 1)", "name desc", "1"])(
    "sorting by %s is refused",
    async (column) => {
      expect((await app.get(`/api/muyuan-iot/device/page?ascs=${encodeURIComponent(column)}`, farm)).status).toBe(400);
    },
  );

  test.each(["%", "_", "\\", "'", '"; --'])("a word of %s finds only what holds it", async (word) => {
    const answer = await app.get<Page<Device>>(`/api/muyuan-iot/device/page?name=${encodeURIComponent(word)}`, farm);
    expect([answer.status, answer.body.data.total]).toEqual([200, 0]);
  });
});

describe("telemetry", () => {
  test("what a device reported is the latest, the overview and the history", async () => {
    const ts = Date.now() - 1000;
    expect(await app.report("ENV-ZJY-02", { ts, values: { t_in: 31.5, rh: 61, mode: "normal", neu: { a: 1 } } })).toBe(
      200,
    );
    const device = await deviceOf("ENV-ZJY-02", farm);
    expect(device.status).toBe("online");
    const latest = await app.get<Readings>(`/api/muyuan-iot/device/latest?id=${device.id}`, farm);
    expect(latest.body.data).toEqual({
      t_in: { value: 31.5, ts },
      rh: { value: 61, ts },
      mode: { value: "normal", ts },
      neu: { value: { a: 1 }, ts },
    });
    const overview = await app.get<KindFarm[]>("/api/muyuan-iot/overview/list?kind=environment", farm);
    const unit = overview.body.data
      .flatMap(({ houses }) => houses.flatMap(({ units }) => units))
      .find(({ deviceId }) => deviceId === device.id);
    expect(unit).toMatchObject({ status: "online", reportedAtMs: ts, readings: { t_in: { value: 31.5 } } });
    // Clients of the family ask at the path of the kind.
    const family = await app.get<KindFarm[]>("/api/muyuan-iot/environment/overview", farm);
    expect(family.body.data).toEqual(overview.body.data);
    const history = await app.get<HistoryReply>(
      `/api/muyuan-iot/telemetry/history?id=${device.id}&key=t_in&start=${ts}&end=${ts + 1}`,
      farm,
    );
    expect(history.body.data).toEqual({ key: "t_in", resolution: "raw", points: [[ts, 31.5]] });
  });

  test("an overview has the devices of its kind alone: all of a unit's, those of a farm beside it, none of another tenant", async () => {
    const overviewOf = async (kind: string, token: string) =>
      (await app.get<KindFarm[]>(`/api/muyuan-iot/overview/list?kind=${kind}`, token)).body.data;
    const unitsOf = (farms: KindFarm[]) => farms.flatMap(({ houses }) => houses.flatMap(({ units }) => units));
    const monitor = await deviceOf("COU-ZJY-01", farm);
    expect(await app.report("COU-ZJY-01", { coughs: 4, laeq: 66.5 })).toBe(200);
    // A second monitor in the same unit, as one hears 220 pigs and a unit has twice as many.
    await app.test.database.pool.query(
      "update devices set unit_id = $1, house_id = $2 where serial_number = 'COU-ZJY-02'",
      [monitor.unitId, monitor.houseId],
    );
    const units = unitsOf(await overviewOf("cough", farm));
    const unit = units.find(({ id }) => id === monitor.unitId);
    expect(unit).toMatchObject({ deviceId: monitor.id, status: "online", readings: { coughs: { value: 4 } } });
    expect(unit?.more.map(({ deviceName }) => deviceName)).toEqual([(await deviceOf("COU-ZJY-02", farm)).name]);
    expect(units.some(({ deviceId }) => deviceId === "")).toBe(true);
    const baths = await overviewOf("bathroom", farm);
    const owned = demoDevices().filter(({ kind, tenantId }) => kind === "bathroom" && tenantId === "100002");
    expect(baths.flatMap(({ devices }) => devices)).toHaveLength(owned.length);
    expect(unitsOf(baths).every(({ deviceId }) => deviceId === "")).toBe(true);
    expect(JSON.stringify(await overviewOf("cough", worker))).not.toContain(monitor.id);
    expect((await app.get("/api/muyuan-iot/overview/list?kind=nothing", farm)).status).toBe(400);
  });

  test("of more than 1,000 units and devices an overview tells figures that add up, and lists the place that is named", async () => {
    const { pool } = app.test.database;
    const farmId = (await deviceOf("ENV-ZJY-01", farm)).farmId;
    const houseId = "1790000000000100001";
    await pool.query(
      "insert into pig_houses (id, tenant_id, farm_id, code, name, pigsty_type, sort) values ($1, '100002', $2, 'BIG', '大舍', 'fattening', 99)",
      [houseId, farmId],
    );
    await pool.query(
      `insert into units (id, tenant_id, house_id, code, name, pigsty_type, sort)
       select 1790000000001000000 + n, '100002', $1, 'BIG-' || n, n || ' 单元', 'fattening', n from generate_series(1, 1000) n`,
      [houseId],
    );
    const overviewOf = async (place: string, kind = "environment", token = farm) =>
      (await app.get<KindFarm[]>(`/api/muyuan-iot/overview/list?kind=${kind}${place}`, token)).body.data;
    const figured = (farms: KindFarm[]) =>
      farms
        .flatMap(({ unlisted, houses }) => [unlisted, ...houses.map((house) => house.unlisted)])
        .filter((one) => !!one);
    const sum = (farms: KindFarm[], of: Exclude<keyof PlaceCounts, "alarms">) =>
      figured(farms).reduce((total, counts) => total + counts[of], 0);
    const listedIn = (farms: KindFarm[]) => farms.flatMap(({ houses }) => houses.flatMap(({ units }) => units));
    try {
      const all = await overviewOf("");
      expect(listedIn(all)).toEqual([]);
      const { rows } = await pool.query(
        `select (select count(*)::int from units where tenant_id = '100002' and status = '1') as units,
                (select sum(head_count)::int from units where tenant_id = '100002' and status = '1') as heads,
                (select count(*)::int from devices where tenant_id = '100002' and kind = 'environment' and farm_id is not null) as devices`,
      );
      expect([sum(all, "units"), sum(all, "headCount"), sum(all, "devices")]).toEqual(Object.values(rows[0]));
      // The device that reported in a test before is the one that does.
      expect(sum(all, "online")).toBe(1);
      // Nothing is known of the new units, and of devices that never told anything.
      expect(all.flatMap(({ houses }) => houses).find(({ id }) => id === houseId)?.unlisted?.bare).toBe(1000);
      const never = await pool.query(
        `select count(*)::int as devices from devices d left join device_states s on s.device_id = d.id
          where d.tenant_id = '100002' and d.kind = 'environment' and d.farm_id is not null and s.reported_at is null`,
      );
      expect(sum(all, "silent")).toBe(never.rows[0].devices);
      expect(sum(all, "silent")).toBeGreaterThan(0);
      for (const { devices, online, fault, offline, silent } of figured(all))
        expect(online + fault + offline + silent).toBe(devices);
      const { houseId: small = "" } = await deviceOf("ENV-ZJY-01", farm);
      const one = await overviewOf(`&place=${small}`);
      expect(listedIn(one).length).toBeGreaterThan(0);
      expect(one.flatMap(({ houses }) => houses).find(({ id }) => id === small)?.unlisted).toBeUndefined();
      expect(sum(one, "units") + listedIn(one).length).toBe(sum(all, "units"));
      // A farm that is too large stays in figures but for what serves it as a whole, and another tenant's place is none.
      expect(listedIn(await overviewOf(`&place=${farmId}`))).toEqual([]);
      const baths = await overviewOf(`&place=${farmId}`, "bathroom");
      expect(baths.flatMap(({ devices }) => devices).length).toBeGreaterThan(0);
      expect(JSON.stringify(await overviewOf(`&place=${small}`, "environment", worker))).not.toContain(small);
    } finally {
      await pool.query("delete from units where house_id = $1", [houseId]);
      await pool.query("delete from pig_houses where id = $1", [houseId]);
    }
    const counts = (await app.get<Record<string, number>>("/api/muyuan-iot/device/counts", farm)).body.data;
    for (const status of ["online", "offline", "fault", "unactivated", "blocked"]) {
      const page = await app.get<Page<Device>>(`/api/muyuan-iot/device/page?size=1&status=${status}`, farm);
      expect([status, counts[status]]).toEqual([status, page.body.data.total]);
    }
    const own = await pool.query("select count(*)::int as devices from devices where tenant_id = '100002'");
    expect(counts.total).toBe(own.rows[0].devices);
  });

  test("events are paged newest first with what their kind declares; people in them are shortened for who may not see the users", async () => {
    const events = async (serial: string, payload: unknown) =>
      (
        await app.http.inject({
          method: "POST",
          url: `/api/v1/demo-${serial}/events`,
          payload: JSON.stringify(payload),
          headers: { "content-type": "application/json" },
        })
      ).statusCode;
    const now = Date.now();
    const coughs = [1, 2, 3].map((at) => ({
      ts: now - at * 60_000,
      type: "cough",
      id: `c${at}`,
      confidence: 0.9,
      zone: `${at}`,
      undeclared: "secret",
    }));
    expect(await events("COU-ZJY-03", [...coughs, { ts: now, type: "state_change", id: "s1", from: "normal" }])).toBe(
      200,
    );
    const { id } = await deviceOf("COU-ZJY-03", farm);
    const pageAt = async (query: string, token = farm) =>
      app.get<Page<DeviceEventRecord>>(`/api/muyuan-iot/event/page?id=${id}${query}`, token);
    const all = (await pageAt("")).body.data;
    expect(all.records.map(({ eventId }) => eventId)).toEqual(["s1", "c1", "c2", "c3"]);
    expect(all.records[1]).toEqual({
      eventId: "c1",
      type: "cough",
      ts: now - 60_000,
      fields: { confidence: 0.9, zone: "1" },
    });
    const second = (await pageAt("&type=cough&current=2&size=2")).body.data;
    expect([second.total, second.records.map(({ eventId }) => eventId)]).toEqual([3, ["c3"]]);
    expect((await pageAt("", worker)).status).toBe(404);

    expect(await events("BAT-ZJY-01", { ts: now, type: "bypass", id: "b1", person: "周建平", door: "A" })).toBe(200);
    const bath = await deviceOf("BAT-ZJY-01", farm);
    const shownTo = async (token: string) =>
      (await app.get<Page<DeviceEventRecord>>(`/api/muyuan-iot/event/page?id=${bath.id}`, token)).body.data.records[0]
        ?.fields;
    expect(await shownTo(farm)).toEqual({ person: "周建平", door: "A" });
    expect(await shownTo(await app.logIn("vet", "100002"))).toEqual({ person: "周**", door: "A" });
  });

  test("parameters stand beside what the device reports, declared ones alone", async () => {
    const { id } = await deviceOf("COU-ZJY-03", farm);
    const { pool } = app.test.database;
    await pool.query(`update devices set shared_attributes = '{"sensitivity": 7, "other": 1}' where id = $1`, [id]);
    const answer = await app.http.inject({
      method: "POST",
      url: "/api/v1/demo-COU-ZJY-03/attributes",
      payload: JSON.stringify({ sensitivity: 5, clip_upload: false, firmwareVersion: "1.4.2" }),
      headers: { "content-type": "application/json" },
    });
    expect(answer.statusCode).toBe(200);
    const path = `/api/muyuan-iot/parameter/detail?id=${id}`;
    expect((await app.get(path, farm)).body.data).toEqual({
      desired: { sensitivity: 7 },
      reported: { sensitivity: 5, clip_upload: false },
    });
    expect((await app.get(path, worker)).status).toBe(404);
  });

  test("late data fills the history and leaves the latest value alone; a replay changes nothing", async () => {
    const now = Date.now();
    await app.report("ENV-ZJY-03", { ts: now, values: { t_in: 22 } });
    await app.report("ENV-ZJY-03", { ts: now - 3_600_000, values: { t_in: 18 } });
    await app.report("ENV-ZJY-03", { ts: now, values: { t_in: 99 } });
    const { id } = await deviceOf("ENV-ZJY-03", farm);
    const latest = await app.get<Readings>(`/api/muyuan-iot/device/latest?id=${id}`, farm);
    expect(latest.body.data).toEqual({ t_in: { value: 22, ts: now } });
    const history = await app.get<HistoryReply>(
      `/api/muyuan-iot/telemetry/history?id=${id}&key=t_in&start=${now - 7_200_000}&end=${now + 1}`,
      farm,
    );
    expect(history.body.data.points).toEqual([
      [now - 3_600_000, 18],
      [now, 22],
    ]);
  });

  test("the resolution fits the range, and a bucket tells least, mean and most", async () => {
    const day =
      Date.UTC(2026, 0, 1) > Date.now() - 80 * 86_400_000 ? Date.UTC(2026, 0, 1) : Date.now() - 20 * 86_400_000;
    const hour = Math.floor(day / 3_600_000) * 3_600_000;
    await app.report(
      "ENV-ZJY-04",
      // The air does not change faster.
      [10, 20, 60].map((value, at) => ({ ts: hour + at * 20 * 60_000, values: { t_in: value, mains: value > 15 } })),
    );
    const { id } = await deviceOf("ENV-ZJY-04", farm);
    const ask = async (key: string, start: number, end: number) =>
      (
        await app.get<HistoryReply>(
          `/api/muyuan-iot/telemetry/history?id=${id}&key=${key}&start=${start}&end=${end}`,
          farm,
        )
      ).body.data;
    expect(await ask("t_in", hour, hour + 86_400_000)).toMatchObject({ resolution: "raw" });
    expect(await ask("t_in", hour, hour + 30 * 3_600_000)).toMatchObject({ resolution: "minute" });
    expect(await ask("t_in", hour, hour + 7 * 86_400_000)).toEqual({
      key: "t_in",
      resolution: "hour",
      points: [[hour, 10, 30, 60]],
    });
    expect(await ask("mains", hour, hour + 7 * 86_400_000)).toMatchObject({ points: [[hour, 0, 2 / 3, 1]] });
    const days = await ask("t_in", hour, hour + 200 * 86_400_000);
    const [[start] = []] = days.points as number[][];
    // Days begin at midnight in Shanghai.
    expect([days.resolution, ((start ?? 0) + 8 * 3_600_000) % 86_400_000]).toEqual(["day", 0]);
  });

  test.each([
    ["an empty range", "start=5&end=5", "结束时间必须晚于开始时间"],
    ["a raw range of a year", "start=1&end=31536000000&resolution=raw", "时间范围过大，请缩短范围或改用更粗的粒度"],
  ])("%s is refused in words", async (_case, range, msg) => {
    const answer = await app.get(`/api/muyuan-iot/telemetry/history?id=${mine.id}&key=t_in&${range}`, farm);
    expect([answer.status, answer.body.msg]).toEqual([400, msg]);
  });

  test("dropped messages are counted with their reason on the device's page", async () => {
    expect(await app.report("ENV-ZJY-05", "not an object")).toBe(400);
    expect(await app.report("ENV-ZJY-05", [1])).toBe(400);
    const { id } = await deviceOf("ENV-ZJY-05", farm);
    await expect
      .poll(
        async () => (await app.get<DeviceDetail>(`/api/muyuan-iot/device/detail?id=${id}`, farm)).body.data.dropped,
        { timeout: 10_000 },
      )
      .toMatchObject([{ reason: "wrong_form", count: 2 }]);
  });

  test("visitors see figures and the showcase unit, but no id and no key that is not for them", async () => {
    await app.report("ENV-ZJY-01", { t_in: 21, firmware_secret: "canary" });
    await expect
      .poll(
        async () =>
          (await app.get<LiveFigures>("/api/muyuan-content/section/skip-secure/live-figures")).body.data.devicesOnline,
        { timeout: 10_000 },
      )
      .toBeGreaterThan(0);
    const { body } = await app.get<LiveFigures>("/api/muyuan-content/section/skip-secure/live-figures");
    expect(body.data).toMatchObject({
      farms: 6,
      units: 60,
      showcase: { unitName: "1 单元", readings: { t_in: { value: 21 } } },
    });
    expect(JSON.stringify(body)).not.toContain("canary");
    expect(JSON.stringify(body)).not.toMatch(/\d{19}/);
  });
});
