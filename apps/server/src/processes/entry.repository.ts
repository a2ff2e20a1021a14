import { type Kysely, sql } from "kysely";
import { inRowScope, inScope, personName } from "../database/conditions.ts";
import type { DB } from "../database/generated/database.ts";
import { rowNumber } from "../row-number.ts";
import { accountOf, isSystemScope, type SystemScope, type TenantScope } from "../tenant-scope.ts";
import { type Changes, nextNumber } from "./row.repository.ts";

/** A line of the history of a row. */
interface NewEntry {
  id: string;
  rowId: string;
  tenantId: string;
  event: string;
  party: string;
  /** Afterwards. */
  state: string;
  /** What the event was asked, by field. */
  words: Readonly<Record<string, unknown>>;
}

/** Most lines of a row that are read. */
const mostLines = 200;

/**
 * Rows of a process that is a resource, and the lines of their history.
 * @param db a pool or an open transaction @param of its name, its table, and what its rows are read from
 */
export function entryRepository(db: Kysely<DB>, of: { name: string; table: string; view?: string | undefined }) {
  const table = sql.table(of.table);
  const reached = (scope: TenantScope | SystemScope) =>
    isSystemScope(scope) ? inScope(scope, "t") : sql`${inScope(scope, "t")} and ${inRowScope(scope, "t")}`;
  return {
    /** @param lock holds the row until the transaction ends */
    async find<Row>(scope: TenantScope | SystemScope, id: string, lock: boolean): Promise<Row | undefined> {
      const one = sql`t.id = ${id} and ${reached(scope)}`;
      if (lock) await sql`select from ${table} t where ${one} for no key update`.execute(db);
      return (await sql<Row>`select t.* from ${sql.table(of.view ?? of.table)} t where ${one}`.execute(db)).rows[0];
    },

    /**
     * Adds a row, of the scope's tenant and person where the row names nobody else.
     * @returns false where a unique index has one already
     */
    async add(scope: TenantScope | SystemScope, row: { id: string; state: string } & Changes): Promise<boolean> {
      const whole = {
        ...(!isSystemScope(scope) && {
          tenantId: scope.tenantId,
          createdBy: scope.accountId,
          createdDept: scope.departmentId || null,
          updatedBy: scope.accountId,
        }),
        ...row,
      };
      const { numAffectedRows = 0n } = await sql`
        insert into ${table} (${sql.join(Object.keys(whole).map((column) => sql.ref(column)))})
        values (${sql.join(Object.values(whole))}) on conflict do nothing`.execute(db);
      return numAffectedRows > 0n;
    },

    /** Writes what a step changes. Callers hold the row and looked at its state. */
    async move(scope: TenantScope | SystemScope, id: string, state: string, changes: Changes): Promise<void> {
      const set = Object.entries({ ...changes, updatedBy: accountOf(scope) ?? sql`updated_by` }).map(
        ([column, value]) => sql`${sql.ref(column)} = ${value}`,
      );
      await sql`
        update ${table} t set state = ${state}, state_at = case when t.state = ${state} then t.state_at else now() end,
               version = t.version + 1, updated_at = now(), ${sql.join(set)}
         where t.id = ${id} and ${reached(scope)}`.execute(db);
    },

    async note(scope: TenantScope | SystemScope, { words, ...entry }: NewEntry): Promise<void> {
      await db
        .insertInto("processEntries")
        .values({ ...entry, process: of.name, accountId: accountOf(scope), words: JSON.stringify(words) })
        .execute();
    },

    /** Removes the history of rows that an undone import takes back; the audit trail keeps what happened. */
    async forget(scope: TenantScope, ids: readonly string[]): Promise<void> {
      await sql`
        delete from process_entries e where e.process = ${of.name} and e.row_id = any(${[...ids]}::bigint[]) and ${inScope(scope, "e")}`.execute(
        db,
      );
    },

    /** The next number of a day, such as `SB-261127-001`. @param day yyyy-MM-dd */
    async nextNumber(letters: string, day: string): Promise<string> {
      return rowNumber(letters, day, await nextNumber(db, "processNumbers", { process: of.name, day }));
    },

    /**
     * What happened to a row and to those that belong to it, newest first. Callers found the row within their scope.
     * @param links process and id of the other rows
     */
    async lines(
      scope: TenantScope,
      row: { id: string; tenantId: string },
      links: readonly (readonly [process: string, id: string])[],
    ) {
      const all = [[of.name, row.id] as const, ...links];
      const { rows } = await sql<{
        id: string;
        process: string;
        rowId: string;
        event: string;
        party: string;
        state: string;
        words: Record<string, unknown>;
        actorName: string;
        createTime: Date;
      }>`
        select e.id, e.process, e.row_id as "rowId", e.event, e.party, e.state, e.words, ${personName("p")} as "actorName", e.created_at as "createTime"
          from process_entries e left join accounts p on p.id = e.account_id
         where (e.process, e.row_id) in (select * from unnest(${all.map(([name]) => name)}::text[], ${all.map(([, id]) => id)}::bigint[]))
           and ${inScope(scope, "e")}
         order by e.id desc limit ${mostLines}`.execute(db);
      return rows;
    },
  };
}
