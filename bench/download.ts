// `npm run bench:download`: history as it is downloaded, in each format, of one device with 10 keys: readings a second, the longest time
// for which other requests wait, and by how much the memory grows over a tenth of the rows. Ends with 1 when it grows with the length.
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { openDatabase } from "../apps/server/src/database/connection.ts";
import { startEmbeddedPostgres } from "../apps/server/src/database/embedded-postgres.ts";
import { silentLog } from "../apps/server/src/database/log.ts";
import { migrate } from "../apps/server/src/database/migrate.ts";
import { createHistoryDownloads } from "../apps/server/src/modules/telemetry/download.service.ts";
import { historyRepository } from "../apps/server/src/modules/telemetry/history.repository.ts";
import { createSeries } from "../apps/server/src/modules/telemetry/series.service.ts";
import { telemetryRepository, utcDay } from "../apps/server/src/modules/telemetry/telemetry.repository.ts";
import { systemScope, tenantScopeOf } from "../apps/server/src/tenant-scope.ts";
import { insertDevices } from "../tests/faults/devices.ts";

const { values: flags } = parseArgs({ options: { rows: { type: "string", default: "500000" } } });
const rows = Number(flags.rows);
const dayMs = 86_400_000;
const everyMs = 10_000;
/** What the memory may grow by over the whole history beyond what a tenth of it takes, in MB. */
const boundMb = 60;
const keys = ["t_in", "t_out", "rh", "co2", "nh3", "dp", "fan_pct", "heat_pct", "water", "kwh"];
const numbers = new Map(keys.map((key, number) => [key, number]));
const rssMb = (): number => process.memoryUsage.rss() / 1e6;

const directory = await mkdtemp(join(tmpdir(), "herdwise-bench-"));
const postgres = await startEmbeddedPostgres({ directory, log: silentLog, settings: { fsync: "off" } });
const url = postgres.url();
const database = openDatabase({ url, poolSize: 4, applicationName: "herdwise-bench", log: silentLog });
let grown = 0;

try {
  await migrate(database, silentLog);
  const telemetry = telemetryRepository(database, systemScope("a benchmark fills its own device"));
  const [device] = await insertDevices({ url, database, drop: async () => undefined }, 1);
  if (device === undefined) throw new Error("the device is not there");
  await telemetry.addKeys([{ deviceId: device.id, keys }]);
  const end = Math.floor(Date.now() / dayMs) * dayMs;
  const start = end - rows * everyMs;
  for (let day = Math.floor(start / dayMs) * dayMs; day < end; day += dayMs)
    await telemetry.createPartition(utcDay(day));
  for (let begin = start; begin < end; begin += 2000 * everyMs) {
    const times = Array.from({ length: 2000 }, (_, at) => begin + at * everyMs).filter((ts) => ts < end);
    const values = (ts: number) =>
      Object.fromEntries(keys.map((key, at) => [key, Math.round(Math.sin(ts / 4e6 + at) * 400) / 10 + at * 20]));
    const of = times.map((ts) => ({ at: ts * 1000, clockSkew: false, values: values(ts) }));
    const newestAt = (times.at(-1) ?? begin) * 1000;
    await telemetry.store(
      [{ deviceId: device.id, numbers, rows: of }],
      [{ deviceId: device.id, readings: {}, oldestAt: newestAt, newestAt, onlineUntil: end }],
    );
  }
  const history = historyRepository(database.kysely, database.prepared);
  const { read } = createSeries({
    history,
    retention: () => ({ rawMs: 5000 * dayMs, minuteMs: 5000 * dayMs, hourMs: 5000 * dayMs }),
    now: () => end,
  });
  const downloads = createHistoryDownloads({ history, read });
  const scope = tenantScopeOf({
    tenantId: "900001",
    everyTenant: false,
    rows: { all: true, departmentIds: [], own: false },
    accountId: "1",
    membershipId: "1",
    departmentId: "",
    remoteAddress: "",
  });

  /** Downloads a part of the history. @returns bytes, seconds, the highest memory, the longest wait of others in ms */
  const run = async (format: "csv" | "ndjson" | "parquet", share: number) => {
    global.gc?.();
    const leaving = new AbortController();
    const query = { ids: device.id, start, end: start + (end - start) * share, format } as const;
    const { content } = await downloads.begin(scope, query, leaving.signal);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const begun = performance.now();
    let bytes = 0;
    let peak = 0;
    for await (const piece of content) {
      bytes += Buffer.byteLength(piece);
      peak = Math.max(peak, rssMb());
    }
    delay.disable();
    return { bytes, peak, seconds: (performance.now() - begun) / 1000, waitMs: delay.max / 1e6 };
  };
  const [cpu] = cpus();
  console.log(`${cpus().length} x ${cpu?.model}; ${rows} rows, ${rows * keys.length} readings`);
  // Heap and buffers of a server that has run for a while.
  for (const format of ["csv", "ndjson", "parquet"] as const) await run(format, 0.2);
  for (const format of ["csv", "ndjson", "parquet"] as const) {
    const tenth = await run(format, 0.1);
    const whole = await run(format, 1);
    const growth = whole.peak - tenth.peak;
    grown = Math.max(grown, growth);
    console.log(
      `${format}: ${(whole.bytes / 1e6).toFixed(0)} MB in ${whole.seconds.toFixed(1)} s, ` +
        `${Math.round((rows * keys.length) / whole.seconds / 1000)}k readings/s, others wait ${whole.waitMs.toFixed(0)} ms at most, ` +
        `memory ${tenth.peak.toFixed(0)} MB over a tenth, ${whole.peak.toFixed(0)} MB over all (+${growth.toFixed(0)})`,
    );
  }
} finally {
  await database.close();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
if (grown > boundMb) console.log(`the memory grows by ${grown.toFixed(0)} MB, at most ${boundMb} is meant`);
process.exit(grown > boundMb ? 1 : 0);
