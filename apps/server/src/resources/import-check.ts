import {
  fieldsOf,
  isBlank,
  type Problem,
  plainText,
  type ResourceDeclaration,
  ruleReasons,
  writtenFieldsOf,
} from "@herdwise/contract";
import { awaitedRestShare, createBreather, createPace } from "../breather.ts";
import type { PersonalCipher } from "../personal-cipher.ts";
import { type TenantScope, withEveryRow } from "../tenant-scope.ts";
import type { CheckedRow, ImportRepository, RowNotes, StoredImportRow } from "./import.repository.ts";
import { isCode, type ResourceRepository, type StoredRow } from "./resource.repository.ts";
import type { ResourceHooks } from "./resource-hooks.ts";
import { changedValues, isMaskOf, openRow } from "./resource-values.ts";
import { type Options, optionsFrom, parentField, pathSeparator, readCells } from "./sheet-values.ts";

type Cells = Readonly<Record<string, string>>;

/** A row of a sheet with its number. */
export interface SheetCells {
  readonly rowNumber: number;
  readonly cells: Cells;
  readonly notes: RowNotes;
}

/** Rows that are processed at a time. */
export const chunkRows = 200;

/** First and last number of each chunk of rows. */
export function* rangesOf(numbers: readonly number[]): Generator<readonly [first: number, last: number]> {
  for (let at = 0; at < numbers.length; at += chunkRows) {
    const part = numbers.slice(at, at + chunkRows);
    yield [part[0] as number, part.at(-1) as number];
  }
}

/** Selects rows of an import. */
export interface ChosenRows {
  readonly goodOnly: boolean;
  /** Without rows that the sheet hides. */
  readonly withoutHidden?: boolean;
}

/** Rows of an import in the sheet's order, in chunks. */
export async function* chunksOf(from: ImportRepository, scope: TenantScope, importId: string, chosen: ChosenRows) {
  for (const [first, last] of rangesOf(await from.rowNumbers(scope, importId))) {
    const part = await from.rowsBetween(scope, importId, first, last, chosen);
    if (part.length > 0) yield part;
  }
}

/** All rows of an import; a tree needs all of them to find the parents. */
export async function allRowsOf(
  from: ImportRepository,
  scope: TenantScope,
  importId: string,
  chosen: ChosenRows,
): Promise<StoredImportRow[]> {
  const all: StoredImportRow[] = [];
  for await (const part of chunksOf(from, scope, importId, chosen)) all.push(...part);
  return all;
}

export interface ImportCheckDependencies<Extra> {
  rows: ResourceRepository;
  imports: ImportRepository;
  cipher: PersonalCipher;
  hooks: Pick<ResourceHooks<Extra>, "tryBegin" | "options" | "rowProblems">;
  /** Of the same pool or transaction as the repositories. */
  extra: Extra;
}

/** How the rows of one import are checked. */
export interface CheckRules {
  readonly options: Record<string, Options>;
  /** Rows that exist are problems. */
  readonly refusesExisting: boolean;
}

/** Checks rows of sheets against the declaration, the database and each other. */
export function createImportCheck<Extra>(
  of: ResourceDeclaration,
  { rows, imports, cipher, hooks, extra }: ImportCheckDependencies<Extra>,
) {
  const { tryBegin } = hooks;
  const key = of.sheets?.key ?? "";
  const fields = writtenFieldsOf(of);
  /** In a tree a name may have to be unique among siblings only. */
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

  /** Path of a row in a tree's sheet. */
  const pathOf = (cells: Cells): string =>
    [...(cells[parentField] ?? "").split(/\s[/／]\s/), cells[of.title] ?? ""]
      .map((part) => plainText(part))
      .filter((part) => part !== "")
      .join(pathSeparator);
  const parentPathOf = (cells: Cells): string => pathOf({ ...cells, [of.title]: "" });
  const depthOf = (cells: Cells): number => pathOf(cells).split(pathSeparator).length;

  const optionsOf = async (scope: TenantScope): Promise<Record<string, Options>> => {
    const found: Record<string, Options> = {};
    const own = (await hooks.options?.({ scope, extra })) ?? {};
    for (const [name, field] of fieldsOf(of)) {
      if (field.kind !== "choice" && field.kind !== "choices") continue;
      found[name] = optionsFrom(
        own[name] ?? field.options ?? (field.dictionary ? await rows.dictionaryPairs(field.dictionary) : []),
      );
    }
    return found;
  };

  /** Ids of the rows whose titles stand in reference columns. */
  const referencesOf = async (scope: TenantScope, held: readonly Cells[]) => {
    const found: Record<string, ReadonlyMap<string, string>> = {};
    for (const [name, field] of fields) {
      if (field.kind !== "reference") continue;
      const titles = [...new Set(held.map((cells) => plainText(cells[name] ?? "")).filter((title) => title !== ""))];
      found[name] = titles.length === 0 ? new Map() : await rows.referencesByTitle(scope, name, titles);
    }
    return found;
  };

  /** Adds problems with the places of a tree's rows; a row below an invalid one has no parent. */
  const checkPlaces = (
    checked: readonly (CheckedRow & { problems: Problem[] })[],
    held: ReadonlyMap<string, string>,
  ): void => {
    const standing = new Set(held.keys());
    const firstAt = new Map<string, number>();
    for (const { rowNumber, cells, problems } of checked) {
      const title = plainText(cells[of.title] ?? "");
      if (title === "") continue;
      const path = pathOf(cells);
      const first = firstAt.get(path);
      if (first === undefined) firstAt.set(path, rowNumber);
      else problems.push(problemOf(of.title, "field.doubled", { value: title, row: String(first) }));
      if (depthOf(cells) > (of.tree?.maxDepth ?? 0)) problems.push(depthProblem);
    }
    for (const { cells, problems } of checked.toSorted((a, b) => depthOf(a.cells) - depthOf(b.cells))) {
      const parent = parentPathOf(cells);
      if (parent !== "" && !standing.has(parent)) problems.push(parentProblem);
      else if (problems.length === 0) standing.add(pathOf(cells));
    }
  };

  /** Text by which rows are compared. */
  const keyText = (name: string, value: unknown): string => {
    const text = String(value ?? "");
    const field = of.fields[name];
    return field && isCode(field) ? text.toLowerCase() : text;
  };

  /**
   * Cells without those that keep the stored value: a masked value as the sheet shows it, or an unchanged value that would not
   * be accepted any more.
   * @param problems problems of the cells
   */
  const withoutKept = (cells: Cells, existing: StoredRow, problems: readonly Problem[]): Cells => {
    const wrong = new Set(problems.map(({ field }) => field));
    const stays = ([name, text]: [string, string]): boolean => {
      const field = of.fields[name];
      if (field === undefined) return false;
      return isMaskOf(field, existing[name], text.trim()) || (wrong.has(name) && text.trim() === existing[name]);
    };
    const kept = Object.entries(cells).filter((cell) => !stays(cell));
    return kept.length === Object.keys(cells).length ? cells : Object.fromEntries(kept);
  };

  /** Checks rows: some rows of a list, or all rows of a tree. */
  const check = async (
    scope: TenantScope,
    held: readonly SheetCells[],
    { options, refusesExisting }: CheckRules,
  ): Promise<CheckedRow[]> => {
    const references = await referencesOf(
      scope,
      held.map(({ cells }) => cells),
    );
    const breathe = createBreather();
    const read = async (cells: Cells, faults: RowNotes["faults"]) => {
      await breathe();
      return readCells(of, cells, { options, references, faults });
    };
    const paths = of.tree ? await rows.idsByPath(scope, pathSeparator) : new Map<string, string>();
    const first: (SheetCells & Awaited<ReturnType<typeof read>>)[] = [];
    for (const row of held) first.push({ ...row, ...(await read(row.cells, row.notes.faults)) });
    const textsOf = (name: string) =>
      first.map(({ values }) => values[name]).filter((value) => typeof value === "string");
    const inTree = of.tree ? [...new Set(held.flatMap(({ cells }) => paths.get(pathOf(cells)) ?? []))] : [];
    const found = of.process
      ? []
      : of.tree
        ? await rows.byIds(scope, inTree)
        : await rows.byTexts(scope, key, textsOf(key));
    const known = new Map(found.map((row) => [of.tree ? row.id : keyText(key, row[key]), row]));
    // Codes from earlier releases may differ only in case; the exact match is meant.
    for (const row of of.tree ? [] : found) known.set(String(row[key]), row);
    // A unique value is taken for everybody, including by rows that this person's roles don't reach.
    const everyRow = withEveryRow(scope);
    const taken = new Map<string, Map<string, string>>();
    for (const [name] of uniqueInSheet) {
      const holders = await rows.byTexts(everyRow, name, textsOf(name));
      taken.set(name, new Map(holders.map((row) => [keyText(name, row[name]), row.id])));
    }
    const checked: (CheckedRow & { problems: Problem[] })[] = [];
    const asked: { values: Record<string, unknown>; held: StoredRow | undefined; problems: Problem[] }[] = [];
    for (const row of first) {
      const { rowNumber, cells, notes } = row;
      const existing = of.tree
        ? known.get(paths.get(pathOf(cells)) ?? "")
        : (known.get(String(row.values[key] ?? "")) ?? known.get(keyText(key, row.values[key])));
      const opened = existing && openRow(of, existing, cipher);
      const said = opened ? withoutKept(cells, opened, row.problems) : cells;
      const { values, problems: told, understood } = said === cells ? row : await read(said, notes.faults);
      const problems = [...told];
      // The same code in another case keeps the row's own.
      if (opened && typeof opened[key] === "string" && key in values && values[key] !== opened[key] && !of.tree) {
        values[key] = opened[key];
        understood[key] = opened[key];
      }
      const wrong = new Set(problems.map(({ field }) => field));
      let unchanged = false;
      if (opened === undefined) {
        for (const [name, field] of fields) {
          const blank = isBlank(values[name]) && !("default" in field && field.default !== undefined);
          if (field.required && blank && !wrong.has(name)) problems.push(problemOf(name, "field.required"));
        }
      } else {
        if (refusesExisting) problems.push(problemOf(key, "field.unique", { value: String(opened[key] ?? "") }));
        const changed = changedValues(of, opened, values);
        unchanged = problems.length === 0 && Object.keys(changed).length === 0;
        for (const [name, field] of fields) {
          if (field.fixed && changed[name] !== undefined) problems.push(problemOf(name, "field.fixed"));
        }
      }
      for (const [name] of uniqueInSheet) {
        const holder = taken.get(name)?.get(keyText(name, values[name]));
        if (holder !== undefined && holder !== existing?.id && values[name] !== opened?.[name])
          problems.push(problemOf(name, "field.unique", { value: String(values[name]) }));
      }
      if (problems.length === 0) asked.push({ values, held: opened, problems });
      if (tryBegin && problems.length === 0) {
        const tried = await tryBegin({ values, scope });
        // What is about no column is about the row.
        problems.push(...tried.map((one) => ({ ...one, field: one.field in of.fields ? one.field : "" })));
      }
      const changes = { ...notes.changes };
      for (const [name, text] of Object.entries(understood)) changes[name] ??= cells[name] ?? text;
      const { changes: _changes, unchanged: _unchanged, ...kept } = notes;
      checked.push({
        rowNumber,
        cells: { ...cells, ...understood },
        problems,
        rowId: existing?.id ?? null,
        adds: existing === undefined,
        notes: {
          ...kept,
          ...(Object.keys(changes).length > 0 && { changes }),
          ...(unchanged && { unchanged }),
        },
      });
      await breathe();
    }
    const more = asked.length === 0 ? undefined : await hooks.rowProblems?.({ rows: asked, scope, extra });
    more?.forEach((problems, at) => {
      asked[at]?.problems.push(...problems);
    });
    if (of.tree) checkPlaces(checked, paths);
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
    parentPathOf,
    depthOf,
    check,
    markDoubles,
    /** Names of the fields whose texts must be unique in the sheet. */
    unique: uniqueInSheet.map(([name]) => name),

    /** Checks all rows of an import again. */
    async recheck(scope: TenantScope, importId: string, by: CheckRules): Promise<void> {
      if (of.tree) {
        const checked = await check(scope, await allRowsOf(imports, scope, importId, { goodOnly: false }), by);
        for (let at = 0; at < checked.length; at += chunkRows)
          await imports.putRows(scope, importId, checked.slice(at, at + chunkRows));
      } else {
        const rest = createPace(awaitedRestShare);
        for await (const part of chunksOf(imports, scope, importId, { goodOnly: false })) {
          await imports.putRows(scope, importId, await check(scope, part, by));
          await rest();
        }
      }
      await markDoubles(scope, importId);
    },
  };
}
export type ImportCheck = ReturnType<typeof createImportCheck>;
