import { type Endpoint, endpoints } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic } from "../harness/session.ts";
import { type Expected, type WireCall, wireCalls } from "./calls.ts";
import { headingsOf, sheetOf } from "./sheets.ts";

vi.mock("../../apps/server/src/modules/sheets/raw-reader.ts", async (original) =>
  (await import("../resources/reading-in-process.ts")).readingInProcess(original),
);

const prefix = "/api/muyuan-";
let app: TestApp;
let tokens: Record<"admin" | "owner" | "worker", string>;
/** What calls kept for those after them. */
const kept: Record<string, string> = {};

beforeAll(async () => {
  app = await createTestApp();
  const { pool } = app.test.database;
  // The owner of a customer's tenant has every right there: what keeps them out must be the tenant.
  await pool.query(
    `insert into role_menus select r.id, m.id from roles r, menus m
      where r.tenant_id = '100002' and r.role_alias = 'owner' on conflict do nothing`,
  );
  const { rows } = await pool.query<{ id: string }>(
    "select id from roles where tenant_id = '000000' and role_alias = 'administrator'",
  );
  kept.administrator = rows[0]?.id ?? "";
  tokens = { admin: await app.logIn("admin"), owner: await app.logIn("farm"), worker: await app.logIn("worker") };
});
afterAll(() => app.close());

/** Puts what earlier calls kept into the texts of a call. */
function filled<T>(value: T): T {
  if (typeof value === "string")
    return value.replace(/\{([a-z-]+)\}/gi, (whole, name: string) => kept[name] ?? whole) as T;
  if (Array.isArray(value)) return value.map(filled) as T;
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner)])) as T;
  return value;
}

const endpointAt = new Map(
  Object.values(endpoints as Record<string, Endpoint>).flatMap((endpoint) =>
    [endpoint.path, ...(endpoint.aliases ?? [])].map((path) => [`${endpoint.method} ${path}`, endpoint] as const),
  ),
);
const endpointOf = ({ method, path }: WireCall): Endpoint | undefined => endpointAt.get(`${method} ${prefix}${path}`);

/** Sends a call as an admin client of the family does. */
async function replay(call: WireCall, token: string | undefined) {
  const { method, path, query = {}, form, body, sheet } = filled(call);
  const headers: Record<string, string> = {
    authorization: basic,
    ...(token !== undefined && { "muyuan-auth": `bearer ${token}` }),
  };
  let payload: string | Buffer | undefined;
  if (sheet !== undefined) {
    const boundary = "wireboundary";
    headers["content-type"] = `multipart/form-data; boundary=${boundary}`;
    payload = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${sheet.length === 0 ? "other" : "file"}"; filename="rows.xlsx"\r\nContent-Type: application/vnd.ms-excel\r\n\r\n`,
      ),
      sheet.length === 0 ? Buffer.from("") : await sheetOf(sheet),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
  } else if (form !== undefined) {
    headers["content-type"] = "application/x-www-form-urlencoded";
    payload = new URLSearchParams(form).toString();
  } else if (body !== undefined) {
    headers["content-type"] = "application/json";
    payload = JSON.stringify(body);
  }
  return app.http.inject({
    method,
    url: `${prefix}${path}`,
    query,
    headers,
    ...(payload !== undefined && { payload }),
  });
}

type Row = Record<string, unknown>;

/** Fields of a row as the wire has them: ids are texts of digits, and nothing is null. */
function checkRow(row: Row, fields: readonly string[]): void {
  for (const field of fields) expect(row, field).toHaveProperty(field);
  for (const [field, value] of Object.entries(row)) {
    expect(value, field).not.toBeNull();
    if (/^(id|parentId|menuId)$/.test(field) && value !== "") expect(String(value)).toMatch(/^\d{1,19}$/);
    if (/^(id|parentId|createUser|updateUser|createDept|roleId|deptId|postId)$/.test(field))
      expect(typeof value, field).toBe("string");
    if (/^(sort|status|isDeleted|userType|sex|accountNumber|regionLevel|action|isOpen)$/.test(field))
      expect(typeof value, field).toBe("number");
    if (/Time$/.test(field) && value !== "") expect(value).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
  }
}

function checkRows(
  rows: readonly Row[],
  { least, total }: { least?: number; total?: number },
  fields: readonly string[],
) {
  if (total !== undefined) expect(rows.length).toBe(total);
  expect(rows.length).toBeGreaterThanOrEqual(least ?? 0);
  for (const row of rows.slice(0, 20)) checkRow(row, fields);
}

async function checkAnswer(answer: Awaited<ReturnType<typeof replay>>, expected: Expected): Promise<void> {
  if (expected.kind === "sheet") {
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/vnd.ms-excel;charset=UTF-8");
    expect(answer.headers["content-disposition"]).toMatch(/^attachment;filename=%[\w%]+\.xlsx$/);
    expect(await headingsOf(answer.rawPayload)).toEqual(expected.headings);
    return;
  }
  const body = answer.json() as { code: number; success: boolean; data: unknown; msg: string };
  expect(Object.keys(body)).toEqual(["code", "success", "data", "msg"]);
  if (expected.kind === "refused") {
    expect([answer.statusCode, body.code, body.success, body.msg]).toEqual([
      expected.status,
      expected.status,
      false,
      expected.msg,
    ]);
    return;
  }
  expect([answer.statusCode, body.code, body.success, body.msg]).toEqual([200, 200, true, "操作成功"]);
  const { data } = body;
  switch (expected.kind) {
    case "page": {
      const page = data as { records: Row[]; total: number; size: number; current: number; pages: number };
      for (const name of ["records", "total", "size", "current", "pages"]) expect(page).toHaveProperty(name);
      if (expected.total !== undefined) expect(page.total).toBe(expected.total);
      checkRows(page.records, { ...(expected.least !== undefined && { least: expected.least }) }, expected.fields);
      return;
    }
    case "list":
      checkRows(data as Row[], expected, expected.fields);
      return;
    case "nodes": {
      const nodes = data as Row[];
      checkRows(nodes, expected, ["id", "parentId", "title", "key", "value", "hasChildren"]);
      if (expected.deep)
        expect(nodes.some(({ children }) => Array.isArray(children) && children.length > 0)).toBe(true);
      return;
    }
    case "object":
      checkRow(data as Row, expected.fields);
      return;
    case "text":
      expect(typeof data).toBe("string");
  }
}

const valueAt = (data: unknown, place: string): string =>
  String(place.split(".").reduce<unknown>((held, name) => (held as Row | undefined)?.[name], data));

const title = ({ method, path, query = {}, form, as }: WireCall, at: number) =>
  `${at + 1}. ${method} ${path}${Object.keys(query).length > 0 ? ` ?${Object.keys(query).join("&")}` : ""}${form ? " (form)" : ""} as ${as ?? "administrator"}`;

describe("calls of the family, replayed in order", () => {
  test.each(wireCalls.map((call, at) => [title(call, at), call] as const))("%s", async (_title, call) => {
    const token = call.as === "nobody" ? undefined : tokens[call.as ?? "admin"];
    const once = async () => {
      const answer = await replay(call, token);
      const text = answer.headers["content-type"]?.toString().startsWith("application/json") ? answer.body : "";
      try {
        await checkAnswer(answer, call.answer);
      } catch (error) {
        throw new Error(`${(error as Error).message}\n${text.slice(0, 600)}`, { cause: error });
      }
      return answer;
    };
    // Logs are written in batches, soon after the calls.
    const answer = call.path.startsWith("log/") ? await vi.waitFor(once, { timeout: 10_000 }) : await once();
    for (const [name, place] of Object.entries(call.keep ?? {})) kept[name] = valueAt(answer.json().data, place);
  });
});

describe("who may not call", () => {
  /** Calls of the group's rows, or that need a right. */
  const guarded = wireCalls.filter((call) => endpointOf(call)?.access.level === "permission");
  const once = [...new Map(guarded.map((call) => [`${call.method} ${call.path}`, call])).values()];

  test("every call is one that the contract declares", () => {
    expect(wireCalls.filter((call) => endpointOf(call) === undefined).map(({ path }) => path)).toEqual([]);
    expect(once.length).toBeGreaterThan(90);
  });

  test.each(once.map((call) => [`${call.method} ${call.path}`, call] as const))(
    "%s without the right, and without a token",
    async (_title, call) => {
      const bare = { ...call, query: {}, sheet: undefined } as unknown as WireCall;
      expect((await replay(bare, tokens.worker)).statusCode).toBe(403);
      expect((await replay(bare, undefined)).statusCode).toBe(401);
    },
  );

  const ofGroup = once.filter((call) => endpointOf(call)?.owner === "group");
  test.each(ofGroup.map((call) => [`${call.method} ${call.path}`, call] as const))(
    "%s by a customer who was given the right by mistake",
    async (_title, call) => {
      const answer = await replay({ ...call, query: {}, sheet: undefined } as unknown as WireCall, tokens.owner);
      expect([answer.statusCode, (answer.json() as { data: { reason: string } }).data.reason]).toEqual([
        403,
        "owner.group",
      ]);
    },
  );
});
