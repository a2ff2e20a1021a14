import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { freePort } from "../../apps/server/src/free-port.ts";
import { createTestDatabase } from "../harness/database.ts";
import { redisAnswers, redisUrl } from "../harness/redis.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { haproxyIsThere, startHaproxy } from "./haproxy.ts";
import { RollingLoad } from "./rolling-load.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/** Each of the servers is restarted so often. */
const rounds = 3;
const stopDelaySeconds = 5;

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

describe.skipIf(!redisAnswers || !haproxyIsThere)(
  "three servers behind HAProxy, with the configuration that is shipped",
  () => {
    test(`each is restarted under load, ${rounds} times: no request fails, no acknowledged message is lost or doubled`, async () => {
      const database = await createTestDatabase(2);
      opened.push(() => database.drop());
      const places = await Promise.all(
        [0, 1, 2].map(async () => ({
          httpPort: await freePort(),
          mqttPort: await freePort(),
          dataDir: await mkdtemp(join(tmpdir(), "herdwise-rolling-")),
        })),
      );
      const start = ({ httpPort, mqttPort, dataDir }: (typeof places)[number]) =>
        startServerProcess({
          DATABASE_URL: database.url,
          REDIS_URL: Object.assign(new URL(redisUrl), { pathname: "/11" }).href,
          SECRET_KEY: "a key for tests that is long enough to be one",
          DATA_DIR: dataDir,
          TRUST_PROXY: "127.0.0.1",
          PORT: String(httpPort),
          MQTT_PORT: String(mqttPort),
          STOP_DELAY_SECONDS: String(stopDelaySeconds),
        });
      // One after the other: a slow machine has only so much for each.
      const servers: ServerProcess[] = [];
      opened.push(async () => {
        for (const server of servers) await server.kill();
        for (const { dataDir } of places) await rm(dataDir, { recursive: true, force: true });
      });
      for (const place of places) servers.push(await start(place));
      const haproxy = await startHaproxy(places);
      opened.push(haproxy.close);
      const allUp = () => expect.poll(haproxy.states, { timeout: onThisMachine(60_000) }).toEqual(["UP", "UP", "UP"]);
      await allUp();
      const load = new RollingLoad(haproxy);
      opened.push(() => load.end());
      await load.begin();
      const begun = performance.now();
      let restarts = 0;
      for (let round = 0; round < rounds; round += 1) {
        for (const [at, place] of places.entries()) {
          const before = load.requests;
          await expect.poll(() => load.requests, { timeout: onThisMachine(30_000) }).toBeGreaterThan(before + 50);
          expect(await servers[at]?.stop()).toBe(0);
          await expect.poll(async () => (await haproxy.states())[at], { timeout: onThisMachine(30_000) }).toBe("DOWN");
          servers[at] = await start(place);
          await allUp();
          restarts += 1;
        }
      }
      await load.settle();
      const seconds = Math.round((performance.now() - begun) / 1000);
      const { rows } = await database.database.pool.query<{ n: string; times: string }>(
        `select telemetry_readings(t)->>'n' as n, count(*) as times from telemetry t
          where telemetry_readings(t)->>'n' is not null group by 1`,
      );
      const stored = new Map(rows.map(({ n, times }) => [Number(n), Number(times)]));
      const acknowledged = load.acknowledged();
      const lost = acknowledged.filter((n) => !stored.has(n)).length;
      const doubled = [...stored.values()].filter((times) => times > 1).length;
      const { retries, redispatches } = await haproxy.counts();
      console.log(
        `rolling-restart: ${restarts} restarts in ${seconds} s, ${load.requests} requests, ${load.failed.length} failed; ` +
          `${load.messages} messages, ${acknowledged.length} acknowledged, ${lost} lost, ${doubled} doubled; ` +
          `${load.connections} MQTT connections; HAProxy tried ${retries} again and sent ${redispatches} elsewhere`,
      );
      expect(load.failed).toEqual([]);
      expect({ lost, doubled, stored: stored.size }).toEqual({ lost: 0, doubled: 0, stored: load.messages });
      // Servers really went away from somebody.
      expect(load.connections).toBeGreaterThan(20);
    }, 1_200_000);
  },
);
