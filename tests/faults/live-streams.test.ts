import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, type ClientRequest, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { basic, md5 } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/** So many that what they cost stands out of what the heap takes and gives back meanwhile, some 25 MB. */
const streams = volume({ short: 900, long: 2000 });
const devices = 50;
const keys = 20;
/** A session may open 60 streams a minute, an address 1,200. */
const streamsOfSession = 50;
const streamsOfAddress = 1000;
/**
 * What a stream may cost beside its socket's own: the readings are there once. Of runs on one machine it was 19 to 93, by what the
 * collector had left before.
 */
const streamKilobytes = 120;

let server: ServerProcess | undefined;
let dataDir: string;
afterEach(async () => {
  await server?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

const megabytesOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

test(`${streams} live streams open together: other requests pass between them, and memory holds`, async () => {
  dataDir = await mkdtemp(join(tmpdir(), "herdwise-live-"));
  server = await startServerProcess({ DATA_DIR: dataDir, TRUST_PROXY: "127.0.0.1" });
  const { httpPort, pid } = server;
  const base = `http://127.0.0.1:${httpPort}`;
  const logIn = async () => {
    const path = `/api/muyuan-auth/oauth/token?grant_type=password&username=farm&password=${md5(demoPassword)}`;
    const answer = await fetch(base + path, { method: "POST", headers: { authorization: basic } });
    return ((await answer.json()) as { access_token: string }).access_token;
  };
  const sessions: string[] = [];
  while (sessions.length < streams / streamsOfSession) sessions.push(await logIn());
  const signedIn = (at: number) => ({
    authorization: basic,
    "muyuan-auth": `bearer ${sessions[at % sessions.length]}`,
    "x-forwarded-for": `10.0.0.${1 + Math.floor(at / streamsOfAddress)}`,
  });
  const page = await fetch(`${base}/api/muyuan-iot/device/page?current=1&size=${devices}`, { headers: signedIn(0) });
  const { data } = (await page.json()) as { data: { records: { id: string; serialNumber: string }[] } };
  expect(data.records).toHaveLength(devices);
  const readings = JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, at) => [`key${at}`, at])));
  for (const { serialNumber } of data.records) {
    const answer = await fetch(`${base}/api/v1/demo-${serialNumber}/telemetry`, { method: "POST", body: readings });
    expect(answer.status).toBe(200);
  }

  const live = `/api/muyuan-iot/live?ids=${data.records.map(({ id }) => id).join(",")}`;
  const agent = new Agent({ maxSockets: streams });
  const open: ClientRequest[] = [];
  /** Resolves when the snapshot of all devices has come. */
  const openStream = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      let events = 0;
      let rest = "";
      const sent = request(
        { agent, host: "127.0.0.1", port: httpPort, path: live, headers: signedIn(at) },
        (answer) => {
          if (answer.statusCode !== 200) return reject(new Error(`answered ${answer.statusCode}`));
          answer.setEncoding("utf8").on("data", (text: string) => {
            const parts = (rest + text).split("\n\n");
            rest = parts.pop() ?? "";
            events += parts.filter((part) => part.startsWith("event: telemetry")).length;
            if (events >= devices) resolve();
          });
          answer.on("error", () => undefined);
          answer.on("end", () => reject(new Error("the stream ended before its snapshot was whole")));
        },
      );
      sent.on("error", reject);
      sent.end();
      open.push(sent);
    });

  const before = megabytesOf(pid);
  let peak = before;
  let running = true;
  const waits: number[] = [];
  const others = (async () => {
    while (running) {
      const asked = performance.now();
      const answer = await fetch(`${base}/api/muyuan-system/user/info`, { headers: signedIn(0) });
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
      waits.push(performance.now() - asked);
      peak = Math.max(peak, megabytesOf(pid));
      // The calls of a session are limited.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  const begun = performance.now();
  await Promise.all(Array.from({ length: streams }, (_, at) => openStream(at)));
  const openedMs = performance.now() - begun;
  running = false;
  await others;
  const worst = Math.max(...waits);
  console.log(
    `live streams: ${streams} open after ${Math.round(openedMs)} ms, ${waits.length} other requests meanwhile, the slowest took ` +
      `${Math.round(worst)} ms, memory rose by ${Math.round(peak - before)} MB`,
  );
  for (const one of open) one.destroy();
  agent.destroy();
  // Behind the streams' own work a request would wait for most of it.
  expect(worst).toBeLessThan(openedMs / 2);
  expect(((peak - before) * 1024) / streams).toBeLessThan(streamKilobytes);
});
