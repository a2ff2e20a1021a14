import type { Movement, Page, StructureNode, UnitInventory } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { sheetCalls } from "../resources/sheets.ts";

let app: TestApp;
let owner: string;
let worker: string;

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query(text, values)).rows;
const get = async <Reply>(path: string, query: Record<string, string> = {}, token = owner) => {
  const { status, body } = await app.call({ path: `/api/muyuan-farm/${path}`, query, token });
  return { status, data: body.data as Reply & { reason?: string } };
};
const post = async <Reply>(path: string, body: unknown, token = owner, headers: Record<string, string> = {}) => {
  const answer = await app.call({ method: "POST", path: `/api/muyuan-farm/${path}`, body, token, headers });
  return { status: answer.status, data: answer.body.data as Reply & { reason?: string; values?: object } };
};
interface Moved {
  units: { unitId: string; before: number; after: number }[];
}
const move = (body: Record<string, unknown>, token = owner, headers = {}) =>
  post<Moved>("inventory/submit", body, token, headers);

/** Rows that one test alone works on. */
let made = 0;
const place = async (kind: "farm" | "house" | "unit", values: Record<string, unknown>) => {
  made += 1;
  const { status, data } = await post<{ id: string; version: number; name: string }>(`${kind}/submit`, {
    code: `T-${made}`,
    name: `试${made}号`,
    ...values,
  });
  expect([status, data.reason]).toEqual([200, undefined]);
  return data;
};
const newFarm = () => place("farm", { type: "commercial", regionCode: "411325" });
const newHouse = (farmId: string) => place("house", { farmId, pigstyType: "fattening" });
const newUnit = (houseId: string, capacity = 0) => place("unit", { houseId, pigstyType: "fattening", capacity });
/** A farm with a house and units that hold as many heads. */
async function farmWith(...heads: number[]) {
  const farm = await newFarm();
  const house = await newHouse(farm.id);
  const units: string[] = [];
  for (const count of heads) {
    const { id } = await newUnit(house.id);
    if (count > 0)
      expect((await move({ unitId: id, kind: "arrival", category: "fattener", heads: count })).status).toBe(200);
    units.push(id);
  }
  return { farm, house, units };
}
const headsOf = async (ids: readonly string[]): Promise<number[]> => {
  const rows = await sql<{ id: string; headCount: number; sum: number }>(
    `select u.id::text, u.head_count as "headCount", coalesce(sum(m.heads), 0)::int as sum from units u
       left join inventory_movements m on m.unit_id = u.id where u.id = any($1::bigint[]) group by u.id`,
    [ids],
  );
  for (const { headCount, sum } of rows) expect(headCount).toBe(sum);
  return ids.map((id) => rows.find((row) => row.id === id)?.headCount ?? -1);
};

beforeAll(async () => {
  app = await createTestApp();
  owner = await app.logIn("farm");
  const [account] = await sql<{ account: string }>(
    `select a.account from accounts a join memberships m on m.account_id = a.id join membership_roles o on o.membership_id = m.id
       join roles r on r.id = o.role_id where r.tenant_id = '100002' and r.role_alias = 'worker' limit 1`,
  );
  worker = await app.logIn(account?.account ?? "", "100002");
});
afterAll(() => app.close());

describe("heads", () => {
  test("are the sum of movements from the beginning, also those of the demo, and no statement writes past them", async () => {
    const [total] = await sql<{ units: number; differ: number }>(
      `select count(*)::int as units, (count(*) filter (where u.head_count <> coalesce(m.heads, 0)))::int as differ
         from units u left join (select unit_id, sum(heads) as heads from inventory_movements group by 1) m on m.unit_id = u.id`,
    );
    expect(total).toMatchObject({ differ: 0 });
    expect(total?.units).toBeGreaterThan(50);
    const { units } = await farmWith(30);
    await expect(sql("update units set head_count = 31 where id = $1", [units[0]])).rejects.toThrow(/sum of movements/);
    await expect(sql("update inventory_movements set heads = 31 where unit_id = $1", [units[0]])).rejects.toThrow(
      /never/,
    );
    await expect(sql("delete from inventory_movements where unit_id = $1", [units[0]])).rejects.toThrow(/never/);
    const [unit] = await sql<{ version: number }>("select version from units where id = $1", [units[0]]);
    const forged = await post("unit/submit", { id: units[0], version: unit?.version, headCount: 99, name: "改名" });
    expect(forged.status).toBe(200);
    expect(await headsOf(units)).toEqual([30]);
  });

  test("move by each kind, with what was before and after; the ledger counts them up", async () => {
    const { units, farm } = await farmWith(100, 0);
    const [from, to] = units as [string, string];
    const steps = [
      [{ kind: "death", heads: 3, reason: "原因待检" }, 97],
      [{ kind: "cull", heads: 2 }, 95],
      [{ kind: "sale", heads: 10 }, 85],
      [{ kind: "transfer", heads: 25, toUnitId: to }, 60],
      [{ kind: "correction", countedHeads: 61, reason: "盘点多一头" }, 61],
    ] as const;
    let before = 100;
    for (const [step, after] of steps) {
      const { status, data } = await move({ unitId: from, category: "fattener", ...step });
      expect([step.kind, status, data.units.find(({ unitId }) => unitId === from)]).toEqual([
        step.kind,
        200,
        { unitId: from, before, after },
      ]);
      before = after;
    }
    expect(await headsOf(units)).toEqual([61, 25]);
    const { data } = await get<Page<Movement>>("inventory/page", { unitId: from });
    expect(data.records.map(({ kind, heads, headsAfter }) => [kind, heads, headsAfter])).toEqual([
      ["correction", 1, 61],
      ["transfer", -25, 60],
      ["sale", -10, 85],
      ["cull", -2, 95],
      ["death", -3, 97],
      ["arrival", 100, 100],
    ]);
    expect(data.records[0]).toMatchObject({ countedHeads: 61, reason: "盘点多一头", otherUnitId: "" });
    expect(data.records[1]).toMatchObject({ otherUnitId: to });
    const lost = await get<Page<Movement>>("inventory/page", { farmId: farm.id, kind: "death,cull" });
    expect(lost.data.total).toBe(2);
    const detail = await get<UnitInventory>("inventory/detail", { unitId: from });
    expect(detail.data).toMatchObject({ headCount: 61, lost: 5, categories: [{ category: "fattener", heads: 61 }] });
    const history = await get<{ points: [number, number][] }>("inventory/history", { farmId: farm.id });
    expect(history.data.points.at(-1)?.[1]).toBe(86);
    // What else reads heads has the new ones at once, and the unit's own history tells the change.
    const trail = await get<Page<{ changes: unknown[] }>>("unit/history", { id: from });
    expect(trail.data.records[0]?.changes).toEqual([{ field: "headCount", before: 60, after: 61 }]);
    const tree = await get<{ houses: { units: { id: string; headCount: number }[] }[] }[]>("tree/list");
    const shown = tree.data.flatMap(({ houses }) => houses.flatMap((one) => one.units)).find(({ id }) => id === from);
    expect(shown?.headCount).toBe(61);
  });

  test("never go below zero, now or at an earlier moment, and what is missing is said", async () => {
    const { units } = await farmWith(20, 0);
    const [unitId, toUnitId] = units as [string, string];
    const refused = async (body: Record<string, unknown>, reason: string) => {
      const { status, data } = await move({ unitId, category: "fattener", ...body });
      expect([body, status, data.reason]).toEqual([body, 400, reason]);
    };
    await refused({ kind: "death", heads: 21 }, "inventory.below_zero");
    await refused({ kind: "death", heads: 1, category: "sow" }, "inventory.below_zero");
    await refused({ kind: "transfer", heads: 21, toUnitId }, "inventory.below_zero");
    await refused({ kind: "transfer", heads: 1 }, "inventory.target_missing");
    await refused({ kind: "transfer", heads: 1, toUnitId: unitId }, "inventory.same_unit");
    await refused({ kind: "sale" }, "inventory.heads_missing");
    await refused({ kind: "correction", reason: "盘点" }, "inventory.counted_missing");
    await refused({ kind: "correction", countedHeads: 19 }, "inventory.reason_missing");
    await refused({ kind: "correction", countedHeads: 20, reason: "盘点" }, "inventory.nothing_to_correct");
    const hour = 3_600_000;
    await refused({ kind: "death", heads: 1, happenedAt: Date.now() + hour }, "inventory.in_future");
    await refused({ kind: "death", heads: 1, happenedAt: Date.now() - 8 * 24 * hour }, "inventory.too_early");
    // They came a moment ago: an hour ago there were none to die.
    await refused({ kind: "death", heads: 1, happenedAt: Date.now() - hour }, "inventory.below_zero_then");
    expect(await headsOf(units)).toEqual([20, 0]);
  });

  test("beyond the capacity need a second word", async () => {
    const { house, units } = await farmWith(20);
    const { id: small } = await newUnit(house.id, 5);
    const transfer = { unitId: units[0], kind: "transfer", category: "fattener", heads: 8, toUnitId: small };
    const warned = await move(transfer);
    expect([warned.status, warned.data.reason, warned.data.values]).toMatchObject([
      400,
      "inventory.over_capacity",
      { capacity: 5, over: 3 },
    ]);
    expect((await move({ ...transfer, acceptOverCapacity: true })).status).toBe(200);
    expect(await headsOf([units[0] ?? "", small])).toEqual([12, 8]);
  });

  test("20 transfers to and fro at once keep the sum, and a submit that is sent again counts once", async () => {
    const { units } = await farmWith(60, 60, 60);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        move({
          unitId: units[at % 3],
          toUnitId: units[(at + 1 + (at % 2)) % 3],
          kind: "transfer",
          category: "fattener",
          heads: 1 + (at % 9),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect((await headsOf(units)).reduce((sum, heads) => sum + heads, 0)).toBe(180);
    const [before] = await headsOf(units);
    const death = { unitId: units[0], kind: "death", category: "fattener", heads: 2 };
    const again = await Promise.all(
      Array.from({ length: 5 }, () => move(death, owner, { "idempotency-key": "movement-once-1" })),
    );
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await headsOf(units.slice(0, 1))).toEqual([(before ?? 0) - 2]);
  });

  test("two that together take more than there is: one is refused", async () => {
    const { units } = await farmWith(10);
    const answers = await Promise.all(
      [6, 6].map((heads) => move({ unitId: units[0], kind: "sale", category: "fattener", heads })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await headsOf(units)).toEqual([4]);
  });

  test("are of the own tenant: another's units are absent, also as the end of a transfer", async () => {
    const { units, farm } = await farmWith(10);
    const [foreign] = await sql<{ id: string; farmId: string; heads: number }>(
      `select u.id::text, h.farm_id::text as "farmId", u.head_count as heads from units u join pig_houses h on h.id = u.house_id
        where u.tenant_id = '100003' and u.head_count > 0 limit 1`,
    );
    for (const query of [{ unitId: foreign?.id ?? "" }, { farmId: foreign?.farmId ?? "" }])
      for (const path of ["inventory/page", "inventory/history"])
        expect([path, query, (await get(path, query)).status]).toEqual([path, query, 404]);
    expect((await get("inventory/detail", { unitId: foreign?.id ?? "" })).status).toBe(404);
    expect((await post("inventory/export", { farmId: foreign?.farmId })).status).toBe(404);
    for (const body of [
      { unitId: units[0], toUnitId: foreign?.id, kind: "transfer", heads: 1 },
      { unitId: foreign?.id, toUnitId: units[0], kind: "transfer", heads: 1 },
      { unitId: foreign?.id, kind: "death", heads: 1 },
    ])
      expect((await move({ category: "fattener", ...body })).status).toBe(404);
    expect(await headsOf([...units, foreign?.id ?? ""])).toEqual([10, foreign?.heads]);
    expect((await get<StructureNode[]>("structure/list", { farmId: foreign?.farmId ?? "" })).data).toEqual([]);
    expect((await post("structure/move", { kind: "unit", id: foreign?.id })).status).toBe(404);
    const unit = { kind: "house", id: (await newHouse(farm.id)).id, parentId: foreign?.farmId };
    expect((await post("structure/move", unit)).status).toBe(400);
  });

  test("a worker reads them and writes nothing down", async () => {
    const { units } = await farmWith(5);
    expect((await get("inventory/detail", { unitId: units[0] ?? "" }, worker)).status).toBe(200);
    expect((await move({ unitId: units[0], kind: "death", category: "fattener", heads: 1 }, worker)).status).toBe(403);
    expect((await post("structure/move", { kind: "unit", id: units[0] }, worker)).status).toBe(403);
  });

  test("an export holds each movement once, in words", async () => {
    const { farm, units } = await farmWith(12);
    await move({ unitId: units[0], kind: "death", category: "fattener", heads: 2, reason: "应激" });
    const sheets = sheetCalls(app, "/api/muyuan-farm/inventory", owner);
    const { rows } = await sheets.exported({ farmId: farm.id });
    expect(rows.map((row) => [row.变动, row.类别, row["增减（头）"], row["之后（头）"]])).toEqual([
      ["转入", "育肥猪", "12", "12"],
      ["死亡", "育肥猪", "-2", "10"],
    ]);
  });
});

describe("a place that is in use", () => {
  const obstaclesOf = async (kind: string, id: string) =>
    (
      await get<{ resource: string; count: number; names?: string[]; path?: string }[]>(`${kind}/obstacles`, {
        ids: id,
      })
    ).data;

  test("stays, and everything in the way is named with where it is mended", async () => {
    const { farm, house, units } = await farmWith(7, 0);
    const [unitId = ""] = units;
    await sql(
      `update devices set farm_id = $1, house_id = $2, unit_id = $3, bound_at = now()
        where id = (select min(id) from devices where tenant_id = '100002' and unit_id is not null)`,
      [farm.id, house.id, unitId],
    );
    const [device] = await sql<{ name: string }>("select name from devices where unit_id = $1", [unitId]);
    for (const [kind, id] of [
      ["unit", unitId],
      ["house", house.id],
      ["farm", farm.id],
    ] as const) {
      const kept = await post(`${kind}/remove`, { ids: id });
      expect([kind, kept.status, kept.data.reason]).toEqual([kind, 400, "row.in_use"]);
      const told = await obstaclesOf(kind, id);
      expect(told).toContainEqual(expect.objectContaining({ resource: "存栏（头）", count: 7 }));
      expect(told).toContainEqual(expect.objectContaining({ resource: "设备", count: 1, names: [device?.name] }));
      for (const { path } of told) expect(path).toMatch(/^\/selfCenter\/.*\d/);
    }
    expect(await obstaclesOf("farm", farm.id)).toContainEqual(
      expect.objectContaining({ resource: "猪舍", count: 1, names: [house.name] }),
    );
    expect((await obstaclesOf("house", house.id)).find(({ resource }) => resource === "单元")?.names).toHaveLength(2);
    const retired = await post("unit/submit", { id: unitId, status: "0" });
    expect([retired.status, retired.data.reason]).toEqual([400, "place.occupied"]);
  });

  test("can be retired once it is empty, keeps its ledger, and takes no heads any more", async () => {
    const { house, units } = await farmWith(3, 0);
    const [used = "", free = ""] = units;
    await move({ unitId: used, kind: "sale", category: "fattener", heads: 3 });
    expect((await obstaclesOf("unit", used)).map(({ resource }) => resource)).toEqual(["存栏变动记录"]);
    expect((await post("unit/remove", { ids: used })).status).toBe(400);
    expect((await post("unit/submit", { id: used, status: "0" })).status).toBe(200);
    const late = await move({ unitId: used, kind: "arrival", category: "fattener", heads: 1 });
    expect([late.status, late.data.reason]).toEqual([400, "inventory.retired"]);
    expect((await post("unit/remove", { ids: free })).status).toBe(200);
    const left = await get<StructureNode[]>("structure/list", { houseId: house.id });
    expect(left.data.map(({ id, inUse }) => [id, inUse])).toEqual([[used, false]]);
  });
});

describe("the structure", () => {
  const namesOf = async (query: Record<string, string>) =>
    (await get<StructureNode[]>("structure/list", query)).data.map(({ id }) => id);

  test("has a level at a time, with sums that agree from the farms down to the devices", async () => {
    const farms = (await get<StructureNode[]>("structure/list")).data.filter(({ code }) => !code.startsWith("T-"));
    expect(farms.map(({ code }) => code)).toEqual(["ZJY", "QS", "LHF"]);
    for (const farm of farms) {
      const level = (await get<StructureNode[]>("structure/list", { farmId: farm.id })).data;
      const houses = level.filter(({ kind }) => kind === "house");
      expect(level).toHaveLength(farm.children);
      const sum = (of: "headCount" | "units" | "capacity") => houses.reduce((all, house) => all + house[of], 0);
      expect([sum("headCount"), sum("units"), sum("capacity")]).toEqual([farm.headCount, farm.units, farm.capacity]);
      const [house] = houses;
      const units = (await get<StructureNode[]>("structure/list", { houseId: house?.id ?? "" })).data;
      expect(units.reduce((all, unit) => all + unit.headCount, 0)).toBe(house?.headCount);
      const devices = (await get<StructureNode[]>("structure/list", { unitId: units[0]?.id ?? "" })).data;
      expect(devices).toHaveLength(units[0]?.devices ?? -1);
    }
  });

  test("is searched by name, code and serial number, of the own tenant alone", async () => {
    const found = async (keyword: string, token = owner) =>
      (await get<StructureNode[]>("structure/search", { keyword }, token)).data.map(
        ({ kind, name }) => `${kind} ${name}`,
      );
    expect(await found("周家营")).toContain("farm 周家营商品场");
    expect(await found("ENV-ZJY-01")).toHaveLength(1);
    expect(await found("东岗")).toEqual([]);
    expect(await found("%")).toEqual([]);
  });

  test("units are ordered in their house and moved to another with their heads and devices", async () => {
    const { farm, house, units } = await farmWith(5, 0, 0);
    const [a = "", b = "", c = ""] = units;
    expect(await namesOf({ houseId: house.id })).toEqual([a, b, c]);
    expect((await post("structure/move", { kind: "unit", id: c, parentId: house.id, beforeId: a })).status).toBe(200);
    expect(await namesOf({ houseId: house.id })).toEqual([c, a, b]);
    const elsewhere = await newFarm();
    const there = await newHouse(elsewhere.id);
    const [device] = await sql<{ id: string }>(
      `update devices set farm_id = $1, house_id = $2, unit_id = $3
        where id = (select max(id) from devices where tenant_id = '100002' and unit_id is not null) returning id::text`,
      [farm.id, house.id, a],
    );
    const [unit] = await sql<{ version: number }>("select version from units where id = $1", [a]);
    const stale = await post("structure/move", { kind: "unit", id: a, parentId: there.id, version: 99 });
    expect([stale.status, stale.data.reason]).toEqual([409, "structure.changed_meanwhile"]);
    const moved = await post("structure/move", { kind: "unit", id: a, parentId: there.id, version: unit?.version });
    expect(moved.status).toBe(200);
    expect(await namesOf({ houseId: there.id })).toEqual([a]);
    const placed = () =>
      sql<{ farm: string; house: string }>(
        "select farm_id::text as farm, house_id::text as house from devices where id = $1",
        [device?.id],
      );
    expect(await placed()).toEqual([{ farm: elsewhere.id, house: there.id }]);
    // A house takes along what stands in it; a form does the same as a drag.
    expect((await post("structure/move", { kind: "house", id: there.id, parentId: farm.id })).status).toBe(200);
    expect(await placed()).toEqual([{ farm: farm.id, house: there.id }]);
    expect((await post("unit/submit", { id: a, houseId: house.id })).status).toBe(200);
    expect(await placed()).toEqual([{ farm: farm.id, house: house.id }]);
    expect(await headsOf([a])).toEqual([5]);
    const trail = await get<Page<{ action: string }>>("unit/history", { id: a });
    expect(trail.data.records.map(({ action }) => action).slice(0, 2)).toEqual(["update", "move"]);
  });

  test("20 moves and 20 movements at once leave every unit in one place, and every head counted", async () => {
    const { house, farm, units } = await farmWith(10, 10, 10, 10);
    const other = await newHouse(farm.id);
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, (_, at) =>
        post("structure/move", {
          kind: "unit",
          id: units[at % 4],
          parentId: at % 3 === 0 ? other.id : house.id,
          ...(at % 2 === 0 && { beforeId: units[(at + 1) % 4] }),
        }),
      ),
      ...Array.from({ length: 20 }, (_, at) =>
        move({
          unitId: units[at % 4],
          toUnitId: units[(at + 3) % 4],
          kind: "transfer",
          category: "fattener",
          heads: 1,
        }),
      ),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
    const standing = [...(await namesOf({ houseId: house.id })), ...(await namesOf({ houseId: other.id }))];
    expect(standing.toSorted()).toEqual(units.toSorted());
    expect((await headsOf(units)).reduce((sum, heads) => sum + heads, 0)).toBe(40);
  });
});

test("lists of farms and houses count the units and heads that are in use, and the alarms that are open", async () => {
  const { farm, house, units } = await farmWith(30, 12, 5);
  const [closed = ""] = units.slice(2);
  await sql("update units set capacity = 40 where id = any($1::bigint[])", [units]);
  await sql("update units set status = '2' where id = $1", [closed]);
  const alarm = (rule: string, fields: Record<string, boolean>) =>
    sql(
      `insert into alarms (id, tenant_id, device_id, farm_id, house_id, kind, rule_id, severity, since_at, raised_at, ended_at, suppressed, late)
       select (extract(epoch from clock_timestamp()) * 1000000)::bigint, d.tenant_id, d.id, $1, $2, d.kind, $3, 2, now(), now(),
              case when $4 then now() end, $5, $6
         from devices d where d.tenant_id = '100002' order by d.id limit 1`,
      [farm.id, house.id, rule, fields.ended ?? false, fields.suppressed ?? false, fields.late ?? false],
    );
  await alarm("counted", {});
  for (const fields of [{ ended: true }, { suppressed: true }, { late: true }])
    await alarm(`not_${Object.keys(fields)[0]}`, fields);
  const listed = async (kind: string, id: string) => {
    const { data } = await get<Page<{ id: string }>>(`${kind}/page`, { size: "200" });
    return data.records.find((row) => row.id === id);
  };
  expect(await listed("farm", farm.id)).toMatchObject({ units: 2, heads: 42, alarms: 1 });
  expect(await listed("house", house.id)).toMatchObject({ units: 2, heads: 42, capacity: 80, alarms: 1 });
});
