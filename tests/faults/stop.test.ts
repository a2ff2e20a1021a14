import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { findRunningPostgres } from "../../apps/server/src/database/embedded-postgres.ts";
import { isProcessAlive } from "../../apps/server/src/database/process-identity.ts";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { scratchFolder } from "../harness/scratch-folder.ts";
import { basic, md5 } from "../harness/session.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { openLive } from "./live-reader.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/** Clients that always have a request under way, each on a connection that it keeps. */
const readers = 188;
/** Log-ins take long, because their password hashes wait for each other. */
const comers = 12;
const streams = 40;

let server: ServerProcess | undefined;
let dataDir: string;
afterEach(async () => {
  await server?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

/** Arguments of a process; none when it has just ended. */
const argumentsOf = (pid: string): string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
};

test("SIGTERM after the stand-in for the mall was killed ends within its time and leaves no PostgreSQL and no open token behind", async () => {
  dataDir = await mkdtemp(join(await scratchFolder(), "herdwise-stop-"));
  const fleet = join(dataDir, "fleet.json");
  // As earlier versions left it.
  await writeFile(fleet, "[]", { mode: 0o644 });
  server = await startServerProcess({ DATA_DIR: dataDir, MALL_URL: "", SIMULATOR: "on" });
  expect([(await stat(fleet)).mode & 0o777, (await stat(fleet)).size > 1000]).toEqual([0o600, true]);
  const sandbox = readdirSync("/proc").find(
    (pid) => /^\d+$/.test(pid) && argumentsOf(pid).includes(`http://127.0.0.1:${server?.httpPort}`),
  );
  process.kill(Number(sandbox), "SIGKILL");
  await vi.waitFor(() => expect(isProcessAlive(Number(sandbox))).toBe(false));
  const postgres = await findRunningPostgres(dataDir);
  expect(postgres).toBeDefined();
  const begun = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(onThisMachine(5000));
  expect(isProcessAlive(postgres?.pid ?? 0)).toBe(false);
});

interface Outcome {
  status?: number;
  complete?: boolean;
  error?: string;
}

test(`R16: SIGTERM with ${readers + comers} requests and ${streams} live streams in flight: every one is answered, the end comes within 10 s`, async () => {
  dataDir = await mkdtemp(join(await scratchFolder(), "herdwise-stop-"));
  server = await startServerProcess({ DATA_DIR: dataDir });
  const { httpPort } = server;
  const base = `http://127.0.0.1:${httpPort}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1000 });
  const send = (method: string, path: string, headers: Record<string, string>): Promise<Outcome> =>
    new Promise((resolve) => {
      const sent = request(
        { agent, host: "127.0.0.1", port: httpPort, method, path, headers: { authorization: basic, ...headers } },
        (answer: IncomingMessage) => {
          answer.resume();
          answer.on("close", () =>
            resolve({ ...(answer.statusCode && { status: answer.statusCode }), complete: answer.complete }),
          );
        },
      );
      sent.on("error", (error) => resolve({ error: String(error) }));
      sent.end();
    });
  const logInPath = `/api/muyuan-auth/oauth/token?grant_type=password&username=farm&password=${md5(demoPassword)}`;
  const logIn = async () => {
    const answer = await fetch(`${base}${logInPath}`, { method: "POST", headers: { authorization: basic } });
    return ((await answer.json()) as { access_token: string }).access_token;
  };
  // Several sessions, because the calls of one are limited.
  const sessions = await Promise.all(Array.from({ length: 10 }, logIn));
  const withToken = (at: number) => ({ "muyuan-auth": `bearer ${sessions[at % sessions.length]}` });
  const devices = await fetch(`${base}/api/muyuan-iot/device/page?current=1&size=50`, {
    headers: { authorization: basic, ...withToken(0) },
  });
  const page = (await devices.json()) as { data: { records: { id: string }[] } };
  const ids = page.data.records.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(0);
  const open = await Promise.all(
    Array.from({ length: streams }, (_, at) => openLive(base, { authorization: basic, ...withToken(at) }, ids)),
  );

  const underWay = new Map<number, Promise<Outcome>>();
  let answered = 0;
  let running = true;
  const work = async (at: number): Promise<void> => {
    while (running) {
      const outcome =
        at < comers ? send("POST", logInPath, {}) : send("GET", "/api/muyuan-system/user/info", withToken(at));
      underWay.set(at, outcome);
      await outcome;
      answered += 1;
    }
  };
  const clients = Array.from({ length: readers + comers }, (_, at) => work(at));
  await vi.waitFor(() => expect(answered).toBeGreaterThan(500), { timeout: 15_000, interval: 5 });
  running = false;
  const inFlight = [...underWay.values()];
  const begun = performance.now();
  process.kill(server.pid, "SIGTERM");
  const outcomes = await Promise.all(inFlight);
  await Promise.all(clients);
  // Streams end as a page expects it, not by a reset.
  await Promise.all(open.map(({ ended }) => ended));
  expect(await server.exited()).toBe(0);
  const tookMs = performance.now() - begun;
  console.log(
    `stop: ${inFlight.length} requests and ${streams} streams in flight, ended after ${Math.round(tookMs)} ms`,
  );
  expect(outcomes).toHaveLength(readers + comers);
  expect(outcomes.filter(({ status, complete }) => status !== 200 || complete !== true)).toEqual([]);
  expect(tookMs).toBeLessThan(onThisMachine(10_000));
  agent.destroy();
});

test("with STOP_DELAY_SECONDS a server says 503 at once and takes work all the same; a second SIGTERM ends the wait", async () => {
  dataDir = await mkdtemp(join(await scratchFolder(), "herdwise-stop-"));
  server = await startServerProcess({ DATA_DIR: dataDir, STOP_DELAY_SECONDS: "60" });
  const base = `http://127.0.0.1:${server.httpPort}`;
  const ready = async () => (await fetch(`${base}/readyz`)).status;
  expect(await ready()).toBe(200);
  process.kill(server.pid, "SIGTERM");
  await expect.poll(ready).toBe(503);
  const report = await fetch(`${base}/api/v1/demo-ENV-ZJY-01/telemetry`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"t_in":21}',
  });
  expect(report.status).toBe(200);
  const begun = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(onThisMachine(10_000));
});
