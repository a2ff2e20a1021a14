import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, open, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { findRunningPostgres } from "../../apps/server/src/database/embedded-postgres.ts";
import { demoDevices, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { volume } from "../harness/volume.ts";
import { ReportingDevice } from "./reporting-device.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/** The database goes down with its log once that has no room either; the long run waits for that. */
const untilLogIsFull = volume({ short: false, long: true });
const diskMb = 400;
const reporters = 20;
const backMs = 5000;

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** A disk of its own, which only root can make. */
async function makeDisk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "herdwise-disk-"));
  opened.push(() => rm(folder, { recursive: true, force: true }));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMb}m`, "tmpfs", folder]);
  opened.push(() => execFileSync("umount", ["-l", folder]));
  await chmod(folder, 0o755);
  return folder;
}
/** Takes all that is left of a disk. @returns the path of the file that holds it */
async function fill(disk: string): Promise<string> {
  const path = join(disk, "filler");
  const file = await open(path, "a");
  try {
    for (const bytes of [1024 * 1024, 4096])
      for (const block = Buffer.alloc(bytes); (await statfs(disk)).bavail * 4096 >= bytes; ) await file.write(block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    await file.close();
  }
  return path;
}

/** How many numbers are in the rows of a running server. */
async function storedNumbers(dataDir: string): Promise<{ stored: number; doubled: number }> {
  const postgres = await findRunningPostgres(dataDir);
  const client = new pg.Client({ connectionString: postgres?.url() });
  await client.connect();
  const { rows } = await client.query<{ times: number }>(
    `select count(*)::int as times from telemetry_values t where t.readings->>'message' is not null
      group by t.readings->>'message'`,
  );
  await client.end();
  return { stored: rows.length, doubled: rows.filter(({ times }) => times > 1).length };
}

test("R05: the disk is full: what is not stored is not acknowledged, reads go on, and all is stored 5 s after there is room", async () => {
  const disk = await makeDisk();
  const server: ServerProcess = await startServerProcess({ DATA_DIR: join(disk, "data"), LOG_LEVEL: "silent" });
  opened.push(() => server.stop());
  const token = (at: number) => `${demoTokenPrefix}${demoDevices()[at]?.serialNumber}`;
  const lines = Array.from({ length: reporters }, (_, at) => new ReportingDevice(server.mqttPort, token(at)));
  opened.push(() => {
    for (const line of lines) line.end();
  });
  await Promise.all(lines.map((line) => line.connect()));
  let sent = 0;
  const reportAll = () => {
    for (const line of lines) {
      line.report(sent);
      sent += 1;
    }
  };
  const waiting = () => lines.reduce((sum, line) => sum + line.waiting, 0);
  const read = async () => (await fetch(`http://127.0.0.1:${server.httpPort}/api/v1/${token(0)}/attributes`)).status;
  reportAll();
  await expect.poll(waiting).toBe(0);
  expect(await read()).toBe(200);

  const filler = await fill(disk);
  // Rows fill the pages that the tables have, until one needs another page.
  const isStuck = async () => {
    const before = sent - waiting();
    for (let n = 0; n < 100; n += 1) reportAll();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return sent - waiting() === before;
  };
  await expect.poll(isStuck, { timeout: 20_000, interval: 1 }).toBe(true);
  const unacknowledged = waiting();
  expect(unacknowledged).toBeGreaterThan(0);
  if (untilLogIsFull) await expect.poll(read, { timeout: 120_000, interval: 500 }).not.toBe(200);
  // A read that meets a busy moment is told to come again.
  else await expect.poll(read, { timeout: 5000 }).toBe(200);
  expect((await fetch(`http://127.0.0.1:${server.httpPort}/healthz`)).status).toBe(200);

  await rm(filler);
  const freed = performance.now();
  await expect.poll(waiting, { timeout: 60_000, interval: 20 }).toBe(0);
  const tookMs = performance.now() - freed;
  console.log(
    `disk-full: ${sent} sent, ${unacknowledged} of them waited while the disk was full; all stored ${Math.round(tookMs)} ms after there was room`,
  );
  expect(tookMs).toBeLessThan(onThisMachine(backMs));
  expect(await read()).toBe(200);
  // Every number that was sent is acknowledged now; each must be a row, and one alone.
  expect(await storedNumbers(join(disk, "data"))).toEqual({ stored: sent, doubled: 0 });
});
