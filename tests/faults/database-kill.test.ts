import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { clusterDirectory, startEmbeddedPostgres } from "../../apps/server/src/database/embedded-postgres.ts";
import { silentLog } from "../../apps/server/src/database/log.ts";
import { demoDevices, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { scratchFolder } from "../harness/scratch-folder.ts";
import { volume } from "../harness/volume.ts";
import { WirePublisher } from "./mqtt-wire.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const connections = 20;
const kills = volume({ short: 2, long: 10 });
/** Acknowledgements that must arrive between two kills. */
const acksBetween = 2000;
const windowMessages = 200;

let server: ServerProcess | undefined;
let dataDir: string;
afterEach(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test(`PostgreSQL is killed ${kills} times under load: acknowledgements wait, nothing is lost or doubled, the connections live`, async () => {
  dataDir = await mkdtemp(join(await scratchFolder(), "herdwise-database-"));
  server = await startServerProcess({ DATA_DIR: dataDir, LOG_LEVEL: "fatal" });
  const { mqttPort } = server;
  const cluster = await clusterDirectory(dataDir);
  let sent = 0;
  const acknowledged = new Set<number>();
  let running = true;
  let closed = 0;
  const lines = await Promise.all(
    Array.from({ length: connections }, async (_, at) => {
      const underWay = new Map<number, number>();
      const device = demoDevices()[at];
      const send = () => {
        underWay.set(publisher.publish("v1/devices/me/telemetry", `{"n":${sent}}`), sent);
        sent += 1;
      };
      const { publisher } = await WirePublisher.open(mqttPort, `${demoTokenPrefix}${device?.serialNumber}`, `c${at}`, {
        onPuback: (id) => {
          acknowledged.add(underWay.get(id) ?? -1);
          underWay.delete(id);
          if (running) send();
        },
        onClose: () => {
          closed += 1;
        },
      });
      for (let n = 0; n < windowMessages; n += 1) send();
      return { publisher, underWay };
    }),
  );
  const awayMs: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const before = acknowledged.size;
    await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(before + acksBetween), {
      timeout: 10_000,
      interval: 10,
    });
    const pid = Number((await readFile(join(String(cluster), "postmaster.pid"), "utf8")).split("\n")[0]);
    process.kill(pid, "SIGKILL");
    const begun = performance.now();
    const atKill = acknowledged.size;
    // The commits that were on their way are acknowledged; what comes after the window was committed by the next PostgreSQL.
    await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(atKill + connections * windowMessages), {
      timeout: 15_000,
      interval: 10,
    });
    awayMs.push(Math.round(performance.now() - begun));
  }
  running = false;
  const state = () => ({ closed, waiting: lines.reduce((sum, { underWay }) => sum + underWay.size, 0) });
  await vi.waitFor(() => expect(state()).toEqual({ closed: 0, waiting: 0 }), { timeout: 30_000 });
  for (const { publisher } of lines) publisher.close();
  expect(await server.stop()).toBe(0);

  const postgres = await startEmbeddedPostgres({ directory: dataDir, log: silentLog });
  const client = new pg.Client({ connectionString: postgres.url() });
  await client.connect();
  const { rows } = await client.query<{ n: string; times: string }>(
    "select t.readings->>'n' as n, count(*) as times from telemetry_values t group by 1",
  );
  await client.end();
  await postgres.stop();
  const times = new Map(rows.map((row) => [Number(row.n), Number(row.times)]));
  const lost = [...acknowledged].filter((value) => !times.has(value)).length;
  const doubled = [...times.values()].filter((count) => count > 1).length;
  console.log(
    `database-kill: ${sent} sent, ${acknowledged.size} acknowledged, ${times.size} stored, ${lost} lost, ${doubled} doubled; ` +
      `acknowledgements flow again after ${awayMs.join(", ")} ms`,
  );
  expect({ lost, unacknowledged: sent - acknowledged.size }).toEqual({ lost: 0, unacknowledged: 0 });
  // The answer of a commit may be lost with its connection, and the batch is written again: without a time of its own a message
  // keeps the one it was given, so that it falls on its own row.
  expect(doubled).toBe(0);
});
