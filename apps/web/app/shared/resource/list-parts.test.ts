import { choice, date, departments, number, onOff, orders, reference, resource, text } from "@herdwise/contract";
import { describe, expect, it } from "vitest";
import {
  alikeIn,
  arranged,
  columnsOf,
  fittedWidths,
  isShown,
  moved,
  noChoice,
  readColumnChoice,
  withRoom,
} from "./columns.ts";
import {
  conditionsOf,
  queueNamesOf,
  setConditions,
  wireNamesOf,
  withoutCondition,
  withoutConditions,
} from "./conditions.ts";
import { countText } from "./count-text.ts";
import { forgetDraft, readDraft, writeDraft } from "./draft-store.ts";
import { changedNames, changeOf, formValuesOf, fromForm, type Row, toForm } from "./form-values.ts";
import { dropTarget, keyTarget, levelsAfter, treeItems } from "./list-items.ts";
import { orderOf, readListState, selectsOthers, whereOf, writeListState } from "./list-state.ts";
import { mergedValues, mergeOf, undecided } from "./merge.ts";
import { pageNumbers } from "./pager.tsx";
import { differs, freeId, queueOf, readViews, viewOf } from "./views.ts";

const slaughterhouses = resource({
  name: "slaughterhouse",
  table: "slaughterhouses",
  path: "/api/muyuan-system/slaughterhouse",
  scope: "group",
  words: { one: "屠宰场", many: "屠宰场" },
  title: "name",
  menu: { parent: "archives", icon: "farm", path: "/system/slaughterhouse", type: "admin", roles: [] },
  fields: {
    code: text("编号", { required: true, max: 20, column: true }),
    name: text("名称", { required: true, max: 40, column: true, search: true }),
    kind: choice("类型", {
      options: [
        ["1", "自营"],
        ["2", "合作"],
      ],
      filter: true,
      column: true,
    }),
    perDay: number("日屠宰量", { min: 0, max: 100_000, decimals: 1, unit: "吨", column: true }),
    since: date("合作起始", { filter: true }),
    area: reference("地区", { to: "region", column: true }),
    phone: text("电话", { max: 20, rule: "mobile", personal: "mask-phone", column: true }),
    open: onOff("启用", { default: true }),
  },
});
const conditions = conditionsOf(slaughterhouses);
const names = conditions.flatMap(wireNamesOf);
const sorts = columnsOf(slaughterhouses)
  .filter(({ sortable }) => sortable)
  .map(({ id }) => id);
const read = (address: string) => readListState(new URLSearchParams(address), names, sorts);

describe("address of a list", () => {
  it("comes back as it was written, whatever it holds", () => {
    const address =
      "f.kind=1%2C2&f.perDay_ge=10&f.since_le=2026-01-31&page=3&q=%E5%8D%97%E9%98%B3&row=12&size=500&sort=-perDay&tab=history&view=v2";
    const state = read(address);
    expect(state).toMatchObject({
      keyword: "南阳",
      where: { kind: "1,2", perDay_ge: "10", since_le: "2026-01-31" },
      sort: { field: "perDay", direction: "desc" },
      page: 3,
      size: "500",
      view: "v2",
      row: "12",
      tab: "history",
    });
    expect(readListState(writeListState(new URLSearchParams(), state), names, sorts)).toEqual(state);
    expect(writeListState(new URLSearchParams("lang=en"), read("")).toString()).toBe("lang=en");
  });

  it("takes no condition, order, page or row that there is not", () => {
    const state = read("f.phone=138&f.nothing=1&f.kind=&sort=phone&page=-1&size=7&row=1;2&tab=x&parent=a");
    expect(state).toEqual({ ...read(""), where: {} });
  });

  it("begins anew at the first page when other rows are selected, and says so to the server in its words", () => {
    const held = read("q=a&f.kind=1&page=2&row=1");
    const selects = (search: string) => selectsOthers(held, read(search));
    expect(
      ["f.kind=1", "q=a", "q=a&f.kind=2", "q=a&f.kind=1&sort=-updateTime", "q=a&f.kind=1&size=50"].map(selects),
    ).toEqual(Array(5).fill(true));
    expect(["f.kind=1&q=a", "q=a&f.kind=1&page=3", "q=a&f.kind=1&row=2"].map(selects)).toEqual(Array(3).fill(false));
    const state = read("q=a&f.kind=1&sort=-updateTime");
    expect(whereOf(state)).toEqual({ keyword: "a", kind: "1" });
    expect(orderOf(state)).toEqual({ descs: "update_time" });
  });

  it("drops one condition with both its ends", () => {
    const where = { kind: "1", perDay_ge: "1", perDay_le: "2" };
    const perDay = setConditions(conditions, where).find(({ name }) => name === "perDay");
    expect(setConditions(conditions, where).map(({ name }) => name)).toEqual(["kind", "perDay"]);
    expect(perDay && withoutCondition(where, perDay)).toEqual({ kind: "1" });
  });
});

describe("saved views", () => {
  const state = read("f.kind=1&sort=-perDay");
  const view = viewOf("v1", "自营", state);
  it("differ only by what selects and orders rows", () => {
    expect(differs(view, state)).toBe(false);
    expect(differs(view, { ...state, where: { kind: "1", code: "" } })).toBe(false);
    for (const change of [{ keyword: "a" }, { where: { kind: "2" } }, { where: {} }, { sort: undefined }])
      expect(differs(view, { ...state, ...change })).toBe(true);
  });
  it("are read from what was kept, without what makes no sense", () => {
    expect(
      readViews([view, { id: "v2" }, 7, null, { ...view, id: "v3", sort: { field: 1 } }]).map(({ id }) => id),
    ).toEqual(["v1", "v3"]);
    expect(readViews("x")).toEqual([]);
    expect(freeId([view, { ...view, id: "v7" }])).toBe("v8");
  });
});

describe("queues", () => {
  const views = ["mine", "open"].map((queue) => ({ id: queue, name: queue, where: { queue } }));
  it("are views that set what no condition does, and stay when conditions are cleared", () => {
    const own = [...views, { id: "kind", name: "自营", where: { kind: "1" } }];
    expect(queueNamesOf({ views: own }, conditions)).toEqual(["queue"]);
    expect(queueNamesOf({}, conditions)).toEqual([]);
    expect(withoutConditions({ queue: "mine", kind: "1", perDay_ge: "2" }, conditions)).toEqual({ queue: "mine" });
  });
  it("are found by what the address or the list chooses", () => {
    expect(queueOf(views, ["queue"], { queue: "open", kind: "1" })?.id).toBe("open");
    expect(queueOf(views, ["queue"], { kind: "1" })).toBeUndefined();
    expect(queueOf(views, [], { queue: "open" })).toBeUndefined();
  });
});

describe("columns", () => {
  const columns = columnsOf(slaughterhouses);
  const ids = (choice = noChoice) => arranged(columns, choice).map(({ id }) => id);
  it("begin with the one that names a row, which can't be hidden", () => {
    expect(ids()[0]).toBe("name");
    const hidden = { ...noChoice, shown: { name: false, code: false } };
    expect(columns.filter((column) => isShown(column, hidden, "name")).map(({ id }) => id)).toEqual([
      "name",
      "kind",
      "perDay",
      "area",
      "phone",
    ]);
  });
  it("keep a chosen order, with new ones at their declared place and those that are gone left out", () => {
    const choice = moved(columns, noChoice, "phone", "code");
    expect(ids(choice).slice(0, 4)).toEqual(["name", "phone", "code", "kind"]);
    const older = { ...choice, order: choice.order.filter((id) => id !== "perDay").concat("gone") };
    expect(ids(older).slice(0, 5)).toEqual(["name", "phone", "code", "kind", "perDay"]);
    expect(ids({ ...choice, pinned: ["kind"] })[0]).toBe("kind");
    expect(ids(moved(columns, choice, "name", undefined)).at(-1)).toBe("name");
  });
  it("give way by themselves where no row says anything in them, or where all say the same and others would be cut", () => {
    const row = (id: string, more: object = {}) => ({
      id,
      version: 1,
      name: `S${id}`,
      code: `C${id}`,
      kind: "1",
      area: "",
      phone: "",
      ...more,
    });
    const rows = [row("1", { perDay: 1 }), row("2", { perDay: 2 }), row("3", { perDay: 3 })];
    const shown = columns.filter((column) => isShown(column, noChoice, "name"));
    const nothingOwn = (): boolean => false;
    const alike = alikeIn(slaughterhouses, rows, shown, { isOwn: nothingOwn, isWhole: true, isFiltered: true });
    expect(alike).toEqual({ kind: "same", area: "nothing", phone: "nothing" });
    // Two rows are too few to call anything the same, and cells of their own are drawn from more than the value.
    expect(
      alikeIn(slaughterhouses, rows.slice(0, 2), shown, { isOwn: nothingOwn, isWhole: true, isFiltered: true }).kind,
    ).toBeUndefined();
    expect(
      alikeIn(slaughterhouses, rows.slice(0, 1), shown, { isOwn: nothingOwn, isWhole: true, isFiltered: true }),
    ).toEqual({});
    expect(alikeIn(slaughterhouses, rows, shown, { isOwn: () => true, isWhole: true, isFiltered: true })).toEqual({});
    expect(
      alikeIn(slaughterhouses, rows, shown, { isOwn: nothingOwn, isWhole: false, isFiltered: true }).kind,
    ).toBeUndefined();
    // Where no condition selects it, a kind that all rows have tells none of them from another.
    expect(alikeIn(slaughterhouses, rows, shown, { isOwn: nothingOwn, isWhole: true, isFiltered: false }).kind).toBe(
      "kind",
    );
    // Twenty rows of a longer list give way as well, but say nothing of the rest.
    const page = Array.from({ length: 20 }, (_, index) => ({ ...rows[index % 3], id: String(index) }) as Row);
    const partly = { isOwn: nothingOwn, isWhole: false, isFiltered: false };
    expect(alikeIn(slaughterhouses, page, shown, partly).kind).toBe("same");
    expect(alikeIn(slaughterhouses, page.slice(1), shown, partly).kind).toBeUndefined();
    // A state that all rows share gives way for want of room alone; that of a process never does.
    const stated = { ...slaughterhouses, fields: { ...slaughterhouses.fields, state: slaughterhouses.fields.kind } };
    const states = columnsOf(stated).filter(({ id }) => id === "state");
    const enabled = rows.map((row) => ({ ...row, state: "1" }) as Row);
    const whole = { isOwn: () => true, isWhole: true, isFiltered: false };
    expect(alikeIn(stated, enabled, states, whole)).toEqual({ state: "same" });
    const process = { states: {}, first: "1" } as never;
    expect(alikeIn({ ...stated, process } as typeof stated, enabled, states, whole)).toEqual({});
    const idsIn = (room: number, choice = noChoice) =>
      withRoom(shown, choice, room, { alike, needs: { name: 200, code: 100, kind: 100, perDay: 100 } }).map(
        ({ id }) => id,
      );
    expect(idsIn(500)).toEqual(["name", "code", "kind", "perDay"]);
    expect(idsIn(499)).toEqual(["name", "code", "perDay"]);
    // A kind that all rows of the whole list have takes nothing but room that is left over beside the others.
    const roomy = (room: number) =>
      withRoom(shown, noChoice, room, {
        alike: { ...alike, kind: "kind" },
        needs: { name: 200, code: 100, perDay: 100 },
      }).map(({ id }) => id);
    expect(roomy(500)).toEqual(["name", "code", "perDay"]);
    expect(roomy(900)).toEqual(["name", "code", "kind", "perDay"]);
    // Names of this width are not cut: the last column that nobody chose goes instead.
    expect(idsIn(499, { ...noChoice, shown: { kind: true, area: true } })).toEqual(["name", "code", "kind", "area"]);
  });
  it("let those at the end go that would be cut, unless somebody chose them, but not the first three", () => {
    const shown = columns.filter((column) => isShown(column, noChoice, "name")).slice(0, 5);
    const needs = Object.fromEntries(shown.map(({ id }) => [id, 100]));
    const ids = shown.map(({ id }) => id);
    const idsIn = (room: number, choice = noChoice) => withRoom(shown, choice, room, { needs }).map(({ id }) => id);
    expect(idsIn(500)).toEqual(ids);
    expect(idsIn(499)).toEqual(ids.slice(0, 4));
    expect(idsIn(100)).toEqual(ids.slice(0, 3));
    expect(idsIn(499, { ...noChoice, shown: { [ids[4] ?? ""]: true } })).toEqual([...ids.slice(0, 3), ids[4]]);
    // One that is narrow stays where a wide one goes.
    const wide = { ...needs, [ids[3] ?? ""]: 180 };
    expect(withRoom(shown, noChoice, 400, { needs: wide }).map(({ id }) => id)).toEqual([...ids.slice(0, 3), ids[4]]);
    // Before the rows are measured nothing goes.
    expect(withRoom(shown, noChoice, 100)).toEqual(shown);
  });
  it("give up room of names for a list that is a little too narrow, and nothing of figures, times and chosen widths", () => {
    const shown = columns.filter((column) => isShown(column, noChoice, "name"));
    const total = shown.reduce((sum, { width }) => sum + width, 0);
    const least = shown.reduce((sum, column) => sum + column.narrow, 0);
    expect(fittedWidths(shown, {}, total)).toEqual({});
    const fitted = fittedWidths(shown, {}, total - 40);
    const now = shown.map(({ id, width }) => fitted[id] ?? width);
    expect(now.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(total - 40);
    expect(shown.every(({ narrow: kept }, at) => (now[at] ?? 0) >= kept)).toBe(true);
    expect(Object.keys(fitted)).not.toContain("perDay");
    // What somebody chose stays, and what can't fit scrolls as before.
    expect(fittedWidths(shown, { name: 300 }, total).name).toBeUndefined();
    expect(fittedWidths(shown, {}, least - 1)).toEqual({});
  });
  it("give what is left over to texts, up to a width that is read in one look", () => {
    const shown = columns.filter((column) => isShown(column, noChoice, "name"));
    const total = shown.reduce((sum, { width }) => sum + width, 0);
    const grown = fittedWidths(shown, {}, total + 60);
    const now = shown.reduce((sum, { id, width }) => sum + (grown[id] ?? width), 0);
    expect(now).toBeGreaterThan(total + 50);
    expect(now).toBeLessThanOrEqual(total + 60);
    for (const id of Object.keys(grown)) expect(shown.find((column) => column.id === id)?.field?.kind).toBe("text");
    expect(Math.max(...Object.values(fittedWidths(shown, {}, 9000)))).toBe(460);
  });
  it("take what their values in sight need: room that stays empty goes to those that would be cut", () => {
    const shown = columns.filter((column) => isShown(column, noChoice, "name"));
    const total = shown.reduce((sum, { width }) => sum + width, 0);
    const needs = Object.fromEntries(shown.map(({ id }) => [id, 70]));
    // Too little room: nothing is cut while others have air.
    const tight = fittedWidths(shown, {}, total - 200, { ...needs, area: 130 });
    const now = Object.fromEntries(shown.map(({ id, width }) => [id, tight[id] ?? width]));
    expect(Object.values(now).reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(total - 200);
    expect(now.area).toBeGreaterThanOrEqual(129);
    expect(Math.min(...Object.values(now))).toBeGreaterThanOrEqual(69);
    // Enough room for all as declared: what stays empty of it still goes to the one that is cut.
    expect(fittedWidths(shown, {}, total + 10, { ...needs, name: 400 }).name).toBeGreaterThanOrEqual(399);
    // Figures longer than expected get their room, whatever it takes.
    expect(fittedWidths(shown, {}, total - 200, { ...needs, perDay: 240 }).perDay).toBe(240);
    // What can't fit scrolls sideways with what it needs.
    expect(fittedWidths(shown, {}, 300, needs)).toEqual(Object.fromEntries(shown.map(({ id }) => [id, 70])));
    // Room left over: the cut one first, then air for each, within reason.
    const wide = fittedWidths(shown, {}, total + 100, { ...needs, name: 280 });
    expect(wide.name).toBeGreaterThanOrEqual(280);
    const airy = fittedWidths(shown, {}, 9000, needs);
    expect(airy.kind).toBe((shown.find(({ id }) => id === "kind")?.width ?? 0) + 160);
    // Figures stay beside what they tell of.
    expect(airy.perDay).toBe(70);
  });
  it("cut a sentence rather than a name of a place", () => {
    const shown = columns.filter((column) => isShown(column, noChoice, "name"));
    const total = shown.reduce((sum, { width }) => sum + width, 0);
    const short = shown.find(({ id, narrow, width }) => id !== "name" && narrow < width) ?? shown[1];
    if (short === undefined) throw new Error("no text beside the name");
    const need = Math.min(280, short.width + 40);
    const needs = { ...Object.fromEntries(shown.map(({ id, width }) => [id, width])), name: 700, [short.id]: need };
    expect(fittedWidths(shown, {}, total + 10, needs)[short.id]).toBe(need);
  });
  it("show whose a document is beside its state, where customers have such documents", () => {
    const ids = columnsOf(orders, { tenants: true }).map(({ id }) => id);
    expect(ids.slice(0, 3)).toEqual(["number", "state", "tenantName"]);
    expect(columnsOf(slaughterhouses, { tenants: true }).map(({ id }) => id)).toContain("tenantName");
    expect(
      columnsOf(slaughterhouses, { tenants: true })
        .slice(0, 3)
        .map(({ id }) => id),
    ).not.toContain("tenantName");
  });
  it("take widths within bounds only", () => {
    expect(readColumnChoice({ widths: { code: 3, name: 9999, kind: "wide" }, pinned: 1, order: [2] }, "name")).toEqual({
      ...noChoice,
      pinned: ["name"],
      widths: { code: 56, name: 640 },
    });
  });
});

const row: Row = {
  id: "7",
  version: 3,
  code: "F-1",
  name: "东岗",
  kind: "1",
  perDay: 1234,
  since: "",
  area: "0",
  phone: "138****0001",
  open: true,
};

describe("values of a form", () => {
  const field = slaughterhouses.fields.perDay;
  it("show and read numbers of small units as people write them", () => {
    expect(toForm(field, 1234)).toBe("123.4");
    expect(["123.4", "1,234", " 5 ", "-0.5", "0.50"].map((typed) => fromForm(field, typed))).toEqual([
      1234, 12_340, 50, -5, 5,
    ]);
    for (const typed of ["1.25", "abc", "1e3", "1.2.3"]) expect(fromForm(field, typed)).toBeNaN();
    expect(fromForm(field, " ")).toBeNull();
  });
  it("send what changed and nothing else: a masked number that nobody typed anew stays as it is stored", () => {
    const before = formValuesOf(slaughterhouses, row);
    expect(changedNames(slaughterhouses, before, before)).toEqual([]);
    expect(changedNames(slaughterhouses, { ...before, perDay: "123.40", name: " 东岗 " }, before)).toEqual([]);
    const now = { ...before, name: "西岗", perDay: "", open: false };
    const names = changedNames(slaughterhouses, now, before);
    expect(changeOf(slaughterhouses, now, names)).toEqual({ name: "西岗", perDay: null, open: false });
  });
  it("give a tree its top", () => {
    const before = formValuesOf(departments, { ...row, parentId: "5" });
    expect(changeOf(departments, { ...before, parentId: "" }, ["parentId"])).toEqual({ parentId: "0" });
  });
});

describe("two editors of one row", () => {
  const base = formValuesOf(slaughterhouses, row);
  const mine = { ...base, name: "西岗", perDay: "100", code: "F-9" };
  const theirs = { ...base, name: "南岗", kind: "2", code: "F-9" };
  const fields = mergeOf(slaughterhouses, base, mine, theirs);
  it("are merged field by field; only what both changed differently waits for a choice", () => {
    expect(fields.map(({ name, changed }) => [name, changed])).toEqual([
      ["code", "same"],
      ["name", "both"],
      ["kind", "theirs"],
      ["perDay", "mine"],
    ]);
    expect(undecided(fields, {})).toEqual(["name"]);
    expect(undecided(fields, { name: "theirs" })).toEqual([]);
    expect(mergedValues(theirs, fields, { name: "mine" })).toEqual({ ...theirs, name: "西岗", perDay: "100" });
    expect(mergedValues(theirs, fields, { name: "theirs" })).toEqual({ ...theirs, perDay: "100" });
  });
});

describe("drafts", () => {
  const held = new Map<string, string>();
  const memory = {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  };
  const place = { userId: "1", resource: "dept", row: "7" };
  const draft = { atMs: 1000, version: 3, changes: { name: "西岗" }, before: { name: "东岗" } };
  it("stay for their account, resource and row alone, a week long", () => {
    writeDraft(place, draft, memory);
    expect(readDraft(place, 2000, memory)).toEqual(draft);
    for (const other of [{ userId: "2" }, { resource: "post" }, { row: "8" }])
      expect(readDraft({ ...place, ...other }, 2000, memory)).toBeUndefined();
    expect(readDraft(place, 1001 + 7 * 86_400_000, memory)).toBeUndefined();
    forgetDraft(place, memory);
    expect(held.size).toBe(0);
  });
  it("without changes are none, and what can't be read is none", () => {
    writeDraft(place, draft, memory);
    writeDraft(place, { ...draft, changes: {} }, memory);
    expect(held.size).toBe(0);
    held.set("draft_1_dept_7", "{broken");
    expect(readDraft(place, 0, memory)).toBeUndefined();
  });
});

describe("trees", () => {
  const of = (id: string, parentId: string, hasChildren = false): Row => ({ id, version: 1, parentId, hasChildren });
  const levels: Record<string, Row[]> = {
    "0": [of("a", "0", true), of("b", "0", true), of("c", "0")],
    a: [of("a1", "a"), of("a2", "a", true)],
    a2: [of("x", "a2")],
  };
  const items = treeItems((id) => levels[id], new Set(["a", "a2", "b"]));
  it("show a level below each row that is expanded, as far as it is there", () => {
    expect(items.map(({ row, depth }) => `${depth}${row.id}`)).toEqual(["0a", "1a1", "1a2", "2x", "0b", "0c"]);
  });
  it("take a dropped row before, below or after another one, never below itself", () => {
    expect(dropTarget(items, "c", "a1", "before")).toEqual({ parentId: "a", beforeId: "a1" });
    expect(dropTarget(items, "c", "b", "into")).toEqual({ parentId: "b" });
    expect(dropTarget(items, "c", "a1", "after")).toEqual({ parentId: "a", beforeId: "a2" });
    expect(dropTarget(items, "c", "a2", "after")).toEqual({ parentId: "a2", beforeId: "x" });
    expect(dropTarget(items, "a1", "c", "after")).toEqual({ parentId: "0" });
    for (const over of ["a", "a1", "x"]) expect(dropTarget(items, "a", over, "into")).toBeUndefined();
  });
  it("move rows by keys among their siblings, in and out, and stop at the ends", () => {
    expect(keyTarget(items, "b", "up")).toEqual({ parentId: "0", beforeId: "a" });
    expect(keyTarget(items, "a", "down")).toEqual({ parentId: "0", beforeId: "c" });
    expect(keyTarget(items, "b", "down")).toEqual({ parentId: "0" });
    expect(keyTarget(items, "b", "in")).toEqual({ parentId: "a" });
    expect(keyTarget(items, "a1", "out")).toEqual({ parentId: "0", beforeId: "b" });
    for (const way of ["up", "in", "out"] as const) expect(keyTarget(items, "a", way)).toBeUndefined();
    expect(keyTarget(items, "c", "down")).toBeUndefined();
  });
});

it("pages are numbered around the current one, with gaps only where more than one is left out", () => {
  expect(pageNumbers(1, 1)).toEqual([1]);
  expect(pageNumbers(1, 65)).toEqual([1, 2, 0, 65]);
  expect(pageNumbers(4, 65)).toEqual([1, 2, 3, 4, 5, 0, 65]);
  expect(pageNumbers(30, 65)).toEqual([1, 0, 29, 30, 31, 0, 65]);
});

it("says of a bounded count alone that there may be more", () => {
  expect([9999, 10_000, 25_000].map((total) => countText(total, String, true))).toEqual(["9999", "10000+", "25000"]);
  expect(countText(10_000, String, false)).toBe("10000");
});

describe("moves that are not saved yet", () => {
  const row = (id: string, parentId: string, hasChildren = false): Row => ({ id, parentId, hasChildren, version: 1 });
  const levels: Readonly<Record<string, readonly Row[]>> = {
    "0": [row("a", "0", true), row("b", "0"), row("c", "0", true)],
    a: [row("a1", "a"), row("a2", "a")],
  };
  const children = (id: string) => levels[id];
  const shown = (moves: Parameters<typeof levelsAfter>[1], expanded = new Set(["a", "b", "c"])) =>
    treeItems(levelsAfter(children, moves), expanded).map(({ row: { id }, depth }) => `${" ".repeat(depth)}${id}`);
  const [a1, a2, b] = [row("a1", "a"), row("a2", "a"), row("b", "0")];

  it("are shown in their order, each from where the one before it led", () => {
    expect(shown([])).toEqual(["a", " a1", " a2", "b", "c"]);
    expect(shown([{ row: a2, target: { parentId: "a", beforeId: "a1" } }])).toEqual(["a", " a2", " a1", "b", "c"]);
    expect(
      shown([
        { row: a1, target: { parentId: "0", beforeId: "b" } },
        { row: b, target: { parentId: "a" } },
        { row: a1, target: { parentId: "a", beforeId: "b" } },
      ]),
    ).toEqual(["a", " a2", " a1", " b", "c"]);
  });

  it("say where something stands below by now, and leave levels that are not loaded to themselves", () => {
    const items = treeItems(
      levelsAfter(children, [
        { row: a1, target: { parentId: "c" } },
        { row: a2, target: { parentId: "b" } },
      ]),
      new Set(["a", "c"]),
    );
    expect(items.map(({ row: { id }, hasChildren }) => [id, hasChildren])).toEqual([
      ["a", false],
      ["b", true],
      ["c", true],
    ]);
  });
});
