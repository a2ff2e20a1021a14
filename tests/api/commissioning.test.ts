import { createHash, randomUUID } from "node:crypto";
import type {
  Commissioning,
  CommissioningAct,
  CommissioningItem,
  CommissioningUnit,
  Page,
  UnitCommissioning,
} from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let owner: string;
let manager: string;
/** Of another customer. */
let stranger: string;

const base = "/api/muyuan-iot/commissioning";
const minuteMs = 60_000;
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
const post = async <Data = { reason?: string }>(path: string, body: unknown, token = owner) => {
  const answer = await app.call({ method: "POST", path: `${base}/${path}`, body, token });
  return { status: answer.status, data: answer.body.data as Data };
};
const detail = async (id: string, token = owner) =>
  (await app.get<Commissioning>(`${base}/detail?id=${id}`, token)).body.data;

beforeAll(async () => {
  app = await createTestApp();
  [owner, manager, stranger] = await Promise.all([app.logIn("farm"), app.logIn("farm"), app.logIn("worker")]);
});
afterAll(() => app.close());

let used = 0;
/** A demo unit with one environment controller for each test, and its begun list. */
async function begun() {
  const [row] = await query<{ id: string; serial_number: string; unit_id: string }>(
    `select d.id::text, d.serial_number, d.unit_id::text from devices d where d.tenant_id = '100002' and d.kind = 'environment'
       and d.unit_id is not null order by d.id offset $1 limit 1`,
    [used],
  );
  used += 1;
  if (row === undefined) throw new Error("no demo unit is left");
  await query("update devices set unit_id = null where unit_id = $1 and id <> $2", [row.unit_id, row.id]);
  const { data } = await post<{ id: string }>("submit", { unitId: row.unit_id });
  const list = await detail(data.id);
  const of = (check: string, part = ""): CommissioningItem =>
    list.items.find((item) => item.check === check && item.part === part) as CommissioningItem;
  const report = (payload: unknown) => app.report(row.serial_number, payload);
  return { ...row, listId: data.id, list, of, report, token: `${demoTokenPrefix}${row.serial_number}` };
}
type Begun = Awaited<ReturnType<typeof begun>>;

const act = async (itemId: string, of: Partial<CommissioningAct>, token = owner) => {
  const body = { acts: [{ key: randomUUID(), itemId, atMs: Date.now(), ...of }], sentMs: Date.now() };
  return (await post<{ outcome: string; text: string }[]>("act", body, token)).data[0];
};
const look = async (id: string) => (await post<Commissioning>("look", { id })).data;
const measure = (itemId: string, more: object = {}, token = owner) =>
  post<Commissioning & { reason?: string }>("measure", { itemId, ...more }, token);
const itemIn = (list: Commissioning, id: string) => list.items.find((item) => item.id === id) as CommissioningItem;

/** Sensors four minutes ago and two minutes later, and a trial of one of them in between. */
async function warmed(unit: Begun, key: string, after: Record<string, number>) {
  const startMs = Date.now() - 4 * minuteMs;
  const cold = { t1: 20, t2: 20.1, t3: 20.2, t4: 20 };
  await unit.report([
    { ts: startMs - 30_000, values: cold },
    { ts: startMs + 40_000, values: { ...cold, ...after } },
  ]);
  const item = unit.of("probe", key);
  expect(await act(item.id, { type: "warm", atMs: startMs })).toMatchObject({ outcome: "done" });
  return itemIn(await look(unit.listId), item.id);
}

/** Carries out what waits for a device, as its HTTP client does. */
async function answerCommands(token: string, answer: (method: string, params: Record<string, unknown>) => object) {
  const methods: string[] = [];
  for (;;) {
    const asked = await app.http.inject({ method: "GET", url: `/api/v1/${token}/rpc?timeout=300` });
    if (asked.statusCode !== 200 || asked.body === "") return methods;
    const { id, method, params } = asked.json<{ id: number; method: string; params: Record<string, unknown> }>();
    methods.push(method);
    await app.http.inject({ method: "POST", url: `/api/v1/${token}/rpc/${id}`, payload: answer(method, params) });
  }
}

describe("a list", () => {
  test("is derived from the devices of the unit, and begun once however often it is asked for", async () => {
    const unit = await begun();
    const checks = unit.list.items.map(({ check, part }) => `${check} ${part}`.trim());
    expect(checks.slice(0, 4)).toEqual(["label", "fixed", "link", "settings"]);
    expect(checks).toEqual(expect.arrayContaining(["probe t1", "probe t4", "machines fans_1_2", "alarm"]));
    expect((await post<{ id: string }>("submit", { unitId: unit.unit_id })).data.id).toBe(unit.listId);
  });

  test("begins for no unit without devices, and for none of another customer", async () => {
    const unit = await begun();
    await query("update devices set unit_id = null where id = $1", [unit.id]);
    await post("discard", { id: unit.listId, version: 1 });
    expect((await post("submit", { unitId: unit.unit_id })).data.reason).toBe("commissioning.no_devices");
    expect((await post("submit", { unitId: unit.unit_id }, stranger)).status).toBe(404);
  });

  test("is as absent for another customer as one that never was, whatever they ask", async () => {
    const unit = await begun();
    const [item] = unit.list.items;
    for (const path of [
      `detail?id=${unit.listId}`,
      `unit/detail?unitId=${unit.unit_id}`,
      // Without a list there is nobody to be told.
    ])
      expect((await app.get(`${base}/${path}`, stranger)).status).toBe(404);
    expect((await app.get<object[]>(`${base}/receiver/list?id=${unit.listId}`, stranger)).body.data).toEqual([]);
    expect(await act(item?.id ?? "", { type: "note", note: "x" }, stranger)).toMatchObject({ outcome: "refused" });
    for (const [path, body] of [
      ["measure", { itemId: unit.of("link").id }],
      ["look", { id: unit.listId }],
      ["sign", { id: unit.listId, version: 1 }],
      ["discard", { id: unit.listId, version: 1 }],
      ["confirm", { itemId: unit.of("alarm").id }],
    ] as const)
      expect([path, (await post(path, body, stranger)).status]).toEqual([path, 404]);
    expect((await detail(unit.listId)).state).toBe("open");
  });
});

describe("a sensor that is warmed by hand", () => {
  test("passes where it rises and no other does", async () => {
    const item = await warmed(await begun(), "t2", { t2: 22.4 });
    expect(item).toMatchObject({ result: "passed", reason: "" });
    expect(item.readings.find(({ key }) => key === "t2")).toMatchObject({ before: 20.1, after: 22.4 });
  });

  test("fails where another one rises instead, which is named", async () => {
    const item = await warmed(await begun(), "t2", { t3: 22.4 });
    expect(item).toMatchObject({ result: "failed", reason: "swapped" });
    expect(item.readings.filter(({ faulty }) => faulty).map(({ key }) => key)).toEqual(["t2", "t3"]);
  });

  test("fails where the whole house gets warmer, where nothing rises, and where nothing is told", async () => {
    expect(await warmed(await begun(), "t1", { t1: 22, t2: 22, t3: 22, t4: 22 })).toMatchObject({
      reason: "both_rose",
    });
    expect(await warmed(await begun(), "t1", { t1: 20.3 })).toMatchObject({ reason: "not_risen" });
    const silent = await begun();
    await query("delete from telemetry where device_id = $1", [silent.id]);
    const { id } = silent.of("probe", "t1");
    await act(id, { type: "warm", atMs: Date.now() - 4 * minuteMs });
    expect(itemIn(await look(silent.listId), id)).toMatchObject({ result: "failed", reason: "no_value" });
  });

  test("is one at a time, and runs until its time is over", async () => {
    const unit = await begun();
    await unit.report({ ts: Date.now() - 20_000, values: { t1: 20, t2: 20, t3: 20, t4: 20 } });
    await act(unit.of("probe", "t1").id, { type: "warm" });
    expect(await act(unit.of("probe", "t2").id, { type: "warm" })).toMatchObject({ outcome: "refused" });
    expect(itemIn(await look(unit.listId), unit.of("probe", "t1").id).result).toBe("running");
  });
});

describe("what a device is asked for", () => {
  test("signal and clock pass within their limits, fail beyond them, and where the device is silent", async () => {
    const unit = await begun();
    const { id } = unit.of("link");
    await unit.report({ ts: Date.now(), values: { rssi: -71, clock_offset: 2 } });
    expect(itemIn((await measure(id)).data, id)).toMatchObject({ result: "passed", reason: "" });
    await unit.report({ ts: Date.now() + 1, values: { rssi: -71, clock_offset: 900 } });
    const late = itemIn((await measure(id)).data, id);
    expect(late).toMatchObject({ result: "failed", reason: "out_of_limits" });
    expect(late.readings.filter(({ faulty }) => faulty).map(({ key }) => key)).toEqual(["clock_offset"]);
    await query("update device_readings set readings = '{}' where device_id = $1", [unit.id]);
    expect(itemIn((await measure(id)).data, id)).toMatchObject({ result: "failed", reason: "no_value" });
  });

  test("limits and curve pass where they are set and followed", async () => {
    const unit = await begun();
    const { id } = unit.of("settings");
    const reported = { t_target: 20, alarm_high_limit: 27, alarm_low_limit: 13, fan_table: [{ gear: 1 }] };
    const attributes = (values: object) =>
      app.http.inject({ method: "POST", url: `/api/v1/${unit.token}/attributes`, payload: values });
    await attributes({ ...reported, curve_enabled: true, day_curve: [] });
    expect(itemIn((await measure(id)).data, id)).toMatchObject({ result: "failed", reason: "missing" });
    await attributes({ day_curve: [{ day: 1, temperature: 28 }] });
    expect(itemIn((await measure(id)).data, id)).toMatchObject({ result: "passed" });
    await query(`update devices set shared_attributes = '{"t_target": 24}' where id = $1`, [unit.id]);
    expect(itemIn((await measure(id)).data, id)).toMatchObject({ result: "failed", reason: "not_applied" });
  });

  test("a label passes for its own device, by the whole number or its end, and tells whose it is", async () => {
    const unit = await begun();
    const { id } = unit.of("label");
    await act(id, { type: "label", text: "WRONG-1" });
    expect(itemIn(await detail(unit.listId), id)).toMatchObject({ result: "failed", reason: "unknown_label" });
    await act(id, { type: "label", text: unit.serial_number.toLowerCase().slice(-6) });
    expect(itemIn(await detail(unit.listId), id)).toMatchObject({ result: "passed" });
    const [other] = await query<{ id: string; serial_number: string }>(
      "update devices set unit_id = $1, house_id = d.house_id, farm_id = d.farm_id from devices d where d.id = $2 and devices.id = (select id from devices where tenant_id = '100002' and kind = 'cough' and unit_id is not null order by id desc limit 1) returning devices.id::text, devices.serial_number",
      [unit.unit_id, unit.id],
    );
    await post("discard", { id: unit.listId, version: (await detail(unit.listId)).version });
    const { data } = await post<{ id: string }>("submit", { unitId: unit.unit_id });
    const label = (await detail(data.id)).items.find((one) => one.check === "label" && one.deviceId === unit.id);
    await act(label?.id ?? "", { type: "label", text: other?.serial_number ?? "" });
    expect(itemIn(await detail(data.id), label?.id ?? "")).toMatchObject({ result: "failed", reason: "other_device" });
  });
});

describe("machines", () => {
  test("pass where they follow the commands and draw current, and go back to their controller", async () => {
    const unit = await begun();
    const { id } = unit.of("machines", "fans_1_2");
    expect((await measure(id)).data.reason).toBe("commissioning.confirm");
    await measure(id, { confirmed: true });
    expect(await answerCommands(unit.token, () => ({ success: true }))).toEqual(["setFan", "setFan"]);
    expect(itemIn(await look(unit.listId), id).result).toBe("running");
    await unit.report({ ts: Date.now(), values: { fan_1: true, fan_2: true, fan_1_a: 1.9, fan_2_a: 2 } });
    expect(itemIn(await look(unit.listId), id)).toMatchObject({ result: "passed" });
    expect(await answerCommands(unit.token, () => ({ success: true }))).toEqual(["resumeAutomatic"]);
  });

  test("fail where the device refuses, where one does not turn, and where one draws no current", async () => {
    const refusing = await begun();
    const first = refusing.of("machines", "fans_1_2").id;
    await measure(first, { confirmed: true });
    await answerCommands(refusing.token, () => ({ success: false, error: "jammed" }));
    expect(itemIn(await look(refusing.listId), first)).toMatchObject({
      result: "failed",
      reason: "command_failed",
      said: "jammed",
    });
    for (const [values, reason, key] of [
      [{ fan_1: true, fan_2: false, fan_1_a: 2 }, "not_followed", "fan_2"],
      [{ fan_1: true, fan_2: true, fan_1_a: 2, fan_2_a: 0 }, "no_current", "fan_2"],
    ] as const) {
      const unit = await begun();
      const { id } = unit.of("machines", "fans_1_2");
      await measure(id, { confirmed: true });
      await answerCommands(unit.token, () => ({ success: true }));
      await unit.report({ ts: Date.now(), values });
      await query("update commissioning_items set ends_at = now() - interval '1 second' where id = $1", [id]);
      const item = itemIn(await look(unit.listId), id);
      expect(item).toMatchObject({ result: "failed", reason });
      expect(item.readings.filter(({ faulty }) => faulty).map((one) => one.key)).toEqual([key]);
    }
  });

  test("are not moved by who may not give commands", async () => {
    const unit = await begun();
    const { id } = unit.of("machines", "fans_1_2");
    await query(
      "delete from role_menus where menu_id = (select id from menus where code = 'device_command') and role_id in (select id from roles where tenant_id = '100002')",
    );
    try {
      await app.pass(61);
      const limited = await app.logIn("farm");
      expect((await measure(id, { confirmed: true }, limited)).data.reason).toBe("commissioning.no_commands");
      expect(await answerCommands(unit.token, () => ({}))).toEqual([]);
    } finally {
      await query(
        "insert into role_menus select r.id, m.id from roles r, menus m where m.code = 'device_command' and r.tenant_id = '100002' and r.role_alias = 'owner' on conflict do nothing",
      );
      owner = await app.logIn("farm");
    }
  });

  test("whose trial nobody looks at are given back by the clock", async () => {
    const unit = await begun();
    const { id } = unit.of("machines", "fans_1_2");
    await measure(id, { confirmed: true });
    await answerCommands(unit.token, () => ({ success: true }));
    await query("update commissioning_items set ends_at = now() - interval '1 minute' where id = $1", [id]);
    await app.runJob("commissioning.trials");
    expect(itemIn(await detail(unit.listId), id)).toMatchObject({ result: "failed", reason: "not_followed" });
    expect(await answerCommands(unit.token, () => ({ success: true }))).toEqual(["resumeAutomatic"]);
  });
});

describe("a test alarm", () => {
  const receiverOf = async (listId: string) =>
    (await app.get<{ accountId: string; personName: string }[]>(`${base}/receiver/list?id=${listId}`, owner)).body.data;
  const messageTo = async (accountId: string) => {
    const [row] = await query<{ title: string; content: string; link: string }>(
      "select title, content, link from messages where account_id = $1 order by id desc limit 1",
      [accountId],
    );
    return row;
  };

  test("is marked as a test, and passes by its code alone", async () => {
    const unit = await begun();
    const { id } = unit.of("alarm");
    const [person] = await receiverOf(unit.listId);
    expect((await measure(id, { accountId: "1" })).data.reason).toBe("commissioning.receiver");
    await measure(id, { accountId: person?.accountId ?? "" });
    const message = await messageTo(person?.accountId ?? "");
    expect(message?.title).toContain("测试");
    expect(message?.link).toContain(id);
    const code = /验证码 (\d{4})/.exec(message?.content ?? "")?.[1] ?? "";
    const wrong = String(((Number(code) - 1000 + 1) % 9000) + 1000);
    expect(await act(id, { type: "code", text: wrong })).toMatchObject({ outcome: "refused", text: "验证码不对" });
    expect(await act(id, { type: "code", text: code })).toMatchObject({ outcome: "done" });
    expect(itemIn(await detail(unit.listId), id)).toMatchObject({ result: "passed" });
  });

  test("is not guessed: after five codes none is taken", async () => {
    const unit = await begun();
    const { id } = unit.of("alarm");
    const [person] = await receiverOf(unit.listId);
    await measure(id, { accountId: person?.accountId ?? "" });
    const code = /验证码 (\d{4})/.exec((await messageTo(person?.accountId ?? ""))?.content ?? "")?.[1] ?? "";
    for (let at = 0; at < 5; at += 1) await act(id, { type: "code", text: "0000" });
    expect(await act(id, { type: "code", text: code })).toMatchObject({ outcome: "refused" });
    expect(itemIn(await detail(unit.listId), id).result).toBe("running");
  });

  test("is confirmed by the person whom it was sent to, by nobody else, and fails unconfirmed", async () => {
    const unit = await begun();
    const { id } = unit.of("alarm");
    const people = await receiverOf(unit.listId);
    const me = (await app.get<{ user_id: string }>("/api/muyuan-auth/oauth/user-info", owner)).body.data?.user_id;
    const [own] = await query<{ id: string }>("select id::text from accounts where account = 'farm'");
    const other = people.find(({ accountId }) => accountId !== (me ?? own?.id));
    await measure(id, { accountId: other?.accountId ?? "" });
    expect((await post("confirm", { itemId: id })).status).toBe(404);
    await measure(id, { accountId: own?.id ?? "" });
    expect((await post("confirm", { itemId: id })).status).toBe(200);
    expect(itemIn(await detail(unit.listId), id)).toMatchObject({ result: "passed" });
    await measure(id, { accountId: own?.id ?? "" });
    await query("update commissioning_items set ends_at = now() - interval '1 second' where id = $1", [id]);
    expect(itemIn(await look(unit.listId), id)).toMatchObject({ result: "failed", reason: "not_confirmed" });
  });
});

describe("what a phone sends", () => {
  test("is taken once, and an older action does not undo a later one", async () => {
    const unit = await begun();
    const { id } = unit.of("fixed");
    const key = randomUUID();
    const atMs = Date.now() - minuteMs;
    expect(await act(id, { type: "answer", passed: false, note: "支架松", key, atMs })).toMatchObject({
      outcome: "done",
    });
    const once = await detail(unit.listId);
    expect(itemIn(once, id)).toMatchObject({ result: "failed", reason: "answered", note: "支架松" });
    expect(await act(id, { type: "answer", passed: false, key, atMs })).toMatchObject({ outcome: "done" });
    expect((await detail(unit.listId)).version).toBe(once.version);
    await act(id, { type: "answer", passed: true });
    expect(await act(id, { type: "answer", passed: false, atMs: atMs + 1000 })).toMatchObject({ outcome: "already" });
    expect(itemIn(await detail(unit.listId), id).result).toBe("passed");
  });

  test("passes nothing that the server measures", async () => {
    const unit = await begun();
    for (const check of ["link", "settings", "label", "alarm"])
      expect(await act(unit.of(check).id, { type: "answer", passed: true })).toMatchObject({ outcome: "refused" });
    expect(await act(unit.of("probe", "t1").id, { type: "answer", passed: true })).toMatchObject({
      outcome: "refused",
    });
    expect(await act(unit.of("probe", "t1").id, { type: "absent" })).toMatchObject({ outcome: "done" });
    const photo = "upload/20260101/00000000-0000-0000-0000-000000000000.jpg";
    expect(await act(unit.of("fixed").id, { type: "answer", passed: true, photo })).toMatchObject({
      outcome: "refused",
    });
  });
});

/** Answers everything that is open, without looking at what it is. */
const answerAll = (listId: string) =>
  query(
    "update commissioning_items set result = 'passed', answered_at = now() where commissioning_id = $1 and result in ('open', 'running')",
    [listId],
  );

describe("a signature", () => {
  test("needs every answer and the list as it was shown; name, time and hash are kept", async () => {
    const unit = await begun();
    const early = await post("sign", { id: unit.listId, version: 1 });
    expect(early.data.reason).toBe("commissioning.unanswered");
    await act(unit.of("fixed").id, { type: "answer", passed: false, note: "螺丝松" });
    await answerAll(unit.listId);
    const { version } = await detail(unit.listId);
    expect((await post("sign", { id: unit.listId, version: version - 1 })).data.reason).toBe("commissioning.changed");
    const { data: signed } = await post<Commissioning>("sign", { id: unit.listId, version });
    expect(signed).toMatchObject({ state: "signed", intact: true });
    expect(signed.hash).toBe(createHash("sha256").update(signed.body).digest("hex"));
    expect(JSON.parse(signed.body)).toMatchObject({ signedBy: signed.signedBy, unit: { id: unit.unit_id } });
    expect(signed.body).toContain("螺丝松");
    expect(signed.signTime).not.toBe("");
  });

  test("is final: no call and no statement changes the record or its parts", async () => {
    const unit = await begun();
    await answerAll(unit.listId);
    const { version } = await detail(unit.listId);
    await post("sign", { id: unit.listId, version });
    const before = await detail(unit.listId);
    expect(await act(unit.of("fixed").id, { type: "answer", passed: false })).toMatchObject({ outcome: "refused" });
    expect((await post("sign", { id: unit.listId, version: before.version })).status).toBe(409);
    expect((await post("discard", { id: unit.listId, version: before.version })).status).toBe(409);
    expect((await measure(unit.of("link").id)).status).toBe(409);
    for (const statement of [
      "update commissionings set body = '{}' where id = $1",
      "delete from commissionings where id = $1",
      "update commissioning_items set result = 'passed' where commissioning_id = $1",
      "delete from commissioning_items where commissioning_id = $1",
      "delete from commissioning_devices where commissioning_id = $1",
      "insert into commissioning_devices (commissioning_id, device_id) values ($1, 1)",
    ])
      await expect(query(statement, [unit.listId])).rejects.toThrow("is signed");
    expect(await detail(unit.listId)).toEqual(before);
  });

  test("that was forged past the server is told", async () => {
    const unit = await begun();
    await answerAll(unit.listId);
    const { version } = await detail(unit.listId);
    await post("sign", { id: unit.listId, version });
    await query("alter table commissionings disable trigger commissionings_kept");
    await query("update commissionings set body = replace(body, 'passed', 'absent') where id = $1", [unit.listId]);
    await query("alter table commissionings enable trigger commissionings_kept");
    expect((await detail(unit.listId)).intact).toBe(false);
  });

  test("shows at the unit, until a device is added or moved", async () => {
    const unit = await begun();
    const standing = async () =>
      (await app.get<UnitCommissioning>(`${base}/unit/detail?unitId=${unit.unit_id}`, owner)).body.data;
    expect(await standing()).toMatchObject({ state: "open", openId: unit.listId });
    await answerAll(unit.listId);
    const { version } = await detail(unit.listId);
    await post("sign", { id: unit.listId, version });
    expect(await standing()).toMatchObject({ state: "signed", signedId: unit.listId, again: [] });
    await query("update devices set height_cm = 120 where id = $1", [unit.id]);
    expect(await standing()).toMatchObject({ state: "again", again: [{ deviceId: unit.id, why: "moved" }] });
    await query("update devices set height_cm = null where id = $1", [unit.id]);
    const [added] = await query<{ id: string }>(
      "update devices set unit_id = $1, house_id = d.house_id, farm_id = d.farm_id from devices d where d.id = $2 and devices.id = (select id from devices where tenant_id = '100002' and kind = 'cough' order by id limit 1) returning devices.id::text",
      [unit.unit_id, unit.id],
    );
    expect(await standing()).toMatchObject({ state: "again", again: [{ deviceId: added?.id, why: "new" }] });
    const page = await app.get<Page<CommissioningUnit>>(`${base}/unit/page?state=again&size=100`, manager);
    expect(page.body.data.records.map(({ id }) => id)).toContain(unit.unit_id);
    const others = await app.get<Page<CommissioningUnit>>(`${base}/unit/page?size=500`, stranger);
    expect(others.body.data.records.map(({ id }) => id)).not.toContain(unit.unit_id);
  });
});
