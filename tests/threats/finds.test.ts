import {
  afterSalesDetail,
  complaintDetail,
  contractDetail,
  customerDetail,
  deskContractDetail,
  deskOrderDetail,
  deviceDetail,
  type Endpoint,
  endpointsOf,
  type FoundKind,
  resourceNamed,
  suggestionDetail,
  userDetail,
} from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic, md5 } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";
import { addMember, menusOf, random } from "./random-roles.ts";

const memberCount = volume({ short: 8, long: 80 });
/** Beginnings of what tenants and the group have; each finds things of several kinds. */
const typed = ["周", "舍", "1", "zjy", "号", "a", "s", "y", "场", "dy", "z", "h", "环控", "2026", "JH-", "li", "农"];

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const headers = (token: string) => ({ authorization: basic, "muyuan-auth": `bearer ${token}` });
const find = async (q: string, token: string): Promise<FoundKind[]> => {
  await app.pass(61);
  const { status, body } = await app.get<FoundKind[]>(
    `/api/muyuan-desk/find/list?${new URLSearchParams({ q })}`,
    token,
  );
  expect([q, status]).toEqual([q, 200]);
  return body.data;
};

/** Operation that shows one thing of a kind; for some the group's staff have another than customers. */
function detailOf(kind: string, ofGroup: boolean): Endpoint {
  const written: Readonly<Record<string, Endpoint>> = {
    user: userDetail,
    customer: customerDetail,
    after_sales: afterSalesDetail,
    complaint: complaintDetail,
    suggestion: suggestionDetail,
    work_order: deskOrderDetail,
    contract: ofGroup ? deskContractDetail : contractDetail,
    ...(!ofGroup && { device: deviceDetail }),
  };
  const resource = resourceNamed(kind);
  const endpoint = written[kind] ?? (resource && endpointsOf(resource).detail);
  if (endpoint === undefined) throw new Error(`nothing shows a ${kind}`);
  return endpoint;
}

/** Things that were found and that the member may not see by themselves. */
async function unseen(token: string, ofGroup: boolean): Promise<{ refused: string[]; found: Map<string, string> }> {
  const refused: string[] = [];
  const found = new Map<string, string>();
  for (const q of typed)
    for (const { kind, things } of await find(q, token))
      for (const { id, key, name, opens } of things) {
        if (found.has(`${kind} ${key}`)) continue;
        found.set(`${kind} ${key}`, name);
        await app.pass(61);
        const { path, method } = detailOf(kind, ofGroup);
        // Of people the tenant in which they were found is asked for, as their screen does.
        const tenantId = /user=\d+@(\d+)$/.exec(opens[0] ?? "")?.[1];
        const query = { id, ...(tenantId && ofGroup && { tenantId }) };
        const { statusCode } = await app.http.inject({ method, url: path, query, headers: headers(token) });
        if (statusCode !== 200) refused.push(`${kind} ${name}: ${statusCode}`);
      }
  return { refused, found };
}

test(
  "members of random roles find nothing that they may not open",
  async () => {
    const menus = await menusOf(app);
    const counts: number[] = [];
    for (let at = 0; at < memberCount; at += 1) {
      const tenantId = ["100002", "000000", "100003"][at % 3] ?? "";
      const { token } = await addMember(app, menus, tenantId, `finder${at}`);
      const { refused, found } = await unseen(token, tenantId === "000000");
      expect(refused).toEqual([]);
      counts.push(found.size);
    }
    // Roles differ, and so does what they find.
    expect(new Set(counts).size).toBeGreaterThan(2);
    expect(Math.max(...counts)).toBeGreaterThan(20);
  },
  60_000 + memberCount * 40_000,
);

test("a tenant finds nothing of another, by whole names and numbers", async () => {
  const { pool } = app.test.database;
  const owner = await app.logIn("farm");
  const { rows } = await pool.query<{ kind: string; title: string; words: string }>(
    "select kind, title, words from finds where tenant_id is not null and tenant_id <> '100002' order by random() limit 300",
  );
  expect(rows.length).toBeGreaterThan(100);
  const own = new Set(
    (
      await pool.query<{ id: string }>(
        "select kind || ' ' || row_id as id from finds where tenant_id = '100002' or tenant_id is null",
      )
    ).rows.map(({ id }) => id),
  );
  const leaks: string[] = [];
  for (const { words } of rows) {
    const lines = words.split("\n").filter(Boolean);
    const q = (lines[random(lines.length)] ?? "").slice(0, 60);
    for (const { kind, things } of await find(q, owner))
      for (const { key, name } of things) {
        const indexed = ["after_sales", "complaint", "suggestion"].includes(kind) ? "work_order" : kind;
        if (!own.has(`${indexed} ${key}`)) leaks.push(`${kind} ${name} by ${q}`);
      }
  }
  expect(leaks).toEqual([]);
}, 300_000);

test("a data scope that reaches the own rows alone finds none of others, and all of the own", async () => {
  const { pool } = app.test.database;
  const [account, membership, role, farm] = [app.nextId(), app.nextId(), app.nextId(), app.nextId()];
  await pool.query(
    "insert into accounts (id, account, account_key, type, password_hash, real_name) values ($1, 'finds-own', 'finds-own', 'enterprise', $2, '林自')",
    [account, await app.hashPassword(md5(demoPassword))],
  );
  await pool.query("insert into memberships (id, account_id, tenant_id) values ($1, $2, '100002')", [
    membership,
    account,
  ]);
  await pool.query(
    "insert into roles (id, tenant_id, role_name, role_alias, data_scope) values ($1, '100002', '只看自己', 'finds-own', 'self')",
    [role],
  );
  await pool.query("insert into membership_roles (membership_id, role_id) values ($1, $2)", [membership, role]);
  await pool.query(
    "insert into role_menus select distinct $1::bigint, rm.menu_id from role_menus rm join roles r on r.id = rm.role_id where r.tenant_id = '100002'",
    [role],
  );
  // More of the same name than the index proposes of a kind: the own one must not be crowded out.
  await pool.query(
    `insert into farms (id, tenant_id, code, name, type, region_code, sort)
     select $1::bigint + n, '100002', 'CROWD-' || n, '挤场' || n, 'commercial', '411325', n from generate_series(1, 60) n`,
    [farm],
  );
  await pool.query("update farms set created_by = $1 where code = 'CROWD-60'", [account]);
  await pool.query(
    "update finds f set created_by = $1 from farms p where f.kind = 'farm' and f.row_id = p.id::text and p.code = 'CROWD-60'",
    [account],
  );
  const token = await app.logIn("finds-own");
  const found = (await find("挤场", token)).flatMap(({ things }) => things.map(({ code }) => code));
  expect(found).toEqual(["CROWD-60"]);
  const { refused, found: all } = await unseen(token, false);
  expect(refused).toEqual([]);
  const kinds = new Set([...all.keys()].map((one) => one.split(" ")[0]));
  expect([...kinds].filter((kind) => ["unit", "pig_house", "device"].includes(kind ?? ""))).toEqual([]);
});

test("whoever has no rights finds nothing, and a stranger is refused", async () => {
  const { pool } = app.test.database;
  const [account, membership] = [app.nextId(), app.nextId()];
  await pool.query(
    "insert into accounts (id, account, account_key, type, password_hash) values ($1, 'finds-nothing', 'finds-nothing', 'enterprise', $2)",
    [account, await app.hashPassword(md5(demoPassword))],
  );
  await pool.query("insert into memberships (id, account_id, tenant_id) values ($1, $2, '000000')", [
    membership,
    account,
  ]);
  const role = app.nextId();
  await pool.query(
    "insert into roles (id, tenant_id, role_name, role_alias) values ($1, '000000', '什么都没有', 'finds-nothing')",
    [role],
  );
  await pool.query("insert into membership_roles (membership_id, role_id) values ($1, $2)", [membership, role]);
  const token = await app.logIn("finds-nothing");
  for (const q of typed) expect([q, await find(q, token)]).toEqual([q, []]);
  expect((await app.get("/api/muyuan-desk/find/list?q=1")).status).toBe(401);
  expect((await app.get("/api/muyuan-desk/find/kept?things=device:1")).status).toBe(401);
});
