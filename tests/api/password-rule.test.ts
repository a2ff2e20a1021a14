import { createHash } from "node:crypto";
import { type PublicSettings, passwordFault, type RoleChoice, type SettingState } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { memoryBench } from "../harness/redis.ts";
import { md5 } from "../harness/session.ts";

const base = "/api/muyuan-system";
const strict = { least: 14, kinds: 4 };

let app: TestApp;
let other: TestApp;
let admin: string;
beforeAll(async () => {
  const [bench, bus] = [memoryBench(), memoryBus()];
  app = await createTestApp({}, { bench, bus });
  other = await createTestApp({}, { test: app.test, bench, bus });
  admin = await app.logIn("admin", "000000");
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const ruleAt = async (server: TestApp) =>
  (await server.get<PublicSettings>(`${base}/settings/skip-secure/public`)).body.data.passwordRule;
const set = async (values: Record<string, string>) => {
  const { body } = await app.get<{ settings: SettingState[] }>(`${base}/setting/list`, admin);
  const versionOf = (key: string) => body.data.settings.find((state) => state.key === key)?.version ?? 0;
  const changes = Object.entries(values).map(([key, value]) => ({ key, value, version: versionOf(key) }));
  return app.call({ method: "POST", path: `${base}/setting/submit`, token: admin, body: { changes } });
};
const refusalOf = ({ status, body }: { status: number; body: { data: unknown } }) => {
  const { reason, problems = [] } = body.data as { reason?: string; problems?: { field: string }[] };
  return [status, reason, problems[0]?.field];
};
/** Changes a password to a new one. @param passwordRule that the form says it checked */
const change = async (server: TestApp, account: string, from: string, to: string, passwordRule?: string) => {
  const { body } = await server.token({ grant_type: "password", username: account, password: md5(from) });
  const hashes = { oldPassword: md5(from), newPassword: md5(to), newPassword1: md5(to) };
  return server.call({
    method: "POST",
    path: `${base}/user/update-password`,
    token: body.access_token,
    body: { ...hashes, ...(passwordRule && { passwordRule }) },
  });
};
const roleId = async () =>
  (await app.get<RoleChoice[]>(`${base}/role/select`, admin)).body.data.find(
    ({ roleAlias }) => roleAlias === "customer_service",
  )?.id ?? "";
const added = async (account: string, more: object = {}) =>
  app.call({
    method: "POST",
    path: `${base}/user/submit`,
    token: admin,
    body: { account, roleId: await roleId(), ...more },
  });

test("the rule is a setting, in force on every server for the next password", async () => {
  expect(await ruleAt(app)).toEqual({ least: 6, kinds: 2 });
  expect((await change(app, "liuyang", demoPassword, "Walnut-42", "6-2")).status).toBe(200);
  for (const [key, value] of [
    ["password.least", "5"],
    ["password.least", "21"],
    ["password.kinds", "5"],
  ] as const)
    expect(refusalOf(await set({ [key]: value }))).toEqual([400, "setting.range", key]);
  expect((await set({ "password.least": "14", "password.kinds": "4" })).status).toBe(200);
  expect(await ruleAt(app)).toEqual(strict);
  await expect.poll(() => ruleAt(other)).toEqual(strict);
  // A form that was open before the change judged by the earlier rule.
  for (const server of [app, other])
    for (const mild of ["6-2", "14-3", "13-4"])
      expect(refusalOf(await change(server, "liuyang", "Walnut-42", "Hazelnut-43", mild))).toEqual([
        400,
        "password.rule_changed",
        "password",
      ]);
  expect((await change(other, "liuyang", "Walnut-42", "Hazelnut-43-of-us", "14-4")).status).toBe(200);
});

test("passwords that come as they are, and those that are drawn, keep the rule", async () => {
  await set({ "password.least": "14", "password.kinds": "4" });
  expect(refusalOf(await added("raw-short", { password: "Ab-34567" }))).toEqual([400, "password.short", "password"]);
  expect(refusalOf(await added("raw-plain", { password: "Abcdefgh1234567" }))).toEqual([
    400,
    "password.kinds",
    "password",
  ]);
  const hashed = { password: md5("Abcdefgh1234"), passwordRule: "6-2" };
  expect(refusalOf(await added("hashed", hashed))).toEqual([400, "password.rule_changed", "password"]);
  expect((await added("raw-good", { password: "Abcdefgh-1234567" })).status).toBe(200);
  const drawn = (await added("drawn")).body.data as { id: string; password: string };
  expect(passwordFault(drawn.password, strict)).toBeUndefined();
  const reset = await app.call({
    method: "POST",
    path: `${base}/user/reset-password`,
    token: admin,
    query: { userIds: drawn.id },
  });
  const [told] = (reset.body.data as { passwords: { password: string }[] }).passwords;
  expect(passwordFault(told?.password ?? "", strict)).toBeUndefined();
});

test("a reset by link is judged by the rule in force", async () => {
  await set({ "password.least": "14", "password.kinds": "4" });
  const [row] = (
    await app.test.database.pool.query<{ id: string }>("select id::text from accounts where account = 'farm'")
  ).rows;
  const nonceKey = "a".repeat(22);
  const held = {
    phone: app.personalCipher.encrypt("13800000001"),
    accounts: [{ id: row?.id, account: "farm" }],
  };
  await app.store.set(`reset:${createHash("sha256").update(nonceKey).digest("hex")}`, JSON.stringify(held), 600);
  const reset = (passwordRule: string) =>
    app.call({
      method: "POST",
      path: `${base}/cms-user/skip-secure/reset-password/new`,
      body: { account: "", nonceKey, password: md5("Walnut-42"), confirmPassword: md5("Walnut-42"), passwordRule },
    });
  expect(refusalOf(await reset("6-2"))).toEqual([400, "password.rule_changed", "password"]);
  // The refusal used nothing up.
  expect((await reset("14-4")).status).toBe(200);
});

test("the judge names what breaks a rule", () => {
  const rule = { least: 8, kinds: 3 };
  expect(passwordFault("Ab-4567", rule)).toBe("short");
  expect(passwordFault("Ab-4567-", rule)).toBeUndefined();
  expect(passwordFault("abc-4567", rule)).toBeUndefined();
  expect(passwordFault("abcd4567", rule)).toBe("kinds");
  expect(passwordFault("Ab 45678", rule)).toBe("characters");
  expect(passwordFault("Ab-4567-Ab-4567-Ab-45", rule)).toBe("long");
});
