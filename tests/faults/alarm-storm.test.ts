import { type Alarm, type AlarmEvent, alarmHandleCode, type OpenAlarms } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { alarmLogRepository } from "../../apps/server/src/modules/alarms/alarm-log.repository.ts";
import { createJournal } from "../../apps/server/src/modules/alarms/journal.service.ts";
import { noticeRepository } from "../../apps/server/src/modules/alarms/notice.repository.ts";
import { tokenHashOf } from "../../apps/server/src/modules/devices/index.ts";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";
import { systemScope } from "../../apps/server/src/tenant-scope.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { volume } from "../harness/volume.ts";

let app: TestApp;
let farm: string;
let base: string;
const headers = (token: string) => ({
  authorization: "Basic cG9ydGFsOnBvcnRhbF9zZWNyZXQ=",
  "muyuan-auth": `bearer ${token}`,
});

beforeAll(async () => {
  app = await createTestApp();
  farm = await app.logIn("farm");
  base = await app.listen();
});
afterAll(() => app.close());

/** Alarms as a page hears them. */
async function follow(): Promise<{ alarms: { alarm: Alarm; heardMs: number }[]; close(): void }> {
  const gone = new AbortController();
  const answer = await fetch(`${base}/api/muyuan-iot/alarm/live`, { headers: headers(farm), signal: gone.signal });
  const alarms: { alarm: Alarm; heardMs: number }[] = [];
  let text = "";
  void (async () => {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) {
        const line = part.split("\n").find((found) => found.startsWith("data: "));
        if (line === undefined) continue;
        const event = JSON.parse(line.slice(6)) as AlarmEvent;
        if (event.type === "alarm") alarms.push({ alarm: event.alarm, heardMs: performance.now() });
      }
    }
  })().catch(() => undefined);
  return { alarms, close: () => gone.abort() };
}

async function insertBound(count: number): Promise<{ id: string; token: string }[]> {
  const { pool } = app.test.database;
  const { rows } = await pool.query(
    "select id::text, tenant_id from farms where tenant_id = '100002' order by id limit 1",
  );
  const devices = Array.from({ length: count }, () => app.nextId()).map((id) => ({ id, token: `token-${id}` }));
  await pool.query(
    `insert into devices (id, tenant_id, kind, name, serial_number, token_hash, farm_id, bound_at, activated_at, updated_at)
     select d.id, '100002', 'environment', 'S-' || d.id, 'S-' || d.id, d.hash, $3::bigint, now(), now(), '2020-01-01'
       from unnest($1::bigint[], $2::bytea[]) as d (id, hash)`,
    [devices.map(({ id }) => id), devices.map(({ token }) => tokenHashOf(token)), rows[0].id],
  );
  return devices;
}

const send = async ({ token }: { token: string }, payload: unknown): Promise<void> => {
  const answer = await app.http.inject({
    method: "POST",
    url: `/api/v1/${token}/telemetry`,
    payload: JSON.stringify(payload),
    headers: { "content-type": "application/json" },
  });
  expect(answer.statusCode).toBe(200);
};
const countOf = async (where: string): Promise<number> => {
  const { rows } = await app.test.database.pool.query(`select count(*)::int as count from alarms where ${where}`);
  return rows[0].count;
};

test("an alarm is at the reader within a second of the message that raises it", async () => {
  const [device] = (await insertBound(1)) as [{ id: string; token: string }];
  const reader = await follow();
  const at = Date.now();
  await send(device, { ts: at - 50_000, values: { h2s: 12, mode: "normal" } });
  // The device is taken up with its first message.
  await expect
    .poll(() =>
      app.test.database.pool
        .query("select from alarm_states where device_id = $1", [device.id])
        .then(({ rowCount }) => rowCount),
    )
    .toBe(1);
  const sentMs = performance.now();
  // Its minute is over at the moment of this one.
  await send(device, { ts: at + 15_000, values: { h2s: 12, mode: "normal" } });
  await expect.poll(() => reader.alarms.length, { interval: 10 }).toBeGreaterThan(0);
  const [heard] = reader.alarms;
  const tookMs = (heard?.heardMs ?? Number.POSITIVE_INFINITY) - sentMs;
  console.log(`alarm to reader: ${Math.round(tookMs)} ms`);
  expect(heard?.alarm.deviceId).toBe(device.id);
  expect(tookMs).toBeLessThan(onThisMachine(1000));
  reader.close();
});

const devices = volume({ short: 100, long: 500 });
const rounds = 20;

test(`${devices * rounds} alarms in seconds: all are recorded, at most ${devices} are open, the list stays quick, few messages tell of them`, async () => {
  const storm = await insertBound(devices);
  const ids = storm.map(({ id }) => id).join(",");
  const scope = systemScope("a test of a storm");
  const faults: unknown[] = [];
  const journal = createJournal({
    inTransaction: (work) =>
      app.test.database.kysely.transaction().execute((transaction) =>
        work({
          log: alarmLogRepository(transaction, scope),
          announce: (alarmIds) => noticeRepository(transaction, scope).announce(alarmIds, 1, alarmHandleCode),
        }),
      ),
    bus: memoryBus(),
    nextId: app.nextId,
    onError: (error) => faults.push(error),
  });
  const begun = performance.now();
  const at = Date.now() - rounds * 2000;
  const lists: number[] = [];
  const change = { ruleId: "fan_current", severity: "MAJOR" as const, suppressed: false };
  for (let round = 0; round < rounds; round += 1) {
    const atMs = at + round * 2000;
    for (const { id } of storm) {
      const raised = { ...change, type: "raised" as const, atMs, sinceMs: atMs };
      const cleared = { ...change, type: "cleared" as const, atMs: atMs + 1000, sinceMs: atMs };
      journal.add({ deviceId: id, changes: round === rounds - 1 ? [raised] : [raised, cleared] });
    }
    const listBegun = performance.now();
    const open = await app.get<OpenAlarms>("/api/muyuan-iot/alarm/open", farm);
    lists.push(performance.now() - listBegun);
    expect(open.body.data.alarms.length).toBeLessThanOrEqual(500);
  }
  await journal.settled();
  const took = performance.now() - begun;
  const messages = async () => {
    const { rows } = await app.test.database.pool.query(
      `select count(*)::int as messages, coalesce(max(n.bundled), 0) as bundled
         from messages m join accounts p on p.id = m.account_id,
              lateral (select max(bundled) as bundled from alarm_notices n where n.account_id = p.id) n
        where m.kind = 'alarm' and p.account_key = 'farm'`,
    );
    return rows[0] as { messages: number; bundled: number };
  };
  await expect.poll(async () => (await messages()).bundled, { timeout: 40_000 }).toBeGreaterThan(1);
  const told = await messages();
  const p95 = lists.toSorted((a, b) => a - b)[Math.floor(lists.length * 0.95)] ?? 0;
  console.log(
    `storm: ${devices * rounds} alarms in ${Math.round(took)} ms, list p95 ${Math.round(p95)} ms, ${told.messages} messages to one person`,
  );
  expect(faults).toEqual([]);
  expect(await countOf(`device_id in (${ids}) and rule_id = 'fan_current'`)).toBe(devices * rounds);
  expect(await countOf(`device_id in (${ids}) and rule_id = 'fan_current' and ended_at is null`)).toBe(devices);
  expect(took).toBeLessThan(onThisMachine(10_000));
  expect(p95).toBeLessThan(onThisMachine(300));
  expect(told.messages).toBeLessThan(10);
});
