import { randomBytes } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, expect, test } from "vitest";
import type { KnownDevice } from "../devices/index.ts";
import { createKnownTokens, failuresPerMinute } from "./known-tokens.ts";

const device: KnownDevice = {
  id: "1",
  tenantId: "900001",
  kind: "environment",
  serialNumber: "T-1",
  tokenHash: Buffer.from("good"),
  isGateway: false,
  mayCreateChildren: false,
};
let at: number;
let asked: string[];
let tokens: ReturnType<typeof createKnownTokens>;
beforeEach(() => {
  at = 0;
  asked = [];
  tokens = createKnownTokens(
    {
      byAccessToken: async (token) => {
        asked.push(token);
        return token === "good" ? device : undefined;
      },
      activate: async () => undefined,
      byLogin: async () => undefined,
    },
    () => at,
  );
});

test("what is too long to be a token, or none, is not looked for", async () => {
  expect(await tokens.find("x".repeat(64 * 1024), undefined)).toBeUndefined();
  expect(await tokens.find("x".repeat(129), undefined)).toBeUndefined();
  expect(await tokens.find("", undefined)).toBeUndefined();
  expect(asked).toEqual([]);
  await tokens.find("x".repeat(128), undefined);
  expect(asked).toHaveLength(1);
});

test("of unknown tokens few are remembered, and a device that is known stays so through a flood of them", async () => {
  expect(await tokens.find("good", undefined)).toBe(device);
  await tokens.find("first", undefined);
  for (let one = 0; one < 60_000; one += 1) await tokens.find(`unknown-${one}`, undefined);
  asked.length = 0;
  expect(await tokens.find("good", undefined)).toBe(device);
  await tokens.find("unknown-59999", undefined);
  expect(asked).toEqual([]);
  await tokens.find("first", undefined);
  expect(asked).toEqual(["first"]);
});

test("100,000 unknown tokens of full length leave no more than 5 MB behind", async () => {
  setFlagsFromString("--expose-gc");
  const gc: () => void = runInNewContext("gc");
  gc();
  const before = process.memoryUsage().heapUsed;
  for (let one = 0; one < 100_000; one += 1) {
    asked.length = 0;
    await tokens.find(randomBytes(64).toString("hex"), `10.${(one >> 16) & 255}.${(one >> 8) & 255}.${one & 255}`);
  }
  gc();
  expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(5);
});

test("one address may name so many unknown tokens a minute; known devices behind it, and other addresses, pass", async () => {
  expect(await tokens.find("good", "192.0.2.1")).toBe(device);
  for (let one = 0; one < failuresPerMinute; one += 1) await tokens.find(`a-${one}`, "192.0.2.1");
  asked.length = 0;
  await tokens.find("b", "192.0.2.1");
  expect(asked).toEqual([]);
  // A known token is looked up again after its time.
  at = 10_001;
  expect(await tokens.find("good", "192.0.2.1")).toBe(device);
  await tokens.find("b", "192.0.2.2");
  await tokens.find("c", undefined);
  expect(asked).toEqual(["good", "b", "c"]);
  at = 60_001;
  await tokens.find("d", "192.0.2.1");
  expect(asked).toEqual(["good", "b", "c", "d"]);
});

test("the addresses of one IPv6 network are one", async () => {
  for (let one = 0; one < failuresPerMinute; one += 1) await tokens.find(`a-${one}`, `2001:db8::${one.toString(16)}`);
  asked.length = 0;
  await tokens.find("b", "2001:db8::ffff:1");
  expect(asked).toEqual([]);
  await tokens.find("b", "2001:db8:0:1::1");
  expect(asked).toEqual(["b"]);
});
