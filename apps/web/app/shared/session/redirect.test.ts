import { describe, expect, it } from "vitest";
import { redirectQuery, redirectTarget } from "./redirect.ts";

const origin = "https://herdwise.example";
const target = (text: string | null): string | undefined => redirectTarget(text, origin);

describe("redirect after log-in", () => {
  it("keeps places inside the site", () => {
    expect(target("/selfCenter/home")).toBe("/selfCenter/home");
    expect(target("/selfCenter/vet/environment/unit?id=5#chart")).toBe("/selfCenter/vet/environment/unit?id=5#chart");
  });

  it("reads a route name with its query", () => {
    expect(target('{"name":"env_unit","query":{"id":"1800000000000000023"}}')).toBe(
      "/selfCenter/vet/environment/unit?id=1800000000000000023",
    );
    expect(target('{"name":"self_home"}')).toBe("/selfCenter/home");
  });

  it("writes what it reads", () => {
    const written = redirectQuery("/selfCenter/vet/environment/unit", "?id=7&view=a%20b");
    expect(JSON.parse(written)).toEqual({ name: "env_unit", query: { id: "7", view: "a b" } });
    expect(target(written)).toBe("/selfCenter/vet/environment/unit?id=7&view=a+b");
    expect(redirectQuery("/elsewhere", "?a=1")).toBe("/elsewhere?a=1");
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/a/..//evil.example",
    "/.//evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "selfCenter/home",
    " /selfCenter/home",
    "/login",
    "/login?redirect=/login",
    "",
    '{"name":"nobody_knows"}',
    '{"name":"__proto__"}',
    "{not json",
    "[]",
  ])("refuses %j", (text) => {
    expect(target(text)).toBeUndefined();
  });

  it("has nothing without a query", () => {
    expect(target(null)).toBeUndefined();
  });
});

describe("pages outside the centre", () => {
  it("are come back to with their whole address, so that a scanned code or a consent goes on", () => {
    const query = redirectQuery("/scan", "?qrcodeKey=a-B_9");
    expect(redirectTarget(query, "https://farm.test")).toBe("/scan?qrcodeKey=a-B_9");
    expect(redirectTarget(redirectQuery("/authorize", "?authorizeKey=x"), "https://farm.test")).toBe(
      "/authorize?authorizeKey=x",
    );
  });
  it("that end a session are never come back to", () => {
    expect(redirectTarget("/login?redirect=/x", "https://farm.test")).toBeUndefined();
    expect(redirectTarget("/register", "https://farm.test")).toBeUndefined();
  });
});
