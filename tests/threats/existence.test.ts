import type { TokenReply } from "@herdwise/contract";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic, md5 } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";
import { operations } from "./operations.ts";
import { compareTimes, differs } from "./timing.ts";

// A cheap hash leaves less to hide a difference behind; that a try is compared at all is what the time must not tell.
const passwordWork = { memoryKiB: 2048, passes: 1, parallelism: 1, tagLength: 32 };

const tolerance = 0.05;
/** Pairs at the first look and at most; the long run takes as many from the start. */
const first = volume({ short: 120, long: 1000 });
const max = Math.max(1000, first);
const prepared = max + 20;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({}, { passwordWork });
  const { pool } = app.test.database;
  const hash = await app.hashPassword(md5("Barn-doors 7"));
  const rows = Array.from({ length: prepared }, (_, at) => ({
    at,
    phone: knownPhone(at),
    id: app.nextId(),
    membership: app.nextId(),
  }));
  await pool.query(
    `insert into accounts (id, account, account_key, type, password_hash, phone_encrypted, phone_index)
     select id, name, name, 'personal', $1, box, decode(index, 'hex')
     from unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) as row (id, name, box, index)`,
    [
      hash,
      rows.map(({ id }) => id),
      rows.map(({ at }) => knownName(at)),
      rows.map(({ phone }) => app.personalCipher.encrypt(phone)),
      rows.map(({ phone }) => app.personalCipher.index(phone).toString("hex")),
    ],
  );
  await pool.query(
    "insert into memberships (id, account_id, tenant_id) select id, account, '100001' from unnest($1::bigint[], $2::bigint[]) as row (id, account)",
    [rows.map(({ membership }) => membership), rows.map(({ id }) => id)],
  );
  await pool.query("analyze accounts, memberships");
});
afterAll(() => app.close());

const numbered = (at: number) => String(at).padStart(4, "0");
const knownName = (at: number) => `resident-${numbered(at)}`;
const unknownName = (at: number) => `stranger-${numbered(at)}`;
const knownPhone = (at: number) => `1371000${numbered(at)}`;
const unknownPhone = (at: number) => `1372000${numbered(at)}`;

let calls = 0;
/** A call from an address of its own with a captcha that was passed: no budget may be what is measured. */
async function ask(request: InjectOptions) {
  calls += 1;
  const key = `proof-${calls}`;
  const proof = { kind: "picture", expected: "ABCDE", browser: md5("a browser") };
  await app.store.set(`captcha:proof:${key}`, JSON.stringify(proof), 60);
  return app.http.inject({
    ...request,
    remoteAddress: `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`,
    headers: {
      authorization: basic,
      "user-agent": "a browser",
      "captcha-key": key,
      "captcha-code": "ABCDE",
      ...request.headers,
    },
  });
}

const post = (url: string, query: Record<string, string>, headers: Record<string, string> = {}): InjectOptions => ({
  method: "POST",
  url,
  query,
  headers,
});
const account = "/api/muyuan-system/cms-user/skip-secure";
const sms = "/api/muyuan-resource/sms/endpoint";
const token = "/api/muyuan-auth/oauth/token";
const noCode = { "captcha-key": "00000000-0000-0000-0000-000000000000", "captcha-code": "000000" };
const password = md5("wrong");

/** What a stranger can ask about a name or number, per operation. */
const questions: Record<
  string,
  { operation: string; subject: "name" | "phone"; request: (subject: string) => InjectOptions }
> = {
  "log-in by name": {
    operation: "oauthToken",
    subject: "name",
    request: (username) => post(token, { grant_type: "captcha", username, password }),
  },
  "log-in by phone and password": {
    operation: "oauthToken",
    subject: "phone",
    request: (username) => post(token, { grant_type: "captcha", username, password }),
  },
  "log-in by a wrong SMS code": {
    operation: "oauthToken",
    subject: "phone",
    request: (phone) => post(token, { grant_type: "sms_code", phone, id: noCode["captcha-key"], value: "000000" }),
  },
  "sending a code": {
    operation: "sendValidate",
    subject: "phone",
    request: (mobilePhone) => post(`${sms}/skip-secure/send-validate`, { mobilePhone }),
  },
  "a code for a number's way back": {
    operation: "phoneBackCode",
    subject: "phone",
    request: (mobilePhone) => post(`${account}/phone-back/send-code`, { mobilePhone }),
  },
  "checking a wrong code": {
    operation: "validateMessage",
    subject: "phone",
    request: (phone) => post(`${sms}/validate-message`, { phone, id: noCode["captcha-key"], value: "000000" }),
  },
  "first step of a reset": {
    operation: "resetPasswordPre",
    subject: "phone",
    request: (phone) => post(`${account}/reset-password-pre/new`, { phone }),
  },
  "second step of a reset with a wrong code": {
    operation: "resetPasswordValidate",
    subject: "phone",
    request: (phone) => post(`${account}/reset-password-pre/validate/new`, { phone }, noCode),
  },
  "retrieval of account names": {
    operation: "retrieveUserAccount",
    subject: "phone",
    request: (mobilePhone) => ({ url: `${account}/retrieve-user-account`, query: { mobilePhone } }),
  },
  "list of tenants": {
    operation: "multiTenant",
    subject: "name",
    request: (username) => ({ url: `${account}/multi-tenant`, query: { username } }),
  },
  "registration of a name without a proven phone": {
    operation: "register",
    subject: "name",
    request: (username) => ({
      ...post(`${account}/register`, {}, noCode),
      payload: {
        username,
        mobilePhone: "13730000001",
        password: md5("Barn-doors 9"),
        confirmPassword: md5("Barn-doors 9"),
      },
    }),
  },
};

test("every operation that takes a name or number without a proof is asked here", () => {
  const asked = new Set(Object.values(questions).map(({ operation }) => operation));
  for (const [name] of operations.filter(([, { owner }]) => owner === "named")) expect(asked).toContain(name);
});

const outside = ["date", "content-length", "x-request-id"];
const shapeOf = (answer: Awaited<ReturnType<typeof ask>>) => ({
  status: answer.statusCode,
  headers: Object.keys(answer.headers).filter((name) => !outside.includes(name)),
  // What differs by chance: ids, and the digits of the masked number that was asked about.
  body: answer.body.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>").replace(/\d{3}\*{4}\d{4}/g, "<number>"),
});

describe.each(Object.entries(questions))("T15: %s", (name, { subject, request }) => {
  const known = (at: number) => request(subject === "name" ? knownName(at) : knownPhone(at));
  const unknown = (at: number) => request(subject === "name" ? unknownName(at) : unknownPhone(at));

  test("is answered in the same shape, known or not", async () => {
    await app.pass(86_400 * 2);
    const [one, other] = [shapeOf(await ask(known(0))), shapeOf(await ask(unknown(0)))];
    if (name === "list of tenants") {
      // The call is there to name the tenants of a login name; an unknown one has an empty list of the same kind.
      expect(JSON.parse(one.body)).toMatchObject({ code: 200, data: [{ tenantId: "100001" }] });
      expect(JSON.parse(other.body)).toEqual({ ...JSON.parse(one.body), data: [] });
      expect(other.headers).toEqual(one.headers);
    } else expect(other).toEqual(one);
    expect(one.body).not.toContain("access_token" satisfies keyof TokenReply);
  });

  // An answer that names the tenants of a login name says more than its time could.
  if (name !== "list of tenants")
    test("takes the same time", async () => {
      await app.pass(86_400 * 2);
      await app.test.database.pool.query("delete from login_failures");
      const result = await compareTimes(
        (at) => ask(known(at)),
        (at) => ask(unknown(at)),
        { first, max, tolerance },
      );
      expect(differs(result, tolerance), JSON.stringify(result)).toBe(false);
    });
});
