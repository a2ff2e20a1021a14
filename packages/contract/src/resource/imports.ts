import { type Static, Type } from "typebox";
import { type Access, type Endpoint, permission } from "../endpoint.ts";
import { DateTime, Empty, Id, pageOf, pageQuery } from "../scalars.ts";
import { ownerOf, permissionOf, type ResourceDeclaration } from "./declaration.ts";

/**
 * States of an import.
 * - `checking`: its rows are read and checked; nothing is written.
 * - `checked`: its problems can be viewed and corrected.
 * - `writing`: its rows are being written, all in one transaction.
 * - `written`, `undone`, `failed`, `cancelled`: final.
 */
export const importStates = ["checking", "checked", "writing", "written", "undone", "failed", "cancelled"] as const;
export type ImportState = (typeof importStates)[number];

/** The problem of one cell of a sheet. */
export const CellProblem = Type.Object({
  field: Type.String({ description: '"" for the row as a whole' }),
  reason: Type.String(),
  text: Type.String({ description: "Chinese with placeholders; the key of its translation" }),
  values: Type.Record(Type.String(), Type.String()),
});

/** Problems of one kind in one column. */
export const ProblemGroup = Type.Object({
  field: Type.String(),
  reason: Type.String(),
  text: Type.String(),
  values: Type.Record(Type.String(), Type.String()),
  rows: Type.Integer({ description: "how many rows have it" }),
  /** The most frequent wrong value and its number of rows, so that one correction can fix many rows. */
  value: Type.String(),
  valueRows: Type.Integer(),
});

/** Part of the file that the rows of an import were read from. */
export const ImportSource = Type.Object({
  sheets: Type.Array(
    Type.Object({
      name: Type.String({ description: '"" for a text, which is one sheet' }),
      hidden: Type.Boolean(),
      headings: Type.Integer({ description: "how many of the columns its best row names" }),
    }),
    { description: "empty until the file has been opened" },
  ),
  sheet: Type.Integer({ description: "the one that was read, from 0" }),
  headerRow: Type.Integer({ description: "number of the row with the headings, from 1" }),
  start: Type.Array(Type.Object({ rowNumber: Type.Integer(), texts: Type.Array(Type.String()) }), {
    description: "the first 20 rows of the sheet, cut to 40 columns of 40 characters",
  }),
});
export type ImportSource = Static<typeof ImportSource>;

export const Import = Type.Object({
  id: Id,
  fileName: Type.String(),
  state: Type.Enum(importStates),
  /** Id of the job that checks or writes it now; "" for none. */
  jobId: Type.String(),
  rows: Type.Integer(),
  good: Type.Integer({ description: "rows that can be written" }),
  bad: Type.Integer(),
  updates: Type.Integer({ description: "good rows that change a row which exists" }),
  unchanged: Type.Integer({ description: "good rows that say what already stands" }),
  changed: Type.Integer({ description: "rows with a cell that was understood as another text" }),
  hidden: Type.Integer({ description: "good rows that the sheet does not show" }),
  written: Type.Integer(),
  refusesExisting: Type.Boolean({ description: "rows that exist are problems instead of changes" }),
  /** Reason of the failure, Chinese; "" otherwise. */
  failure: Type.String(),
  createUserName: Type.String(),
  createTime: DateTime,
  writeTime: DateTime,
  /** Columns of the sheet in their order: the field that each fills, "" for one that is ignored. */
  columns: Type.Array(
    Type.Object({ header: Type.String(), field: Type.String(), column: Type.Integer({ description: "from 0" }) }),
  ),
  source: ImportSource,
  groups: Type.Array(ProblemGroup),
  /** What stands in the way of writing its good rows together, as things are now; empty unless it is checked. */
  whole: Type.Array(Type.Omit(CellProblem, ["field"])),
});
export type Import = Static<typeof Import>;

export const ImportRow = Type.Object({
  rowNumber: Type.Integer({ description: "as the sheet counts, from 1" }),
  /** Text of the cell of each field. */
  cells: Type.Record(Type.String(), Type.String()),
  problems: Type.Array(CellProblem),
  /** Id of the row that it changes; "" when it adds a row. */
  rowId: Type.String(),
  /** Original text, by field, of cells that were interpreted as another text. */
  changes: Type.Record(Type.String(), Type.String()),
  /** The sheet hides the row. */
  hidden: Type.Boolean(),
});
export type ImportRow = Static<typeof ImportRow>;

/**
 * The operations of a resource's imports; each requires the permission `<name>_import` and reaches only imports of the caller's
 * tenant.
 */
export function importEndpointsOf(of: ResourceDeclaration) {
  const access: Access = permission(permissionOf(of, "import"));
  const base = { access, owner: ownerOf[of.scope], form: "envelope" as const, query: Empty, body: Empty };
  const path = (verb: string) => `${of.path}/import/${verb}`;
  const who = { createUserName: "granted" } as const;
  const confirmed = of.sheets?.confirmed && ({ confirmation: "always" } as const);
  const begin = {
    ...base,
    method: "POST",
    path: path("begin"),
    summary: `Begins an import of ${of.name}: an uploaded sheet is read and checked by a job, nothing is written.`,
    rate: "write",
    personal: who,
    body: Type.Object({
      attachId: Id,
      existing: Type.Optional(
        Type.Enum(["update", "refuse"], {
          description: "whether a row that exists is changed, which is the default, or told as a problem",
        }),
      ),
    }),
    reply: Import,
  } satisfies Endpoint;
  const page = {
    ...base,
    method: "GET",
    path: path("page"),
    summary: `Imports of ${of.name}, newest first.`,
    rate: "read",
    personal: who,
    query: Type.Object(pageQuery),
    reply: pageOf(Import),
  } satisfies Endpoint;
  const detail = {
    ...base,
    method: "GET",
    path: path("detail"),
    summary: `One import of ${of.name} with its problems by kind.`,
    rate: "read",
    personal: who,
    query: Type.Object({ id: Id }),
    reply: Import,
  } satisfies Endpoint;
  const rows = {
    ...base,
    method: "GET",
    path: path("rows"),
    summary: `Rows of an import of ${of.name} under their own numbers: those with problems, of one kind, or all.`,
    rate: "read",
    personal: {},
    query: Type.Object({
      ...pageQuery,
      id: Id,
      all: Type.Optional(Type.Boolean({ description: "also rows without problems" })),
      field: Type.Optional(Type.String({ maxLength: 60 })),
      reason: Type.Optional(Type.String({ maxLength: 60 })),
      only: Type.Optional(
        Type.Enum(["changed", "hidden"], {
          description:
            "of all rows those with a cell that was understood as another text, or those that the sheet hides",
        }),
      ),
    }),
    reply: pageOf(ImportRow),
  } satisfies Endpoint;
  const reread = {
    ...base,
    method: "POST",
    path: path("reread"),
    summary: `Reads the sheet of an import of ${of.name} anew from another sheet or row, or with columns matched by hand; corrections are lost.`,
    rate: "write",
    personal: who,
    body: Type.Object({
      id: Id,
      sheet: Type.Integer({ minimum: 0, maximum: 29 }),
      /** Where it is left out, the heading row is searched in the sheet. */
      headerRow: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_048_576 })),
      /** Where it is left out, columns are recognized by their headings; columns that are not listed are ignored. */
      columns: Type.Optional(
        Type.Array(
          Type.Object({ column: Type.Integer({ minimum: 0, maximum: 199 }), field: Type.String({ maxLength: 60 }) }),
          {
            maxItems: 200,
          },
        ),
      ),
    }),
    reply: Import,
  } satisfies Endpoint;
  const correct = {
    ...base,
    method: "POST",
    path: path("correct"),
    summary: `Changes cells of an import of ${of.name} and checks their rows anew: of one row, or one value wherever it stands.`,
    rate: "write",
    personal: who,
    body: Type.Object({
      id: Id,
      /** Number of one row; where it is left out, every row whose cell contains `from`. */
      rowNumber: Type.Optional(Type.Integer({ minimum: 1 })),
      field: Type.String({ maxLength: 60 }),
      from: Type.Optional(Type.String({ maxLength: 4000 })),
      to: Type.String({ maxLength: 4000 }),
    }),
    reply: Import,
  } satisfies Endpoint;
  const write = {
    ...base,
    method: "POST",
    path: path("write"),
    summary: `Writes an import of ${of.name} by a job, in one transaction: all rows, or only the good ones.`,
    rate: "write",
    personal: who,
    body: Type.Object({
      id: Id,
      mode: Type.Enum(["all", "good"]),
      withoutHidden: Type.Optional(Type.Boolean({ description: "leaves rows out that the sheet does not show" })),
    }),
    reply: Import,
    ...confirmed,
  } satisfies Endpoint;
  const undo = {
    ...base,
    method: "POST",
    path: path("undo"),
    summary: `Takes a written import of ${of.name} back, unless something refers to its rows or somebody changed them since.`,
    rate: "write",
    personal: who,
    body: Type.Object({ id: Id }),
    reply: Import,
    ...confirmed,
  } satisfies Endpoint;
  const cancel = {
    ...base,
    method: "POST",
    path: path("cancel"),
    summary: `Gives an import of ${of.name} up that is not written.`,
    rate: "write",
    personal: who,
    body: Type.Object({ id: Id }),
    reply: Import,
  } satisfies Endpoint;
  const template = {
    ...base,
    method: "POST",
    path: path("template"),
    summary: `Makes a sheet to fill in for ${of.name}, empty or with the rows that exist; answers the file.`,
    rate: "write",
    personal: {},
    body: Type.Object({
      filled: Type.Optional(Type.Boolean()),
      /** Language of the headings, notes and choices. */
      language: Type.Optional(Type.Enum(["zh", "en"])),
    }),
    reply: Type.Object({ attachId: Id }),
  } satisfies Endpoint;
  const marked = {
    ...base,
    method: "POST",
    path: path("marked"),
    summary: `Makes the sheet of an import of ${of.name} with its problems marked; answers the file.`,
    rate: "write",
    personal: {},
    body: Type.Object({ id: Id }),
    reply: Type.Object({ attachId: Id }),
  } satisfies Endpoint;
  return { begin, page, detail, rows, reread, correct, write, undo, cancel, template, marked };
}
export type ImportEndpoints = ReturnType<typeof importEndpointsOf>;
