import type { AuthorizeInfo, Grant, OAuthClient, Page } from "@herdwise/contract";
import * as oidc from "openid-client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../../apps/server/src/free-port.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic } from "../harness/session.ts";

let app: TestApp;
let issuer: string;
let admin: string;
let farm: string;
const redirectUri = "http://localhost:9/callback";

const post = async <T>(path: string, token: string, body: unknown, cookie?: string) => {
  const answer = await app.http.inject({
    method: "POST",
    url: path,
    headers: { authorization: basic, "muyuan-auth": `bearer ${token}`, ...(cookie && { cookie }) },
    payload: body as object,
  });
  return { status: answer.statusCode, body: answer.json() as { code: number; msg: string; data: T } };
};

interface Registered {
  id: string;
  clientId: string;
  clientSecret: string;
}
const registerClient = async (change: Record<string, unknown> = {}) =>
  (
    await post<Registered>("/api/muyuan-system/client/submit", admin, {
      name: "饲料助手",
      webServerRedirectUri: redirectUri,
      scope: "openid,profile,tenant,offline_access",
      ...change,
    })
  ).body.data;

/** A browser's cookies, enough for one host. */
class Browser {
  readonly cookies = new Map<string, string>();
  async open(url: string | URL): Promise<Response> {
    const answer = await fetch(url, { redirect: "manual", headers: { cookie: this.header() } });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }
  header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }
}

/** Goes from the application's address to the one that it is answered at. */
async function consent(
  browser: Browser,
  url: URL,
  session: string,
  answer: { approved: boolean; scopes?: string[] },
): Promise<URL> {
  const first = await browser.open(url);
  expect(first.status).toBe(303);
  const page = new URL(first.headers.get("location") ?? "", issuer);
  expect(page.pathname).toBe("/authorize");
  const authorizeKey = page.searchParams.get("authorizeKey") ?? "";
  const approved = await post<{ location: string }>(
    "/api/muyuan-auth/oauth2/approve-location",
    session,
    { authorizeKey, ...answer },
    browser.header(),
  );
  expect(approved.status).toBe(200);
  const last = await browser.open(new URL(approved.body.data.location, issuer));
  return new URL(last.headers.get("location") ?? "", issuer);
}

async function authorize(
  configuration: oidc.Configuration,
  session = farm,
  scope = "openid profile tenant offline_access",
) {
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const back = await consent(new Browser(), url, session, { approved: true });
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  return { back, checks, tokens: () => oidc.authorizationCodeGrant(configuration, back, checks) };
}

const discover = async (client: Registered) =>
  oidc.discovery(
    new URL(issuer),
    client.clientId,
    undefined,
    client.clientSecret === "" ? oidc.None() : oidc.ClientSecretBasic(client.clientSecret),
    { execute: [oidc.allowInsecureRequests] },
  );

beforeAll(async () => {
  const port = await freePort();
  issuer = `http://localhost:${port}`;
  app = await createTestApp({ PUBLIC_URL: issuer });
  await app.http.listen({ port, host: "127.0.0.1" });
  admin = await app.logIn("admin");
  farm = await app.logIn("farm");
});
afterAll(() => app.close());

describe("a stock OpenID Connect client", () => {
  test.each([
    ["confidential", false],
    ["public", true],
  ])("%s: discovery, code with PKCE, tokens, userinfo, refresh, revocation", async (_kind, publicClient) => {
    const configuration = await discover(await registerClient({ publicClient }));
    expect(configuration.serverMetadata()).toMatchObject({
      issuer,
      code_challenge_methods_supported: ["S256"],
      response_types_supported: ["code"],
    });
    const { tokens } = await authorize(configuration);
    const granted = await tokens();
    const sub = granted.claims()?.sub ?? "";
    const info = await oidc.fetchUserInfo(configuration, granted.access_token, sub);
    expect(info).toMatchObject({ sub, name: "周建平", preferred_username: "farm", tenants: [{ tenantId: "100002" }] });

    const renewed = await oidc.refreshTokenGrant(configuration, granted.refresh_token ?? "");
    expect(renewed.access_token).not.toBe(granted.access_token);
    // A refresh token that was exchanged is stolen: its use ends all that came from it.
    await expect(oidc.refreshTokenGrant(configuration, granted.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });
    await expect(oidc.fetchUserInfo(configuration, renewed.access_token, sub)).rejects.toMatchObject({ status: 401 });

    const again = await (await authorize(configuration)).tokens();
    await oidc.tokenRevocation(configuration, again.access_token);
    await expect(oidc.fetchUserInfo(configuration, again.access_token, sub)).rejects.toMatchObject({ status: 401 });
  });

  test("only the scopes that the person left ticked are granted", async () => {
    const configuration = await discover(await registerClient());
    const verifier = oidc.randomPKCECodeVerifier();
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: "openid profile tenant",
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const back = await consent(new Browser(), url, farm, { approved: true, scopes: ["profile"] });
    const granted = await oidc.authorizationCodeGrant(configuration, back, { pkceCodeVerifier: verifier });
    const info = await oidc.fetchUserInfo(configuration, granted.access_token, granted.claims()?.sub ?? "");
    expect(info).toMatchObject({ name: "周建平" });
    expect(info).not.toHaveProperty("tenants");
  });

  test("a refusal goes back to the application", async () => {
    const configuration = await discover(await registerClient());
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: "openid",
      code_challenge: await oidc.calculatePKCECodeChallenge(oidc.randomPKCECodeVerifier()),
      code_challenge_method: "S256",
    });
    const back = await consent(new Browser(), url, farm, { approved: false });
    expect([back.origin + back.pathname, back.searchParams.get("error")]).toEqual([redirectUri, "access_denied"]);
  });
});

describe("T23: what RFC 9700 wants refused", () => {
  test("a code used twice gives nothing, and ends the tokens of its first use", async () => {
    const configuration = await discover(await registerClient());
    const { back, checks, tokens } = await authorize(configuration);
    const granted = await tokens();
    await expect(oidc.authorizationCodeGrant(configuration, back, checks)).rejects.toMatchObject({
      error: "invalid_grant",
    });
    await expect(
      oidc.fetchUserInfo(configuration, granted.access_token, granted.claims()?.sub ?? ""),
    ).rejects.toMatchObject({ status: 401 });
  });

  test("of 20 exchanges of one code at once at most one gets tokens", async () => {
    const configuration = await discover(await registerClient());
    const { back, checks } = await authorize(configuration);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => oidc.authorizationCodeGrant(configuration, back, checks)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(1);
  });

  test("a wrong verifier, a foreign client and a wrong secret are refused", async () => {
    const client = await registerClient();
    const other = await registerClient();
    const configuration = await discover(client);
    const one = await authorize(configuration);
    await expect(
      oidc.authorizationCodeGrant(configuration, one.back, {
        ...one.checks,
        pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
      }),
    ).rejects.toMatchObject({ error: "invalid_grant" });
    const two = await authorize(configuration);
    await expect(oidc.authorizationCodeGrant(await discover(other), two.back, two.checks)).rejects.toMatchObject({
      error: "invalid_grant",
    });
    const three = await authorize(configuration);
    const forged = await discover({ ...client, clientSecret: "x".repeat(43) });
    await expect(oidc.authorizationCodeGrant(forged, three.back, three.checks)).rejects.toMatchObject({ status: 401 });
  });

  const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  const good = {
    response_type: "code",
    redirect_uri: redirectUri,
    scope: "openid",
    code_challenge: challenge,
    code_challenge_method: "S256",
  };

  test.each([
    ["another port", "http://localhost:10/callback"],
    ["no port", "http://localhost/callback"],
    ["another scheme", "https://localhost:9/callback"],
    ["a longer path", "http://localhost:9/callback/x"],
    ["a shorter path", "http://localhost:9/"],
    ["a slash behind", "http://localhost:9/callback/"],
    ["two slashes", "http://localhost:9//callback"],
    ["dots", "http://localhost:9/x/../callback"],
    ["encoded dots", "http://localhost:9/x/%2e%2e/callback"],
    ["an encoded letter", "http://localhost:9/%63allback"],
    ["a query", "http://localhost:9/callback?x=1"],
    ["an empty query", "http://localhost:9/callback?"],
    ["a fragment", "http://localhost:9/callback#x"],
    ["another host", "http://evil.example/callback"],
    ["the number of the host", "http://127.0.0.1:9/callback"],
    ["a dot behind the host", "http://localhost.:9/callback"],
    ["a host in upper case", "http://LOCALHOST:9/callback"],
    ["an at sign", "http://localhost:9@evil.example/callback"],
    ["a name in front", "http://user@localhost:9/callback"],
    ["upper case", "http://localhost:9/CALLBACK"],
    ["a script", "javascript:alert(1)"],
    ["no host", "//evil.example/callback"],
    ["a space behind", "http://localhost:9/callback "],
    ["a line break", "http://localhost:9/callback\r\nSet-Cookie: x=1"],
  ])("a redirect address with %s: an error page, never a redirect", async (_case, uri) => {
    const { clientId } = await registerClient();
    const answer = await fetch(
      `${issuer}/api/muyuan-auth/oauth2/authorize?${new URLSearchParams({ ...good, client_id: clientId, redirect_uri: uri })}`,
      { redirect: "manual" },
    );
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  });

  test.each([
    ["no challenge", { code_challenge: "" }, "invalid_request"],
    ["a request without PKCE", { code_challenge: "", code_challenge_method: "" }, "invalid_request"],
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["a challenge without its method", { code_challenge_method: "" }, "invalid_request"],
    ["an unknown method", { code_challenge_method: "S512" }, "invalid_request"],
    ["a challenge that is too short", { code_challenge: "short" }, "invalid_request"],
    ["an implicit response", { response_type: "token" }, "unsupported_response_type"],
    ["a token in the address", { response_type: "id_token" }, "unsupported_response_type"],
    ["a hybrid response", { response_type: "code id_token" }, "unsupported_response_type"],
    ["no response type", { response_type: "" }, "invalid_request"],
    ["a request by reference", { request_uri: "https://evil.example/r" }, "request_uri_not_supported"],
    ["a request as a token", { request: "e30.e30." }, "request_not_supported"],
    ["a registration in the request", { registration: "{}" }, "registration_not_supported"],
    ["a log-in without the page", { prompt: "none" }, "login_required"],
  ])("%s is refused", async (_case, change, error) => {
    const { clientId } = await registerClient();
    const query = Object.fromEntries(
      Object.entries({ ...good, client_id: clientId, ...change }).filter(([, value]) => value !== ""),
    );
    const answer = await fetch(
      `${issuer}/api/muyuan-auth/oauth2/authorize?${new URLSearchParams(query as Record<string, string>)}`,
      { redirect: "manual" },
    );
    const location = answer.headers.get("location");
    const told = location === null ? await answer.text() : `${new URL(location).hash}${new URL(location).search}`;
    expect(told).toContain(error);
    expect(told).not.toContain("authorizeKey");
  });

  test("without PKCE no code is given, to applications with a secret and without one, whatever they send for it", async () => {
    for (const publicClient of [false, true]) {
      const { clientId } = await registerClient({ publicClient });
      const plain = { response_type: "code", redirect_uri: redirectUri, scope: "openid", client_id: clientId };
      for (const more of [{}, { nonce: "n", state: "s" }, { prompt: "consent" }, { code_verifier: "x".repeat(43) }]) {
        const query = new URLSearchParams({ ...plain, ...more } as Record<string, string>);
        const answer = await fetch(`${issuer}/api/muyuan-auth/oauth2/authorize?${query}`, { redirect: "manual" });
        const back = new URL(answer.headers.get("location") ?? "about:blank");
        expect([back.origin + back.pathname, back.searchParams.get("error")]).toEqual([redirectUri, "invalid_request"]);
      }
    }
  });

  describe("the token endpoint", () => {
    let client: Registered;
    let configuration: oidc.Configuration;
    beforeAll(async () => {
      client = await registerClient();
      configuration = await discover(client);
    });
    const secretOf = ({ clientId, clientSecret }: Registered) =>
      `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    const exchange = async (
      form: Record<string, string>,
      authorization = secretOf(client),
      type = "application/x-www-form-urlencoded",
    ) =>
      fetch(`${issuer}/api/muyuan-auth/oauth2/token`, {
        method: "POST",
        headers: { "content-type": type, ...(authorization && { authorization }) },
        body: new URLSearchParams(form).toString(),
      });
    /** A code that nobody has used. */
    const fresh = async () => {
      const { back, checks } = await authorize(configuration);
      return {
        grant_type: "authorization_code",
        code: back.searchParams.get("code") ?? "",
        redirect_uri: redirectUri,
        code_verifier: checks.pkceCodeVerifier,
      };
    };

    test("takes a fresh code with its verifier", async () => {
      expect((await exchange(await fresh())).status).toBe(200);
    });

    test.each<[string, (good: Record<string, string>) => Record<string, string>]>([
      ["no verifier", ({ code_verifier: _verifier, ...rest }) => rest],
      ["an empty verifier", (form) => ({ ...form, code_verifier: "" })],
      ["the challenge as verifier", (form) => ({ ...form, code_verifier: challenge })],
      ["a verifier of another request", (form) => ({ ...form, code_verifier: oidc.randomPKCECodeVerifier() })],
      ["another redirect address", (form) => ({ ...form, redirect_uri: "http://localhost:9/other" })],
      ["no code", ({ code: _code, ...rest }) => rest],
      ["a changed code", (form) => ({ ...form, code: `${form.code?.slice(0, -2)}xx` })],
      ["an authorizeKey as code", (form) => ({ ...form, code: "a".repeat(43) })],
      ["a password", (form) => ({ ...form, grant_type: "password", username: "farm", password: "x" })],
      ["the client's own account", (form) => ({ ...form, grant_type: "client_credentials" })],
      ["an implicit grant", (form) => ({ ...form, grant_type: "implicit" })],
      ["a device code", (form) => ({ ...form, grant_type: "urn:ietf:params:oauth:grant-type:device_code" })],
      [
        "an assertion",
        (form) => ({ ...form, grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: "x" }),
      ],
      ["no grant", ({ grant_type: _grant, ...rest }) => rest],
      ["the code as refresh token", (form) => ({ grant_type: "refresh_token", refresh_token: form.code ?? "" })],
    ])("gives nothing for %s", async (_case, change) => {
      const answer = await exchange(change(await fresh()));
      expect(answer.status).toBe(400);
      expect(await answer.text()).not.toContain("access_token");
    });

    test.each<[string, () => string]>([
      ["no client", () => ""],
      ["the portal's public pair", () => basic],
      ["a wrong secret", () => secretOf({ ...client, clientSecret: "x".repeat(43) })],
      ["an empty secret", () => secretOf({ ...client, clientSecret: "" })],
      ["an unknown client", () => secretOf({ ...client, clientId: "app-nobody" })],
    ])("gives nothing to %s", async (_case, authorization) => {
      const answer = await exchange(await fresh(), authorization());
      expect([400, 401]).toContain(answer.status);
      expect(await answer.text()).not.toContain("access_token");
    });

    test("reads no JSON and nothing from the query", async () => {
      const form = await fresh();
      expect((await exchange(form, secretOf(client), "application/json")).status).toBe(400);
      const inQuery = await fetch(`${issuer}/api/muyuan-auth/oauth2/token?${new URLSearchParams(form)}`, {
        method: "POST",
        headers: { authorization: secretOf(client) },
      });
      expect(inQuery.status).toBe(400);
    });

    test("an application's token opens no operation of the portal", async () => {
      const { tokens } = await authorize(configuration);
      const { access_token } = await tokens();
      for (const path of ["/api/muyuan-system/user/info", "/api/muyuan-iot/device/page"]) {
        expect((await app.get(path, access_token)).status).toBe(401);
      }
    });

    test("a used refresh token ends the family; one of another application is none", async () => {
      const { tokens } = await authorize(configuration);
      const granted = await tokens();
      const other = await registerClient();
      const form = { grant_type: "refresh_token", refresh_token: granted.refresh_token ?? "" };
      expect((await exchange(form, secretOf(other))).status).toBe(400);
      const renewed = (await (await exchange(form)).json()) as { refresh_token?: string };
      expect(renewed.refresh_token).toBeDefined();
      expect((await exchange(form)).status).toBe(400);
      expect((await exchange({ ...form, refresh_token: renewed.refresh_token ?? "" })).status).toBe(400);
    });
  });

  test("an unknown client is refused on an error page", async () => {
    const answer = await fetch(
      `${issuer}/api/muyuan-auth/oauth2/authorize?${new URLSearchParams({ ...good, client_id: "nobody" })}`,
      { redirect: "manual" },
    );
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  });

  test("a consent page that another browser began is refused", async () => {
    const configuration = await discover(await registerClient());
    const url = oidc.buildAuthorizationUrl(configuration, { ...good });
    const attacker = new Browser();
    const first = await attacker.open(url);
    const authorizeKey = new URL(first.headers.get("location") ?? "", issuer).searchParams.get("authorizeKey") ?? "";
    const victim = await post("/api/muyuan-auth/oauth2/approve-location", farm, { authorizeKey, approved: true });
    expect([victim.status, victim.body.msg]).toEqual([400, "授权请求不存在或已过期，请从应用重新发起"]);
  });

  test("neither codes nor tokens nor secrets stand in the database", async () => {
    const client = await registerClient();
    const configuration = await discover(client);
    const { back, tokens } = await authorize(configuration);
    const granted = await tokens();
    const { rows } = await app.test.database.pool.query(
      "select (select string_agg(p::text, '') from authorization_payloads p) || (select string_agg(c::text, '') from oauth_clients c) || (select string_agg(k::text, '') from authorization_keys k) as dump",
    );
    for (const secret of [
      back.searchParams.get("code") ?? "?",
      granted.access_token,
      granted.refresh_token ?? "?",
      client.clientSecret,
    ]) {
      expect(rows[0].dump).not.toContain(secret);
    }
    expect(rows[0].dump).not.toContain('"d":');
  });
});

describe("consent page and grants", () => {
  test("the page is told who asks for what, and who is asked", async () => {
    const configuration = await discover(await registerClient());
    const browser = new Browser();
    const first = await browser.open(
      oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: "openid profile",
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256",
      }),
    );
    const authorizeKey = new URL(first.headers.get("location") ?? "", issuer).searchParams.get("authorizeKey") ?? "";
    const answer = await app.http.inject({
      url: `/api/muyuan-auth/oauth2/authorize-info?authorizeKey=${authorizeKey}`,
      headers: { authorization: basic, "muyuan-auth": `bearer ${farm}`, cookie: browser.header() },
    });
    expect(answer.json().data as AuthorizeInfo).toMatchObject({
      clientName: "饲料助手",
      redirectHost: "localhost:9",
      account: "farm",
      tenantName: "中原牧业有限公司",
      scopes: [
        { scope: "openid", words: "确认您的身份", required: true },
        { scope: "profile", words: "读取您的昵称和头像", required: false },
      ],
    });
  });

  test("a grant is listed for its owner, and taking it back ends the tokens", async () => {
    const configuration = await discover(await registerClient({ name: "要收回的应用" }));
    const granted = await (await authorize(configuration)).tokens();
    const list = (await app.get<Grant[]>("/api/muyuan-auth/oauth2/grant/list", farm)).body.data;
    const grant = list.find(({ clientName }) => clientName === "要收回的应用");
    const worker = await app.logIn("worker");
    expect((await app.get<Grant[]>("/api/muyuan-auth/oauth2/grant/list", worker)).body.data).toEqual([]);
    await post(`/api/muyuan-auth/oauth2/grant/remove?ids=${grant?.id}`, worker, {});
    await oidc.fetchUserInfo(configuration, granted.access_token, granted.claims()?.sub ?? "");
    await post(`/api/muyuan-auth/oauth2/grant/remove?ids=${grant?.id}`, farm, {});
    await expect(
      oidc.fetchUserInfo(configuration, granted.access_token, granted.claims()?.sub ?? ""),
    ).rejects.toMatchObject({ status: 401 });
    await expect(oidc.refreshTokenGrant(configuration, granted.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });
});

describe("what ends an application's access", () => {
  test("an administrator's reset of the password ends its tokens, the consent stays", async () => {
    const configuration = await discover(await registerClient());
    const { tokens } = await authorize(configuration, await app.logIn("liuyang"));
    const given = await tokens();
    const { sub } = given.claims() ?? { sub: "" };
    await oidc.fetchUserInfo(configuration, given.access_token, sub);
    const reset = await post("/api/muyuan-system/user/reset-password", admin, { userIds: sub });
    expect(reset.status).toBe(200);
    await expect(oidc.fetchUserInfo(configuration, given.access_token, sub)).rejects.toThrow();
    await expect(oidc.refreshTokenGrant(configuration, given.refresh_token ?? "")).rejects.toThrow();
    const { rows } = await app.test.database.pool.query(
      "select model from authorization_payloads where account_id = $1",
      [sub],
    );
    expect(rows).toEqual([{ model: "Grant" }]);
  });
});

describe("the metadata", () => {
  const metadata = async (path: string, headers: Record<string, string> = {}) =>
    (await app.http.inject({ method: "GET", url: path, headers })).json() as Record<string, unknown>;

  test("holds what there is, and nothing else", async () => {
    const document = await metadata("/.well-known/openid-configuration");
    expect(document).toEqual({
      issuer,
      authorization_endpoint: `${issuer}/api/muyuan-auth/oauth2/authorize`,
      token_endpoint: `${issuer}/api/muyuan-auth/oauth2/token`,
      revocation_endpoint: `${issuer}/api/muyuan-auth/oauth2/revoke`,
      introspection_endpoint: `${issuer}/api/muyuan-auth/oauth2/introspect`,
      userinfo_endpoint: `${issuer}/api/muyuan-auth/oauth2/userinfo`,
      end_session_endpoint: `${issuer}/api/muyuan-auth/oauth2/end-session`,
      jwks_uri: `${issuer}/api/muyuan-auth/oauth2/jwks`,
      authorization_response_iss_parameter_supported: true,
      claim_types_supported: ["normal"],
      claims_parameter_supported: false,
      claims_supported: expect.arrayContaining(["sub", "name", "nickname", "picture", "preferred_username", "tenants"]),
      code_challenge_methods_supported: ["S256"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      id_token_signing_alg_values_supported: expect.arrayContaining(["RS256", "ES256"]),
      request_uri_parameter_supported: false,
      response_modes_supported: ["form_post", "fragment", "query"],
      response_types_supported: ["code"],
      scopes_supported: ["openid", "profile", "tenant", "offline_access"],
      subject_types_supported: ["public"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "none"],
    });
    expect(await metadata("/.well-known/oauth-authorization-server")).toEqual(document);
    // Each address is served: what it refuses, it refuses itself.
    for (const [name, address] of Object.entries(document)) {
      if (!/_endpoint$|_uri$/.test(name)) continue;
      const method = /token_|revocation|introspection/.test(name) ? "POST" : "GET";
      const { status } = await fetch(String(address), { method, redirect: "manual" });
      expect([name, status]).not.toEqual([name, 404]);
    }
  });

  test("T20: its addresses come from PUBLIC_URL, whatever host the caller writes", async () => {
    const known = await metadata("/.well-known/openid-configuration");
    const forged = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    expect(await metadata("/.well-known/openid-configuration", forged)).toEqual(known);
    expect(await metadata("http://evil.example/.well-known/openid-configuration", forged)).toEqual(known);
  });
});

describe("applications on a person's machine (RFC 8252)", () => {
  const ask = async (client: Registered, redirect: string) => {
    const url = new URL("/api/muyuan-auth/oauth2/authorize", issuer);
    url.search = new URLSearchParams({
      client_id: client.clientId,
      response_type: "code",
      scope: "openid",
      redirect_uri: redirect,
      code_challenge: "x".repeat(43),
      code_challenge_method: "S256",
    }).toString();
    return (await new Browser().open(url)).status;
  };

  test("are answered at a loopback address with any port, and at a scheme of their own", async () => {
    const client = await registerClient({
      publicClient: true,
      webServerRedirectUri: "http://127.0.0.1/callback,com.example.feed:/callback",
    });
    expect(await ask(client, "http://127.0.0.1:51234/callback")).toBe(303);
    expect(await ask(client, "com.example.feed:/callback")).toBe(303);
    expect(await ask(client, "http://127.0.0.1:51234/other")).toBe(400);
    expect(await ask(client, "http://127.0.0.2:51234/callback")).toBe(400);
    expect(await ask(client, "http://evil.example:51234/callback")).toBe(400);
  });

  test("with a secret the port is as registered: such an application is a server", async () => {
    const client = await registerClient({ webServerRedirectUri: "http://localhost:9000/callback" });
    expect(await ask(client, "http://localhost:9000/callback")).toBe(303);
    expect(await ask(client, "http://localhost:9001/callback")).toBe(400);
  });

  test("an address with a query of its own can ask for offline_access", async () => {
    const client = await registerClient({ webServerRedirectUri: "https://app.example/cb?from=portal" });
    const configuration = await discover(client);
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: "https://app.example/cb?from=portal",
      scope: "openid offline_access",
      code_challenge: "x".repeat(43),
      code_challenge_method: "S256",
    });
    // As some clients write it: a question mark in a value needs no escape.
    const raw = String(url).replace("cb%3Ffrom%3Dportal", "cb?from%3Dportal");
    expect(raw).toContain("cb?from");
    const back = await consent(new Browser(), new URL(raw), farm, { approved: true });
    expect(back.href).toMatch(/^https:\/\/app\.example\/cb\?from=portal&code=/);
  });
});

describe("introspection (RFC 7662)", () => {
  const introspect = async (client: Registered, token: string) => {
    const answer = await fetch(`${issuer}/api/muyuan-auth/oauth2/introspect`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${client.clientId}:${client.clientSecret}`)}` },
      body: new URLSearchParams({ token }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  test("tells an application of its own living tokens, and of no others", async () => {
    const [own, other] = [await registerClient(), await registerClient()];
    const { tokens } = await authorize(await discover(own));
    const { access_token: token } = await tokens();
    expect((await introspect(own, token)).body).toMatchObject({ active: true, client_id: own.clientId, iss: issuer });
    expect((await introspect(other, token)).body).toEqual({ active: false });
    expect((await introspect(own, "no token")).body).toEqual({ active: false });
    await oidc.tokenRevocation(await discover(own), token);
    expect((await introspect(own, token)).body).toEqual({ active: false });
    expect((await introspect({ ...own, clientSecret: "wrong" }, token)).status).toBe(401);
  });

  test("an application without a secret is told nothing", async () => {
    const client = await registerClient({ publicClient: true });
    const { tokens } = await authorize(await discover(client));
    const answer = await fetch(`${issuer}/api/muyuan-auth/oauth2/introspect`, {
      method: "POST",
      body: new URLSearchParams({ token: (await tokens()).access_token, client_id: client.clientId }),
    });
    expect(await answer.json()).not.toMatchObject({ active: true });
  });
});

describe("log-out that an application asks for (RP-Initiated Logout 1.0)", () => {
  const goodbye = "https://app.example/bye?from=portal";
  const endSession = (query: Record<string, string> | [string, string][], method: "GET" | "POST" = "GET") => {
    const url = `${issuer}/api/muyuan-auth/oauth2/end-session`;
    const sent = new URLSearchParams(query);
    return method === "GET"
      ? fetch(`${url}?${sent}`, { redirect: "manual" })
      : fetch(url, { method, body: sent, redirect: "manual" });
  };
  const info = async (query: Record<string, string>) =>
    (await app.call({ path: "/api/muyuan-auth/oauth2/end-session-info", query })).body;
  const signedIn = async (change: Record<string, unknown> = {}) => {
    const client = await registerClient({ postLogoutRedirectUri: goodbye, ...change });
    const configuration = await discover(client);
    const granted = await (await authorize(configuration)).tokens();
    const active = async () =>
      oidc.fetchUserInfo(configuration, granted.access_token, granted.claims()?.sub ?? "").then(
        () => true,
        () => false,
      );
    return { client, configuration, granted, active };
  };

  test("a stock client ends what it holds of the person; the page asks about the portal and goes on with the state", async () => {
    const { client, configuration, granted, active } = await signedIn();
    const other = await signedIn();
    const url = oidc.buildEndSessionUrl(configuration, {
      id_token_hint: granted.id_token ?? "",
      post_logout_redirect_uri: goodbye,
      state: "s t",
    });
    expect(url.origin + url.pathname).toBe(`${issuer}/api/muyuan-auth/oauth2/end-session`);
    expect(await active()).toBe(true);
    const answer = await fetch(url, { redirect: "manual" });
    expect(answer.status).toBe(303);
    const page = new URL(answer.headers.get("location") ?? "", issuer);
    expect([page.origin, page.pathname]).toEqual([issuer, "/endSession"]);
    // The proof of who the person is goes no further.
    expect(page.href).not.toContain(granted.id_token);
    expect(await active()).toBe(false);
    await expect(oidc.refreshTokenGrant(configuration, granted.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });
    // Neither other applications nor the portal's own session end by it.
    expect(await other.active()).toBe(true);
    expect((await app.get("/api/muyuan-system/user/info", farm)).status).toBe(200);
    expect(
      await info({
        clientId: page.searchParams.get("client_id") ?? "",
        postLogoutRedirectUri: page.searchParams.get("post_logout_redirect_uri") ?? "",
        state: page.searchParams.get("state") ?? "",
      }),
    ).toMatchObject({
      code: 200,
      data: {
        clientName: "饲料助手",
        redirectHost: "app.example",
        location: "https://app.example/bye?from=portal&state=s+t",
      },
    });
    expect(client.clientId).toBe(page.searchParams.get("client_id"));
  });

  test("as a form, too, and with a hint that has run out", async () => {
    const { client, granted, active } = await signedIn();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 30 * 86_400_000 });
    try {
      const answer = await endSession({ id_token_hint: granted.id_token ?? "", client_id: client.clientId }, "POST");
      expect([answer.status, answer.headers.get("location")]).toEqual([
        303,
        `/endSession?client_id=${client.clientId}`,
      ]);
    } finally {
      vi.useRealTimers();
    }
    expect(await active()).toBe(false);
  });

  test("without a hint nothing ends before the person says so", async () => {
    const { client, active } = await signedIn();
    const answer = await endSession({ client_id: client.clientId, post_logout_redirect_uri: goodbye });
    expect(answer.status).toBe(303);
    expect(await active()).toBe(true);
    const say = (token: string) =>
      post("/api/muyuan-auth/oauth2/end-session-answer", token, { clientId: client.clientId });
    expect((await say(admin)).status).toBe(200);
    expect(await active()).toBe(true);
    expect((await say(farm)).status).toBe(200);
    expect(await active()).toBe(false);
    expect((await endSession({})).headers.get("location")).toBe("/endSession?");
  });

  test("what is not to be trusted gets a page in both languages, and no redirect", async () => {
    const { client, granted, active } = await signedIn();
    const other = await registerClient({ postLogoutRedirectUri: "https://other.example/bye" });
    const hint = granted.id_token ?? "";
    const [head = "", claims = "", signature = ""] = hint.split(".");
    const changed = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(claims, "base64url").toString()), sub: "1" }),
    ).toString("base64url");
    const refused: [Record<string, string> | [string, string][], string][] = [
      [{ id_token_hint: `${head}.${changed}.${signature}` }, "logout_hint"],
      [{ id_token_hint: `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claims}.` }, "logout_hint"],
      [{ id_token_hint: "x" }, "logout_hint"],
      [{ id_token_hint: granted.access_token }, "logout_hint"],
      [{ id_token_hint: hint, client_id: other.clientId }, "logout_hint"],
      [{ client_id: "app-unknown" }, "logout_client"],
      [{ post_logout_redirect_uri: goodbye }, "logout_redirect"],
      [{ client_id: other.clientId, post_logout_redirect_uri: goodbye }, "logout_redirect"],
      [{ id_token_hint: hint, post_logout_redirect_uri: `${goodbye}&x=1` }, "logout_redirect"],
      [{ id_token_hint: hint, post_logout_redirect_uri: "https://app.example/bye" }, "logout_redirect"],
      [{ id_token_hint: hint, post_logout_redirect_uri: redirectUri }, "logout_redirect"],
      [{ id_token_hint: hint, post_logout_redirect_uri: "javascript:alert(1)" }, "logout_redirect"],
      [{ id_token_hint: hint, post_logout_redirect_uri: "//evil.example" }, "logout_redirect"],
      [
        [
          ["client_id", client.clientId],
          ["client_id", other.clientId],
        ],
        "parameter.invalid",
      ],
    ];
    for (const [query, reason] of refused) {
      for (const method of ["GET", "POST"] as const) {
        const answer = await endSession(query, method);
        const text = await answer.text();
        const about = JSON.stringify(query);
        expect([answer.status, answer.headers.get("location")], about).toEqual([400, null]);
        expect(text, about).toContain(reason);
        expect(text, about).toMatch(/退出失败 Log-out failed/);
        expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      }
    }
    expect(await active()).toBe(true);
    // Who writes the page's address by hand gets no further.
    expect(await info({ clientId: client.clientId, postLogoutRedirectUri: "https://evil.example/" })).toMatchObject({
      code: 400,
      data: { reason: "authorization.logout_redirect" },
    });
  });

  test("addresses are registered with the application, and stay where a client of the family does not send them", async () => {
    const client = await registerClient({ postLogoutRedirectUri: goodbye });
    const held = async () =>
      (await app.get<Page<OAuthClient>>("/api/muyuan-system/client/list?size=200", admin)).body.data.records.find(
        ({ id }) => id === client.id,
      )?.postLogoutRedirectUri;
    const submit = (change: Record<string, unknown>) =>
      post("/api/muyuan-system/client/submit", admin, {
        id: client.id,
        name: "x",
        webServerRedirectUri: redirectUri,
        ...change,
      });
    expect(await held()).toBe(goodbye);
    expect((await submit({})).status).toBe(200);
    expect(await held()).toBe(goodbye);
    const refused = await submit({ postLogoutRedirectUri: "http://evil.example/" });
    expect(refused.body.data).toMatchObject({ problems: [{ field: "postLogoutRedirectUris" }] });
    expect((await submit({ postLogoutRedirectUri: "" })).status).toBe(200);
    expect(await held()).toBe("");
  });
});

describe("pages of other origins", () => {
  const origin = "https://app.example";
  const from = (path: string, method: string, given: string, body?: URLSearchParams) =>
    fetch(`${issuer}/api/muyuan-auth/oauth2/${path}`, {
      method,
      headers: {
        origin: given,
        ...(method === "OPTIONS" && { "access-control-request-method": "POST" }),
      },
      ...(body && { body }),
    });

  test("may call for tokens where the application's people are answered, and from nowhere else", async () => {
    const { clientId } = await registerClient({ publicClient: true, webServerRedirectUri: `${origin}/cb` });
    expect((await from("token", "OPTIONS", origin)).headers.get("access-control-allow-origin")).toBe(origin);
    expect((await from("userinfo", "OPTIONS", origin)).status).toBe(204);
    const body = new URLSearchParams({
      client_id: clientId,
      grant_type: "authorization_code",
      code: "unknown",
      code_verifier: "x".repeat(43),
      redirect_uri: `${origin}/cb`,
    });
    const own = await from("token", "POST", origin, body);
    expect([own.headers.get("access-control-allow-origin"), await own.json()]).toMatchObject([
      origin,
      { error: "invalid_grant" },
    ]);
    const foreign = await from("token", "POST", "https://evil.example", body);
    expect([foreign.headers.get("access-control-allow-origin"), await foreign.json()]).toMatchObject([
      null,
      { error: "invalid_request" },
    ]);
  });
});

describe("registering applications", () => {
  test("needs the permission", async () => {
    expect(
      (await post("/api/muyuan-system/client/submit", farm, { name: "x", webServerRedirectUri: redirectUri })).status,
    ).toBe(403);
    expect((await app.get("/api/muyuan-system/client/list", farm)).status).toBe(403);
  });

  test.each([
    "http://app.example/cb",
    "https://app.example/cb#x",
    "https://*.example/cb",
    "javascript:alert(1)",
    "no address",
  ])("the address %s is refused", async (uri) => {
    expect(
      (await post("/api/muyuan-system/client/submit", admin, { name: "x", webServerRedirectUri: uri })).status,
    ).toBe(400);
  });

  test("the secret is shown once", async () => {
    const made = await registerClient({ name: "一次" });
    expect(made.clientSecret).toHaveLength(43);
    const list = await app.get<Page<OAuthClient>>("/api/muyuan-system/client/list?size=100", admin);
    expect(list.body.data.records.find(({ clientId }) => clientId === made.clientId)).toMatchObject({
      name: "一次",
      publicClient: false,
    });
    expect(JSON.stringify(list.body)).not.toContain(made.clientSecret);
  });
});

test("a name that no client can have is a caller's mistake, not a fault of the server", async () => {
  const base = "/api/muyuan-auth/oauth2/authorize?response_type=code&redirect_uri=https%3A%2F%2Fapp.example%2F";
  for (const id of ["%00", "a%00b"]) {
    const answer = await app.http.inject({ method: "GET", url: `${base}&client_id=${id}` });
    expect(answer.statusCode, id).toBe(400);
  }
});
