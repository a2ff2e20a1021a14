import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

const dayMs = 86_400_000;

/**
 * Tables that are dropped by whole partitions, with the number of characters of `20261122` that name one: a UTC day of raw
 * rows, a month of minutes, a year of hours.
 */
const partNames = { telemetry: 8, telemetryMinutes: 6, telemetryHours: 4 } as const;
export type PartitionedTable = keyof typeof partNames;
const tableNames = {
  telemetry: "telemetry",
  telemetryMinutes: "telemetry_minutes",
  telemetryHours: "telemetry_hours",
} as const;

/** First and last day of a partition (yyyy-MM-dd, UTC), the last excluded. */
export interface Partition {
  from: string;
  to: string;
}

/**
 * The partition for a time.
 * @param at ms since 1970
 */
export function partitionAt(table: PartitionedTable, at: number): Partition {
  const day = new Date(at).toISOString().slice(0, 10);
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  if (table === "telemetry") return { from: day, to: dayOf(Date.parse(day) + dayMs) };
  if (table === "telemetryMinutes") return { from: `${day.slice(0, 7)}-01`, to: dayOf(Date.UTC(year, month, 1)) };
  return { from: `${day.slice(0, 4)}-01-01`, to: dayOf(Date.UTC(year + 1, 0, 1)) };
}

const nameOf = (table: PartitionedTable, { from }: Partition): string =>
  `${tableNames[table]}_${from.replaceAll("-", "").slice(0, partNames[table])}`;

/**
 * Partitions of telemetry and its roll-ups, which contain rows of all tenants.
 * @param db a pool or an open transaction
 */
export function partitionRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  const list = async (table: PartitionedTable): Promise<Partition[]> => {
    const { rows } = await sql<{ part: string }>`
      select substr(c.relname, ${tableNames[table].length + 2}) as part
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = ${tableNames[table]}::regclass order by 1`.execute(db);
    return rows.map(({ part }) => {
      const padded = `${part}0101`.slice(0, 8);
      return partitionAt(
        table,
        Date.parse(
          `${padded.slice(0, 4)}-${part.length > 4 ? padded.slice(4, 6) : "01"}-${part.length > 6 ? padded.slice(6) : "01"}`,
        ),
      );
    });
  };
  const lock = (transaction: Kysely<DB>) =>
    sql`select pg_advisory_xact_lock(hashtext('telemetry partitions'))`.execute(transaction);

  const inTransaction = <T>(work: (transaction: Kysely<DB>) => Promise<T>): Promise<T> =>
    db.isTransaction ? work(db) : db.transaction().execute(work);

  return {
    list,

    /**
     * Creates a partition, also when several servers do so at once; it is attached under a weak lock, so that inserts continue.
     */
    async create(table: PartitionedTable, partition: Partition): Promise<void> {
      const name = nameOf(table, partition);
      await inTransaction(async (transaction) => {
        await lock(transaction);
        const { rows } = await sql<{ held: string | null }>`select to_regclass(${name})::text as held`.execute(
          transaction,
        );
        if (rows[0]?.held) return;
        await sql`create table ${sql.ref(name)} (like ${sql.table(tableNames[table])} including defaults)`.execute(
          transaction,
        );
        await sql`alter table ${sql.table(tableNames[table])} attach partition ${sql.ref(name)}
          for values from (${sql.lit(`${partition.from} 00:00:00+00`)}) to (${sql.lit(`${partition.to} 00:00:00+00`)})`.execute(
          transaction,
        );
      });
    },

    /**
     * Drops partitions that end at or before a day; of several servers at once, each partition is dropped by one.
     * @param day yyyy-MM-dd, UTC
     * @returns number that this server dropped
     */
    dropBefore: (table: PartitionedTable, day: string): Promise<number> =>
      inTransaction(async (transaction) => {
        await lock(transaction);
        const old = (await partitionRepository(transaction, scope).list(table)).filter(({ to }) => to <= day);
        for (const held of old) await sql`drop table ${sql.ref(nameOf(table, held))}`.execute(transaction);
        return old.length;
      }),
  };
}
export type PartitionRepository = ReturnType<typeof partitionRepository>;
