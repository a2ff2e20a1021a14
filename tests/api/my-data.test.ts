import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { DataExport } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { personalColumns } from "../../apps/server/src/database/personal-columns.ts";
import { myDataWords } from "../../apps/server/src/modules/personal-data/my-data-words.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { type Customer, customersOf, type Person } from "../harness/customers.ts";
import { picture, upload } from "../harness/upload.ts";
import { unzipped } from "../harness/zip.ts";

let app: TestApp;
let people: ReturnType<typeof customersOf>;
beforeAll(async () => {
  app = await createTestApp();
  people = customersOf(app);
});
afterAll(() => app.close());
beforeEach(() => app.pass(86_401));

const base = "/api/muyuan-customer/my-data";
const post = async <Data>(path: string, token: string, body: unknown = {}) => {
  const answer = await app.call({ method: "POST", path: `${base}/${path}`, token, body });
  return { status: answer.status, data: answer.body.data as Data & { reason?: string }, cookie: answer.cookie };
};
const listOf = async (token: string) => (await app.get<DataExport[]>(`${base}/list`, token)).body.data;
async function exported(person: Person, language: "zh" | "en" = "zh"): Promise<string> {
  const { data } = await post<DataExport>("export", person.token, { language });
  expect(data.reason).toBeUndefined();
  await app.runJob("my-data.make");
  // The job that the request woke may be at it already, and this one has nothing to do then.
  await expect.poll(async () => (await listOf(person.token)).find(({ id }) => id === data.id)?.state).toBe("ready");
  return data.id;
}
/** Where the files folder holds an export. */
async function fileOf(exportId: string): Promise<string> {
  const [row] = await people.query<{ name: string }>(
    "select f.name from attachments f join data_exports d on d.attachment_id = f.id where d.id = $1",
    [exportId],
  );
  return join(app.dataDir, "files", row?.name ?? "");
}
const fetchBy = (url: string, cookie: string) =>
  app.http.inject({ method: "GET", url: url.replace(/^https?:\/\/[^/]+/, ""), headers: { cookie } });
describe("an export", () => {
  let owner: Customer;
  let bytes: Buffer;
  let id: string;
  let link: { url: string; expiresIn: number };

  test("is asked for with a fresh password, told, and made once at a time, twice a day", async () => {
    owner = await people.customer();
    await people.query(
      "update sessions set confirmed_at = now() - interval '6 minutes', authenticated_at = now() - interval '6 minutes' where account_id = $1",
      [owner.id],
    );
    expect((await post("export", owner.token, { language: "zh" })).data.reason).toBe("identity.confirm_first");
    await people.query("update sessions set confirmed_at = now() where account_id = $1", [owner.id]);
    await app.call({
      method: "POST",
      path: "/api/muyuan-system/cms-address/save",
      token: owner.token,
      body: { regionCode: "411325", address: "前湾村 18 号" },
    });
    await upload(app, owner.token, await picture("png"), "猪舍.png");
    id = await exported(owner);
    const titles = async () => {
      const rows = await people.query<{ title: string }>(
        "select title from messages where account_id = $1 order by id",
        [owner.id],
      );
      return rows.map(({ title }) => title);
    };
    await expect.poll(titles).toEqual(["有人要导出您的数据", "您的数据可以下载了"]);
    expect((await listOf(owner.token))[0]).toMatchObject({ id, state: "ready", language: "zh" });
    await exported(owner, "en");
    expect((await post("export", owner.token, { language: "zh" })).data.reason).toBe("my_data.spent");
    const other = await people.customer();
    await people.query(
      "insert into data_exports (id, account_id, tenant_id, language, expires_at) values ($1, $2, $3, 'zh', now() + interval '1 day')",
      [app.nextId(), other.id, other.tenantId],
    );
    expect((await post("export", other.token, { language: "zh" })).data.reason).toBe("my_data.under_way");
    await people.query("delete from data_exports where account_id = $1", [other.id]);
  });

  test("is fetched once, by the browser that asked, and is gone then", async () => {
    const stranger = await people.customer();
    expect((await post("link", stranger.token, { id })).status).toBe(404);
    const issued = await post<{ url: string; expiresIn: number }>("link", owner.token, { id });
    link = issued.data;
    const [, value = ""] = issued.cookie.split("=", 2);
    // Another browser that was given the address uses it up and gets nothing.
    expect((await fetchBy(link.url, "")).statusCode).toBe(404);
    expect((await fetchBy(link.url, issued.cookie)).statusCode).toBe(404);
    const second = await post<{ url: string }>("link", owner.token, { id });
    expect(second.cookie).not.toContain(value);
    const answers = await Promise.all(Array.from({ length: 10 }, () => fetchBy(second.data.url, second.cookie)));
    const got = answers.filter(({ statusCode }) => statusCode === 200);
    expect(got).toHaveLength(1);
    expect(got[0]?.headers["content-disposition"]).toContain("attachment");
    bytes = got[0]?.rawPayload ?? Buffer.alloc(0);
    expect((await post("link", owner.token, { id })).status).toBe(404);
    expect((await listOf(owner.token)).find((row) => row.id === id)).toMatchObject({ state: "fetched" });
    expect(
      await people.query("select attachment_id, file_key_encrypted from data_exports where id = $1", [id]),
    ).toEqual([{ attachment_id: null, file_key_encrypted: "" }]);
  });

  test("holds everything, to read and for programs, with the uploaded files", async () => {
    const files = await unzipped(bytes);
    expect([...files.keys()].filter((name) => !name.startsWith("files/"))).toEqual(["data.json", "index.html"]);
    expect([...files].filter(([name, content]) => name.startsWith("files/") && content.length > 100)).toHaveLength(1);
    const { data } = JSON.parse(String(files.get("data.json"))) as { data: Record<string, Record<string, unknown>[]> };
    expect(data.account?.[0]).toMatchObject({ account: owner.account, phone_encrypted: owner.phone });
    expect(data["addresses-account_id"]?.[0]).toMatchObject({ address_encrypted: "前湾村 18 号" });
    expect(data.real_name_items?.map(({ value }) => value)).toContain(owner.idNumber);
    expect(Object.keys(data)).toEqual([
      "account",
      ...personalColumns.filter(({ shown }) => shown).map(({ table, column }) => `${table}-${column}`),
      "real_name_items",
    ]);
    const page = String(files.get("index.html"));
    for (const text of [owner.idNumber, "前湾村 18 号", "联系地址"]) expect(page).toContain(text);
    expect(page).not.toMatch(/<script|https?:/);
  });

  test("in English says all its words in English, and lies closed on the disk until it is fetched", async () => {
    const person = await people.customer();
    const exportId = await exported(person, "en");
    // What lies in the files folder is nothing that can be read.
    const content = await readFile(await fileOf(exportId));
    expect(content.subarray(0, 2).toString()).not.toBe("PK");
    expect(content.includes(person.account)).toBe(false);
    const { data, cookie } = await post<{ url: string }>("link", person.token, { id: exportId });
    const page = String((await unzipped((await fetchBy(data.url, cookie)).rawPayload)).get("index.html"));
    const words = page.replace(/<style>.*?<\/style>/s, "").replace(/<td>.*?<\/td>/gs, "");
    expect(words.match(/[\u4e00-\u9fff]+/g)).toBeNull();
    expect(page).toContain('lang="en"');
    // Each word of the list has its English.
    for (const { shown } of personalColumns)
      for (const word of shown ? [shown.title, ...Object.values(shown.columns)] : [])
        expect(myDataWords, word).toHaveProperty([word]);
  });

  test("cannot be fetched after its time, after a log-out, or when it was changed on the disk", async () => {
    const person = await people.customer();
    const exportId = await exported(person);
    const issued = await post<{ url: string }>("link", person.token, { id: exportId });
    await people.query("update sessions set ended_at = now() where account_id = $1", [person.id]);
    expect((await fetchBy(issued.data.url, issued.cookie)).statusCode).toBe(404);
    const token = await app.logIn(person.account);
    await people.query("update data_exports set expires_at = now() - interval '1 s' where id = $1", [exportId]);
    expect((await post("link", token, { id: exportId })).status).toBe(404);
    await people.query("update data_exports set expires_at = now() + interval '1 day' where id = $1", [exportId]);
    const path = await fileOf(exportId);
    const content = await buffer(createReadStream(path));
    content[40] = (content[40] ?? 0) ^ 1;
    await writeFile(path, content);
    const again = await post<{ url: string }>("link", token, { id: exportId });
    expect((await fetchBy(again.data.url, again.cookie)).statusCode).toBe(404);
    expect(app.logged.join("")).toContain("an export of a person's data does not open");
  });
});
