import { type Deadline, listOf } from "@herdwise/contract/process";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inScope } from "../database/conditions.ts";
import type { DB } from "../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../tenant-scope.ts";

/** Rows whose moment comes. An index of moments and ids, of these rows alone, keeps a look at them cheap. */
export interface Due {
  readonly table: keyof DB & string;
  /** What the conditions call the table. */
  readonly alias: string;
  /** The moment or the day of a row. */
  readonly at: RawBuilder<unknown>;
  /** It has come when it is before this. */
  readonly before: RawBuilder<unknown>;
  /** Which rows wait for it. */
  readonly where: RawBuilder<SqlBool>;
  /** What is set of a row with what happens, so that it does not happen twice; absent where its state changes. */
  readonly marks?: RawBuilder<unknown>;
}

/** Rows whose deadline has passed. @param table with `state`, `state_at` and the deadline's column */
export const pastDeadline = (table: string, deadline: Deadline<string>): Due => ({
  table: table as keyof DB & string,
  alias: "t",
  ...("at" in deadline
    ? { at: sql.ref(`t.${deadline.at}`), before: sql`now()` }
    : { at: sql`t.state_at`, before: sql`now() - make_interval(days => ${deadline.days})` }),
  where: sql<SqlBool>`t.state = any(${[...listOf(deadline.in)]})`,
});

/** Where a look goes on. */
export interface Place {
  readonly id: string;
  readonly at: string;
}

/** Rows that one look reads. */
export const dueTogether = 500;

/** Rows whose moment has come. @param db a pool or an open transaction */
export function dueRepository(db: Kysely<DB>) {
  const from = ({ table, alias }: Due) => sql`${sql.table(table)} as ${sql.ref(alias)}`;
  const idOf = ({ alias }: Due) => sql.ref(`${alias}.id`);
  const isDue = (scope: SystemScope, due: Due) =>
    sql<SqlBool>`${due.where} and ${due.at} < ${due.before} and ${inScope(scope, due.alias)}`;

  return {
    /** The earliest first. */
    async read(scope: SystemScope, due: Due, after: Place | undefined): Promise<Place[]> {
      requireSystemScope(scope);
      const rest = after === undefined ? sql`true` : sql`(${due.at}, ${idOf(due)}) > (${after.at}, ${after.id})`;
      const { rows } = await sql<Place>`
        select ${idOf(due)} as id, ${due.at}::text as at from ${from(due)} where ${isDue(scope, due)} and ${rest}
         order by ${due.at}, ${idOf(due)} limit ${dueTogether}`.execute(db);
      return rows;
    },

    /** Holds a row and marks it. @returns false where it is not due any more, or somebody else has it in hand */
    async take(scope: SystemScope, due: Due, id: string): Promise<boolean> {
      requireSystemScope(scope);
      const one = sql`${idOf(due)} = ${id}`;
      const { rows } = await sql`
        select from ${from(due)} where ${one} and ${isDue(scope, due)} for update skip locked`.execute(db);
      if (rows.length > 0 && due.marks) await sql`update ${from(due)} set ${due.marks} where ${one}`.execute(db);
      return rows.length > 0;
    },
  };
}
export type DueRepository = ReturnType<typeof dueRepository>;
