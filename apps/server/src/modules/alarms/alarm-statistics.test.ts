import { afterAll, beforeAll, expect, test } from "vitest";
import { type InsertedDevice, insertDevices } from "../../../../../tests/faults/devices.ts";
import { createTestDatabase, type TestDatabase } from "../../../../../tests/harness/database.ts";
import { random } from "../../../../../tests/harness/recordings.ts";
import { tenantScopeOf } from "../../tenant-scope.ts";
import { alarmRepository } from "./alarm.repository.ts";

const mine = tenantScopeOf({
  tenantId: "900001",
  everyTenant: false,
  rows: { all: true, departmentIds: [], own: false },
  accountId: "1",
  membershipId: "1",
  departmentId: "",
  remoteAddress: "",
});
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
/** Midnight in Shanghai. */
const beginMs = Date.UTC(2026, 5, 1) - 8 * hourMs;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase(4);
});
afterAll(() => db.drop());

interface Alarm {
  id: number;
  severity: number;
  ruleId: string;
  raisedMs: number;
  late: boolean;
  withdrawn: boolean;
  suppressed: boolean;
  clearS: number | null;
  acknowledgeS: number | null;
  falseAlarm: boolean;
}

const median = (of: readonly number[]): number | null => {
  const sorted = [...of].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
};
const mean = (of: readonly number[]): number | null =>
  of.length === 0 ? null : of.reduce((sum, each) => sum + each, 0) / of.length;
const present = (of: readonly (number | null)[]): number[] => of.filter((each) => each !== null);

test("statistics are what counting the alarms one by one comes to", async () => {
  const [device] = (await insertDevices(db, 1)) as [InsertedDevice];
  const next = random(7);
  const below = (limit: number) => Math.floor(next() * limit);
  const alarms = Array.from({ length: 400 }, (_, at): Alarm => {
    return {
      id: at + 1,
      severity: 1 + below(4),
      ruleId: `rule${below(5)}`,
      // Also near the midnights of Shanghai, and each at its own time.
      raisedMs: beginMs + below(4) * dayMs + (below(3) - 1) * minuteMs + at,
      late: below(12) === 0,
      withdrawn: below(12) === 0,
      suppressed: below(6) === 0,
      clearS: below(4) === 0 ? null : below(5000),
      acknowledgeS: below(2) === 0 ? null : below(900),
      falseAlarm: below(10) === 0,
    };
  });
  await db.database.pool.query("drop index alarms_open_unique");
  await db.database.pool.query(
    `insert into alarms (id, tenant_id, device_id, kind, rule_id, severity, facts, since_at, raised_at, recorded_at, late, withdrawn, suppressed,
                         ended_at, acknowledged_at, resolution)
     select a.id, '900001', $1, 'environment', a."ruleId", a.severity, jsonb_build_object('name', 'name of ' || a."ruleId"), r, r, r, a.late, a.withdrawn,
            a.suppressed, r + a."clearS" * interval '1 s', r + a."acknowledgeS" * interval '1 s', case when a."falseAlarm" then 'false-alarm' else '' end
       from jsonb_to_recordset($2) as a (id bigint, severity int, "ruleId" text, "raisedMs" float8, late boolean, withdrawn boolean, suppressed boolean,
                                         "clearS" int, "acknowledgeS" int, "falseAlarm" boolean)
      cross join lateral to_timestamp(a."raisedMs" / 1000) as r`,
    [device.id, JSON.stringify(alarms)],
  );
  const counted = alarms.filter(({ raisedMs, late, withdrawn }) => raisedMs >= beginMs && !late && !withdrawn);
  const shown = counted.filter(({ suppressed }) => !suppressed);
  const days = Map.groupBy(shown, ({ raisedMs, severity }) => {
    const day = new Date(raisedMs + 8 * hourMs).toISOString().slice(0, 10);
    return `${day} ${severity}`;
  });
  const rules = Map.groupBy(shown, ({ ruleId }) => ruleId);
  const found = await alarmRepository(db.database.kysely).statistics(mine, { from: new Date(beginMs) });
  expect(new Map(found.days.map(({ day, severity, count }) => [`${day} ${severity}`, count]))).toEqual(
    new Map([...days].map(([name, of]) => [name, of.length])),
  );
  expect(found.days.map(({ day }) => day)).toEqual(found.days.map(({ day }) => day).toSorted());
  expect(found.rules.map(({ count }) => count)).toEqual(
    [...rules.values()].map(({ length }) => length).toSorted((a, b) => b - a),
  );
  for (const { ruleId, kind, ruleName, count, acknowledgeS, clearS } of found.rules) {
    const of = rules.get(ruleId) ?? [];
    expect({ kind, ruleName, count }).toEqual({ kind: "environment", ruleName: `name of ${ruleId}`, count: of.length });
    expect(acknowledgeS).toBeCloseTo(mean(present(of.map((alarm) => alarm.acknowledgeS))) ?? 0, 6);
    expect(clearS).toBeCloseTo(mean(present(of.map((alarm) => alarm.clearS))) ?? 0, 6);
  }
  const { total, suppressed, falseAlarms, acknowledgeS, clearS } = found;
  expect({ total, suppressed, falseAlarms, acknowledgeS, clearS }).toEqual({
    total: shown.length,
    suppressed: counted.length - shown.length,
    falseAlarms: shown.filter(({ falseAlarm }) => falseAlarm).length,
    acknowledgeS: median(present(shown.map((alarm) => alarm.acknowledgeS))),
    clearS: median(present(shown.map((alarm) => alarm.clearS))),
  });
  // Without alarms there are no counts and no averages.
  expect(await alarmRepository(db.database.kysely).statistics(mine, { from: new Date(beginMs + 30 * dayMs) })).toEqual({
    days: [],
    rules: [],
    farms: [],
    units: [],
    total: 0,
    suppressed: 0,
    falseAlarms: 0,
    acknowledgeS: null,
    clearS: null,
  });
});
