import { describe, expect, it } from "vitest";
import { redirectQuery, redirectTarget } from "./redirect.ts";

const origin = "https://herdwise.example";
const target = (text: string | null): string | undefined => redirectTarget(text, origin);

/** What would lead a person who has just logged in to another place, in the ways that have worked elsewhere. */
const elsewhere = [
  "https://evil.example/",
  "http://evil.example",
  "HTTPS://EVIL.EXAMPLE",
  "https:evil.example",
  "https:/evil.example",
  "https:\\evil.example",
  "ftp://evil.example",
  "//evil.example",
  "///evil.example",
  "////evil.example",
  "//evil.example/%2e%2e",
  "//evil.example@herdwise.example",
  "//herdwise.example@evil.example/",
  "//herdwise.example.evil.example",
  "//evil.example:443",
  "//[::1]",
  "//0x7f000001",
  "//evil%E3%80%82example",
  "//evil。example",
  "/\\evil.example",
  "\\/evil.example",
  "\\\\evil.example",
  "/\\/evil.example",
  "/\\\\evil.example",
  "/a\\..\\..\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r/evil.example",
  "/\r\n/evil.example",
  "\t//evil.example",
  "/\u0000/evil.example",
  "/\u0009\u000a/evil.example",
  "/a/..//evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/././/evil.example",
  "/%2e%2e//evil.example",
  "/%2e//evil.example",
  "/a/%2E%2E//evil.example",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  " javascript:alert(1)",
  "javascript://herdwise.example/%0aalert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "blob:https://herdwise.example/x",
  "file:///etc/passwd",
  "about:blank",
  "view-source:https://herdwise.example",
  "mailto:a@evil.example",
  "intent://evil.example#Intent;scheme=https;end",
  "selfCenter/home",
  " /selfCenter/home",
  "?next=//evil.example",
  "#//evil.example",
  "@evil.example",
  ".evil.example",
  "/login",
  "/login?redirect=/login",
  "/login/",
  "/LOGIN",
  "/%6cogin",
  "/x/../login",
  "/register",
  "",
  '{"name":"nobody_knows"}',
  '{"name":"__proto__"}',
  '{"name":"constructor"}',
  '{"name":"//evil.example"}',
  '{"name":["self_home"]}',
  '{"path":"https://evil.example"}',
  '{"path":"/selfCenter/home"}',
  '{"url":"https://evil.example","name":null}',
  "{not json",
  "[]",
  '["self_home"]',
];

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

  it.each(elsewhere)("T22: refuses %j", (text) => {
    expect(target(text)).toBeUndefined();
  });

  it("T22: tries 60 at least", () => {
    expect(elsewhere.length).toBeGreaterThanOrEqual(60);
  });

  it.each([
    '{"name":"self_home","query":{"next":"https://evil.example"}}',
    '{"name":"self_home","query":{"/":"//evil.example"}}',
    '{"name":"self_home","params":{"path":"//evil.example"},"path":"//evil.example"}',
    "/selfCenter/home?next=https://evil.example",
    "/selfCenter/home#https://evil.example",
    "/https://evil.example",
    "/evil.example",
    "/%2f%2fevil.example",
    "/%5cevil.example",
    "/%09/evil.example",
  ])("T22: %j stays inside", (text) => {
    const path = target(text) ?? "";
    expect(new URL(path, origin).origin).toBe(origin);
    expect(path).toMatch(/^\/(?![/\\])/);
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
