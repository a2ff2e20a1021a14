import {
  importVerbs,
  operationsOf,
  type Page,
  permissionOf,
  type ResourceDeclaration,
  type ResourceOperation,
  type ResourceVerb,
  resourceOperations,
  resourceVerbs,
} from "@herdwise/contract";
import { expect, test } from "vitest";
import type { Row, SuiteCalls, SuiteWorld } from "./suite-calls.ts";

/** Which permission each operation needs; written out here, so that a slip in the contract's declarations is seen. */
const needed: Readonly<Record<ResourceVerb, ResourceOperation>> = {
  page: "view",
  detail: "view",
  select: "view",
  history: "view",
  lazyList: "view",
  list: "view",
  tree: "view",
  submit: "edit",
  changeMany: "edit",
  move: "edit",
  remove: "delete",
  obstacles: "delete",
  exportRows: "export",
};

/** Who may do what with which rows: permissions, tenants, data scopes. */
export function rightsSuite(of: ResourceDeclaration, world: () => SuiteWorld, calls: SuiteCalls): void {
  const { get, post, add, sample, changeable } = calls;
  const ofTenants = of.scope !== "group";

  test("each operation needs its permission, and no other", async () => {
    const { limited } = world();
    // Parameters that pass, and lead to nothing.
    const harmless = {
      query: { id: "1", ids: "1" },
      body: {
        id: "1",
        ids: "1",
        where: { ids: "1" },
        change: {},
        parentId: "0",
        attachId: "1",
        field: "x",
        to: "x",
        mode: "all",
      },
    };
    const operations = [
      ...operationsOf(of).map((name) => {
        const [method, verb] = resourceVerbs[name];
        return { operation: needed[name], method, verb: verb as string };
      }),
      ...(of.sheets
        ? Object.entries(importVerbs).map(([verb, method]) => ({
            operation: "import" as const,
            method,
            verb: `import/${verb}`,
          }))
        : []),
    ];
    const answerTo = async ({ method, verb }: (typeof operations)[number], token: string) =>
      calls.call<{ permission?: string; reason?: string }>(
        method,
        `${of.path}/${verb}`,
        method === "GET" ? { query: harmless.query } : { body: verb === "submit" ? {} : harmless.body },
        token,
      );
    for (const operation of resourceOperations) {
      const own = operations.filter((one) => one.operation === operation);
      const code = permissionOf(of, operation);
      await limited.may(
        resourceOperations.filter((other) => other !== operation).map((other) => permissionOf(of, other)),
      );
      for (const one of own) {
        const { status, data } = await answerTo(one, limited.token);
        expect([one.verb, status, data.permission]).toEqual([one.verb, 403, code]);
        expect([one.verb, (await answerTo(one, "")).status]).toEqual([one.verb, 401]);
      }
      await limited.may([code]);
      for (const one of own) {
        const { status } = await answerTo(one, limited.token);
        expect([one.verb, status < 500 && status !== 403]).toEqual([one.verb, true]);
      }
    }
    const seeded = await calls.sql<{ code: string }>(
      "select code from menus where code like $1 || '\\_%' and category = 2",
      [of.name],
    );
    for (const operation of resourceOperations) {
      if (!of.sheets && (operation === "import" || operation === "export")) continue;
      expect(seeded.map(({ code }) => code)).toContain(permissionOf(of, operation));
    }
  });

  test("another tenant finds nothing and changes nothing", async () => {
    const row = await add();
    const foreign = world().stranger;
    const wanted = ofTenants ? 404 : 403;
    expect((await get("detail", { id: row.id }, foreign)).status).toBe(wanted);
    expect((await post("submit", { ...sample(), id: row.id }, foreign)).status).toBe(wanted);
    expect((await calls.remove(row.id, foreign)).status).toBe(of.addedBy === "group" ? 400 : wanted);
    expect((await post("change-many", { ids: row.id, change: { [changeable]: "外人改的" } }, foreign)).status).toBe(
      wanted,
    );
    expect((await get("obstacles", { ids: row.id }, foreign)).status).toBe(wanted);
    if (of.tree) expect((await post("move", { id: row.id, parentId: "0" }, foreign)).status).toBe(wanted);
    if (of.sheets) {
      expect((await post("export", { ids: row.id }, foreign)).status).toBe(wanted);
      expect((await get("import/page", {}, foreign)).status).toBe(ofTenants ? 200 : 403);
    }
    if (ofTenants) {
      const { data } = await get<Page<Row>>("page", { ids: row.id }, foreign);
      expect(data.total).toBe(0);
      expect((await get("page", { ids: row.id, tenantId: "000000" }, foreign)).data).toMatchObject({ total: 0 });
      const missing = await get("detail", { id: "1" }, foreign);
      const held = await get("detail", { id: row.id }, foreign);
      expect(held).toEqual(missing);
      const history = await get<Page<unknown>>("history", { id: row.id }, foreign);
      expect(history.data.total).toBe(0);
      const stolen = await post<Row>(
        "submit",
        { ...(await calls.foreignSample(foreign)), tenantId: "000000" },
        foreign,
      );
      if (of.addedBy === "group") {
        expect([stolen.status, stolen.data.reason]).toEqual([400, "row.group_adds"]);
        const removed = await calls.remove(row.id, foreign);
        expect([removed.status, removed.data.reason]).toEqual([400, "row.group_adds"]);
        const begun = await post<{ reason: string }>("import/begin", { attachId: "1" }, foreign);
        expect([begun.status, begun.data.reason]).toEqual([400, "row.group_adds"]);
      } else expect([stolen.status, stolen.data.tenantId]).toEqual([200, world().strangerTenant]);
    }
    expect((await get<Row>("detail", { id: row.id })).data).toMatchObject(row);
  });

  if (of.scope === "own-or-all-tenants")
    test("the group's staff see all tenants' rows, or those of one, and add rows to one that exists", async () => {
      const { stranger, strangerTenant } = world();
      const added = of.addedBy === "group";
      const theirSample = added ? { ...sample(), tenantId: strangerTenant } : sample();
      const [own, theirs] = [await add(), await add(theirSample, added ? world().admin : stranger)];
      const given = await add({ ...sample(), tenantId: strangerTenant });
      expect([own.tenantId, theirs.tenantId, given.tenantId]).toEqual(["000000", strangerTenant, strangerTenant]);
      expect((await get("detail", { id: given.id }, stranger)).status).toBe(200);
      const ids = [own, theirs, given].map(({ id }) => id).join(",");
      const seen = async (tenantId: string) =>
        (await get<Page<Row>>("page", { ids, ...(tenantId && { tenantId }) })).data.records
          .map(({ id }) => id)
          .toSorted();
      expect(await seen("")).toEqual([own.id, theirs.id, given.id].toSorted());
      expect(await seen(strangerTenant)).toEqual([theirs.id, given.id].toSorted());
      expect(await seen("000000")).toEqual([own.id]);
      const unknown = await post<{ reason: string }>("submit", { ...sample(), tenantId: "999999" });
      expect([unknown.status, unknown.data.reason]).toEqual([400, "tenant.unknown"]);
      // What staff do to a customer's row stands in the customer's trail.
      await post("submit", { id: theirs.id, [changeable]: "员工改的" });
      const { data } = await get<Page<{ action: string; actorName: string }>>("history", { id: theirs.id }, stranger);
      expect(data.records[0]).toMatchObject({ action: "update", actorName: world().adminName });
      if (!of.tree) return;
      const below = await post<{ reason: string }>("submit", {
        ...sample(),
        tenantId: strangerTenant,
        parentId: own.id,
      });
      expect([below.status, below.data.reason]).toEqual([400, "row.parent_missing"]);
      const moved = await post<{ reason: string }>("move", { id: theirs.id, parentId: own.id });
      expect([moved.status, moved.data.reason]).toEqual([400, "row.parent_missing"]);
    });

  test("a role's data scope holds: own rows, or those of the department", async () => {
    const { limited } = world();
    const codes = resourceOperations.map((operation) => permissionOf(of, operation));
    await limited.may(codes, "self");
    const foreign = await add();
    const own = await add(calls.ownSample(), limited.token);
    expect(own.createDept).toBe(limited.departmentId);
    const ids = `${foreign.id},${own.id}`;
    const reached = async () =>
      (await get<Page<Row>>("page", { ids }, limited.token)).data.records.map(({ id }) => id).toSorted();
    expect(await reached()).toEqual([own.id]);
    for (const answer of [
      await get("detail", { id: foreign.id }, limited.token),
      await post("submit", { id: foreign.id, [changeable]: "越权改的" }, limited.token),
      await post("change-many", { ids, change: { [changeable]: "越权改的" } }, limited.token),
      await calls.remove(ids, limited.token),
    ])
      expect([400, 404]).toContain(answer.status);
    await calls.sql(`update ${of.table} set created_dept = $2, created_by = null where id = $1`, [
      own.id,
      limited.departmentId,
    ]);
    expect(await reached()).toEqual([]);
    await limited.may(codes, "department");
    expect(await reached()).toEqual([own.id]);
    await limited.may(codes, "all");
    expect(await reached()).toEqual([foreign.id, own.id].toSorted());
    expect((await get<Row>("detail", { id: foreign.id })).data).toMatchObject(foreign);
  });
}
