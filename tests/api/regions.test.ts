import type { TreeNode } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { upload } from "../harness/upload.ts";
import { sheetOf } from "../wire/sheets.ts";

vi.mock("../../apps/server/src/modules/sheets/raw-reader.ts", async (original) =>
  (await import("../resources/reading-in-process.ts")).readingInProcess(original),
);

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const below = async (parentCode: string | undefined, token: string) =>
  (
    await app.call({
      path: "/api/muyuan-system/region/lazy-tree",
      query: parentCode === undefined ? {} : { parentCode },
      token,
    })
  ).body.data as TreeNode[];

test("regions come level by level, from the country to its counties", async () => {
  const token = await app.logIn("worker");
  const provinces = await below("00", token);
  expect(provinces).toHaveLength(34);
  expect(provinces.find(({ id }) => id === "41")).toEqual({
    id: "41",
    parentId: "0",
    title: "河南省",
    key: "41",
    value: "41",
    hasChildren: true,
  });
  expect(await below("0", token)).toEqual(provinces);
  const cities = await below("41", token);
  expect(cities.find(({ id }) => id === "4113")?.title).toBe("南阳市");
  const counties = await below("4113", token);
  expect(counties.find(({ id }) => id === "411325")).toMatchObject({ title: "内乡县", hasChildren: false });
  expect(await below("999999", token)).toEqual([]);
  expect((await app.call({ path: "/api/muyuan-system/region/lazy-tree" })).status).toBe(401);
});

test("codes are told by name, from the province inwards; a province's code selects the rows of its counties", async () => {
  const token = await app.logIn("admin");
  const names = async (codes: string) =>
    (await app.call({ path: "/api/muyuan-system/region/names", query: { codes }, token })).body.data;
  expect(await names("411325,41,999999,411325")).toEqual([
    { code: "411325", names: ["河南省", "南阳市", "内乡县"] },
    { code: "41", names: ["河南省"] },
  ]);
  const path = "/api/muyuan-trade/service-department";
  for (const [at, regionCode] of ["411325", "420102", "324102"].entries())
    await app.call({
      method: "POST",
      path: `${path}/submit`,
      token,
      body: {
        departmentName: `地区${at}部`,
        phone: `0377-6000100${at}`,
        principal: "周强",
        regionCode,
        address: "一路",
        weekdayHours: "08:30-12:00",
      },
    });
  const found = async (query: Record<string, string>) => {
    const { status, body } = await app.call({ path: `${path}/page`, query: { ...query, keyword: "地区" }, token });
    return status === 200
      ? (body.data as { records: { regionCode: string }[] }).records.map((row) => row.regionCode)
      : status;
  };
  expect(await found({ regionCode: "41" })).toEqual(["411325"]);
  expect(await found({ regionCode: "4113,42" })).toEqual(expect.arrayContaining(["411325", "420102"]));
  expect(await found({ regionCode_equal: "41" })).toEqual([]);
  for (const regionCode of [",", "4", "41|", ".*"])
    expect([regionCode, await found({ regionCode })]).toEqual([regionCode, 400]);
});

test("a disabled division and what lies in it are not offered, and keep their names", async () => {
  const token = await app.logIn("admin");
  const base = "/api/muyuan-system/region";
  const submit = (body: object) => app.call({ method: "POST", path: `${base}/submit`, token, body });
  expect((await submit({ code: "4113", name: "南阳市", disabled: true })).status).toBe(200);
  expect((await below("41", token)).map(({ id }) => id)).not.toContain("4113");
  expect(await below("4113", token)).toEqual([]);
  const select = await app.call({ path: `${base}/select`, query: { code: "41" }, token });
  expect((select.body.data as { code: string }[]).map(({ code }) => code)).not.toContain("4113");
  const listed = await app.call({ path: `${base}/lazy-list`, query: { parentCode: "41" }, token });
  expect(
    (listed.body.data as { code: string; disabled: boolean }[]).find(({ code }) => code === "4113")?.disabled,
  ).toBe(true);
  const names = await app.call({ path: `${base}/names`, query: { codes: "411325" }, token });
  expect(names.body.data).toEqual([{ code: "411325", names: ["河南省", "南阳市", "内乡县"] }]);
  expect((await submit({ code: "4113", name: "南阳市", disabled: false })).status).toBe(200);
  expect((await below("41", token)).map(({ id }) => id)).toContain("4113");
});

test("an import is tried without a trace, told wrong row by wrong row, and undone until somebody changes what it added", async () => {
  const token = await app.logIn("admin");
  const base = "/api/muyuan-system/region";
  type Result = { imported: number; added: number; changed: number; importId: string; problems: { row: number }[] };
  const send = async (rows: readonly (readonly string[])[], query: Record<string, string>) => {
    const sheet = await sheetOf([["区划编号", "上级编号", "区划名称", "排序", "备注"], ...rows]);
    const { body } = await upload(app, token, sheet, "rows.xlsx", { path: `${base}/import-region`, query });
    return body.data as unknown as Result;
  };
  const undo = async (importId: string) =>
    (await app.call({ method: "POST", path: `${base}/undo-import`, token, body: { importId } })).body.data as {
      reason?: string;
    };
  const towns = async () => (await below("411325", token)).map(({ title }) => title);
  const before = await towns();
  const good = [
    ["411325901", "411325", "试验镇", "1", ""],
    ["411325", "4113", "内乡县改", "", ""],
  ];
  const tried = await send([...good, ["4113259", "411325", "错", "1", ""]], { isTry: "1", isCovered: "1" });
  expect(tried).toMatchObject({ added: 1, changed: 1, importId: "", problems: [{ row: 4 }] });
  expect(await towns()).toEqual(before);
  const stored = await send(good, { isCovered: "1" });
  expect(stored).toMatchObject({ imported: 2, added: 1, changed: 1, problems: [] });
  expect(await towns()).toEqual([...before, "试验镇"]);
  expect((await undo(stored.importId)).reason).toBeUndefined();
  expect(await towns()).toEqual(before);
  expect((await below("4113", token)).find(({ id }) => id === "411325")?.title).toBe("内乡县");
  expect((await undo(stored.importId)).reason).toBe("row.not_found");
  const again = await send(good, { isCovered: "1" });
  await app.call({ method: "POST", path: `${base}/submit`, token, body: { code: "411325901", name: "改名镇" } });
  expect((await undo(again.importId)).reason).toBe("region.changed_since");
  expect(await towns()).toEqual([...before, "改名镇"]);
});
