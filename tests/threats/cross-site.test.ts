import { oauth2Paths } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";
import { isInTurn } from "../harness/volume.ts";
import { oneOfEachKind, operations, privateOperations, queryOf, writes } from "./operations.ts";

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await createTestApp({ PUBLIC_URL: "https://portal.example" });
  token = await app.logIn("admin");
});
afterAll(() => app.close());

/** Origins that a careless comparison lets through, the own one among them: pages of the portal need no CORS. */
const origins = [
  "null",
  "https://portal.example",
  "http://portal.example",
  "https://portal.example:8443",
  "https://portal.example.evil.example",
  "https://evil.example",
  "https://evilportal.example",
  "https://portal.example@evil.example",
  "https://evil.example/portal.example",
  "https://evil.example#portal.example",
  "https://evil.example?portal.example",
  "https://sub.portal.example",
  "https://PORTAL.EXAMPLE",
  "https://portal.example.",
  "https://portal.example%00.evil.example",
  "https://portal.example%60.evil.example",
  "https://portal_example",
  "https://portalaexample",
  "http://localhost",
  "http://localhost:8080",
  "http://127.0.0.1",
  "http://[::1]:8080",
  "http://0.0.0.0",
  "file://",
  "data:text/html,x",
  "chrome-extension://abcdefghijklmnop",
  "capacitor://localhost",
  "https://xn--portal-0ta.example",
  "//portal.example",
  "*",
  "",
];

describe("T20: other sites", () => {
  test(`no operation echoes any of ${origins.length} origins, nor allows one`, async () => {
    expect(origins.length).toBeGreaterThanOrEqual(30);
    // An attacker's page would ask with each; each operation is asked with a quarter of them in each run, by one of both ways.
    for (const [at, [, endpoint]] of oneOfEachKind(operations).entries()) {
      if (endpoint.form === "stream") continue;
      for (const [index, origin] of origins.entries()) {
        if (!isInTurn(at + index, 4)) continue;
        await app.pass(61);
        const preflight = Math.floor((at + index) / 4) % 2 === 0;
        const answer = await app.http.inject({
          method: preflight ? "OPTIONS" : endpoint.method,
          url: endpoint.path,
          headers: {
            origin,
            "access-control-request-method": endpoint.method,
            "access-control-request-headers": "muyuan-auth",
          },
          ...(!preflight && endpoint.method !== "GET" && { payload: {} }),
        });
        const about = `${endpoint.path} ${origin}`;
        const allowing = Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"));
        expect(allowing, about).toEqual([]);
        if (preflight) expect(answer.statusCode, about).toBe(405);
      }
    }
  });

  test.each(oneOfEachKind(writes))("%s takes nothing that a form of another site can send", async (_name, endpoint) => {
    // An upload is sent as multipart; what keeps forms of other sites out there is the header that they can't set, see below.
    const multipart = endpoint.upload ? [] : ["multipart/form-data; boundary=x"];
    for (const type of ["text/plain", "text/plain;charset=UTF-8", ...multipart, "application/json5"]) {
      await app.pass(61);
      const answer = await app.http.inject({
        method: endpoint.method,
        url: endpoint.path,
        query: queryOf(endpoint),
        headers: { "content-type": type, "muyuan-auth": `bearer ${token}` },
        payload: '{"a":1}',
      });
      expect([answer.statusCode, answer.json().msg], type).toEqual([415, "不支持当前媒体类型"]);
    }
  });

  test.each(oneOfEachKind(privateOperations))("%s: cookies alone are nobody", async (_name, endpoint) => {
    const names = [
      "Muyuan-Auth",
      "access_token",
      "token",
      "session",
      "Authorization",
      "herdwise_device",
      "herdwise_qr",
    ];
    const answer = await app.http.inject({
      method: endpoint.method,
      url: endpoint.path,
      query: queryOf(endpoint),
      headers: { cookie: names.map((name) => `${name}=bearer ${token}; ${name}=${token}`).join("; ") },
      ...(endpoint.method !== "GET" && { payload: {} }),
    });
    expect(answer.statusCode).toBe(401);
  });

  /** Each answer that sets cookies, by what it is for. */
  const settingCookies = async (of: TestApp) => {
    const registered = await of.call({
      method: "POST",
      path: "/api/muyuan-system/client/submit",
      token: await of.logIn("admin"),
      body: { name: "x", webServerRedirectUri: "https://app.example/cb", scope: "openid" },
    });
    const { clientId } = registered.body.data as { clientId: string };
    const authorizing = {
      client_id: clientId,
      response_type: "code",
      scope: "openid",
      redirect_uri: "https://app.example/cb",
      code_challenge: "x".repeat(43),
      code_challenge_method: "S256",
    };
    return {
      "QR code": await of.http.inject({ url: "/api/muyuan-auth/oauth/skip-secure/qrcode/generate" }),
      "log-in": await of.call({
        method: "POST",
        path: "/api/muyuan-auth/oauth/token",
        query: { grant_type: "password", username: "farm", password: md5(demoPassword) },
      }),
      application: await of.http.inject({ url: oauth2Paths.authorize, query: authorizing }),
    };
  };
  const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
    [headers["set-cookie"] ?? []].flat() as string[];

  test("cookies that are set are out of reach for scripts and other sites, and for whoever reads along", async () => {
    const answers = Object.entries(await settingCookies(app));
    for (const [name, answer] of answers) {
      expect(cookiesOf(answer).length, name).toBeGreaterThan(0);
      for (const cookie of cookiesOf(answer)) {
        // The tests' server stands behind a proxy that is not trusted: the connection itself has no TLS.
        expect(cookie.toLowerCase(), name).toMatch(/; path=\/(api)?/);
        for (const attribute of ["; httponly", "; samesite=lax", "; secure"])
          expect(cookie.toLowerCase(), name).toContain(attribute);
      }
    }
  });

  test("without TLS cookies can't ask for it", async () => {
    const plain = await createTestApp({ PUBLIC_URL: "http://farm.example" });
    try {
      for (const [name, answer] of Object.entries(await settingCookies(plain)))
        for (const cookie of cookiesOf(answer)) expect(cookie.toLowerCase(), name).not.toContain("secure");
    } finally {
      await plain.close();
    }
  });

  const answersOf = async (of: TestApp) => [
    await of.http.inject({ url: "/healthz" }),
    await of.http.inject({ url: "/" }),
    await of.http.inject({ url: "/api/muyuan-system/user/info" }),
    await of.http.inject({ url: "/api/nothing/there" }),
    await of.http.inject({ url: oauth2Paths.discovery }),
    await of.http.inject({ url: oauth2Paths.authorize }),
  ];

  test("every kind of answer tells browsers to come by TLS alone, to frame nothing and to guess no types", async () => {
    for (const { headers } of await answersOf(app))
      expect(headers).toMatchObject({
        "strict-transport-security": "max-age=31536000",
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
      });
  });

  test.each(["http://farm.example", "http://localhost:8080", "https://localhost:8443", "https://127.0.0.1:8443"])(
    "but not by TLS at %s",
    async (publicUrl) => {
      const other = await createTestApp({ PUBLIC_URL: publicUrl });
      try {
        for (const { headers } of await answersOf(other)) expect(headers["strict-transport-security"]).toBeUndefined();
      } finally {
        await other.close();
      }
    },
  );

  test("the authorization server allows no origin either, and a consent begins in one browser", async () => {
    for (const origin of origins) {
      const answer = await app.http.inject({ url: oauth2Paths.authorize, headers: { origin } });
      const allowing = Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"));
      expect(allowing, origin).toEqual([]);
    }
    const cookies = (await settingCookies(app)).application;
    const page = new URL(String(cookies.headers.location), "https://portal.example");
    // Who comes without the cookie of the browser that the application sent gets nothing, even signed in.
    const foreign = await app.call({
      path: "/api/muyuan-auth/oauth2/authorize-info",
      query: { authorizeKey: page.searchParams.get("authorizeKey") ?? "" },
      token,
    });
    expect(foreign.body).toMatchObject({ data: { reason: "authorization.unknown" } });
  });
});
