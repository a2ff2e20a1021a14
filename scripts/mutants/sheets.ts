import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const folder = "apps/server/src/modules/sheets";
const plain: Tests = { files: [`${folder}/sheets.test.ts`] };
const bombs: Tests = {
  files: [`${folder}/sheet-bombs.test.ts`],
  names: "is refused, soon|may neither write|never looked up|only formatted",
};

/** Sheets of the matrix, by what they are called. */
const matrix = (names: string): Tests => ({ files: ["tests/resources/sheet-matrix.test.ts"], names });

const inputs: Tests = { files: ["tests/resources/sheet-inputs.test.ts"], names: "formulas|digits|left of" };

export const sheetMutants: Mutant[] = [
  ...faultsIn(`${folder}/sheet-reader.ts`, plain, [
    [
      "sheets: any number of rows is read",
      'if (count > maxRows) throw refusalOf("too_many_rows", { max: maxRows });',
      "",
    ],
    [
      "sheets: of two columns of one name the last is read",
      'if (found.doubled !== "") throw',
      'if (found.doubled === "no") throw',
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
      "sheets: rows are numbered from the header",
      "return { rowNumber, cells, faults",
      "return { rowNumber: rowNumber - headerRow, cells, faults",
    ],
    [
      "sheets: rows above the headings are rows",
      "if (row.rowNumber <= headerRow) continue;",
      "if (row.rowNumber === headerRow) continue;",
      matrix("a title above"),
    ],
    ["sheets: what can't be read is read", "if (fault !== undefined) faults[name] = fault;", "", inputs],
  ]),
  ...faultsIn(`${folder}/raw-reader.ts`, plain, [
    ["sheets: a reader that stops early leaves its process", 'child.kill("SIGKILL");\n    giveBack();', ""],
    ["sheets: the process may write files", '  "--permission",\n', "", bombs],
  ]),
  ...faultsIn(`${folder}/headings.ts`, matrix("headings|sheet first|marked before|twice"), [
    [
      "sheets: headings are in the first row",
      "for (const { rowNumber, texts } of headings ? rows : rows.slice(0, 1)) {",
      "for (const { rowNumber, texts } of rows.slice(0, 1)) {",
    ],
    [
      "sheets: hidden sheets are read",
      "const visible = filled.filter((at) => starts[at]?.hidden === false);",
      "const visible = filled;",
    ],
    [
      "sheets: the first sheet is read",
      "headings ? (scored[b]?.score ?? 0) - (scored[a]?.score ?? 0) : a - b",
      "a - b",
    ],
    ["sheets: white space in headings counts", '.replace(/[\\s*＊\\p{Cf}]/gu, "")', '.replace(/[*＊\\p{Cf}]/gu, "")'],
    ["sheets: stars in headings count", '.replace(/[\\s*＊\\p{Cf}]/gu, "")', '.replace(/[\\s\\p{Cf}]/gu, "")'],
    [
      "sheets: headings are in full width or not at all",
      '    .normalize("NFKC")\n    .toLowerCase()',
      "    .toLowerCase()",
    ],
    ["sheets: brackets of headings count", "?? bare.get(bareHeading(plain)) ??", "??"],
    [
      "sheets: columns that were matched by hand are forgotten",
      "const own = kept.get(plain);",
      "const own = kept.get(`${plain} `);",
      { files: ["tests/resources/imports.test.ts"], names: "matched" },
    ],
    [
      "sheets: the columns that a person chose are searched anew",
      'const name = choice?.columns ? (choice.columns[column] ?? "") : match(text);',
      "const name = match(text);",
      { files: ["tests/resources/imports.test.ts"], names: "matched" },
    ],
  ]),
  ...faultsIn(`${folder}/raw-rows.ts`, matrix("merged|shortened|as text of a CSV"), [
    ["sheets: merged cells are empty below their first", "fillMerged(rowNumber);\n      const row", "const row"],
    ["sheets: the text of an error is a text", '? "error" : shortenedNumber', "? undefined : shortenedNumber", inputs],
    ["sheets: a shortened number is one", '? "digits" : undefined;', "? undefined : undefined;", inputs],
    [
      "sheets: columns without end are read",
      "if (column < 0 || column >= sheetLimits.maxColumns) throw",
      "if (column < 0) throw",
      plain,
    ],
    [
      "sheets: a text that is cut is whole",
      '(whole.length > text.length ? "cut" : faultOfText(text))',
      "faultOfText(text)",
      plain,
    ],
  ]),
  ...faultsIn(`${folder}/text-book.ts`, matrix("CSV|text|quotation"), [
    ["sheets: every text has commas", "return best.delimiter;", 'return ",";'],
    [
      "sheets: quotation marks may stay open",
      'if (errors.some(({ type }) => type === "Quotes")) problem = new SheetProblem("quotes");\n      else if',
      "if",
    ],
  ]),
  ...faultsIn(`${folder}/sheet-form.ts`, matrix("GB18030|UTF-16|PDF|bytes of nothing"), [
    ["sheets: every text is in UTF-8", 'wide ? [wide] : ["utf-8", "gb18030"]', 'wide ? [wide] : ["utf-8"]'],
    ["sheets: no text is in UTF-16", "const wide = wideEncodingOf(bytes);", "const wide = undefined;"],
    ["sheets: what a file is is not told", "if (other) throw new SheetProblem(other[1]);", ""],
    [
      "sheets: bytes are text",
      "if (wideEncodingOf(start) === undefined && start.includes(0))",
      "if (start.length === 0)",
    ],
  ]),
  ...faultsIn(`${folder}/library-book.ts`, matrix("xls|hidden|error"), [
    ["sheets: errors of an xls are texts", 'return [String(cell.w ?? "#N/A"), "error"];', 'return [""];'],
    [
      "sheets: hidden sheets of an xls are shown",
      "hidden: (book.Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0",
      "hidden: false",
    ],
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
    [
      "sheets: what is wrong is not marked",
      "isHeader ? styles.header : marked.has(index) ? styles.problem : styles.plain",
      "isHeader ? styles.header : styles.plain",
    ],
    ["sheets: what is wrong is not said", 'wrong.map(({ text }) => text).join("；")', '""'],
    [
      "sheets: a template offers nothing",
      "if (choices === undefined || choices.length === 0) return [];",
      "if (choices?.length !== 0) return [];",
      { files: ["tests/resources/imports.test.ts"], names: "a template" },
    ],
  ]),
  ...faultsIn(`${folder}/cell-text.ts`, plain, [
    [
      "sheets: numbers have the digits of their binary form",
      "const typed = Number(value.toPrecision(15));",
      "const typed = value;",
    ],
    ["sheets: shares are numbers", "if (isShare(format)) return `${Number((typed * 100).toPrecision(15))}%`;\n", ""],
    [
      "sheets: zeros before a number are lost",
      'return String(typed).padStart(format.length, "0");',
      "return String(typed);",
    ],
    ["sheets: days are numbers", 'if (format !== "General" && SSF.is_date(format)) {', 'if (format === "no format") {'],
  ]),
  ...faultsIn(`${folder}/xlsx-book.ts`, plain, [
    [
      "sheets: a row is where the one before ends",
      "const said = Number(tag.attributes.r ?? rowNumber + 1);",
      "const said = rowNumber + 1;",
    ],
    [
      "sheets: a chart is a sheet of cells",
      'return found?.type.endsWith("/worksheet")',
      "return found",
      matrix("a chart first|charts alone"),
    ],
    [
      "sheets: a formula without its result is empty",
      'if (formula !== undefined && value === "" && !(type === "str" && hasValue)) return [`=${formula}`, "formula"];',
      "",
      matrix("a formula without its result|a shared formula"),
    ],
    [
      "sheets: digits are lost without a word",
      'return Math.abs(number) >= sheetLimits.exactBelow ? [text, "digits"] : [text];',
      "return [text];",
      inputs,
    ],
    [
      "sheets: a cell is where the one before ends",
      "column = place === undefined ? column + 1 : columnOf(place);",
      "column += 1;",
    ],
  ]),
  ...faultsIn(`${folder}/xlsx-book.ts`, bombs, [
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
    ["sheets: sizes that lie are believed", "validateEntrySizes: true", "validateEntrySizes: false"],
  ]),
  ...faultsIn(`${folder}/open-book.ts`, bombs, [["sheets: markup of any size is read", "    requireFew(text);\n", ""]]),
  ...faultsIn(`${folder}/archive-book.ts`, bombs, [
    ["sheets: an ods unpacks to what it likes", "left -= bytes.length;", ""],
  ]),
  {
    name: "sheets: a process takes any memory",
    edits: [
      {
        file: `${folder}/raw-reader.ts`,
        find: "  `--max-old-space-size=${sheetLimits.memoryMb}`,\n",
        replace: "",
      },
    ],
    tests: bombs,
  },
];
