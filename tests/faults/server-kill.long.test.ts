import { randomInt } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { demoDevices, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { redisAnswers } from "../harness/redis.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { haproxyIsThere } from "./haproxy.ts";
import { ReportingDevice } from "./reporting-device.ts";
import { openThreeServers } from "./three-servers.ts";

/** Messages that are acknowledged before it ends; another number may be named for a try. */
const wanted = Number(process.env.HERDWISE_KILL_MESSAGES || 2_000_000);
const devices = 60;
/** Messages that one device keeps unacknowledged at most. */
const windowMessages = 300;
/** Each device that is connected reports so often, in ms: slow enough that many kills fall into the run. */
const tickMs = 10;
/** A server is killed so long after all were up again, in ms. */
const flowMs = { min: 2_000, max: 15_000 };

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

describe.skipIf(!redisAnswers || !haproxyIsThere)("three servers behind HAProxy", () => {
  test(`are killed in turn without a word until ${wanted} messages are acknowledged: none is lost, none stored twice`, async () => {
    const servers = await openThreeServers(12);
    opened.push(servers.close);
    const lines = demoDevices()
      .slice(0, devices)
      .map(({ serialNumber }) => new ReportingDevice(servers.haproxy.mqttPort, `${demoTokenPrefix}${serialNumber}`));
    opened.push(() => {
      for (const line of lines) line.end();
    });
    await Promise.all(lines.map((line) => line.connect()));
    let sent = 0;
    const acknowledged = () => lines.reduce((sum, line) => sum + line.acknowledged.size, 0);
    const timer = setInterval(() => {
      for (const line of lines)
        if (line.isConnected && line.waiting < windowMessages && sent < wanted) {
          line.report(sent);
          sent += 1;
        }
    }, tickMs);
    opened.push(() => clearInterval(timer));
    const begun = performance.now();
    let kills = 0;
    while (acknowledged() < wanted) {
      await new Promise((resolve) => setTimeout(resolve, randomInt(flowMs.min, flowMs.max)));
      const at = randomInt(3);
      await servers.server(at).kill();
      kills += 1;
      await servers.isDown(at);
      await servers.restart(at);
      // Those that the dead server had are somewhere else by now.
      await expect
        .poll(() => lines.every(({ isConnected }) => isConnected), { timeout: onThisMachine(30_000) })
        .toBe(true);
      if (sent === wanted) await expect.poll(acknowledged, { timeout: onThisMachine(120_000) }).toBe(wanted);
    }
    const seconds = Math.round((performance.now() - begun) / 1000);
    // The count reads every message, which takes longer than a request may.
    const client = await servers.database.database.pool.connect();
    opened.push(() => client.release(true));
    await client.query("set statement_timeout = 0");
    const { rows } = await client.query<{ messages: string; numbers: string; beyond: string }>(
      `select count(*) as messages, count(distinct n) as numbers, count(*) filter (where n not between 0 and $1) as beyond
         from (select (t.readings->>'message')::int as n from telemetry_values t) as told where n is not null`,
      [wanted - 1],
    );
    const [messages, numbers, beyond] = [rows[0]?.messages, rows[0]?.numbers, rows[0]?.beyond].map(Number);
    const connections = lines.reduce((sum, line) => sum + line.connections, 0);
    console.log(
      `server-kill: ${acknowledged()} acknowledged in ${seconds} s over ${kills} kills and ${connections} connections, ` +
        `${numbers} stored, ${Number(messages) - Number(numbers)} doubled`,
    );
    // Every number was sent and acknowledged, so that every number is stored, once.
    expect({ messages, numbers, beyond }).toEqual({ messages: wanted, numbers: wanted, beyond: 0 });
    expect(connections).toBeGreaterThan(devices);
  }, 7_200_000);
});
