import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const folder = "apps/server/src/modules/sheets";
const plain: Tests = { files: [`${folder}/sheets.test.ts`] };
const bombs: Tests = {
  files: [`${folder}/sheet-bombs.test.ts`],
  names: "is refused, soon|may neither write|never looked up|only formatted",
};

export const sheetMutants: Mutant[] = [
  ...faultsIn(`${folder}/sheet-reader.ts`, plain, [
    [
      "sheets: any number of rows is read",
      'if (count > maxRows) throw refusalOf("too_many_rows", { max: maxRows });',
      "",
    ],
    ["sheets: of two columns of one name the last is read", "if (twice !== undefined) {", 'if (twice === "") {'],
    [
      "sheets: an empty one has no columns",
      'if (header === undefined) {\n    await batches.return(undefined);\n    throw refusalOf("empty");\n  }',
      "if (header === undefined) return { headers: [], headerRow: 0, rows: (async function* () {})() };",
    ],
    [
      "sheets: the guard against formulas is a part of the text",
      "startsLikeFormula(text.slice(1)) ? text.slice(1) : text;",
      "text;",
    ],
    [
      "sheets: columns may be called what objects have",
      "const cells: Record<string, string> = Object.create(null);",
      "const cells: Record<string, string> = {};",
    ],
    [
      "sheets: white space in headers counts",
      'header.texts.map((text) => text.replace(/\\s+/g, " "))',
      "header.texts.map((text) => text)",
    ],
    [
      "sheets: rows are numbered from the header",
      "return { rowNumber, cells };",
      "return { rowNumber: rowNumber - header.rowNumber, cells };",
    ],
    ["sheets: a reader that stops early leaves its process", 'child.kill("SIGKILL");\n    giveBack();', ""],
    ["sheets: the process may write files", '  "--permission",\n', "", bombs],
  ]),
  ...faultsIn(`${folder}/sheet-writer.ts`, plain, [
    ["sheets: what begins like a formula is one", "(startsLikeFormula(text) ? `'${text}` : text)", "text"],
    [
      "sheets: texts are not written as XML needs them",
      '.replace(/[&<>"]/g, (character) => entities[character] ?? character);',
      ";",
    ],
    ["sheets: rows beyond a sheet's end are lost", "} while (!pending.done);", "} while (index < 0);"],
    [
      "sheets: numbers are texts",
      'typeof value === "number"\n      ? value',
      'typeof value === "bigint"\n      ? Number(value)',
    ],
    [
      "sheets: days are texts",
      'const serial = type === "date" || type === "dateTime" ? serialOf(text) : undefined;',
      "const serial = serialOf(`no ${text}`);",
    ],
    ["sheets: a cancelled one is written to its end", "signal?.throwIfAborted();", ""],
    ["sheets: what is wrong is not marked", "marked.has(names[index]) ? styles.problem : styles.plain", "styles.plain"],
    ["sheets: what is wrong is not said", 'wrong.map(({ text }) => text).join("；")', '""'],
    [
      "sheets: a template offers nothing",
      'const list = (choices ?? []).join(",");',
      'const list = "x".repeat(256 + (choices ?? []).length);',
      { files: ["tests/resources/imports.test.ts"], names: "a template" },
    ],
  ]),
  ...faultsIn(`${folder}/cell-text.ts`, plain, [
    [
      "sheets: numbers have the digits of their binary form",
      "const typed = Number(value.toPrecision(15));",
      "const typed = value;",
    ],
    [
      "sheets: shares are numbers",
      'if (format.endsWith("%")) return `${Number((typed * 100).toPrecision(15))}%`;\n',
      "",
    ],
    [
      "sheets: zeros before a number are lost",
      'return String(typed).padStart(format.length, "0");',
      "return String(typed);",
    ],
    ["sheets: days are numbers", 'if (format !== "General" && SSF.is_date(format)) {', 'if (format === "no format") {'],
  ]),
  ...faultsIn(`${folder}/xlsx-rows.ts`, plain, [
    [
      "sheets: columns without end are read",
      "if (column < 0 || column >= sheetLimits.maxColumns) {",
      "if (column < 0) {",
    ],
    [
      "sheets: a row is where the one before ends",
      "rowNumber = Number(tag.attributes.r ?? rowNumber + 1);",
      "rowNumber += 1;",
    ],
    [
      "sheets: a cell is where the one before ends",
      "column = place === undefined ? column + 1 : columnOf(place);",
      "column += 1;",
    ],
  ]),
  ...faultsIn(`${folder}/xlsx-rows.ts`, bombs, [
    [
      "sheets: a bomb is unpacked",
      "if (bomb || unpacked > sheetLimits.maxUnpackedBytes || entries.size >= sheetLimits.maxEntries) {",
      "if (entries.size >= sheetLimits.maxEntries) {",
    ],
    ["sheets: any number of files is looked at", "|| entries.size >= sheetLimits.maxEntries) {", ") {"],
    [
      "sheets: documents declare what they like",
      'parser.on("doctype", () => void failed.push(new SheetProblem("unreadable")));\n',
      "",
    ],
    [
      "sheets: rows that are only formatted are rows",
      'else if (name === "row" && texts.length > 0) rows.push({ rowNumber, texts });',
      'else if (name === "row") rows.push({ rowNumber, texts });',
    ],
    ["sheets: sizes that lie are believed", "validateEntrySizes: true", "validateEntrySizes: false"],
  ]),
  {
    name: "sheets: a process takes any memory",
    edits: [
      {
        file: `${folder}/sheet-reader.ts`,
        find: "  `--max-old-space-size=${sheetLimits.memoryMb}`,\n",
        replace: "",
      },
    ],
    tests: bombs,
  },
];
