import { fieldsOf, type Page, type ResourceDeclaration } from "@herdwise/contract";
import { expect, test } from "vitest";
import { isDictionary, type Row, type SuiteCalls, type SuiteWorld } from "./suite-calls.ts";

interface Node {
  id: string;
  hasChildren: boolean;
  children?: Node[];
}

/** What rows that stand below each other have to pass beside the rest. */
export function treeSuite(of: ResourceDeclaration, world: () => SuiteWorld, calls: SuiteCalls): void {
  const { get, post, add, child, sample } = calls;
  const level = async (parentId: string) => (await get<Row[]>("lazy-list", { parentId })).data;
  const maxDepth = of.tree?.maxDepth ?? 0;

  test("a tree has levels, and each row tells where it stands", async () => {
    const root = await add();
    const [a, b] = [await child(root.id), await child(root.id)];
    expect((await level(root.id)).map(({ id }) => id).toSorted()).toEqual([a.id, b.id].toSorted());
    expect((await level(root.id)).map(({ hasChildren }) => hasChildren)).toEqual([false, false]);
    expect((await level("0")).find(({ id }) => id === root.id)?.hasChildren).toBe(true);
    const { data } = await get<Row>("detail", { id: a.id });
    expect([data.parentId, data.parentName, data.ancestors]).toEqual([root.id, root[of.title], `0,${root.id}`]);
    const gone = [root.id, a.id, b.id];
    if (maxDepth > 2) {
      const leaf = await child(a.id);
      gone.push(leaf.id);
      expect((await get<Row>("detail", { id: leaf.id })).data.ancestors).toBe(`0,${root.id},${a.id}`);
    }
    const { data: tree } = await get<Node[]>("tree");
    const node = tree.find(({ id }) => id === root.id);
    expect([node?.hasChildren, node?.children?.map(({ id }) => id).toSorted()]).toEqual([
      true,
      [a.id, b.id].toSorted(),
    ]);
    if (!of.replaced?.includes("list")) {
      const { data: list } = await get<Node[]>("list", { ids: [root, a, b].map(({ id }) => id).join(",") });
      expect(list.map(({ id }) => id)).toEqual([root.id]);
      expect(list[0]?.children?.map(({ id }) => id).toSorted()).toEqual([a.id, b.id].toSorted());
    }
    if (!of.replaced?.includes("select")) {
      const { data: found } = await get<{ path: string }[]>("select", { ids: a.id });
      expect(found.map(({ path }) => path)).toEqual([`${root[of.title]} / ${a[of.title]}`]);
    }
    const kept = await calls.remove(root.id);
    expect([kept.status, kept.data.reason]).toEqual([400, "row.has_children"]);
    expect((await calls.remove(gone.join(","))).status).toBe(200);
  });

  test("rows move by drag and by their form, and never close a ring", async () => {
    const root = await add();
    const [a, b] = [await child(root.id), await child(root.id)];
    expect((await post("move", { id: b.id, parentId: root.id, beforeId: a.id })).status).toBe(200);
    expect((await level(root.id)).map(({ id }) => id)).toEqual([b.id, a.id]);
    expect((await post("move", { id: b.id, parentId: root.id })).status).toBe(200);
    expect((await level(root.id)).map(({ id }) => id)).toEqual([a.id, b.id]);
    const { data } = await get<Page<{ action: string; changes: object[] }>>("history", { id: b.id });
    expect(data.records[0]).toMatchObject({ action: "move", changes: [{ field: "parentId", after: root.id }] });
    const refused = async (verb: string, body: object, reason: string) => {
      const answer = await post<{ reason: string }>(verb, body);
      expect([verb, body, answer.status, answer.data.reason]).toEqual([verb, body, 400, reason]);
    };
    await refused("move", { id: root.id, parentId: a.id }, "row.parent_self");
    await refused("move", { id: root.id, parentId: root.id }, "row.parent_self");
    await refused("submit", { id: root.id, parentId: b.id }, "row.parent_self");
    await refused("submit", { id: root.id, parentId: root.id }, "row.parent_self");
    for (const parentId of ["1", "9".repeat(19), "x'y"])
      await refused("submit", { ...sample(), parentId }, "row.parent_missing");
    const other = await add();
    const seen = (await get<Row>("detail", { id: a.id })).data.version;
    const formed = await post<Row>("submit", { id: a.id, parentId: other.id, version: seen });
    expect([formed.status, formed.data.parentId]).toEqual([200, other.id]);
    expect((await level(other.id)).map(({ id }) => id)).toEqual([a.id]);
    const late = await post<{ reason: string }>("move", { id: a.id, parentId: root.id, version: seen });
    expect([late.status, late.data.reason]).toEqual([409, "row.changed_meanwhile"]);
    const top = await post("move", { id: other.id, parentId: "0", beforeId: root.id });
    expect(top.status).toBe(200);
    const order = (await level("0")).map(({ id }) => id);
    expect(order.indexOf(other.id)).toBe(order.indexOf(root.id) - 1);
  });

  if (of.scope !== "group")
    test("another tenant's rows keep their places when a top is ordered anew", async () => {
      const theirs = await add({ ...sample(), sort: 5000 }, world().stranger);
      const [a, b] = [await add(), await add()];
      expect((await post("move", { id: b.id, parentId: "0", beforeId: a.id })).status).toBe(200);
      expect((await get<Row>("detail", { id: theirs.id }, world().stranger)).data.sort).toBe(5000);
    });

  test("what is unique among siblings may stand below another row, and at the top once", async () => {
    const [one, two] = [await add(), await add()];
    for (const [name, field] of fieldsOf(of)) {
      if (field.kind !== "text" || field.unique !== "siblings") continue;
      const first = await child(one.id);
      const same = { ...sample(), [name]: first[name] };
      expect((await post("submit", { ...same, parentId: two.id })).status).toBe(200);
      const again = await post("submit", { ...same, parentId: one.id });
      expect([again.status, calls.reasonsOf(again.data)]).toEqual([400, [`${name} field.unique`]]);
      if (isDictionary(of)) continue;
      const top = await post("submit", { ...sample(), [name]: one[name] });
      expect([top.status, calls.reasonsOf(top.data)]).toEqual([400, [`${name} field.unique`]]);
    }
  });

  // In a tree of two levels no row with children can stand below another.
  if (maxDepth > 2)
    test("two moves at once that would make a ring: one is refused", async () => {
      for (let time = 0; time < 3; time += 1) {
        const root = await add();
        const [a, b] = [await child(root.id), await child(root.id)];
        const answers = await Promise.all([
          post("move", { id: a.id, parentId: b.id }),
          post("move", { id: b.id, parentId: a.id }),
        ]);
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      }
    });

  test("a tree is no deeper than declared, by a new row or by one that is moved with what stands below it", async () => {
    const chain = [await add()];
    while (chain.length < maxDepth) chain.push(await child(chain.at(-1)?.id ?? ""));
    const deepest = chain.at(-1)?.id ?? "";
    const deeper = await post<{ reason: string }>("submit", {
      ...sample(),
      parentId: deepest,
      ...(isDictionary(of) && { dictKey: "x" }),
    });
    expect([deeper.status, deeper.data.reason]).toEqual([400, "row.too_deep"]);
    const top = await add();
    const moved = await post<{ reason: string }>("move", { id: chain[0]?.id, parentId: top.id });
    expect([moved.status, moved.data.reason]).toEqual([400, "row.too_deep"]);
    const placed = await post<{ reason: string }>("submit", { id: chain[0]?.id, parentId: top.id });
    expect([placed.status, placed.data.reason]).toEqual([400, "row.too_deep"]);
  });
}
