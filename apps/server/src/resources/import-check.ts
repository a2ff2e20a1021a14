import {
  fieldsOf,
  isBlank,
  type Problem,
  type ResourceDeclaration,
  ruleReasons,
  writtenFieldsOf,
} from "@herdwise/contract";
import { createBreather, createPace } from "../breather.ts";
import type { PersonalCipher } from "../personal-cipher.ts";
import { type TenantScope, withEveryRow } from "../tenant-scope.ts";
import type { CheckedRow, ImportRepository, StoredImportRow } from "./import.repository.ts";
import type { ResourceRepository } from "./resource.repository.ts";
import { changedValues, openRow } from "./resource-values.ts";
import { type Options, optionsFrom, parentField, pathSeparator, readCells } from "./sheet-values.ts";

type Cells = Readonly<Record<string, string>>;

/** A row of a sheet under its own number. */
export interface SheetCells {
  readonly rowNumber: number;
  readonly cells: Cells;
}

/** Rows that are worked on at a time. */
export const chunkRows = 100;

/** The first and the last number of each chunk of rows. */
export function* rangesOf(numbers: readonly number[]): Generator<readonly [first: number, last: number]> {
  for (let at = 0; at < numbers.length; at += chunkRows) {
    const part = numbers.slice(at, at + chunkRows);
    yield [part[0] as number, part.at(-1) as number];
  }
}

/** Rows of an import in the sheet's order, a chunk at a time. */
export async function* chunksOf(from: ImportRepository, scope: TenantScope, importId: string, goodOnly: boolean) {
  for (const [first, last] of rangesOf(await from.rowNumbers(scope, importId))) {
    const part = await from.rowsBetween(scope, importId, first, last, goodOnly);
    if (part.length > 0) yield part;
  }
}

/** All rows of an import, for trees: what stands where, only all of them tell. */
export async function allRowsOf(
  from: ImportRepository,
  scope: TenantScope,
  importId: string,
  goodOnly: boolean,
): Promise<StoredImportRow[]> {
  const all: StoredImportRow[] = [];
  for await (const part of chunksOf(from, scope, importId, goodOnly)) all.push(...part);
  return all;
}

export interface ImportCheckDependencies {
  rows: ResourceRepository;
  imports: ImportRepository;
  cipher: PersonalCipher;
}

/** Holds the rows of sheets against the declaration, the database and each other. */
export function createImportCheck(of: ResourceDeclaration, { rows, imports, cipher }: ImportCheckDependencies) {
  const key = of.sheets?.key ?? "";
  const fields = writtenFieldsOf(of);
  /** In a tree a name may be unique among its siblings alone. */
  const uniqueInSheet = fields.filter(([, field]) => field.kind === "text" && field.unique === "scope");

  const problemOf = (field: string, reason: keyof typeof ruleReasons, values: Problem["values"] = {}): Problem => ({
    field,
    reason,
    text: ruleReasons[reason].zh,
    values: { label: of.fields[field]?.label ?? "", ...values },
  });
  const parentProblem: Problem = {
    field: parentField,
    reason: "row.parent_missing",
    text: "上级不存在，请重新选择",
    values: {},
  };
  const depthProblem: Problem = {
    field: parentField,
    reason: "row.too_deep",
    text: "层级最多 {max} 级",
    values: { max: of.tree?.maxDepth ?? 0 },
  };

  /** Where a row of a tree's sheet will stand. */
  const pathOf = (cells: Cells): string =>
    [(cells[parentField] ?? "").trim(), (cells[of.title] ?? "").trim()]
      .filter((part) => part !== "")
      .join(pathSeparator);
  const depthOf = (cells: Cells): number => pathOf(cells).split(pathSeparator).length;

  const optionsOf = async (): Promise<Record<string, Options>> => {
    const found: Record<string, Options> = {};
    for (const [name, field] of fieldsOf(of)) {
      if (field.kind !== "choice" && field.kind !== "choices") continue;
      found[name] = optionsFrom(
        field.options ?? (field.dictionary ? await rows.dictionaryPairs(field.dictionary) : []),
      );
    }
    return found;
  };

  /** Ids of the rows that reference columns name by their titles. */
  const referencesOf = async (scope: TenantScope, held: readonly Cells[]) => {
    const found: Record<string, ReadonlyMap<string, string>> = {};
    for (const [name, field] of fields) {
      if (field.kind !== "reference") continue;
      const titles = [...new Set(held.map((cells) => (cells[name] ?? "").trim()).filter((title) => title !== ""))];
      found[name] = titles.length === 0 ? new Map() : await rows.referencesByTitle(scope, name, titles);
    }
    return found;
  };

  /** Adds what stands against the places of a tree's rows; a row below one that can't be written has no parent either. */
  const checkPlaces = async (scope: TenantScope, checked: readonly (CheckedRow & { problems: Problem[] })[]) => {
    const standing = new Set((await rows.idsByPath(scope, pathSeparator)).keys());
    const taken = new Set(standing);
    const firstAt = new Map<string, number>();
    for (const { rowNumber, cells, problems } of checked) {
      const title = (cells[of.title] ?? "").trim();
      if (title === "") continue;
      const path = pathOf(cells);
      const told = problems.some(({ field, reason }) => field === of.title && reason === "field.unique");
      if (taken.has(path) && !told) problems.push(problemOf(of.title, "field.unique", { value: title }));
      const first = firstAt.get(path);
      if (first === undefined) firstAt.set(path, rowNumber);
      else problems.push(problemOf(of.title, "field.doubled", { value: title, row: String(first) }));
      if (depthOf(cells) > (of.tree?.maxDepth ?? 0)) problems.push(depthProblem);
    }
    for (const { cells, problems } of checked.toSorted((a, b) => depthOf(a.cells) - depthOf(b.cells))) {
      const parent = (cells[parentField] ?? "").trim();
      if (parent !== "" && !standing.has(parent)) problems.push(parentProblem);
      else if (problems.length === 0) standing.add(pathOf(cells));
    }
  };

  /** Checks rows: some of a list, or all of a tree. */
  const check = async (
    scope: TenantScope,
    held: readonly SheetCells[],
    options: Record<string, Options>,
  ): Promise<CheckedRow[]> => {
    const references = await referencesOf(
      scope,
      held.map(({ cells }) => cells),
    );
    const breathe = createBreather();
    const read: (SheetCells & ReturnType<typeof readCells>)[] = [];
    for (const { rowNumber, cells } of held) {
      read.push({ rowNumber, cells, ...readCells(of, cells, options, references) });
      await breathe();
    }
    const textsOf = (name: string) =>
      read.map(({ values }) => values[name]).filter((value) => typeof value === "string");
    const known = new Map(
      of.tree ? [] : (await rows.byTexts(scope, key, textsOf(key))).map((row) => [String(row[key]), row]),
    );
    // What is taken is so for everybody, also by rows that this person's roles don't reach.
    const everyRow = withEveryRow(scope);
    const taken = new Map<string, Map<string, string>>();
    for (const [name] of uniqueInSheet) {
      const found = await rows.byTexts(everyRow, name, textsOf(name));
      taken.set(name, new Map(found.map((row) => [String(row[name]), row.id])));
    }
    const checked: (CheckedRow & { problems: Problem[] })[] = [];
    for (const { rowNumber, cells, values, problems: told } of read) {
      const existing = known.get(String(values[key] ?? ""));
      const problems = [...told];
      const wrong = new Set(problems.map(({ field }) => field));
      if (existing === undefined) {
        for (const [name, field] of fields) {
          const blank = isBlank(values[name]) && !("default" in field && field.default !== undefined);
          if (field.required && blank && !wrong.has(name)) problems.push(problemOf(name, "field.required"));
        }
      } else {
        const opened = openRow(of, existing, cipher);
        for (const [name, field] of fields) {
          if (field.fixed && name in values && changedValues(of, opened, { [name]: values[name] })[name] !== undefined)
            problems.push(problemOf(name, "field.fixed"));
        }
      }
      for (const [name] of uniqueInSheet) {
        const holder = taken.get(name)?.get(String(values[name] ?? ""));
        if (holder !== undefined && holder !== existing?.id)
          problems.push(problemOf(name, "field.unique", { value: String(values[name]) }));
      }
      checked.push({ rowNumber, cells, problems, rowId: existing?.id ?? null, adds: existing === undefined });
      await breathe();
    }
    if (of.tree) await checkPlaces(scope, checked);
    return checked;
  };

  const markDoubles = async (
    scope: TenantScope,
    importId: string,
    texts?: Readonly<Record<string, readonly string[]>>,
  ): Promise<void> => {
    for (const [name] of uniqueInSheet) {
      if (texts === undefined || texts[name])
        await imports.markDoubles(scope, importId, name, problemOf(name, "field.doubled"), texts?.[name]);
    }
  };

  return {
    optionsOf,
    referencesOf,
    problemOf,
    pathOf,
    depthOf,
    check,
    markDoubles,
    /** Names of the fields whose texts must differ from row to row. */
    unique: uniqueInSheet.map(([name]) => name),

    /** Checks all rows of an import as they stand now. */
    async recheck(scope: TenantScope, importId: string, options: Record<string, Options>): Promise<void> {
      if (of.tree) {
        const checked = await check(scope, await allRowsOf(imports, scope, importId, false), options);
        for (let at = 0; at < checked.length; at += chunkRows)
          await imports.putRows(scope, importId, checked.slice(at, at + chunkRows));
      } else {
        const rest = createPace();
        for await (const part of chunksOf(imports, scope, importId, false)) {
          await imports.putRows(scope, importId, await check(scope, part, options));
          await rest();
        }
      }
      await markDoubles(scope, importId);
    },
  };
}
export type ImportCheck = ReturnType<typeof createImportCheck>;
