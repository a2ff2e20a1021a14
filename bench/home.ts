// `npm run bench:home`: how many visitors a second the home page is served to, beside a bare handler that renders an empty
// page with React Router, both in this run. Ends with 1 when the bound is broken.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startServerProcess } from "../tests/faults/server-process.ts";
import { goal } from "./goals.ts";

const { values: flags } = parseArgs({ options: { seconds: { type: "string", default: "4" } } });
/** Bound of the acceptance. */
const leastRatio = 0.5;
const connections = 16;
const rounds = 3;

const agent = new Agent({ keepAlive: true, maxSockets: connections });
const get = (target: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(target, { agent, headers: { "Accept-Encoding": "identity" } }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on("end", () =>
        answer.statusCode === 200 ? resolve(bytes) : reject(new Error(`${target}: ${answer.statusCode}`)),
      );
    });
    sent.on("error", reject);
    sent.end();
  });

/** Pages a second. */
async function rateOf(target: string): Promise<number> {
  const begun = performance.now();
  const until = begun + Number(flags.seconds) * 1000;
  let served = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        await get(target);
        served += 1;
      }
    }),
  );
  return (served * 1000) / (performance.now() - begun);
}

const directory = await mkdtemp(join(tmpdir(), "herdwise-bench-"));
const server = await startServerProcess({ DATA_DIR: directory, NODE_ENV: "production" });
const ceiling = fork(new URL("empty-page.ts", import.meta.url));
try {
  const [port] = (await once(ceiling, "message")) as [number];
  const targets = [`http://127.0.0.1:${server.httpPort}/index`, `http://127.0.0.1:${port}/index`] as const;
  console.log(`home page of ${await get(targets[0])} bytes; ${cpus().length} cores shared with this program`);
  const rates = targets.map((): number[] => []);
  for (const target of targets) await rateOf(target);
  // In turn, so that what disturbs the machine meets both.
  for (let round = 0; round < rounds; round += 1)
    for (const [at, target] of targets.entries()) rates[at]?.push(await rateOf(target));
  const [home = 0, empty = 1] = rates.map((list) => list.toSorted((a, b) => a - b)[rounds >> 1] ?? 0);
  const ratio = home / empty;
  console.log(`  home page      ${home.toFixed(0).padStart(6)} a second`);
  console.log(
    `  empty page     ${empty.toFixed(0).padStart(6)} a second, of which the home page reaches ${ratio.toFixed(2)}`,
  );
  goal({
    name: "home page",
    measured: home,
    unit: "a second",
    limit: empty * leastRatio,
    side: "least",
    ceiling: { what: "an empty page", measured: empty },
  });
  if (ratio < leastRatio) {
    console.log(`  BROKEN: less than ${leastRatio}`);
    process.exitCode = 1;
  }
} finally {
  ceiling.kill();
  agent.destroy();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}
