import type { Endpoint } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic } from "../harness/session.ts";
import { changedBy, startChangeLog, takeChanges } from "./change-log.ts";
import { dumpOf } from "./database-snapshot.ts";
import { bodyOf, oneOfEachKind, queryOf, writes } from "./operations.ts";

const canary = "FORBIDDENFIELD";

/** Columns and switches that a caller might hope to set by naming them. */
const forbidden: Readonly<Record<string, unknown>> = {
  tenantId: "100003",
  tenant_id: "100003",
  id: "1560000000000000009",
  status: 0,
  isDeleted: 1,
  type: "employee",
  userType: 3,
  roleId: "1",
  roleIds: ["1"],
  role_name: "administrator",
  permissions: ["client_edit"],
  isAdmin: true,
  account: `${canary}-account`,
  accountKey: `${canary}-key`,
  accountId: "1",
  userId: "1",
  membershipId: "1",
  password: "0".repeat(32),
  passwordHash: `${canary}-hash`,
  password_hash: `${canary}-hash`,
  passwordMustChange: false,
  phone: "13899990000",
  phoneEncrypted: `${canary}-box`,
  createUser: `${canary}-creator`,
  createTime: "2001-01-01 00:00:00",
  updateTime: "2001-01-01 00:00:00",
  demoNote: `${canary}-note`,
  expireTime: "2099-01-01 00:00:00",
};

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await createTestApp();
  token = await app.logIn("admin");
  await startChangeLog(app.test.database.pool);
});
afterAll(() => app.close());

/** What the operation does with good parameters; the rest is called with samples and refused for its own reasons. */
const good: Partial<Record<string, () => Promise<Record<string, unknown>> | Record<string, unknown>>> = {
  setSelfInfo: () => ({ sideMode: "dark" }),
  consent: async () => ({
    ids: (await app.test.database.pool.query<{ id: string }>("select id::text from agreement_versions")).rows.map(
      ({ id }) => id,
    ),
  }),
  clientSubmit: () => ({ name: "饲料助手", webServerRedirectUri: "https://app.example/cb", scope: "openid" }),
  userSubmit: async () => {
    const { rows } = await app.test.database.pool.query<{ id: string }>(
      "select id::text from roles where tenant_id = '000000' and role_alias = 'sales'",
    );
    return { account: `made-${phones++}`, realName: "张三丰", roleId: rows[0]?.id, password: "ab".repeat(16) };
  },
  messageUpdateStatus: () => ({}),
  mallLoginCode: () => ({}),
  translate: () => ({ src: "猪舍", to: "en" }),
  recordVisits: () => ({ visits: [{ routeName: "home", path: "/", language: "zh", dwellMs: 1000 }] }),
  register: async () => {
    const phone = `139${String(phones++).padStart(8, "0")}`;
    const sent = await app.call({
      method: "POST",
      path: "/api/muyuan-resource/sms/endpoint/skip-secure/send-validate",
      query: { mobilePhone: phone },
      headers: await app.captcha(),
    });
    headers = {
      "captcha-key": (sent.body.data as { id: string }).id,
      "captcha-code": /\d{6}/.exec((await app.sms(phone))[0] ?? "")?.[0] ?? "",
    };
    return {
      username: `person-${phone}`,
      mobilePhone: phone,
      password: "ab".repeat(16),
      confirmPassword: "ab".repeat(16),
    };
  },
};
let phones = 11_000_000;
let headers: Record<string, string> = {};

const send = async (
  endpoint: Endpoint,
  body: Record<string, unknown>,
  raw?: string,
  query: Record<string, string> = {},
) => {
  await app.pass(61);
  const answer = await app.http.inject({
    method: endpoint.method,
    url: endpoint.path,
    query: { ...queryOf(endpoint), ...query },
    headers: {
      authorization: basic,
      "muyuan-auth": `bearer ${token}`,
      "content-type": "application/json",
      ...headers,
    },
    payload: raw ?? JSON.stringify(body),
  });
  headers = {};
  return answer;
};

const named = (schema: unknown): string[] => Object.keys((schema as { properties?: object }).properties ?? {});

describe("T06: fields that no form has", () => {
  test("25 of them at least", () => {
    expect(Object.keys(forbidden).length).toBeGreaterThanOrEqual(25);
  });

  const done: string[] = [];
  test.each(writes)("%s takes none", async (name, endpoint) => {
    const bodyFor = async () => (await good[name]?.()) ?? bodyOf(endpoint) ?? {};
    const allowed = new Set([...named(endpoint.body), ...named(endpoint.query)]);
    const smuggled = Object.fromEntries(Object.entries(forbidden).filter(([field]) => !allowed.has(field)));
    const { pool } = app.test.database;
    // The fifth wrong password locks an account and tells its owner, which would fall on any of the calls.
    await pool.query("delete from login_failures");
    await takeChanges(pool);
    // What the call changes by itself comes first, twice, because a second call may count where the first one inserted, or find
    // nothing left; what the smuggled fields change beside that comes after it.
    const plain = await send(endpoint, await bodyFor());
    const again = await send(endpoint, await bodyFor());
    const own = changedBy(await takeChanges(pool));
    const inQuery = Object.fromEntries(Object.entries(smuggled).map(([field, value]) => [field, String(value)]));
    const answer = await send(endpoint, { ...(await bodyFor()), ...smuggled }, undefined, inQuery);
    const changes = await takeChanges(pool);
    // What the second call met, an export that is being made, may be over by the third.
    expect([plain.statusCode, again.statusCode], answer.body.slice(0, 200)).toContain(answer.statusCode);
    for (const change of changedBy(changes)) expect(own, change).toContain(change);
    expect(JSON.stringify(changes)).not.toContain(canary);
    if (plain.statusCode === 200) done.push(name);
  });

  test("enough of them did something, and nothing that was smuggled is anywhere", async () => {
    expect(done).toEqual(expect.arrayContaining(["setSelfInfo", "consent", "clientSubmit", "register", "userSubmit"]));
    expect(await dumpOf(app.test.database.pool)).not.toContain(canary);
  });

  test.each(oneOfEachKind(writes))(
    "%s: __proto__ and constructor change nothing about objects",
    async (_name, endpoint) => {
      const body = JSON.stringify(bodyOf(endpoint) ?? {}).slice(1, -1);
      for (const poison of [
        '"__proto__":{"polluted":"yes","tenantId":"100003"}',
        '"constructor":{"prototype":{"polluted":"yes"}}',
        '"__proto__":null',
        '"x":{"__proto__":{"polluted":"yes"}}',
      ]) {
        const answer = await send(endpoint, {}, `{${[poison, body].filter(Boolean).join(",")}}`);
        // An upload takes no JSON at all. The two captcha calls answer 200 and a repCode whatever they get.
        const refused =
          answer.statusCode === 400 ||
          (endpoint.upload && answer.statusCode === 415) ||
          answer.json().repCode === "6206";
        expect(refused, `${poison}: ${answer.statusCode} ${answer.body.slice(0, 100)}`).toBe(true);
        expect(({} as { polluted?: string }).polluted).toBeUndefined();
      }
      const asQuery = await send(endpoint, bodyOf(endpoint) ?? {}, undefined, {
        "__proto__[polluted]": "yes",
        __proto__: "x",
      });
      expect(asQuery.statusCode).toBeLessThan(500);
      expect(({} as { polluted?: string }).polluted).toBeUndefined();
    },
  );
});
