import type { ImportRow, Page } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { dayIn, service, tradeOf } from "../harness/trade.ts";
import { sheetCalls } from "../resources/sheets.ts";

vi.mock("../../apps/server/src/modules/sheets/raw-reader.ts", async (original) =>
  (await import("../resources/reading-in-process.ts")).readingInProcess(original),
);

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
let order: { id: string; number: string };

beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
  const { order: id } = await trade.accepted(await trade.published({ heads: 240 }), 240);
  const [row] = await trade.query<{ number: string }>("select number from sale_orders where id = $1", [id]);
  order = { id, number: row?.number ?? "" };
});
afterAll(() => app.close());

const clock = (hours: number): string =>
  new Date(Date.now() + (8 + hours) * 3_600_000).toISOString().slice(0, 16).replace("T", " ");
const row = (plate: string, more: Record<string, string> = {}) => ({
  生猪订单: order.number,
  车牌: plate,
  头数: "80",
  司机: "张国梁",
  司机电话: "13800004410",
  运往: "卧龙屠宰场",
  洗消证号: "",
  洗消时间: "",
  洗消证有效到: "",
  已烘干: "",
  检疫证号: "",
  检疫头数: "",
  检疫证有效到: "",
  ...more,
});
const washed = { 洗消证号: "XD-5", 洗消时间: clock(-3), 洗消证有效到: clock(20), 已烘干: "是" };
const paper = { 检疫证号: "JY-5", 检疫头数: "80", 检疫证有效到: dayIn(4) };
const sheets = (token: string) => sheetCalls(app, `${service}/transit`, token);
const vehicles = () =>
  trade.query(
    `select plate, heads, state, version, tenant_id, disinfection_number as wash, dried, quarantine_number as paper, driver_phone_encrypted like '%13800004410%' as plain
       from transits order by plate`,
  );

test("vehicles with their certificates come by a sheet, checked as one that is entered, and go back as one", async () => {
  const calls = sheets(trade.tokens.owner);
  const checked = await calls.check([
    row("豫R00001", { ...washed, ...paper }),
    row("豫R00002"),
    row("豫R00003", { 生猪订单: "DD-000000-000" }),
    row("豫R00004", { 头数: "241" }),
    row("豫R00005", { ...washed, 洗消时间: "" }),
    row("豫R00006", { ...washed, 洗消时间: clock(3), 洗消证有效到: clock(9) }),
    row("豫R00007", { 司机电话: "123" }),
  ]);
  expect([checked.rows, checked.bad, checked.updates]).toEqual([7, 5, 0]);
  const { records } = await calls.get<Page<ImportRow>>(`${service}/transit/import/rows`, {
    id: checked.id,
    size: "20",
  });
  expect(
    records.map(({ rowNumber, problems }) => [rowNumber, ...problems.map(({ field, text }) => `${field} ${text}`)]),
  ).toEqual([
    [4, expect.stringMatching(/^order /)],
    [5, "heads 各车头数合计超过了订单，还能装 {left} 头"],
    [6, expect.stringMatching(/^washedAt /)],
    [7, "washedAt 洗消时间还没有到"],
    [8, expect.stringMatching(/^driverPhone /)],
  ]);
  // Nothing of what was tried stays.
  expect(await vehicles()).toEqual([]);
  expect(await trade.query("select 1 from process_entries where process = 'transit'")).toEqual([]);
  expect((await calls.post("import/write", { id: checked.id, mode: "all" })).status).toBe(400);
  expect((await calls.write(checked.id, "good")).state).toBe("written");
  const plain = { heads: 80, state: "planned", tenant_id: "100002", plain: false };
  expect(await vehicles()).toEqual([
    { ...plain, plate: "豫R00001", version: 3, wash: "XD-5", dried: true, paper: "JY-5" },
    { ...plain, plate: "豫R00002", version: 1, wash: "", dried: false, paper: "" },
  ]);
  const lines = await trade.query<{ event: string }>(
    "select event from process_entries e join transits t on t.id = e.row_id where e.process = 'transit' order by t.plate, e.id",
  );
  expect(lines.map(({ event }) => event)).toEqual(["begin", "disinfect", "quarantine", "begin"]);

  expect((await calls.post("import/undo", { id: checked.id })).status).toBe(200);
  expect(await vehicles()).toEqual([]);
  expect(await trade.query("select 1 from process_entries where process = 'transit'")).toEqual([]);
});

test("staff bring vehicles of a customer's order, and a batch stays that somebody went on with", async () => {
  const calls = sheets(trade.tokens.sales);
  const checked = await calls.check([row("豫R00011", washed), row("豫R00012")]);
  expect(checked.bad).toBe(0);
  expect((await calls.write(checked.id, "all")).state).toBe("written");
  expect((await vehicles()).map((one) => (one as { tenant_id: string }).tenant_id)).toEqual(["100002", "100002"]);
  const [first] = await trade.query<{ id: string }>("select id::text from transits where plate = '豫R00011'");
  // A link for the driver depends on the vehicle.
  await trade.post("transit/driver-link", { id: first?.id, send: false }, trade.tokens.sales);
  const used = await calls.post<{ reason: string }>("import/undo", { id: checked.id });
  expect([used.status, used.data.reason]).toEqual([400, "import.in_use"]);
  await trade.query("delete from driver_links");
  await trade.done(
    trade.post(
      "transit/disinfect",
      { id: first?.id, version: 2, disinfectionNumber: "XD-6", washedAt: clock(-2), validUntil: clock(9), dried: true },
      trade.tokens.owner,
    ),
  );
  const changed = await calls.post<{ reason: string }>("import/undo", { id: checked.id });
  expect([changed.status, changed.data.reason]).toEqual([400, "import.changed_since"]);
});

test("rows that are good alone and not together are told when they are written", async () => {
  await trade.query("update transits set state = 'cancelled'");
  const calls = sheets(trade.tokens.owner);
  const checked = await calls.check([row("豫R00021"), row("豫R00021"), row("豫R00022", { 头数: "161" })]);
  expect(checked.bad).toBe(0);
  await calls.post("import/write", { id: checked.id, mode: "all" });
  const stale = await calls.settled(checked.id, "writing");
  expect([stale.state, stale.bad]).toEqual(["checked", 1]);
  const { records } = await calls.get<Page<ImportRow>>(`${service}/transit/import/rows`, {
    id: checked.id,
    size: "20",
  });
  expect(records.map(({ rowNumber, problems }) => [rowNumber, problems[0]?.text])).toEqual([
    [3, "已经有这一条了，或者与表里另一行重复"],
  ]);
  expect(await trade.query("select 1 from transits where state = 'planned'")).toEqual([]);
});

test("a template has the columns of the form and of the certificates; the list comes as a sheet", async () => {
  const calls = sheets(trade.tokens.sales);
  const { data } = await calls.post<{ attachId: string }>("import/template", { language: "zh" });
  expect((await calls.read(data.attachId)).headers.map((header) => header.replace(" *", ""))).toEqual(
    Object.keys(row("")),
  );
  const { rows } = await calls.exported({ where: {}, columns: ["number", "plate", "heads"] });
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain("13800004410");
  const stranger = await app.call({
    method: "POST",
    path: `${service}/transit/import/template`,
    body: {},
    token: trade.tokens.finance,
  });
  expect(stranger.status).toBe(403);
});
