import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { openTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { volume } from "../harness/volume.ts";
import { insertDevices } from "./devices.ts";
import { ReportingDevice } from "./reporting-device.ts";
import { residentMegabytes, type ServerProcess, startServerProcess } from "./server-process.ts";

/** Longer than a request waits for its commit. */
const lockedMs = volume({ short: 5500, long: 10_000 });
const slowMs = volume({ short: 800, long: 2000 });
const restarts = volume({ short: 1, long: 10 });
const backMs = 15_000;
const answerMs = 5000;
const healthMs = 100;
const growthMb = 50;
const count = 500;
/** Those of them that also speak HTTP. */
const speakers = 50;

let place: TestDatabase;
let dataDir: string;
let environment: Record<string, string>;
let proxy: TcpProxy;
let server: ServerProcess;
let tokens: string[];
/** Devices that report over MQTT, all the time. */
let lines: ReportingDevice[];
let sent = 0;

beforeAll(async () => {
  place = await createTestDatabase(2);
  dataDir = await mkdtemp(join(tmpdir(), "herdwise-outages-"));
  const url = new URL(place.url);
  const host = decodeURIComponent(url.hostname);
  const port = Number(url.port || 5432);
  // PostgreSQL of a run on its own listens on a socket in a folder.
  proxy = await openTcpProxy(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  url.hostname = "127.0.0.1";
  url.port = String(proxy.port);
  environment = { DATABASE_URL: url.href, DATA_DIR: dataDir };
  server = await startServerProcess(environment);
  tokens = (await insertDevices(place, count)).map(({ token }) => token);
  lines = tokens.map((token) => new ReportingDevice(server.mqttPort, token));
  await Promise.all(lines.map((line) => line.connect()));
});
afterAll(async () => {
  for (const line of lines ?? []) line.end();
  await server?.kill();
  await proxy?.shut();
  await place?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const post = async (token: string, body: object) => {
  const begun = performance.now();
  const { status } = await fetch(`http://127.0.0.1:${server.httpPort}/api/v1/${token}/telemetry`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  return { status, ms: performance.now() - begun };
};
/** Asks for the server's health while `work` runs. @returns how long each answer took, the longest first, in ms */
async function healthDuring(work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const begun = performance.now();
    const { status } = await fetch(`http://127.0.0.1:${server.httpPort}/healthz`);
    expect(status).toBe(200);
    took.push(performance.now() - begun);
    await wait(20);
  }
  await done;
  return took.toSorted((a, b) => b - a);
}

/** Every device reports so many times. */
function report(times: number): void {
  for (let n = 0; n < times; n += 1)
    for (const line of lines) {
      line.report(sent);
      sent += 1;
    }
}
const settled = () =>
  expect.poll(() => lines.reduce((sum, { waiting }) => sum + waiting, 0), { timeout: 20_000 }).toBe(0);
/** Holds what is stored against what was sent, all of which is acknowledged by now. */
async function expectAllStored(): Promise<void> {
  const { rows } = await place.database.pool.query<{ n: string; times: number }>(
    `select t.readings->>'message' as n, count(*)::int as times from telemetry_values t
      where t.readings->>'message' is not null group by 1`,
  );
  expect({ stored: rows.length, doubled: rows.filter(({ times }) => times > 1) }).toEqual({
    stored: sent,
    doubled: [],
  });
}

test(`R04: a lock of ${lockedMs / 1000} s on telemetry: requests get 503 in 5 s, health is quick, memory is bounded, and what waited is stored`, async () => {
  // A server that has hardly worked yet grows with any traffic.
  for (let round = 0; round < 3; round += 1) {
    report(50);
    await settled();
  }
  for (const token of tokens.slice(0, speakers)) expect((await post(token, { t_in: 1 })).status).toBe(200);

  const locker = new pg.Client({ connectionString: place.url });
  await locker.connect();
  await locker.query("begin; lock table telemetry in access exclusive mode");
  const before = residentMegabytes(server.pid);
  let highest = before;
  const answers: { status: number; ms: number }[] = [];
  const begun = performance.now();
  const health = await healthDuring(async () => {
    await Promise.all(
      tokens.slice(0, speakers).map(async (token) => {
        while (performance.now() - begun < lockedMs - 500) answers.push(await post(token, { t_in: 2 }));
      }),
    );
  });
  // Devices go on measuring all the time; each keeps more under way than the server wants to read.
  report(50);
  highest = Math.max(highest, residentMegabytes(server.pid));
  await wait(Math.max(0, lockedMs - (performance.now() - begun)));
  highest = Math.max(highest, residentMegabytes(server.pid));
  await locker.query("commit");
  await locker.end();
  await settled();
  const slowest = Math.max(...answers.map(({ ms }) => ms));
  const p95 = health[Math.floor(health.length * 0.05)] ?? 0;
  console.log(
    `outages: ${answers.length} requests while locked, the slowest ${Math.round(slowest)} ms; health within ${Math.round(p95)} ms (95 of 100 of ${health.length}); ` +
      `memory +${Math.round(highest - before)} MB; ${sent} messages`,
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(slowest).toBeLessThan(answerMs + onThisMachine(1000));
  expect(p95).toBeLessThan(onThisMachine(healthMs));
  expect(highest - before).toBeLessThan(growthMb);
  expect((await post(tokens[0] ?? "", { t_in: 3 })).status).toBe(200);
  await expectAllStored();
});

test(`R04: a database that answers after ${slowMs / 1000} s: requests are answered by their commit, health as quickly as ever`, async () => {
  proxy.delay(slowMs / 2);
  const answers: { status: number; ms: number }[] = [];
  const health = await healthDuring(async () => {
    answers.push(...(await Promise.all(tokens.slice(0, 10).map((token) => post(token, { t_in: 4 })))));
  });
  proxy.delay(0);
  const p95 = health[Math.floor(health.length * 0.05)] ?? 0;
  for (const { status, ms } of answers) {
    // The commit came in time, or the device is asked to send again.
    expect([200, 503]).toContain(status);
    expect(ms).toBeGreaterThan(slowMs / 2);
    expect(ms).toBeLessThan(answerMs + onThisMachine(1000));
  }
  expect(p95).toBeLessThan(onThisMachine(healthMs));
  await expect.poll(async () => (await post(tokens[0] ?? "", { t_in: 5 })).status).toBe(200);
});

test(
  `R06: the endpoint of ${count} devices is killed and started again, ${restarts} times: all are back in 15 s, nothing acknowledged is lost`,
  async () => {
    const backAfter: number[] = [];
    for (let round = 0; round < restarts; round += 1) {
      report(4);
      await server.kill();
      // What devices measure meanwhile.
      report(1);
      server = await startServerProcess({ ...environment, MQTT_PORT: String(server.mqttPort) });
      const begun = performance.now();
      const away = () => lines.filter(({ isConnected }) => !isConnected).length;
      await expect.poll(away, { timeout: onThisMachine(backMs) }).toBe(0);
      backAfter.push(Math.round(performance.now() - begun));
      await settled();
    }
    console.log(`outages: all devices back after ${backAfter.join(", ")} ms`);
    await expectAllStored();
  },
  300_000 + restarts * 30_000,
);
