import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { findRunningPostgres } from "../../apps/server/src/database/embedded-postgres.ts";
import { residentMegabytes, type ServerProcess, startServerProcess } from "./server-process.ts";

/** Of all; HERDWISE_SOAK_MINUTES makes it shorter for a try, whose slope then says less. */
const minutes = Number(process.env.HERDWISE_SOAK_MINUTES ?? 60);
/** The simulator sends what devices kept for two weeks, caches fill, and V8 finds its sizes. */
const warmUpMinutes = Math.min(15, minutes / 2);
const sampleMs = 30_000;
/** More than this a minute would be 144 MB a day. */
const slopeMegabytes = 0.1;
/** Connections to the database open and close with the work. */
const connectionsInPlay = 5;
/** Of the server and its PostgreSQL with the demo and its documents, when nothing has been asked for ten minutes. */
const restMegabytes = 300;
const restMinutes = Math.min(10, minutes);

let server: ServerProcess | undefined;
let dataDir: string;
afterEach(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const kilobytesIn = (text: string, field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1]);
/** Shared pages count by their share: PostgreSQL's processes have its buffers in common. */
const proportionalMegabytes = (pid: number) =>
  kilobytesIn(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"), "Pss") / 1024;
const parentOf = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
  } catch {
    return 0;
  }
};
const childrenOf = (parent: number): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);

interface Sample {
  minute: number;
  resident: number;
  heap: number;
  descriptors: number;
}

async function heapMegabytes(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1]) / 1024 / 1024;
}

/**
 * Asks a server to collect its garbage and to give back what that leaves. Between two collections of its own resident memory swings by a
 * hundred megabytes, as V8 keeps freed pages for a while; what remains after one is what the server holds.
 */
async function collectGarbage({ output }: ServerProcess): Promise<void> {
  const address = /Debugger listening on (ws:\S+)/.exec(output())?.[1];
  if (address === undefined) throw new Error("the server tells no address of its inspector");
  const inspector = new WebSocket(address);
  await new Promise<void>((resolve, reject) => {
    inspector.onerror = () => reject(new Error(`no inspector answers at ${address}`));
    inspector.onopen = () => inspector.send(JSON.stringify({ id: 1, method: "HeapProfiler.collectGarbage" }));
    inspector.onmessage = () => resolve();
  });
  inspector.close();
}

/** Megabytes a minute, by least squares. */
function slopeOf(samples: readonly Sample[], of: "resident" | "heap"): number {
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [x, y] = [mean(samples.map(({ minute }) => minute)), mean(samples.map((sample) => sample[of]))];
  const above = samples.reduce((sum, sample) => sum + (sample.minute - x) * (sample[of] - y), 0);
  return above / samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
}

test(
  `after ${restMinutes} minutes at rest server and PostgreSQL take at most ${restMegabytes} MB`,
  async () => {
    dataDir = await mkdtemp(join(tmpdir(), "herdwise-rest-"));
    server = await startServerProcess({ DATA_DIR: dataDir, DEMO_DOCUMENTS: "on", NODE_ENV: "production" });
    const postgres = (await findRunningPostgres(dataDir))?.pid ?? 0;
    await wait(restMinutes * 60_000);
    const ofServer = proportionalMegabytes(server.pid);
    const ofPostgres = [postgres, ...childrenOf(postgres)].reduce((sum, one) => sum + proportionalMegabytes(one), 0);
    console.log(`at rest: server ${ofServer.toFixed(0)} MB, PostgreSQL ${ofPostgres.toFixed(0)} MB`);
    expect(ofServer + ofPostgres).toBeLessThan(restMegabytes);
  },
  (restMinutes + 5) * 60_000,
);

test(
  `${minutes} minutes of the demo with its simulator: memory and descriptors stay where they are`,
  async () => {
    dataDir = await mkdtemp(join(tmpdir(), "herdwise-soak-"));
    const inspector = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };
    server = await startServerProcess({ DATA_DIR: dataDir, SIMULATOR: "on", NODE_ENV: "production", ...inspector });
    const { pid, httpPort } = server;
    const begun = performance.now();
    const minute = () => (performance.now() - begun) / 60_000;
    const samples: Sample[] = [];
    while (minute() < minutes) {
      await wait(sampleMs);
      await collectGarbage(server);
      samples.push({
        minute: minute(),
        resident: residentMegabytes(pid),
        heap: await heapMegabytes(httpPort),
        descriptors: readdirSync(`/proc/${pid}/fd`).length,
      });
    }
    const steady = samples.filter((sample) => sample.minute > warmUpMinutes);
    const [resident, heap] = (["resident", "heap"] as const).map((of) => slopeOf(steady, of)) as [number, number];
    const half = Math.floor(steady.length / 2);
    const most = (list: readonly Sample[]) => Math.max(...list.map(({ descriptors }) => descriptors));
    const descriptors = [most(steady.slice(0, half)), most(steady.slice(half))];
    for (const { minute, resident, heap } of samples.filter((_, index) => index % 10 === 0))
      console.log(`minute ${minute.toFixed(1)}: resident ${resident.toFixed(1)} MB, heap ${heap.toFixed(1)} MB`);
    console.log(
      `soak: ${minutes} minutes, of them ${warmUpMinutes} to warm up; resident ${resident.toFixed(3)} MB a minute, heap ${heap.toFixed(3)} MB a minute, ` +
        `descriptors at most ${descriptors.join(", then ")}`,
    );
    expect(descriptors[1]).toBeLessThanOrEqual((descriptors[0] ?? 0) + connectionsInPlay);
    expect(heap).toBeLessThan(slopeMegabytes);
    expect(resident).toBeLessThan(slopeMegabytes);
  },
  (minutes + 5) * 60_000,
);
