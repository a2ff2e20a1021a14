import { beforeEach, expect, test } from "vitest";
import { systemScope } from "../../tenant-scope.ts";
import type { SessionRow } from "./session.repository.ts";
import { createSessionReader, type SessionReader } from "./session-reader.ts";

const keptMs = 900;
const row: SessionRow = {
  id: "1",
  accountId: "2",
  account: "farm",
  tenantId: "100002",
  tenantType: "enterprise",
  membershipId: "3",
  roleAliases: ["owner"],
  grants: ["4:1"],
  mustChangePassword: false,
  dataScopes: ["all"],
  scopeDepartmentIds: [],
  departmentId: null,
  previewRoleId: null,
  previewOf: null,
};

let nowMs: number;
let asked: number;
let answer: () => Promise<SessionRow | undefined>;
let reader: SessionReader;
const read = (token = "token") => reader.authenticate(token, { mayBeKept: true });

beforeEach(() => {
  nowMs = 5000;
  asked = 0;
  answer = async () => row;
  reader = createSessionReader(
    {
      byAccessToken: () => {
        asked += 1;
        return answer();
      },
      byPersonalToken: async () => undefined,
      active: async () => [],
      versions: async () => [],
      ofRole: async () => undefined,
      byMember: async () => undefined,
      buttonsOf: async () => [],
      dataScopesOf: async () => [],
      guardedPaths: async () => [],
      departmentsOf: async () => [],
    },
    systemScope("a test of sessions"),
    { keptMs, now: () => nowMs },
  );
});

test("what was read serves reading requests for less than a second, those that come together at once", async () => {
  const [one, other] = await Promise.all([read(), read()]);
  expect(one?.accountId).toBe("2");
  expect(other).toBe(one);
  nowMs += keptMs - 1;
  await read();
  expect(asked).toBe(1);
  nowMs += 1;
  await read();
  expect(asked).toBe(2);
  await read("another token");
  expect(asked).toBe(3);
});

test("its age counts from the question: a slow answer is not kept for longer", async () => {
  const { promise, resolve } = Promise.withResolvers<SessionRow>();
  answer = () => promise;
  const first = read();
  nowMs += keptMs;
  resolve(row);
  await first;
  await read();
  expect(asked).toBe(2);
});

test("who does not say that it may be kept gets what the database says now", async () => {
  await read();
  await reader.authenticate("token");
  expect(asked).toBe(2);
});

test("after a change nothing that was read before it serves, not even what was still on its way", async () => {
  const { promise, resolve } = Promise.withResolvers<SessionRow>();
  answer = () => promise;
  const before = read();
  reader.forget();
  answer = async () => undefined;
  expect(await read()).toBeUndefined();
  resolve(row);
  await before;
  expect(await read()).toBeUndefined();
});

test("nobody and a failure are not kept", async () => {
  answer = async () => undefined;
  expect(await read()).toBeUndefined();
  answer = () => Promise.reject(new Error("the database is away"));
  await expect(read()).rejects.toThrow("away");
  answer = async () => row;
  expect(await read()).toBeDefined();
  expect(asked).toBe(3);
});

test("of very many sessions the oldest is read again", async () => {
  for (let at = 0; at <= 10_000; at += 1) await read(`token ${at}`);
  await read("token 9999");
  expect(asked).toBe(10_001);
  await read("token 0");
  expect(asked).toBe(10_002);
});
