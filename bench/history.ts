// `npm run bench:history`: a chart over 30 days as the server reads it, beside the bare statement for the same points, with a
// history and with one ten times as long. Also charts over five years, of which 95 of 100 may take as long as product demands, and what
// a raw row takes. With `--devices 5 --days 183 --every 1800` the long history is one of five years. Ends with 1 when a bound is broken.
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDatabase } from "../apps/server/src/database/connection.ts";
import { startEmbeddedPostgres } from "../apps/server/src/database/embedded-postgres.ts";
import { silentLog } from "../apps/server/src/database/log.ts";
import { migrate } from "../apps/server/src/database/migrate.ts";
import { historyRepository } from "../apps/server/src/modules/telemetry/history.repository.ts";
import { partitionRepository } from "../apps/server/src/modules/telemetry/partition.repository.ts";
import { rollUpRepository } from "../apps/server/src/modules/telemetry/roll-up.repository.ts";
import { createRollUps } from "../apps/server/src/modules/telemetry/roll-up.service.ts";
import { createSeries } from "../apps/server/src/modules/telemetry/series.service.ts";
import { telemetryRepository, utcDay } from "../apps/server/src/modules/telemetry/telemetry.repository.ts";
import { systemScope, tenantScopeOf } from "../apps/server/src/tenant-scope.ts";
import { insertDevices } from "../tests/faults/devices.ts";
import { goal } from "./goals.ts";
import { openOutsidePlace } from "./outside-place.ts";

const { values: flags } = parseArgs({
  options: {
    devices: { type: "string", default: "20" },
    days: { type: "string", default: "33" },
    /** Seconds between two messages of a device. */
    every: { type: "string", default: "300" },
    rounds: { type: "string", default: "300" },
  },
});
const dayMs = 86_400_000;
const hourMs = 3_600_000;
const deviceCount = Number(flags.devices);
const days = Number(flags.days);
const everyMs = Number(flags.every) * 1000;
const rounds = Number(flags.rounds);
const bounds = { overBare: 1.5, overShort: 1.2, fiveYearsMs: 300 };
const keys = ["t_in", "t_out", "rh", "co2", "nh3", "dp", "fan_pct", "heat_pct", "water", "kwh"];
const numbers = new Map(keys.map((key, number) => [key, number]));
const quantile = (list: readonly number[], share: number): number =>
  [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0;
const median = (list: readonly number[]): number => quantile(list, 0.5);

const directory = await mkdtemp(join(tmpdir(), "herdwise-bench-"));
const outside = process.env.DATABASE_URL;
const postgres = outside === undefined ? await startEmbeddedPostgres({ directory, log: silentLog }) : undefined;
const place = outside === undefined ? undefined : await openOutsidePlace(outside, Number(process.env.BENCH_NODES ?? 0));
const url = postgres?.url() ?? place?.url ?? "";
const database = openDatabase({ url, poolSize: 4, applicationName: "herdwise-bench", log: silentLog });
const { kysely, pool } = database;
const broken: string[] = [];

try {
  await migrate(database, silentLog);
  await place?.distribute();
  const system = systemScope("a benchmark fills and rolls up its own devices");
  const scope = tenantScopeOf({
    tenantId: "900001",
    everyTenant: false,
    rows: { all: true, departmentIds: [], own: false },
    accountId: "1",
    membershipId: "1",
    departmentId: "",
    remoteAddress: "",
  });
  const telemetry = telemetryRepository(database, system);
  const devices = await insertDevices({ url, database, drop: async () => undefined }, deviceCount);
  await telemetry.addKeys(devices.map(({ id }) => ({ deviceId: id, keys })));
  // Half an hour into the running one, as charts find it.
  const now = Math.floor(Date.now() / hourMs) * hourMs + hourMs / 2;

  /** Messages of all devices in [from, to), as they come: time by time, some devices in a batch. */
  const fill = async (from: number, to: number): Promise<void> => {
    for (let day = Math.floor(from / dayMs) * dayMs; day < to; day += dayMs)
      await telemetry.createPartition(utcDay(day));
    const perBatch = Math.ceil(2000 / deviceCount);
    for (let begin = from; begin < to; begin += perBatch * everyMs) {
      const times = Array.from({ length: perBatch }, (_, at) => begin + at * everyMs).filter((ts) => ts < to);
      const parts = devices.map(({ id }, place) => ({
        deviceId: id,
        numbers,
        rows: times.map((ts) => ({
          at: ts * 1000,
          clockSkew: false,
          values: Object.fromEntries(
            keys.map((key, at) => [key, Math.round(Math.sin(ts / 4e6 + at + place) * 400) / 10 + at * 20]),
          ),
        })),
      }));
      const newestAt = (times.at(-1) ?? begin) * 1000;
      const changes = parts.map(({ deviceId }) => ({
        deviceId,
        readings: {},
        oldestAt: newestAt,
        newestAt,
        onlineUntil: now,
      }));
      await telemetry.store(parts, changes);
    }
  };
  const rollUps = createRollUps({
    inTransaction: (work) => kysely.transaction().execute((transaction) => work(rollUpRepository(transaction, system))),
    partitions: partitionRepository(kysely, system),
    now: () => now,
  });
  const { read } = createSeries({
    history: historyRepository(kysely, database.prepared),
    retention: () => ({ rawMs: 5000 * dayMs, minuteMs: 5000 * dayMs, hourMs: 5000 * dayMs }),
    now: () => now,
  });

  const order = (id: string, spanMs: number) =>
    ({ ids: [id], keys: ["t_in"], start: now - spanMs, end: now, resolution: "auto" }) as const;
  const bare = (id: string) =>
    pool.query({
      text: `select extract(epoch from hour)::float8 * 1000 as ts, min, sum / count as mean, max from telemetry_hours
              where device_id = $1 and key = $2 and hour >= $3 and hour < $4 order by hour`,
      values: [id, "t_in", new Date(now - 30 * dayMs), new Date(now)],
    });
  const bareDays = (id: string) =>
    pool.query({
      text: `select extract(epoch from day::timestamp at time zone 'Asia/Shanghai')::float8 * 1000 as ts, min, sum / count as mean, max
               from telemetry_days where device_id = $1 and key = $2 and day >= $3 and day < $4 order by day`,
      values: [id, "t_in", new Date(now - 5 * 365 * dayMs), new Date(now)],
    });
  const time = async (work: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  const measure = async () => {
    await pool.query("vacuum analyze");
    const figures = { chart: [] as number[], bare: [] as number[], all: [] as number[], bareAll: [] as number[] };
    for (let round = -20; round < rounds; round += 1) {
      const { id } = devices[(round + 20) % devices.length] as { id: string };
      // In turn, so that a busy machine slows both.
      const chart = await time(() => read(scope, order(id, 30 * dayMs)));
      const alone = await time(() => bare(id));
      const all = await time(() => read(scope, order(id, 5 * 365 * dayMs)));
      const aloneAll = await time(() => bareDays(id));
      if (round < 0) continue;
      figures.chart.push(chart);
      figures.bare.push(alone);
      figures.all.push(all);
      figures.bareAll.push(aloneAll);
    }
    const { chart, bare: alone, all, bareAll } = figures;
    return {
      chart: median(chart),
      bare: median(alone),
      all: median(all),
      allP95: quantile(all, 0.95),
      bareAllP95: quantile(bareAll, 0.95),
    };
  };

  const report = async (spanDays: number, figures: Awaited<ReturnType<typeof measure>>): Promise<void> => {
    const { rows } = await pool.query<{
      rows: string;
      hours: string;
      bytes: string;
      minutes: string;
      hour_bytes: string;
    }>(
      `select (select count(*) from telemetry) as rows, (select count(*) from telemetry_hours) as hours,
              (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'telemetry'::regclass) as bytes,
              (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'telemetry_minutes'::regclass) as minutes,
              (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'telemetry_hours'::regclass) as hour_bytes`,
    );
    const [row] = rows;
    const raw = Number(row?.rows);
    console.log(
      `  ${String(spanDays).padStart(4)} days: 30 days ${figures.chart.toFixed(2)} ms, bare ${figures.bare.toFixed(2)} ms ` +
        `(${(figures.chart / figures.bare).toFixed(2)}), 5 years ${figures.all.toFixed(2)} ms; ${raw} messages, ${row?.hours} hours`,
    );
    console.log(
      `             95 of 100 charts of 5 years within ${figures.allP95.toFixed(2)} ms, ${(figures.allP95 / figures.bareAllP95).toFixed(2)} of the bare SQL for these days`,
    );
    console.log(
      `             ${(Number(row?.bytes) / raw).toFixed(0)} bytes a raw message, ${(Number(row?.minutes) / raw).toFixed(0)} more for ` +
        `its minutes, ${(Number(row?.hour_bytes) / Number(row?.hours)).toFixed(0)} bytes an hour of a key`,
    );
  };

  const { rows: version } = await pool.query<{ server_version: string }>("show server_version");
  console.log(`\nPostgreSQL ${version[0]?.server_version}; ${cpus().length} cores; Node ${process.versions.node}`);
  console.log(`${deviceCount} devices, ${keys.length} values every ${flags.every} s, medians of ${rounds} rounds\n`);
  const signal = new AbortController().signal;
  const roll = async (messages: number): Promise<void> => {
    const tookMs = await time(() => rollUps.run(signal));
    console.log(`  rolled up ${Math.round(messages / (tookMs / 1000))} messages/s`);
  };
  const perDay = (deviceCount * dayMs) / everyMs;
  await fill(now - days * dayMs, now);
  await roll(perDay * days);
  const short = await measure();
  await report(days, short);
  await fill(now - 10 * days * dayMs, now - days * dayMs);
  await roll(perDay * days * 9);
  const long = await measure();
  await report(10 * days, long);
  for (const [span, { chart, bare: alone }] of [
    ["the history", short],
    ["ten times of it", long],
  ] as const) {
    goal({
      name: `chart of 30 days, ${span}`,
      measured: chart,
      unit: "ms",
      limit: alone * bounds.overBare,
      ceiling: { what: "the bare SQL", measured: alone },
    });
    if (chart / alone > bounds.overBare)
      broken.push(`with ${span} the chart takes ${(chart / alone).toFixed(2)} of the bare SQL`);
  }
  goal({ name: "chart of five years, p95", measured: long.allP95, unit: "ms", limit: bounds.fiveYearsMs });
  if (long.allP95 > bounds.fiveYearsMs)
    broken.push(`of charts of five years 95 of 100 take ${long.allP95.toFixed(0)} ms`);
  // Against the bare statement of the same minutes: what else runs on the machine has changed meanwhile.
  const growth = long.chart / long.bare / (short.chart / short.bare);
  console.log(
    `\n  after ten times the history: ${(long.chart / short.chart).toFixed(2)} of the time, ${growth.toFixed(2)} against the bare SQL`,
  );
  if (Math.min(growth, long.chart / short.chart) > bounds.overShort)
    broken.push(`ten times the history take ${growth.toFixed(2)} of the time`);
} finally {
  await database.close();
  await postgres?.stop();
  await place?.remove();
  await rm(directory, { recursive: true, force: true });
}
for (const line of broken) console.log(`  BROKEN: ${line}`);
if (broken.length > 0) process.exitCode = 1;
