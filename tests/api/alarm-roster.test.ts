import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AlarmRoster, AlarmSubscription, AlarmUnwoken, LessWoken } from "@herdwise/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { smsKinds } from "../../apps/server/src/providers/sms/sms.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

const push = "/api/muyuan-iot/push";
let app: TestApp;
let farm: string;
let admin: string;

beforeAll(async () => {
  app = await createTestApp();
  [farm, admin] = await Promise.all([app.logIn("farm"), app.logIn("admin")]);
});
afterAll(() => app.close());
afterEach(() => sql("truncate alarm_subscriptions; update accounts set phone_verified_at = now(), status = 1"));

const sql = (text: string, values: unknown[] = []) => app.test.database.pool.query(text, values);
const rosterOf = async (token = farm, query = ""): Promise<AlarmRoster> =>
  (await app.get<AlarmRoster>(`${push}/roster${query}`, token)).body.data;
const unwokenOf = async (token: string): Promise<AlarmUnwoken> =>
  (await app.get<AlarmUnwoken>(`${push}/unwoken`, token)).body.data;
const submit = (token: string, body: object) => app.call({ method: "POST", path: `${push}/submit`, body, token });
const off = { channel: "sms", leastSeverity: "CRITICAL", enabled: false };
/** Nobody of a tenant proved a phone. */
const unproven = (tenantId: string) =>
  sql(
    `update accounts set phone_verified_at = null
      where id in (select account_id from memberships where tenant_id = $1)`,
    [tenantId],
  );

describe("who would be woken", () => {
  test("is said by name, masked phone, step and channel, as long as nobody chose otherwise", async () => {
    const { services, farms, farmId, people } = await rosterOf();
    expect(services).toEqual({ sms: "works", voice: "works" });
    expect(farms.map(({ farmName, woken }) => [farmName, woken])).toEqual([
      ["周家营商品场", true],
      ["清水保育场", true],
      ["老河繁殖场", true],
    ]);
    expect(farmId).toBe(farms[0]?.farmId);
    expect(people.map(({ personName }) => personName).toSorted()).toEqual(
      ["刘洋", "周建平", "李敏", "王志强"].toSorted(),
    );
    expect(people.find(({ personName }) => personName === "刘洋")).toMatchObject({
      phone: "138****0014",
      woken: true,
      reason: "",
      steps: [
        { step: 1, channels: ["site", "sms"] },
        { step: 2, channels: ["site", "sms", "voice"] },
        { step: 3, channels: ["site", "sms", "voice"] },
      ],
    });
  });

  test("says why somebody is not: no proven phone, chose less, account switched off", async () => {
    await sql("update accounts set phone_verified_at = null where account_key = 'vet'");
    await sql("update accounts set status = 0 where account_key = 'wangzq'");
    await submit(await app.logIn("liuyang"), { ...off, confirmed: true });
    const { people } = await rosterOf();
    expect(
      Object.fromEntries(people.map(({ personName, reason, woken }) => [personName, `${reason} ${woken}`])),
    ).toEqual({
      周建平: " true",
      李敏: "no-phone false",
      王志强: "disabled false",
      刘洋: "chose-less false",
    });
    expect(people.find(({ personName }) => personName === "李敏")?.phone).toBe("");
  });

  test("another tenant's farm is not there, and who may not handle alarms is refused", async () => {
    const { rows } = await sql("select id::text from farms where tenant_id = '100003' limit 1");
    expect((await app.get(`${push}/roster?farmId=${rows[0].id}`, farm)).status).toBe(404);
    for (const account of ["chenxiao", "kefu01"]) {
      const token = await app.logIn(account);
      for (const path of ["roster", "unwoken"]) expect((await app.get(`${push}/${path}`, token)).status).toBe(403);
    }
  });
});

describe("farms for which nobody would be woken", () => {
  test("are told to their own people and, of every tenant, to the group's staff", async () => {
    expect(await unwokenOf(farm)).toMatchObject({ total: 3, count: 0, farms: [] });
    await unproven("100003");
    expect(await unwokenOf(farm)).toMatchObject({ total: 3, count: 0, farms: [] });
    const told = await unwokenOf(admin);
    expect(told.count).toBe(2);
    expect(told.farms.map(({ farmName, tenantName }) => `${tenantName} ${farmName}`).toSorted()).toEqual([
      "东岗种猪集团 东岗公猪站",
      "东岗种猪集团 东岗核心育种场",
    ]);
    await unproven("100002");
    expect(await unwokenOf(farm)).toMatchObject({ count: 3 });
    expect((await rosterOf()).farms.every(({ woken }) => !woken)).toBe(true);
  });

  test("one that nobody looks after stands first, and its roster is shown", async () => {
    const { rows } = await sql("select id::text from farms where tenant_id = '100002' and name = '老河繁殖场'");
    const { rows: other } = await sql("select id::text from farms where tenant_id = '100002' and id <> $1", [
      rows[0].id,
    ]);
    await sql(
      `insert into alarm_subscriptions (id, tenant_id, account_id, channel, least_severity, farm_ids)
       select m.id, m.tenant_id, m.account_id, 'sms', 4, $1::bigint[] from memberships m where m.tenant_id = '100002'`,
      [other.map(({ id }) => id)],
    );
    // The owner is woken at the third step, whatever they chose.
    expect((await rosterOf()).farms.every(({ woken }) => woken)).toBe(true);
    await sql("update accounts set phone_verified_at = null where account_key = 'farm'");
    const { farms, farmId, people } = await rosterOf();
    expect(farms[0]).toMatchObject({ farmName: "老河繁殖场", woken: false });
    expect(farmId).toBe(rows[0].id);
    expect(people.every(({ woken }) => !woken)).toBe(true);
    expect((await rosterOf(farm, `?farmId=${other[0].id}`)).people.some(({ woken }) => woken)).toBe(true);
  });
});

describe("choosing less is asked twice", () => {
  const stored = async (token: string): Promise<AlarmSubscription[]> =>
    (await app.get<AlarmSubscription[]>(`${push}/list`, token)).body.data;

  test("switching the SMS off needs `confirmed`, and the refusal says who is still woken", async () => {
    const answer = await submit(farm, off);
    expect(answer.status).toBe(400);
    const { reason, farms, farmCount } = answer.body.data as { reason: string; farms: LessWoken[]; farmCount: number };
    expect([reason, farmCount]).toEqual(["push.confirm", 3]);
    expect(farms[0]).toMatchObject({ farmName: "周家营商品场", woken: ["刘洋", "李敏", "王志强"].toSorted() });
    expect(await stored(farm)).toEqual([]);
    expect((await submit(farm, { ...off, confirmed: true })).status).toBe(200);
    expect((await stored(farm)).find(({ channel }) => channel === "sms")?.enabled).toBe(false);
    // What is not less than before is not asked again.
    expect((await submit(farm, { channel: "site", leastSeverity: "MAJOR", enabled: true })).status).toBe(200);
  });

  test("says plainly where nobody would be left", async () => {
    await sql("update accounts set phone_verified_at = null where account_key in ('vet', 'wangzq', 'liuyang')");
    const { farms } = (await submit(farm, off)).body.data as { farms: LessWoken[] };
    expect(farms.map(({ woken }) => woken)).toEqual([[], [], []]);
  });

  test("fewer farms or a later step is less, too; another channel is not, and leaves the rest as it was", async () => {
    const { rows } = await sql("select id::text, name from farms where tenant_id = '100002' order by sort, id");
    const fewer = { channel: "sms", leastSeverity: "WARN", enabled: true, farmIds: [rows[0].id] };
    const { farmCount } = (await submit(farm, fewer)).body.data as { farmCount: number };
    expect(farmCount).toBe(2);
    const later = { channel: "sms", leastSeverity: "CRITICAL", enabled: true, step: 2 };
    expect((await submit(farm, later)).body.data).toMatchObject({ reason: "push.confirm" });
    expect((await submit(farm, { channel: "mail", leastSeverity: "MAJOR", enabled: true })).status).toBe(200);
    expect(
      (await stored(farm)).map(({ channel, leastSeverity, enabled }) => [channel, leastSeverity, enabled]),
    ).toEqual([
      ["mail", "MAJOR", true],
      ["site", "MINOR", true],
      ["sms", "CRITICAL", true],
    ]);
    expect((await rosterOf()).people.find(({ personName }) => personName === "周建平")?.steps[1]?.channels).toEqual([
      "mail",
      "site",
      "sms",
      "voice",
    ]);
  });

  test("who may not handle alarms is not asked", async () => {
    expect((await submit(await app.logIn("chenxiao"), off)).status).toBe(200);
  });
});

test("alarms say one sentence on every screen", async () => {
  const { rows } = await sql("select id::text, farm_id::text from devices where serial_number = 'ENV-ZJY-02'");
  await sql(
    `insert into alarms (id, tenant_id, device_id, farm_id, kind, rule_id, severity, since_at, raised_at, recorded_at, facts)
     values (77, '100002', $1, $2, 'environment', 'temperature_rising_fast', 4, now(), now(), now(), $3)`,
    [rows[0].id, rows[0].farm_id, { key: "t_rise_10min", value: 16, limit: 2 }],
  );
  const base = "/api/muyuan-iot/alarm";
  const { worst } = (await app.get<{ worst: { id: string; sentence: unknown }[] }>(`${base}/counts`, farm)).body.data;
  const detail = (await app.get<{ sentence: { zh: string } }>(`${base}/detail?id=77`, farm)).body.data;
  expect(worst.find(({ id }) => id === "77")?.sentence).toEqual(detail.sentence);
  expect(detail.sentence.zh).toContain("10 分钟升了 16 ℃（限 2 ℃）");
  const { alarms } = (await app.get<{ alarms: { id: string; sentence: unknown }[] }>(`${base}/open`, farm)).body.data;
  expect(alarms.find(({ id }) => id === "77")?.sentence).toEqual(detail.sentence);
  await sql("delete from alarms where id = 77");
});

describe("services", () => {
  let code = "OK";
  const stand = createServer((request, response) => {
    request.resume();
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ Code: code }));
  });
  let poor: TestApp | undefined;
  afterAll(async () => {
    await poor?.close();
    stand.close();
  });

  test("one that is missing, without a template, or out of money is named until it sends again", async () => {
    await once(stand.listen(0, "127.0.0.1"), "listening");
    const names = smsKinds.map((kind) => kind.toUpperCase().replaceAll("-", "_"));
    const given = (kinds: readonly string[]) => Object.fromEntries(kinds.map((name) => [`SMS_TEMPLATE_${name}`, "T"]));
    const service = {
      SMS_PROVIDER: "aliyun",
      SMS_KEY_ID: "key",
      SMS_KEY_SECRET: "secret",
      SMS_SIGN_NAME: "慧牧",
      SMS_ENDPOINT: `http://127.0.0.1:${(stand.address() as AddressInfo).port}`,
    };
    const mute = await createTestApp({ ...service, ...given(names.filter((name) => name !== "ALARM")) });
    const told = await mute.get<AlarmUnwoken>(`${push}/unwoken`, await mute.logIn("farm"));
    expect(told.body.data).toMatchObject({ services: { sms: "missing", voice: "missing" }, total: 3, count: 3 });
    await mute.close();

    poor = await createTestApp({ ...service, ...given(names) });
    const token = await poor.logIn("farm");
    const stateOf = async () => (await poor?.get<AlarmUnwoken>(`${push}/unwoken`, token))?.body.data;
    const trySms = () => poor?.call({ method: "POST", path: `${push}/test`, body: { channel: "sms" }, token });
    expect(await stateOf()).toMatchObject({ services: { sms: "works", voice: "missing" }, count: 0 });
    code = "isv.BUSINESS_LIMIT_CONTROL";
    await trySms();
    expect(await stateOf()).toMatchObject({ services: { sms: "works" } });
    code = "isv.AMOUNT_NOT_ENOUGH";
    expect((await trySms())?.body.data).toMatchObject({ arrived: false });
    expect(await stateOf()).toMatchObject({ services: { sms: "out-of-money" }, count: 3 });
    code = "OK";
    expect((await trySms())?.body.data).toMatchObject({ arrived: true });
    expect(await stateOf()).toMatchObject({ services: { sms: "works" }, count: 0 });
  });
});
