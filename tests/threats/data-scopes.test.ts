import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Endpoint } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic, md5 } from "../harness/session.ts";
import { unzipped } from "../harness/zip.ts";
import { bodyOf, isEndless, oneOfEachKind, privateOperations, queryOf } from "./operations.ts";

const canary = "CANARYOFOTHERS";

let app: TestApp;
const tokens = new Map<string, string>();
/** Ids of rows beyond the data scope, by tenant. */
const ids = new Map<string, string[]>();

// Calls are counted per minute; the clock of the counts goes on instead of the test waiting.
beforeEach(() => app.pass(61));

/** Columns whose texts the server compares or that rows refer to each other by. */
const meaningful =
  /^(tenant_id|type|kind|alias|mode|state|status|role_alias|dept_category|category|.*_encrypted|data_scope|number|scope|.*_kind|.*_state|.*_type)$/;

/** Tables whose rows have a department; without the index of names, which triggers keep of them. */
const tablesOfDepartments = async (): Promise<string[]> =>
  (
    await app.test.database.pool.query<{ table: string }>(
      `select c.table_name as "table" from information_schema.columns c
         join pg_tables t on t.tablename = c.table_name and t.schemaname = 'public'
        where c.table_schema = 'public' and c.column_name = 'created_dept' and c.table_name <> 'finds'
          and exists (select from information_schema.columns o where o.table_schema = 'public' and o.table_name = c.table_name
            and o.column_name = 'tenant_id')`,
    )
  ).rows.map(({ table }) => table);

/** Marks every text of the rows that others added. */
async function plant(tables: readonly string[]): Promise<number> {
  const { pool } = app.test.database;
  let planted = 0;
  for (const table of tables) {
    const { rows: columns } = await pool.query<{ column: string }>(
      `select column_name as "column" from information_schema.columns where table_schema = 'public' and table_name = $1
          and data_type = 'text' and is_generated = 'NEVER'`,
      [table],
    );
    for (const { column } of columns) {
      if (meaningful.test(column)) continue;
      // A constraint may forbid it; such a column holds no free text.
      const done = await pool
        .query(`update "${table}" set "${column}" = $1 || "${column}"`, [canary])
        .catch(() => undefined);
      planted += (done?.rowCount ?? 0) > 0 ? 1 : 0;
    }
  }
  return planted;
}

/** A member of a tenant whose only role has every menu of a seeded role and reaches the own rows alone, of which there are none. */
async function addLimited(tenantId: string): Promise<void> {
  const { pool } = app.test.database;
  const [account, membership, role] = [app.nextId(), app.nextId(), app.nextId()];
  const name = `limited-${tenantId}`;
  await pool.query(
    "insert into accounts (id, account, account_key, type, password_hash, real_name) values ($1, $2, $2, 'enterprise', $3, '林限')",
    [account, name, await app.hashPassword(md5(demoPassword))],
  );
  await pool.query("insert into memberships (id, account_id, tenant_id) values ($1, $2, $3)", [
    membership,
    account,
    tenantId,
  ]);
  await pool.query(
    "insert into roles (id, tenant_id, role_name, role_alias, data_scope) values ($1, $2, '受限', 'limited', 'self')",
    [role, tenantId],
  );
  await pool.query("insert into membership_roles (membership_id, role_id) values ($1, $2)", [membership, role]);
  await pool.query(
    `insert into role_menus select distinct $1::bigint, rm.menu_id from role_menus rm join roles r on r.id = rm.role_id
      where r.tenant_id = $2 on conflict do nothing`,
    [role, tenantId],
  );
  tokens.set(tenantId, await app.logIn(name));
}

beforeAll(async () => {
  app = await createTestApp();
  const tables = await tablesOfDepartments();
  expect(await plant(tables)).toBeGreaterThan(15);
  for (const tenant of ["100001", "000000"]) await addLimited(tenant);
  for (const tenant of ["100001", "000000"]) {
    const found: string[] = [];
    for (const table of tables) {
      const { rows } = await app.test.database.pool.query<{ id: string }>(
        `select id::text from "${table}" where tenant_id = $1 or $1 = '000000' order by id limit 2`,
        [tenant],
      );
      found.push(...rows.map(({ id }) => id));
    }
    ids.set(tenant, found);
  }
});
afterAll(() => app.close());

const idFields = (fields: Record<string, unknown> | undefined): string[] =>
  Object.keys(fields ?? {}).filter((name) => /ids?$/i.test(name) && name !== "tenantId");
const withIds = <T>(fields: Record<string, T>, id: string): Record<string, T> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (!idFields(fields).includes(name)) return [name, value];
      return [name, (Array.isArray(value) ? [id] : id) as T];
    }),
  );

/** Choices of a form: roles that somebody may be given, farms and tenants that an announcement is for. They show names alone. */
const offered = new Set(["roleSelect", "announcementFarms", "announcementTenants"]);
/** Lists whose rows have no department: they are of whoever works at the desk. */
const ofDesks = new Set([
  "agreementPage",
  "correctionPage",
  "customerFigures",
  "customerPage",
  "ossPage",
  "smsPage",
  "tenantPage",
  "usualLogPage",
]);

const reads = oneOfEachKind(
  privateOperations.filter(
    ([name, endpoint]) =>
      endpoint.method === "GET" &&
      ["tenant", "tenants", "group"].includes(endpoint.owner) &&
      !isEndless(endpoint) &&
      !offered.has(name),
  ),
);

describe.each(["100001", "000000"])("rows beyond the data scope, for a member of %s", (tenant) => {
  const asked = reads.filter(([, { owner }]) => tenant === "000000" || owner !== "group");

  const ask = async (endpoint: Endpoint, id: string) => {
    const required = (endpoint.query as { required?: string[] }).required ?? [];
    const sample = withIds(queryOf(endpoint), id);
    const query = Object.fromEntries(Object.entries(sample).filter(([name]) => required.includes(name)));
    const { statusCode, body } = await app.http.inject({
      method: endpoint.method,
      url: endpoint.path,
      query,
      headers: { authorization: basic, "muyuan-auth": `bearer ${tokens.get(tenant)}` },
    });
    return { status: statusCode, body };
  };

  test(`are in no answer of ${asked.length} lists, details, counts and reports`, async () => {
    const leaks: string[] = [];
    let answered = 0;
    const look = async ([name, endpoint]: (typeof asked)[number]) => {
      const required = (endpoint.query as { required?: string[] }).required ?? [];
      const tried = required.some((one) => /ids?$/i.test(one)) ? (ids.get(tenant) ?? []) : ["1"];
      for (const id of tried) {
        const { status, body } = await ask(endpoint, id);
        expect(status, name).toBeLessThan(500);
        if (status === 200) answered += 1;
        if (status === 200 && endpoint.form === "stream") leaks.push(`${name} is open for ${id}`);
        if (body.includes(canary)) leaks.push(`${name} ${id}`);
        // Whatever is counted was added by others, but for the member itself.
        const total =
          ofDesks.has(name) || /^(user|onlineSession)[A-Z]/.test(name)
            ? 0
            : Number(/"total":(\d+)/.exec(body)?.[1] ?? 0);
        if (total > 0) leaks.push(`${name} counts ${total}`);
      }
    };
    for (let at = 0; at < asked.length; at += 10) {
      await app.pass(61);
      await Promise.all(asked.slice(at, at + 10).map(look));
    }
    expect(leaks).toEqual([]);
    expect(answered).toBeGreaterThan(20);
  }, 120_000);
});

/** Exports whose rows have no department: of whoever works at the desk. */
const exportsOfDesks = new Set(["agreementConsentExport", "announcementReceiptExport", "customerExport"]);
const exportsByPost = privateOperations.filter(
  ([name, { method, path, owner }]) =>
    method === "POST" &&
    path.endsWith("/export") &&
    ["tenant", "tenants", "group"].includes(owner) &&
    !exportsOfDesks.has(name),
);

describe.each(["100001", "000000"])("exports by POST, for a member of %s", (tenant) => {
  const asked = oneOfEachKind(exportsByPost).filter(([, { owner }]) => tenant === "000000" || owner !== "group");

  /** The text of every sheet, or of a file of plain text. */
  const textOf = async (jobId: string): Promise<string | undefined> => {
    const { pool } = app.test.database;
    const name = await vi.waitFor(
      async () => {
        const { rows } = await pool.query<{ state: string; name: string | null }>(
          `select j.state, a.name from background_jobs j
             left join attachments a on a.id = (j.result ->> 'attachmentId')::bigint where j.id = $1`,
          [jobId],
        );
        if (!["succeeded", "failed", "cancelled"].includes(rows[0]?.state ?? "")) throw new Error(rows[0]?.state);
        return rows[0]?.name;
      },
      { timeout: 15_000, interval: 50 },
    );
    if (!name) return undefined;
    const bytes = await readFile(join(app.dataDir, "files", name));
    if (bytes.subarray(0, 2).toString() !== "PK") return bytes.toString();
    return [...(await unzipped(bytes)).values()].map(String).join("\n");
  };

  test(`have none of them in the files of ${asked.length} exports`, async () => {
    const leaks: string[] = [];
    let files = 0;
    for (const [name, endpoint] of asked) {
      const required = (endpoint.body as { required?: string[] }).required ?? [];
      const sample = bodyOf(endpoint) ?? {};
      const needed = Object.fromEntries(Object.entries(sample).filter(([field]) => required.includes(field)));
      const tried = required.some((one) => /ids?$/i.test(one)) ? (ids.get(tenant) ?? []) : ["1"];
      for (const id of tried) {
        await app.pass(61);
        const { statusCode, body } = await app.http.inject({
          method: "POST",
          url: endpoint.path,
          headers: { authorization: basic, "muyuan-auth": `bearer ${tokens.get(tenant)}` },
          payload: withIds(needed, id),
        });
        expect(statusCode, name).toBeLessThan(500);
        if (statusCode !== 200) continue;
        const jobId = /"jobId":"(\d+)"/.exec(body)?.[1];
        const text = jobId === undefined ? body : await textOf(jobId);
        if (text !== undefined) files += 1;
        if (text?.includes(canary)) leaks.push(`${name} ${id}`);
      }
    }
    expect(leaks).toEqual([]);
    expect(files).toBeGreaterThan(3);
  }, 120_000);
});

describe("a live stream that was opened before its data scope was narrowed", () => {
  const reach = (scope: string) =>
    app.test.database.pool.query("update roles set data_scope = $1 where role_alias = 'limited'", [scope]);
  let address: string;
  beforeAll(async () => {
    address = await app.listen();
  });
  const follow = async (path: string) => {
    const answer = await fetch(`${address}${path}`, {
      headers: { authorization: basic, "muyuan-auth": `bearer ${tokens.get("100001")}` },
    });
    const stream = { status: answer.status, text: "", endedAfterMs: Number.POSITIVE_INFINITY, from: performance.now() };
    void (async () => {
      for await (const part of answer.body ?? []) stream.text += new TextDecoder().decode(part);
      stream.endedAfterMs = performance.now() - stream.from;
    })().catch(() => undefined);
    return stream;
  };

  test("is closed within 5 s and not let in again, and others go on", async () => {
    const { pool } = app.test.database;
    const { rows } = await pool.query<{ id: string; serialNumber: string }>(
      `select id::text, serial_number as "serialNumber" from devices where tenant_id = '100001' and bound_at is not null
          and unit_id is not null order by id limit 1`,
    );
    const device = rows[0] ?? { id: "", serialNumber: "" };
    await reach("all");
    const path = `/api/muyuan-iot/live?ids=${device.id}`;
    await app.pass(61);
    const opened = await vi.waitFor(
      async () => {
        const stream = await follow(path);
        expect(stream.status).toBe(200);
        return stream;
      },
      { timeout: 3000, interval: 200 },
    );
    const alarms = await follow("/api/muyuan-iot/alarm/live");
    expect(alarms.status).toBe(200);
    await vi.waitFor(() => expect(opened.text).toContain(": open"));
    await reach("self");
    opened.from = performance.now();
    alarms.from = opened.from;
    await vi.waitFor(() => expect([opened.endedAfterMs < 5000, alarms.endedAfterMs < 5000]).toEqual([true, true]), {
      timeout: 6000,
      interval: 50,
    });
    const before = opened.text.length;
    await app.report(device.serialNumber, { t_in: 21.5 });
    expect(opened.text).toHaveLength(before);
    expect((await follow(path)).status).toBe(404);
  }, 30_000);
});

test("rows beyond the data scope come back with the next request after the role reaches them", async () => {
  const total = async () => {
    await app.pass(61);
    return (await app.get<{ total: number }>("/api/muyuan-iot/device/page", tokens.get("100001"))).body.data.total;
  };
  const reach = (scope: string) =>
    app.test.database.pool.query("update roles set data_scope = $1 where role_alias = 'limited'", [scope]);
  expect(await total()).toBe(0);
  await reach("all");
  await vi.waitFor(async () => expect(await total()).toBeGreaterThan(0), { timeout: 3000, interval: 100 });
  await reach("self");
});
