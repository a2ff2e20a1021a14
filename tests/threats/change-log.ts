import { vi } from "vitest";
import type { Database } from "../../apps/server/src/database/connection.ts";

type Pool = Database["pool"];

/** What every request may write about itself. */
const bookkeeping: Readonly<Record<string, readonly string[]>> = { sessions: ["last_seen_at"] };
/** Tables whose changes are not looked at: the log itself, and what the server notes of every call, refused ones among them. */
const unseen = ["change_log", "usual_logs", "api_logs", "error_logs"];
/** What the server's own jobs write, whoever calls. */
const jobTables: ReadonlySet<string> = new Set([
  "servers",
  // How a job by the clock, or a service of others, ended last.
  "job_outcomes",
  "service_outcomes",
  "telemetry_volumes",
  "telemetry_retention",
  "device_readings",
  "device_states",
  // What was judged and rolled up of values that devices sent before.
  "alarm_states",
  "own_alarm_rule_states",
  "telemetry_minutes",
  "telemetry_hours",
  "telemetry_days",
  // The index of names follows what a call writes, and imports later.
  "finds",
  "finds_waiting",
]);

/** Waits until the jobs that calls before began are over, and their people told: what they write is nobody's call. */
export const jobsDone = (pool: Pool): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await pool.query<{ jobs: number; told: number; open: number }>(
        `select count(*) filter (where state in ('succeeded', 'failed'))::int as jobs,
                count(*) filter (where state in ('queued', 'running'))::int + (select count(*)::int from data_exports d
                   where d.ready_at is null or not exists (select from messages g where g.account_id = d.account_id and g.title = '您的数据可以下载了')) as open,
                (select count(*)::int from messages where link like '/selfCenter/jobs%') as told from background_jobs`,
      );
      const [{ jobs, told, open } = { jobs: 0, told: 0, open: 0 }] = rows;
      if (open > 0 || told < jobs) throw new Error(`${open} jobs run, ${jobs - told} people wait for word`);
    },
    { timeout: 15_000, interval: 20 },
  );

type Row = Record<string, unknown>;

/** A row that was inserted, changed or deleted since the log was last read. */
export interface Change {
  table: string;
  operation: "INSERT" | "UPDATE" | "DELETE" | "TRUNCATE";
  before: Row | null;
  after: Row | null;
}

/** Takes the clock's jobs out: what is due at a full minute or five would be changed between two calls, and be taken for theirs. */
async function stopClock(pool: Pool): Promise<void> {
  await pool.query("delete from jobs.schedule");
  await pool.query("delete from jobs.job where name = 'clock' and state in ('created', 'retry')");
  await vi.waitFor(
    async () => {
      const { rows } = await pool.query("select from jobs.job where name = 'clock' and state = 'active'");
      if (rows.length > 0) throw new Error("jobs of the clock run");
    },
    { timeout: 15_000, interval: 20 },
  );
}

/**
 * Has the database note every change of a row with what is committed of it. Hundreds of operations are told apart by it: reading
 * every row of every table before and after each of them would take most of the time of these tests.
 */
export async function startChangeLog(pool: Pool): Promise<void> {
  await stopClock(pool);
  await pool.query(`
    create unlogged table change_log (
      id bigint generated always as identity, name text, operation text, before jsonb, after jsonb);
    create function note_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'TRUNCATE' then
        insert into change_log (name, operation) values (tg_argv[0], tg_op);
      else
        insert into change_log (name, operation, before, after) values (tg_argv[0], tg_op,
          case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end);
      end if;
      return null;
    end $$`);
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> all($1)`,
    [unseen],
  );
  for (const { name } of rows) {
    await pool.query(`
      create trigger note_rows after insert or update or delete on "${name}" for each row execute function note_change('${name}');
      create trigger note_truncate after truncate on "${name}" for each statement execute function note_change('${name}')`);
  }
}

/** What was changed since the last call, once the jobs that calls began are over. */
export async function takeChanges(pool: Pool): Promise<Change[]> {
  await jobsDone(pool);
  return takeChangesNow(pool);
}

/** The same for a database on which no job runs. */
export async function takeChangesNow(pool: Pool): Promise<Change[]> {
  const { rows } = await pool.query<Change>(
    `with taken as (delete from change_log returning *)
     select name as table, operation, before, after from taken order by id`,
  );
  return rows;
}

/**
 * Columns that were changed as `table.column`, and tables with rows that came (`table +`) or went (`table -`). What every request
 * writes about itself, and what the server's own jobs write, is left out.
 */
export function changedBy(changes: readonly Change[]): string[] {
  const found = new Set<string>();
  for (const { table, operation, before, after } of changes) {
    if (jobTables.has(table)) continue;
    if (operation === "INSERT") found.add(`${table} +`);
    else if (operation !== "UPDATE") found.add(`${table} -`);
    for (const [column, value] of operation === "UPDATE" ? Object.entries(after ?? {}) : []) {
      const differs = JSON.stringify(before?.[column]) !== JSON.stringify(value);
      if (differs && !bookkeeping[table]?.includes(column)) found.add(`${table}.${column}`);
    }
  }
  return [...found].sort();
}
