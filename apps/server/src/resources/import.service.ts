import { type ImportSource, type ResourceDeclaration, writtenFieldsOf } from "@herdwise/contract";
import { awaitedRestShare, createPace } from "../breather.ts";
import { refuse } from "../http/errors.ts";
import { pageOfRows, pageRequest } from "../http/paging.ts";
import { reasons } from "../http/reasons.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../modules/background-jobs/index.ts";
import type { FileService } from "../modules/files/index.ts";
import {
  plainHeading,
  readSheet,
  type SheetProblemMark,
  type SheetSource,
  writeMarkedSheet,
} from "../modules/sheets/index.ts";
import type { PersonalCipher } from "../personal-cipher.ts";
import { inTenant, reachOf, type TenantReach, type TenantScope } from "../tenant-scope.ts";
import { createExportService } from "./export.service.ts";
import type { ImportColumn, ImportRepository, StoredImport } from "./import.repository.ts";
import { type CheckRules, chunkRows, createImportCheck, type ImportCheck, type SheetCells } from "./import-check.ts";
import { createImportWriter, type ImportTransaction, RowTurnedBad } from "./import-write.ts";
import { ownScopeOf, reachedScopeOf } from "./job-scope.ts";
import { type ResourceRepository, violationOf } from "./resource.repository.ts";
import type { ResourceHooks } from "./resource-hooks.ts";
import { sheetNamed } from "./sheet-file.ts";
import { headingsOf, parentField } from "./sheet-values.ts";

export interface ImportServiceDependencies<Extra> {
  rows: ResourceRepository;
  imports: ImportRepository;
  inTransaction<T>(work: (transaction: ImportTransaction, extra: Extra) => Promise<T>): Promise<T>;
  cipher: PersonalCipher;
  nextId: () => string;
  jobs: Pick<BackgroundJobService, "submit" | "ended" | "stop">;
  files: Pick<FileService, "make" | "withLocalCopy" | "withDraft">;
  hooks?: ResourceHooks<Extra>;
  /** Repositories of the hooks on the pool. */
  extra: Extra;
  /** The list whose rows are exported, where sheets are filled in with other fields than it has. */
  listed?: { of: ResourceDeclaration; rows: ResourceRepository };
}

/** Number of invalid rows read at a time to mark them in their sheet. */
const marksAtOnce = 2000;
/** Rows from which an import takes care of the statistics of its tables. */
const leastHeld = 2000;
/** Source of an import whose file has not been opened. */
const noSource: ImportSource = { sheets: [], sheet: 0, headerRow: 0, start: [] };
/** Most rows that one correction may change. */
const maxCorrected = 50_000;

/** Values of a problem in the form of the wire. */
const asTexts = (values: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

/** The record without one of its entries; undefined when none is left. */
function without<Value>(held: Record<string, Value> | undefined, name: string): Record<string, Value> | undefined {
  const rest = Object.entries(held ?? {}).filter(([other]) => other !== name);
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** Imports and exports of a resource's rows as sheets. */
export function createImportService<Extra>(of: ResourceDeclaration, dependencies: ImportServiceDependencies<Extra>) {
  const { rows, imports, inTransaction, cipher, nextId, jobs, files, hooks = {}, extra, listed } = dependencies;
  const key = of.sheets?.key ?? "";
  const kinds = { check: `${of.name}.import.check`, write: `${of.name}.import.write` };
  const fields = writtenFieldsOf(of);
  const checks = createImportCheck<Extra>(of, { rows, imports, cipher, hooks, extra });
  const writer = createImportWriter<Extra>(of, { checks, cipher, nextId, hooks });
  const templates = createExportService(of, { rows, checks, cipher, jobs, files });
  const exports = listed
    ? createExportService(listed.of, {
        rows: listed.rows,
        checks: createImportCheck<Extra>(listed.of, { rows: listed.rows, imports, cipher, hooks: {}, extra }),
        cipher,
        jobs,
        files,
      })
    : templates;
  /**
   * Imports write to the caller's own tenant, also for the group's staff, who see the rows of all tenants; rows of a process are of the
   * tenant of what they begin for.
   */
  const ownRows = (scope: TenantScope): TenantScope => (of.process ? scope : inTenant(scope, scope.tenantId));
  const scopeOf = of.process ? reachedScopeOf : ownScopeOf;

  /**
   * Resets an import whose job ended without changing its state (cancelled, timed out or failed), so that a person can act
   * again.
   * The state is checked whenever the import is read, so no end of a job is missed.
   */
  const followed = async (scope: TenantScope, stored: StoredImport): Promise<StoredImport> => {
    const { id, state, jobId } = stored;
    if ((state !== "checking" && state !== "writing") || jobId === null) return stored;
    const end = await jobs.ended(scope, jobId);
    if (end === undefined) return stored;
    const next = state === "writing" ? "checked" : end.state === "cancelled" ? "cancelled" : "failed";
    await imports.releaseFrom(scope, id, { state, jobId }, next, end.failure);
    return (await imports.byId(scope, id)) ?? stored;
  };

  const headOf = (stored: StoredImport) => ({
    ...stored,
    jobId: stored.jobId ?? "",
    good: stored.rows - stored.bad,
    columns: stored.columns.map((one, at) => ({ ...one, column: one.column ?? at })),
    source: { ...noSource, ...stored.source },
    groups: [],
    whole: [],
  });
  /** What stands in the way of writing the good rows together. */
  const wholeProblemsOf = async (scope: TenantScope, { rows: all, bad, updates }: StoredImport) =>
    (await hooks.wholeProblems?.({ adds: all - bad - updates, scope: ownRows(scope), extra })) ?? [];
  const view = async (scope: TenantScope, stored: StoredImport) => ({
    ...headOf(stored),
    whole:
      stored.state === "checked"
        ? (await wholeProblemsOf(scope, stored)).map(({ reason, values }) => ({
            reason,
            text: reasons[reason].zh,
            values: asTexts(values),
          }))
        : [],
    groups:
      stored.bad === 0
        ? []
        : (await imports.groups(scope, stored.id)).map((group) => ({ ...group, values: asTexts(group.values) })),
  });
  const found = async (scope: TenantScope, id: string): Promise<StoredImport> => {
    const stored = await imports.byId(scope, id);
    if (stored === undefined) throw refuse("import.not_found");
    return followed(scope, stored);
  };
  const requireState = (stored: StoredImport, ...states: string[]): void => {
    if (!states.includes(stored.state)) throw refuse("import.state", { values: { state: stored.state } });
  };

  const rulesOf = async (
    scope: TenantScope,
    stored: Pick<StoredImport, "refusesExisting"> | undefined,
    from: Pick<ImportCheck, "optionsOf"> = checks,
  ): Promise<CheckRules> => ({
    options: await from.optionsOf(ownRows(scope)),
    refusesExisting: stored?.refusesExisting ?? false,
  });

  const headings = headingsOf(of);
  const isField = (name: string): boolean => headings.some((heading) => heading.name === name);

  /** Opens the file of an import at the place that its person chose, or else at the headings found. */
  const openOf = async (
    scope: TenantScope,
    path: string,
    stored: Pick<StoredImport, "id" | "choice">,
    maxRows: number,
  ) => {
    const choice = stored.choice ?? undefined;
    const kept = new Map<string, string>();
    if (choice?.columns === undefined)
      for (const { header, field } of await imports.matchedColumns(scope)) {
        const plain = plainHeading(header);
        if (field !== "" && !kept.has(plain)) kept.set(plain, field);
      }
    let source: SheetSource | undefined;
    let columns: ImportColumn[] = [];
    const opened = readSheet(path, {
      maxRows,
      headings,
      kept,
      choice: choice && {
        sheet: choice.sheet,
        headerRow: choice.headerRow,
        columns: choice.columns && Object.fromEntries(choice.columns.map(({ column, field }) => [column ?? 0, field])),
      },
      onSource: ({ columns: found, doubled: _doubled, ...rest }) => {
        source = rest;
        columns = found.map(({ column, header, name }) => ({ column, header, field: name }));
      },
    });
    try {
      return { sheet: await opened, columns };
    } finally {
      // Stored even for a sheet that is refused because of its headings, so that the person can choose them from those found.
      if (source) await imports.putSource(scope, stored.id, source, columns);
    }
  };

  /** Reads and checks the sheet of an import; after a crash it starts again from the beginning. */
  const runCheck: BackgroundJobDefinition<{ importId: string; scope: TenantReach }>["run"] = async (
    payload,
    { progress, signal, owner, undo },
  ) => {
    const scope = scopeOf(payload.scope);
    const { importId } = payload;
    const stored = await imports.byId(scope, importId);
    if (stored === undefined || stored.state !== "checking") return {};
    const clear = () => imports.clear(scope, importId);
    await clear();
    undo(clear);
    const done = await files.withLocalCopy(owner, stored.attachmentId, async (path) => {
      const { sheet: opened, columns } = await openOf(scope, path, stored, of.sheets?.maxRows ?? 0);
      await using sheet = opened;
      if (!columns.some(({ field }) => field === key)) {
        throw refuse("import.no_key", { values: { label: of.fields[key]?.label ?? key } });
      }
      const by = await rulesOf(scope, stored);
      let chunk: SheetCells[] = [];
      let done = 0;
      const rest = createPace(awaitedRestShare);
      const flush = async () => {
        // Problems of a tree can only be found with all of its rows.
        const checked = of.tree
          ? chunk.map((row) => ({ ...row, problems: [], rowId: null, adds: true }))
          : await checks.check(scope, chunk, by);
        await imports.putRows(scope, importId, checked);
        done += chunk.length;
        chunk = [];
        await progress(done, 0);
        await rest();
      };
      for await (const row of sheet.rows) {
        signal.throwIfAborted();
        const faults = { ...row.faults };
        chunk.push({
          rowNumber: row.rowNumber,
          cells: { ...row.cells },
          notes: { ...(Object.keys(faults).length > 0 && { faults }), ...(row.hidden && { hidden: true }) },
        });
        if (chunk.length >= chunkRows) await flush();
      }
      await flush();
      if (of.tree) await checks.recheck(scope, importId, by);
      else await checks.markDoubles(scope, importId);
      return done;
    });
    if (done === 0) throw refuse("import.empty");
    await imports.setState(scope, importId, ["checking"], "checked", { jobId: null });
    return { importId, rows: String(done) };
  };

  /** Writes an import's rows in one transaction, so that a kill at any moment leaves all or nothing. */
  const runWrite: BackgroundJobDefinition<{
    importId: string;
    scope: TenantReach;
    withoutHidden?: boolean;
  }>["run"] = async (payload, { progress, signal }) => {
    const scope = scopeOf(payload.scope);
    const { importId, withoutHidden = false } = payload;
    const stored = await imports.byId(scope, importId);
    const by = await rulesOf(scope, stored);
    const { options } = by;
    try {
      const written = await inTransaction(async (to, extra) => {
        if ((await to.imports.lock(scope, importId)) !== "writing") return undefined;
        await to.imports.deferFinds();
        const filled = [...(hooks.tables ?? [of.table]), "import_rows"];
        const holds = (stored?.rows ?? 0) >= leastHeld && (await to.imports.holdStatistics(filled));
        const total = (stored?.rows ?? 0) - (stored?.bad ?? 0) - (withoutHidden ? (stored?.hidden ?? 0) : 0);
        const done = await writer.write(to, extra, scope, importId, { options, withoutHidden }, async (count) => {
          signal.throwIfAborted();
          await progress(count, total);
        });
        if (holds) await to.imports.takeStatistics(filled);
        await to.imports.setState(scope, importId, ["writing"], "written", {
          jobId: null,
          written: done,
          writtenAt: new Date(),
        });
        return done;
      });
      return written === undefined ? {} : { importId, rows: String(written) };
    } catch (error) {
      if (!(error instanceof RowTurnedBad) && violationOf(of, error) === undefined) throw error;
      // Another change made rows invalid since the check: the problems are added to the rows, and the person decides again.
      await checks.recheck(scope, importId, by);
      if (error instanceof RowTurnedBad && error.problem)
        await imports.addProblem(scope, importId, error.rowNumber, error.problem);
      throw refuse("import.stale");
    }
  };

  const submitCheck = (scope: TenantScope, importId: string, jobId: string) =>
    jobs.submit(scope, kinds.check, "检查导入的表格", { importId, scope: reachOf(scope) }, jobId);

  return {
    jobs: [
      { kind: kinds.check, retries: 1, timeoutS: 600, run: runCheck },
      { kind: kinds.write, retries: 1, timeoutS: 900, run: runWrite },
      exports.job,
    ] as const,
    export: exports.export,
    template: (scope: TenantScope, { filled, ...how }: Parameters<typeof templates.template>[1]) =>
      // Sheets of a process only begin rows.
      templates.template(scope, { ...how, filled: filled && of.process === undefined }),

    async begin(
      scope: TenantScope,
      { attachId, existing }: { attachId: string; existing?: "update" | "refuse" | undefined },
    ) {
      if (of.addedBy === "group" && !scope.everyTenant) throw refuse("row.group_adds");
      const [id, jobId] = [nextId(), nextId()];
      // The file must be the caller's own; another person's is answered like one that does not exist.
      const fileName = await files.withLocalCopy(scope, attachId, async (_path, { originalName }) => originalName);
      await imports.insert(scope, {
        id,
        attachmentId: attachId,
        fileName,
        jobId,
        refusesExisting: existing === "refuse",
      });
      try {
        await submitCheck(scope, id, jobId);
      } catch (error) {
        await imports.remove(scope, id);
        throw error;
      }
      return view(scope, await found(scope, id));
    },

    async page(scope: TenantScope, query: Parameters<typeof pageRequest>[0]) {
      const request = pageRequest(query, []);
      const { rows: held, total } = await imports.page(scope, request);
      const shown = await Promise.all(held.map((stored) => followed(scope, stored)));
      return pageOfRows(
        // The first rows of each sheet are only returned for a single import.
        shown.map((stored) => ({ ...headOf(stored), source: noSource })),
        total,
        request,
      );
    },

    detail: async (scope: TenantScope, id: string) => view(scope, await found(scope, id)),

    async rows(
      scope: TenantScope,
      query: Parameters<typeof pageRequest>[0] & {
        id: string;
        all?: boolean | undefined;
        field?: string | undefined;
        reason?: string | undefined;
        only?: "changed" | "hidden" | undefined;
      },
    ) {
      const request = pageRequest(query, []);
      const { id } = await found(scope, query.id);
      const { rows: held, total } = await imports.rowPage(
        scope,
        id,
        { all: query.all ?? false, field: query.field, reason: query.reason, only: query.only },
        request,
      );
      return pageOfRows(
        held.map(({ rowNumber, cells, problems, rowId, notes }) => ({
          changes: notes.changes ?? {},
          hidden: notes.hidden ?? false,
          rowNumber,
          cells,
          problems: problems.map((one) => ({
            ...one,
            values: asTexts(one.values),
          })),
          rowId: rowId ?? "",
        })),
        total,
        request,
      );
    },

    /**
     * Changes cells and checks the affected rows again.
     * Corrections of one import run one after another: each writes whole rows back, and would otherwise overwrite cells that
     * another one just corrected.
     */
    async correct(
      scope: TenantScope,
      {
        id,
        rowNumber,
        field,
        from,
        to,
      }: { id: string; rowNumber?: number | undefined; field: string; from?: string | undefined; to: string },
    ) {
      const stored = await found(scope, id);
      if (!fields.some(([name]) => name === field) && field !== parentField)
        throw refuse("import.field", { values: { field } });
      await inTransaction(async (held, heldExtra) => {
        const state = await held.imports.lock(scope, id);
        if (state !== "checked") throw refuse("import.state", { values: { state: state ?? "" } });
        const checksOfHeld = createImportCheck<Extra>(of, {
          rows: held.rows,
          imports: held.imports,
          cipher,
          hooks,
          extra: heldExtra,
        });
        const one = rowNumber === undefined ? undefined : await held.imports.row(scope, id, rowNumber);
        if (rowNumber !== undefined && one === undefined) throw refuse("import.not_found");
        const meant = one ? [one] : await held.imports.rowsWith(scope, id, field, [from ?? ""], maxCorrected);
        const by = await rulesOf(scope, stored, checksOfHeld);
        const changed = meant.map((row) => ({
          ...row,
          cells: { ...row.cells, [field]: to },
          notes: {
            ...row.notes,
            faults: without(row.notes.faults, field),
            changes: without(row.notes.changes, field),
          },
        }));
        const own = ownRows(scope);
        if (of.tree) {
          for (let at = 0; at < changed.length; at += chunkRows)
            await held.imports.putRows(scope, id, changed.slice(at, at + chunkRows));
          await checksOfHeld.recheck(own, id, by);
          return;
        }
        // Rows with the old text may no longer be duplicates, and rows with the new text may now be.
        const texts = [...new Set([to, ...meant.map(({ cells }) => cells[field] ?? "")])].filter((text) => text !== "");
        const near = (await held.imports.rowsWith(scope, id, field, texts, maxCorrected)).filter(
          (row) => !changed.some((other) => other.rowNumber === row.rowNumber),
        );
        const all = [...changed, ...near];
        for (let at = 0; at < all.length; at += chunkRows)
          await held.imports.putRows(scope, id, await checksOfHeld.check(own, all.slice(at, at + chunkRows), by));
        await checksOfHeld.markDoubles(scope, id, {
          [field]: texts,
          ...Object.fromEntries(
            checksOfHeld.unique
              .filter((name) => name !== field)
              .map((name) => [name, [...new Set(all.map(({ cells }) => cells[name] ?? ""))]]),
          ),
        });
      });
      return view(scope, await found(scope, id));
    },

    /** Reads the file again from another sheet or row, or with columns that a person matched. */
    async reread(
      scope: TenantScope,
      {
        id,
        sheet,
        headerRow,
        columns,
      }: {
        id: string;
        sheet: number;
        headerRow?: number | undefined;
        columns?: readonly { column: number; field: string }[] | undefined;
      },
    ) {
      const stored = await found(scope, id);
      requireState(stored, "checked", "failed");
      const unknown = columns?.find(({ field }) => field !== "" && !isField(field));
      if (unknown) throw refuse("import.field", { values: { field: unknown.field } });
      const texts = stored.source.start?.find(({ rowNumber }) => rowNumber === headerRow)?.texts ?? [];
      const choice = {
        sheet,
        headerRow,
        ...(columns && { columns: columns.map((one) => ({ ...one, header: texts[one.column] ?? "" })) }),
      };
      const jobId = nextId();
      if (!(await imports.setState(scope, id, [stored.state], "checking", { failure: "", jobId, choice })))
        throw refuse("import.state", { values: { state: stored.state } });
      try {
        await submitCheck(scope, id, jobId);
      } catch (error) {
        await imports.setState(scope, id, ["checking"], stored.state, { jobId: null });
        throw error;
      }
      return view(scope, await found(scope, id));
    },

    async write(
      scope: TenantScope,
      { id, mode, withoutHidden }: { id: string; mode: "all" | "good"; withoutHidden?: boolean | undefined },
    ) {
      const stored = await found(scope, id);
      requireState(stored, "checked");
      if (mode === "all" && stored.bad > 0) throw refuse("import.bad_rows", { values: { count: stored.bad } });
      if (stored.rows === stored.bad) throw refuse("import.nothing_good");
      // Without hidden rows there may be fewer; the writing itself counts them.
      const [problem] = withoutHidden ? [] : await wholeProblemsOf(scope, stored);
      if (problem) throw refuse(problem.reason, { values: problem.values });
      const jobId = nextId();
      if (!(await imports.setState(scope, id, ["checked"], "writing", { failure: "", jobId })))
        throw refuse("import.state", { values: { state: stored.state } });
      try {
        const order = { importId: id, scope: reachOf(scope), withoutHidden };
        await jobs.submit(scope, kinds.write, "写入导入的数据", order, jobId);
      } catch (error) {
        await imports.setState(scope, id, ["writing"], "checked", { jobId: null });
        throw error;
      }
      return view(scope, await found(scope, id));
    },

    /** Undoes a written import as a whole. */
    async undo(scope: TenantScope, id: string) {
      await found(scope, id);
      await inTransaction(async (to, extra) => {
        const state = await to.imports.lock(scope, id);
        if (state !== "written") throw refuse("import.state", { values: { state: state ?? "" } });
        await writer.undo(to, extra, ownRows(scope), id);
        await to.imports.setState(scope, id, ["written"], "undone");
      });
      return view(scope, await found(scope, id));
    },

    /** Cancels an import; one that is being written is stopped and rolled back, and can be written again. */
    async cancel(scope: TenantScope, id: string) {
      const stored = await found(scope, id);
      requireState(stored, "checking", "checked", "writing", "failed");
      if (stored.jobId !== null) await jobs.stop(scope, stored.jobId);
      if (stored.state === "writing") return view(scope, await found(scope, id));
      if (
        !(await imports.setState(scope, id, ["checking", "checked", "failed"], "cancelled", {
          jobId: null,
          source: noSource,
        }))
      )
        throw refuse("import.state", { values: { state: stored.state } });
      await imports.clear(scope, id);
      return view(scope, await found(scope, id));
    },

    /** The uploaded sheet with its problems marked. */
    async marked(scope: TenantScope, id: string) {
      const stored = await found(scope, id);
      const marks: { rowNumber: number; field: string; text: string }[] = [];
      for (let current = 0; ; current += marksAtOnce) {
        const { rows: part } = await imports.rowPage(
          scope,
          id,
          { all: false },
          { offset: current, limit: marksAtOnce },
        );
        for (const row of part) {
          for (const one of row.problems) {
            const said = one.text.replace(/\{(\w+)\}/g, (whole, name: string) => String(one.values[name] ?? whole));
            marks.push({ rowNumber: row.rowNumber, field: one.field, text: said });
          }
        }
        if (part.length < marksAtOnce) break;
      }
      return files.withDraft(async (path) => {
        await files.withLocalCopy(scope, stored.attachmentId, async (original) => {
          let read = stored;
          if (read.source.headerRow === undefined) {
            // Imports of releases before 0.2.0 have no source.
            const { sheet } = await openOf(scope, original, stored, of.sheets?.maxRows ?? 0);
            await sheet[Symbol.asyncDispose]();
            read = await found(scope, id);
          }
          const { sheet = 0, headerRow = 1 } = read.source;
          const places = new Map(read.columns.map(({ column, field }) => [field, column]));
          const placed = marks.map(({ field, ...mark }): SheetProblemMark => {
            const column = places.get(field);
            return { ...mark, ...(column !== undefined && { column }) };
          });
          await writeMarkedSheet(original, path, of.words.many.slice(0, 30), placed, { sheet, headerRow });
        });
        const kept = sheetNamed(`${stored.fileName.replace(/\.[a-z]{2,4}$/i, "")}-问题.xlsx`);
        return { attachId: await files.make(scope, { path, ...kept }) };
      });
    },
  };
}
export type ImportService = ReturnType<typeof createImportService>;
