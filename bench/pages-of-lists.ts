// `npm run bench:pages-of-lists`: first pages of 20 rows with count of the lists that people open most, beside a bare Fastify handler that
// answers 20 made-up rows, in one run; and the processor time of a request, server and database, beside the departments' page. Ends with 1
// when a bound is broken.
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { parseArgs } from "node:util";
import { tokenHeader } from "@herdwise/contract";
import { fromNewAddress, tokenOfDemo } from "../tests/harness/session.ts";
import { openPlace, quantile } from "./stream-place.ts";

const { values: flags } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "16" },
  },
});
const rounds = Number(flags.rounds);
const seconds = Number(flags.seconds);
const connections = Number(flags.connections);
/** Of the acceptance: share of the bare handler's rate, and processor time beside the departments' page. */
const bounds = { rate: 0.4, processor: 1.4 };

const lists = [
  { name: "departments", account: "admin", path: "/api/muyuan-system/dept/page?size=20" },
  { name: "devices", account: "farm", path: "/api/muyuan-iot/device/page?size=20" },
  { name: "registry", account: "admin", path: "/api/muyuan-iot/registry/page?size=20" },
  { name: "alarms", account: "farm", path: "/api/muyuan-iot/alarm/page?size=20" },
  { name: "users", account: "admin", path: "/api/muyuan-system/user/page?size=20" },
  { name: "work orders", account: "admin", path: "/api/muyuan-work-order/desk/page?size=20&queue=all" },
  { name: "customers", account: "admin", path: "/api/muyuan-customer/customer/page?size=20&view=all" },
  { name: "contracts", account: "admin", path: "/api/muyuan-contract/desk/page?size=20&queue=all" },
] as const;

const agent = new Agent({ keepAlive: true, maxSockets: connections });
const get = (address: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(address, { agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end();
  });

/** Requests of all connections for a time. @returns answered requests a second */
async function load(address: string, headersOf: () => Record<string, string>, forS: number): Promise<number> {
  const until = performance.now() + forS * 1000;
  let answered = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      const status = await get(address, headersOf());
      if (status !== 200) throw new Error(`${address}: ${status}`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return answered / forS;
}

const place = await openPlace();
const bare = fork(new URL("bare-rows.ts", import.meta.url), [], { execArgv: [] });
const [barePort] = (await once(bare, "message")) as [number];
const broken: string[] = [];
try {
  const tokens = new Map<string, string[]>();
  for (const account of ["admin", "farm"]) {
    const held: string[] = [];
    while (held.length < 60) held.push((await tokenOfDemo(place.address, account)).access_token);
    tokens.set(account, held);
  }
  await place.pool.query("analyze");
  let requests = 0;
  const headersOf = (account: string) => () => {
    requests += 1;
    const held = tokens.get(account) ?? [];
    return { [tokenHeader]: `bearer ${held[requests % held.length]}`, ...fromNewAddress() };
  };
  const bareAddress = `http://127.0.0.1:${barePort}/list`;
  for (const { account, path } of lists) await load(`${place.address}${path}`, headersOf(account), 1);
  await load(bareAddress, () => ({}), 1);
  const rates = new Map<string, number[]>(lists.map(({ name }) => [name, []]));
  const costs = new Map<string, { server: number; database: number }[]>(lists.map(({ name }) => [name, []]));
  const bareRates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bareRates.push(await load(bareAddress, () => ({}), seconds));
    for (const { name, account, path } of lists) {
      const before = await place.processor();
      const rate = await load(`${place.address}${path}`, headersOf(account), seconds);
      const after = await place.processor();
      const answered = rate * seconds;
      rates.get(name)?.push(rate);
      costs.get(name)?.push({
        server: (after.server - before.server) / answered,
        database: (after.database - before.database) / answered,
      });
    }
  }
  const median = (list: readonly number[]): number => quantile(list, 0.5);
  const ceiling = median(bareRates);
  console.log(
    `${connections} connections; a bare handler answers 20 made-up rows ${ceiling.toFixed(0)} times a second\n`,
  );
  const costOf = (name: string) => {
    const of = costs.get(name) ?? [];
    return { server: median(of.map(({ server }) => server)), database: median(of.map(({ database }) => database)) };
  };
  const departments = costOf("departments");
  for (const { name } of lists) {
    const rate = median(rates.get(name) ?? []);
    const { server, database } = costOf(name);
    const share = rate / ceiling;
    const times = (server + database) / (departments.server + departments.database);
    console.log(
      `  ${name.padEnd(14)} ${rate.toFixed(0).padStart(5)} a second, ${share.toFixed(2)} of bare   processor µs: server ${server.toFixed(0).padStart(5)}, database ${database.toFixed(0).padStart(5)}, ${times.toFixed(2)} of the departments'`,
    );
    if (name === "departments") continue;
    if (share < bounds.rate) broken.push(`${name}: ${share.toFixed(2)} of the bare handler, at least ${bounds.rate}`);
    if (times > bounds.processor)
      broken.push(`${name}: ${times.toFixed(2)} of the departments' processor time, at most ${bounds.processor}`);
  }
} finally {
  bare.kill();
  agent.destroy();
  await place.close();
}
console.log(
  broken.length === 0 ? "\nevery bound is held" : `\nbroken:\n${broken.map((line) => `  ${line}`).join("\n")}`,
);
process.exitCode = broken.length === 0 ? 0 : 1;
