import { type HealthDetail, type HealthStatements, healthDetail, healthStatements } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let admin: string;
beforeAll(async () => {
  // Nothing listens there.
  app = await createTestApp({ MAIL_URL: "smtp://127.0.0.1:9?tls=off" });
  admin = await app.logIn("admin");
});
afterAll(() => app.close());

const look = async (fresh = true): Promise<HealthDetail> => {
  const { status, body } = await app.get<HealthDetail>(`${healthDetail.path}${fresh ? "?fresh=1" : ""}`, admin);
  expect(status).toBe(200);
  return body.data;
};
const findingOf = async (id: string, fresh = true) => (await look(fresh)).findings.find((one) => one.id === id);

test("administrators see the checks, the worst first, and nobody else does", async () => {
  const { findings, backup } = await look();
  expect(findings.length).toBeGreaterThan(25);
  const order = ["critical", "major", "minor", "off", "ok"];
  const places = findings.map(({ state }) => order.indexOf(state));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length);
  for (const { state, mend, title, text } of findings) {
    expect(title.zh && title.en && text.zh && text.en).toBeTruthy();
    if (["critical", "major", "minor"].includes(state)) expect(mend?.en).toBeTruthy();
  }
  expect(backup).toMatchObject({ everyHours: 24, outside: false });
  for (const account of ["kefu01", "farm"])
    expect((await app.get(healthDetail.path, await app.logIn(account))).status).toBe(403);
});

test("a mail that did not go out is told, until one does", async () => {
  expect(await findingOf("services.mail")).toMatchObject({ state: "major" });
  await expect(app.mail.send({ to: "a@example.cn", subject: "x", text: "x" })).rejects.toThrow(/mail server/);
  const { rows } = await app.test.database.pool.query("select service, fault, succeeded_at from service_outcomes");
  expect(rows).toEqual([{ service: "mail", fault: expect.stringMatching(/ESOCKET|ECONN/), succeeded_at: null }]);
});

test("what was found is kept for half a minute, unless it is asked for anew", async () => {
  const text = async (fresh: boolean) => (await findingOf("people.administrators", fresh))?.text.en;
  const before = await text(true);
  await app.test.database.pool.query(
    `insert into membership_roles (membership_id, role_id)
     select m.id, r.id from memberships m join accounts a on a.id = m.account_id and a.account = 'kefu01'
       join roles r on r.tenant_id = m.tenant_id and r.role_alias = 'administrator' on conflict do nothing`,
  );
  expect(await text(false)).toBe(before);
  expect(await text(true)).not.toBe(before);
});

test("a brand that administrators enter is no longer missing", async () => {
  expect(await findingOf("settings.brand")).toMatchObject({ state: "off", firstDay: true });
  const changes = [{ key: "brand.companySuffix", value: "牧云集团", version: 0 }];
  const path = "/api/muyuan-system/setting/submit";
  expect((await app.call({ method: "POST", path, token: admin, body: { changes } })).status).toBe(200);
  expect(await findingOf("settings.brand")).toMatchObject({ state: "ok", text: { zh: "慧牧 Herdwise 牧云集团" } });
});

test("statements are told by what they cost, without values, to those who may see the health", async () => {
  const ask = async (order: string, token = admin) =>
    app.get<HealthStatements>(`${healthStatements.path}?order=${order}`, token);
  await expect(app.test.database.pool.query("select 1 / 0 as planted_fault")).rejects.toThrow("zero");
  await app.test.database.pool.query("select pg_sleep(0.2), 'secret-value' as planted_slow");
  const { body } = await ask("max");
  const slow = body.data.statements.find(({ text }) => text.includes("planted_slow"));
  expect(slow).toMatchObject({ calls: 1, faults: 0, text: "select pg_sleep(0.2), '…' as planted_slow" });
  expect(slow?.maxMs).toBeGreaterThanOrEqual(200);
  expect(slow?.share).toBeCloseTo((slow?.totalMs ?? 0) / body.data.totalMs, 10);
  const times = body.data.statements.map(({ maxMs }) => maxMs);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  const { statements } = (await ask("faults")).body.data;
  expect(statements.map(({ text }) => text)).toContain("select 1 / 0 as planted_fault");
  expect(statements.every(({ faults }) => faults > 0)).toBe(true);
  for (const account of ["worker", "farm"]) expect((await ask("total", await app.logIn(account))).status).toBe(403);
});
