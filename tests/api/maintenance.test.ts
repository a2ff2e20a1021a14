import type { Device, MaintenancePhoto, maintenance, Page, ResourceRow } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createReminders } from "../../apps/server/src/modules/maintenance/maintenance.service.ts";
import { reminderRepository } from "../../apps/server/src/modules/maintenance/reminder.repository.ts";
import { messageRepository } from "../../apps/server/src/modules/messages/index.ts";
import { systemScope } from "../../apps/server/src/tenant-scope.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { picture, upload } from "../harness/upload.ts";

type Entry = ResourceRow<typeof maintenance>;
let app: TestApp;
let farm: string;
let worker: string;
let device: Device;
const base = "/api/muyuan-iot";

const post = async <Reply = { id: string }>(path: string, body: unknown, token = farm) => {
  const { status, body: answer } = await app.call({ method: "POST", path: `${base}/${path}`, body, token });
  return { status, body: answer as { msg: string; data: Reply } };
};
const write = (body: object, token = farm) =>
  post<Entry>(
    "maintenance/submit",
    { code: `WH-${app.nextId()}`, work: "清洗探头", type: "cleaning", doneOn: "2026-03-02", person: "李四", ...body },
    token,
  );
const entriesOf = async (query: string, token = farm) =>
  (await app.get<Page<Entry>>(`${base}/maintenance/page?size=50&${query}`, token)).body.data.records;

beforeAll(async () => {
  app = await createTestApp();
  [farm, worker] = await Promise.all([app.logIn("farm"), app.logIn("liuyang")]);
  const page = await app.get<Page<Device>>(`${base}/device/page?size=1&name=ENV-ZJY-02`, farm);
  device = page.body.data.records[0] as Device;
});
afterAll(() => app.close());

test("work at a device stands in its unit's log too, and is audited", async () => {
  const written = await write({ deviceId: device.id, minutes: 30, nextDueOn: "2026-04-02" });
  expect(written.status).toBe(200);
  const [entry] = await entriesOf(`unitId=${device.unitId}`);
  expect(entry).toMatchObject({ deviceId: device.id, deviceName: device.name, unitId: device.unitId, minutes: 30 });
  const { rows } = await app.test.database.pool.query(
    "select action from audit_entries where resource = 'maintenance' and row_id = $1",
    [entry?.id],
  );
  expect(rows).toEqual([{ action: "create" }]);
});

test("photos: shared pictures of the own organization alone, at most six, seen by who may see the log", async () => {
  const { id } = (await entriesOf(`deviceId=${device.id}`))[0] as Entry;
  const names: string[] = [];
  for (let at = 0; at < 7; at += 1) {
    const { body } = await upload(app, farm, await picture("png", 40 + at, 30), `p${at}.png`);
    names.push(body.data.name);
  }
  for (const name of names.slice(0, 6))
    expect((await post("maintenance-photo/submit", { entryId: id, name })).status).toBe(200);
  const seventh = { entryId: id, name: names[6] };
  expect((await post("maintenance-photo/submit", seventh)).body.msg).toBe("最多 6 张照片");
  expect((await post("maintenance-photo/remove", { entryId: id, name: names[0] })).status).toBe(200);
  const hidden = await upload(app, farm, await picture("png", 60, 30), "h.png", { query: { visibility: "private" } });
  expect((await post("maintenance-photo/submit", { entryId: id, name: hidden.body.data.name })).status).toBe(400);
  const admin = await app.logIn("admin");
  const foreign = await upload(app, admin, await picture("png", 70, 30), "f.png");
  expect((await post("maintenance-photo/submit", { entryId: id, name: foreign.body.data.name })).body.msg).toContain(
    "没有这张图片",
  );
  const list = (token: string) =>
    app.get<MaintenancePhoto[]>(`${base}/maintenance-photo/list?entryId=${id}`, token).then(({ body }) => body.data);
  expect((await list(farm)).map(({ name }) => name)).toEqual(names.slice(1, 6));
  // Another organization's entry has none, and takes none.
  expect(await list(admin)).toEqual([]);
  expect((await post("maintenance-photo/submit", seventh, admin)).status).toBe(404);
  expect((await post("maintenance-photo/remove", { entryId: id, name: names[1] }, admin)).status).toBe(404);
  expect(await list(farm)).toHaveLength(5);
});

test("what is due in three days is told once to who may write the log, unless it was done again", async () => {
  const scope = systemScope("a test of what is due");
  const { kysely } = app.test.database;
  let nowMs = Date.UTC(2027, 4, 10, 0, 0);
  const reminders = createReminders({
    inTransaction: (work) =>
      kysely
        .transaction()
        .execute((to) => work({ due: reminderRepository(to, scope), messages: messageRepository(to) })),
    scope,
    now: () => nowMs,
    nextId: app.nextId,
  });
  const told = async () => {
    const { rows } = await app.test.database.pool.query(
      `select p.account_key as who, m.content from messages m join accounts p on p.id = m.account_id
        where m.title = '维护快到期了' and m.content like '2027 %' order by m.id`,
    );
    return rows.map(({ who, content }) => `${who}: ${content}`);
  };
  const due = (work: string, nextDueOn: string, more: object = {}) =>
    write({ work: `2027 ${work}`, doneOn: "2027-04-10", nextDueOn, deviceId: device.id, ...more });
  await due("校准", "2027-05-13", { type: "calibration" });
  await due("太早", "2027-05-14", { type: "repair" });
  await due("清洗", "2027-05-12", { type: "cleaning" });
  await write({ work: "2027 又洗了", doneOn: "2027-05-01", deviceId: device.id });
  await reminders.run();
  await reminders.run();
  const first = [`farm: 2027 校准 · ${device.name} · 2027-05-13`];
  expect((await told()).filter((line) => line.startsWith("farm"))).toEqual(first);
  expect((await told()).some((line) => line.startsWith("liuyang"))).toBe(false);
  nowMs += 86_400_000;
  await reminders.run();
  expect((await told()).filter((line) => line.startsWith("farm"))).toEqual([
    ...first,
    `farm: 2027 太早 · ${device.name} · 2027-05-14`,
  ]);
});

test("who may only look writes nothing, and another tenant's device is none", async () => {
  expect((await write({}, worker)).status).toBe(403);
  const foreign = (
    await app.get<Page<Device>>(`${base}/device/page?size=1&name=ENV-LH01-01`, await app.logIn("worker"))
  ).body.data.records[0] as Device;
  expect((await write({ deviceId: foreign.id })).status).toBe(400);
});
