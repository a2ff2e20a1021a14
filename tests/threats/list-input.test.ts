import { type Endpoint, resources, snakeCase } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic } from "../harness/session.ts";
import { inShanghai } from "../harness/site-desk.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { inTurn, volume } from "../harness/volume.ts";
import { changedBy, startChangeLog, takeChanges } from "./change-log.ts";
import { oneOfEachKind, operations, queryOf } from "./operations.ts";

interface Parameter {
  type?: string;
  maximum?: number;
}
type Operation = readonly [name: string, endpoint: Endpoint];

const parametersOf = ({ query }: Endpoint): [name: string, schema: Parameter][] =>
  Object.entries((query as { properties?: Record<string, Parameter> }).properties ?? {});
const propertiesOf = (schema: unknown): object => (schema as { properties?: object }).properties ?? {};

/** Operations that answer rows. */
const isList = ({ method, form, reply, query }: Endpoint): boolean =>
  method === "GET" &&
  form === "envelope" &&
  ("records" in propertiesOf(reply) || "size" in propertiesOf(query) || (reply as Parameter).type === "array");
const lists = operations.filter(([, endpoint]) => isList(endpoint));
/** Those with code of their own, and of each kind that the kit serves one, another in each run. */
const chosen = oneOfEachKind(lists);

let app: TestApp;
const logsUntil = inShanghai(Date.now() + 1000);
const tokens: string[] = [];
let calls = 0;
beforeAll(async () => {
  app = await createTestApp();
  tokens.push(await app.logIn("admin"), await app.logIn("farm"));
  await app.test.database.pool.query(
    `insert into agreement_consents (account_id, version_id)
     select a.id, (select id from agreement_versions order by id limit 1) from accounts a on conflict do nothing`,
  );
  await vi.waitFor(() => expect(inShanghai(Date.now() - 1000) > logsUntil).toBe(true), { timeout: 10_000 });
});
afterAll(() => app.close());

interface Answer {
  status: number;
  text: string;
  tookMs: number;
  rows: Record<string, unknown>[];
  /** Of all pages; undefined for an answer that counts nothing. */
  total: number | undefined;
}

async function read(path: string, query: Record<string, string>, token = tokens[0]): Promise<Answer> {
  calls += 1;
  // The calls of a minute are limited.
  if (calls % 500 === 0) await app.pass(61);
  const begun = performance.now();
  const answer = await app.http.inject({
    method: "GET",
    url: path,
    query,
    remoteAddress: `10.2.${(calls >> 8) & 255}.${calls & 255}`,
    headers: { authorization: basic, ...(token && { "muyuan-auth": `bearer ${token}` }) },
  });
  const tookMs = performance.now() - begun;
  const { data } = answer.json() as { data?: { records?: Answer["rows"]; total?: number } | Answer["rows"] | null };
  const rows = Array.isArray(data) ? data : (data?.records ?? []);
  return {
    status: answer.statusCode,
    text: answer.body,
    tookMs,
    rows,
    total: Array.isArray(data) ? data.length : data?.total,
  };
}

/** Only what an operation requires; conditions are left out. */
function requiredOf(endpoint: Endpoint): Record<string, string> {
  const required = (endpoint.query as { required?: string[] }).required ?? [];
  const given = Object.fromEntries(Object.entries(queryOf(endpoint)).filter(([name]) => required.includes(name)));
  // The calls of this test are rows of the service's own logs.
  return endpoint.path.startsWith("/api/muyuan-log/") && "createTime_datele" in propertiesOf(endpoint.query)
    ? { ...given, createTime_datele: logsUntil }
    : given;
}

/** The token of who may read a list, the group's staff where both may. */
async function readerOf([, endpoint]: Operation): Promise<string | undefined> {
  for (const token of tokens) {
    const { status } = await read(endpoint.path, requiredOf(endpoint), token);
    if (status !== 403) return token;
  }
  return undefined;
}

describe("T07: what is hidden or masked is told by no order and no count", () => {
  const hidden = [
    ...["password", "password_hash", "passwordHash", "phone", "phone_index", "phoneEncrypted", "email_index"],
    ...["id_number", "idNumber", "real_name_index", "bank_number", "token_hash", "secret", "deleted_at", "tenant_id"],
  ];
  const suffixes = ["", "_equal", "_likeright", "_ge", "_null"];

  /** Fields that a list masks, or keeps encrypted. */
  function maskedOf([name, { personal }]: Operation): string[] {
    const of = resources
      .filter((one) => name.startsWith(`${one.name}_`))
      .sort((a, b) => b.name.length - a.name.length)[0];
    const encrypted = Object.entries(of?.fields ?? {}).filter(
      ([, field]) => field.kind === "text" && "stored" in field,
    );
    const masked = Object.entries(personal).filter(([, rule]) => rule.startsWith("mask"));
    return [...masked, ...encrypted].map(([field]) => field);
  }
  /** Those that mask something always. */
  const asked = [...new Set([...chosen, ...lists.filter((list) => maskedOf(list).length > 0)])];
  const idsOf = ({ rows, total }: Answer) => [total, rows.map((row) => row.id ?? JSON.stringify(row))];

  let tried = 0;
  test.each(asked)("%s", async (...operation) => {
    const [, endpoint] = operation;
    const token = await readerOf(operation);
    const base = requiredOf(endpoint);
    const whole = await read(endpoint.path, base, token);
    if (whole.status !== 200) return;
    const declared = new Set(parametersOf(endpoint).map(([name]) => name));
    const masked = maskedOf(operation);
    for (const column of [...masked, ...inTurn(hidden, 3)]) {
      for (const parameter of ["ascs", "descs"].filter((name) => declared.has(name))) {
        tried += 1;
        const { status, text } = await read(endpoint.path, { ...base, [parameter]: snakeCase(column) }, token);
        expect(status, `${parameter}=${snakeCase(column)}: ${text.slice(0, 200)}`).toBe(400);
      }
      for (const suffix of suffixes) {
        const parameter = `${column}${suffix}`;
        if (declared.has(parameter)) {
          expect(masked, "a masked field is no condition").not.toContain(column);
          continue;
        }
        tried += 1;
        const found = await read(endpoint.path, { ...base, [parameter]: "1" }, token);
        if (found.status !== 400) expect(idsOf(found), parameter).toEqual(idsOf(whole));
      }
    }
  });

  test("400 of them at least", () => expect(tried).toBeGreaterThanOrEqual(400));

  const searched = lists.filter(([, { personal, query }]) => {
    const masks = Object.values(personal).some((rule) => rule.startsWith("mask"));
    return masks && "keyword" in propertiesOf(query);
  });
  test.each(searched)("%s: a part of what is masked finds no row that does not show it", async (...operation) => {
    const [, endpoint] = operation;
    const { rows: people } = await app.test.database.pool.query<{ name: string; phone: string; email: string }>(
      "select real_name as name, phone_encrypted as phone, email_encrypted as email from accounts where real_name <> '' order by id limit 20",
    );
    const open = (encrypted: string) => (encrypted === "" ? "" : app.personalCipher.decrypt(encrypted));
    const parts = new Set(
      people.flatMap(({ name, phone, email }) => [
        [...name].slice(1).join(""),
        [...name].at(-1) ?? "",
        open(phone).slice(3, 7),
        open(phone).slice(0, 7),
        open(email).slice(1, 4),
      ]),
    );
    parts.delete("");
    expect(parts.size).toBeGreaterThan(10);
    for (const part of parts) {
      const { status, rows } = await read(endpoint.path, { ...requiredOf(endpoint), keyword: part, size: "100" });
      expect(status).toBe(200);
      const hiddenIn = rows.filter((row) => !JSON.stringify(row).toLowerCase().includes(part.toLowerCase()));
      expect(hiddenIn, part).toEqual([]);
    }
  });
});

describe("T08: SQL in what lists are asked by", () => {
  const begins = ["", "'", '"', "')", "'))", "\\'", "1", "%'", "1)", "';", "name", "$1"];
  const cores = [
    ...[
      " or 1=1",
      " and 1=0",
      "; drop table accounts",
      " union select null",
      " or pg_sleep(5) is null",
      "||pg_sleep(5)",
    ],
    ...[
      "; select pg_sleep(5)",
      " and 1=cast(version() as int)",
      "; update accounts set status=0",
      " order by 1",
      "::int",
    ],
    ...[" or exists(select 1)", ",(select password_hash from accounts limit 1)", " limit 0", ' collate "C"'],
    ...["; delete from sessions", " is null"],
  ];
  const ends = ["", "--", "/*", "-- -"];
  const strings = begins.flatMap((begin) => cores.flatMap((core) => ends.map((end) => `${begin}${core}${end}`)));
  const pairs = volume({ short: chosen, long: lists }).flatMap(([name, endpoint]) =>
    parametersOf(endpoint)
      .filter(([, { type }]) => type === "string" || type === undefined)
      .map(([parameter]) => [name, endpoint, parameter] as const),
  );
  /** How many strings each parameter gets. */
  const each = volume({ short: 1, long: 20 });

  test(`${strings.length} strings in ${pairs.length} parameters: none is a fault, selects, delays or changes anything`, async () => {
    expect(strings.length).toBeGreaterThanOrEqual(800);
    expect(pairs.length * each).toBeGreaterThan(700);
    const { pool } = app.test.database;
    await startChangeLog(pool);
    await takeChanges(pool);
    const faults: unknown[] = [];
    let answered = 0;
    for (const [at, [name, endpoint, parameter]] of pairs.entries()) {
      const token = endpoint.owner === "self" || endpoint.owner === "tenant" ? tokens[1] : tokens[0];
      const ask = (value: string) => read(endpoint.path, { ...requiredOf(endpoint), [parameter]: value }, token);
      const neutral = await ask("zzqvxw");
      for (let turn = 0; turn < each; turn += 1) {
        const string = strings[(at * each + turn) % strings.length] as string;
        const { status, text, tookMs, total } = await ask(string);
        const told = (fault: string) => faults.push({ name, parameter, string, fault, text: text.slice(0, 300) });
        if (status >= 500) told(`${status}`);
        if (/syntax error|pg_|relation "|SQLSTATE/.test(text)) told("tells of the database");
        // The strings sleep for five seconds where they run.
        if (tookMs > onThisMachine(4000)) told(`took ${Math.round(tookMs)} ms`);
        if (status === 200) answered += 1;
        if (status !== 400 && (status !== neutral.status || total !== neutral.total))
          told(`${status} with ${total} rows, another text ${neutral.status} with ${neutral.total}`);
      }
    }
    expect(faults).toEqual([]);
    expect(answered).toBeGreaterThan((pairs.length * each) / 4);
    expect(changedBy(await takeChanges(pool))).toEqual([]);
  }, 1_800_000);
});

describe("T34: pages, ranges and patterns without an end", () => {
  const paged = lists.filter(([, { query }]) => "size" in propertiesOf(query));

  test.each(oneOfEachKind(paged))("%s: a page too large or too far is refused", async (...operation) => {
    const [, endpoint] = operation;
    const token = await readerOf(operation);
    for (const beyond of [{ size: "1000000000" }, { size: "501" }, { size: "-1" }, { current: "1000000000" }]) {
      const { status } = await read(endpoint.path, { ...requiredOf(endpoint), ...beyond }, token);
      expect(status, JSON.stringify(beyond)).toBe(400);
    }
    // The farthest page that may be asked for, of the largest size.
    const far = await read(endpoint.path, { ...requiredOf(endpoint), current: "1000000", size: "500" }, token);
    expect([200, 404]).toContain(far.status);
    expect(far.rows).toEqual([]);
    expect(far.tookMs).toBeLessThan(onThisMachine(3000));
  });

  test("every number that says how much is read has a largest value", () => {
    const unbounded = operations.flatMap(([name, endpoint]) =>
      parametersOf(endpoint)
        .filter(([parameter, { type, maximum }]) => {
          const counts = /^(size|current|limit|count|points|days|months|hours|buckets|maxPoints)$/i.test(parameter);
          return counts && (type === "integer" || type === "number") && maximum === undefined;
        })
        .map(([parameter]) => `${name}.${parameter}`),
    );
    expect(unbounded).toEqual([]);
  });

  const ends = (endpoint: Endpoint) => {
    const names = parametersOf(endpoint).map(([name]) => name);
    const begin = names.find((name) => /^(from|begin|start)|_(date)?ge$/i.test(name));
    const end = names.find((name) => /^(to|end)$|^end|_(date)?le$/i.test(name));
    return begin === undefined || end === undefined ? undefined : ([begin, end] as const);
  };
  const ranges = oneOfEachKind(
    operations.filter(([, { method, form }]) => method === "GET" && form === "envelope"),
  ).filter(([, endpoint]) => ends(endpoint) !== undefined);
  test.each(ranges)("%s: 130 years are refused or answered in bounds", async (...operation) => {
    const [, endpoint] = operation;
    const { rows } = await app.test.database.pool.query<{ id: string }>(
      "select id::text from devices order by id limit 1",
    );
    const base = requiredOf(endpoint);
    for (const name of ["deviceId", "id"]) if (name in base) base[name] = rows[0]?.id ?? "";
    const [begin = "", end = ""] = ends(endpoint) ?? [];
    const token = await readerOf(operation);
    const forms = [
      ["0", "4102444800000"],
      ["1970-01-01", "2099-12-31"],
      ["1970-01-01 00:00:00", "2099-12-31 23:59:59"],
      ["1970-01", "2099-12"],
    ];
    for (const [first = "", last = ""] of forms) {
      const { status, text, tookMs } = await read(endpoint.path, { ...base, [begin]: first, [end]: last }, token);
      expect(status, text.slice(0, 200)).toBeLessThan(500);
      expect(text.length).toBeLessThan(4_000_000);
      expect(tookMs).toBeLessThan(onThisMachine(4000));
    }
  });

  /** Every pattern that a value of a caller is held against. */
  function patternsIn(schema: unknown, found = new Set<string>()): Set<string> {
    if (typeof schema !== "object" || schema === null) return found;
    if ("pattern" in schema && typeof schema.pattern === "string") found.add(schema.pattern);
    for (const inner of Object.values(schema)) patternsIn(inner, found);
    return found;
  }
  test("no pattern of the contract takes long for any text", () => {
    const patterns = new Set<string>();
    for (const [, { query, body }] of operations) {
      patternsIn(query, patterns);
      patternsIn(body, patterns);
    }
    expect(patterns.size).toBeGreaterThan(20);
    const pieces = ["a", "0", "1,", "a.", "-", " ", "\t", "a-", "/a", "a@", "猪", "0-", "ab ", ".a/", "%41", "A1"];
    for (const pattern of patterns) {
      const expression = new RegExp(pattern, "u");
      for (const piece of pieces) {
        for (const end of ["", "!", "\n"]) {
          const text = piece.repeat(Math.ceil(5000 / piece.length)) + end;
          const begun = performance.now();
          expression.test(text);
          expect(performance.now() - begun, `${pattern} with ${piece}`).toBeLessThan(onThisMachine(500));
        }
      }
    }
  });
});
