import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const folder = "apps/server/src/resources";
/** The sheets of the suite, for a list of tenants, one of the group with references, and a tree. */
const suite: Tests = {
  files: ["tests/resources/resources.test.ts"],
  names: "^(post|sale_field|dept) .*(a sheet|an export)",
};
const own: Tests = { files: ["tests/resources/imports.test.ts"], names: "^(?!.*many rows)" };
const many: Tests = { files: own.files, names: "many rows" };
const check = `${folder}/import-check.ts`;
const write = `${folder}/import-write.ts`;
const service = `${folder}/import.service.ts`;
const repository = `${folder}/import.repository.ts`;

const checked: Mutant[] = [
  ...faultsIn(check, suite, [
    [
      "import: what is required may be left out",
      "if (field.required && blank && !wrong.has(name))",
      'if (field.required && name === "")',
    ],
    [
      "import: what is taken is not seen",
      "if (holder !== undefined && holder !== existing?.id && values[name] !== opened?.[name])",
      'if (holder === "")',
    ],
    [
      "import: a row is held against itself",
      "if (holder !== undefined && holder !== existing?.id && values[name] !== opened?.[name])",
      "if (holder !== undefined)",
    ],
    [
      "import: a row that exists is added again",
      '(known.get(String(row.values[key] ?? "")) ?? known.get(keyText(key, row.values[key])))',
      "known.get(`${key} of no row`)",
    ],
    [
      "import: what is out of a person's reach is free",
      "await rows.byTexts(everyRow, name, textsOf(name))",
      "await rows.byTexts(scope, name, textsOf(name))",
      own,
    ],
    [
      "import: what stands is called a change",
      "unchanged = problems.length === 0 && Object.keys(changed).length === 0;",
      "unchanged = false;",
      { files: suite.files, names: "^(post|dept) .*come back as no change" },
    ],
    [
      "import: masks are values",
      "isMaskOf(field, existing[name], text.trim()) ||",
      "",
      { files: suite.files, names: "^slaughterhouse .*come back as no change" },
    ],
    [
      "import: what was rewritten is not told",
      "...(Object.keys(changes).length > 0 && { changes }),",
      "",
      { files: ["tests/resources/sheet-inputs.test.ts"], names: "full-width|region" },
    ],
    [
      "import: any parent will do",
      'if (parent !== "" && !standing.has(parent)) problems.push(parentProblem);',
      "if (standing.has(`${parent} of nothing`)) problems.push(parentProblem);",
    ],
    [
      "import: a place stands twice in a sheet",
      'else problems.push(problemOf(of.title, "field.doubled", { value: title, row: String(first) }));',
      "",
      own,
    ],
    [
      "import: a tree grows deeper than declared",
      "if (depthOf(cells) > (of.tree?.maxDepth ?? 0)) problems.push(depthProblem);",
      "",
      own,
    ],
    [
      "import: rows stand below bad ones",
      "else if (problems.length === 0) standing.add(pathOf(cells));",
      "else standing.add(pathOf(cells));",
      own,
    ],
    [
      "import: children must come after their parents",
      "checked.toSorted((a, b) => depthOf(a.cells) - depthOf(b.cells))",
      "checked.toReversed()",
      own,
    ],
  ]),
  ...faultsIn(`${folder}/sheet-values.ts`, suite, [
    [
      "import: bounds of fields don't hold",
      "const found = checkField(name, field, read.value);",
      "const found = checkField(name, { ...field, required: false }, undefined);",
    ],
    ["import: more decimals than a field has are cut off", "if (kept.length > decimals) return undefined;\n", ""],
    ["import: decimals are forgotten", 'Number(`${integer}${kept.padEnd(decimals, "0")}`)', "Number(integer)"],
    [
      "import: names of choices are taken as keys",
      "for (const [key, name] of pairs) put(name, key);",
      "for (const [, name] of pairs) put(name, name);",
    ],
    [
      "import: titles of references are not looked up",
      'return value === undefined ? { problem: wrong(name, "field.reference", { label }) } : { value, text: plain };',
      'return { value: value ?? "1", text: plain };',
    ],
    [
      "import: a comma anywhere parts thousands",
      "/^-?\\d{1,3}(,\\d{3})+(\\.\\d+)?$/.test(bare)",
      'bare.includes(",")',
      { files: ["tests/resources/sheet-matrix.test.ts"], names: "misplaced comma" },
    ],
    [
      "import: a name of several regions is the first of them",
      "if (found.length === 1) return",
      "if (found.length > 0) return",
      { files: ["tests/resources/imports.test.ts"], names: "several regions" },
    ],
    [
      "export: numbers are those that are stored",
      'typeof value === "number" ? Number(shownNumber(value, field.decimals)) : ""',
      'typeof value === "number" ? value : ""',
    ],
    ["export: choices are keys", "return options?.names.get(String(value)) ?? String(value);", "return String(value);"],
    [
      "export: several choices are keys",
      "value.map((one) => options?.names.get(String(one)) ?? String(one)).join",
      "value.map((one) => String(one)).join",
      { files: suite.files, names: "^sale_region .*an export" },
    ],
    [
      "export: on and off are turned round",
      'return value ? "是" : "否";',
      'return value ? "否" : "是";',
      { files: suite.files, names: "^dict .*an export" },
    ],
  ]),
  ...faultsIn(`${folder}/job-scope.ts`, suite, [
    [
      "import: the group's staff find rows of all tenants",
      "inTenant(tenantScopeOf(payload), payload.tenantId)",
      "tenantScopeOf(payload)",
      own,
    ],
  ]),
  ...faultsIn(service, suite, [
    [
      "import: problems stand under other rows",
      "rowNumber: row.rowNumber,\n          cells: { ...row.cells },",
      "rowNumber: row.rowNumber - 1,\n          cells: { ...row.cells },",
    ],
    ["import: doubles in a sheet pass", "else await checks.markDoubles(scope, importId);", ""],
    [
      "import: rows are written though some are bad",
      'if (mode === "all" && stored.bad > 0) throw',
      "if (stored.bad < 0) throw",
    ],
    ["import: an empty sheet passes", 'if (done === 0) throw refuse("import.empty");\n', "", own],
    [
      "import: a sheet without its key passes",
      "if (!columns.some(({ field }) => field === key)) {",
      "if (columns.length === 0) {",
      own,
    ],
    ["import: how far the check is is not told", "await progress(done, 0);", "", many],
    [
      "import: an import of bad rows alone is written",
      'if (stored.rows === stored.bad) throw refuse("import.nothing_good");\n',
      "",
      own,
    ],
    [
      "import: hidden rows are written though they were to be left out",
      "{ options, withoutHidden }, async (count) => {",
      "{ options, withoutHidden: false }, async (count) => {",
      own,
    ],
    [
      "import: a corrected cell keeps what was wrong with the sheet's",
      "faults: without(row.notes.faults, field),",
      "faults: row.notes.faults,",
      own,
    ],
    [
      "import: a sheet without headings is forgotten",
      "if (source) await imports.putSource(scope, stored.id, source, columns);",
      "",
      own,
    ],
    [
      "import: written imports are corrected",
      'if (state !== "checked") throw refuse("import.state", { values: { state: state ?? "" } });\n        const checksOfHeld',
      "const checksOfHeld",
      own,
    ],
    [
      "import: corrections do not wait for each other",
      "const state = await held.imports.lock(scope, id);",
      "const state = (await held.imports.byId(scope, id))?.state;",
      own,
    ],
    [
      "import: a correction is not checked",
      "await held.imports.putRows(scope, id, await checksOfHeld.check(own, all.slice(at, at + chunkRows), by));",
      "await held.imports.putRows(scope, id, all.slice(at, at + chunkRows));",
      own,
    ],
    [
      "import: a correction leaves doubles unmarked",
      "await checksOfHeld.markDoubles(scope, id, {",
      "await checksOfHeld.markDoubles(scope, `-${id}`, {",
      own,
    ],
    [
      "import: a correction of a tree checks that row alone",
      "await checksOfHeld.recheck(own, id, by);",
      "await held.imports.putRows(scope, id, await checksOfHeld.check(own, changed, by));",
      own,
    ],
    ["import: a job's end is not followed", "if (end === undefined) return stored;", "return stored;", own],
    [
      "import: the end of a check is the end of a write",
      'const next = state === "writing" ? "checked" :',
      'const next = state === "x" ? "checked" :',
      own,
    ],
    [
      "import: a write that no job took stands still",
      'await imports.setState(scope, id, ["writing"], "checked", { jobId: null });\n        throw error;',
      "throw error;",
      own,
    ],
    ["import: a check that no job took stands still", "await imports.remove(scope, id);", "", own],
    [
      "import: giving up lets the job go on",
      "if (stored.jobId !== null) await jobs.stop(scope, stored.jobId);",
      "",
      own,
    ],
    [
      "import: rows that turned bad are not told",
      "await checks.recheck(scope, importId, by);\n      if (error",
      "if (error",
      own,
    ],
    [
      "import: what only the database knows is not told at its row",
      "await imports.addProblem(scope, importId, error.rowNumber, error.problem);",
      "{}",
      own,
    ],
    [
      "import: a job that is given twice writes twice",
      'if ((await to.imports.lock(scope, importId)) !== "writing") return undefined;',
      "await to.imports.lock(scope, importId);",
      own,
    ],
  ]),
  ...faultsIn(repository, suite, [
    ["import: the writing holds its person's account", '.forUpdate("i")', ".forUpdate()", own],
    ["import: bad rows are written, too", "if (goodOnly) query = query.where(sql<boolean>`r.problems = '[]'`);", ""],
    [
      "import: imports of other tenants are found",
      '.where("i.resource", "=", of.name)\n      .where(inOneTenant(scope, "i"));',
      '.where("i.resource", "=", of.name);',
      own,
    ],
    [
      "import: imports of other resources are found",
      '.where("i.resource", "=", of.name)\n      .where(inOneTenant(scope, "i"));',
      '.where(inOneTenant(scope, "i"));',
      own,
    ],
    [
      "import: all values are corrected, not only the wrong one",
      "`coalesce(r.cells ->> ${field}, '') = any(${[...texts]}::text[])`",
      "`coalesce(r.cells ->> ${field}, '') <> all(${['no such text', ...texts.slice(99)]}::text[])`",
      own,
    ],
  ]),
];

const written: Mutant[] = [
  ...faultsIn(`${folder}/index.ts`, own, [
    [
      "import: it is not written in one transaction",
      "committed((transaction) => work(repositoriesOf(transaction), extraOf(transaction))),\n          cipher",
      "work(repositoriesOf(kysely), extraOf(kysely)),\n          cipher",
    ],
  ]),
  ...faultsIn(write, suite, [
    [
      "import: what a sheet leaves empty is emptied",
      "const changed = changedValues(of, opened, values);",
      "const changed = changedValues(of, opened, { ...defaultsOf(of), ...values });",
    ],
    [
      "import: nobody is noted as the author of its rows",
      "await to.rows.insert(scope, inserts);",
      "await to.rows.insert({ ...scope, accountId: null }, inserts);",
    ],
    [
      "import: its rows are not in the audit trail",
      "await to.audit.appendSpooled(chainOf(scope), scope, records, nextId);",
      "",
    ],
    [
      "import: its undoing is not in the audit trail",
      "await to.audit.appendSpooled(chainOf(scope), scope, spool, nextId);",
      "",
    ],
    [
      "import: defaults are left out",
      "const whole = { ...defaultsOf(of), ...values };",
      "const whole = { ...Object.fromEntries(fields.map(([name]) => [name, null])), ...values };",
      own,
    ],
    ["import: what rows held is not kept", "await to.imports.keepWritten(scope, importId, kept);", ""],
    ["import: undone, added rows stay", "await removeAdded(to, extra, scope, added);", ""],
    [
      "import: undone, changed rows stay changed",
      "if (row.before === null) added.push(current.id);\n          else\n",
      "if (row.before === null) added.push(current.id);\n          else if (row.rowNumber < 0)\n",
    ],
    [
      "import: later changes are undone with it",
      "if (current?.version !== row.version || (row.before === null && current.acted)) {",
      "if (current === undefined || (row.before === null && current.acted)) {",
      own,
    ],
    [
      "import: what came into use is taken away",
      'if ((await obstaclesOf(to.rows, extra, scope, ids, new Map())).length > 0) throw refuse("import.in_use");',
      "",
      own,
    ],
    [
      "import: a row that is gone is added from half of it",
      "if (held === undefined) throw new RowTurnedBad(row.rowNumber);",
      "if (held === undefined) {\n        await add(row, values);\n        continue;\n      }",
      own,
    ],
    [
      "import: the hooks are not asked",
      "await hooks.beforeSave?.({\n        held: undefined,",
      "await (async (_: object) => undefined)({\n        held: undefined,",
      own,
    ],
    ["import: it can't be stopped at its end", "await tell(done);\n      return done;", "return done;", own],
    [
      "import: children are written before their parents",
      "checks.depthOf(a.cells) - checks.depthOf(b.cells) || a.rowNumber - b.rowNumber",
      "checks.depthOf(b.cells) - checks.depthOf(a.cells)",
      own,
    ],
    [
      "import: ciphertext is lost when it is taken back",
      'Buffer.isBuffer(value) ? { hex: value.toString("hex") } : value,',
      'Buffer.isBuffer(value) ? { hex: "" } : value,',
      own,
    ],
  ]),
  ...faultsIn(service, own, [
    [
      "import: it is undone twice",
      'if (state !== "written") throw refuse("import.state", { values: { state: state ?? "" } });',
      "",
    ],
    [
      "import: it is written twice at a time",
      'requireState(stored, "checked");\n      if (mode === "all"',
      'if (mode === "all"',
    ],
  ]),
];

const exported: Mutant[] = [
  ...faultsIn(`${folder}/export.service.ts`, suite, [
    [
      "export: conditions are ignored",
      "exported(within, conditions, language, signal, (done)",
      "exported(within, [], language, signal, (done)",
    ],
    [
      "export: masked fields leave open",
      'field.kind === "number" ? row[name] : shownValue(field, row[name])',
      "row[name]",
    ],
    [
      "export: references are ids",
      '? String(row[`${name}SheetName`] ?? row[referenceNameOf(name)] ?? "")',
      '? String(row[name] ?? "")',
    ],
    ["export: parents are left out", "(paths.get(row.id) ?? []).slice(0, -1).join(pathSeparator)", '""', own],
    [
      "export: rows that are named may be another's",
      'if ((await rows.byIds(scope, ids)).length !== ids.length) throw refuse("row.not_found");',
      "",
    ],
    [
      "export: unknown conditions fail in the job",
      "readConditions(of, input.ids ? { ids: input.ids } : (input.where ?? {}));\n",
      "",
    ],
    [
      "export: times are left out",
      '{ key: "updateTime", header: headerOf("更新时间"), type: "dateTime", width: 20 },',
      "",
    ],
    [
      "export: it ends after the ids that are read at a time",
      "after = ids.length < idsAtOnce ? undefined : ids.at(-1);",
      "after = undefined;",
      many,
    ],
    [
      "export: the chosen columns are ignored",
      "return chosen === undefined ? all : all.filter((column) => chosen.includes(column.key));",
      "return all;",
      many,
    ],
    [
      "export: the tenant that is named is ignored",
      'const within = inTenant(scope, typeof payload.where?.tenantId === "string" ? payload.where.tenantId : undefined);',
      "const within = inTenant(scope, undefined);",
      own,
    ],
    ["template: it has no choices", "...(choices && { choices: choices.slice(0, mostChoices) }),", "", own],
    ["template: the filled one is empty", "...(filled && {", "...(filled === undefined && {", own],
    [
      "template: the rows of other tenants stand in it",
      "inTenant(scope, scope.tenantId),\n              [],",
      "scope,\n              [],",
      { files: suite.files, names: "^(post|dept) .*come back as no change" },
    ],
    [
      "template: English headings are ambiguous",
      "return (uses.get(plainHeading(english))?.length ?? 0) > 1 ? label : english;",
      "return english;",
      { files: suite.files, names: "come back as no change .en" },
    ],
  ]),
  ...faultsIn(service, own, [
    [
      "marked sheet: its problems are left out",
      "marks.push({ rowNumber: row.rowNumber, field: one.field, text: said });",
      "",
    ],
    [
      "marked sheet: placeholders are left",
      "one.text.replace(/\\{(\\w+)\\}/g, (whole, name: string) => String(one.values[name] ?? whole))",
      "one.text",
    ],
  ]),
];

export const importMutants: Mutant[] = [...checked, ...written, ...exported];
