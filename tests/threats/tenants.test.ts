import type { Endpoint } from "@herdwise/contract";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic, md5 } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";
import { changedBy, startChangeLog, takeChanges } from "./change-log.ts";
import { bodyOf, isEndless, missingId, operations, privateOperations, queryOf } from "./operations.ts";

/** Random operations of T04. */
const operationCount = volume({ short: 600, long: 100_000 });

/** Ids of each table that are tried with each operation of T03: one of either tenant in turn, or three of both. */
const triesEachId = volume({ short: false, long: true });

const tenants = ["100001", "100002", "100003"] as const;
type Tenant = (typeof tenants)[number];
const canaryOf = (tenant: Tenant) => `CANARY${tenant}`;

let app: TestApp;
const tokens = new Map<Tenant, string>();
/** Ids of rows by tenant and table. */
const ids = new Map<Tenant, Map<string, string[]>>();

// Calls are counted per minute; the clock of the counts goes on instead of the test waiting.
beforeEach(() => app.pass(61));

/** Columns whose texts the server compares or that rows refer to each other by. */
const meaningful = new Set(["tenant_id", "type", "kind", "alias", "mode", "status", "account_key", "password_hash"]);

/** Puts a tenant's canary in front of every text of every row that belongs to it. @returns how many columns hold one */
async function plant(): Promise<number> {
  const { pool } = app.test.database;
  const { rows: columns } = await pool.query<{ table: string; column: string }>(
    `select c.table_name as "table", c.column_name as "column" from information_schema.columns c
     join pg_tables t on t.tablename = c.table_name and t.schemaname = 'public'
     where c.table_schema = 'public' and c.data_type = 'text' and c.column_name <> 'tenant_id' and c.is_generated = 'NEVER'
       and exists (select from information_schema.columns o where o.table_schema = 'public' and o.table_name = c.table_name
         and o.column_name = 'tenant_id' and o.data_type = 'text')`,
  );
  let planted = 0;
  for (const { table, column } of columns) {
    if (meaningful.has(column)) continue;
    for (const tenant of tenants) {
      // A constraint may forbid it; such a column holds no free text.
      const done = await pool
        .query(`update "${table}" set "${column}" = $1 || "${column}" where tenant_id = $2`, [canaryOf(tenant), tenant])
        .catch(() => undefined);
      if (done !== undefined && (done.rowCount ?? 0) > 0) planted += 1;
    }
  }
  return planted;
}

const collect = async () => {
  const { pool } = app.test.database;
  const { rows: tables } = await pool.query<{ table: string }>(
    `select c.table_name as "table" from information_schema.columns c join information_schema.columns o using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'id' and c.data_type = 'bigint' and o.column_name = 'tenant_id'`,
  );
  for (const tenant of tenants) {
    const byTable = new Map<string, string[]>();
    for (const { table } of tables) {
      const { rows } = await pool.query<{ id: string }>(
        // Devices that have reported come first, so that there is something of theirs to see.
        table === "devices"
          ? `select d.id::text from devices d left join device_states s on s.device_id = d.id where d.tenant_id = $1
             order by s.reported_at nulls last, d.id limit 40`
          : `select id::text from "${table}" where tenant_id = $1 order by id limit 40`,
        [tenant],
      );
      if (rows.length > 0)
        byTable.set(
          table,
          rows.map(({ id }) => id),
        );
    }
    const ofAccounts = async (table: string, column: string) => {
      const { rows } = await pool.query<{ id: string }>(
        `select t.id::text from "${table}" t join memberships m on m.account_id = t.${column} where m.tenant_id = $1 limit 40`,
        [tenant],
      );
      if (rows.length > 0)
        byTable.set(
          table,
          rows.map(({ id }) => id),
        );
    };
    await ofAccounts("accounts", "id");
    await ofAccounts("messages", "account_id");
    ids.set(tenant, byTable);
  }
};

beforeAll(async () => {
  app = await createTestApp();
  const { pool } = app.test.database;
  const passwordHash = await app.hashPassword(md5(demoPassword));
  for (const tenant of tenants) {
    const [account, membership] = [app.nextId(), app.nextId()];
    const name = `owner-${tenant}`;
    await pool.query(
      "insert into accounts (id, account, account_key, type, password_hash, real_name, nick_name) values ($1, $2, $2, 'enterprise', $3, $4, $4)",
      [account, name, passwordHash, `${canaryOf(tenant)} person`],
    );
    await pool.query("insert into memberships (id, account_id, tenant_id) values ($1, $2, $3)", [
      membership,
      account,
      tenant,
    ]);
    await pool.query(
      "insert into membership_roles select $1, id from roles where tenant_id = $2 and role_alias in ('owner', 'farm_manager', 'veterinarian')",
      [membership, tenant],
    );
    await pool.query("insert into messages (id, account_id, kind, title, content) values ($1, $2, 'system', $3, $3)", [
      app.nextId(),
      account,
      `${canaryOf(tenant)} message`,
    ]);
    const { rows } = await pool.query<{ serial: string }>(
      "select serial_number as serial from devices where tenant_id = $1 and kind = 'environment' order by id limit 3",
      [tenant],
    );
    for (const { serial } of rows) {
      expect(await app.report(serial, { t_in: 21.5, note: `${canaryOf(tenant)} reading` })).toBe(200);
    }
  }
  // Farms, houses, units and devices have a name each in each of three tenants, at least.
  expect(await plant()).toBeGreaterThanOrEqual(12);
  for (const tenant of tenants) tokens.set(tenant, await app.logIn(`owner-${tenant}`));
  await collect();
  await startChangeLog(pool);
});
afterAll(() => app.close());

const inject = (request: InjectOptions, token: string | undefined) =>
  app.http.inject({
    ...request,
    headers: { authorization: basic, ...(token && { "muyuan-auth": `bearer ${token}` }), ...request.headers },
  });
const foreignCanaries = (tenant: Tenant) => tenants.filter((other) => other !== tenant).map(canaryOf);

test("each tenant sees its own canaries, so that foreign ones would be seen", async () => {
  for (const tenant of tenants) {
    for (const url of ["/api/muyuan-farm/tree/list", "/api/muyuan-iot/device/page", "/api/muyuan-iot/overview/list"]) {
      expect((await inject({ url }, tokens.get(tenant))).body, url).toContain(canaryOf(tenant));
    }
    const latest = `/api/muyuan-iot/device/latest?id=`;
    const own = await Promise.all(
      (ids.get(tenant)?.get("devices") ?? []).map(
        async (id) => (await inject({ url: latest + id }, tokens.get(tenant))).body,
      ),
    );
    expect(own.join("")).toContain(`${canaryOf(tenant)} reading`);
  }
});

/** Names of parameters that hold an id or several. */
const idFields = (fields: Record<string, unknown> | undefined): string[] =>
  Object.keys(fields ?? {}).filter((name) => /ids?$/i.test(name) && name !== "tenantId");
const withIds = <T>(fields: Record<string, T>, names: readonly string[], id: string): Record<string, T> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (!names.includes(name)) return [name, value];
      return [name, (Array.isArray(value) ? [id] : id) as T];
    }),
  );

describe("T03: the id of another tenant's row is answered like one that never was", () => {
  const cases = privateOperations.filter(([, { owner, ...endpoint }]) => {
    const fields = [...idFields(queryOf({ owner, ...endpoint })), ...idFields(bodyOf({ owner, ...endpoint }))];
    return owner !== "group" && fields.length > 0;
  });

  const foreignIds = (): [table: string, id: string][] => {
    const others = (["100002", "100003"] as const).map((tenant) => ids.get(tenant) ?? new Map<string, string[]>());
    const tables = [...new Set(others.flatMap((of) => [...of.keys()]))];
    return tables.flatMap((table, at) => {
      const found = others.map((of) => of.get(table) ?? []);
      const chosen = triesEachId
        ? found.flatMap((of) => of.slice(0, 3))
        : [found[at % 2]?.[0] ?? found.flat()[0] ?? ""];
      return chosen.map((id): [string, string] => [table, id]);
    });
  };

  test("there are operations with ids", () => {
    expect(cases.length).toBeGreaterThan(8);
  });

  test.each(cases)("%s", async (_name, endpoint) => {
    const ask = async (id: string) => {
      await app.pass(61);
      const query = queryOf(endpoint);
      const body = bodyOf(endpoint);
      const answer = await inject(
        {
          method: endpoint.method,
          url: endpoint.path,
          query: withIds(query, idFields(query), id),
          ...(body && { payload: withIds(body, idFields(body), id) }),
        },
        tokens.get("100001"),
      );
      return {
        status: answer.statusCode,
        body: answer.body.replaceAll(id, "<id>").replace(/"[\w-]{32,}"/g, '"<random>"'),
      };
    };
    const missing = await ask(missingId);
    await takeChanges(app.test.database.pool);
    for (const [table, id] of foreignIds()) expect(await ask(id), `${id} of ${table}`).toEqual(missing);
    expect(changedBy(await takeChanges(app.test.database.pool))).toEqual([]);
    // A foreign id between own ones is no better.
    if (!("ids" in queryOf(endpoint))) return;
    const own = ids.get("100001")?.get("devices")?.[0] ?? "";
    const amongOwn = async (id: string) => {
      const { status, body } = await ask(`${own},${id}`);
      return { status, body: body.replaceAll(id, "<id>") };
    };
    expect(await amongOwn(ids.get("100002")?.get("devices")?.[0] ?? "")).toEqual(await amongOwn(missingId));
  });
});

describe("T04: no header, query or body moves a session to another tenant", () => {
  test(
    `${operationCount} random operations of three tenants, canaries in all their rows`,
    async () => {
      let state = 20_261_121;
      /** Whole numbers below `below`, the same ones in each run. */
      const random = (below: number): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
      };
      const oneOf = <T>(from: readonly T[]): T => from[random(from.length)] as T;
      const chosen = operations.filter(
        // What ends the session, what is no session's business, and a stream that does not end would only slow this down.
        ([name, endpoint]) =>
          ["self", "tenant", "tenants"].includes(endpoint.owner) &&
          !isEndless(endpoint) &&
          // Nor a removal: the vet is a member of two tenants, either of which may let them go.
          !["oauthLogout", "sessionRemove", "updatePassword", "userRemove"].includes(name),
      );
      /** An id of a row that the operation reads, or of any row. */
      const idOf = (tenant: Tenant, path: string): string => {
        const rows = ids.get(tenant);
        const table = (["devices", "units", "farms"] as const).find((name) => path.includes(`/${name.slice(0, -1)}/`));
        const fitting = rows?.get(path.includes("/telemetry/") ? "devices" : (table ?? ""));
        return oneOf(fitting !== undefined && random(4) > 0 ? fitting : oneOf([...(rows?.values() ?? [])]));
      };
      const spoofNames = ["tenantId", "tenant_id", "TenantId", "tenant", "Tenant-Id", "tenantIds"];
      const answers = { ok: 0, other: 0 };
      const operation = async (): Promise<void> => {
        const tenant = oneOf(tenants);
        const foreign = oneOf(tenants.filter((other) => other !== tenant));
        const [, endpoint] = oneOf(chosen) as [string, Endpoint];
        const reading = endpoint.method === "GET" && endpoint.form !== "stream";
        // A write with an own id might remove what the next calls look for; a stream of own devices does not end.
        const id = idOf(reading && random(2) === 0 ? tenant : foreign, endpoint.path);
        const sample = queryOf(endpoint);
        const query: Record<string, string | string[]> = withIds(sample, idFields(sample), id);
        const required = (endpoint.query as { required?: string[] }).required ?? [];
        for (const name of Object.keys(query)) if (random(3) > 0 && !required.includes(name)) delete query[name];
        if (random(2) === 0) query[oneOf(spoofNames)] = random(4) === 0 ? [tenant, foreign] : foreign;
        if ("tenantId" in query) query.tenantId = foreign;
        const body = bodyOf(endpoint);
        const headers: Record<string, string> = {};
        if (random(2) === 0) headers["tenant-id"] = foreign;
        if (random(4) === 0) headers[oneOf(["x-tenant-id", "blade-tenant", "x-original-url"])] = foreign;
        if (random(4) === 0) headers.cookie = `tenantId=${foreign}; tenant_id=${foreign}`;
        const answer = await inject(
          {
            method: endpoint.method,
            url: endpoint.path,
            query,
            headers,
            ...(body && { payload: { ...withIds(body, idFields(body), id), [oneOf(spoofNames)]: foreign } }),
          },
          tokens.get(tenant),
        );
        if (answer.statusCode === 200) answers.ok += 1;
        else answers.other += 1;
        const bytes = `${JSON.stringify(answer.headers)}${answer.rawPayload.toString("latin1")}`;
        for (const canary of foreignCanaries(tenant)) {
          if (bytes.includes(canary))
            expect.fail(`${endpoint.path} showed ${canary} to ${tenant}: ${JSON.stringify(query)}`);
        }
      };
      const atOnce = 20;
      for (let done = 0; done < operationCount; done += atOnce) {
        // Beyond the limits per minute nothing would be tried; their clock goes on.
        if (done % 200 === 0) await app.pass(61);
        await Promise.all(Array.from({ length: atOnce }, operation));
      }
      // Were most calls refused for their parameters, nothing would have been tried.
      // Most operations of imports know nothing under a made-up id.
      expect(answers.ok).toBeGreaterThan(operationCount / 8);
      for (const tenant of tenants)
        expect((await app.get("/api/muyuan-system/user/info", tokens.get(tenant))).status).toBe(200);
    },
    60_000 + operationCount * 20,
  );
});

describe("T05: a switch needs a membership", () => {
  const own = "100002";
  const written = ["100001", "100003", "000000", "100004", "999999"].flatMap((tenant) => [
    `tenantId=${tenant}`,
    `tenantId=%20${tenant}`,
    `tenantId=${tenant}%20`,
    `tenantId=${tenant}%00`,
    `tenantId=${own},${tenant}`,
    `tenantId=${tenant},${own}`,
    `tenantId=${[...tenant].map((digit) => encodeURIComponent(String.fromCharCode(digit.charCodeAt(0) + 0xfee0))).join("")}`,
    `tenantId=${tenant}'%20or%20'1'='1`,
    `tenantId=%25${tenant.slice(1)}`,
    `tenantId=${own}&tenantId=${tenant}`,
  ]);

  test(`${written.length} foreign switches open nothing and end nothing`, async () => {
    expect(written).toHaveLength(50);
    // Random calls may have guessed at the password, and a puzzle is wanted then.
    await app.test.database.pool.query("delete from login_failures");
    const token = await app.logIn(`owner-${own}`);
    const sessions = "select count(*)::int as count from sessions where ended_at is null";
    const before = (await app.test.database.pool.query(sessions)).rows;
    for (const query of written) {
      await app.pass(61);
      const foreign = /\d{6}(?!.*\d{6})/.exec(query)?.[0] ?? "100001";
      const answer = await inject(
        {
          url: `/api/muyuan-auth/oauth/switch-multi-tenant?${query}`,
          headers: { "tenant-id": foreign, cookie: `tenantId=${foreign}` },
        },
        token,
      );
      expect([answer.statusCode, answer.body.includes("access_token")], query).toEqual([400, false]);
    }
    expect((await app.test.database.pool.query(sessions)).rows).toEqual(before);
    const info = await app.get<{ tenant_id: string }>("/api/muyuan-system/user/info", token);
    expect(info.body.data.tenant_id).toBe(own);
  });

  test("a member's switch gives a session of that tenant and ends the old one with its refresh token", async () => {
    const vet = await app.token({
      grant_type: "password",
      username: "vet",
      password: md5(demoPassword),
      tenantId: own,
    });
    const switched = await inject(
      { url: "/api/muyuan-auth/oauth/switch-multi-tenant?tenantId=100003" },
      vet.body.access_token,
    );
    expect(switched.json()).toMatchObject({ tenant_id: "100003" });
    expect(switched.json().jti).not.toBe(vet.body.jti);
    expect((await app.get("/api/muyuan-system/user/info", vet.body.access_token)).status).toBe(401);
    const again = await app.token({ grant_type: "refresh_token", refresh_token: vet.body.refresh_token });
    expect(again.status).toBe(400);
  });
});
