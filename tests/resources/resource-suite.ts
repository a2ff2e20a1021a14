import {
  fieldsOf,
  type Page,
  type ResourceDeclaration,
  referenceNameOf,
  snakeCase,
  sortsOf,
  type TextRule,
  writtenFieldsOf,
} from "@herdwise/contract";
import { expect, test, vi } from "vitest";
import { rightsSuite } from "./rights-suite.ts";
import { rightValues, rightValuesOf, sampleValue, takesListed, wrongValues } from "./sample-values.ts";
import { sheetSuite } from "./sheet-suite.ts";
import { isDictionary, type Row, type SuiteWorld, shownText, suiteCalls } from "./suite-calls.ts";
import { treeSuite } from "./tree-suite.ts";

interface Entry {
  action: string;
  actorName: string;
  changes: { field: string; before: unknown; after: unknown }[];
}

/** The tests that every resource has to pass, made from its declaration. @param world known once the file is set up */
export function resourceSuite(of: ResourceDeclaration, world: () => SuiteWorld): void {
  const calls = suiteCalls(of, world);
  const { get, post, add, sample, sql, plain, changeable, masked, reasonsOf, references } = calls;
  const uniqueFields = writtenFieldsOf(of).filter(([, field]) => field.kind === "text" && field.unique);
  const historyOf = async (id: string) => (await get<Page<Entry>>("history", { id, size: "50" })).data.records;
  const idsOf = ({ records }: Page<Row>) => records.map(({ id }) => id);

  test("a row that is added reads back as it was given, in the list and by itself", async () => {
    const given = sample();
    const row = await add(given);
    const { data: detail } = await get<Row>("detail", { id: row.id });
    const { data: page } = await get<Page<Row>>("page", { ids: row.id });
    for (const [name] of plain) {
      expect([name, row[name]]).toEqual([name, given[name]]);
      expect([name, detail[name]]).toEqual([name, given[name]]);
      expect([name, page.records[0]?.[name]]).toEqual([name, given[name]]);
    }
    for (const [name, { title }] of Object.entries(references)) expect(detail[referenceNameOf(name)]).toBe(title);
    expect(page.total).toBe(1);
    expect(row).toMatchObject({ version: 1, isDeleted: 0, createUserName: world().adminName });
  });

  test("what forms of the family send is read as it is meant, and what they leave out has its default", async () => {
    const given = sample();
    for (const [name, field] of writtenFieldsOf(of)) {
      if (field.kind !== "choices") continue;
      const right = rightValues(field, calls.next(), world().keys)[0];
      if (Array.isArray(right)) given[name] = right.slice(0, 2);
    }
    const sent = Object.fromEntries(
      Object.entries(given).map(([name, value]) => {
        const kind = of.fields[name]?.kind;
        if (kind === "choices") return [name, (value as string[]).join(",")];
        return [name, kind === "number" ? String(value) : kind === "text" ? `  ${value} ` : value];
      }),
    );
    const row = await add(sent);
    for (const [name] of plain) expect([name, row[name]]).toEqual([name, given[name]]);
    const least = sample();
    for (const [name, field] of writtenFieldsOf(of))
      if (!field.required || ("default" in field && field.default !== undefined)) delete least[name];
    const bare = await add(least);
    for (const [name, field] of writtenFieldsOf(of)) {
      if (name in least) continue;
      const nothing =
        field.kind === "number" ? undefined : field.kind === "choices" ? [] : field.kind === "switch" ? false : "";
      const expected = "default" in field && field.default !== undefined ? field.default : nothing;
      expect([name, bare[name]]).toEqual([name, expected]);
    }
  });

  test("personal fields leave masked and stay when the mask comes back", async () => {
    const given = sample();
    const row = await add(given);
    for (const [name, field] of masked) {
      expect(row[name]).not.toBe(given[name]);
      expect(row[name]).toContain("*");
      await post("submit", { id: row.id, [name]: row[name], version: row.version });
      const [stored] = await sql<Record<string, unknown>>(`select * from ${of.table} where id = $1`, [row.id]);
      const { personalCipher } = world().app;
      const held = String(stored?.[calls.columnOf(name)]);
      if (field.kind === "text" && field.stored) {
        expect(held).not.toContain(String(given[name]));
        expect(personalCipher.decrypt(held)).toBe(given[name]);
        expect(stored?.[`${snakeCase(name)}_index`]).toEqual(personalCipher.index(String(given[name])));
      } else expect(held).toBe(given[name]);
      const filtered = await get<{ reason?: string }>("page", { [name]: String(given[name]) });
      expect([filtered.status, filtered.data.reason]).toEqual([400, "row.unknown_condition"]);
      expect((await get("page", { ascs: snakeCase(name) })).status).toBe(400);
    }
  });

  test("only what is sent is changed, and the change is written down with who, before and after", async () => {
    const row = await add();
    await sql(`update ${of.table} set updated_at = '2020-01-01' where id = $1`, [row.id]);
    const text = "改过的内容".slice(0, 4);
    const { limited } = world();
    await limited.may([`${of.name}_view`, `${of.name}_edit`]);
    const changed = await post<Row>("submit", { id: row.id, version: row.version, [changeable]: text }, limited.token);
    expect(changed.data).toMatchObject({
      [changeable]: text,
      version: 2,
      createUserName: world().adminName,
      updateUserName: limited.name,
    });
    expect(String(changed.data.updateTime) > "2021").toBe(true);
    for (const [name] of plain) if (name !== changeable) expect([name, changed.data[name]]).toEqual([name, row[name]]);
    const entries = await historyOf(row.id);
    expect(entries.map(({ action }) => action)).toEqual(["update", "create"]);
    expect(entries[0]).toMatchObject({
      actorName: limited.name,
      changes: [{ field: changeable, before: row[changeable] ?? "", after: text }],
    });
  });

  test("a submit that changes nothing writes nothing", async () => {
    const row = await add();
    const again = await post<Row>("submit", { id: row.id, version: row.version, [changeable]: row[changeable] });
    expect(again.data.version).toBe(row.version);
    expect(await historyOf(row.id)).toHaveLength(1);
  });

  test("of two editors the second is told what the first stored", async () => {
    const row = await add();
    await post("submit", { id: row.id, version: row.version, [changeable]: "第一位" });
    const late = await post<{ reason: string; current: Row; changedBy: string; changedAt: number }>("submit", {
      id: row.id,
      version: row.version,
      [changeable]: "第二位",
    });
    expect([late.status, late.data.reason, late.data.changedBy]).toEqual([
      409,
      "row.changed_meanwhile",
      world().adminName,
    ]);
    expect(late.data.current).toMatchObject({ id: row.id, version: 2, [changeable]: "第一位" });
    for (const [name] of masked) expect([name, late.data.current[name]]).toEqual([name, row[name]]);
    expect(late.data.changedAt).toBeGreaterThan(Date.now() - 60_000);
    expect((await get<Row>("detail", { id: row.id })).data[changeable]).toBe("第一位");
  });

  test("ten editors at once: one wins, nothing is overwritten silently", async () => {
    const row = await add();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        post("submit", { id: row.id, version: row.version, [changeable]: `编辑${at}` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect((await get<Row>("detail", { id: row.id })).data.version).toBe(2);
  });

  test("every bound of every field holds, told at the field with its reason", async () => {
    const base = sample();
    const held = await add();
    for (const [name, field] of writtenFieldsOf(of)) {
      const wrong = wrongValues(field, world().keys);
      for (const { value, reason } of wrong) {
        const answer = await post("submit", { ...base, [name]: value });
        expect([name, value, answer.status, reasonsOf(answer.data)]).toEqual([name, value, 400, [`${name} ${reason}`]]);
      }
      const last = wrong.at(-1);
      if (last === undefined || field.fixed) continue;
      const changed = await post("submit", { id: held.id, [name]: last.value });
      expect([name, changed.status, reasonsOf(changed.data)]).toEqual([name, 400, [`${name} ${last.reason}`]]);
    }
    expect((await get<Row>("detail", { id: held.id })).data).toMatchObject(held);
    const all = await post(
      "submit",
      Object.fromEntries(writtenFieldsOf(of).map(([name, field]) => [name, field.kind === "choices" ? [] : ""])),
    );
    const required = writtenFieldsOf(of).filter(([, field]) => field.required);
    if (required.length > 0) {
      expect(reasonsOf(all.data).toSorted()).toEqual(required.map(([name]) => `${name} field.required`).toSorted());
    }
  });

  test("every value at the bounds of its field is taken", async () => {
    for (const [name, field] of plain) {
      for (const value of rightValuesOf(of, name, field, calls.next(), world().keys)) {
        const { status, data } = await post<Row>("submit", { ...sample({ name, value }), [name]: value });
        expect([name, value, status, status === 200 ? data[name] : data]).toEqual([name, value, 200, value]);
      }
    }
  });

  test("what must be unique is, also when two come at once", async () => {
    expect(uniqueFields.length).toBeGreaterThan(0);
    for (const [name] of uniqueFields) {
      const first = sample();
      const held = await add(first);
      const other = await add(isDictionary(of) ? { ...sample(), parentId: held.id, dictKey: "one" } : undefined);
      const second = { ...sample(), [name]: first[name], ...(isDictionary(of) && { code: first.code }) };
      const answer = await post<{ problems: { values: object }[] }>("submit", second);
      expect([answer.status, reasonsOf(answer.data)]).toEqual([400, [`${name} field.unique`]]);
      expect(answer.data.problems[0]?.values).toMatchObject({ value: first[name] });
      if (of.fields[name]?.fixed || isDictionary(of)) continue;
      const changed = await post("submit", { id: other.id, [name]: first[name] });
      expect([changed.status, reasonsOf(changed.data)]).toEqual([400, [`${name} field.unique`]]);
    }
    const twin = sample();
    const both = await Promise.all([post("submit", twin), post("submit", twin)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  const codes = uniqueFields.filter(
    ([, field]) => field.kind === "text" && field.rule === "code" && field.unique === "scope",
  );
  /** A text of a row as the table has it, in the clear. */
  const storedText = async (name: string, id: string): Promise<string> => {
    const [row] = await sql<Record<string, unknown>>(`select * from ${of.table} where id = $1`, [id]);
    const held = String(row?.[calls.columnOf(name)]);
    const field = of.fields[name];
    return field?.kind === "text" && field.stored ? world().app.personalCipher.decrypt(held) : held;
  };
  if (codes.length > 0)
    test("a code in other letters is the same code, also when two come at once; rows of before stay as they are", async () => {
      for (const [name, field] of codes) {
        const first = { ...sample(), [name]: `ab-C${calls.next()}` };
        const code = String(first[name]);
        const held = await add(first);
        const answer = await post<{ problems: { values: object }[] }>("submit", {
          ...sample(),
          [name]: code.toUpperCase(),
        });
        expect([answer.status, reasonsOf(answer.data)]).toEqual([400, [`${name} field.unique`]]);
        expect(answer.data.problems[0]?.values).toMatchObject({ value: code.toUpperCase() });
        // Rows of before this rule may differ in their case alone.
        const other = await add();
        await sql(`update ${of.table} set ${calls.columnOf(name)} = $2 where id = $1`, [other.id, code.toUpperCase()]);
        expect(
          (await post("submit", { id: other.id, [name]: code.toUpperCase(), [changeable]: "改过的" })).status,
        ).toBe(200);
        if (!field.fixed) {
          const taken = await post("submit", { id: other.id, [name]: code.toLowerCase() });
          expect([taken.status, reasonsOf(taken.data)]).toEqual([400, [`${name} field.unique`]]);
          const free = `ab-D${calls.next()}`;
          expect((await post("submit", { id: held.id, [name]: free })).status).toBe(200);
          expect((await post<Row>("submit", { id: held.id, [name]: free.toUpperCase() })).data[name]).toBe(
            free.toUpperCase(),
          );
        }
        const twins = Array.from({ length: 6 }, (_, at) => {
          const twin = `twin-${name}`;
          return { ...sample(), [name]: twin.slice(0, at) + twin.slice(at).toUpperCase() };
        });
        const both = await Promise.all(twins.map((twin) => post("submit", twin)));
        expect(both.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
      }
    });

  test("what is typed or pasted is stored without what nobody sees, and names and phones in one form", async () => {
    const typed: Partial<Record<TextRule | "plain", readonly (readonly [typed: string, stored: string])[]>> = {
      "person-name": [
        ["买买提•吐尔逊\u00a0", "买买提·吐尔逊"],
        ["王\u200b强\u3000", "王强"],
      ],
      mobile: [["+86 138 0013 8000", "13800138000"]],
      phone: [
        ["+86 138 0013 8000", "13800138000"],
        ["138 0013 8000", "13800138000"],
        ["１３８-0013-8000", "13800138000"],
        ["400-800-1234", "400-800-1234"],
      ],
      email: [["name@example.cn\u200b", "name@example.cn"]],
      plain: [["\u202e看\u200b得见 ", "看得见"]],
    };
    for (const [name, field] of writtenFieldsOf(of)) {
      if (field.kind !== "text" || field.unique || field.max < 8 || takesListed(of, name)) continue;
      for (const [value, stored] of typed[field.rule ?? "plain"] ?? []) {
        const row = await add({ ...sample(), [name]: value });
        expect([name, value, await storedText(name, row.id)]).toEqual([name, value, stored]);
      }
    }
    const person = writtenFieldsOf(of).find(([, field]) => field.kind === "text" && field.rule === "person-name");
    if (person === undefined) return;
    const [name] = person;
    for (const value of ["\u200b\u200b", "\u202e\u202d", "六个字的名字"]) {
      const answer = await post("submit", { ...sample(), [name]: `王${value}` });
      expect([value, answer.status, reasonsOf(answer.data)]).toEqual([value, 400, [`${name} field.person_name`]]);
    }
    // What an earlier rule took is no obstacle for who changes something else.
    const row = await add();
    await sql(`update ${of.table} set ${calls.columnOf(name)} = '六个字的 名字' where id = $1`, [row.id]);
    const kept = await post<Row>("submit", { id: row.id, [name]: "六个字的 名字", [changeable]: "另改过" });
    expect([kept.status, kept.data[name], kept.data[changeable]]).toEqual([200, "六个字的 名字", "另改过"]);
  });

  test("20 equal submits with one key make one row, and all answer it; another's same key makes another", async () => {
    const given = sample();
    const headers = { "idempotency-key": `${of.name}-equal-${calls.next()}` };
    const before = await calls.count();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post<Row>("submit", given, world().admin, headers)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const ids = new Set(answers.map(({ data }) => data.id));
    expect([ids.size, await calls.count()]).toEqual([1, before + 1]);
    const { limited } = world();
    await limited.may([`${of.name}_view`, `${of.name}_edit`]);
    const others = await post<Row>("submit", sample(), limited.token, headers);
    expect([others.status, ids.has(others.data.id)]).toEqual([200, false]);
  });

  test("fields that are fixed stay, fields that nobody declared change nothing", async () => {
    const row = await add();
    for (const [name, field] of writtenFieldsOf(of)) {
      if (!field.fixed) continue;
      const other = [998, 999]
        .map((at) => sampleValue(name, field, at, world().keys))
        .find((value) => value !== row[name]);
      const answer = await post("submit", { id: row.id, [name]: other });
      expect([answer.status, reasonsOf(answer.data)]).toEqual([400, [`${name} field.fixed`]]);
    }
    const forged = { id: row.id, [changeable]: "改", createUser: "1", isDeleted: 1, tenantName: "x", created_by: "1" };
    if (of.fields[changeable]?.kind === "text" && (of.fields[changeable].min ?? 0) > 1) forged[changeable] = "改过的";
    await post("submit", { ...forged, __proto__: { version: 7 } });
    const { data } = await get<Row>("detail", { id: row.id });
    expect([data.createUser, data.isDeleted, data.version]).toEqual([row.createUser, 0, 2]);
  });

  test("rows are removed all or none, and their removal is written down", async () => {
    const [one, two, other] = [await add(), await add(), await add()];
    const before = await calls.count();
    expect((await calls.remove(`${one.id},1`)).status).toBe(404);
    expect((await get("obstacles", { ids: `${one.id},1` })).status).toBe(404);
    expect(await calls.count()).toBe(before);
    expect((await calls.remove(`${one.id},${two.id}`)).status).toBe(200);
    expect((await get("detail", { id: one.id })).status).toBe(404);
    expect((await get("detail", { id: other.id })).status).toBe(200);
    expect(await calls.count()).toBe(before - 2);
    const [entry] = await historyOf(two.id);
    expect(entry?.action).toBe("remove");
    expect(entry?.changes).toContainEqual({ field: of.title, before: two[of.title], after: "" });
  });

  if (writtenFieldsOf(of).some(([, field]) => field.kind === "reference"))
    test("a row that another one names stays, also when it is named in this moment", async () => {
      for (const [name, field] of writtenFieldsOf(of)) {
        if (field.kind !== "reference") continue;
        const target = calls.targetOf(field.to);
        const [used, free] = [references[name]?.id ?? "", (await calls.addTarget(target)).id];
        const row = await add();
        expect((await get<Page<Row>>("page", { ids: row.id, [name]: used })).data.total).toBe(1);
        expect((await get<Page<Row>>("page", { ids: row.id, [name]: free })).data.total).toBe(0);
        const removal = (id: string) =>
          calls.call<{ reason: string }>("POST", `${target.path}/remove`, { query: { ids: id } }, world().admin);
        const kept = await removal(used);
        expect([kept.status, kept.data.reason]).toEqual([400, "row.in_use"]);
        const { data } = await calls.call<{ id: string; resource: string; count: number }[]>(
          "GET",
          `${target.path}/obstacles`,
          { query: { ids: used } },
          world().admin,
        );
        expect(data).toContainEqual(expect.objectContaining({ id: used, resource: of.words.one }));
        // Named by a transaction that commits only after the removal has looked who names it.
        const client = await world().app.test.database.pool.connect();
        try {
          await client.query("begin");
          await client.query(`update ${of.table} set ${snakeCase(name)} = $2 where id = $1`, [row.id, free]);
          const late = removal(free);
          await vi.waitFor(async () => {
            const waiting = await sql(
              "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
            );
            expect(waiting).toHaveLength(1);
          });
          await client.query("commit");
          expect(await late).toMatchObject({ status: 400, data: { reason: "row.in_use" } });
        } finally {
          client.release();
        }
      }
    });

  test("rows that conditions select are removed together: the count is held, and nothing is selected by leaving it out", async () => {
    const rows = [await add(), await add(), await add()];
    const ids = rows.map(({ id }) => id).join(",");
    const left = async () => (await get<Page<Row>>("page", { ids })).data.total;
    expect((await get("obstacles", { ids })).data).toEqual([]);
    const stale = await post<{ reason: string }>("remove", { where: { ids }, expected: 2 });
    expect([stale.status, stale.data.reason]).toEqual([409, "rows.selection_changed"]);
    for (const body of [{}, { where: {} }, { where: { ids } }, { where: { nonsense: "1" }, expected: 3 }])
      expect([body, (await post("remove", body)).status]).toEqual([body, 400]);
    const foreign = await post("remove", { where: { ids }, expected: 3 }, world().stranger);
    expect(foreign.status).toBe(of.scope === "group" ? 403 : 400);
    expect(await left()).toBe(3);
    expect((await post("remove", { where: { ids }, expected: 3 })).status).toBe(200);
    expect(await left()).toBe(0);
  });

  test("conditions select exactly what they say, and unknown ones are refused", async () => {
    const rows = [await add(), await add(), await add()];
    const ids = rows.map(({ id }) => id).join(",");
    const found = async (query: Record<string, string>): Promise<string[]> => {
      const { status, data } = await get<Page<Row>>("page", { ids, ...query });
      expect([query, status]).toEqual([query, 200]);
      expect(data.total).toBe(data.records.length);
      return idsOf(data).toSorted();
    };
    const fitting = (fits: (row: Row) => boolean) =>
      rows
        .filter(fits)
        .map(({ id }) => id)
        .toSorted();
    for (const [name, field] of plain) {
      if (!(field.column || field.filter || (field.kind === "text" && field.search))) continue;
      const value = rows[0]?.[name];
      if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) continue;
      const isEqual = (row: Row) => JSON.stringify(row[name]) === JSON.stringify(value);
      if (field.kind === "number" || field.kind === "date") {
        expect(await found({ [`${name}_equal`]: String(value) })).toEqual(fitting(isEqual));
        const middle = rows[1]?.[name] as number;
        expect(await found({ [`${name}_ge`]: String(middle) })).toEqual(
          fitting((row) => (row[name] as number) >= middle),
        );
        expect(await found({ [`${name}_le`]: String(middle) })).toEqual(
          fitting((row) => (row[name] as number) <= middle),
        );
      } else if (field.kind === "text" && field.rule !== "region") {
        expect(await found({ [`${name}_equal`]: String(value) })).toEqual(fitting(isEqual));
        // All of it but its ends: it is contained, and equal to nothing.
        const part = String(value).slice(1, -1);
        expect(await found({ [name]: part })).toEqual(fitting((row) => String(row[name]).includes(part)));
        expect(await found({ [`${name}_equal`]: part })).toEqual([]);
        expect(await found({ [name]: "%" })).toEqual([]);
      } else {
        expect(await found({ [name]: String(value) })).toEqual(fitting(isEqual));
        if (field.kind !== "choice") continue;
        const two = [rows[0], rows[1]].map((row) => row?.[name]);
        expect(await found({ [name]: two.join(",") })).toEqual(fitting((row) => two.includes(row[name])));
        expect(await found({ [name]: "no-such-value" })).toEqual([]);
      }
    }
    for (const [name, field] of writtenFieldsOf(of)) {
      if (field.kind !== "text" || !field.search || field.stored) continue;
      const word = String(rows[1]?.[name]).slice(1);
      const holds = (row: Row) =>
        writtenFieldsOf(of).some(
          ([other, { kind, ...more }]) =>
            kind === "text" && "search" in more && more.search && String(row[other]).includes(word),
        );
      if (word !== "") expect([name, await found({ keyword: word })]).toEqual([name, fitting(holds)]);
    }
    expect(await found({ keyword: "%" })).toEqual([]);
    // The evening of a day in Greenwich is the next morning in Shanghai.
    await sql(`update ${of.table} set updated_at = '2026-03-05T17:30:00Z' where id = $1`, [rows[0]?.id]);
    expect(await found({ updateTime_le: "2026-03-06" })).toEqual([rows[0]?.id]);
    expect(await found({ updateTime_le: "2026-03-05" })).toEqual([]);
    expect(await found({ updateTime_ge: "2026-03-06", updateTime_le: "2026-03-06 01:30:00" })).toEqual([rows[0]?.id]);
    expect(await found({ updateTime_ge: "2026-03-07" })).toEqual(fitting(({ id }) => id !== rows[0]?.id));
    expect((await get("page", { password: "1" })).status).toBe(400);
    expect((await get("page", { updateTime_ge: "yesterday" })).status).toBe(400);
    // Beyond what a column holds.
    for (const [name, field] of writtenFieldsOf(of)) {
      const beyond = field.kind === "number" ? "9007199254740991" : field.kind === "date" ? "2026-02-30" : undefined;
      if (beyond === undefined || !(field.column || field.filter)) continue;
      const { status, data } = await get<{ reason: string }>("page", { [`${name}_equal`]: beyond });
      expect([name, status, data.reason]).toEqual([name, 400, "row.condition_value"]);
    }
    expect((await get("detail", { id: "9".repeat(19) })).status).toBe(400);
    expect((await get("page", { ids: "9".repeat(19) })).status).toBe(400);
  });

  test("lists are sorted by what they offer alone, and their pages hold each row once", async () => {
    const rows = [await add(), await add(), await add()];
    const ids = rows.map(({ id }) => id).join(",");
    const list = async (query: Record<string, string>) => (await get<Page<Row>>("page", { ids, ...query })).data;
    const byField = new Map(fieldsOf(of).map(([name]) => [snakeCase(name), name]));
    for (const column of sortsOf(of)) {
      const [up, down] = [idsOf(await list({ ascs: column })), idsOf(await list({ descs: column }))];
      const name = byField.get(column);
      const heldBy = (id: string) => rows.find((row) => row.id === id)?.[name ?? ""] ?? [];
      if (name === undefined || (of.fields[name]?.kind === "number" && !of.fields[name].derived)) {
        const ordered = rows.toSorted((a, b) => (name === undefined ? 0 : Number(a[name]) - Number(b[name])));
        expect([column, up]).toEqual([column, idsOf({ records: ordered } as Page<Row>)]);
      }
      // Where values differ, one way is the other turned round; rows without one are the last in both.
      expect([column, up.flatMap(heldBy)]).toEqual([column, down.flatMap(heldBy).toReversed()]);
    }
    for (const hostile of ["id;drop table x", "password_hash", "t.id", "(select 1)", "created_by"]) {
      expect((await get("page", { ascs: hostile })).status).toBe(400);
    }
    const own = of.order ?? (of.fields.sort ? [{ field: "sort", direction: "asc" as const }] : []);
    const [first] = own;
    const compared = (a: unknown, b: unknown): number =>
      typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1 : 1;
    const expected =
      first === undefined
        ? rows.toReversed()
        : rows.toSorted((a, b) => compared(a[first.field], b[first.field]) * (first.direction === "asc" ? 1 : -1));
    const whole = await list({});
    const urgent = of.urgent?.values ?? [];
    const ranks = whole.records.map((row) => {
      const rank = of.urgent ? urgent.indexOf(String(row[of.urgent.field])) : -1;
      return rank < 0 ? urgent.length : of.urgent?.together ? 0 : rank;
    });
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    const isOneRank = ranks.every((rank) => rank === ranks[0]);
    if (
      isOneRank &&
      (own.every(({ field }) => rows.every((row) => row[field] !== rows[0]?.[field] || row === rows[0])) ||
        own.length === 0)
    )
      expect(idsOf(whole)).toEqual(idsOf({ records: expected } as Page<Row>));
    const pages = [await list({ size: "2" }), await list({ size: "2", current: "2" })];
    expect(pages.map(({ total, pages: count, records }) => [total, count, records.length])).toEqual([
      [3, 2, 2],
      [3, 2, 1],
    ]);
    expect(pages.flatMap(idsOf)).toEqual(idsOf(whole));
    // Rows of one time and one value stay apart by their ids.
    await sql(`update ${of.table} set created_at = '2026-01-01' where id = any($1)`, [ids.split(",")]);
    for (let current = 1; current <= 3; current += 1) {
      const { records } = await list({ size: "1", current: String(current), ascs: "create_time" });
      expect(records[0]?.id).toBe(rows[current - 1]?.id);
    }
  });

  if (!of.replaced?.includes("select"))
    test("a picker offers the rows whose title holds what is typed", async () => {
      const rows = [await add(), await add()];
      const title = String(rows[0]?.[of.title]);
      const offered = async (query: Record<string, string>) =>
        (await get<{ id: string; title: string }[]>("select", query)).data.map(({ id }) => id);
      expect(await offered({ keyword: title.slice(1) })).toContain(rows[0]?.id);
      expect(await offered({ keyword: title })).not.toContain(rows[1]?.id);
      expect((await offered({ ids: rows.map(({ id }) => id).join(",") })).toSorted()).toEqual(
        rows.map(({ id }) => id).toSorted(),
      );
    });

  test("many rows are changed together, named or by what conditions select, all or none", async () => {
    const rows = [await add(), await add(), await add()];
    const [one, two, other] = rows as [Row, Row, Row];
    const ids = `${one.id},${two.id}`;
    const many = writtenFieldsOf(of).findLast(
      ([name, field]) =>
        !field.fixed &&
        (field.kind === "number" || (field.kind === "text" && !field.unique && !field.rule)) &&
        name !== "dictKey",
    );
    const [name = "", field] = many ?? [];
    if (field === undefined) throw new Error("every resource has a field that many rows may share");
    const at = (id: string) => get<Row>("detail", { id }).then(({ data }) => data);
    const value = sampleValue(name, field, 7, world().keys);
    const written = field.kind === "number" ? String(value) : value;
    const changed = await post<{ changed: number }>("change-many", { ids, change: { [name]: written } });
    expect([changed.status, changed.data.changed]).toEqual([200, 2]);
    for (const { id } of [one, two]) expect(await at(id)).toMatchObject({ [name]: value, version: 2 });
    expect(await at(other.id)).toMatchObject(other);
    const [entry] = await historyOf(two.id);
    expect(entry).toMatchObject({ action: "update", changes: [{ field: name }] });

    const refused = async (body: Record<string, unknown>, status: number, reason: string) => {
      const answer = await post<{ reason: string }>("change-many", body);
      expect([body, answer.status, answer.data.reason]).toEqual([body, status, reason]);
    };
    await refused({ where: { ids }, expected: 3, change: { [name]: value } }, 409, "rows.selection_changed");
    await refused({ where: { nonsense: "1" }, change: { [name]: value } }, 400, "row.unknown_condition");
    await refused({ where: { ids: "1" }, change: { [name]: value } }, 400, "rows.none_chosen");
    await refused(
      { ids: `${one.id},1`, change: { [name]: sampleValue(name, field, 8, world().keys) } },
      404,
      "row.not_found",
    );
    for (const [kept, other_] of writtenFieldsOf(of))
      if (other_.fixed || (other_.kind === "text" && other_.unique))
        await refused({ ids, change: { [kept]: "x" } }, 400, "row.not_changed_together");
    const [wrong] = wrongValues(field, world().keys).filter(({ value: bad }) => bad !== "");
    if (wrong) {
      const answer = await post("change-many", { ids, change: { [name]: wrong.value } });
      expect([answer.status, reasonsOf(answer.data)]).toEqual([400, [`${name} ${wrong.reason}`]]);
    }
    for (const { id } of [one, two]) expect(await at(id)).toMatchObject({ [name]: value, version: 2 });
    const next = sampleValue(name, field, 9, world().keys);
    const where = { ids: `${ids},${other.id}`, keyword: searchedWord(one) };
    const conditioned = await post<{ changed: number }>("change-many", { where, change: { [name]: next } });
    expect(conditioned.data.changed).toBe(1);
    expect((await at(one.id))[name]).toEqual(next);
    expect((await at(two.id))[name]).toEqual(value);
  });
  /** A word that only this row's searched texts hold. */
  const searchedWord = (row: Row): string => {
    const [name = ""] =
      writtenFieldsOf(of).find(([, field]) => field.kind === "text" && field.search && field.unique) ??
      writtenFieldsOf(of).find(([, field]) => field.kind === "text" && field.search) ??
      [];
    return String(row[name]);
  };

  test("every change is in the audit trail: of whom, which row, and each field, personal ones masked", async () => {
    const row = await add();
    const shown = writtenFieldsOf(of)
      .filter(([name]) => row[name] !== undefined && row[name] !== "" && (row[name] as unknown[]).length !== 0)
      .map(([name, field]): [string, unknown] => [
        name,
        field.kind === "text" && field.stored && !field.personal?.startsWith("mask")
          ? "***"
          : field.kind === "number" && field.decimals
            ? shownText(field, row[name], {})
            : row[name],
      ]);
    const byName = (changes: Entry["changes"] | undefined) => changes?.toSorted((a, b) => (a.field < b.field ? -1 : 1));
    const [created] = await historyOf(row.id);
    expect(created).toMatchObject({ action: "create", actorName: world().adminName });
    expect(byName(created?.changes)).toEqual(byName(shown.map(([field, after]) => ({ field, before: "", after }))));
    await calls.remove(row.id);
    const [removed] = await historyOf(row.id);
    expect(removed).toMatchObject({ action: "remove", actorName: world().adminName });
    expect(byName(removed?.changes)).toEqual(byName(shown.map(([field, before]) => ({ field, before, after: "" }))));
    const trail = await calls.call<Page<Record<string, unknown>>>(
      "GET",
      "/api/muyuan-log/audit/page",
      { query: { resource: of.name, keyword: String(row[of.title]), size: "50" } },
      world().admin,
    );
    const mine = trail.data.records.filter(({ rowId }) => rowId === row.id);
    expect(mine.map(({ action }) => action)).toEqual(["remove", "create"]);
    expect(mine[0]).toMatchObject({ rowTitle: row[of.title], tenantId: of.scope === "group" ? "" : row.tenantId });
  });

  rightsSuite(of, world, calls);
  if (of.tree) treeSuite(of, world, calls);
  if (of.sheets) sheetSuite(of, world, calls);
}
