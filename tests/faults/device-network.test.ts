import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Broker, startBroker } from "../../apps/server/src/mqtt/broker.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { openTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { volume } from "../harness/volume.ts";
import { insertDevices } from "./devices.ts";
import { ReportingDevice } from "./reporting-device.ts";

const rounds = volume({ short: 4, long: 60 });
const count = 20;
const keepAliveS = 1;

let app: TestApp;
let broker: Broker;
let proxy: TcpProxy;
const lines: ReportingDevice[] = [];

beforeAll(async () => {
  app = await createTestApp();
  broker = await startBroker({
    uplink: app.uplink,
    log: pino({ level: "silent" }),
    host: "127.0.0.1",
    port: 0,
    orNextFree: false,
  });
  proxy = await openTcpProxy({ host: "127.0.0.1", port: broker.port });
});
afterEach(() => {
  for (const line of lines.splice(0)) line.end();
});
afterAll(async () => {
  await proxy.shut();
  await broker.stop();
  await app.close();
});

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;

/** Devices behind the proxy. @param keepAlive in seconds; 0 for none */
async function open(keepAlive: number): Promise<{ ids: string[]; report(): number }> {
  const devices = await insertDevices(app.test, count);
  lines.push(...devices.map(({ token }) => new ReportingDevice(proxy.port, token, keepAlive)));
  await Promise.all(lines.map((line) => line.connect()));
  let sent = 0;
  return {
    ids: devices.map(({ id }) => id),
    /** Each reports once. @returns how many reports there were so far */
    report() {
      for (const line of lines) {
        line.report(sent);
        sent += 1;
      }
      return sent;
    },
  };
}
const waiting = () => lines.reduce((sum, line) => sum + line.waiting, 0);

test(
  `R07: resets, latency and silence in turns, ${rounds} rounds: nothing acknowledged is lost, nothing is stored twice`,
  async () => {
    const { ids, report } = await open(0);
    let sent = 0;
    for (let round = 0; round < rounds; round += 1) {
      proxy.delay([0, 120, 0, 30][round % 4] ?? 0);
      for (let burst = 0; burst < 20; burst += 1) {
        sent = report();
        await new Promise((resolve) => setImmediate(resolve));
        // In the middle of what is under way.
        if (burst === 10 && round % 2 === 0) proxy.reset();
        if (burst === 10 && round % 2 === 1) proxy.stall();
      }
      if (round % 2 === 1) {
        // The devices hear nothing and connect anew; what the network held arrives late, beside what they send again.
        for (const line of lines) line.giveUp();
        await proxy.reopen();
      }
      await expect.poll(waiting).toBe(0);
    }
    proxy.delay(0);
    const stored = await query<{ n: string; times: number }>(
      "select t.readings->>'message' as n, count(*)::int as times from telemetry_values t where device_id = any($1) group by 1",
      [ids],
    );
    const lost = lines
      .flatMap((line) => [...line.acknowledged])
      .filter((value) => !stored.some(({ n }) => Number(n) === value));
    const connections = lines.reduce((sum, line) => sum + line.connections, 0);
    console.log(`device-network: ${sent} sent, ${stored.length} stored, ${connections} connections`);
    expect({ lost, stored: stored.length, doubled: stored.filter(({ times }) => times > 1) }).toEqual({
      lost: [],
      stored: sent,
      doubled: [],
    });
    expect(connections).toBeGreaterThan(count * (rounds / 2));
  },
  60_000 + rounds * 3000,
);

test("R07: connections whose other end is silent count as gone after one and a half keep alives, and come back", async () => {
  const { ids, report } = await open(keepAliveS);
  const connected = async () =>
    (
      await query<{ devices: number }>(
        "select count(*)::int as devices from device_states where connected and device_id = any($1)",
        [ids],
      )
    )[0]?.devices;
  report();
  await expect.poll(connected, { interval: 20 }).toBe(count);
  report();
  await expect.poll(waiting, { interval: 5 }).toBe(0);
  proxy.stall();
  const begun = performance.now();
  await expect.poll(connected, { interval: 20 }).toBe(0);
  const tookMs = performance.now() - begun;
  console.log(`device-network: gone after ${Math.round(tookMs)} ms of a keep alive of ${keepAliveS} s`);
  expect(tookMs).toBeLessThan(onThisMachine(keepAliveS * 1500 + 500));
  for (const line of lines) line.giveUp();
  await proxy.reopen();
  report();
  await expect.poll(waiting).toBe(0);
  await expect.poll(connected).toBe(count);
});
