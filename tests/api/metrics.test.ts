import { afterAll, beforeAll, expect, test } from "vitest";
import { noteInBackupLog } from "../../apps/server/src/backup-log.ts";
import { createMetrics } from "../../apps/server/src/metrics.ts";
import { appVersion } from "../../apps/server/src/version.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";

const backupMs = Date.UTC(2026, 0, 2);
let app: TestApp;
let read: (name: string) => number | undefined;

/** Values of what /metrics tells, by name and labels. */
async function readAll(from: TestApp): Promise<(name: string) => number | undefined> {
  const { body } = await from.http.inject({ url: "/metrics" });
  const values = new Map(
    [...body.matchAll(/^(\w+(?:\{[^}]*\})?) (\S+)$/gm)].map(([, name = "", value]) => [name, Number(value)]),
  );
  return (name) => values.get(name);
}

beforeAll(async () => {
  app = await createTestApp({ BACKUP_HOURS: "12" });
  const { pool } = app.test.database;
  await noteInBackupLog(app.dataDir, {
    made: { atMs: backupMs, file: "/backups/a.tar.gz", bytes: 1 },
    failed: { atMs: backupMs + 1000, fault: "no room" },
  });
  await pool.query(`insert into service_outcomes (service, succeeded_at, failed_at, fault)
    values ('sms', now() - interval '1 hour', now(), 'refused'), ('mail', now(), now() - interval '1 hour', '')`);
  await pool.query("insert into out_of_money (channel, fault) values ('voice', 'arrears')");
  await pool.query(`insert into job_outcomes (job, succeeded_at, failed_at, fault)
    values ('files.sweep-site', now() - interval '3 days', now() - interval '1 minute', 'no room'),
           ('alarms.sweep', now(), now() - interval '1 hour', '')`);
  await pool.query("update jobs.schedule set created_on = now() - interval '9 days'");
  await pool.query("update schema_migrations set applied_at = now() - interval '9 days'");
  // An alarm, and somebody who should have been told of it seven minutes ago.
  await pool.query(`insert into alarms (id, tenant_id, farm_id, device_id, kind, rule_id, severity, since_at, raised_at)
    select 1, tenant_id, farm_id, id, 'environment', 'ammonia_high', 3, now(), now() from devices where serial_number = 'ENV-ZJY-02'`);
  // Who was told a moment ago waits, so the server does not take it meanwhile.
  await pool.query(`insert into alarm_notices (alarm_id, tenant_id, account_id, channel, step, round, state, due_at, sent_at)
    select 1, m.tenant_id, m.account_id, 'sms', t.step, 1, t.state, t.due, t.sent
      from (select * from memberships where tenant_id = '100002' limit 1) m,
           (values (1, 'sent', now(), now() + interval '1 hour'), (2, 'waiting', now() - interval '7 minutes', null)) as t (step, state, due, sent)`);
  await app.http.inject({ url: "/healthz" });
  read = await readAll(app);
});
afterAll(() => app.close());

test("tells the server itself: version, readiness, answers, memory", () => {
  expect(read(`herdwise_build_info{version="${appVersion}"}`)).toBe(1);
  expect(read("herdwise_ready")).toBe(1);
  expect(read('herdwise_http_request_seconds_count{method="GET",route="/healthz",status="200"}')).toBe(1);
  expect(read("process_resident_memory_bytes")).toBeGreaterThan(1e6);
});

test("tells the data disk and the backups", () => {
  const [free = 0, size = 0] = [read("herdwise_data_disk_free_bytes"), read("herdwise_data_disk_size_bytes")];
  expect(free).toBeGreaterThan(0);
  expect(size).toBeGreaterThan(free);
  expect(read("herdwise_backup_newest_timestamp_seconds")).toBe(backupMs / 1000);
  expect(read("herdwise_backup_interval_seconds")).toBe(12 * 3600);
  expect(read("herdwise_backup_failed")).toBe(1);
  expect(read("herdwise_backup_rehearsed_timestamp_seconds")).toBe(0);
});

test("tells the database, the pool and the statements, and the clocks", () => {
  expect(read("herdwise_database_statement_seconds_count")).toBeGreaterThan(5);
  expect(read("herdwise_database_statement_faults_total")).toBeGreaterThanOrEqual(0);
  expect(read("herdwise_database_pool_limit")).toBe(10);
  expect(read("herdwise_database_pool_waiting")).toBe(0);
  expect(read('herdwise_database_pool_connections{state="busy"}')).toBeGreaterThanOrEqual(0);
  expect(read("herdwise_database_connections")).toBeGreaterThan(0);
  expect(read("herdwise_database_connection_limit")).toBeGreaterThan(10);
  expect(read("herdwise_database_size_bytes")).toBeGreaterThan(1e6);
  // One machine has one clock.
  expect(Math.abs(read("herdwise_clock_offset_seconds") ?? 9)).toBeLessThan(2);
  expect(read("herdwise_servers")).toBeGreaterThanOrEqual(1);
});

test("tells how work by the clock ended, and what is late", () => {
  const [failing, fine] = ['{task="files.sweep-site"}', '{task="alarms.sweep"}'];
  expect(read(`herdwise_job_failed${failing}`)).toBe(1);
  expect(read(`herdwise_job_failed${fine}`)).toBe(0);
  // Every day: two days and 20 minutes are allowed, and the last success is three days ago.
  expect(read(`herdwise_job_late_seconds${failing}`)).toBeGreaterThan(23 * 3600);
  expect(read(`herdwise_job_late_seconds${fine}`)).toBe(0);
  expect(read(`herdwise_job_last_success_timestamp_seconds${fine}`)).toBeGreaterThan(Date.now() / 1000 - 60);
});

test("tells notices of alarms that are overdue, and services that fail", () => {
  expect(read("herdwise_alarm_notices_waiting")).toBe(1);
  expect(read("herdwise_alarm_notices_overdue_seconds")).toBeGreaterThan(400);
  expect(read('herdwise_service_failing{service="sms"}')).toBe(1);
  expect(read('herdwise_service_failing{service="mail"}')).toBe(0);
  expect(read("herdwise_services_out_of_money")).toBe(1);
});

test("counts a stored message, the time until its commit, and a dropped one", async () => {
  expect(await app.report("ENV-ZJY-02", { temperature: 21 })).toBe(200);
  await app.report("ENV-ZJY-02", "no object");
  const after = await readAll(app);
  expect(after('herdwise_device_messages_total{outcome="stored"}')).toBe(1);
  expect(after("herdwise_ingest_commit_seconds_count")).toBe(1);
  expect(after("herdwise_ingest_waiting_rows")).toBe(0);
  expect(after('herdwise_device_messages_total{outcome="wrong_form"}')).toBe(1);
});

test("counts a statement that the database refuses", async () => {
  const before = (await readAll(app))("herdwise_database_statement_faults_total") ?? 0;
  await expect(app.test.database.pool.query("select 1 / 0")).rejects.toThrow("division by zero");
  await expect(app.test.database.pool.query({ text: "select $1::int", values: ["x"] })).rejects.toThrow(
    "invalid input",
  );
  expect((await readAll(app))("herdwise_database_statement_faults_total")).toBe(before + 2);
});

test("a figure that can't be had holds nobody up, and costs no other", async () => {
  const metrics = createMetrics();
  metrics.beforeRead(() => new Promise(() => undefined));
  metrics.beforeRead(() => {
    throw new Error("away");
  });
  metrics.beforeRead(() => metrics.ready.set(1));
  const begunMs = performance.now();
  expect(await metrics.read()).toContain("herdwise_ready 1");
  expect(performance.now() - begunMs).toBeLessThan(20_000);
});

test("an outside database and a demo without backups have no figures of backups", async () => {
  const other = await createTestApp();
  try {
    const figures = await readAll(other);
    expect(figures("herdwise_data_disk_free_bytes")).toBeGreaterThan(0);
    expect(figures("herdwise_backup_newest_timestamp_seconds")).toBeUndefined();
    expect(figures("herdwise_backup_failed")).toBeUndefined();
    expect(figures("herdwise_mqtt_certificate_expiry_timestamp_seconds")).toBeUndefined();
  } finally {
    await other.close();
  }
});
