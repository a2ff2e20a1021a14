import { vi } from "vitest";
import type { Database } from "../../apps/server/src/database/connection.ts";

type Pool = Database["pool"];

/** What every request may write about itself. */
export const bookkeeping: Readonly<Record<string, readonly string[]>> = { sessions: ["last_seen_at"] };
/** What the server's own jobs write, whoever calls. */
export const jobTables: ReadonlySet<string> = new Set([
  "servers",
  "telemetry_volumes",
  "telemetry_retention",
  "device_states",
  // What was judged and rolled up of values that devices sent before.
  "alarm_states",
  "own_alarm_rule_states",
  "telemetry_minutes",
  "telemetry_hours",
  "telemetry_days",
]);

/** Names of all tables. */
/** Sums over telemetry that a job makes by the clock, in partitions that it adds; the telemetry itself is compared. */
const rollUps = /^telemetry_(minutes|hours|days)(_\d+)?$/;

const tablesOf = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  return rows.map(({ name }) => name);
};

/** Waits until the jobs that calls before began are over, and their people told: what they write is nobody's call. */
export const jobsDone = (pool: Pool): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await pool.query<{ jobs: number; told: number; open: number }>(
        `select count(*) filter (where state in ('succeeded', 'failed'))::int as jobs,
                count(*) filter (where state in ('queued', 'running'))::int as open,
                (select count(*)::int from messages where link like '/selfCenter/jobs%') as told from background_jobs`,
      );
      const [{ jobs, told, open } = { jobs: 0, told: 0, open: 0 }] = rows;
      if (open > 0 || told < jobs) throw new Error(`${open} jobs run, ${jobs - told} people wait for word`);
    },
    { timeout: 15_000, interval: 20 },
  );

/** A hash per table, all rows and columns but the bookkeeping of requests and what jobs write. */
export async function snapshotOf(pool: Pool): Promise<Record<string, string>> {
  await jobsDone(pool);
  return rowsNow(pool);
}

/** The same for a database on which no job runs. */
export async function rowsNow(pool: Pool): Promise<Record<string, string>> {
  const tables = (await tablesOf(pool)).filter((table) => !jobTables.has(table) && !rollUps.test(table));
  const parts = tables.map((table) => {
    const left = (bookkeeping[table] ?? []).map((column) => ` - '${column}'`).join("");
    return `select '${table}' as name, coalesce(md5(string_agg(md5(row::text), '' order by md5(row::text))), '') as hash from (select to_jsonb(t)${left} as row from "${table}" t) as rows`;
  });
  const { rows } = await pool.query<{ name: string; hash: string }>(parts.join(" union all "));
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

/** Every row of every table as text, for looking for what must not be there. */
export async function dumpOf(pool: Pool): Promise<string> {
  let dump = "";
  for (const table of await tablesOf(pool)) {
    const { rows } = await pool.query<{ text: string }>(
      `select coalesce(string_agg(t::text, E'\\n'), '') as text from "${table}" t`,
    );
    dump += `${table}\n${rows[0]?.text}\n`;
  }
  return dump;
}
