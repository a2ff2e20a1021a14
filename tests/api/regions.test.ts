import type { TreeNode } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

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
