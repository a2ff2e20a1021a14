// `npm run bench`: how many values per second go from MQTT QoS 1 to a commit, beside what the broker and the database can
// do alone. Each round measures all three, so that a busy machine slows all of them.
import { fork } from "node:child_process";
import { on } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { createApp } from "../apps/server/src/app.ts";
import { readConfig } from "../apps/server/src/config.ts";
import { openDatabase } from "../apps/server/src/database/connection.ts";
import { startEmbeddedPostgres } from "../apps/server/src/database/embedded-postgres.ts";
import { silentLog } from "../apps/server/src/database/log.ts";
import { migrate } from "../apps/server/src/database/migrate.ts";
import { demoDevices, demoTokenPrefix, seedDemo } from "../apps/server/src/database/seeds/demo.ts";
import { seedFoundation } from "../apps/server/src/database/seeds/foundation.ts";
import { telemetryRepository, type Uplink } from "../apps/server/src/modules/telemetry/index.ts";
import { pack } from "../apps/server/src/modules/telemetry/packing.ts";
import { startBroker } from "../apps/server/src/mqtt/broker.ts";
import { memoryBus } from "../apps/server/src/providers/bus.ts";
import { memoryStore } from "../apps/server/src/providers/store.ts";
import { systemScope } from "../apps/server/src/tenant-scope.ts";
import { goal } from "./goals.ts";
import type { LoadOrder, LoadResult } from "./load.ts";
import { openOutsidePlace } from "./outside-place.ts";
import { postgresPid, processorUs } from "./processor.ts";

const valuesPerMessage = 10;
const { values: flags } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "50" },
    window: { type: "string", default: "64" },
    /** Only the ingest, for a profiler. */
    only: { type: "string" },
  },
});
const rounds = Number(flags.rounds);
const connections = Number(flags.connections);
/** As the server writes: transactions of so many rows, so many at a time. */
const unnestBatch = 2000;
const unnestLanes = 2;

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
const log = pino({ level: "warn" });

async function openPlace() {
  const outside = process.env.DATABASE_URL;
  if (outside) {
    const nodes = Number(process.env.BENCH_NODES ?? 0);
    const place = await openOutsidePlace(outside, nodes);
    return {
      ...place,
      what: `PostgreSQL of DATABASE_URL${nodes > 0 ? `, distributed over ${nodes} nodes` : ""}`,
      pid: async () => undefined,
    };
  }
  const directory = await mkdtemp(join(tmpdir(), "herdwise-bench-"));
  const postgres = await startEmbeddedPostgres({ directory, log: silentLog });
  return {
    what: `embedded PostgreSQL ${postgres.version}, all durability settings on`,
    url: postgres.url(),
    pid: () => postgresPid(directory),
    distribute: async () => undefined,
    async remove() {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Microseconds of processor time that one message took, in each process. */
interface CpuPerMessage {
  load: number;
  server: number;
  /** NaN where the processes of the database can't be seen. */
  database: number;
}

async function runLoad(order: LoadOrder, databaseCpu: () => Promise<number>) {
  const child = fork(fileURLToPath(new URL("load.ts", import.meta.url)), [], { execArgv: [] });
  // All of them from the beginning on: the last two may come at once where this process is busy.
  const messages = on(child, "message");
  const said = async () => ((await messages.next()).value as [LoadResult | "begin" | "end"])[0];
  child.send(order);
  const both = async () => {
    const { user, system } = process.cpuUsage();
    return { server: user + system, database: await databaseCpu() };
  };
  await said();
  const before = await both();
  await said();
  const after = await both();
  const { measured, cpuUs, ...rest } = (await said()) as LoadResult;
  const cpu: CpuPerMessage = {
    load: cpuUs / measured,
    server: (after.server - before.server) / measured,
    database: (after.database - before.database) / measured,
  };
  return { measured, ...rest, cpu };
}

const place = await openPlace();
try {
  const database = openDatabase({ url: place.url, poolSize: 16, applicationName: "herdwise-bench", log: silentLog });
  await migrate(database, silentLog);
  await place.distribute();
  const app = await createApp({
    config: readConfig({ DEMO: "on", SIMULATOR: "off", ...(process.env.DATABASE_URL && { DATABASE_URL: place.url }) }),
    log,
    database,
    bus: memoryBus(),
    store: memoryStore(),
    secretKey: "a key for the benchmark that is long enough",
    webBuild: join(tmpdir(), "no-web-build"),
    health: { whyNotReady: async () => undefined },
  });
  await seedFoundation(database.kysely, app.nextId);
  await seedDemo(database.kysely, app.nextId, app.hashPassword);
  await app.start();
  const databasePid = await place.pid();
  const databaseCpu = () => processorUs(databasePid);
  const tokens = demoDevices()
    .slice(0, connections)
    .map(({ serialNumber }) => `${demoTokenPrefix}${serialNumber}`);
  if (tokens.length < connections) throw new Error(`there are only ${tokens.length} demo devices`);
  const { rows: idRows } = await database.pool.query<{ id: string }>("select id from devices order by id limit $1", [
    connections,
  ]);
  const ids = idRows.map(({ id }) => id);

  /** The broker with everything but the data: whoever connects is welcome, and a message is done when it arrives. */
  const idle: Uplink = {
    ...app.uplink,
    telemetry: () => Promise.resolve(undefined),
    opened: () => undefined,
    closed: () => undefined,
  };
  const broker = { uplink: idle, log, host: "127.0.0.1", port: 0, orNextFree: false };

  let stored = 0;
  let fromMs = 0;
  const measure = async (uplink: Uplink) => {
    const started = await startBroker({ ...broker, uplink });
    const order: LoadOrder = {
      port: started.port,
      tokens,
      connections,
      windowMessages: Number(flags.window),
      warmUpMs: 1000,
      measureMs: Number(flags.seconds) * 1000,
      fromMs,
    };
    const result = await runLoad(order, databaseCpu);
    fromMs = result.lastMs;
    await started.stop();
    return result;
  };

  const values = {
    t_in: 21.4,
    t_out: 4.2,
    rh: 61.5,
    co2: 1480,
    nh3: 8.2,
    dp: -12.5,
    fan_pct: 35,
    heat_pct: 10,
    water: 1834.25,
    mode: "normal",
  };
  const numbers = new Map(Object.keys(values).map((key, number) => [key, number]));
  /** Rows of several contents, as the messages have several. */
  const packed = Array.from({ length: 64 }, (_, at) =>
    pack({ ...values, t_in: 21.4 + at / 10, co2: 1480 + at * 7, dp: -12.5 - at / 4, water: 1834.25 + at }, numbers),
  );
  // In a partition of its own that is made as the server makes them: no message has such a time, and no rule looks back so far.
  let unnestTs = (Math.floor(Date.now() / 86_400_000) - 2) * 86_400_000;
  const unnestDay = new Date(unnestTs).toISOString().slice(0, 10);
  await telemetryRepository(database, systemScope("rows of the benchmark")).createPartition(unnestDay);
  // Its vacuum would run in the turn of the ingest that follows, and be counted there.
  await database.pool.query(`alter table telemetry_${unnestDay.replaceAll("-", "")} set (autovacuum_enabled = off)`);
  let unnestStored = 0;
  /** The rows alone: no newest values, no presence, no hours noted. Each lane has devices of its own, a device's rows lie together. */
  const unnest = async (): Promise<{ rows: number; ms: number; server: number; database: number }> => {
    const half = ids.length / unnestLanes;
    const perDevice = Math.ceil(unnestBatch / half);
    const until = performance.now() + Number(flags.seconds) * 1000;
    const before = { own: process.cpuUsage(), database: await databaseCpu() };
    const begun = performance.now();
    let rows = 0;
    const writeLane = async (lane: number) => {
      const mine = ids.slice(lane * half, (lane + 1) * half);
      const at = Array.from({ length: mine.length * perDevice }, (_, i) => i);
      for (let ts = unnestTs; performance.now() < until; ts += perDevice) {
        await database.pool.query(
          `insert into telemetry (device_id, ts, packed)
           select r.device_id, r.ts, r.packed from unnest($1::bigint[], $2::timestamptz[], $3::bytea[]) as r (device_id, ts, packed)`,
          [
            at.map((i) => mine[Math.floor(i / perDevice)]),
            at.map((i) => new Date(ts + (i % perDevice))),
            at.map((i) => packed[i % packed.length]),
          ],
        );
        rows += at.length;
      }
    };
    await Promise.all(Array.from({ length: unnestLanes }, (_, lane) => writeLane(lane)));
    const ms = performance.now() - begun;
    const own = process.cpuUsage(before.own);
    unnestTs += 3_600_000;
    unnestStored += rows;
    return { rows, ms, server: own.user + own.system, database: (await databaseCpu()) - before.database };
  };

  const figures = {
    ingest: [] as number[],
    broker: [] as number[],
    unnest: [] as number[],
    p50: [] as number[],
    p99: [] as number[],
  };
  const cpu = { ingest: [] as CpuPerMessage[], broker: [] as CpuPerMessage[], unnest: [] as CpuPerMessage[] };
  const perSecond = ({ measured, measuredMs }: Pick<LoadResult, "measured" | "measuredMs">) =>
    (measured / measuredMs) * 1000;
  for (let round = 0; round < rounds; round += 1) {
    if (flags.only === undefined) {
      const broker = await measure(idle);
      figures.broker.push(perSecond(broker));
      cpu.broker.push(broker.cpu);
      const { rows, ms, server, database: databaseUs } = await unnest();
      figures.unnest.push((rows / ms) * 1000);
      cpu.unnest.push({ load: 0, server: server / rows, database: databaseUs / rows });
    }
    const result = await measure(app.uplink);
    stored += result.acknowledged;
    cpu.ingest.push(result.cpu);
    figures.ingest.push(perSecond(result));
    figures.p50.push(result.latencyMs.p50);
    figures.p99.push(result.latencyMs.p99);
  }

  const { rows } = await database.pool.query<{ rows: string; bytes: string }>(
    `select (select count(*) from telemetry) as rows,
            (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'telemetry'::regclass) as bytes`,
  );
  const expected = stored + unnestStored;
  const found = Number(rows[0]?.rows);
  const ingest = median(figures.ingest);
  const number = (value: number) => Math.round(value).toLocaleString("en").padStart(10);
  const line = (name: string, messages: number) =>
    console.log(`  ${name.padEnd(46)}${number(messages)} messages/s ${number(messages * valuesPerMessage)} values/s`);
  console.log(`\n${place.what}; ${cpus().length} cores shared with the load generator; Node ${process.versions.node}`);
  console.log(`${connections} connections, QoS 1, ${valuesPerMessage} values a message, medians of ${rounds} rounds\n`);
  line("MQTT to commit", ingest);
  if (flags.only === undefined) {
    line("(a) the broker alone", median(figures.broker));
    line("(b) the same rows by UNNEST, no broker", median(figures.unnest));
    console.log(`\n  MQTT to commit / broker alone   ${(ingest / median(figures.broker)).toFixed(2)}`);
    console.log(`  MQTT to commit / UNNEST         ${(ingest / median(figures.unnest)).toFixed(2)}`);
  }
  // Others on the machine take from the speed, hardly from the processor time that a message costs.
  const cpuLine = (name: string, of: readonly CpuPerMessage[]): number => {
    const [load, server, data] = [
      median(of.map((one) => one.load)),
      median(of.map((one) => one.server)),
      median(of.map((one) => one.database)),
    ];
    const parts = [load, server, data].map((us) => us.toFixed(1).padStart(6)).join(" ");
    console.log(`  ${name.padEnd(46)}${parts}  = ${(load + server + data).toFixed(1)} µs`);
    return load + server + data;
  };
  console.log("\n  processor time of a message: load generator, server, database");
  const ingestUs = cpuLine("MQTT to commit", cpu.ingest);
  if (flags.only === undefined) {
    const both = cpuLine("(a) the broker alone", cpu.broker) + cpuLine("(b) UNNEST", cpu.unnest);
    // Both share the cores with the load generator: what costs nothing beside (a) and (b) is as fast as this and no faster.
    console.log(`  (a) and (b) together / MQTT to commit  ${(both / ingestUs).toFixed(2)}`);
    goal({
      name: `processor time of a message of ${valuesPerMessage} values, MQTT to commit`,
      measured: ingestUs,
      unit: "µs",
      ceiling: { what: "the broker alone and the rows by UNNEST", measured: both },
    });
    goal({
      name: `messages of ${valuesPerMessage} values, MQTT to commit`,
      measured: ingest,
      unit: "a second",
      ceiling: { what: "the broker alone", measured: median(figures.broker) },
    });
    goal({ name: "PUBACK after, 99 in 100", measured: median(figures.p99), unit: "ms" });
  }
  console.log(
    `\n  PUBACK after                    ${median(figures.p50).toFixed(0)} ms (median), ${median(figures.p99).toFixed(0)} ms (99 in 100)`,
  );
  console.log(`  all rounds, messages/s          ${figures.ingest.map((value) => Math.round(value)).join(" ")}`);
  console.log(
    `  acknowledged = stored           ${found === expected ? "yes" : `NO: ${expected.toLocaleString("en")} acknowledged`} (${found.toLocaleString("en")} rows, ${Math.round(Number(rows[0]?.bytes) / found)} bytes each)\n`,
  );
  if (found !== expected) process.exitCode = 1;
  await app.stop();
  await database.close();
} finally {
  await place.remove();
}
