import { type Kysely, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { migrationState } from "../../database/migrate.ts";
import { agreementSeeds } from "../../database/seeds/agreements.ts";
import { groupTenantId } from "../../database/seeds/foundation.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";
import type { DatabaseFacts } from "./facts.ts";

/** Of a table or schema that is not there yet. */
const notThere = new Set(["42P01", "3F000"]);
const ownTable = "0520_outcomes.sql";

type Inside = NonNullable<DatabaseFacts["inside"]>;
const ms = (at: Date | null): number | undefined => at?.getTime();

type DatabaseFigures = Pick<DatabaseFacts, "clockOffMs" | "connections" | "oldestTransactionS" | "bytes">;

/** What the checks of the installation read. @param db a pool */
export function healthRepository(db: Kysely<DB>) {
  const applied = async () => {
    try {
      const { rows } = await sql<{ name: string; checksum: string; at: Date }>`
        select name, checksum, applied_at as at from public.schema_migrations order by name collate "C"`.execute(db);
      return rows;
    } catch (error) {
      if (notThere.has((error as { code?: string }).code ?? "")) return [];
      throw error;
    }
  };

  /** What the database tells of itself, and how long that took. @param clock milliseconds of this machine's clock */
  const facts = async (clock: () => number): Promise<DatabaseFigures & { version: string; answeredMs: number }> => {
    const began = performance.now();
    const sentMs = clock();
    const { rows } = await sql<{
      version: string;
      at: Date;
      used: number;
      most: number;
      oldest: number;
      bytes: string;
    }>`
      select current_setting('server_version') as version, clock_timestamp() as at,
             (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
             current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
             (select coalesce(extract(epoch from now() - min(xact_start)), 0)::float8 from pg_stat_activity
               where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend') as oldest,
             pg_database_size(current_database()) as bytes`.execute(db);
    const answeredMs = performance.now() - began;
    const [row] = rows;
    if (row === undefined) throw new Error("the database told nothing of itself");
    return {
      version: row.version,
      answeredMs,
      clockOffMs: row.at.getTime() - (sentMs + answeredMs / 2),
      connections: { used: row.used, most: row.most },
      oldestTransactionS: row.oldest,
      bytes: Number(row.bytes),
    };
  };

  return {
    /**
     * @param clock milliseconds of this machine's clock
     * @param folder of the migrations, for tests
     */
    async server(
      clock: () => number,
      folder?: string,
    ): Promise<Omit<DatabaseFacts, "inside"> & { outcomesSince: Date | undefined }> {
      const { version, answeredMs, ...figures } = await facts(clock);
      const done = await applied();
      const state = await migrationState(done, folder);
      return {
        version: version.split(" ")[0] ?? version,
        answeredMs,
        ...figures,
        migrations: { applied: done.length, ...state },
        outcomesSince: done.find(({ name }) => name === ownTable)?.at,
      };
    },

    /** What /metrics tells of the database: the cheap half of `server`. @param clock milliseconds of this machine's clock */
    async figures(clock: () => number): Promise<DatabaseFigures> {
      const { version: _version, answeredMs: _answeredMs, ...figures } = await facts(clock);
      return figures;
    },

    /** Since when outcomes of jobs are noted; undefined while migrations are missing. */
    outcomesSince: async (): Promise<Date | undefined> => (await applied()).find(({ name }) => name === ownTable)?.at,

    /** Notices of alarms that are due and were not sent. @param scope because they are of all tenants */
    async notices(scope: SystemScope): Promise<{ waiting: number; overdueS: number }> {
      requireSystemScope(scope);
      const { rows } = await sql<{ waiting: number; overdue: number }>`
        select count(*)::int as waiting, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as overdue
          from alarm_notices where state = 'waiting' and due_at < now()`.execute(db);
      return { waiting: rows[0]?.waiting ?? 0, overdueS: rows[0]?.overdue ?? 0 };
    },

    async jobs(outcomesSince: Date): Promise<Pick<Inside, "jobs" | "queueS">> {
      try {
        const { rows } = await sql<{
          job: string;
          cron: string;
          since: Date;
          ok: Date | null;
          failed: Date | null;
          fault: string;
        }>`
          select s.key as job, s.cron, greatest(s.created_on, ${outcomesSince}, o.succeeded_at) as since, o.succeeded_at as ok,
                 case when o.failed_at > coalesce(o.succeeded_at, '-infinity') then o.failed_at end as failed, coalesce(o.fault, '') as fault
            from jobs.schedule s left join public.job_outcomes o on o.job = s.key order by s.key`.execute(db);
        const { rows: queue } = await sql<{ waits: number }>`
          select coalesce(extract(epoch from now() - min(start_after)), 0)::float8 as waits from jobs.job
           where state in ('created', 'retry') and start_after < now()`.execute(db);
        return {
          jobs: rows.map(({ job, cron, since, ok, failed, fault }) => ({
            job,
            cron,
            sinceMs: since.getTime(),
            succeeded: ok !== null,
            ...(failed && { failedMs: failed.getTime() }),
            fault,
          })),
          queueS: queue[0]?.waits ?? 0,
        };
      } catch (error) {
        // The queue makes its tables at the first start, after the migrations.
        if (notThere.has((error as { code?: string }).code ?? "")) return { jobs: [], queueS: 0 };
        throw error;
      }
    },

    async services(): Promise<Pick<Inside, "outcomes" | "spent" | "servers" | "versions">> {
      const outcomes = await db.selectFrom("serviceOutcomes").selectAll().execute();
      const spent = await db.selectFrom("outOfMoney").select("channel").execute();
      const { rows: servers } = await sql<{ count: number }>`
        select count(*)::int as count from servers where seen_at > now() - interval '15 seconds'`.execute(db);
      const { rows: versions } = await sql<{ version: string }>`
        select distinct split_part(application_name, ' ', 2) as version from pg_stat_activity
         where datname = current_database() and application_name like 'herdwise %' order by 1`.execute(db);
      return {
        outcomes: outcomes.map(({ service, succeededAt, failedAt, fault }) => {
          const [succeededMs, failedMs] = [ms(succeededAt), ms(failedAt)];
          return {
            service,
            ...(succeededMs !== undefined && { succeededMs }),
            ...(failedMs !== undefined && { failedMs }),
            fault,
          };
        }),
        spent: spent.map(({ channel }) => channel),
        servers: servers[0]?.count ?? 0,
        versions: versions.map(({ version }) => version),
      };
    },

    async people(scope: SystemScope): Promise<Pick<Inside, "administrators" | "outlets" | "ownAgreements">> {
      const { rows: people } = await sql<{ count: number }>`
        select count(distinct m.account_id)::int as count
          from memberships m
          join membership_roles g on g.membership_id = m.id
          join roles r on r.id = g.role_id and r.role_alias = 'administrator'
          join accounts a on a.id = m.account_id and a.status = 1
         where m.tenant_id = ${groupTenantId} and ${inScope(scope, "m")}`.execute(db);
      const { rows: outlets } = await sql<{ count: number }>`
        select count(*)::int as count from service_departments where status = '1'`.execute(db);
      const agreements = await db
        .selectFrom("agreementVersions")
        .select("kind")
        .distinct()
        .where(
          "id",
          "not in",
          agreementSeeds.map(({ id }) => id),
        )
        .execute();
      return {
        administrators: people[0]?.count ?? 0,
        outlets: outlets[0]?.count ?? 0,
        ownAgreements: agreements.map(({ kind }) => kind),
      };
    },
  };
}
export type HealthRepository = ReturnType<typeof healthRepository>;
