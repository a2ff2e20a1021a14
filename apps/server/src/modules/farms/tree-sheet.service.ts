import {
  type Field,
  farms,
  isBlank,
  mostStructureRows,
  normalizeText,
  type Problem,
  pigHouses,
  type ResourceDeclaration,
  type structureImport,
  units,
  writtenFieldsOf,
} from "@herdwise/contract";
import type { Static } from "typebox";
import { Refusal, refuse } from "../../http/errors.ts";
import {
  cellOf,
  headingOf,
  makeSheetFile,
  optionsFrom,
  ownScopeOf,
  type ResourceService,
  readCells,
} from "../../resources/index.ts";
import { reachOf, type TenantReach, type TenantScope } from "../../tenant-scope.ts";
import { englishOf } from "../../ui-texts.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import {
  type CellFault,
  type Heading,
  readSheet,
  type SheetColumn,
  type SheetRow,
  type SheetValue,
} from "../sheets/index.ts";
import type { TreeRow, TreeSheetRepository } from "./tree-sheet.repository.ts";

type Level = "farm" | "house" | "unit";
type Report = Static<typeof structureImport.reply>;
type SheetProblem = Report["problems"][number];

/** Repositories and services of one transaction. */
export interface TreeSheetTransaction {
  tree: TreeSheetRepository;
  services: Readonly<Record<Level, Pick<ResourceService, "submit">>>;
}

export interface TreeSheetDependencies {
  repository: TreeSheetRepository;
  inTransaction<T>(work: (transaction: TreeSheetTransaction) => Promise<T>): Promise<T>;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft" | "withLocalCopy">;
}

const exportKind = "structure.export";
const mostTold = 500;

const levels: readonly {
  level: Level;
  of: ResourceDeclaration;
  /** Begins its headers. */
  word: string;
  /** Field that names what it stands in. */
  parent: string | undefined;
}[] = [
  { level: "farm", of: farms, word: "场区", parent: undefined },
  { level: "house", of: pigHouses, word: "猪舍", parent: "farmId" },
  { level: "unit", of: units, word: "单元", parent: "houseId" },
];

/** Fields that the sheet has: what names a place above stands in its own columns, and personal data stay out of it. */
const fieldsOfSheet = (of: ResourceDeclaration): [string, Field][] =>
  writtenFieldsOf(of).filter(
    ([, field]) => field.kind !== "reference" && !(field.kind === "text" && (field.personal || field.stored)),
  );
const headerOf = (word: string, { label }: Field): string => `${word}：${label}`;
const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const optionsOf = (of: ResourceDeclaration) =>
  Object.fromEntries(
    fieldsOfSheet(of).flatMap(([name, field]) =>
      field.kind === "choice" ? [[name, optionsFrom(field.options ?? [])]] : [],
    ),
  );

const allColumns = levels.flatMap(({ of, word }) =>
  fieldsOfSheet(of).map(([, field]) => ({ word, label: field.label, header: headerOf(word, field) })),
);
const [keyColumn] = allColumns;
/** What may stand above each column: its header in either language, or its label where no other level has the same. */
const headings: readonly Heading[] = allColumns.map(({ word, label, header }) => ({
  name: header,
  words: [
    header,
    `${englishOf(word) ?? word}: ${englishOf(label) ?? label}`,
    ...(allColumns.filter((other) => other.label === label).length === 1 ? headingOf(header, label).words : []),
  ],
  key: header === keyColumn?.header,
}));

/** A place as rows of the sheet describe it. */
interface Described {
  faults: Readonly<Record<string, CellFault>>;
  rowNumber: number;
  code: string;
  /** Code of the place that it stands in. */
  parentCode: string | undefined;
  cells: Readonly<Record<string, string>>;
}

/** Rolls back what was written of a sheet in which something is wrong. */
class SheetRefused extends Error {}

/** Reads which places the rows describe; what contradicts itself is a problem. */
function describedIn(rows: readonly SheetRow[], problems: SheetProblem[]): Readonly<Record<Level, Described[]>> {
  const found: Record<Level, Map<string, Described>> = { farm: new Map(), house: new Map(), unit: new Map() };
  const tell = (row: number, column: string, text: string, values: SheetProblem["values"] = {}): void =>
    void problems.push({ row, column, text, values });
  for (const { rowNumber, cells, faults: wrong } of rows) {
    let parentCode: string | undefined;
    let above = true;
    for (const { level, of, word, parent } of levels) {
      const own = Object.fromEntries(
        fieldsOfSheet(of).flatMap(([name, field]) => {
          const text = (cells[headerOf(word, field)] ?? "").trim();
          return text === "" ? [] : [[name, text]];
        }),
      );
      const plain = (field: Field, text = ""): string => (field.kind === "text" ? normalizeText(field, text) : text);
      const faults = Object.fromEntries(
        fieldsOfSheet(of).flatMap(([name, field]) => {
          const fault = wrong[headerOf(word, field)];
          return fault === undefined ? [] : [[name, fault]];
        }),
      );
      // Codes that differ in case alone are one.
      const codeField = of.fields.code as Field;
      const code = plain(codeField, own.code).toLowerCase();
      const codeHeader = headerOf(word, codeField);
      if (Object.keys(own).length === 0) {
        if (level === "farm") tell(rowNumber, codeHeader, "请填{label}", { label: codeHeader });
        above = false;
        continue;
      }
      if (code === "") {
        tell(rowNumber, codeHeader, "请填{label}", { label: codeHeader });
        break;
      }
      if (parent !== undefined && !above) {
        tell(rowNumber, codeHeader, "请先填它所在的{place}", { place: level === "house" ? "场区" : "猪舍" });
        break;
      }
      const known = found[level].get(code);
      if (known === undefined) found[level].set(code, { rowNumber, code, parentCode, cells: own, faults });
      else {
        for (const [name, field] of fieldsOfSheet(of))
          if (own[name] !== undefined && plain(field, own[name]) !== plain(field, known.cells[name]))
            tell(rowNumber, headerOf(word, field), "和第 {row} 行写的不一样", { row: known.rowNumber });
        if (known.parentCode !== parentCode)
          tell(rowNumber, codeHeader, "和第 {row} 行写的不一样", { row: known.rowNumber });
        else if (level === "unit") tell(rowNumber, codeHeader, "和第 {row} 行重复", { row: known.rowNumber });
      }
      parentCode = code;
      above = true;
    }
  }
  return { farm: [...found.farm.values()], house: [...found.house.values()], unit: [...found.unit.values()] };
}

/** All farms, houses and units on one sheet: out, and back in. */
export function createTreeSheet({ repository, inTransaction, jobs, files }: TreeSheetDependencies) {
  const columns: SheetColumn[] = levels.flatMap(({ level, of, word }) =>
    fieldsOfSheet(of).map(([name, field]) => ({
      key: `${level}.${name}`,
      header: headerOf(word, field),
      type: field.kind === "number" || field.kind === "date" ? field.kind : ("text" as const),
      width: 16,
    })),
  );

  const cellsOf = (row: TreeRow): Record<string, SheetValue> =>
    Object.fromEntries(
      levels.flatMap(({ level, of }) => {
        const held = row[level];
        if (held === null) return [];
        const options = optionsOf(of);
        return fieldsOfSheet(of).map(([name, field]) => [
          `${level}.${name}`,
          cellOf(field, held[snakeCase(name)], options[name]),
        ]);
      }),
    );

  const run: BackgroundJobDefinition<{ scope: TenantReach }>["run"] = async (payload, of) => {
    const rows = await repository.rows(ownScopeOf(payload.scope), mostStructureRows);
    await of.progress(0, rows.length);
    async function* written(): AsyncGenerator<Record<string, SheetValue>> {
      for (const row of rows) yield cellsOf(row);
    }
    return makeSheetFile(files, of, { name: "猪场结构.xlsx", columns, rows: written() });
  };

  /** What the tenant has, by level and code. */
  const heldOf = (rows: readonly TreeRow[]) =>
    Object.fromEntries(
      levels.map(({ level }) => [
        level,
        new Map(
          rows.flatMap((row) => (row[level] === null ? [] : [[String(row[level].code).toLowerCase(), row[level]]])),
        ),
      ]),
    ) as Record<Level, Map<string, Readonly<Record<string, unknown>>>>;

  const write = async (
    scope: TenantScope,
    described: Readonly<Record<Level, readonly Described[]>>,
    problems: SheetProblem[],
    understood: Report["understood"],
    { tree, services }: TreeSheetTransaction,
  ): Promise<Pick<Report, "added" | "changed" | "unchanged">> => {
    const held = heldOf(await tree.rows(scope, 100_000));
    const ids = new Map<string, string>();
    const counts = { added: 0, changed: 0, unchanged: 0 };
    for (const { level, of, word, parent } of levels) {
      const options = optionsOf(of);
      const tell = (rowNumber: number, found: readonly Problem[]): void => {
        for (const { field, text, values = {} } of found) {
          const known = of.fields[field];
          problems.push({ row: rowNumber, column: known ? headerOf(word, known) : "", text, values });
        }
      };
      for (const { rowNumber, code, parentCode, cells, faults } of described[level]) {
        const { values, problems: wrong, understood: as } = readCells(of, cells, { options, references: {}, faults });
        for (const [name, text] of Object.entries(as))
          understood.push({
            row: rowNumber,
            column: headerOf(word, of.fields[name] as Field),
            before: cells[name] ?? "",
            text,
          });
        const known = held[level].get(code);
        if (known !== undefined) values.code = known.code;
        if (known !== undefined) ids.set(`${level} ${code}`, String(known.id));
        if (wrong.length > 0) {
          tell(rowNumber, wrong);
          continue;
        }
        const above = levels[levels.findIndex((one) => one.level === level) - 1];
        const parentId = above && parentCode !== undefined ? ids.get(`${above.level} ${parentCode}`) : undefined;
        // What it stands in is wrong itself: that is told there.
        if (parent !== undefined && parentId === undefined) continue;
        const whole = { ...values, ...(parent !== undefined && { [parent]: parentId }) };
        const change = Object.fromEntries(
          Object.entries(whole).filter(([name, value]) => {
            const now = known?.[snakeCase(name)];
            return known === undefined || String(isBlank(now) ? "" : now) !== String(value);
          }),
        );
        if (known !== undefined && Object.keys(change).length === 0) {
          counts.unchanged += 1;
          continue;
        }
        await tree.mark();
        try {
          const row = await services[level].submit(
            scope,
            known === undefined ? change : { ...change, id: String(known.id) },
            undefined,
          );
          ids.set(`${level} ${code}`, String(row.id));
          counts[known === undefined ? "added" : "changed"] += 1;
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          await tree.undo();
          const found = error.answer.problems as readonly Problem[];
          if (found.length > 0) tell(rowNumber, found);
          else
            problems.push({
              row: rowNumber,
              column: "",
              text: String(error.answer.text),
              values: error.values,
            });
        }
      }
    }
    return counts;
  };

  return {
    job: { kind: exportKind, retries: 1, timeoutS: 600, run } as const,

    export: async (scope: TenantScope): Promise<{ jobId: string }> => ({
      jobId: await jobs.submit(scope, exportKind, "导出猪场结构", { scope: reachOf(scope) }),
    }),

    /**
     * Writes what a sheet says, or tells all that is wrong with it and writes nothing.
     * @throws Refusal 400 for what is no sheet of this form
     */
    async import(scope: TenantScope, attachId: string): Promise<Report> {
      const rows = await files.withLocalCopy(scope, attachId, async (path) => {
        await using sheet = await readSheet(path, { maxRows: mostStructureRows, headings });
        const key = keyColumn?.header ?? "";
        if (!sheet.columns.some(({ name }) => name === key)) throw refuse("import.no_key", { values: { label: key } });
        const read: SheetRow[] = [];
        for await (const row of sheet.rows) read.push(row);
        return read;
      });
      const problems: SheetProblem[] = [];
      const understood: Report["understood"] = [];
      const described = describedIn(rows, problems);
      const told = () => ({
        problems: problems.toSorted((a, b) => a.row - b.row).slice(0, mostTold),
        understood: understood.toSorted((a, b) => a.row - b.row).slice(0, mostTold),
      });
      try {
        return await inTransaction(async (transaction) => {
          const counts = await write(scope, described, problems, understood, transaction);
          if (problems.length > 0) throw new SheetRefused();
          return { ...counts, ...told() };
        });
      } catch (error) {
        if (error instanceof SheetRefused) return { added: 0, changed: 0, unchanged: 0, ...told() };
        throw error;
      }
    },
  };
}
export type TreeSheet = ReturnType<typeof createTreeSheet>;
