import { createHash } from "node:crypto";
import type { TokenReply } from "@herdwise/contract";
import { expect, test } from "vitest";
import { createPersonalCipher } from "../../personal-cipher.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { AccountRow, IdentityRepository, MembershipRow } from "./identity.repository.ts";
import { addressFailureBudget, createLogIn } from "./log-in.service.ts";
import { createPasswords } from "./password.ts";

const secretKey = "a key for tests that is long enough to be one";
const md5 = (text: string) => createHash("md5").update(text).digest("hex");
const caller = { remoteAddress: "203.0.113.7", userAgent: "x", clientId: "portal" };

/** A log-in over accounts in memory, whose clock and whose comparisons the test sees. */
function createBench(accounts: AccountRow[]) {
  let clock = 0;
  let compared = 0;
  const counts = new Map<string, { failures: number; since: number; lockedUntil: number }>();
  const membership: MembershipRow = { membershipId: "1", tenantId: "100001", tenantName: "t", tenantType: "personal" };
  // The same steps as the table: one window that begins with the first failure, one lock.
  const repository = {
    accountByName: async (key: string) => accounts.find(({ account }) => account === key),
    accountsByPhone: async () => [],
    accountById: async (id: string) => accounts.find((row) => row.id === id),
    memberships: async () => [membership],
    async loginFailures(subject: Buffer, minutes: number) {
      const held = counts.get(subject.toString("hex"));
      if (held === undefined) return { failures: 0, locked: false };
      return { failures: clock - held.since > minutes * 60_000 ? 0 : held.failures, locked: held.lockedUntil > clock };
    },
    async takeLogInTry(subject: Buffer, budget: number, minutes: number) {
      const key = subject.toString("hex");
      let held = counts.get(key);
      if (held === undefined || clock - held.since > minutes * 60_000)
        held = { failures: 0, since: clock, lockedUntil: 0 };
      if (held.lockedUntil > clock || held.failures >= budget) return false;
      held.failures += 1;
      counts.set(key, held);
      return true;
    },
    async giveLogInTryBack(subject: Buffer) {
      const held = counts.get(subject.toString("hex"));
      if (held !== undefined) held.failures -= 1;
    },
    async lockWhenSpent(subject: Buffer, budget: number, minutes: number) {
      const held = counts.get(subject.toString("hex"));
      if (held === undefined || held.failures < budget || held.lockedUntil > clock) return false;
      held.lockedUntil = clock + minutes * 60_000;
      return true;
    },
    clearLoginFailures: async (subject: Buffer) => void counts.delete(subject.toString("hex")),
  } as unknown as IdentityRepository;
  const passwords = createPasswords(secretKey, { memoryKiB: 1024, passes: 1, parallelism: 1, tagLength: 32 });
  const logIn = createLogIn({
    repository,
    proven: systemScope("a test of log-in"),
    passwords: {
      ...passwords,
      verify: (given, stored) => {
        compared += 1;
        return passwords.verify(given, stored);
      },
    },
    cipher: createPersonalCipher(secretKey),
    secretKey,
    requireCaptcha: async () => async () => undefined,
    proveCode: async () => Promise.reject(new Error("not in this test")),
    notify: async () => undefined,
    captchaAlways: false,
    openSession: async () => ({}) as TokenReply,
    onError: () => undefined,
  });
  return {
    logIn,
    passwords,
    compared: () => compared,
    pass: (ms: number) => {
      clock += ms;
    },
  };
}

const evidence = { captchaKey: "k", captchaCode: "c" };
const account = (at: number, passwordHash: string): AccountRow => ({
  id: String(at),
  account: `name-${at}`,
  type: "personal",
  passwordHash,
  status: 1,
});

test("T13: of 10,000 guesses in 15 minutes, in waves and from many addresses, at most ten are compared, and the owner's known device still gets in", async () => {
  const bench = createBench([account(1, await createBench([]).passwords.hash(md5("right")))]);
  const deviceMark = await bench.logIn.deviceMark("1");
  const waves = 100;
  for (let wave = 0; wave < waves; wave += 1) {
    await Promise.allSettled(
      Array.from({ length: 100 }, (_, at) =>
        bench.logIn.byPassword(
          { grant_type: "password", username: "name-1", password: md5(`${wave}.${at}`) },
          { ...caller, remoteAddress: `10.0.${wave}.${at}` },
          evidence,
        ),
      ),
    );
    bench.pass((15 * 60_000) / waves);
  }
  expect(bench.compared()).toBeLessThanOrEqual(10);
  expect(bench.compared()).toBeGreaterThan(0);
  const right = { grant_type: "password", username: "name-1", password: md5("right") };
  await expect(bench.logIn.byPassword(right, caller, evidence)).rejects.toThrow("登录错误次数过多");
  await expect(bench.logIn.byPassword(right, caller, { ...evidence, deviceMark })).resolves.toBeDefined();
});

test("T13: of 1,000 guesses at once from one address, each for another name, no more are compared than an address may fail", async () => {
  const bench = createBench([]);
  const answers = await Promise.allSettled(
    Array.from({ length: 1000 }, (_, at) =>
      bench.logIn.byPassword({ username: `name-${at}`, password: md5("guess") }, caller, evidence),
    ),
  );
  expect(bench.compared()).toBe(addressFailureBudget);
  expect(answers.every(({ status }) => status === "rejected")).toBe(true);
});

test("right log-ins of one account at once all pass", async () => {
  const bench = createBench([account(1, await createBench([]).passwords.hash(md5("right")))]);
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      bench.logIn.byPassword({ username: "name-1", password: md5("right") }, caller, evidence),
    ),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(50);
});
