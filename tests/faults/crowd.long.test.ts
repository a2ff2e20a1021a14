import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { scratchFolder } from "../harness/scratch-folder.ts";
import { basic, tokenOfDemo } from "../harness/session.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { residentMegabytes, type ServerProcess, startServerProcess } from "./server-process.ts";

const slow = 2000;
const idle = 1000;
/** Until a head or a body that comes too slowly is answered 408. */
const slowLimitMs = 20_000;
const graceMs = 5000;

let server: ServerProcess | undefined;
let dataDir: string;
afterEach(async () => {
  await server?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

test(`R27: ${slow} slow and ${idle} idle connections: others are answered with a p99 of 500 ms, the slow ones are closed within 20 s`, async () => {
  dataDir = await mkdtemp(join(await scratchFolder(), "herdwise-crowd-"));
  server = await startServerProcess({ DATA_DIR: dataDir, LOG_LEVEL: "fatal", NODE_ENV: "production" });
  const { httpPort, pid } = server;
  const address = `http://127.0.0.1:${httpPort}`;
  const { access_token: token } = await tokenOfDemo(address, "farm");
  const before = residentMegabytes(pid);
  const open = (text: string) =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(httpPort, "127.0.0.1", () => {
        socket.write(text);
        resolve(socket);
      });
      socket.once("error", reject);
    });
  const closedAfterMs: number[] = [];
  const crowd: Socket[] = [];
  const timers: NodeJS.Timeout[] = [];
  for (let at = 0; at < slow; at += 1) {
    const isBody = at % 2 === 0;
    const socket = await open(
      isBody
        ? `POST /api/muyuan-auth/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{`
        : "GET / HTTP/1.1\r\nHost: x\r\n",
    );
    const begun = performance.now();
    socket.resume();
    socket.on("error", () => undefined);
    socket.on("close", () => closedAfterMs.push(performance.now() - begun));
    timers.push(setInterval(() => socket.writable && socket.write(isBody ? " " : "X-A: b\r\n"), 1000));
    crowd.push(socket);
  }
  for (let at = 0; at < idle; at += 1) {
    const socket = await open("");
    socket.on("error", () => undefined);
    crowd.push(socket);
  }
  const times: number[] = [];
  const until = performance.now() + slowLimitMs + graceMs;
  while (performance.now() < until) {
    const begun = performance.now();
    const answer = await fetch(`${address}/api/muyuan-iot/device/page?size=20`, {
      headers: { Authorization: basic, "Muyuan-Auth": `bearer ${token}` },
    });
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
    times.push(performance.now() - begun);
    await wait(60);
  }
  for (const timer of timers) clearInterval(timer);
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  const last = Math.max(...closedAfterMs);
  const grown = residentMegabytes(pid) - before;
  console.log(
    `crowd: ${times.length} requests beside ${slow} slow and ${idle} idle connections, p99 ${p99.toFixed(0)} ms; ` +
      `${closedAfterMs.length} closed, the last after ${(last / 1000).toFixed(1)} s; ${grown.toFixed(0)} MB more`,
  );
  expect(closedAfterMs).toHaveLength(slow);
  expect(last).toBeLessThan(slowLimitMs + onThisMachine(graceMs));
  expect(p99).toBeLessThan(onThisMachine(500));
  for (const socket of crowd) socket.destroy();
}, 300_000);
