import { type AlarmPushPreview, type AlarmSeverity, alarmHandleCode } from "@herdwise/contract";
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
import { pushRepository } from "./push.repository.ts";
import { pushPreviewRepository } from "./push-preview.repository.ts";
import { createPushPreview } from "./push-preview.service.ts";
import { receiverRepository } from "./receiver.repository.ts";

const scope = systemScope("a test of what other settings would have told");
const nextId = createSnowflake(13);
const minuteMs = 60_000;
let db: TestDatabase;
let nowMs = 0;
/** What went out, as the preview names it. */
let sent: string[];
let accounts: Map<string, string>;
let device: { id: string; farmId: string };

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await db.database.pool.query<Row>(text, values)).rows;

beforeAll(async () => {
  db = await createSeededDatabase(6);
  accounts = new Map(
    (
      await query<{ id: string; key: string }>(
        "select a.id::text as id, a.account_key as key from accounts a join memberships m on m.account_id = a.id where m.tenant_id = '100002'",
      )
    ).map(({ id, key }) => [key, id]),
  );
  const [found] = await query<{ id: string; farm_id: string }>(
    "select id::text, farm_id::text from devices where serial_number = 'ENV-ZJY-02'",
  );
  device = { id: found?.id ?? "", farmId: found?.farm_id ?? "" };
});
afterAll(() => db.drop());
beforeEach(async () => {
  sent = [];
  await query("truncate alarm_subscriptions, alarm_notices; delete from alarms");
});

const said = (channel: string) => async () => {
  sent.push(`${channel} ${new Date(nowMs).toISOString()}`);
};
/** Real notices, with services that take everything. */
const notices = () =>
  createNotices({
    repository: noticeRepository(db.database.kysely, scope),
    log: alarmLogRepository(db.database.kysely, scope),
    inTransaction: (work) =>
      db.database.kysely.transaction().execute((to) =>
        work({
          notices: noticeRepository(to, scope),
          log: alarmLogRepository(to, scope),
          messages: { ...messageRepository(to), insert: said("site") },
        }),
      ),
    sms: { send: said("sms") },
    mail: { send: said("mail") },
    voice: { call: said("voice") },
    webhook: {} as Parameters<typeof createNotices>[0]["webhook"],
    cipher: createPersonalCipher(testSecretKey),
    inEnglish: async () => new Map(),
    nextId,
    now: () => nowMs,
    portal: "http://portal",
    handleCode: alarmHandleCode,
    onSteps: () => undefined,
    onError: (error) => {
      throw error;
    },
  });

const memberOf = (account: string, tenantId = "100002") =>
  tenantScopeOf({
    accountId: accounts.get(account) ?? "",
    tenantId,
    everyTenant: false,
    rows: { all: true, departmentIds: [], own: false },
    membershipId: "0",
    departmentId: "",
    remoteAddress: "",
  });
const preview = (settings: Parameters<ReturnType<typeof createPushPreview>>[1]["settings"], of = memberOf("farm")) =>
  createPushPreview({
    preview: pushPreviewRepository(db.database.kysely, alarmHandleCode),
    push: pushRepository(db.database.kysely),
    receivers: receiverRepository(db.database.kysely, alarmHandleCode),
    now: () => nowMs,
  })(of, { settings });

const setting = (
  channel: "site" | "sms",
  leastSeverity: AlarmSeverity,
  { step = 1, quiet = [0, 0] as [number, number] } = {},
) => ({ channel, leastSeverity, farmIds: [], step, quietFrom: quiet[0], quietTo: quiet[1], enabled: true });

/** Saves settings as the person's, of whom alone anybody is told. */
async function save(settings: readonly ReturnType<typeof setting>[]): Promise<void> {
  const ranks = { WARN: 1, MINOR: 2, MAJOR: 3, CRITICAL: 4 };
  for (const [account, id] of accounts)
    for (const one of account === "farm" ? settings : [{ ...setting("site", "CRITICAL"), enabled: false }])
      await query(
        `insert into alarm_subscriptions (id, tenant_id, account_id, channel, least_severity, step, quiet_from, quiet_to, enabled)
         values ($1, '100002', $2, $3, $4, $5, $6, $7, $8)`,
        [nextId(), id, one.channel, ranks[one.leastSeverity], one.step, one.quietFrom, one.quietTo, one.enabled],
      );
}

/** Alarms are told now, as the journal does. */
async function raise(severity: number, rules: readonly string[], masked = false): Promise<string[]> {
  const ids = rules.map(() => nextId());
  await query(
    `insert into alarms (id, tenant_id, device_id, farm_id, kind, rule_id, severity, since_at, raised_at, recorded_at, suppressed)
     select w.id, '100002', $2, $3, 'environment', w.rule, $4, $5, $5, $5, $7 from unnest($1::bigint[], $6::text[]) as w (id, rule)`,
    [ids, device.id, device.farmId, severity, new Date(nowMs), rules, masked],
  );
  if (!masked) await noticeRepository(db.database.kysely, scope).announce(ids, 1, alarmHandleCode);
  await atNow();
  return ids;
}

/** What was told by the database's clock was told by the test's. */
const atNow = () =>
  Promise.all([
    query("update alarm_notices set due_at = $1 where state = 'waiting' and attempts = 0 and due_at > $2", [
      new Date(nowMs),
      realStart,
    ]),
    query("update alarm_announcements set at = $1 where at > $2", [new Date(nowMs), realStart]),
    query("update alarm_entries set created_at = $1 where created_at > $2", [new Date(nowMs), realStart]),
  ]);

/** Lets time pass until a moment, by looks every 10 s as the server's loop has them. */
async function until(ms: number): Promise<void> {
  const told = notices();
  for (; nowMs <= ms; nowMs += 10_000) {
    await told.escalate();
    await atNow();
    await told.send();
  }
}

const acknowledge = async (id: string, minutes: number): Promise<void> => {
  await query("insert into alarm_entries (id, alarm_id, action, body) values ($1, $2, 'acknowledge', $3)", [
    nextId(),
    id,
    String(minutes),
  ]);
  await query("update alarms set acknowledged_at = $2, known_until = $3, next_step_at = null where id = $1", [
    id,
    new Date(nowMs),
    new Date(nowMs + minutes * minuteMs),
  ]);
  await atNow();
};

const realStart = new Date(Date.now() - 10 * minuteMs);
/** 21:50 in China, yesterday by the test's clock: what happened lies before the database's own time. */
const evening = Date.UTC(2026, 5, 1, 13, 50);
const lines = ({ told }: AlarmPushPreview) =>
  told.map(({ channel, atMs }) => `${channel} ${new Date(atMs).toISOString()}`).toSorted();

/** A night: masked, together, quiet hours, an acknowledgement, an end, steps, and one that asks again. */
async function livedNight(): Promise<void> {
  nowMs = evening;
  await raise(3, ["dust_high"], true);
  const [first = ""] = await raise(3, ["ammonia_high", "carbon_dioxide_high"]);
  await until(evening + 2 * minuteMs);
  await acknowledge(first, 30);
  // It waits to be told with others, and somebody knows of it meanwhile.
  await raise(3, ["feed_low"]);
  await until(nowMs);
  const [seen = ""] = await raise(3, ["water_low"]);
  await acknowledge(seen, 240);
  // Held by the quiet hours from 22:00 on.
  await until(evening + 15 * minuteMs);
  const [ended = ""] = await raise(3, ["humidity_high"]);
  const [kept = ""] = await raise(3, ["humidity_low"]);
  await until(evening + 20 * minuteMs);
  await query("update alarms set ended_at = $2, next_step_at = null where id = $1", [ended, new Date(nowMs)]);
  // Wakes, quiet hours or not, and calls after five minutes.
  const [critical = ""] = await raise(4, ["mains_loss"]);
  await until(evening + 32 * minuteMs);
  await acknowledge(critical, 15);
  await until(evening + 60 * minuteMs);
  await query("update alarms set ended_at = $2, next_step_at = null where ended_at is null and id <> $1", [
    kept,
    new Date(nowMs),
  ]);
  await query("update alarms set next_step_at = null");
  nowMs = evening + 8 * 60 * minuteMs + 30 * minuteMs;
  await until(evening + 8 * 60 * minuteMs + 45 * minuteMs);
}

test.each([
  { name: "quiet hours", settings: [setting("sms", "MAJOR", { quiet: [1320, 390] }), setting("site", "MINOR")] },
  { name: "the second step alone", settings: [setting("sms", "MAJOR", { step: 2 }), setting("site", "CRITICAL")] },
  { name: "calls for critical ones", settings: [setting("sms", "CRITICAL")] },
])("with $name the preview names what was really delivered, at the same times", async ({ settings }) => {
  await save(settings);
  await livedNight();
  const before = await query("select * from alarm_subscriptions order by id");
  const answer = await preview([]);
  const told = lines(answer);
  // The server looks every 10 s here, so what is due between two looks goes out by the next.
  const near = (line: string): string => {
    const [channel, time = ""] = line.split(" ");
    return `${channel} ${Math.round(Date.parse(time) / 30_000)}`;
  };
  expect(told.map(near)).toEqual(sent.toSorted().map(near));
  expect(sent.length).toBeGreaterThan(2);
  expect(await query("select * from alarm_subscriptions order by id")).toEqual(before);

  // As typed and not saved, it is the same answer.
  await query("delete from alarm_subscriptions where account_id = $1", [accounts.get("farm")]);
  const typed = await preview([
    ...settings,
    ...(settings.some(({ channel }) => channel === "site") ? [] : [{ ...setting("site", "MINOR"), enabled: false }]),
  ]);
  expect(lines(typed)).toEqual(told);
});

test("it says what was held back and why: quiet hours, an acknowledgement, an end, a masking", async () => {
  await save([setting("sms", "MAJOR", { quiet: [1320, 390] })]);
  await livedNight();
  const { told, untold, nights, channels } = await preview([]);
  expect(new Set(untold.map(({ why }) => why))).toEqual(new Set(["masked", "ended", "known"]));
  expect(told.filter(({ heldFromMs }) => heldFromMs !== undefined)).toHaveLength(1);
  expect(nights).toBe(told.filter(({ night }) => night).length);
  expect(nights).toBeGreaterThan(0);
  expect(channels.find(({ channel }) => channel === "voice")?.messages).toBe(
    sent.filter((line) => line.startsWith("voice")).length,
  );
});

test("a member of another customer is told nothing of these alarms", async () => {
  await save([setting("sms", "WARN")]);
  await livedNight();
  const foreign = await preview([setting("sms", "WARN")], memberOf("farm", "100001"));
  expect(foreign).toMatchObject({ alarms: 0, told: [], untold: [] });
});
