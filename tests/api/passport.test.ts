import { spawnSync } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type OrderView, type Passport, type PassportBody, passportDetail } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { partitionAt, partitionRepository } from "../../apps/server/src/modules/telemetry/partition.repository.ts";
import { systemScope } from "../../apps/server/src/tenant-scope.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { dayIn, service, tradeOf } from "../harness/trade.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;

beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
});
afterAll(() => app.close());

/** As a stranger asks for it. */
const asked = async (code: string) => {
  const { status, body } = await app.call({ path: passportDetail.path, query: { passport: code } });
  return { status, text: JSON.stringify(body), passport: body.data as Passport };
};

/** Whether a signature fits, without any code of the product. */
function fits({ text, signature, publicKey }: Passport["signed"]): boolean {
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), Buffer.from(publicKey, "base64")]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
}

/** Exit code of the program that people check a file with. */
function checkedFile(signed: Passport["signed"]): number | null {
  const file = join(app.dataDir, "passport.json");
  writeFileSync(file, JSON.stringify(signed));
  return spawnSync(process.execPath, ["scripts/verify-passport.mjs", file]).status;
}

/** A unit of the group's farm with a controller that told its climate of two days, and with its books of medicines. */
async function unitWithBooks(): Promise<string> {
  const { query, tokens } = trade;
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await app.call({ method: "POST", path: `/api/muyuan-${path}`, body, token: tokens.admin });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, expect.stringContaining("操作成功")]);
    return (answer.body.data as { id: string }).id;
  };
  const farm = { code: "T1", name: "周家营商品场", type: "commercial", principal: "周建平", regionCode: "411325" };
  const farmId = await made("farm/farm/submit", farm);
  const houseId = await made("farm/house/submit", { farmId, code: "H1", name: "2 号育肥舍", pigstyType: "fattening" });
  const unit = await made("farm/unit/submit", {
    houseId,
    code: "U3",
    name: "3 单元",
    pigstyType: "fattening",
    capacity: 600,
  });
  await made("farm/inventory/submit", { unitId: unit, kind: "arrival", category: "fattener", heads: 480 }).catch(
    () => "",
  );
  await query(
    "update units set head_count = 480, batch_arrived_on = $2, batch_arrival_age_days = 76, average_weight_grams = 110000 where id = $1",
    [unit, dayIn(1)],
  );
  const [device] = await query<{ id: string }>("select min(id)::text as id from devices where kind = 'environment'");
  await query(
    "update devices set tenant_id = '000000', farm_id = $3, house_id = $4, unit_id = $2, owned_since = null where id = $1",
    [device?.id, unit, farmId, houseId],
  );
  await query("delete from telemetry_hours where device_id = $1", [device?.id]);
  // Of the first two of five days: an hour without values, one off comfort, one beyond the limit, and the rest as it should be.
  const hours = (key: string, low: string, high: string) =>
    query(
      `insert into telemetry_hours (device_id, key, hour, count, first_ms, last_ms, sum, min, max, last, held)
       select $1, $2, h, 60, 0, 3599000, 60 * (${low}), ${low}, ${high}, ${low}, 0
         from generate_series($3::timestamp at time zone 'Asia/Shanghai', $3::timestamp at time zone 'Asia/Shanghai' + interval '46 hours', interval '1 hour') h`,
      [device?.id, key, dayIn(-2)],
    );
  const partition = partitionAt("telemetryHours", Date.parse(dayIn(-2)));
  await partitionRepository(app.test.database.kysely, systemScope("a test writes hours")).create(
    "telemetryHours",
    partition,
  );
  await hours("t_in", "18", "19");
  await hours(
    "nh3",
    "4",
    "case extract(hour from h at time zone 'Asia/Shanghai') when 3 then 17 when 5 then 28 else 6 end",
  );
  await hours("water", "1000", "case extract(hour from h at time zone 'Asia/Shanghai') when 2 then 1000 else 1200 end");
  for (const [name, type, withdrawalDays] of [
    ["猪瘟疫苗", "vaccine", 21],
    ["氟苯尼考", "antibiotic", 14],
  ] as const) {
    const medicineId = await made("iot/medicine/submit", { name, type, withdrawalDays });
    if (type === "vaccine")
      await query(
        "insert into vaccination_plans (id, tenant_id, task, unit_id, medicine_id, planned_on) values (1, '000000', 'T1', $1, $2, $3)",
        [unit, medicineId, dayIn(-40)],
      );
    else
      await query(
        "insert into treatments (id, tenant_id, code, finding, type, unit_id, on_day, medicine_id, heads) values (1, '000000', 'ZL1', '咳嗽，张三给药', 'treatment', $1, $2, $3, 6)",
        [unit, dayIn(-30), medicineId],
      );
  }
  // The injector of the farm told of three good shots of the task, two of them of one pig, and of a bad one.
  const [injector] = await query<{ id: string }>("select min(id)::text as id from devices where kind = 'needleless'");
  await query(
    "update devices set tenant_id = '000000', farm_id = $2, house_id = null, unit_id = null, owned_since = null where id = $1",
    [injector?.id, farmId],
  );
  for (const [at, tag, result] of [
    ["1", "A1", "ok"],
    ["2", "A1", "ok"],
    ["3", "A2", "ok"],
    ["4", "A3", "misfire"],
  ])
    await query(
      "insert into device_events (device_id, event_id, type, ts, body) values ($1, $2, 'shot', $3::date, $4)",
      [
        injector?.id,
        `P${at}`,
        dayIn(-40),
        { task: "T1", ear_tag: tag, result, lot: "CSF-2605-17", operator: "王小满" },
      ],
    );
  return unit;
}

let unit = "";
let order = "";
let code = "";

test("a weighed lot gets a passport of its unit, medicines, climate and road", async () => {
  const { query, post, done, tokens } = trade;
  unit = await unitWithBooks();
  await query("update units set batch_arrived_on = $2 where id = $1", [unit, dayIn(-92)]);
  const plan = await trade.published({ unit, heads: 50 });
  await query("update units set batch_arrived_on = $2 where id = $1", [unit, dayIn(-2)]);
  order = (await trade.accepted(plan, 50)).order;
  await trade.paid(order, "prepayment");
  await trade.cleared(order, "豫R3K627", 50);
  await done(post("order/load", { id: order, version: 2 }, tokens.sales));
  await trade.weighed(order, "豫R3K627", 50, 19_500_000, 14_000_001);
  expect(await viewed()).not.toHaveProperty("passport");
  await done(post("order/weigh", { id: order, version: 3 }, tokens.sales));
  await app.runJob("passports.issue");
  const shown = await viewed();
  expect(shown.passport).toEqual({
    code: expect.stringMatching(/^[\w-]{22}$/),
    version: 1,
    issueTime: expect.any(String),
  });
  code = shown.passport?.code ?? "";

  const { status, passport, text } = await asked(code);
  expect([status, passport.seal, passport.version]).toEqual([200, "intact", 1]);
  expect(passport.body).toMatchObject({
    lot: shown.number,
    field: "周家营商品场",
    region: "河南省南阳市内乡县",
    unit: "2 号育肥舍 3 单元",
    loadedOn: dayIn(3),
    heads: 50,
    netGrams: 5_499_999,
    meanGrams: 110_000,
    ageDays: 81,
    housedOn: dayIn(-2),
    housedDays: 5,
    medicines: [],
    vehicles: [{ heads: 50, netGrams: 5_499_999, disinfectionNumber: "XD-260323-118", dried: true }],
  } satisfies Partial<Omit<PassportBody, "vehicles">> & { vehicles: object[] });
  expect(passport.body?.climate).toEqual({
    hours: 120,
    rows: [
      { key: "t_in", low: 15, high: 23, fine: 47, near: 0, beyond: 0, missing: 73 },
      { key: "nh3", low: 0, high: 15, fine: 43, near: 2, beyond: 2, missing: 73 },
      { key: "rh", low: 65, high: 75, fine: 0, near: 0, beyond: 0, missing: 120 },
      { key: "water", fine: 45, near: 0, beyond: 2, missing: 73 },
    ],
  });
  expect(fits(passport.signed)).toBe(true);
  expect([
    checkedFile(passport.signed),
    checkedFile({ ...passport.signed, text: passport.signed.text.replace("50", "51") }),
  ]).toEqual([0, 1]);
  // Neither people nor prices nor the plate.
  expect(text).not.toMatch(/张国梁|张三|王小满|周建平|13800004410|1475|豫R3K627|中原牧业/);
});

const viewed = async (token = trade.tokens.owner): Promise<OrderView> =>
  (await app.call({ path: `${service}/order/view`, query: { id: order }, token })).body.data as OrderView;

test("an arrival adds a version that keeps what was written at the loading", async () => {
  const { query, post, done, tokens } = trade;
  await query("update telemetry_hours set max = 90, min = -10");
  const [transit] = await query<{ id: string }>(`select id::text from transits where "order" = $1`, [order]);
  await query("update transits set state = 'loading' where id = $1", [transit?.id]);
  await done(post("transit/depart", { id: transit?.id, version: 4 }, tokens.sales));
  await done(post("transit/arrive", { id: transit?.id, version: 5 }, tokens.owner));
  const first = (await asked(code)).passport;
  await Promise.all([app.runJob("passports.issue"), app.runJob("passports.issue")]);
  const { passport } = await asked(code);
  expect([passport.seal, passport.version]).toEqual(["intact", 2]);
  expect(passport.body?.climate).toEqual(first.body?.climate);
  const [vehicle] = passport.body?.vehicles ?? [];
  expect(vehicle?.arrivedMs).toBeGreaterThanOrEqual(vehicle?.departedMs ?? Number.POSITIVE_INFINITY);
  expect(await query("select version from passport_versions order by version")).toHaveLength(2);
});

test("medicines stand with their withdrawal ends, and what injectors told of them", async () => {
  const { query } = trade;
  await query("update units set batch_arrived_on = null where id = $1", [unit]);
  await query(`update passports set loaded_at = now() where "order" = $1`, [order]);
  await app.runJob("passports.issue");
  const { passport, text } = await asked(code);
  expect(passport.body).not.toHaveProperty("ageDays");
  expect(passport.body).toMatchObject({
    withdrawalUntil: dayIn(-16),
    medicines: [
      {
        day: dayIn(-40),
        name: "猪瘟疫苗",
        kind: "vaccination",
        heads: 2,
        lots: ["CSF-2605-17"],
        withdrawalDays: 21,
        withdrawalUntil: dayIn(-19),
      },
      {
        day: dayIn(-30),
        name: "氟苯尼考",
        kind: "treatment",
        heads: 6,
        lots: [],
        withdrawalDays: 14,
        withdrawalUntil: dayIn(-16),
      },
    ],
  });
  expect(text).not.toMatch(/张三|王小满/);
});

test("an altered text, and one from another lot, are seen and not shown", async () => {
  const { query } = trade;
  await expect(query("update passport_versions set body = replace(body, '50', '51')")).rejects.toThrow(/is final/);
  await expect(query("delete from passport_versions")).rejects.toThrow(/is final/);
  await query("alter table passport_versions disable trigger user");
  const [held] = await query<{ body: string }>("select body from passport_versions where version = 3");
  const altered = async (change: (text: string) => string) => {
    await query("update passport_versions set body = $1 where version = 3", [change(held?.body ?? "")]);
    const { passport } = await asked(code);
    return [passport.seal, passport.body, fits(passport.signed)];
  };
  expect(await altered((text) => text.replace('"heads":50', '"heads":51'))).toEqual(["altered", undefined, false]);
  expect(await altered((text) => `${text} `)).toEqual(["altered", undefined, false]);
  expect(await altered((text) => text)).toEqual(["intact", expect.anything(), true]);
  // A version of another code is signed as well, and stands in the wrong place.
  await query(`update passports set code = 'AAAAAAAAAAAAAAAAAAAAAA' where "order" = $1`, [order]);
  const moved = (await asked("AAAAAAAAAAAAAAAAAAAAAA")).passport;
  expect([moved.seal, moved.body]).toEqual(["altered", undefined]);
  await query(`update passports set code = $2 where "order" = $1`, [order, code]);
  // What was altered is not signed by the next arrival.
  await query("update passport_versions set body = replace(body, '\"heads\":50', '\"heads\":51') where version = 3");
  await query(`update passports set arrived_at = now() where "order" = $1`, [order]);
  await app.runJob("passports.issue");
  const next = (await asked(code)).passport;
  expect([next.seal, next.version, next.body?.heads]).toEqual(["intact", 4, 50]);
});

test("a passport of an earlier key says so", async () => {
  const { query } = trade;
  const { createPassportSeal } = await import("../../apps/server/src/modules/trade/passport-seal.ts");
  const [held] = await query<{ body: string }>("select body from passport_versions where version = 4");
  const { signature, publicKey } = createPassportSeal("another secret key").sign(held?.body ?? "");
  await query("update passport_versions set signature = $1, public_key = $2 where version = 4", [signature, publicKey]);
  const { passport } = await asked(code);
  expect([passport.seal, passport.body?.heads, fits(passport.signed)]).toEqual(["earlier-key", 50, true]);
});

test("nobody finds a lot by guessing, and another customer does not get the code", async () => {
  const { tokens } = trade;
  expect((await asked("BBBBBBBBBBBBBBBBBBBBBB")).status).toBe(404);
  expect((await asked(order)).status).toBe(400);
  expect(await viewed(tokens.stranger)).toMatchObject({ reason: "process.not_found" });
});
