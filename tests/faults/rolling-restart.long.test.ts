import { afterEach, describe, expect, test } from "vitest";
import { redisAnswers } from "../harness/redis.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { haproxyIsThere } from "./haproxy.ts";
import { RollingLoad } from "./rolling-load.ts";
import { openThreeServers } from "./three-servers.ts";

/** Each of the servers is restarted so often. */
const rounds = 3;

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

describe.skipIf(!redisAnswers || !haproxyIsThere)(
  "three servers behind HAProxy, with the configuration that is shipped",
  () => {
    test(`each is restarted under load, ${rounds} times: no request fails, no acknowledged message is lost or doubled`, async () => {
      const servers = await openThreeServers(11);
      opened.push(servers.close);
      const { database, haproxy } = servers;
      const load = new RollingLoad(haproxy);
      opened.push(() => load.end());
      await load.begin();
      const begun = performance.now();
      let restarts = 0;
      for (let round = 0; round < rounds; round += 1) {
        for (const at of [0, 1, 2]) {
          const before = load.requests;
          await expect.poll(() => load.requests, { timeout: onThisMachine(30_000) }).toBeGreaterThan(before + 50);
          expect(await servers.server(at).stop()).toBe(0);
          await servers.isDown(at);
          await servers.restart(at);
          restarts += 1;
        }
      }
      await load.settle();
      const seconds = Math.round((performance.now() - begun) / 1000);
      const { rows } = await database.database.pool.query<{ n: string; times: string }>(
        `select t.readings->>'n' as n, count(*) as times from telemetry_values t
          where t.readings->>'n' is not null group by 1`,
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
