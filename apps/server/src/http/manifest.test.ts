import { type Endpoint, endpoints, permission, publicAccess, signedIn } from "@herdwise/contract";
import Fastify from "fastify";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { memoryStore } from "../providers/store.ts";
import { manifestFaults } from "./manifest.ts";
import { writePersonal } from "./personal.ts";
import { createRouter } from "./router.ts";

const declared: Endpoint = {
  method: "GET",
  path: "/api/muyuan-x/y",
  summary: "",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({}),
  body: Type.Object({}),
  reply: Type.Object({ id: Type.String() }),
};
const withPhone = Type.Object({ rows: Type.Array(Type.Object({ phone: Type.String() })) });

test("every operation of the contract is declared without faults", () => {
  for (const [name, endpoint] of Object.entries(endpoints)) expect(manifestFaults(endpoint), name).toEqual([]);
});

test.each<[string, Partial<Endpoint>, string]>([
  ["a tenant's rows for everybody", { access: publicAccess, owner: "tenant" }, "rows of a tenant need a session"],
  ["all rows for every session", { owner: "group" }, "rows of the whole installation need a permission"],
  ["rows by a name", { owner: "named" }, "by the session, not by a name"],
  [
    "a personal field that is not declared, deep inside",
    { reply: withPhone },
    "the personal field phone is undeclared",
  ],
  ["a declared field that is not there", { personal: { phone: "mask-phone" } }, "the reply has no field phone"],
  [
    "what is nobody's own",
    { access: permission("x"), owner: "group", reply: withPhone, personal: { phone: "own" } },
    "phone is nobody's own here",
  ],
  ["what no permission grants", { reply: withPhone, personal: { phone: "granted" } }, "no permission grants phone"],
  ["an invented field of a person", { reply: withPhone, personal: { phone: "invented" } }, "phone is not invented"],
])("%s stops the start", (_case, change, fault) => {
  const endpoint = { ...declared, ...change };
  expect(manifestFaults(declared)).toEqual([]);
  const router = createRouter(Fastify(), {
    authenticateToken: async () => undefined,
    authenticate: async () => undefined,
    forgetSessions: () => undefined,
    requireConfirmed: async () => undefined,
    store: memoryStore(),
    stopping: new AbortController().signal,
    publicUrl: "http://localhost:8080",
  });
  expect(() => router.on(endpoint, async () => ({}))).toThrow(fault);
});

test.each([
  ["mask-phone", "13800000001", "138****0001"],
  ["mask-phone", "110", "****"],
  ["mask-phone", ["13800000001"], ["138****0001"]],
  ["mask-email", "zhang@example.cn", "z***@example.cn"],
  ["mask-address", "203.0.113.77", "203.0.113.*"],
  ["mask-address", "::ffff:203.0.113.77", "203.0.113.*"],
  ["mask-address", "2001:db8:1:2::5", "2001:db8:1:*"],
  ["mask-name", "周建平", "周**"],
  ["mask-name", "", ""],
  ["own", "周建平", "周建平"],
] as const)("%s writes %j as %j, and leaves that as it is", (rule, held, written) => {
  expect(writePersonal(rule, held)).toEqual(written);
  expect(writePersonal(rule, written)).toEqual(written);
});
