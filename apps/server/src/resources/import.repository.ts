import type { ImportSource, ImportState, Problem, ResourceDeclaration } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inOneTenant } from "../database/conditions.ts";
import type { DB } from "../database/generated/database.ts";
import { jsonRows } from "../database/json-rows.ts";
import { type PageRange, readQuery, rowsIn } from "../database/pages.ts";
import type { CellFault, SheetSource } from "../modules/sheets/index.ts";
import type { TenantScope } from "../tenant-scope.ts";
import { isCode } from "./resource.repository.ts";

export interface ImportColumn {
  header: string;
  /** Field of the column; "" for an ignored column. */
  field: string;
  /** Index of the column from 0; imports of releases before 0.2.0 have none. */
  column?: number;
}

/** Sheet, row and columns that a person chose in a file. */
export interface ImportChoice {
  sheet: number;
  headerRow?: number | undefined;
  columns?: readonly ImportColumn[] | undefined;
}

/** Notes that reading the sheet made on a row. */
export interface RowNotes {
  /** Faults of cells whose text is not their content, by field. */
  faults?: Record<string, CellFault> | undefined;
  /** Original text of cells that were interpreted as another text, by field. */
  changes?: Record<string, string> | undefined;
  /** The sheet hides the row. */
  hidden?: true;
  /** The row equals the stored one. */
  unchanged?: true;
}

export interface StoredImport {
  id: string;
  tenantId: string;
  accountId: string;
  attachmentId: string;
  fileName: string;
  state: ImportState;
  jobId: string | null;
  columns: ImportColumn[];
  written: number;
  failure: string;
  refusesExisting: boolean;
  createUserName: string;
  createTime: Date;
  writeTime: Date | null;
  rows: number;
  bad: number;
  updates: number;
  unchanged: number;
  changed: number;
  hidden: number;
  source: Partial<ImportSource>;
  choice: ImportChoice | null;
}

export interface StoredImportRow {
  notes: RowNotes;
  rowNumber: number;
  cells: Record<string, string>;
  problems: Problem[];
  rowId: string | null;
  adds: boolean;
}

/** A row that an import wrote. */
export interface WrittenRow {
  rowNumber: number;
  rowId: string;
  /** Earlier values of the columns; null for a row that was added. */
  before: Record<string, unknown> | null;
  version: number;
  title: string;
}

export interface StoredGroup {
  field: string;
  reason: string;
  text: string;
  values: Record<string, string | number>;
  rows: number;
  value: string;
  valueRows: number;
}

/** Result of checking a row. */
export interface CheckedRow {
  notes: RowNotes;
  rowNumber: number;
  cells: Readonly<Record<string, string>>;
  problems: readonly Problem[];
  rowId: string | null;
  adds: boolean;
}

/** Doubled rows that one statement marks. */
const doublesAtOnce = 500;

const rowColumns = [
  sql<number>`r.row_number`.as("rowNumber"),
  sql<string | null>`r.row_id`.as("rowId"),
  sql<boolean>`r.adds`.as("adds"),
  sql<Record<string, string>>`r.cells`.as("cells"),
  sql<Problem[]>`r.problems`.as("problems"),
  sql<RowNotes>`r.notes`.as("notes"),
] as const;

/**
 * Imports of one resource, with their rows.
 * @param db a pool or an open transaction
 */
export function importRepository(db: Kysely<DB>, of: ResourceDeclaration) {
  const ofCode = (name: string): boolean => {
    const field = of.fields[name];
    return field !== undefined && isCode(field);
  };
  /** A tenant's imports belong to its members with the right; those of a group's resource belong to the group. */
  const scoped = (scope: TenantScope) =>
    db
      .selectFrom("imports as i")
      .innerJoin("accounts as a", "a.id", "i.accountId")
      .where("i.resource", "=", of.name)
      .where(inOneTenant(scope, "i"));
  /** An import within the scope. */
  const own = (scope: TenantScope, importId: string) => scoped(scope).select("i.id").where("i.id", "=", importId);
  const ownRows = (scope: TenantScope, importId: string) =>
    db.selectFrom("importRows as r").where("r.importId", "in", own(scope, importId));
  const counts = sql`(select count(*)::int as rows, count(*) filter (where r.problems <> '[]')::int as bad,
      count(*) filter (where r.problems = '[]' and not r.adds)::int as updates,
      count(*) filter (where r.problems = '[]' and r.notes ? 'unchanged')::int as unchanged,
      count(*) filter (where r.notes ? 'changes')::int as changed,
      count(*) filter (where r.problems = '[]' and r.notes ? 'hidden')::int as hidden
    from import_rows r where r.import_id = i.id and i.state <> 'checking')`;
  const withColumns = (query: ReturnType<typeof scoped>) =>
    query
      .innerJoinLateral(counts.as("n"), (join) => join.onTrue())
      .select([
        "i.id",
        "i.tenantId",
        "i.accountId",
        "i.attachmentId",
        "i.fileName",
        "i.jobId",
        "i.written",
        "i.failure",
        "i.refusesExisting",
        "i.createdAt as createTime",
        "i.writtenAt as writeTime",
        sql<ImportColumn[]>`i.columns`.as("columns"),
        sql<ImportState>`i.state`.as("state"),
        sql<string>`coalesce(nullif(a.real_name, ''), a.account)`.as("createUserName"),
        sql<ImportSource>`i.source`.as("source"),
        sql<ImportChoice | null>`i.choice`.as("choice"),
        sql<number>`n.rows`.as("rows"),
        sql<number>`n.bad`.as("bad"),
        sql<number>`n.updates`.as("updates"),
        sql<number>`n.unchanged`.as("unchanged"),
        sql<number>`n.changed`.as("changed"),
        sql<number>`n.hidden`.as("hidden"),
      ]);

  return {
    insert: async (
      { tenantId, accountId }: TenantScope,
      row: { id: string; attachmentId: string; fileName: string; jobId: string; refusesExisting: boolean },
    ) => {
      await db
        .insertInto("imports")
        .values({ ...row, tenantId, accountId, resource: of.name, state: "checking" })
        .execute();
    },

    /** Columns that the person matched by hand in earlier imports, by their headings; the newest first. */
    async matchedColumns({ tenantId, accountId }: TenantScope): Promise<ImportColumn[]> {
      const rows = await db
        .selectFrom("imports")
        .select(sql<ImportChoice>`choice`.as("choice"))
        .where("resource", "=", of.name)
        .where("tenantId", "=", tenantId)
        .where("accountId", "=", accountId)
        .where(sql<boolean>`choice ? 'columns'`)
        .orderBy("id", "desc")
        .limit(20)
        .execute();
      return rows.flatMap(({ choice }) => choice.columns ?? []);
    },

    putSource: async (scope: TenantScope, id: string, source: SheetSource, columns: readonly ImportColumn[]) => {
      await db
        .updateTable("imports")
        .set({ source: JSON.stringify(source), columns: JSON.stringify(columns) })
        .where("id", "in", own(scope, id))
        .execute();
    },

    remove: async (scope: TenantScope, id: string): Promise<void> => {
      await db.deleteFrom("imports").where("id", "in", own(scope, id)).execute();
    },

    byId: (scope: TenantScope, id: string): Promise<StoredImport | undefined> =>
      withColumns(scoped(scope).where("i.id", "=", id)).executeTakeFirst(),

    page: (scope: TenantScope, request: PageRange) =>
      readQuery(withColumns(scoped(scope)), [{ by: sql`i.id`, descending: true }], request, rowsIn(scoped(scope))),

    /**
     * Locks an import until the transaction ends. The joined account is not locked, because all requests of its person would
     * otherwise wait for a sheet of 50,000 rows.
     * @returns its state
     */
    lock: async (scope: TenantScope, id: string): Promise<string | undefined> =>
      (await scoped(scope).select("i.state").where("i.id", "=", id).forUpdate("i").executeTakeFirst())?.state,

    /**
     * Changes the state of an import.
     * @param from states that it must be in
     * @returns false when it is in none of them
     */
    async setState(
      scope: TenantScope,
      id: string,
      from: readonly string[],
      to: string,
      more: {
        columns?: readonly ImportColumn[];
        jobId?: string | null;
        failure?: string;
        written?: number;
        writtenAt?: Date;
        choice?: ImportChoice;
        source?: ImportSource;
      } = {},
    ): Promise<boolean> {
      const { columns, choice, source, ...plain } = more;
      const { numUpdatedRows } = await db
        .updateTable("imports")
        .set({
          state: to,
          ...plain,
          ...(columns && { columns: JSON.stringify(columns) }),
          ...(choice && { choice: JSON.stringify(choice) }),
          ...(source && { source: JSON.stringify(source) }),
        })
        .where("id", "=", id)
        .where("resource", "=", of.name)
        .where(inOneTenant(scope, "imports"))
        .where("state", "in", [...from])
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /**
     * Changes the state of an import whose job ended. An import that is being written at this moment is skipped; its
     * transaction ends soon, and it is checked again.
     * @param held the state and the job that were read; with others the import has moved on by itself
     */
    async releaseFrom(
      scope: TenantScope,
      id: string,
      held: { state: string; jobId: string },
      to: ImportState,
      failure: string,
    ): Promise<void> {
      await db
        .updateTable("imports")
        .set({ state: to, jobId: null, failure })
        .where("id", "in", (from) =>
          from
            .selectFrom("imports")
            .select("id")
            .where("id", "=", id)
            .where("resource", "=", of.name)
            .where(inOneTenant(scope, "imports"))
            .where("state", "=", held.state)
            .where("jobId", "=", held.jobId)
            .forUpdate()
            .skipLocked(),
        )
        .execute();
    },

    /**
     * Keeps others from taking statistics of tables that this transaction fills.
     * @returns whether it does; false while another import does
     */
    holdStatistics: async (tables: readonly string[]): Promise<boolean> => {
      const { rows } = await sql<{ held: boolean }>`select hold_statistics(${[...tables]}::text[]) as held`.execute(db);
      return rows[0]?.held === true;
    },

    /** Takes statistics of tables that it held, own rows included, so that the next plans know them. */
    takeStatistics: async (tables: readonly string[]): Promise<void> => {
      for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(db);
    },

    /** Lets the index of names follow after this transaction: each row would be sorted into it on the way. */
    deferFinds: async (): Promise<void> => {
      await sql`select set_config('herdwise.finds_wait', 'on', true)`.execute(db);
    },

    /** Adds a problem to a row. */
    addProblem: async (scope: TenantScope, importId: string, rowNumber: number, problem: Problem): Promise<void> => {
      await sql`update import_rows set problems = problems || ${JSON.stringify([problem])}::jsonb
        where import_id in (${own(scope, importId)}) and row_number = ${rowNumber}`.execute(db);
    },

    /** Replaces the results of an earlier check. */
    async putRows(scope: TenantScope, importId: string, rows: readonly CheckedRow[]): Promise<void> {
      if (rows.length === 0) return;
      await sql`
        insert into import_rows (import_id, row_number, cells, problems, row_id, adds, notes)
        select own.id, checked.row_number, checked.cells, checked.problems, checked.row_id, checked.adds, checked.notes
          from (${own(scope, importId)}) as own, jsonb_populate_recordset(null::import_rows, ${jsonRows(
            rows.map(({ rowNumber, cells, problems, rowId, adds, notes }) => ({
              row_number: rowNumber,
              cells,
              problems,
              row_id: rowId,
              adds,
              notes,
            })),
          )}::jsonb) as checked
        on conflict (import_id, row_number) do update
          set cells = excluded.cells, problems = excluded.problems, row_id = excluded.row_id, adds = excluded.adds,
              notes = excluded.notes`.execute(db);
    },

    clear: async (scope: TenantScope, importId: string): Promise<void> => {
      await db.deleteFrom("importRows").where("importId", "in", own(scope, importId)).execute();
    },

    /**
     * Numbers of an import's rows in the sheet's order, by which `rowsBetween` and `writtenBetween` read parts.
     * Reading parts by a limit took time that grows with the square of the rows: without statistics of new rows PostgreSQL
     * expects few rows, and reads and sorts all following rows for each part.
     */
    async rowNumbers(scope: TenantScope, importId: string): Promise<number[]> {
      const { numbers } = await ownRows(scope, importId)
        .select(sql<number[]>`coalesce(array_agg(r.row_number order by r.row_number), '{}')`.as("numbers"))
        .executeTakeFirstOrThrow();
      return numbers;
    },

    /** Rows from the first to the last number, in the sheet's order. */
    rowsBetween: (
      scope: TenantScope,
      importId: string,
      first: number,
      last: number,
      { goodOnly, withoutHidden = false }: { goodOnly: boolean; withoutHidden?: boolean },
    ): Promise<StoredImportRow[]> => {
      let query = ownRows(scope, importId)
        .select(rowColumns)
        .where("r.rowNumber", ">=", first)
        .where("r.rowNumber", "<=", last);
      if (goodOnly) query = query.where(sql<boolean>`r.problems = '[]'`);
      if (withoutHidden) query = query.where(sql<boolean>`not r.notes ? 'hidden'`);
      return query.orderBy("r.rowNumber").execute();
    },

    async rowPage(
      scope: TenantScope,
      importId: string,
      {
        all,
        field,
        reason,
        only,
      }: {
        all: boolean;
        field?: string | undefined;
        reason?: string | undefined;
        only?: "changed" | "hidden" | undefined;
      },
      request: PageRange,
    ): Promise<{ rows: StoredImportRow[]; total: number }> {
      let chosen = ownRows(scope, importId);
      if (only !== undefined)
        chosen = chosen.where(sql<boolean>`r.notes ? ${sql.lit(only === "changed" ? "changes" : "hidden")}`);
      else if (!all) chosen = chosen.where(sql<boolean>`r.problems <> '[]'`);
      if (field !== undefined || reason !== undefined) {
        const wanted = { ...(field !== undefined && { field }), ...(reason !== undefined && { reason }) };
        chosen = chosen.where(sql<boolean>`r.problems @> ${JSON.stringify([wanted])}::jsonb`);
      }
      return readQuery(chosen.select(rowColumns), [{ by: sql`r.row_number` }], request);
    },

    /** Rows whose cell in a field has one of these texts. */
    rowsWith: (
      scope: TenantScope,
      importId: string,
      field: string,
      texts: readonly string[],
      limit: number,
    ): Promise<StoredImportRow[]> =>
      ownRows(scope, importId)
        .select(rowColumns)
        .where(
          ofCode(field)
            ? sql<boolean>`lower(coalesce(r.cells ->> ${field}, '')) = any(${texts.map((text) => text.toLowerCase())}::text[])`
            : sql<boolean>`coalesce(r.cells ->> ${field}, '') = any(${[...texts]}::text[])`,
        )
        .orderBy("r.rowNumber")
        .limit(limit)
        .execute(),

    row: (scope: TenantScope, importId: string, rowNumber: number): Promise<StoredImportRow | undefined> =>
      ownRows(scope, importId).select(rowColumns).where("r.rowNumber", "=", rowNumber).executeTakeFirst(),

    /**
     * Adds a problem to every row except the first with the same text in a unique field.
     * @param texts only these texts; all of them where it is undefined
     */
    async markDoubles(
      scope: TenantScope,
      importId: string,
      field: string,
      problem: Problem,
      texts?: readonly string[],
    ): Promise<void> {
      // Codes that differ only in case are equal.
      const told = ofCode(field) ? sql`lower(cells ->> ${field})` : sql`cells ->> ${field}`;
      // Keys from earlier releases may differ only in case.
      const among = field === of.sheets?.key ? sql`${told}, row_id` : told;
      const meant = ofCode(field) ? texts?.map((text) => text.toLowerCase()) : texts;
      const { rows: doubles } = await sql<{ at: number; held: string; first: number }>`
        select n.at, n.held, n.first from (
          select row_number as at, cells ->> ${field} as held,
                 row_number() over (partition by ${among} order by row_number) as nth,
                 min(row_number) over (partition by ${among}) as first
            from import_rows
           where import_id in (${own(scope, importId)}) and coalesce(cells ->> ${field}, '') <> ''
             ${meant === undefined ? sql`` : sql`and ${told} = any(${[...meant]}::text[])`}) n
         where n.nth > 1 order by n.at`.execute(db);
      for (let from = 0; from < doubles.length; from += doublesAtOnce) {
        const part = doubles.slice(from, from + doublesAtOnce);
        const at = part.map((double) => double.at);
        // Told by their numbers: joined in one statement, each row was compared with every other while statistics were old.
        await sql`
          update import_rows r
             set problems = r.problems || jsonb_build_array(${JSON.stringify(problem)}::jsonb
                   || jsonb_build_object('values', ${JSON.stringify(problem.values)}::jsonb
                   || jsonb_build_object('value', n.held, 'row', n.first::text)))
            from unnest(${at}::int[], ${part.map(({ held }) => held)}::text[], ${part.map(({ first }) => first)}::int[]) as n (at, held, first)
           where r.import_id in (${own(scope, importId)}) and r.row_number = n.at and r.row_number = any(${at}::int[])
             and not r.problems @> ${JSON.stringify([{ field, reason: problem.reason }])}::jsonb`.execute(db);
      }
    },

    /** Problems by column and kind, with the most frequent wrong value. */
    async groups(scope: TenantScope, importId: string): Promise<StoredGroup[]> {
      const { rows } = await sql<StoredGroup>`
        with found as (
          select p ->> 'field' as field, p ->> 'reason' as reason, p ->> 'text' as text, p -> 'values' as values,
                 coalesce(r.cells ->> (p ->> 'field'), '') as held
            from import_rows r, jsonb_array_elements(r.problems) p
           where r.import_id in (${own(scope, importId)}) and r.problems <> '[]'
        ), by_value as (
          select field, reason, held, count(*)::int as uses from found group by field, reason, held
        )
        select f.field, f.reason, min(f.text) as text, (array_agg(f.values))[1] as values, count(*)::int as rows,
               (select v.held from by_value v where v.field = f.field and v.reason = f.reason order by v.uses desc, v.held limit 1) as value,
               (select max(v.uses) from by_value v where v.field = f.field and v.reason = f.reason) as value_rows
          from found f group by f.field, f.reason order by count(*) desc, f.field limit 100`.execute(db);
      return rows;
    },

    /** Stores the data for undoing a written row. */
    async keepWritten(
      scope: TenantScope,
      importId: string,
      rows: readonly { rowNumber: number; rowId: string; before: unknown; version: number }[],
    ): Promise<void> {
      await sql`
        update import_rows r set row_id = w.row_id, before = w.before, version = w.version
          from jsonb_populate_recordset(null::import_rows, ${jsonRows(
            rows.map(({ rowNumber, rowId, before, version }) => ({
              row_number: rowNumber,
              row_id: rowId,
              before,
              version,
            })),
          )}::jsonb) as w
         where r.import_id in (${own(scope, importId)}) and r.row_number = w.row_number
           -- Without it old statistics, which know no row of this import, let all its rows be read for each part.
           and r.row_number = any(${rows.map(({ rowNumber }) => rowNumber)}::int[])`.execute(db);
    },

    /** Written rows from the first to the last number, with the data for undoing them. */
    writtenBetween: async (scope: TenantScope, importId: string, first: number, last: number): Promise<WrittenRow[]> =>
      (
        await sql<WrittenRow>`
          select row_number as "rowNumber", row_id::text as "rowId", before, version, coalesce(cells ->> ${of.title}, '') as title
            from import_rows
           where import_id in (${own(scope, importId)}) and version is not null and row_number between ${first} and ${last}
           order by row_number`.execute(db)
      ).rows,
  };
}
export type ImportRepository = ReturnType<typeof importRepository>;
