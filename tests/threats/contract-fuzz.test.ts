import type { Endpoint } from "@herdwise/contract";
import { afterEach, expect, inject, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic, md5 } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";
import { bodyOf, missingId, operations, queryOf } from "./operations.ts";

const requests = volume({ short: 600, long: 20_000 });
/** A database of its own for so many: some of them remove accounts and roles. */
const requestsOfDatabase = 1000;
/** Limits of calls begin anew after so many. */
const requestsOfMinute = 200;
/** A request that is not answered within this time hangs. */
const hangMs = 20_000;
/** The same on each short run; HERDWISE_FUZZ_SEED repeats a long one. */
const seed = Number(
  process.env.HERDWISE_FUZZ_SEED ?? (inject("runLength") === "long" ? Math.floor(Math.random() * 2 ** 32) : 1),
);

const principals = ["nobody", "forged", "admin", "farm", "vet@100002", "vet@100003", "worker"] as const;
type Principal = (typeof principals)[number];
/** Who gets past most doors knocks most often. */
const callers: readonly Principal[] = [...principals, "admin", "admin", "admin", "admin", "farm", "farm"];

/** Mulberry32: small, quick and the same everywhere. */
function createRandom(from: number) {
  let state = from >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    chance: (share: number): boolean => next() < share,
    below: (end: number): number => Math.floor(next() * end),
    of: <Item>(list: readonly Item[]): Item => list[Math.floor(next() * list.length)] as Item,
  };
}
type Random = ReturnType<typeof createRandom>;

const hostile: readonly unknown[] = [
  ...["", " ", "a\u0000b", "\u0000", "\ud800", "\udfff\ud800", "\u202e\u200b\ufeff", "\uffff", "😀".repeat(50), "İıſK"],
  ...[
    "9".repeat(30),
    "-1",
    "1e5",
    "0x10",
    "1.5",
    "NaN",
    "Infinity",
    "9223372036854775808",
    "-9223372036854775809",
    "0",
  ],
  ...[
    "x".repeat(10_000),
    "猪".repeat(3000),
    ",".repeat(1000),
    "1,".repeat(600),
    "%",
    "_",
    "\\",
    "'",
    "';--",
    "$1",
    "{}",
  ],
  ...["0000-00-00 00:00:00", "9999-12-31 23:59:59", "2026-02-30 25:61:61", "2026-02-30", "10000-01-01", "2026-01-31"],
  ...[
    "../../etc/passwd",
    "upload/../../x.png",
    "javascript:alert(1)",
    "http://127.0.0.1:1/",
    "constructor",
    "__proto__",
  ],
  ...["toString", "true", "null", "undefined", "[object Object]", missingId, "(((", "[", "^(a+)+$", "a b", "a\r\nb: c"],
  ...[0, -0, -1, 1.5, 1e308, -1e308, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e-320, 999_999_999],
  ...[true, false, null, [], {}, [null], [[]], ["a", "b"], [{}], { $ne: 1 }, { length: 1e9 }, { a: { b: { c: [] } } }],
];
const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"] as const;
const types = ["text/plain", "application/xml", "application/json; charset=utf-16", "multipart/form-data", "x", ""];
const rawBodies = [
  ...["{", "[", "null", "1", '"text"', "[]", "{}x", '{"a":1,}', "\u0000", '{"a":1e999}', '{"a":"\\ud800"}'],
  ...['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"a":1}}}', '{"a":1,"a":2}', "[".repeat(50_000)],
  ...[`{"a":${"[".repeat(2000)}${"]".repeat(2000)}}`, `{"ids":"${"1,".repeat(200_000)}"}`, '{"ids":"\\u0000"}'],
];
const headers: readonly [name: string, value: string][] = [
  ["authorization", "Basic ////"],
  ["authorization", `Basic ${Buffer.from(":").toString("base64")}`],
  ["muyuan-auth", "bearer "],
  ["muyuan-auth", `bearer ${"x".repeat(5000)}`],
  ["tenant-id", "\u00ff"],
  ["captcha-key", "x".repeat(2000)],
  ["captcha-code", "__proto__"],
  ["cookie", "a=%; =; herdwise=%00"],
  ["accept-language", "zz-".repeat(500)],
  ["range", "bytes=9-1"],
  ["x-forwarded-for", "::%0"],
  ["content-length", "7"],
];

interface Shot {
  name: string;
  principal: Principal;
  method: (typeof methods)[number];
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

type Fields = Record<string, unknown>;

/** Puts a hostile value somewhere into a body, also within its lists and objects. */
function spoil(random: Random, fields: Fields): void {
  const names = Object.keys(fields);
  const name = names.length === 0 || random.chance(0.1) ? random.of(["extra", "tenantId", "id"]) : random.of(names);
  const held = fields[name];
  if (typeof held === "object" && held !== null && random.chance(0.5)) spoil(random, held as Fields);
  else if (random.chance(0.1)) delete fields[name];
  // A copy: a value that stands in itself has no form on the wire.
  else fields[name] = structuredClone(random.of(hostile));
}

function shotOf(random: Random, name: string, endpoint: Endpoint): Shot {
  const query = Object.entries(queryOf(endpoint)).map(([field, value]) => [field, value] as [string, string]);
  const body = bodyOf(endpoint) as Fields | undefined;
  // Half of the optional ones are left out, as forms do.
  for (let at = query.length - 1; at >= 0; at -= 1) if (random.chance(0.3)) query.splice(at, 1);
  for (const field of Object.keys(body ?? {})) if (random.chance(0.2)) delete body?.[field];
  for (let times = random.below(4); times > 0; times -= 1) {
    const field = query.length > 0 ? random.of(query) : undefined;
    if (body !== undefined && random.chance(0.7)) spoil(random, body);
    else if (field === undefined || random.chance(0.1))
      query.push([random.of(["__proto__", "size", "ids", "a[b]"]), "1"]);
    else if (random.chance(0.2)) query.push([field[0], String(random.of(hostile))]);
    else field[1] = String(random.of(hostile));
  }
  const text = query
    // Lone surrogates have no form in an address.
    .map(([field, value]) => `${encodeURIComponent(field)}=${encodeURIComponent(value.toWellFormed())}`)
    .join("&");
  const url = `${random.of([endpoint.path, ...(endpoint.aliases ?? [])])}${text === "" ? "" : `?${text}`}`;
  const odd = random.chance(0.15) ? Object.fromEntries([random.of(headers)]) : {};
  const method = random.chance(0.04) ? random.of(methods) : endpoint.method;
  const raw = random.chance(0.08) ? random.of(rawBodies) : undefined;
  const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
  return {
    name,
    principal: random.of(callers),
    method,
    url,
    headers: {
      authorization: basic,
      ...(hasBody && { "content-type": random.chance(0.05) ? random.of(types) : "application/json" }),
      ...odd,
    },
    ...(hasBody && { payload: raw ?? JSON.stringify(body) }),
  };
}

/** What is wrong with an answer; empty when nothing is. */
function faultOf(endpoint: Endpoint, shot: Shot, status: number, type: string, text: string): string {
  if (status >= 500) return `${status}: ${text.slice(0, 300)}`;
  if (/\n\s+at [^\n]+:\d+|node_modules|\.ts:\d+/.test(text)) return `a stack: ${text.slice(0, 300)}`;
  if (shot.method === "HEAD" || shot.method === "OPTIONS" || (status < 400 && !type.includes("json"))) return "";
  let answer: { code?: unknown; msg?: unknown; error?: unknown };
  try {
    answer = JSON.parse(text);
  } catch {
    return `${status} without JSON: ${text.slice(0, 300)}`;
  }
  if (status < 400) return endpoint.form === undefined && typeof answer.code !== "number" ? "no envelope" : "";
  const isEnvelope = answer.code === status && typeof answer.msg === "string" && answer.msg !== "";
  return isEnvelope || typeof answer.error === "string" ? "" : `${status} without its envelope: ${text.slice(0, 300)}`;
}

let app: TestApp | undefined;
afterEach(() => app?.close());

async function enter(on: TestApp, principal: Principal): Promise<string> {
  if (principal === "nobody") return "";
  if (principal === "forged") return "A".repeat(43);
  const [username = "", tenantId] = principal.split("@");
  const { body } = await on.token(
    { grant_type: "captcha", username, password: md5(demoPassword), ...(tenantId && { tenantId }) },
    await on.captcha(),
  );
  // An account that a request before has removed stays away.
  return body.access_token ?? "";
}

test(`${requests} hostile requests over all operations: none is a fault, hangs, or tells of the server's inside (seed ${seed})`, async () => {
  const random = createRandom(seed);
  const faults: unknown[] = [];
  const statuses = new Map<number, number>();
  const calls = operations.filter(([, { form }]) => form !== "stream");
  let tokens = new Map<Principal, string>();
  for (let at = 0; at < requests && faults.length < 20; at += 1) {
    if (app === undefined || at % requestsOfDatabase === 0) {
      await app?.close();
      app = await createTestApp();
      tokens = new Map();
    }
    if (at % requestsOfMinute === 0) await app.pass(61);
    // Each operation in turn before any comes again.
    const [name, endpoint] = calls[at % calls.length] as (typeof calls)[number];
    const shot = shotOf(random, name, endpoint);
    let token = tokens.get(shot.principal);
    if (token === undefined) {
      token = await enter(app, shot.principal);
      tokens.set(shot.principal, token);
    }
    const loggedBefore = app.logged.length;
    let limit: NodeJS.Timeout | undefined;
    const answer = await Promise.race([
      app.http.inject({
        method: shot.method,
        url: shot.url,
        remoteAddress: `10.1.${(at >> 8) & 255}.${at & 255}`,
        headers: { ...(token !== "" && { "muyuan-auth": `bearer ${token}` }), ...shot.headers },
        ...(shot.payload !== undefined && { payload: shot.payload }),
      }),
      new Promise<undefined>((resolve) => {
        limit = setTimeout(resolve, hangMs, undefined);
      }),
    ]);
    clearTimeout(limit);
    const type = String(answer?.headers["content-type"] ?? "");
    const fault = answer === undefined ? "it hangs" : faultOf(endpoint, shot, answer.statusCode, type, answer.body);
    if (answer?.statusCode === 401 && token !== "") tokens.delete(shot.principal);
    statuses.set(answer?.statusCode ?? 0, (statuses.get(answer?.statusCode ?? 0) ?? 0) + 1);
    if (fault === "") continue;
    const said = app.logged.slice(loggedBefore).filter((line) => line.includes('"err"'));
    faults.push({ seed, at, fault, shot: JSON.stringify(shot).slice(0, 600), said: said.join("").slice(0, 900) });
  }
  const shares = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  console.log(`contract fuzz: seed ${seed}, ${requests} requests answered ${shares.join(", ")}`);
  expect(faults).toEqual([]);
  expect((await app?.http.inject({ url: "/healthz" }))?.statusCode).toBe(200);
  // Enough of it must get past the door for the test to be worth something; what asks for a row by its id finds none.
  expect(statuses.get(200) ?? 0).toBeGreaterThan(requests / 12);
}, 3_600_000);
