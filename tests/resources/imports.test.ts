import { read, utils, write } from "@e965/xlsx";
import type { Import, ImportRow, Page } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { fromBuffer } from "yauzl";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { volume } from "../harness/volume.ts";
import { sheetCalls } from "./sheets.ts";

const slaughterhouse = "/api/muyuan-trade/slaughterhouse";
const dept = "/api/muyuan-system/dept";
const dict = "/api/muyuan-system/dict";
const job = "/api/muyuan-system/post";
const role = "/api/muyuan-system/role";
let app: TestApp;
let admin: string;

beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
});
afterAll(() => app.close());

const post = async <T = Import>(path: string, body: unknown, token = admin) => {
  const answer = await app.call({ method: "POST", path, body, token });
  return { status: answer.status, data: answer.body.data as T, msg: answer.body.msg };
};
const get = async <T>(path: string, query: Record<string, string>, token = admin) =>
  (await app.call({ path, query, token })).body.data as T;
/** Uploads a sheet and waits until it is checked. */
const check = (base: string, rows: readonly Record<string, string>[], timeoutMs?: number, token = admin) =>
  sheetCalls(app, base, token).check(rows, timeoutMs);
const settled = (base: string, id: string, from: string, timeoutMs?: number) =>
  sheetCalls(app, base, admin).settled(id, from, timeoutMs);
const house = (code: string, more: Record<string, string> = {}) => ({
  编号: code,
  屠宰场名称: `屠宰场 ${code}`,
  所在地区: "411325",
  联系人: "王强",
  联系电话: "13800001234",
  日屠宰量: "800",
  状态: "启用",
  ...more,
});
const addable = (code: string) => ({
  houseCode: code,
  houseName: `屠宰场 ${code}`,
  regionCode: "411325",
  status: "1",
});
const unit = (name: string, above: readonly string[], more: Record<string, string> = {}) => ({
  机构名称: name,
  机构全称: name,
  机构类型: "部门",
  上级: above.join(" / "),
  ...more,
});
/** Row numbers with problems, and what they are. */
const problemsOf = async (base: string, id: string) =>
  (await get<Page<ImportRow>>(`${base}/import/rows`, { id, size: "500" })).records.map(({ rowNumber, problems }) => [
    rowNumber,
    problems.map(({ field, reason }) => `${field} ${reason}`),
  ]);
/** A part of an xlsx as text. */
const unpacked = (bytes: Buffer, name: string): Promise<string> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: false }, (error, zip) => {
      if (error) reject(error);
      zip?.on("entry", (entry) => {
        if (entry.fileName !== name) return;
        zip.openReadStream(entry, async (_failed, stream) => {
          let content = "";
          for await (const chunk of stream ?? []) content += chunk;
          resolve(content);
        });
      });
    });
  });
/** Connections that wait for what another holds. Asked outside of transactions, in which it would stay the first answer. */
const waiting = async (): Promise<number> => {
  const { rows } = await app.test.database.pool.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length;
};
const rowsIn = async (table: string): Promise<number> =>
  Number((await app.test.database.pool.query(`select count(*) from ${table}`)).rows[0].count);

describe("an import", () => {
  test("is checked row by row under the sheet's numbers, and writes nothing before it is asked to", async () => {
    const before = await rowsIn("slaughterhouses");
    const checked = await check(slaughterhouse, [
      house("IM-1"),
      house("IM-2", { 联系电话: "1378804406" }),
      house("IM-3", { 状态: "正常", 所在地区: "南洋" }),
      house("IM-1", { 屠宰场名称: "另一座" }),
      house("IM 5", { 屠宰场名称: "" }),
    ]);
    expect(checked).toMatchObject({ state: "checked", rows: 5, good: 1, bad: 4, updates: 0, fileName: "表格.xlsx" });
    const { records } = await get<Page<ImportRow>>(`${slaughterhouse}/import/rows`, { id: checked.id, size: "50" });
    expect(
      records.map(({ rowNumber, problems }) => [
        rowNumber,
        problems.map(({ field, reason }) => `${field} ${reason}`).toSorted(),
      ]),
    ).toEqual([
      [3, ["contactPhone field.phone"]],
      [4, ["regionCode field.region", "status field.choice"]],
      [5, ["houseCode field.doubled"]],
      [6, ["houseCode field.code", "houseName field.required"]],
    ]);
    expect(records[2]?.problems[0]?.values).toMatchObject({ value: "IM-1", row: "2" });
    expect(await rowsIn("slaughterhouses")).toBe(before);
    const all = await post(`${slaughterhouse}/import/write`, { id: checked.id, mode: "all" });
    expect([all.status, (all.data as unknown as { reason: string }).reason]).toEqual([400, "import.bad_rows"]);
  });

  test("headings that nobody knows are matched by hand, and the next sheet of the kind is matched by itself", async () => {
    const calls = sheetCalls(app, slaughterhouse, admin);
    const csv = (code: string) =>
      Buffer.from(`某系统导出\nC,N,R,S,备注\n${code},屠宰场 ${code},411325,启用,不要\n合计,,,,\n`);
    const failed = await calls.checkFile(csv("MB-1"), "old.csv");
    expect(failed).toMatchObject({ state: "failed", rows: 0, source: { headerRow: 2 } });
    expect(failed.source.start.map(({ texts }) => texts[0])).toEqual(["某系统导出", "C", "MB-1", "合计"]);
    const fields = ["houseCode", "houseName", "regionCode", "status"];
    const columns = fields.map((field, column) => ({ column, field }));
    const body = { id: failed.id, sheet: 0, headerRow: 2, columns };
    expect(
      (await post(`${slaughterhouse}/import/reread`, { ...body, columns: [{ column: 0, field: "x" }] })).status,
    ).toBe(400);
    expect((await post(`${slaughterhouse}/import/reread`, { ...body, sheet: 3 })).status).toBe(200);
    await calls.settled(failed.id, "checking");
    expect((await post(`${slaughterhouse}/import/reread`, body)).status).toBe(200);
    const matched = await calls.settled(failed.id, "checking");
    expect(matched).toMatchObject({ state: "checked", rows: 2, good: 1, failure: "" });
    // The column that was left out is not read, though its heading is known.
    expect(matched.columns.map(({ field }) => field)).toEqual([...fields, ""]);
    const next = await calls.checkFile(csv("MB-2"), "old.csv");
    expect(next.columns.map(({ field }) => field)).toEqual([...fields, "remark"]);
    // Another person's sheets are their own.
    const other = await sheetCalls(app, slaughterhouse, await app.logIn("zhaomin")).checkFile(csv("MB-3"), "old.csv");
    expect(other).toMatchObject({ state: "failed" });
    // What is matched otherwise later changes nothing of what was read.
    const swapped = ["houseName", "houseCode", "regionCode", "status"].map((field, column) => ({ column, field }));
    const later = await calls.checkFile(csv("MB-4"), "old.csv");
    await post(`${slaughterhouse}/import/reread`, { id: later.id, sheet: 0, headerRow: 2, columns: swapped });
    await calls.settled(later.id, "checking");
    await post(`${slaughterhouse}/import/marked`, { id: next.id });
    expect((await get<Import>(`${slaughterhouse}/import/detail`, { id: next.id })).columns).toEqual(next.columns);
    await post(`${slaughterhouse}/import/write`, { id: matched.id, mode: "good" });
    await calls.settled(matched.id, "writing");
    expect((await post(`${slaughterhouse}/import/reread`, body)).status).toBe(400);
  });

  test("a name of several regions is a problem that lists them; with what they lie in it is one", async () => {
    const { id } = await check(slaughterhouse, [
      house("RG-1", { 所在地区: "朝阳区" }),
      house("RG-2", { 所在地区: "北京朝阳区" }),
      house("RG-3", { 所在地区: "Neixiang County, Nanyang, Henan" }),
    ]);
    const { records } = await get<Page<ImportRow>>(`${slaughterhouse}/import/rows`, { id, all: "true", size: "50" });
    expect(records.map(({ problems }) => problems.map(({ reason }) => reason))).toEqual([
      ["field.region_many"],
      [],
      [],
    ]);
    expect(records[0]?.problems[0]?.values.names).toMatch(/北京市朝阳区（110105）.*长春市朝阳区（220104）/);
    expect(records.slice(1).map(({ cells }) => cells.regionCode)).toEqual(["北京市朝阳区", "河南省南阳市内乡县"]);
  });

  test("rows that a sheet hides are named, and left out where a person wants that", async () => {
    const calls = sheetCalls(app, slaughterhouse, admin);
    const sheet = utils.json_to_sheet([house("HR-1"), house("HR-2"), house("HR-3")]);
    sheet["!rows"] = [{}, {}, { hidden: true }];
    const book = utils.book_new();
    utils.book_append_sheet(book, sheet, "一");
    const bytes: Buffer = write(book, { type: "buffer", bookType: "xlsx", cellStyles: true });
    const checked = await calls.checkFile(bytes, "filtered.xlsx");
    expect(checked).toMatchObject({ rows: 3, good: 3, hidden: 1 });
    const hidden = await get<Page<ImportRow>>(`${slaughterhouse}/import/rows`, { id: checked.id, only: "hidden" });
    expect(hidden.records.map(({ rowNumber, hidden: is }) => [rowNumber, is])).toEqual([[3, true]]);
    await post(`${slaughterhouse}/import/write`, { id: checked.id, mode: "all", withoutHidden: true });
    expect(await calls.settled(checked.id, "writing")).toMatchObject({ state: "written", written: 2 });
    const { rows: there } = await app.test.database.pool.query(
      "select house_code as code from slaughterhouses where house_code like 'HR-%' order by 1",
    );
    expect(there.map(({ code }) => code)).toEqual(["HR-1", "HR-3"]);
  });

  test("a cell that could not be read is mended in the pre-check", async () => {
    const calls = sheetCalls(app, slaughterhouse, admin);
    const rows = Buffer.from("编号,屠宰场名称,所在地区,日屠宰量,状态\nFE-1,屠宰场 FE,411325,#REF!,启用\n");
    const checked = await calls.checkFile(rows, "e.csv");
    expect(await problemsOf(slaughterhouse, checked.id)).toEqual([[2, ["dailyCapacity field.error"]]]);
    const fixed = await post(`${slaughterhouse}/import/correct`, {
      id: checked.id,
      rowNumber: 2,
      field: "dailyCapacity",
      to: "1,200 头",
    });
    expect(fixed.data).toMatchObject({ bad: 0, good: 1, changed: 1 });
  });

  test("problems are corrected in the cell, one by one or wherever a value stands", async () => {
    const { id } = await check(slaughterhouse, [
      house("CO-1", { 状态: "正常" }),
      house("CO-2", { 状态: "正常" }),
      house("CO-1", { 屠宰场名称: "第三座" }),
    ]);
    const grouped = await get<Import>(`${slaughterhouse}/import/detail`, { id });
    expect(grouped.groups[0]).toMatchObject({
      field: "status",
      reason: "field.choice",
      rows: 2,
      value: "正常",
      valueRows: 2,
    });
    const fixed = await post(`${slaughterhouse}/import/correct`, { id, field: "status", from: "正常", to: "启用" });
    expect(fixed.data).toMatchObject({ bad: 1, good: 2 });
    const last = await post(`${slaughterhouse}/import/correct`, { id, rowNumber: 4, field: "houseCode", to: "CO-3" });
    expect(last.data).toMatchObject({ bad: 0, good: 3 });
    const again = await post(`${slaughterhouse}/import/correct`, { id, rowNumber: 4, field: "houseCode", to: "CO-2" });
    expect(again.data).toMatchObject({ bad: 1 });
  });

  test("corrections of one sheet that come at the same time are all kept, in a list and in a tree", async () => {
    const numbers = Array.from({ length: 12 }, (_, at) => at);
    const { id } = await check(
      slaughterhouse,
      numbers.map((at) => house(`CS-${at}`, { 状态: "正常", 联系电话: "12" })),
    );
    const ofCells = numbers.map((at) => ({ rowNumber: at + 2, field: "contactPhone", to: "13800001234" }));
    const everywhere = { field: "status", from: "正常", to: "启用" };
    await Promise.all(
      [...ofCells, everywhere].map((body) => post(`${slaughterhouse}/import/correct`, { id, ...body })),
    );
    expect(await problemsOf(slaughterhouse, id)).toEqual([]);
    expect(await get<Import>(`${slaughterhouse}/import/detail`, { id })).toMatchObject({
      bad: 0,
      good: numbers.length,
    });

    const tree = await check(
      dept,
      numbers.map((at) => unit(`CT-${at}`, [], { 机构类型: "无" })),
    );
    expect(tree.bad).toBe(numbers.length);
    await Promise.all(
      numbers.map((at) =>
        post(`${dept}/import/correct`, { id: tree.id, rowNumber: at + 2, field: "deptCategory", to: "部门" }),
      ),
    );
    expect(await problemsOf(dept, tree.id)).toEqual([]);
  });

  test("writes the good rows alone, changes rows that exist without emptying what the sheet leaves out, and is taken back whole", async () => {
    const existing = await post<{ id: string; version: number }>(`${slaughterhouse}/submit`, {
      houseCode: "UP-1",
      houseName: "原来的名称",
      regionCode: "411325",
      address: "原来的地址",
      contactPhone: "13811112222",
      status: "1",
    });
    const before = await rowsIn("slaughterhouses");
    /** The phone as it lies in the database, and what it is looked up by. */
    const phone = async () => {
      const { rows } = await app.test.database.pool.query(
        "select contact_phone_encrypted as phone, contact_phone_index as index from slaughterhouses where id = $1",
        [existing.data.id],
      );
      return [app.personalCipher.decrypt(rows[0].phone), rows[0].index];
    };
    const phoneBefore = await phone();
    const checked = await check(slaughterhouse, [
      { 编号: "UP-1", 屠宰场名称: "改过的名称", 所在地区: "", 联系电话: "13900003333", 详细地址: "" },
      { 编号: "UP-2", 屠宰场名称: "新的一座", 所在地区: "411325", 联系电话: "", 详细地址: "某路 1 号" },
      { 编号: "UP-3", 屠宰场名称: "", 所在地区: "411325", 联系电话: "", 详细地址: "" },
    ]);
    expect(checked).toMatchObject({ rows: 3, good: 2, bad: 1, updates: 1 });
    await post(`${slaughterhouse}/import/write`, { id: checked.id, mode: "good" });
    const written = await settled(slaughterhouse, checked.id, "writing");
    expect(written).toMatchObject({ state: "written", written: 2 });
    expect(await rowsIn("slaughterhouses")).toBe(before + 1);
    const changed = await get<Record<string, unknown>>(`${slaughterhouse}/detail`, { id: existing.data.id });
    expect(changed).toMatchObject({
      houseName: "改过的名称",
      address: "原来的地址",
      contactPhone: "139****3333",
      version: 2,
    });
    const history = await get<Page<{ action: string }>>(`${slaughterhouse}/history`, { id: existing.data.id });
    expect(history.records[0]?.action).toBe("import");

    const undone = await post(`${slaughterhouse}/import/undo`, { id: checked.id });
    expect(undone.data.state).toBe("undone");
    expect(await rowsIn("slaughterhouses")).toBe(before);
    expect(await get<Record<string, unknown>>(`${slaughterhouse}/detail`, { id: existing.data.id })).toMatchObject({
      houseName: "原来的名称",
      contactPhone: "138****2222",
    });
    expect(await phone()).toEqual(phoneBefore);
    const twice = await post<{ reason: string }>(`${slaughterhouse}/import/undo`, { id: checked.id });
    expect([twice.status, twice.data.reason]).toEqual([400, "import.state"]);
  });

  test("can't be taken back once somebody changed one of its rows", async () => {
    const checked = await check(slaughterhouse, [house("KE-1"), house("KE-2")]);
    await post(`${slaughterhouse}/import/write`, { id: checked.id, mode: "all" });
    await settled(slaughterhouse, checked.id, "writing");
    const { records } = await get<Page<{ id: string }>>(`${slaughterhouse}/page`, { houseCode_equal: "KE-2" });
    await post(`${slaughterhouse}/submit`, { id: records[0]?.id, houseName: "后来改的" });
    const refused = await post<{ reason: string }>(`${slaughterhouse}/import/undo`, { id: checked.id });
    expect([refused.status, refused.data.reason]).toEqual([400, "import.changed_since"]);
    expect((await get<Page<unknown>>(`${slaughterhouse}/page`, { houseCode_equal: "KE-1" })).total).toBe(1);
  });

  test("a tree comes in one sheet, parents after their children if need be", async () => {
    const checked = await check(dept, [
      { 机构名称: "育肥组", 机构全称: "南阳公司育肥组", 机构类型: "小组", 上级: "南阳公司 / 生产部" },
      { 机构名称: "南阳公司", 机构全称: "南阳养殖公司", 机构类型: "公司", 上级: "" },
      { 机构名称: "生产部", 机构全称: "南阳公司生产部", 机构类型: "部门", 上级: "南阳公司" },
      { 机构名称: "孤儿组", 机构全称: "无处可放", 机构类型: "小组", 上级: "不存在的" },
    ]);
    expect(checked).toMatchObject({ rows: 4, good: 3, bad: 1 });
    await post(`${dept}/import/write`, { id: checked.id, mode: "good" });
    expect((await settled(dept, checked.id, "writing")).state).toBe("written");
    const found = await get<{ title: string; path: string }[]>(`${dept}/select`, { keyword: "育肥组" });
    expect(found[0]?.path).toBe("南阳公司 / 生产部 / 育肥组");
    expect((await post(`${dept}/import/undo`, { id: checked.id })).data.state).toBe("undone");
  });

  test("needs its right, and another tenant does not find it", async () => {
    const worker = await app.logIn("worker");
    expect((await post(`${slaughterhouse}/import/begin`, { attachId: "1" }, worker)).status).toBe(403);
    const { id } = await check(dept, [{ 机构名称: "本集团", 机构全称: "本集团", 机构类型: "公司" }]);
    await app.test.database.pool.query(
      `insert into role_menus select r.id, m.id from roles r, menus m
        where r.tenant_id = '100002' and r.role_alias = 'owner' and m.code = 'dept_import' on conflict do nothing`,
    );
    const farm = await app.logIn("farm");
    expect((await app.call({ path: `${dept}/import/detail`, query: { id }, token: farm })).status).toBe(404);
    for (const verb of ["write", "undo", "cancel", "marked"]) {
      expect([verb, (await post(`${dept}/import/${verb}`, { id, mode: "all" }, farm)).status]).toEqual([verb, 404]);
    }
    expect((await post(`${dept}/import/cancel`, { id })).data.state).toBe("cancelled");
  });

  test("a sheet without the column that finds rows, or without rows, fails and says why", async () => {
    const keyless = await check(slaughterhouse, [{ 屠宰场名称: "没有编号" }]);
    expect(keyless).toMatchObject({ state: "failed", failure: "表格的前 20 行里没有认出“编号”这一列", jobId: "" });
    const headers = Object.fromEntries(Object.keys(house("x")).map((header) => [header, ""]));
    expect(await check(slaughterhouse, [headers])).toMatchObject({ state: "failed", failure: "表格里没有数据行" });
    const again = await post<{ reason: string }>(`${slaughterhouse}/import/write`, { id: keyless.id, mode: "good" });
    expect([again.status, again.data.reason]).toEqual([400, "import.state"]);
  });

  test("rows that others made bad since the check: nothing is written, and what is wrong now stands at the rows", async () => {
    const kept = await post<{ id: string }>(`${slaughterhouse}/submit`, addable("ST-1"));
    const checked = await check(slaughterhouse, [
      { ...house("ST-1"), 屠宰场名称: "改一改", 所在地区: "", 日屠宰量: "" },
      house("ST-2"),
      house("ST-3"),
    ]);
    expect(checked).toMatchObject({ good: 3, updates: 1 });
    // Somebody takes a name, and removes the row that was to be changed.
    await post(`${slaughterhouse}/submit`, { ...addable("ST-9"), houseName: "屠宰场 ST-2" });
    await post(`${slaughterhouse}/remove`, { ids: kept.data.id });
    const before = await rowsIn("slaughterhouses");
    await post(`${slaughterhouse}/import/write`, { id: checked.id, mode: "good" });
    const stale = await settled(slaughterhouse, checked.id, "writing");
    expect(stale).toMatchObject({ state: "checked", good: 1, bad: 2, updates: 0 });
    expect(stale.failure).toContain("没有写入");
    expect(await rowsIn("slaughterhouses")).toBe(before);
    expect(await problemsOf(slaughterhouse, checked.id)).toEqual([
      [2, ["regionCode field.required"]],
      [3, ["houseName field.unique"]],
    ]);
    const job = await app.test.database.pool.query(
      "select state, reason from background_jobs order by id desc limit 1",
    );
    expect(job.rows).toEqual([{ state: "failed", reason: "import.stale" }]);
    // Nor is a row added in the place of one that is gone, from what the sheet says of it.
    const gone = await post<{ id: string }>(`${slaughterhouse}/submit`, addable("ST-4"));
    const second = await check(slaughterhouse, [house("ST-4", { 屠宰场名称: "又一座" })]);
    expect(second).toMatchObject({ good: 1, updates: 1 });
    await post(`${slaughterhouse}/remove`, { ids: gone.data.id });
    await post(`${slaughterhouse}/import/write`, { id: second.id, mode: "good" });
    expect(await settled(slaughterhouse, second.id, "writing")).toMatchObject({ state: "checked", updates: 0 });
    expect(await rowsIn("slaughterhouses")).toBe(before);
  });

  test("an import whose job was cancelled, failed or was never taken goes back to where a person can act", async () => {
    const { pool } = app.test.database;
    const { id } = await check(slaughterhouse, [house("JO-1")]);
    const jobOf = async (state: string, reason = "") =>
      (
        await pool.query(
          `insert into background_jobs (id, tenant_id, account_id, kind, title, queue_id, state, reason)
           select $1, tenant_id, account_id, 'x', 'x', gen_random_uuid(), $2, $3 from imports where id = $4 returning id`,
          [app.nextId(), state, reason, id],
        )
      ).rows[0].id;
    const seen = async (from: string, job: string) => {
      await pool.query("update imports set state = $2, job_id = $3 where id = $1", [id, from, job]);
      const { state, failure, jobId } = await get<Import>(`${slaughterhouse}/import/detail`, { id });
      return [state, failure, jobId];
    };
    expect(await seen("writing", await jobOf("cancelled"))).toEqual(["checked", "", ""]);
    const timeout = await jobOf("failed", "jobs.timeout");
    expect(await seen("writing", timeout)).toEqual(["checked", "任务用时过长，已停止", ""]);
    expect(await seen("checking", timeout)).toEqual(["failed", "任务用时过长，已停止", ""]);
    expect(await seen("checking", await jobOf("cancelled"))).toEqual(["cancelled", "", ""]);
    const running = await jobOf("running");
    expect(await seen("writing", running)).toEqual(["writing", "", running]);
    const { records } = await get<Page<Import>>(`${slaughterhouse}/import/page`, {});
    expect(records.find((one) => one.id === id)?.state).toBe("writing");
    // Twenty unfinished jobs are what one person may have.
    await pool.query("update imports set state = 'checked', job_id = null where id = $1", [id]);
    for (let at = 0; at < 20; at += 1) await jobOf("queued");
    const refused = await post<{ reason: string }>(`${slaughterhouse}/import/write`, { id, mode: "all" });
    expect([refused.status, refused.data.reason]).toEqual([400, "jobs.too_many"]);
    expect((await get<Import>(`${slaughterhouse}/import/detail`, { id })).state).toBe("checked");
    const imports = await rowsIn("imports");
    await expect(check(slaughterhouse, [house("JO-2")])).rejects.toThrow();
    expect(await rowsIn("imports")).toBe(imports);
    await pool.query("delete from background_jobs where kind = 'x'");
  });

  test("a sheet of the group's staff finds and changes rows of their own tenant alone", async () => {
    const farm = await app.logIn("farm");
    await app.test.database.pool.query(
      `insert into role_menus select r.id, m.id from roles r, menus m
        where r.tenant_id = '100002' and r.role_alias = 'owner' and m.code in ('post_edit', 'dept_edit') on conflict do nothing`,
    );
    const theirs = await post<{ id: string }>(
      `${job}/submit`,
      { postCode: "P-1", postName: "别人的", category: "1" },
      farm,
    );
    await post(`${dept}/submit`, { deptName: "别人的公司", fullName: "别人的公司", deptCategory: "1" }, farm);
    const row = { 岗位编号: "P-1", 岗位名称: "自己的", 岗位类型: "高层" };
    const checked = await check(job, [row]);
    expect(checked).toMatchObject({ good: 1, bad: 0, updates: 0 });
    await post(`${job}/import/write`, { id: checked.id, mode: "all" });
    expect((await settled(job, checked.id, "writing")).state).toBe("written");
    const { records } = await get<Page<{ id: string; postName: string; tenantId: string }>>(`${job}/page`, {
      postCode_equal: "P-1",
      ascs: "create_time",
    });
    expect(records.map(({ id, postName, tenantId }) => [id === theirs.data.id, postName, tenantId])).toEqual([
      [true, "别人的", "100002"],
      [false, "自己的", "000000"],
    ]);
    // In the own tenant it is found by now.
    expect(await check(job, [row])).toMatchObject({ good: 1, updates: 1 });
    expect(await check(dept, [unit("下面的", ["别人的公司"])])).toMatchObject({ bad: 1 });
  });

  test("corrections keep to what they name, and to imports that are not written yet", async () => {
    const { id } = await check(slaughterhouse, [
      house("KO-1", { 状态: "正常" }),
      house("KO-2", { 状态: "不正常" }),
      house("KO-3"),
    ]);
    const correct = (body: object) =>
      post<Import & { reason: string }>(`${slaughterhouse}/import/correct`, { id, ...body });
    expect((await correct({ field: "status", from: "正常", to: "停用" })).data).toMatchObject({ bad: 1, good: 2 });
    expect(await problemsOf(slaughterhouse, id)).toEqual([[3, ["status field.choice"]]]);
    expect((await correct({ rowNumber: 4, field: "contactPhone", to: "12" })).data).toMatchObject({ bad: 2 });
    expect((await correct({ field: "nonsense", to: "x" })).data.reason).toBe("import.field");
    expect((await correct({ rowNumber: 99, field: "status", to: "x" })).status).toBe(404);
    await post(`${slaughterhouse}/import/write`, { id, mode: "good" });
    const twice = await post<{ reason: string }>(`${slaughterhouse}/import/write`, { id, mode: "good" });
    expect([twice.status, twice.data.reason]).toEqual([400, "import.state"]);
    expect(await settled(slaughterhouse, id, "writing")).toMatchObject({ state: "written", written: 1 });
    const late = await correct({ rowNumber: 3, field: "status", to: "启用" });
    expect([late.status, late.data.reason]).toEqual([400, "import.state"]);
    const none = await check(slaughterhouse, [house("KO 9")]);
    const refused = await post<{ reason: string }>(`${slaughterhouse}/import/write`, { id: none.id, mode: "good" });
    expect([refused.status, refused.data.reason]).toEqual([400, "import.nothing_good"]);
    expect((await app.call({ path: `${dept}/import/detail`, query: { id }, token: admin })).status).toBe(404);
  });

  test("a job that is run again after its end writes nothing again", async () => {
    const { pool } = app.test.database;
    const { id } = await check(slaughterhouse, [house("RE-1")]);
    const { data } = await post(`${slaughterhouse}/import/write`, { id, mode: "all" });
    await settled(slaughterhouse, id, "writing");
    const ended = () =>
      vi.waitFor(async () => {
        const { rows } = await pool.query("select state from background_jobs where id = $1", [data.jobId]);
        expect(rows[0].state).toBe("succeeded");
      });
    await ended();
    const [before, entries] = [await rowsIn("slaughterhouses"), await rowsIn("audit_entries")];
    await pool.query("update background_jobs set state = 'queued' where id = $1", [data.jobId]);
    await pool.query(
      `update jobs.job set state = 'created', started_on = null, completed_on = null
        where id = (select queue_id from background_jobs where id = $1)`,
      [data.jobId],
    );
    // The next job that is submitted wakes the queue.
    await check(slaughterhouse, [house("RE-2")]);
    await ended();
    expect([await rowsIn("slaughterhouses"), await rowsIn("audit_entries")]).toEqual([before, entries]);
  });

  test("a sheet of somebody who reaches own rows alone changes no other, and is told what is taken", async () => {
    const { pool } = app.test.database;
    await pool.query(
      "update roles set data_scope = 'self' where tenant_id = '000000' and role_alias = 'administrator'",
    );
    try {
      await pool.query("update slaughterhouses set created_by = null where house_code = 'RE-1'");
      const checked = await check(slaughterhouse, [
        { ...house("RE-1"), 屠宰场名称: "改不了的" },
        { ...house("RE-2"), 屠宰场名称: "屠宰场 RE-1" },
        house("OWN-1"),
      ]);
      expect(checked).toMatchObject({ good: 1, updates: 0 });
      expect(await problemsOf(slaughterhouse, checked.id)).toEqual([
        [2, ["houseCode field.unique"]],
        [3, ["houseName field.unique"]],
      ]);
    } finally {
      await pool.query(
        "update roles set data_scope = 'all' where tenant_id = '000000' and role_alias = 'administrator'",
      );
    }
  });

  test("a template is filled in and imported; a sheet with problems comes back marked and is checked again", async () => {
    const sheets = sheetCalls(app, slaughterhouse, admin);
    await post(`${slaughterhouse}/submit`, { ...addable("TE-1"), dailyCapacity: 700 });
    const { data: empty } = await post<{ attachId: string }>(`${slaughterhouse}/import/template`, {});
    const blank = await sheets.read(empty.attachId);
    expect(blank).toMatchObject({
      rows: [],
      headers: ["编号", "屠宰场名称", "日屠宰量", "所在地区", "详细地址", "联系人", "联系电话", "状态", "备注"],
    });
    expect(read(blank.bytes, { bookVBA: true }).SheetNames).toEqual(["屠宰场档案", "填写说明", "选项"]);
    const form = await unpacked(blank.bytes, "xl/worksheets/sheet1.xml");
    expect(form).toContain('<formula1>"启用,停用"</formula1>');
    const { data: filled } = await post<{ attachId: string }>(`${slaughterhouse}/import/template`, { filled: true });
    expect((await sheets.read(filled.attachId)).rows).toContainEqual(
      expect.objectContaining({ 编号: "TE-1", 日屠宰量: "700", 状态: "启用" }),
    );
    // People type a star behind what is required, as the template shows it.
    const starred = Object.fromEntries(
      Object.entries(house("TE-2", { 联系电话: "12", 屠宰场名称: "座" })).map(([header, text]) => [
        ["编号", "屠宰场名称"].includes(header) ? `${header}*` : header,
        text,
      ]),
    );
    const { id } = await check(slaughterhouse, [starred]);
    const { data: marked } = await post<{ attachId: string }>(`${slaughterhouse}/import/marked`, { id });
    const [row] = (await sheets.read(marked.attachId)).rows;
    expect(row).toMatchObject({ "编号*": "TE-2", 联系电话: "12" });
    expect(row?.问题?.split("；").toSorted()).toEqual(["屠宰场名称为 2 到 40 个字符", "请输入正确的电话号码"]);
  });

  test("is stopped while it is written: nothing is stored, and it can be written after all", async () => {
    const { id } = await check(slaughterhouse, [house("CA-1"), house("CA-2")]);
    const before = await rowsIn("slaughterhouses");
    const client = await app.test.database.pool.connect();
    try {
      // The job waits for the end of the audit trail, with its rows written.
      await client.query("begin");
      await client.query("select pg_advisory_xact_lock(hashtext('audit installation'))");
      const { data } = await post(`${slaughterhouse}/import/write`, { id, mode: "all" });
      await vi.waitFor(async () => {
        expect(await waiting()).toBe(1);
      });
      expect((await post(`${slaughterhouse}/import/cancel`, { id })).data.state).toBe("writing");
      await client.query("commit");
      expect(await settled(slaughterhouse, id, "writing")).toMatchObject({ state: "checked", failure: "", good: 2 });
      const { rows } = await client.query("select state from background_jobs where id = $1", [data.jobId]);
      expect([rows, await rowsIn("slaughterhouses")]).toEqual([[{ state: "cancelled" }], before]);
    } finally {
      client.release();
    }
    await post(`${slaughterhouse}/import/write`, { id, mode: "all" });
    expect(await settled(slaughterhouse, id, "writing")).toMatchObject({ state: "written", written: 2 });
  });

  test("holds nothing up while it is written: jobs, choices and colleagues of its person, and rows of the same list", async () => {
    const { pool } = app.test.database;
    const { id } = await check(job, [
      { 岗位编号: "HO-1", 岗位名称: "岗位一", 岗位类型: "高层" },
      { 岗位编号: "HO-2", 岗位名称: "岗位二", 岗位类型: "高层" },
    ]);
    const { rows: people } = await pool.query(
      `select m.account_id as id from memberships m join accounts a on a.id = m.account_id
        where m.tenant_id = '000000' and a.account <> 'admin' order by m.id limit 1`,
    );
    const client = await pool.connect();
    try {
      // The job waits for a row that has its number and may yet be taken back, and holds what it holds while it writes.
      await client.query("begin");
      await client.query(
        "insert into posts (id, tenant_id, post_code, post_name, category) values (1, '000000', 'HO-2', '岗位二', '1')",
      );
      await post(`${job}/import/write`, { id, mode: "all" });
      await vi.waitFor(async () => {
        expect(await waiting()).toBe(1);
      }, 10_000);
      const answers: Record<string, Promise<{ status: number }>> = {
        export: post(`${dept}/export`, { where: {} }),
        choice: post("/api/muyuan-system/preference/submit", { key: "list.dept", value: "{}" }),
        colleague: post("/api/muyuan-system/user/submit", { id: people[0].id, status: 1 }),
        row: post(`${job}/submit`, { postCode: "HO-3", postName: "岗位三", category: "1" }),
      };
      const statuses: Record<string, number> = {};
      for (const [name, answer] of Object.entries(answers)) statuses[name] = (await answer).status;
      expect(statuses).toEqual({ export: 200, choice: 200, colleague: 200, row: 200 });
      expect((await get<Import>(`${job}/import/detail`, { id })).state).toBe("writing");
    } finally {
      client.release(true);
    }
    expect(await settled(job, id, "writing")).toMatchObject({ state: "written", written: 2 });
  });

  test("rows of a tree: one below a bad one is bad, a place is taken once, no deeper than declared; one correction clears what hung on it", async () => {
    const deep = Array.from({ length: 9 }, (_, at) =>
      unit(
        `第${at}层`,
        Array.from({ length: at }, (_x, up) => `第${up}层`),
      ),
    );
    const checked = await check(dept, [
      unit("坏公司", [], { 机构类型: "没有这种" }),
      unit("好部门", ["坏公司"]),
      unit("好小组", ["坏公司", "好部门"]),
      unit("两次", []),
      unit("两次", []),
      ...deep,
    ]);
    expect(await problemsOf(dept, checked.id)).toEqual([
      [2, ["deptCategory field.choice"]],
      [3, ["parentId row.parent_missing"]],
      [4, ["parentId row.parent_missing"]],
      [6, ["deptName field.doubled"]],
      [15, ["parentId row.too_deep"]],
    ]);
    const one = await post(`${dept}/import/correct`, {
      id: checked.id,
      rowNumber: 2,
      field: "deptCategory",
      to: "公司",
    });
    expect(one.data).toMatchObject({ bad: 2 });
    const two = await post(`${dept}/import/correct`, { id: checked.id, rowNumber: 6, field: "deptName", to: "另一次" });
    expect(two.data).toMatchObject({ bad: 1 });
    await post(`${dept}/import/write`, { id: checked.id, mode: "good" });
    expect(await settled(dept, checked.id, "writing")).toMatchObject({ state: "written", written: 13 });
    expect((await get<Page<unknown>>(`${dept}/page`, { deptName_equal: "好小组" })).total).toBe(1);
    // A row that stands there already is itself.
    const again = await check(dept, [
      unit("好小组", ["坏公司", "好部门"]),
      unit("好部门", ["坏公司"], { 机构全称: "坏公司好部门" }),
      unit("新小组", ["坏公司", "好部门"]),
    ]);
    expect(again).toMatchObject({ rows: 3, bad: 0, updates: 2, unchanged: 1 });
    expect((await post(`${dept}/import/undo`, { id: checked.id })).data.state).toBe("undone");
  });

  test("hooks are asked for rows of sheets, too: a dictionary's value carries the code that it stands below", async () => {
    const checked = await check(dict, [
      { 字典名称: "天气", 字典编码: "weather", 字典键值: "随便", 上级: "" },
      { 字典名称: "晴", 字典编码: "anything", 字典键值: "1", 上级: "天气" },
      { 字典名称: "雨", 字典编码: "anything", 字典键值: "2", 上级: "天气" },
    ]);
    expect(checked).toMatchObject({ good: 3 });
    await post(`${dict}/import/write`, { id: checked.id, mode: "all" });
    expect((await settled(dict, checked.id, "writing")).state).toBe("written");
    const { rows } = await app.test.database.pool.query(
      "select dict_value, dict_key from dictionaries where code = 'weather' order by sort, id",
    );
    expect(rows.map(({ dict_value: name, dict_key: key }) => `${name} ${key}`)).toEqual(["天气 -1", "晴 1", "雨 2"]);
    // What only the database knows to be unique is told at its row.
    const second = await check(dict, [{ 字典名称: "雪", 字典编码: "weather", 字典键值: "2", 上级: "天气" }]);
    await post(`${dict}/import/write`, { id: second.id, mode: "all" });
    expect(await settled(dict, second.id, "writing")).toMatchObject({ state: "checked", bad: 1 });
    expect(await problemsOf(dict, second.id)).toEqual([[2, ["dictKey field.unique"]]]);
  });

  test("can't be taken back once people hold what it added", async () => {
    const checked = await check(role, [{ 角色名称: "表格角色", 角色别名: "sheet-role", 数据范围: "全部", 上级: "" }]);
    await post(`${role}/import/write`, { id: checked.id, mode: "all" });
    await settled(role, checked.id, "writing");
    const { pool } = app.test.database;
    await pool.query(
      `insert into membership_roles select m.id, r.id from memberships m join accounts a on a.id = m.account_id, roles r
        where a.account = 'admin' and r.role_alias = 'sheet-role'`,
    );
    const refused = await post<{ reason: string }>(`${role}/import/undo`, { id: checked.id });
    expect([refused.status, refused.data.reason]).toEqual([400, "import.in_use"]);
    expect((await pool.query("select 1 from roles where role_alias = 'sheet-role'")).rows).toHaveLength(1);
    await pool.query(
      "delete from membership_roles where role_id = (select id from roles where role_alias = 'sheet-role')",
    );
    expect((await post(`${role}/import/undo`, { id: checked.id })).data.state).toBe("undone");
  });

  test("many rows with bad ones among them: each by its number, then only the good ones, all in one step", async () => {
    const rows = volume({ short: 3000, long: 50_000 });
    const bad = rows / 100;
    const sheet = Array.from({ length: rows }, (_, at) =>
      house(`BULK-${at}`, at % 100 === 50 ? { 联系电话: "12" } : {}),
    );
    const began = performance.now();
    const checked = await check(slaughterhouse, sheet, 120_000);
    expect(checked).toMatchObject({ rows, bad, good: rows - bad });
    const { records } = await get<Page<ImportRow>>(`${slaughterhouse}/import/rows`, { id: checked.id, size: "500" });
    expect(records.map(({ rowNumber }) => rowNumber)).toEqual(
      Array.from({ length: Math.min(500, bad) }, (_, at) => at * 100 + 52),
    );
    expect(await rowsIn("slaughterhouses")).toBeLessThan(rows - bad);
    await post(`${slaughterhouse}/import/write`, { id: checked.id, mode: "good" });
    const written = await settled(slaughterhouse, checked.id, "writing", 120_000);
    expect(written).toMatchObject({ state: "written", written: rows - bad });
    const { rows: jobs } = await app.test.database.pool.query(
      "select kind, done, total from background_jobs where title in ('检查导入的表格', '写入导入的数据') order by id desc limit 2",
    );
    expect(jobs).toEqual([
      { kind: "slaughterhouse.import.write", done: rows - bad, total: rows - bad },
      { kind: "slaughterhouse.import.check", done: rows, total: 0 },
    ]);
    const { rows: entries } = await app.test.database.pool.query(
      "select count(*)::int as count from audit_entries where action = 'import' and row_title like '屠宰场 BULK-%'",
    );
    expect(entries).toEqual([{ count: rows - bad }]);
    const exported = await sheetCalls(app, slaughterhouse, admin).exported({
      where: { houseCode: "BULK-" },
      columns: ["houseCode"],
    });
    expect(exported.rows.length).toBe(rows - bad);
    expect(Object.keys(exported.rows[0] ?? {})).toEqual(["编号"]);
    expect((await post(`${slaughterhouse}/import/undo`, { id: checked.id })).data.state).toBe("undone");
    if (rows === 50_000) expect(performance.now() - began).toBeLessThan(120_000);
  });
});

describe("an export", () => {
  test("of a tree names what each row stands below, of one tenant where one is named", async () => {
    const submit = async (row: object, token = admin) =>
      (await post<{ id: string }>(`${dept}/submit`, row, token)).data.id;
    const form = (name: string) => ({ deptName: name, fullName: name, deptCategory: "2" });
    const top = await submit(form("出口公司"));
    const below = await submit({ ...form("出口部"), parentId: top });
    const theirs = await submit({ ...form("别人的部"), tenantId: "100002" });
    const sheets = sheetCalls(app, dept, admin);
    const ids = [top, below, theirs].join(",");
    const names = ({ rows }: { rows: Record<string, string>[] }) =>
      rows.map(({ 上级, 机构名称 }) => [上级 ?? "", 机构名称]);
    expect(names(await sheets.exported({ where: { ids } }))).toEqual([
      ["", "出口公司"],
      ["出口公司", "出口部"],
      ["", "别人的部"],
    ]);
    expect(names(await sheets.exported({ where: { ids, tenantId: "100002" } }))).toEqual([["", "别人的部"]]);
  });

  test("holds the rows that conditions select as the list shows them, masked and without formulas", async () => {
    await post(`${slaughterhouse}/submit`, {
      houseCode: "EX-1",
      houseName: "=HYPERLINK(1)",
      regionCode: "411325",
      contactPhone: "13855556666",
      status: "1",
      dailyCapacity: 1200,
    });
    const { rows, job, bytes } = await sheetCalls(app, slaughterhouse, admin).exported({
      where: { houseCode_equal: "EX-1" },
    });
    expect(job.result.rows).toBe("1");
    const ticket = await post<{ url: string }>("/api/muyuan-resource/ticket/issue", { id: job.result.attachmentId });
    expect(ticket.status).toBe(200);
    // Nobody opens it by its address.
    const kept = await app.test.database.pool.query("select visibility from attachments where id = $1", [
      job.result.attachmentId,
    ]);
    expect(kept.rows).toEqual([{ visibility: "private" }]);
    expect(rows).toEqual([
      expect.objectContaining({
        编号: "EX-1",
        屠宰场名称: "=HYPERLINK(1)",
        联系电话: "138****6666",
        状态: "启用",
        日屠宰量: "1200",
      }),
    ]);
    expect(bytes.includes(Buffer.from("<f>"))).toBe(false);
  });
});
