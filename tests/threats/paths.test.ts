import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic } from "../harness/session.ts";
import { isInTurn } from "../harness/volume.ts";
import { bodyOf, oneOfEachKind, privateOperations, queryOf } from "./operations.ts";
import { exchange, requestText } from "./raw-socket.ts";

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await createTestApp();
  await app.http.listen({ port: 0, host: "127.0.0.1" });
  const address = app.http.server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => app.close());

/** The ways to write a path that have opened doors elsewhere: a public marker inside, dots, case, slashes, encodings. */
const forms: Record<string, (path: string) => string> = {
  "as it is": (path) => path,
  "matrix parameter": (path) => `${path};/skip-secure/x`,
  "matrix parameter inside": (path) => path.replace(/\/([^/]+)$/, ";skip-secure=1/$1"),
  "public marker behind": (path) => `${path}/skip-secure/`,
  "public marker, then back": (path) => path.replace(/\/([^/]+)$/, "/skip-secure/../$1"),
  "public marker, then back, encoded": (path) => path.replace(/\/([^/]+)$/, "/skip-secure/%2e%2e/$1"),
  "public marker, then back, encoded twice": (path) => path.replace(/\/([^/]+)$/, "/skip-secure/%252e%252e/$1"),
  "slash encoded": (path) => path.replace(/\/([^/]+)$/, "%2f$1"),
  "double slash inside": (path) => path.replace(/\/([^/]+)$/, "//$1"),
  "double slash in front": (path) => `/${path}`,
  "upper case": (path) => path.toUpperCase(),
  "slash behind": (path) => `${path}/`,
  "dot inside": (path) => path.replace(/\/([^/]+)$/, "/./$1"),
  "letter encoded": (path) => path.replace("api", "%61pi"),
  "space behind": (path) => `${path}%20`,
  "null behind": (path) => `${path}%00`,
  backslashes: (path) => path.replace(/\//g, "\\"),
  "public marker in the query": (path) => `${path}?skip-secure&/skip-secure/`,
  "file ending": (path) => `${path}.css`,
  "absolute form": (path) => `http://x${path}`,
  "absolute form of another host": (path) => `https://skip-secure${path}`,
};

const withQuery = (target: string, query: Record<string, string>): string =>
  `${target}${target.includes("?") ? "&" : "?"}${new URLSearchParams(query)}`;

test("there are at least the 16 forms of the catalogue", () => {
  expect(Object.keys(forms).length).toBeGreaterThanOrEqual(16);
});

test("with a session the same bytes are answered", async () => {
  const headers = { Authorization: basic, "Muyuan-Auth": `bearer ${await app.logIn("farm")}` };
  const answer = await exchange(port, requestText("GET", "/api/muyuan-system/user/info", headers));
  expect(answer).toContain('"success":true');
});

/** Of each operation as it is and in each run a third of the others: one router reads them all. */
const formsFor = (at: number) =>
  Object.entries(forms).filter(([name], index) => name === "as it is" || isInTurn(at + index, 3));

describe.each(oneOfEachKind(privateOperations).map(([name, endpoint], at) => [name, endpoint, at] as const))(
  "T01: %s",
  (_name, endpoint, at) => {
    test.each(endpoint.aliases === undefined ? [endpoint.path] : [endpoint.path, ...endpoint.aliases])(
      "no form of %s opens it without a session",
      async (path) => {
        const body = endpoint.method === "GET" ? "" : JSON.stringify(bodyOf(endpoint) ?? {});
        for (const [name, form] of formsFor(at)) {
          for (const method of new Set([endpoint.method, "GET", "HEAD"])) {
            const target = withQuery(form(path), queryOf(endpoint));
            const answer = await exchange(
              port,
              requestText(method, target, { Authorization: basic }, method === endpoint.method ? body : ""),
            );
            expect(answer, `${name}, ${method}`).toMatch(/^HTTP\/1\.1 (400|401|404|405|414|415) /);
            expect(answer, `${name}, ${method}`).not.toMatch(/"success":true|^event: /m);
          }
        }
      },
    );
  },
);
