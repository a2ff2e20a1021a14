import { type Endpoint, endpoints } from "@herdwise/contract";
import Fastify from "fastify";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { lazyValidators, validators } from "./validators.ts";

test("the check of every operation compiles", () => {
  const compile = validators({});
  for (const [name, { query, body }] of Object.entries(endpoints) as [string, Endpoint][]) {
    for (const schema of [query, body]) {
      expect(compile({ schema } as never), name).toBeTypeOf("function");
    }
  }
});

test("what is no schema is told", () => {
  expect(() => validators({})({ schema: { type: "nothing" } } as never)).toThrow("schema is invalid");
});

test("a check that is compiled late reads and refuses like one that was compiled at once, each time", async () => {
  const app = Fastify({ schemaController: { compilersFactory: { buildValidator: lazyValidators } } });
  const querystring = Type.Object({ size: Type.Integer({ maximum: 500, default: 10 }) });
  app.get("/", { schema: { querystring } }, async ({ query }) => query);
  for (let time = 0; time < 2; time += 1) {
    expect((await app.inject("/?size=20")).json()).toEqual({ size: 20 });
    expect((await app.inject("/")).json()).toEqual({ size: 10 });
    const refused = await app.inject("/?size=501");
    expect(refused.statusCode).toBe(400);
    expect(refused.json().message).toBe("querystring/size must be <= 500");
  }
  await app.close();
});
