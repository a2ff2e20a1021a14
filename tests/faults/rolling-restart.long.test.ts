import { afterEach, describe, expect, test } from "vitest";
import { redisAnswers } from "../harness/redis.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { haproxyIsThere } from "./haproxy.ts";
import { openRelease } from "./release.ts";
import { RollingLoad } from "./rolling-load.ts";
import { openThreeServers, type ThreeServers } from "./three-servers.ts";

/** Each of the servers is restarted so often. */
const rounds = 3;
/** Commit of the version before this one, from which servers are upgraded one by one; one migration lies between. */
const before = "d924af15";

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** Replaces each server in turn while people and devices go on, and holds that no request failed and no message was lost or doubled. */
async function roll(servers: ThreeServers, times: number, what: string): Promise<void> {
  const { database, haproxy } = servers;
  const load = new RollingLoad(haproxy);
  opened.push(() => load.end());
  await load.begin();
  const begun = performance.now();
  let restarts = 0;
  for (let round = 0; round < times; round += 1) {
    for (const at of [0, 1, 2]) {
      const made = load.requests;
      await expect.poll(() => load.requests, { timeout: onThisMachine(30_000) }).toBeGreaterThan(made + 50);
      expect(await servers.server(at).stop()).toBe(0);
      await servers.isDown(at);
      await servers.restart(at);
      restarts += 1;
    }
  }
  const made = load.requests;
  await expect.poll(() => load.requests, { timeout: onThisMachine(30_000) }).toBeGreaterThan(made + 50);
  await load.settle();
  const seconds = Math.round((performance.now() - begun) / 1000);
  const { rows } = await database.database.pool.query<{ n: string; times: string }>(
    `select t.readings->>'message' as n, count(*) as times from telemetry_values t
      where t.readings->>'message' is not null group by 1`,
  );
  const stored = new Map(rows.map(({ n, times: count }) => [Number(n), Number(count)]));
  const acknowledged = load.acknowledged();
  const lost = acknowledged.filter((n) => !stored.has(n)).length;
  const doubled = [...stored.values()].filter((count) => count > 1).length;
  const { retries, redispatches } = await haproxy.counts();
  console.log(
    `${what}: ${restarts} restarts in ${seconds} s, ${load.requests} requests, ${load.failed.length} failed; ` +
      `${load.messages} messages, ${acknowledged.length} acknowledged, ${lost} lost, ${doubled} doubled; ` +
      `${load.connections} MQTT connections; HAProxy tried ${retries} again and sent ${redispatches} elsewhere`,
  );
  expect(load.failed).toEqual([]);
  expect({ lost, doubled, stored: stored.size }).toEqual({ lost: 0, doubled: 0, stored: load.messages });
  // Servers really went away from somebody.
  expect(load.connections).toBeGreaterThan(20);
}

describe.skipIf(!redisAnswers || !haproxyIsThere)(
  "three servers behind HAProxy, with the configuration that is shipped: no request fails, no acknowledged message is lost or doubled",
  () => {
    test(`each is restarted under load, ${rounds} times`, async () => {
      const servers = await openThreeServers(11);
      opened.push(servers.close);
      await roll(servers, rounds, "rolling-restart");
    }, 1_200_000);

    test(`each is upgraded under load from ${before}`, async () => {
      const release = await openRelease(before, ["build"]);
      opened.push(release.remove);
      const servers = await openThreeServers(11, release.checkout);
      opened.push(servers.close);
      await roll(servers, 1, "rolling-upgrade");
    }, 1_800_000);
  },
);
