import { createHash } from "node:crypto";
import type { TokenReply } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createSeededDatabase, openAnother, type TestDatabase } from "../../../../../tests/harness/database.ts";
import { testPasswordWork, testSecretKey } from "../../../../../tests/harness/seed.ts";
import { volume } from "../../../../../tests/harness/volume.ts";
import { demoPassword } from "../../database/seeds/demo.ts";
import { createPersonalCipher } from "../../personal-cipher.ts";
import { systemScope } from "../../tenant-scope.ts";
import { identityRepository } from "./identity.repository.ts";
import { addressFailureBudget, createLogIn } from "./log-in.service.ts";
import { createPasswords } from "./password.ts";

const md5 = (text: string) => createHash("md5").update(text).digest("hex");
const caller = { remoteAddress: "203.0.113.7", userAgent: "x", clientId: "portal" };
const evidence = { captchaKey: "k", captchaCode: "c" };
const right = { grant_type: "password", username: "farm", password: md5(demoPassword) };

const proven = systemScope("a test of log-in");
const passwords = createPasswords(testSecretKey, testPasswordWork);
let held: TestDatabase;
let other: TestDatabase;
let compared = 0;
/** While it is there, comparing takes until it is over. */
let comparing: Promise<void> | undefined;
let logIns: ReturnType<typeof createLogIn>[];
beforeAll(async () => {
  held = await createSeededDatabase(10);
  other = openAnother(held, 10);
  // Two servers: what one of them keeps in memory, the other does not know.
  logIns = [held, other].map(({ database }) =>
    createLogIn({
      repository: identityRepository(database.kysely, proven),
      proven,
      passwords: {
        ...passwords,
        verify: async (given, stored) => {
          compared += 1;
          await comparing;
          return passwords.verify(given, stored);
        },
      },
      cipher: createPersonalCipher(testSecretKey),
      secretKey: testSecretKey,
      requireCaptcha: async () => async () => undefined,
      proveCode: async () => Promise.reject(new Error("not in this test")),
      notify: async () => undefined,
      rules: () => ({ tries: 5, lockMinutes: 30, captchaAfter: 3 }),
      openSession: async () => ({}) as TokenReply,
      onError: () => undefined,
      onLocked: () => undefined,
    }),
  );
});
afterAll(async () => {
  await other?.database.pool.end();
  await held?.drop();
});
beforeEach(async () => {
  compared = 0;
  await held.database.pool.query("delete from login_failures");
});

/** A server, each in turn. */
const server = (at: number) => {
  const chosen = logIns[at % logIns.length];
  if (chosen === undefined) throw new Error("there is no server");
  return chosen;
};
/** Lets the windows and locks of all counts grow older. */
const pass = (minutes: number) =>
  held.database.pool.query(
    `update login_failures set window_started_at = window_started_at - make_interval(secs => $1),
       locked_until = locked_until - make_interval(secs => $1)`,
    [minutes * 60],
  );

const waves = volume({ short: 10, long: 50 });
const guessesInWave = volume({ short: 120, long: 200 });

test(`T13: of ${waves * guessesInWave} guesses in 15 minutes, in waves, from many addresses and at two servers, at most ten are compared, and the owner's known device still gets in`, async () => {
  const { rows } = await held.database.pool.query<{ id: string }>("select id from accounts where account = 'farm'");
  const deviceMark = await server(0).deviceMark(rows[0]?.id ?? "");
  for (let wave = 0; wave < waves; wave += 1) {
    await Promise.allSettled(
      Array.from({ length: guessesInWave }, (_, at) =>
        server(at).byPassword(
          { ...right, password: md5(`${wave}.${at}`) },
          { ...caller, remoteAddress: `10.0.${wave}.${at}` },
          evidence,
        ),
      ),
    );
    await pass(15 / waves);
  }
  expect(compared).toBeLessThanOrEqual(10);
  expect(compared).toBeGreaterThan(0);
  for (const at of [0, 1]) {
    await expect(server(at).byPassword(right, caller, evidence)).rejects.toThrow("登录错误次数过多");
    await expect(server(at).byPassword(right, caller, { ...evidence, deviceMark })).resolves.toBeDefined();
  }
});

test("T13: of 1,000 guesses at once from one address, each for another name, no more are compared than an address may fail", async () => {
  // A server lets a hundred of one name wait; of a thousand names nobody waits for another.
  const answers = await Promise.allSettled(
    Array.from({ length: 1000 }, (_, at) =>
      server(at).byPassword({ username: `name-${at}`, password: md5("guess") }, caller, evidence),
    ),
  );
  expect(compared).toBe(addressFailureBudget);
  expect(answers.every(({ status }) => status === "rejected")).toBe(true);
});

test("T13: a lock ends after half an hour, and the tries begin anew", async () => {
  const guess = (at: number) => server(at).byPassword({ ...right, password: md5("wrong") }, caller, evidence);
  for (let at = 0; at < 4; at += 1) await expect(guess(at)).rejects.toThrow("用户名或密码错误");
  // The lock begins with the last guess, when the window of the first one is nearly over.
  await pass(28);
  await expect(guess(0)).rejects.toThrow("用户名或密码错误");
  await expect(server(0).byPassword(right, caller, evidence)).rejects.toThrow("登录错误次数过多");
  await pass(29);
  await expect(server(1).byPassword(right, caller, evidence)).rejects.toThrow("登录错误次数过多");
  await pass(2);
  await expect(guess(0)).rejects.toThrow("用户名或密码错误");
  await expect(server(1).byPassword(right, caller, evidence)).resolves.toBeDefined();
});

test("tries that are still compared ask nobody for a captcha, wrong ones do", async () => {
  const before = Promise.withResolvers<void>();
  comparing = before.promise;
  const guesses = ["one", "two", "three", "four"].map((username, at) =>
    server(at).byPassword({ username, password: md5("guess") }, caller, evidence),
  );
  const settled = Promise.allSettled(guesses);
  await expect.poll(() => compared).toBe(4);
  comparing = undefined;
  // A right one beside them, from the same address, and two more of the same name, one at each server.
  const beside = [0, 1, 0].map((at) => server(at).byPassword(right, caller, {}));
  await expect(Promise.all(beside)).resolves.toHaveLength(3);
  before.resolve();
  expect((await settled).every(({ status }) => status === "rejected")).toBe(true);
  await expect(server(1).byPassword(right, caller, {})).rejects.toThrow("请先完成安全验证");
  await expect(server(1).byPassword(right, caller, evidence)).resolves.toBeDefined();
});

test("right log-ins of one account at once all pass", async () => {
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () => server(0).byPassword(right, caller, evidence)),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(50);
});
