import type { structureImport } from "@herdwise/contract";
import type { Static } from "typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { upload } from "../harness/upload.ts";
import { sheetCalls, sheetOf } from "../resources/sheets.ts";

type Report = Static<typeof structureImport.reply>;
type SheetRow = Record<string, string>;
let app: TestApp;
let farm: string;
let rows: SheetRow[];
const base = "/api/muyuan-farm/structure";

const imported = async (sheet: readonly SheetRow[], token = farm) => {
  const file = await upload(app, token, await sheetOf(sheet), "tree.xlsx", { query: { visibility: "private" } });
  const body = { attachId: file.body.data.attachId };
  const { status, body: answer } = await app.call({ method: "POST", path: `${base}/import`, body, token });
  return { status, report: answer.data as Report };
};
const placesOf = async (): Promise<string[]> => {
  const { rows: found } = await app.test.database.pool.query<{ place: string }>(
    `select concat_ws('/', f.code, f.name, h.code, h.name, u.code, u.name, u.capacity) as place
       from farms f left join pig_houses h on h.farm_id = f.id left join units u on u.house_id = h.id
      where f.tenant_id = '100002' order by 1`,
  );
  return found.map(({ place }) => place);
};

beforeAll(async () => {
  app = await createTestApp();
  farm = await app.logIn("farm");
  rows = (await sheetCalls(app, base, farm).exported({})).rows;
});
afterAll(() => app.close());

/** A farm with a house and two units that nobody has yet. */
const added = (more: SheetRow = {}): SheetRow[] => {
  const shared = {
    "场区：场区编号": "T9",
    "场区：场区名称": "新试验场",
    "场区：场区类型": "商品场",
    "场区：所在地区": "411325",
    "猪舍：猪舍编号": "T9-01",
    "猪舍：猪舍名称": "1 号育肥舍",
    "猪舍：猪舍类型": "育肥舍",
    "猪舍：楼层": "1",
    "单元：猪舍类型": "育肥舍",
  };
  return [
    { ...shared, "单元：单元编号": "T9-01-01", "单元：单元名称": "1 单元", "单元：设计存栏": "800" },
    { ...shared, "单元：单元编号": "T9-01-02", "单元：单元名称": "2 单元", "单元：设计存栏": "900", ...more },
  ];
};

test("the export holds every unit with its house and farm, no personal data, and imports as it is", async () => {
  const before = await placesOf();
  expect(rows).toHaveLength(before.length);
  expect(Object.keys(rows[0] ?? {}).join()).not.toMatch(/负责人|电话/);
  const { status, report } = await imported(rows);
  expect([status, report.problems]).toEqual([200, []]);
  expect([report.added, report.changed]).toEqual([0, 0]);
  expect(report.unchanged).toBeGreaterThan(before.length);
  expect(await placesOf()).toEqual(before);
});

test("what is wrong is told by row and column, all of it, and nothing is stored", async () => {
  const before = await placesOf();
  const good = added();
  const [first = {}] = rows;
  const wrong: SheetRow[] = [
    ...good,
    { ...good[0], "单元：单元编号": "T9-01-03", "单元：单元名称": "3 单元", "单元：设计存栏": "很多" },
    { ...good[0], "单元：单元编号": "T9-01-04", "单元：单元名称": "4 单元", "单元：猪舍类型": "鸡舍" },
    { ...good[0], "场区：场区名称": "另一个名字", "单元：单元编号": "T9-01-05", "单元：单元名称": "5 单元" },
    { "场区：场区编号": "T8", "场区：场区类型": "商品场", "场区：所在地区": "411325" },
    // A name that another farm of the tenant has.
    {
      "场区：场区编号": "T7",
      "场区：场区名称": first["场区：场区名称"] ?? "",
      "场区：场区类型": "商品场",
      "场区：所在地区": "411325",
    },
    { "单元：单元编号": "T9-01-06" },
  ].map((row) => ({ ...Object.fromEntries(Object.keys(good[0] ?? {}).map((key) => [key, ""])), ...row }));
  const { report } = await imported(wrong);
  expect([report.added, report.changed, report.unchanged]).toEqual([0, 0, 0]);
  const told = report.problems.map(({ row, column }) => `${row} ${column}`);
  for (const place of [
    "4 单元：设计存栏",
    "5 单元：猪舍类型",
    "6 场区：场区名称",
    "7 场区：场区名称",
    "8 场区：场区名称",
    "9 场区：场区编号",
  ])
    expect(told).toContain(place);
  expect(await placesOf()).toEqual(before);
});

test("a sheet without fault adds and changes, each change in the audit trail; another tenant's farm stays apart", async () => {
  const { report } = await imported(added());
  expect(report).toEqual({ added: 4, changed: 0, unchanged: 0, problems: [], understood: [] });
  const changed = await imported(added({ "单元：设计存栏": "950" }));
  expect(changed.report).toEqual({ added: 0, changed: 1, unchanged: 3, problems: [], understood: [] });
  expect(await placesOf()).toContain("T9/新试验场/T9-01/1 号育肥舍/T9-01-02/2 单元/950");
  const { rows: entries } = await app.test.database.pool.query(
    "select action from audit_entries where resource = 'unit' and row_title = '2 单元' order by id desc limit 1",
  );
  expect(entries).toEqual([{ action: "update" }]);
  // The same codes in another tenant are other places.
  const owner = await app.logIn("heqing");
  expect((await imported(added(), owner)).report.added).toBe(4);
  expect((await imported(added(), await app.logIn("liuyang"))).status).toBe(403);
  const foreign = await upload(app, owner, await sheetOf(added()), "t.xlsx", { query: { visibility: "private" } });
  const body = { attachId: foreign.body.data.attachId };
  expect((await app.call({ method: "POST", path: `${base}/import`, body, token: farm })).status).toBe(404);
});

test("what was understood as another text is told by row and column, whether the sheet is written or not", async () => {
  const row = added()[1] ?? {};
  const odd = { "猪舍：猪舍编号": "Ｔ９－０１", "单元：单元名称": " 2\u200b 单元 ", "单元：设计存栏": "９００ 头" };
  const { report } = await imported([{ ...row, ...odd }]);
  expect(report.problems).toEqual([]);
  const told = report.understood.map(({ row, column, text }) => [row, column, text]);
  expect(told).toEqual([
    [2, "猪舍：猪舍编号", "T9-01"],
    [2, "单元：单元名称", "2 单元"],
    [2, "单元：设计存栏", "900"],
  ]);
  expect(report.understood.map(({ before }) => before.length > 0)).toEqual([true, true, true]);
  const refused = await imported([{ ...row, ...odd, "单元：猪舍类型": "鸡舍" }]);
  expect([refused.report.changed, refused.report.problems.length]).toEqual([0, 1]);
  expect(refused.report.understood.map(({ column }) => column)).toContain("单元：设计存栏");
});
