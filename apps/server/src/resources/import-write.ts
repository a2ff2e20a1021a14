import {
  type AuditAction,
  isBlank,
  isOfInstallation,
  type Problem,
  type ResourceDeclaration,
  writtenFieldsOf,
} from "@herdwise/contract";
import { awaitedRestShare, createBreather, createPace } from "../breather.ts";
import { Refusal, refuse } from "../http/errors.ts";
import { type AuditRecord, createRecordSpool, installationChain } from "../modules/audit/index.ts";
import type { PersonalCipher } from "../personal-cipher.ts";
import type { TenantScope } from "../tenant-scope.ts";
import type { ImportRepository, StoredImportRow } from "./import.repository.ts";
import { allRowsOf, chunkRows, chunksOf, type ImportCheck, rangesOf } from "./import-check.ts";
import { type StoredRow, violationOf } from "./resource.repository.ts";
import { obstacleFinder, type ResourceHooks, type ResourceTransaction } from "./resource-hooks.ts";
import { auditValue, changedValues, columnsOf, defaultsOf, openRow, type Values } from "./resource-values.ts";
import { type Options, pathSeparator, readCells } from "./sheet-values.ts";

/** Repositories of the transaction in which an import is written or undone. */
export interface ImportTransaction extends ResourceTransaction {
  imports: ImportRepository;
}

/** A row that was valid when it was checked and is invalid now. */
export class RowTurnedBad extends Error {
  readonly rowNumber: number;
  /** A problem that checking the row alone would not find. */
  readonly problem: Problem | undefined;
  constructor(rowNumber: number, problem?: Problem) {
    super(`row ${rowNumber} can't be written any more`);
    this.name = "RowTurnedBad";
    this.rowNumber = rowNumber;
    this.problem = problem;
  }
}

export interface ImportWriterDependencies<Extra> {
  checks: Pick<ImportCheck, "referencesOf" | "pathOf" | "parentPathOf" | "depthOf" | "problemOf">;
  cipher: PersonalCipher;
  nextId: () => string;
  hooks: ResourceHooks<Extra>;
}

/** What a refusal says of the columns of a row; "" is the row as a whole. */
export const problemsOf = ({ answer, reason, values }: Refusal): Problem[] => {
  const { problems } = answer as { problems: Problem[] };
  return problems.length > 0 ? problems : [{ field: "", reason, text: String(answer.text), values }];
};

/** Binary columns in the form in which JSON stores them. */
const forStorage = (columns: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? { hex: value.toString("hex") } : value,
    ]),
  );
const fromStorage = (columns: Values): Values =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name,
      typeof value === "object" && value !== null && "hex" in value ? Buffer.from(String(value.hex), "hex") : value,
    ]),
  );

/** Rows that a refusal of an undo names. */
const mostNamed = 20;

/** Writes the valid rows of an import and undoes them, each within one transaction of the caller. */
export function createImportWriter<Extra>(
  of: ResourceDeclaration,
  { checks, cipher, nextId, hooks }: ImportWriterDependencies<Extra>,
) {
  const fields = writtenFieldsOf(of);
  const obstaclesOf = obstacleFinder(of, hooks);
  const chainOf = (scope: TenantScope): string => (isOfInstallation(of) ? installationChain : scope.tenantId);

  const record = (action: AuditAction, id: string, title: unknown, before: Values, after: Values): AuditRecord => ({
    resource: of.name,
    rowId: id,
    rowTitle: String(title ?? ""),
    action,
    changes: Object.keys(after).map((field) => ({
      field,
      before: auditValue(of.fields[field], before[field]),
      after: auditValue(of.fields[field], after[field]),
    })),
  });

  /** @param paths ids of a tree's rows by their titles from the top; written rows are added to it */
  const writeChunk = async (
    to: ImportTransaction,
    extra: Extra,
    scope: TenantScope,
    importId: string,
    part: readonly StoredImportRow[],
    options: Record<string, Options>,
    paths: Map<string, string>,
  ): Promise<AuditRecord[]> => {
    const references = await checks.referencesOf(
      scope,
      part.map(({ cells }) => cells),
    );
    const named = part.flatMap(({ adds, rowId }) => (adds || rowId === null ? [] : [rowId]));
    const existing = new Map(
      (named.length === 0 ? [] : await to.rows.byIds(scope, named, true)).map((row) => [row.id, row]),
    );
    const records: AuditRecord[] = [];
    const kept: { rowNumber: number; rowId: string; before: unknown; version: number }[] = [];
    const inserts: Values[] = [];
    const breathe = createBreather();

    const add = async (row: StoredImportRow, values: Values): Promise<void> => {
      const whole = { ...defaultsOf(of), ...values };
      if (hooks.begin) {
        const begun = await hooks.begin({ values: whole, scope, extra }).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
          throw new RowTurnedBad(row.rowNumber, problemsOf(error)[0]);
        });
        kept.push({ rowNumber: row.rowNumber, rowId: begun.id, before: null, version: begun.version });
        return;
      }
      const id = nextId();
      const parent = checks.parentPathOf(row.cells);
      const parentId = parent === "" ? null : paths.get(parent);
      if (parentId === undefined) throw new RowTurnedBad(row.rowNumber);
      await hooks.beforeSave?.({
        held: undefined,
        values: whole,
        tenantId: scope.tenantId,
        parentId,
        scope,
        rows: to.rows,
        extra,
      });
      const columns = {
        id,
        ...(of.tree && { parent_id: parentId }),
        ...columnsOf(of, whole, cipher),
      };
      // Rows of a tree are inserted one by one, because rows below refer to them.
      if (of.tree) await insertAlone(to, scope, row, columns, whole);
      else inserts.push(columns);
      if (of.tree) paths.set(checks.pathOf(row.cells), id);
      kept.push({ rowNumber: row.rowNumber, rowId: id, before: null, version: 1 });
      const given = Object.fromEntries(Object.entries(whole).filter(([, value]) => !isBlank(value)));
      records.push(record("import", id, whole[of.title], {}, given));
    };

    const change = async (row: StoredImportRow, held: StoredRow, values: Values): Promise<void> => {
      const opened = openRow(of, held, cipher);
      const changed = changedValues(of, opened, values);
      if (Object.keys(changed).length === 0) return;
      const whole = { ...Object.fromEntries(fields.map(([name]) => [name, opened[name]])), ...changed };
      await hooks.beforeSave?.({
        held: opened,
        values: whole,
        tenantId: scope.tenantId,
        parentId: held.parentId ?? null,
        scope,
        rows: to.rows,
        extra,
      });
      const written = changedValues(of, opened, whole);
      await to.rows.update(
        scope,
        held.id,
        { ...columnsOf(of, written, cipher), updated_by: scope.accountId, updated_at: new Date() },
        undefined,
      );
      // The old values are stored as columns, so that ciphertext stays ciphertext.
      const before = columnsOf(
        of,
        Object.fromEntries(Object.keys(written).map((name) => [name, opened[name]])),
        cipher,
      );
      kept.push({ rowNumber: row.rowNumber, rowId: held.id, before: forStorage(before), version: held.version + 1 });
      records.push(record("import", held.id, opened[of.title], opened, written));
    };

    const read = part.map((row) => readCells(of, row.cells, { options, references }).values);
    const problems = await hooks.rowProblems?.({
      rows: part.map(({ rowId, adds }, at) => {
        const held = adds ? undefined : existing.get(rowId ?? "");
        return { values: read[at] ?? {}, held: held && openRow(of, held, cipher) };
      }),
      scope,
      extra,
    });
    for (const [at, row] of part.entries()) {
      await breathe();
      const [problem] = problems?.[at] ?? [];
      if (problem) throw new RowTurnedBad(row.rowNumber, problem);
      const values = read[at] ?? {};
      if (row.adds) {
        await add(row, values);
        continue;
      }
      const held = existing.get(row.rowId ?? "");
      // The row was removed meanwhile; adding it from the sheet would lose the values that the sheet does not have.
      if (held === undefined) throw new RowTurnedBad(row.rowNumber);
      await change(row, held, values);
    }
    if (inserts.length > 0) await to.rows.insert(scope, inserts);
    await to.imports.keepWritten(scope, importId, kept);
    return records;
  };

  const insertAlone = async (
    to: ImportTransaction,
    scope: TenantScope,
    { rowNumber }: StoredImportRow,
    columns: Values,
    values: Values,
  ): Promise<void> => {
    try {
      await to.rows.insert(scope, [columns]);
    } catch (error) {
      const violation = violationOf(of, error);
      if (violation?.kind !== "unique") throw error;
      const value = String(values[violation.field] ?? "");
      throw new RowTurnedBad(rowNumber, checks.problemOf(violation.field, "field.unique", { value }));
    }
  };

  return {
    /**
     * Writes the valid rows.
     * @returns their number
     * @throws RowTurnedBad for a row that another change made invalid since the check; the transaction must then be rolled back
     */
    async write(
      to: ImportTransaction,
      extra: Extra,
      scope: TenantScope,
      importId: string,
      { options, withoutHidden }: { options: Record<string, Options>; withoutHidden: boolean },
      tell: (done: number) => Promise<void>,
    ): Promise<number> {
      if (of.tree) await to.rows.lockTree(scope);
      const paths = of.tree ? await to.rows.idsByPath(scope, pathSeparator) : new Map<string, string>();
      const records = createRecordSpool();
      const rest = createPace(awaitedRestShare);
      let done = 0;
      for await (const part of of.tree
        ? [await parentsFirst(to.imports, scope, importId, withoutHidden)]
        : chunksOf(to.imports, scope, importId, { goodOnly: true, withoutHidden })) {
        await records.add(await writeChunk(to, extra, scope, importId, part, options, paths));
        done += part.length;
        await tell(done);
        await rest();
      }
      await hooks.imported?.({ scope, extra });
      await to.audit.appendSpooled(chainOf(scope), scope, records, nextId);
      // The last point at which a cancellation takes effect.
      await tell(done);
      return done;
    },

    /**
     * Undoes all rows of a written import, or none.
     * @throws Refusal when a row was changed since or is in use
     */
    async undo(to: ImportTransaction, extra: Extra, scope: TenantScope, importId: string): Promise<void> {
      const spool = createRecordSpool();
      const added: string[] = [];
      const changed: { title: string; rowNumber: number }[] = [];
      const breathe = createBreather();
      const rest = createPace(awaitedRestShare);
      for (const [first, last] of rangesOf(await to.imports.rowNumbers(scope, importId))) {
        const part = await to.imports.writtenBetween(scope, importId, first, last);
        const ids = part.map(({ rowId }) => rowId);
        const records: AuditRecord[] = [];
        const held = new Map((await to.rows.lockedHeads(scope, ids)).map((row) => [row.id, row]));
        for (const row of part) {
          await breathe();
          const current = held.get(row.rowId);
          if (current?.version !== row.version || (row.before === null && current.acted)) {
            changed.push({ title: current?.title ?? row.title, rowNumber: row.rowNumber });
            continue;
          }
          // Only the rest of those that stand in the way is looked for.
          if (changed.length > 0) continue;
          if (row.before === null) added.push(current.id);
          else
            await to.rows.update(
              scope,
              current.id,
              { ...fromStorage(row.before), updated_by: scope.accountId, updated_at: new Date() },
              undefined,
            );
          records.push(record("undo", current.id, current.title, {}, {}));
        }
        await spool.add(records);
        await rest();
      }
      const [first] = changed;
      if (first) {
        const names = changed.slice(0, mostNamed).map(({ title, rowNumber }) => `${title} (${rowNumber})`);
        const values = { title: first.title, row: first.rowNumber, count: changed.length };
        throw refuse("import.changed_since", {
          values: { ...values, names: `${names.join("、")}${changed.length > names.length ? "…" : ""}` },
        });
      }
      await removeAdded(to, extra, scope, added);
      await to.audit.appendSpooled(chainOf(scope), scope, spool, nextId);
    },
  };

  async function removeAdded(
    to: ImportTransaction,
    extra: Extra,
    scope: TenantScope,
    ids: readonly string[],
  ): Promise<void> {
    if (ids.length === 0) return;
    if ((await obstaclesOf(to.rows, extra, scope, ids, new Map())).length > 0) throw refuse("import.in_use");
    for (let at = 0; hooks.beforeRemove && at < ids.length; at += chunkRows)
      await hooks.beforeRemove({ rows: await to.rows.byIds(scope, ids.slice(at, at + chunkRows)), scope, extra });
    await hooks.forget?.({ ids, scope, extra });
    const rest = createPace(awaitedRestShare);
    // A tree is removed in one part, because its rows refer to each other.
    const partRows = of.tree ? ids.length : chunkRows;
    try {
      for (let at = 0; at < ids.length; at += partRows) {
        await to.rows.remove(scope, ids.slice(at, at + partRows));
        await rest();
      }
    } catch (error) {
      if (violationOf(of, error)?.kind !== "reference") throw error;
      throw refuse("import.in_use");
    }
  }

  /** Rows of a tree, parents first. */
  async function parentsFirst(
    from: ImportRepository,
    scope: TenantScope,
    importId: string,
    withoutHidden: boolean,
  ): Promise<StoredImportRow[]> {
    const all = await allRowsOf(from, scope, importId, { goodOnly: true, withoutHidden });
    return all.sort((a, b) => checks.depthOf(a.cells) - checks.depthOf(b.cells) || a.rowNumber - b.rowNumber);
  }
}
