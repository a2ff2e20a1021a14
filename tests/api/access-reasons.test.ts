import { type AccessReason, accessReasons, accessRows, placedRowKinds } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let admin: string;
let worker: string;
beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
  worker = await accountId("worker");
});
afterAll(() => app.close());

const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query(text, values)).rows as Row[];
const accountId = async (account: string): Promise<string> =>
  (await sql<{ id: string }>("select id::text from accounts where account = $1", [account]))[0]?.id ?? "";
const tenantId = "100001";
const ask = async (code: string, more: Record<string, string> = {}, token = admin) => {
  const query = new URLSearchParams({ accountId: worker, tenantId, code, ...more });
  const { status, body } = await app.get<{ allowed: boolean; steps: AccessReason[] }>(
    `${accessReasons.path}?${query}`,
    token,
  );
  const blocked = body.data?.steps?.filter(({ ok }) => !ok).map(({ step }) => step);
  return { status, allowed: body.data?.allowed, steps: body.data?.steps, blocked };
};
const stepOf = (steps: AccessReason[] | undefined, name: string) => steps?.find(({ step }) => step === name);
const farmId = async (of = tenantId): Promise<string> =>
  (await sql<{ id: string }>("select id::text from farms where tenant_id = $1 order by id limit 1", [of]))[0]?.id ?? "";
/** Runs with a change that is taken back. */
const during = async (change: string, back: string, work: () => Promise<void>) => {
  await sql(change);
  try {
    await work();
  } finally {
    await sql(back);
  }
};

test("a screen that a role grants is explained by that role; one that none grants is blocked there alone", async () => {
  const granted = await ask("farm");
  expect([granted.status, granted.allowed, granted.blocked]).toEqual([200, true, []]);
  expect(stepOf(granted.steps, "granted")?.detail).toEqual(["饲养员"]);
  const missing = await ask("role_edit");
  expect([missing.allowed, missing.blocked]).toEqual([false, ["granted"]]);
  expect(stepOf(missing.steps, "granted")?.roleIds).toHaveLength(1);
});

test("a screen of the group's staff is not for a customer, whatever is granted", async () => {
  expect((await ask("customer_page")).status).toBe(404);
  const { blocked } = await ask("role_grants");
  expect(blocked).toEqual(["kind", "granted"]);
});

test("a locked account, a left membership and a closed tenant are named", async () => {
  for (const [step, table, where] of [
    ["account", "accounts", `id = ${worker}`],
    ["membership", "memberships", `account_id = ${worker}`],
    ["tenant", "tenants", `tenant_id = '${tenantId}'`],
  ] as const)
    await during(
      `update ${table} set status = 0 where ${where}`,
      `update ${table} set status = 1 where ${where}`,
      async () => expect((await ask("farm")).blocked).toEqual([step]),
    );
  await during(
    `update accounts set password_must_change = true where id = ${worker}`,
    `update accounts set password_must_change = false where id = ${worker}`,
    async () => expect((await ask("farm")).blocked).toEqual(["password"]),
  );
});

test("a row is of another tenant, beyond the data scope, or reached", async () => {
  const owner = await app.logIn("farm");
  const rowId = await farmId("100002");
  const vet = { accountId: await accountId("vet"), tenantId: "100002", rowId };
  expect((await ask("farm", vet, owner)).blocked).toEqual([]);
  expect((await ask("farm", { ...vet, rowId: "1560000000000000001" }, owner)).blocked).toEqual(["row"]);
  await during(
    "update roles set data_scope = 'self' where tenant_id = '100002'",
    "update roles set data_scope = 'all' where tenant_id = '100002'",
    async () => {
      const before = await sql("update farms set created_by = null where id = $1 returning id", [rowId]);
      expect(before).toHaveLength(1);
      await sql("update roles set data_scope = 'all' where tenant_id = '100002' and role_alias = 'owner'");
      expect((await ask("farm", vet, owner)).blocked).toEqual(["rowScope"]);
    },
  );
  const [role] = await sql<{ id: string }>("select id::text from roles where tenant_id = '100002' limit 1");
  expect((await ask("role_view", { rowId: role?.id ?? "" })).blocked).toEqual(["granted", "rowTenant", "rowScope"]);
});

test("who asks must reach the person, and learns of no row that they do not see", async () => {
  const owner = await app.logIn("farm");
  expect((await ask("farm", {}, owner)).status).toBe(404);
  expect((await ask("farm", {}, await app.logIn("worker"))).status).toBe(403);
  const foreign = await farmId("100001");
  const vet = await accountId("vet");
  const { steps } = await ask("farm", { accountId: vet, tenantId: "100002", rowId: foreign }, owner);
  expect(steps?.slice(-1)).toEqual([{ step: "row", ok: false, detail: [], roleIds: [] }]);
  expect((await ask("no_such_code")).status).toBe(404);
});

test("devices, alarms and members can be asked about, each by the condition of its own list", async () => {
  const owner = await app.logIn("farm");
  const vet = { accountId: await accountId("vet"), tenantId: "100002" };
  const rowsOf = async (rowKind: string, token: string, more = "") =>
    (
      await app.get<{ rowKind: string; rows: { id: string; title: string }[] }>(
        `${accessRows.path}?code=farm&rowKind=${rowKind}${more}`,
        token,
      )
    ).body.data;
  // One of whose place the vet did not add.
  const { rows: alarms } = await app.test.database.pool.query(
    "select 1 from alarms where tenant_id = '100002' limit 1",
  );
  if (alarms.length === 0)
    await sql(
      `insert into alarms (id, tenant_id, device_id, kind, rule_id, severity, raised_at, since_at, farm_id, house_id, unit_id)
       select 1, d.tenant_id, d.id, d.kind, 'offline', 2, now(), now(), d.farm_id, d.house_id, d.unit_id
         from devices d where d.tenant_id = '100002' and d.unit_id is not null order by d.id limit 1`,
    );
  for (const kind of placedRowKinds) {
    const { rows } = await rowsOf(kind, owner);
    expect([kind, rows.length > 0]).toEqual([kind, true]);
    const rowId = rows[0]?.id ?? "";
    const { steps } = await ask("farm", { ...vet, rowKind: kind, rowId }, owner);
    expect(stepOf(steps, "row")).toMatchObject({ ok: true, detail: [rows[0]?.title] });
    expect(stepOf(steps, "rowTenant")?.ok).toBe(true);
    await during(
      "update roles set data_scope = 'self' where tenant_id = '100002' and role_alias <> 'owner'",
      "update roles set data_scope = 'all' where tenant_id = '100002'",
      async () => {
        const narrowed = await ask("farm", { ...vet, rowKind: kind, rowId }, owner);
        // Everybody reaches themselves.
        const self = kind === "member" && rowId === vet.accountId;
        expect([kind, stepOf(narrowed.steps, "rowScope")?.ok]).toEqual([kind, self]);
      },
    );
  }
  const [foreign] = await sql<{ id: string }>("select id::text from devices where tenant_id = '100001' limit 1");
  const { steps } = await ask("farm", { ...vet, rowKind: "device", rowId: foreign?.id ?? "" }, owner);
  expect(steps?.at(-1)).toMatchObject({ step: "row", ok: false, detail: [] });
  expect((await rowsOf("device", admin, "&tenantId=100001")).rows.length).toBeGreaterThan(0);
  expect((await rowsOf("", owner)).rowKind).toBe("farm");
  expect((await rowsOf("device", owner, "&keyword=nothing-is-called-this")).rows).toEqual([]);
});
