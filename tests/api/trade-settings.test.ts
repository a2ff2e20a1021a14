import { shanghaiDay } from "@herdwise/contract/shanghai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedDemoArchives } from "../../apps/server/src/database/seeds/demo-archives.ts";
import { seedDemoTradeSettings } from "../../apps/server/src/database/seeds/demo-trade-settings.ts";
import { bandsOn, modelOn, slotsOn } from "../../apps/server/src/modules/trade-settings/index.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { sheetCalls } from "../resources/sheets.ts";

let app: TestApp;
let admin: string;
let fieldId: string;
let otherFieldId: string;
let regionId: string;
let named = 0;

const post = async (path: string, body: object, token = admin) => {
  const answer = await app.call({ method: "POST", path: `/api/muyuan-trade/${path}/submit`, body, token });
  const data = answer.body.data as { id: string; reason?: string; problems?: { field: string }[]; values?: object };
  return { status: answer.status, data };
};
/** Reason and field of a refusal, or the status of what was done. */
const told = async (path: string, body: object) => {
  const { status, data } = await post(path, body);
  return status === 200 ? 200 : [data.reason, data.problems?.[0]?.field];
};
const added = async (path: string, body: object): Promise<string> => {
  const { status, data } = await post(path, body);
  expect([status, status === 200 ? undefined : data]).toEqual([200, undefined]);
  return data.id;
};
const removed = async (path: string, ids: string) => {
  const answer = await app.call({
    method: "POST",
    path: `/api/muyuan-trade/${path}/remove`,
    body: { ids },
    token: admin,
  });
  return answer.status === 200 ? 200 : (answer.body.data as { reason?: string }).reason;
};
const query = async <Row extends object>(sql: string): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(sql)).rows;
/** A sheet is checked and written; the state that it ends in. */
const imported = async (path: string, rows: readonly Record<string, string>[]) => {
  const sheets = sheetCalls(app, `/api/muyuan-trade/${path}`, admin);
  const checked = await sheets.check(rows);
  expect([checked.bad, checked.good]).toEqual([0, rows.length]);
  return (await sheets.write(checked.id, "all")).state;
};
const dayFrom = (days: number): string => shanghaiDay(Date.now() + days * 86_400_000);
const name = (): string => {
  named += 1;
  return `设置 ${named}`;
};
const slot = (more: object = {}) => ({
  slotName: name(),
  fieldId,
  weekday: "1",
  times: "08:00-10:00,13:00-15:00",
  validFrom: "2030-01-01",
  ...more,
});
const band = (fromKg: number, toKg: number, more: object = {}) => ({
  bandName: name(),
  category: "outer",
  fromGrams: fromKg * 1000,
  toGrams: toKg * 1000,
  adjustmentFen: -10,
  validFrom: "2990-01-01",
  ...more,
});
const model = (more: object = {}) => ({
  modelName: name(),
  category: "outer",
  mode: "fixed",
  participants: ["personal"],
  leastHeads: 50,
  mostHeads: 600,
  validFrom: "2030-01-01",
  ...more,
});

beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
  await seedDemoArchives(app.test.database.kysely, app.personalCipher, app.nextId);
  const { rows } = await app.test.database.pool.query<{ id: string }>("select id::text from sale_fields order by id");
  [fieldId, otherFieldId] = rows.map(({ id }) => id) as [string, string];
  const regions = await app.test.database.pool.query<{ id: string }>("select id::text from sale_regions order by id");
  regionId = regions.rows[0]?.id ?? "";
});
afterAll(() => app.close());

describe("loading slots", () => {
  test("times of one field, day and version do not overlap", async () => {
    const held = slot();
    const id = await added("loading-slot", held);
    const { data } = await post("loading-slot", slot({ times: "09:59-11:00" }));
    expect([data.reason, data.values, data.problems?.[0]?.field]).toEqual([
      "trade.slots_overlap",
      { title: held.slotName },
      "times",
    ]);
    const refused = ["trade.slots_overlap", "times"];
    expect(await told("loading-slot", slot({ times: "14:00-14:01" }))).toEqual(refused);
    expect(await told("loading-slot", slot({ times: "06:00-20:00" }))).toEqual(refused);
    for (const other of [
      slot({ times: "10:00-13:00" }),
      slot({ weekday: "2" }),
      slot({ validFrom: "2030-01-10" }),
      slot({ fieldId: otherFieldId }),
      slot({ status: "0" }),
    ])
      expect([other, await told("loading-slot", other)]).toEqual([other, 200]);
    // Itself is no obstacle.
    expect(await told("loading-slot", { id, times: "08:30-10:00,13:00-15:00" })).toBe(200);
    expect(await told("loading-slot", { id, times: "08:30-10:01,13:00-15:00" })).toEqual(refused);
  });

  test("a row out of use comes back only where it still fits", async () => {
    const times = { weekday: "3", times: "08:00-10:00" };
    const id = await added("loading-slot", slot({ ...times, status: "0" }));
    await added("loading-slot", slot(times));
    expect(await told("loading-slot", { id, status: "1" })).toEqual(["trade.slots_overlap", "times"]);
    expect(await told("loading-slot", { id, remark: "停用的" })).toBe(200);
  });

  test("a closed day has no times and stands alone", async () => {
    const id = await added("loading-slot", slot({ weekday: "7", kind: "closed" }));
    expect(await query(`select times from loading_slots where id = ${id}`)).toEqual([{ times: "" }]);
    const refused = ["trade.slots_overlap", "times"];
    expect(await told("loading-slot", slot({ weekday: "7", times: "08:00-09:00" }))).toEqual(refused);
    expect(await told("loading-slot", slot({ weekday: "7", kind: "closed" }))).toEqual(refused);
    expect(await told("loading-slot", { id, kind: "open" })).toEqual(["trade.slot_times_missing", "times"]);
    expect(await told("loading-slot", slot({ weekday: "6", times: "" }))).toEqual([
      "trade.slot_times_missing",
      "times",
    ]);
  });

  test("a date belongs to a single day, and a single day has one", async () => {
    expect(await told("loading-slot", slot({ weekday: "date" }))).toEqual(["trade.slot_day_missing", "onDay"]);
    expect(await told("loading-slot", slot({ onDay: "2030-05-01" }))).toEqual(["trade.slot_day_unused", "onDay"]);
    const single = (onDay: string) => slot({ weekday: "date", onDay });
    expect(await told("loading-slot", single("2030-05-01"))).toBe(200);
    expect(await told("loading-slot", single("2030-05-01"))).toEqual(["trade.slots_overlap", "times"]);
    expect(await told("loading-slot", single("2030-05-02"))).toBe(200);
  });

  test("of ten at once one is kept", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => told("loading-slot", slot({ weekday: "4", times: "08:00-09:00" }))),
    );
    expect(answers.filter((answer) => answer === 200)).toHaveLength(1);
  });

  test("a sheet whose rows overlap each other is not written", async () => {
    const [field] = await query<{ field_name: string }>(`select field_name from sale_fields where id = ${fieldId}`);
    const cells = (times: string) => ({
      名称: name(),
      场区: field?.field_name ?? "",
      适用日子: "周五",
      时段: times,
      生效日期: "2030-01-01",
    });
    const count = () => query("select count(*) from loading_slots");
    const before = await count();
    expect(await imported("loading-slot", [cells("08:00-10:00"), cells("09:00-11:00")])).not.toBe("written");
    expect(await count()).toEqual(before);
    expect(await imported("loading-slot", [cells("08:00-10:00"), cells("10:00-11:00")])).toBe("written");
  });

  test("the server works out the slots of a day", async () => {
    await added("loading-slot", slot({ weekday: "1", times: "05:00-06:00", validFrom: "2031-01-01", mostVehicles: 4 }));
    const on = (day: string) => slotsOn(app.test.database.kysely, fieldId, day);
    expect((await on("2030-01-07")).map(({ from, to }) => `${from}-${to}`)).toEqual([
      "08:30-10:00",
      "10:00-13:00",
      "13:00-15:00",
    ]);
    expect(await on("2031-01-06")).toEqual([
      { rowId: expect.any(String), from: "05:00", to: "06:00", mostVehicles: 4, headsPerVehicle: 120 },
    ]);
    expect(await on("2030-01-06")).toEqual([]);
    expect(await on("2029-12-31")).toEqual([]);
  });
});

describe("weight bands", () => {
  test("a band goes from less to more", async () => {
    const refused = ["trade.band_order", "toGrams"];
    expect(await told("weight-band", band(110, 110))).toEqual(refused);
    expect(await told("weight-band", band(110, 109.999))).toEqual(refused);
    expect(await told("weight-band", band(60, 60.001))).toBe(200);
  });

  test("bands of one region, category and version do not overlap", async () => {
    const held = band(100, 110);
    await added("weight-band", held);
    const { data } = await post("weight-band", band(109.999, 120));
    expect([data.reason, data.values]).toEqual([
      "trade.bands_overlap",
      { title: held.bandName, from: "100.000", to: "110.000" },
    ]);
    const refused = ["trade.bands_overlap", "fromGrams"];
    expect(await told("weight-band", band(90, 100.001))).toEqual(refused);
    expect(await told("weight-band", band(90, 120))).toEqual(refused);
    expect(await told("weight-band", band(101, 102))).toEqual(refused);
    for (const other of [
      band(110, 120),
      band(90, 100),
      band(90, 120, { saleRegion: regionId }),
      band(90, 120, { category: "inner" }),
      band(90, 120, { validFrom: "2990-01-02" }),
      band(90, 120, { status: "0" }),
    ])
      expect([other, await told("weight-band", other)]).toEqual([other, 200]);
    expect(await told("weight-band", band(100, 101, { saleRegion: regionId }))).toEqual(refused);
  });

  test("a band that holds is only renamed, remarked or taken out of use, and stays", async () => {
    const today = dayFrom(0);
    const category = "sow";
    const id = await added("weight-band", band(150, 200, { category, validFrom: today }));
    const later = await added("weight-band", band(150, 200, { category, validFrom: dayFrom(1) }));
    for (const [field, value] of Object.entries({
      fromGrams: 151_000,
      toGrams: 201_000,
      adjustmentFen: 0,
      category: "boar",
      saleRegion: regionId,
      validFrom: dayFrom(2),
    })) {
      expect([field, await told("weight-band", { id, [field]: value })]).toEqual([field, ["trade.in_force", field]]);
      const again = { [field]: value, ...(field === "validFrom" && { validFrom: dayFrom(3) }) };
      expect([field, await told("weight-band", { id: later, ...again })]).toEqual([field, 200]);
    }
    expect(await removed("weight-band", id)).toBe("trade.in_force_kept");
    expect(await removed("weight-band", `${later},${id}`)).toBe("trade.in_force_kept");
    expect(await removed("weight-band", later)).toBe(200);
    expect(await told("weight-band", { id, bandName: name(), remark: "写错了", status: "0" })).toBe(200);
    // In its place another one can be set up.
    expect(await told("weight-band", band(150, 210, { category, validFrom: today }))).toBe(200);
  });

  test("a new version can't begin in the past of one that holds, but its gaps are filled", async () => {
    const category = "piglet";
    await added("weight-band", band(5, 10, { category, validFrom: "2026-01-01" }));
    expect(await told("weight-band", band(10, 20, { category, validFrom: "2026-01-01" }))).toBe(200);
    const past = band(5, 10, { category, validFrom: dayFrom(-1) });
    expect(await told("weight-band", past)).toEqual(["trade.past_version", "validFrom"]);
    expect(await told("weight-band", { ...past, validFrom: "2025-01-01" })).toBe(200);
    const id = await added("weight-band", { ...past, bandName: name(), validFrom: dayFrom(1) });
    expect(await told("weight-band", { id, validFrom: dayFrom(-1) })).toEqual(["trade.past_version", "validFrom"]);
    expect(await told("weight-band", { id, validFrom: dayFrom(0) })).toBe(200);
  });

  test("of ten at once one is kept, and a sheet whose rows overlap is not written", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => told("weight-band", band(90 + at, 120, { category: "local" }))),
    );
    expect(answers.filter((answer) => answer === 200)).toHaveLength(1);
    const cells = (from: string, to: string) => ({
      名称: name(),
      类别: "淘汰公猪",
      "体重从（含）": from,
      "体重到（不含）": to,
      价格调整: "-0.10",
      生效日期: "2991-01-01",
    });
    expect(await imported("weight-band", [cells("100", "110"), cells("109", "120")])).not.toBe("written");
    expect(await query("select 1 from weight_bands where valid_from = '2991-01-01'")).toEqual([]);
    expect(await imported("weight-band", [cells("100", "110"), cells("110", "120")])).toBe("written");
  });

  test("the server finds the bands of a day", async () => {
    const on = async (region: string, day: string) =>
      (await bandsOn(app.test.database.kysely, region, "outer", day)).map(({ fromGrams }) => fromGrams);
    expect(await on("", "2990-01-01")).toEqual([60_000, 90_000, 100_000, 110_000]);
    expect(await on(regionId, "2990-01-02")).toEqual([90_000]);
    expect(await on("", "2989-12-31")).toEqual([]);
  });
});

describe("sales models", () => {
  test("the most heads are not fewer than the least", async () => {
    expect(await told("sales-model", model({ leastHeads: 601 }))).toEqual(["trade.heads_order", "mostHeads"]);
    expect(await told("sales-model", model({ leastHeads: 600, category: "sow" }))).toBe(200);
  });

  test("bidding needs a deposit and a step", async () => {
    const bidding = (more: object) => model({ mode: "bidding", ...more });
    expect(await told("sales-model", bidding({ bidStepFen: 5 }))).toEqual(["trade.bidding_needs", "depositFen"]);
    expect(await told("sales-model", bidding({ depositFen: 100 }))).toEqual(["trade.bidding_needs", "bidStepFen"]);
    expect(await told("sales-model", bidding({ depositFen: 0, bidStepFen: 5 }))).toEqual(["row.invalid", "depositFen"]);
    const id = await added("sales-model", bidding({ depositFen: 10_000, bidStepFen: 5 }));
    expect(await told("sales-model", { id, depositFen: "" })).toEqual(["trade.bidding_needs", "depositFen"]);
    expect(await modelOn(app.test.database.kysely, regionId, "outer", "bidding", "2030-01-01")).toMatchObject({
      id,
      depositFen: 10_000,
      bidStepFen: 5,
      softCloseMinutes: 2,
      participants: ["personal"],
    });
    expect(await modelOn(app.test.database.kysely, "", "outer", "bidding", "2029-12-31")).toBeUndefined();
  });

  test("there is one for each region, category, mode and date", async () => {
    const held = model({ category: "inner" });
    await added("sales-model", held);
    const { data } = await post("sales-model", model({ category: "inner" }));
    expect([data.reason, data.values, data.problems?.[0]?.field]).toEqual([
      "trade.model_taken",
      { title: held.modelName },
      "validFrom",
    ]);
    const own = { category: "inner", saleRegion: regionId };
    const id = await added("sales-model", model(own));
    expect(await told("sales-model", model(own))).toEqual(["trade.model_taken", "validFrom"]);
    expect(await told("sales-model", { id, remark: "自己不算" })).toBe(200);
    expect(await told("sales-model", model({ ...own, validFrom: "2030-01-02" }))).toBe(200);
    expect(await told("sales-model", model({ ...own, mode: "contract" }))).toBe(200);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => told("sales-model", model({ category: "boar" }))),
    );
    expect(answers.filter((answer) => answer === 200)).toHaveLength(1);
    expect((await query("select 1 from sales_models where category = 'boar'")).length).toBe(1);
  });
});

test("the demo has slots at every field, bands of every category and models of every mode, once", async () => {
  await app.test.database.pool.query("truncate loading_slots, weight_bands, sales_models");
  const { kysely } = app.test.database;
  const at = Date.parse("2026-11-27T04:00:00Z");
  await seedDemoTradeSettings(kysely, app.nextId, at);
  await seedDemoTradeSettings(kysely, app.nextId, at);
  for (const { id } of await query<{ id: string }>("select id::text from sale_fields")) {
    expect((await slotsOn(kysely, id, "2026-11-28")).map(({ from, to }) => `${from}-${to}`)).toEqual([
      "08:00-10:00",
      "10:00-12:00",
      "13:00-15:00",
      "15:00-17:00",
    ]);
    expect(await slotsOn(kysely, id, "2026-11-29")).toEqual([]);
  }
  const bands = await bandsOn(kysely, regionId, "outer", "2026-11-28");
  expect(
    bands.map(({ fromGrams, toGrams, adjustmentFen }) => [fromGrams / 1000, toGrams / 1000, adjustmentFen]),
  ).toEqual([
    [90, 100, -30],
    [100, 110, -10],
    [110, 120, 0],
    [120, 130, -10],
    [130, 150, -40],
  ]);
  const kinds = await query<{ bands: string[]; modes: string[] }>(`
    select (select array_agg(distinct category order by category) from weight_bands) as bands,
           (select array_agg(distinct mode order by mode) from sales_models) as modes`);
  expect(kinds).toEqual([
    { bands: ["boar", "inner", "local", "outer", "piglet", "sow"], modes: ["bidding", "contract", "fixed"] },
  ]);
  for (const table of ["loading_slots", "weight_bands", "sales_models"])
    expect(await query(`select 1 from ${table} group by id having count(*) > 1`)).toEqual([]);
});
