import {
  fieldsOf,
  type Import,
  type ImportRow,
  type Page,
  type ResourceDeclaration,
  writtenFieldsOf,
} from "@herdwise/contract";
import { expect, test } from "vitest";
import { sampleValue, wrongValues } from "./sample-values.ts";
import { sheetCalls } from "./sheets.ts";
import { type Row, type SuiteCalls, type SuiteWorld, shownText } from "./suite-calls.ts";

type Cells = Record<string, string>;
const parentHeader = "上级";

/** What the sheets of a resource have to pass. */
export function sheetSuite(of: ResourceDeclaration, world: () => SuiteWorld, calls: SuiteCalls): void {
  const { get, add, sample, plain, references } = calls;
  const key = of.sheets?.key ?? "";
  /** A field that a sheet changes of a row that exists. */
  const [changing, changingField] = plain.find(
    ([name, field]) =>
      name !== key &&
      !field.fixed &&
      (field.kind === "number" || (field.kind === "text" && !field.unique && !field.rule)),
  ) as (typeof plain)[number];
  const noted = (value: unknown) =>
    changingField.kind === "number" && changingField.decimals ? shownText(changingField, value, {}) : value;
  const labels = new Map(writtenFieldsOf(of).map(([name, { label }]) => [name, label]));
  const labelOf = (name: string): string => labels.get(name) ?? "";

  /** Cells of a row as people type them. */
  const cellsOf = (row: Readonly<Record<string, unknown>>): Cells => ({
    ...(of.tree && { [parentHeader]: "" }),
    ...Object.fromEntries(
      writtenFieldsOf(of).map(([name, field]) => [
        field.label,
        field.kind === "reference" ? (references[name]?.sheetName ?? "") : shownText(field, row[name], world().names),
      ]),
    ),
  });
  /** Wrong values as cells can hold them, each with the field and reason that must be told. */
  const wrongCells = (): { cells: Cells; told: string }[] =>
    writtenFieldsOf(of).flatMap(([name, field]) => {
      const hasDefault = "default" in field && field.default !== undefined;
      const wrong = wrongValues(field, world().keys).map(({ value, reason }): [string, string] => [
        typeof value === "number"
          ? (value / 10 ** (field.kind === "number" ? (field.decimals ?? 0) : 0)).toFixed(
              (field.kind === "number" ? (field.decimals ?? 0) : 0) + (Number.isInteger(value) ? 0 : 1),
            )
          : Array.isArray(value)
            ? value.join("、")
            : String(value),
        reason,
      ]);
      if (field.kind === "switch") wrong.push(["也许", "field.choice"]);
      // A sheet may name a region, so that a text which is no code is the name of none.
      const isRegion = field.kind === "text" && field.rule === "region";
      return (
        wrong
          .map(([text, reason]): [string, string] => [
            text,
            isRegion && /\D/.test(text.trim()) ? "field.region" : reason,
          ])
          // Days are read as people write them.
          .filter(([text]) => text !== "2026-2-3")
          .filter(([text, reason]) => !/[\0\p{Surrogate}]/u.test(text) && !(reason === "field.required" && hasDefault))
          .map(([text, reason]) => ({
            cells: { ...cellsOf(sample()), [field.label]: text },
            told: `${name} ${reason}`,
          }))
      );
    });
  const rowsOf = async (id: string, query: Cells = {}) =>
    (await get<Page<ImportRow>>("import/rows", { id, size: "500", ...query })).data.records;

  test("a sheet with bad rows tells each by row and field and stores nothing; the good ones are written whole and taken back", async () => {
    const sheets = sheetCalls(world().app, of.path, world().admin);
    const existing = await add();
    const uniqueInSheet = writtenFieldsOf(of).filter(([, field]) => field.kind === "text" && field.unique === "scope");
    const added = [sample(), sample()];
    const changed = sampleValue(changing, changingField, calls.next(), world().keys);
    const good: Cells[] = added.map(cellsOf);
    // An existing row with one field changed; what the sheet leaves empty stays. Trees only grow by sheets.
    const changes: Cells[] = of.tree
      ? []
      : [
          {
            ...Object.fromEntries(Object.keys(good[0] ?? {}).map((header) => [header, ""])),
            [labelOf(key)]: String(existing[key]),
            [labelOf(changing)]: shownText(changingField, changed, world().names),
          },
        ];
    const bad = [
      ...wrongCells(),
      ...uniqueInSheet.map(([name, { label }]) => ({
        cells: { ...cellsOf(sample()), [label]: String(added[0]?.[name]) },
        told: `${name} field.doubled`,
      })),
      ...uniqueInSheet
        // A row of a tree that stands there already is itself.
        .filter(([name]) => (of.tree ? name !== of.title : name !== key))
        .map(([name, { label }]) => ({
          cells: { ...cellsOf(sample()), [label]: String(existing[name]) },
          told: `${name} field.unique`,
        })),
      ...(of.tree
        ? [{ cells: { ...cellsOf(sample()), [parentHeader]: "不存在的" }, told: "parentId row.parent_missing" }]
        : []),
    ];
    const before = await calls.count();
    const checked = await sheets.check([...good, ...changes, ...bad.map(({ cells }) => cells)]);
    expect(checked).toMatchObject({
      state: "checked",
      rows: good.length + changes.length + bad.length,
      good: good.length + changes.length,
      bad: bad.length,
      updates: changes.length,
    });
    const first = 2 + good.length + changes.length;
    const told = (await rowsOf(checked.id)).map(({ rowNumber, problems }) => [
      rowNumber,
      problems.map(({ field, reason }) => `${field} ${reason}`),
    ]);
    expect(told).toEqual(bad.map((one, at) => [first + at, [one.told]]));
    expect(await calls.count()).toBe(before);
    const all = await sheets.post<{ reason: string }>("import/write", { id: checked.id, mode: "all" });
    expect([all.status, all.data.reason]).toEqual([400, "import.bad_rows"]);

    const written = await sheets.write(checked.id, "good");
    expect(written).toMatchObject({ state: "written", written: good.length + changes.length });
    expect(await calls.count()).toBe(before + good.length);
    const ids = (await rowsOf(checked.id, { all: "true" })).slice(0, first - 2).map(({ rowId }) => rowId);
    for (const [at, given] of added.entries()) {
      const { data } = await get<Row>("detail", { id: ids[at] ?? "" });
      for (const [name] of plain) expect([name, data[name]]).toEqual([name, given[name]]);
      expect(data).toMatchObject({ version: 1, createUserName: world().adminName });
      const history = await historyOf(data.id);
      expect(history).toMatchObject([{ action: "import", actorName: world().adminName }]);
      expect(history[0]?.changes).toContainEqual({ field: of.title, before: "", after: data[of.title] });
    }
    if (changes.length > 0) {
      expect(ids[good.length]).toBe(existing.id);
      const { data } = await get<Row>("detail", { id: existing.id });
      const expected: Record<string, unknown> = { ...existing, [changing]: changed, version: 2 };
      for (const [name] of writtenFieldsOf(of)) expect([name, data[name]]).toEqual([name, expected[name]]);
      const [entry] = await historyOf(existing.id);
      expect(entry).toMatchObject({
        action: "import",
        changes: [{ field: changing, before: noted(existing[changing]), after: noted(changed) }],
      });
    }
    const undone = await sheets.post<Import>("import/undo", { id: checked.id });
    expect(undone.data.state).toBe("undone");
    expect(await calls.count()).toBe(before);
    const { data: restored } = await get<Row>("detail", { id: existing.id });
    for (const [name] of writtenFieldsOf(of)) expect([name, restored[name]]).toEqual([name, existing[name]]);
    expect((await historyOf(ids[0] ?? ""))[0]?.action).toBe("undo");
  });
  const historyOf = async (id: string) =>
    (
      await get<Page<{ action: string; changes: { field: string; before: unknown; after: unknown }[] }>>("history", {
        id,
      })
    ).data.records;

  test("an export is equal to the list: the same rows, each value as it is shown there", async () => {
    const rows = [await add(), await add(), await add()];
    const chosen = rows.slice(0, 2);
    const ids = chosen.map(({ id }) => id).join(",");
    const { data: page } = await get<Page<Row>>("page", { ids });
    const sheets = sheetCalls(world().app, of.path, world().admin);
    // A sheet keeps 12.50 as the number 12.5.
    const asRead = (kind: string, text: string) => (kind === "number" && text !== "" ? String(Number(text)) : text);
    const expected = page.records
      .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
      .map((row) => {
        const shown = fieldsOf(of).map(([name, field]) => {
          const value = field.kind === "reference" ? references[name]?.sheetName : row[name];
          return [field.label, asRead(field.kind, shownText(field, value, world().names))];
        });
        return Object.fromEntries([...shown, ["更新时间", row.updateTime]].filter(([, text]) => text !== ""));
      });
    const where = { ids: rows.map(({ id }) => id).join(","), updateTime_ge: "2026-03-01" };
    await calls.sql(`update ${of.table} set updated_at = '2026-01-01' where id = $1`, [rows[2]?.id]);
    const { rows: found, job } = await sheets.exported({ where });
    expect(found).toEqual(expected);
    expect(job.result.rows).toBe("2");
    expect((await sheets.post("export", { where: { nonsense: "1" } })).status).toBe(400);
    expect((await sheets.post("export", { ids: `${rows[2]?.id},1` })).status).toBe(404);
  });

  test.each(["zh", "en"] as const)(
    "the template with the rows, and an export, come back as no change (%s)",
    async (language) => {
      const sheets = sheetCalls(world().app, of.path, world().admin);
      await add();
      await add();
      const { data } = await sheets.post<{ attachId: string }>("import/template", { filled: true, language });
      const template = await sheets.read(data.attachId);
      const { bytes } = await sheets.exported({
        // Sheets are a tenant's own; the group's staff see the rows of all.
        where: of.scope === "own-or-all-tenants" ? { tenantId: "000000" } : {},
        language,
      });
      for (const [name, file] of [
        ["template.xlsx", template.bytes],
        ["export.xlsx", bytes],
      ] as const) {
        const checked = await sheets.checkFile(file, name);
        expect([name, checked.failure, checked.groups]).toEqual([name, "", []]);
        expect(checked.rows).toBeGreaterThan(1);
        expect([checked.bad, checked.unchanged, checked.updates, checked.changed]).toEqual([
          0,
          checked.rows,
          checked.rows,
          0,
        ]);
      }
    },
  );
}
