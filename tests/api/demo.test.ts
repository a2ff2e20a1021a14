import { afterAll, beforeAll, expect, test } from "vitest";
import { seedDemoArchives } from "../../apps/server/src/database/seeds/demo-archives.ts";
import { seedDemoMessages } from "../../apps/server/src/database/seeds/demo-messages.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let admin: string;
let lastId = 7_000_000;
beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
});
afterAll(() => app.close());

const seed = () =>
  seedDemoArchives(app.test.database.kysely, app.personalCipher, () => {
    lastId += 1;
    return String(lastId);
  });
const rowsOf = async (path: string): Promise<Record<string, unknown>[]> => {
  const answer = await app.get<{ records: Record<string, unknown>[] }>(`${path}/page?current=1&size=100`, admin);
  expect(answer.status).toBe(200);
  return answer.body.data.records;
};
const paths = ["field", "region", "service-department", "slaughterhouse", "invoice-type"].map(
  (name) => `/api/muyuan-trade/${name}`,
);

test("an installation with rows of its own gets none of the demo's", async () => {
  const path = "/api/muyuan-system/post/submit";
  const body = { postCode: "OWN", postName: "自己的岗位", category: "3" };
  expect((await app.call({ method: "POST", path, body, token: admin })).status).toBe(200);
  await seed();
  for (const at of paths) expect([at, await rowsOf(at)]).toEqual([at, []]);
  await app.test.database.pool.query("delete from posts");
});

test("a new demo has rows in each archive, which the kit shows, and a second seed adds none", async () => {
  await seed();
  await seed();
  for (const at of paths) expect((await rowsOf(at)).length).toBeGreaterThanOrEqual(3);
  const [field] = await rowsOf("/api/muyuan-trade/field");
  expect(field).toMatchObject({ contactPhone: expect.stringMatching(/^139\*{4}\d{4}$/) });
  const top = await app.get<{ deptName: string; hasChildren: boolean }[]>("/api/muyuan-system/dept/lazy-list", admin);
  expect(top.body.data.map(({ deptName, hasChildren }) => [deptName, hasChildren])).toEqual([
    ["慧牧集团", true],
    ["慧牧智联公司", false],
  ]);
});

test("every name of the demo's archives is known in English", async () => {
  const named = ["fieldName", "regionName", "departmentName", "houseName", "typeName", "address", "principal"];
  const texts = (await Promise.all(paths.map(rowsOf)))
    .flat()
    .flatMap((row) => named.map((name) => row[name]))
    .filter((text): text is string => typeof text === "string" && /\p{Script=Han}/u.test(text));
  expect(texts.length).toBeGreaterThan(40);
  const answer = await app.call({
    method: "POST",
    path: "/api/muyuan-i18n/baidu/trans",
    body: { src: [...new Set(texts)].join("\n"), to: "en" },
  });
  const { dst } = (answer.body as { data: { data: { dst: string } } }).data.data;
  expect(dst.split("\n").filter((line) => /\p{Script=Han}/u.test(line))).toEqual([]);
});

test("demo accounts have messages, which lead to screens that it has", async () => {
  await seedDemoMessages(app.test.database.kysely, () => {
    lastId += 1;
    return String(lastId);
  });
  for (const account of ["admin", "farm", "worker"]) {
    const token = await app.logIn(account);
    const page = await app.get<{ records: { link: string; kind: string }[] }>(
      "/api/muyuan-message-center/message/page/user?current=1&size=20",
      token,
    );
    const written = page.body.data.records.filter(({ kind }) => kind === "system");
    expect([account, written.length]).toEqual([account, account === "farm" ? 3 : 2]);
    const menu = await app.get<object[]>("/api/muyuan-system/menu/routes", token);
    for (const { link } of written) {
      expect([account, JSON.stringify(menu.body.data).includes(`"${link}`)]).toEqual([account, true]);
    }
  }
});
