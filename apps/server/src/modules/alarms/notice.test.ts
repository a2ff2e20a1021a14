import { type AlarmChannel, alarmHandleCode } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createSeededDatabase, type TestDatabase } from "../../../../../tests/harness/database.ts";
import { testSecretKey } from "../../../../../tests/harness/seed.ts";
import { createPersonalCipher } from "../../personal-cipher.ts";
import { createSnowflake } from "../../snowflake.ts";
import { systemScope, tenantScopeOf } from "../../tenant-scope.ts";
import { messageRepository } from "../messages/index.ts";
import { alarmLogRepository } from "./alarm-log.repository.ts";
import { noticeRepository } from "./notice.repository.ts";
import { createNotices } from "./notice.service.ts";
import { receiverRepository } from "./receiver.repository.ts";

const scope = systemScope("a test of what people are told");
const nextId = createSnowflake(11);
const minuteMs = 60_000;
const cipher = createPersonalCipher(testSecretKey);
let db: TestDatabase;
let nowMs: number;
let sent: string[];
/** Texts of SMS and calls in Chinese and, for readers of English, in English. */
let said: { phone: string; zh: string | undefined; en: string | undefined }[];
let mails: string[];
let tries: string[];
/** Set while the SMS service refuses everything. */
let smsFault: Error | undefined;
let accounts: Map<string, string>;
let device: { id: string; farmId: string };

beforeAll(async () => {
  db = await createSeededDatabase(6);
  const { pool } = db.database;
  const { rows } = await pool.query<{ id: string; key: string }>(
    `select a.id::text as id, a.account_key as key from accounts a join memberships m on m.account_id = a.id where m.tenant_id = '100002'`,
  );
  accounts = new Map(rows.map(({ id, key }) => [key, id]));
  for (const key of ["vet", "liuyang"])
    await pool.query("update accounts set email_encrypted = $2 where id = $1", [
      accounts.get(key),
      cipher.encrypt(`${key}@example.cn`),
    ]);
  const found = await pool.query(
    "select id::text, farm_id::text as farm_id from devices where serial_number = 'ENV-ZJY-02'",
  );
  device = { id: found.rows[0].id, farmId: found.rows[0].farm_id };
});
afterAll(() => db.drop());
beforeEach(async () => {
  sent = [];
  said = [];
  mails = [];
  tries = [];
  smsFault = undefined;
  await db.database.pool.query("truncate alarm_subscriptions, alarm_notices; delete from alarms");
});

const notices = () =>
  createNotices({
    repository: noticeRepository(db.database.kysely, scope),
    log: alarmLogRepository(db.database.kysely, scope),
    inTransaction: (work) =>
      db.database.kysely.transaction().execute((to) =>
        work({
          notices: noticeRepository(to, scope),
          log: alarmLogRepository(to, scope),
          messages: messageRepository(to),
        }),
      ),
    sms: {
      async send({ phone, variables, english }) {
        if (smsFault !== undefined) throw smsFault;
        sent.push(`sms ${phone.slice(-4)} ${variables.count}`);
        said.push({ phone: phone.slice(-4), zh: variables.alarm, en: english?.alarm });
      },
    },
    mail: {
      async send({ subject, text }) {
        sent.push(`mail ${subject.split(" · ")[0]}`);
        mails.push(text);
      },
    },
    voice: {
      async call({ phone, variables, english }) {
        sent.push(`call ${phone.slice(-4)}`);
        said.push({ phone: phone.slice(-4), zh: variables.alarm, en: english?.alarm });
      },
    },
    webhook: {
      check: async () => undefined,
      post: async () => undefined,
      robot: async () => undefined,
    } as unknown as Parameters<typeof createNotices>[0]["webhook"],
    cipher,
    inEnglish: async (names) => new Map(names.map((name) => [name, `in English ${names.indexOf(name)}`])),
    nextId,
    now: () => nowMs,
    portal: "http://portal",
    handleCode: alarmHandleCode,
    onSteps: () => undefined,
    onError: (error) => {
      if (error !== smsFault) throw error;
    },
    onTried: (channel, outcome, count) => tries.push(`${channel} ${outcome} ${count}`),
  });

/** Sets a person's subscription. */
async function choose(
  account: string,
  channel: AlarmChannel,
  { least = 1, step = 1, quiet = [0, 0] }: { least?: number; step?: number; quiet?: [number, number] } = {},
): Promise<void> {
  await db.database.pool.query(
    `insert into alarm_subscriptions (id, tenant_id, account_id, channel, least_severity, step, quiet_from, quiet_to)
     values ($1, '100002', $2, $3, $4, $5, $6, $7)`,
    [nextId(), accounts.get(account), channel, least, step, ...quiet],
  );
}

/** All other people choose only the portal, and no alarms. */
async function onlyThese(...chosen: string[]): Promise<void> {
  for (const [account, id] of accounts)
    if (!chosen.includes(account))
      await db.database.pool.query(
        "insert into alarm_subscriptions (id, tenant_id, account_id, channel, least_severity, enabled) values ($1, '100002', $2, 'site', 4, false)",
        [nextId(), id],
      );
}

/** Raises alarms at a time, as the journal does. */
async function raise(severity: number, atMs: number, rules: readonly string[] = ["ammonia_high"]): Promise<string[]> {
  const ids = rules.map(() => nextId());
  await db.database.pool.query(
    `insert into alarms (id, tenant_id, device_id, farm_id, kind, rule_id, severity, since_at, raised_at, recorded_at)
     select w.id, '100002', $2, $3, 'environment', w.rule, $4, $5, $5, $5 from unnest($1::bigint[], $6::text[]) as w (id, rule)`,
    [ids, device.id, device.farmId, severity, new Date(atMs), rules],
  );
  await noticeRepository(db.database.kysely, scope).announce(ids, 1, alarmHandleCode);
  await db.database.pool.query("update alarm_notices set due_at = $1 where state = 'waiting'", [new Date(atMs)]);
  return ids;
}

/** Sets the clock and lets everything that is due happen. */
async function at(ms: number): Promise<string[]> {
  nowMs = ms;
  sent = [];
  const told = notices();
  await told.escalate();
  await db.database.pool.query(
    "update alarm_notices set due_at = $1 where state = 'waiting' and due_at > $1 and attempts = 0 and step > 1",
    [new Date(ms)],
  );
  await told.send();
  return sent.toSorted();
}

/** Noon in China. */
const noon = Date.UTC(2027, 5, 1, 4);

test("nobody acknowledges: after 5 minutes those of the second step are told, after 15 those of the third, and once each", async () => {
  await choose("farm", "sms");
  await choose("vet", "mail", { step: 2 });
  await choose("liuyang", "mail", { step: 3 });
  await onlyThese("farm", "vet", "liuyang");
  await raise(4, noon);
  expect(await at(noon + 1000)).toEqual([expect.stringMatching(/^sms/)]);
  expect(await at(noon + 5 * minuteMs - 1000)).toEqual([]);
  // A call follows an unanswered SMS, even for a person who chose SMS themselves.
  expect(await at(noon + 5 * minuteMs + 1000)).toEqual(["call 0002", "mail 紧急", expect.stringMatching(/^sms/)]);
  expect(await at(noon + 6 * minuteMs)).toEqual([]);
  expect(await at(noon + 15 * minuteMs + 1000)).toEqual([
    "call 0002",
    "mail 紧急",
    "mail 紧急",
    expect.stringMatching(/^sms/),
  ]);
  expect(await at(noon + 120 * minuteMs)).toEqual([]);
});

test("each try is told with its channel and outcome", async () => {
  await choose("farm", "sms");
  await choose("vet", "mail");
  await onlyThese("farm", "vet");
  await raise(3, noon, ["ammonia_high", "humidity_high"]);
  smsFault = new Error("no credit");
  await at(noon + 1000);
  expect(tries.toSorted()).toEqual(["mail sent 2", "sms failed 2"]);
  smsFault = undefined;
  await at(noon + minuteMs);
  expect(tries.toSorted()).toEqual(["mail sent 2", "sms failed 2", "sms sent 2"]);
});

test("an acknowledgement ends the steps, and so does the end of the alarm", async () => {
  await choose("farm", "sms");
  await choose("vet", "mail", { step: 2 });
  const [first] = await raise(3, noon);
  expect(await at(noon + 1000)).toHaveLength(1);
  await db.database.pool.query(
    "update alarms set acknowledged_at = now(), known_until = '2100-01-01', next_step_at = null where id = $1",
    [first],
  );
  const [second] = await raise(3, noon + minuteMs, ["carbon_dioxide_high"]);
  expect(await at(noon + 2 * minuteMs)).toHaveLength(1);
  await db.database.pool.query("update alarms set ended_at = now(), next_step_at = null where id = $1", [second]);
  expect(await at(noon + 90 * minuteMs)).toEqual([]);
});

test("minor alarms have no further step", async () => {
  await choose("farm", "sms");
  await choose("vet", "mail", { step: 2 });
  await raise(2, noon);
  expect(await at(noon + 1000)).toHaveLength(1);
  expect(await at(noon + 24 * 60 * minuteMs)).toEqual([]);
});

test("quiet hours over midnight hold everything but what is critical, and it comes when they end", async () => {
  // From 22:00 to 06:30 in China.
  await choose("farm", "sms", { quiet: [22 * 60, 6 * 60 + 30] });
  await onlyThese("farm");
  const night = Date.UTC(2027, 5, 1, 15);
  await raise(3, night);
  expect(await at(night + 1000)).toEqual([]);
  await raise(4, night + minuteMs, ["mains_loss"]);
  expect(await at(night + minuteMs + 1000)).toEqual([expect.stringMatching(/^sms .* 1$/)]);
  const morning = Date.UTC(2027, 5, 1, 22, 30);
  await db.database.pool.query("update alarms set next_step_at = null");
  expect(await at(morning - 1000)).toEqual([]);
  expect(await at(morning + 1000)).toEqual([expect.stringMatching(/^sms .* 1$/)]);
});

test("what comes together is told in one, and what follows within 20 s waits to be told in one", async () => {
  await choose("farm", "sms");
  await raise(3, noon, ["a", "b", "c"]);
  expect(await at(noon + 1000)).toEqual([expect.stringMatching(/^sms .* 3$/)]);
  await raise(3, noon + 5000, ["d", "e"]);
  expect(await at(noon + 10_000)).toEqual([]);
  expect(await at(noon + 22_000)).toEqual([expect.stringMatching(/^sms .* 2$/)]);
});

test("a farm whose people chose nothing: an SMS at once, a call at the second step, the owner at the third, and quiet once somebody has it", async () => {
  const handlers = ["0002", "0003", "0012", "0014"];
  await raise(4, noon, ["mains_loss"]);
  expect(await at(noon + 1000)).toEqual(handlers.map((ending) => `sms ${ending} 1`));
  expect(await at(noon + 4 * minuteMs)).toEqual([]);
  expect((await at(noon + 5 * minuteMs + 1000)).filter((line) => line.startsWith("call"))).toEqual(
    handlers.map((ending) => `call ${ending}`),
  );
  expect(await at(noon + 15 * minuteMs + 1000)).toContain("call 0002");
  const [second] = await raise(4, noon + 20 * minuteMs, ["temperature_unknown"]);
  await at(noon + 20 * minuteMs + 1000);
  // A notice that waits when somebody acknowledges is not sent.
  await noticeRepository(db.database.kysely, scope).announce([second ?? ""], 2, alarmHandleCode);
  await db.database.pool.query(
    "update alarms set acknowledged_at = now(), known_until = '2100-01-01', next_step_at = null where id = $1",
    [second],
  );
  expect(await at(noon + 40 * minuteMs)).toEqual([]);
});

test("a number that nobody proved is not told, and less than critical wakes nobody who did not choose it", async () => {
  await choose("liuyang", "sms", { least: 4 });
  await db.database.pool.query("update accounts set phone_verified_at = null where id = $1", [accounts.get("liuyang")]);
  await raise(3, noon);
  expect(await at(noon + 1000)).toEqual([]);
  await raise(4, noon + minuteMs, ["mains_loss"]);
  const told = await at(noon + minuteMs + 1000);
  await db.database.pool.query("update accounts set phone_verified_at = now() where id = $1", [
    accounts.get("liuyang"),
  ]);
  expect(told).toHaveLength(3);
});

/** Scope of a member of the tenant. */
const tenant = () =>
  tenantScopeOf({
    accountId: accounts.get("farm") ?? "",
    tenantId: "100002",
    everyTenant: false,
    rows: { all: true, departmentIds: [], own: false },
    membershipId: "0",
    departmentId: "",
    remoteAddress: "",
  });

test("the roster says of each step whom notices are put for, whatever people chose", async () => {
  const { pool, kysely } = db.database;
  const receivers = receiverRepository(kysely, alarmHandleCode);
  const proven = "update accounts set phone_verified_at = $2 where id = $1";
  for (let round = 0; round < 12; round += 1) {
    await pool.query("truncate alarm_subscriptions, alarm_notices; delete from alarms");
    for (const [key, id] of accounts) {
      const pick = (of: number): number => (round * 7 + key.length * 3 + of) % 5;
      await pool.query(proven, [id, pick(1) === 0 ? null : new Date()]);
      for (const [place, channel] of (["site", "sms", "mail"] as const).entries())
        if (pick(place) > 2)
          await pool.query(
            `insert into alarm_subscriptions (id, tenant_id, account_id, channel, least_severity, step, enabled, farm_ids)
             values ($1, '100002', $2, $3, $4, $5, $6, $7::bigint[])`,
            [nextId(), id, channel, 1 + (pick(place) % 4), 1 + (pick(2) % 3), pick(3) > 0, pick(4) === 1 ? ["1"] : []],
          );
    }
    const [id = ""] = await raise(4, noon);
    for (const step of [2, 3]) await noticeRepository(kysely, scope).announce([id], step, alarmHandleCode);
    const put = await pool.query<{ told: string }>(
      "select step || ' ' || account_id || ' ' || channel as told from alarm_notices where alarm_id = $1",
      [id],
    );
    const shown = await receivers.receivers(tenant(), [device.farmId]);
    expect(shown.map(({ step, accountId, channel }) => `${step} ${accountId} ${channel}`).toSorted()).toEqual(
      put.rows.map(({ told }) => told).toSorted(),
    );
  }
  for (const id of accounts.values()) await pool.query(proven, [id, new Date()]);
});

test("an account that is switched off is told nothing", async () => {
  const { pool } = db.database;
  await pool.query("update accounts set status = 0 where id = $1", [accounts.get("liuyang")]);
  await raise(4, noon, ["mains_loss"]);
  const told = await at(noon + 1000);
  await pool.query("update accounts set status = 1 where id = $1", [accounts.get("liuyang")]);
  expect(told).toEqual(["0002", "0003", "0012"].map((ending) => `sms ${ending} 1`));
});

test("who reads English is told in English, with names as far as they are known; everybody else in Chinese", async () => {
  await db.database.pool.query("insert into preferences (account_id, key, value) values ($1, 'language', '\"en\"')", [
    accounts.get("vet"),
  ]);
  await choose("vet", "sms");
  await choose("vet", "mail");
  await onlyThese("farm", "vet");
  const [id] = await raise(4, noon, ["mains_loss"]);
  await at(noon + 1000);
  expect(said.find(({ phone }) => phone === "0003")).toEqual({
    phone: "0003",
    zh: expect.stringMatching(/市电断电.*12:00 起/),
    en: expect.stringMatching(/^in English .*[Mm]ains.*; since 12:00/),
  });
  expect(said.find(({ phone }) => phone === "0002")?.en).toBeUndefined();
  expect(mails).toEqual([expect.stringMatching(/^Critical · .*\nhttp:\/\/portal/)]);
  expect(mails[0]).not.toMatch(/\p{Script=Han}/u);
  await at(noon + 5 * minuteMs + 1000);
  expect(said.filter(({ phone, en }) => phone === "0003" && en !== undefined)).toHaveLength(3);
  // In the portal it is stored in Chinese, as for everybody.
  const { rows } = await db.database.pool.query("select content from messages where link like $1", [`%${id}`]);
  for (const { content } of rows) expect(content).toContain("市电断电");
  await db.database.pool.query("delete from preferences where key = 'language'");
});
