import { createHash, createHmac, randomInt } from "node:crypto";
import { tokenHeader } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic, md5 } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const logIn = async (username = "farm") =>
  (await app.token({ grant_type: "captcha", username, password: md5(demoPassword) }, await app.captcha())).body;
const info = (value: string) =>
  app.http.inject({ url: "/api/muyuan-system/user/info", headers: { authorization: basic, [tokenHeader]: value } });
const refresh = (refresh_token: string) => app.token({ grant_type: "refresh_token", refresh_token });

/** Runs the calls in groups, and the limits per minute on. */
async function inGroups<T>(all: readonly T[], call: (one: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < all.length; at += 100) {
    await app.pass(61);
    await Promise.all(all.slice(at, at + 100).map(call));
  }
}

describe("T09: forged tokens", () => {
  const count = volume({ short: 2000, long: 10_000 });
  test(`${count} tokens with one to four bits changed are none`, async () => {
    const { access_token, refresh_token } = await logIn();
    const flipped = (token: string) => {
      const bytes = Buffer.from(token, "base64url");
      const bits = new Set<number>();
      while (bits.size < 1 + randomInt(4)) bits.add(randomInt(bytes.length * 8));
      for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return bytes.toString("base64url");
    };
    const statuses = new Map<number, number>();
    await inGroups(
      Array.from({ length: count }, () => flipped(access_token)),
      async (token) => {
        const { statusCode } = await info(`bearer ${token}`);
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      },
    );
    expect([...statuses]).toEqual([[401, count]]);
    for (let at = 0; at < 200; at += 1)
      expect((await refresh(flipped(refresh_token))).body.access_token).toBeUndefined();
    // The token itself was never ended by this.
    expect((await info(`bearer ${access_token}`)).statusCode).toBe(200);
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  /** Signing keys that came with releases of the family and its relatives, and such as people choose. */
  const knownKeys = [
    "bladexisapowerfulmicroservicearchitectureupgradedandoptimizedfromacommercialproject",
    "SpringBlade",
    "BladeX",
    "blade",
    "saber_secret",
    "sword_secret",
    "portal_secret",
    "herdwise",
    "secret",
    "changeit",
    "123456",
    "",
  ];
  const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

  test("signed tokens are none, with any known key, any algorithm, or none", async () => {
    const { user_id, tenant_id } = await logIn("admin");
    const claims = {
      user_id,
      tenant_id,
      account: "admin",
      user_name: "admin",
      role_name: "administrator",
      token_type: "access_token",
      client_id: "portal",
      exp: 4_102_444_800,
    };
    const forged: string[] = [];
    for (const key of knownKeys) {
      for (const [alg, hash] of [
        ["HS256", "sha256"],
        ["HS384", "sha384"],
        ["HS512", "sha512"],
      ] as const) {
        for (const secret of [Buffer.from(key), Buffer.from(key, "base64")]) {
          const body = `${json({ alg, typ: "JWT" })}.${json(claims)}`;
          forged.push(`${body}.${createHmac(hash, secret).update(body).digest("base64url")}`);
        }
      }
    }
    for (const alg of ["none", "None", "NONE", "nOnE"]) forged.push(`${json({ alg, typ: "JWT" })}.${json(claims)}.`);
    await inGroups(forged, async (token) => {
      expect((await info(`bearer ${token}`)).statusCode, token).toBe(401);
      expect((await refresh(token)).status).toBe(400);
    });
  });

  test.each([
    ["the hash of the token", (token: string) => md5(token)],
    ["a refresh token", (_access: string, refreshToken: string) => refreshToken],
    ["an empty one", () => ""],
    ["two at once", (token: string) => `${token} ${token}`],
    ["one with a null behind", (token: string) => `${token}%00`],
    ["upper case", (token: string) => token.toUpperCase()],
    ["SQL", () => "' or '1'='1"],
  ])("%s is none", async (_case, make) => {
    const { access_token, refresh_token } = await logIn();
    expect((await info(`bearer ${make(access_token, refresh_token)}`)).statusCode).toBe(401);
  });

  test("a token counts in its header only: not in Authorization, a cookie, the query or the body", async () => {
    const { access_token } = await logIn();
    const value = `bearer ${access_token}`;
    for (const request of [
      { headers: { authorization: `Bearer ${access_token}` } },
      {
        headers: {
          authorization: basic,
          cookie: `${tokenHeader}=${value}; token=${access_token}; access_token=${access_token}`,
        },
      },
      { query: { [tokenHeader]: value, access_token, token: access_token } },
    ]) {
      const answer = await app.http.inject({ url: "/api/muyuan-system/user/info", ...request });
      expect(answer.statusCode, JSON.stringify(request)).toBe(401);
    }
  });
});

describe("T24: a stolen refresh token", () => {
  const age = () =>
    app.test.database.pool.query(
      "update session_tokens set used_at = used_at - interval '11 seconds' where used_at is not null",
    );

  test.each([
    ["the thief comes second", 0],
    ["the thief comes after three renewals of the owner", 3],
  ])("%s: the use of the old one ends the family at once", async (_case, renewals) => {
    const first = await logIn();
    let current = first;
    for (let at = 0; at <= renewals; at += 1) current = (await refresh(current.refresh_token)).body;
    expect(current.jti).toBe(first.jti);
    await age();
    expect((await refresh(first.refresh_token)).status).toBe(400);
    for (const token of [first.access_token, current.access_token]) {
      expect((await info(`bearer ${token}`)).statusCode).toBe(401);
    }
    expect((await refresh(current.refresh_token)).status).toBe(400);
    const { rows } = await app.test.database.pool.query("select end_reason from sessions where id = $1", [first.jti]);
    expect(rows[0].end_reason).toBe("refresh_token_reused");
  });

  test("whoever of thief and owner is first, both are out; other sessions of the person stay", async () => {
    const [stolen, other] = [await logIn(), await logIn()];
    const thief = (await refresh(stolen.refresh_token)).body;
    await age();
    expect((await refresh(stolen.refresh_token)).status).toBe(400);
    expect((await info(`bearer ${thief.access_token}`)).statusCode).toBe(401);
    expect((await refresh(thief.refresh_token)).status).toBe(400);
    expect((await info(`bearer ${other.access_token}`)).statusCode).toBe(200);
  });

  test("within ten seconds the previous one works for a tab that raced, and the one before it ends the family", async () => {
    const first = await logIn();
    const second = (await refresh(first.refresh_token)).body;
    expect((await refresh(first.refresh_token)).status).toBe(200);
    await age();
    const third = (await refresh(second.refresh_token)).body;
    expect(third.access_token).toBeDefined();
    expect((await refresh(second.refresh_token)).status).toBe(200);
    expect((await refresh(first.refresh_token)).status).toBe(400);
    expect((await info(`bearer ${third.access_token}`)).statusCode).toBe(401);
  });

  const tokensOf = async (sessionId: string) =>
    (await app.test.database.pool.query("select successor from session_tokens where session_id = $1", [sessionId]))
      .rows;

  test("within ten seconds it gives one pair, however often and by however many it is shown", async () => {
    const first = await logIn();
    const [second, ...others] = await Promise.all(
      Array.from({ length: 30 }, async () => (await refresh(first.refresh_token)).body),
    );
    expect(second?.refresh_token).not.toBe(first.refresh_token);
    for (const other of others) {
      expect([other.access_token, other.refresh_token]).toEqual([second?.access_token, second?.refresh_token]);
      expect(other.expires_in).toBeGreaterThan(3580);
      expect(other.expires_in).toBeLessThan(3600);
    }
    // Log-in and one renewal.
    expect(await tokensOf(first.jti)).toHaveLength(4);
    // Whoever was handed the pair by the old token is on the only branch: the second one to renew it later is found out.
    expect((await refresh(second?.refresh_token ?? "")).status).toBe(200);
    await age();
    expect((await refresh(others[0]?.refresh_token ?? "")).status).toBe(400);
    expect((await info(`bearer ${second?.access_token}`)).statusCode).toBe(401);
  });

  test("what is kept of a pair for that time opens with the shown token only, and is forgotten afterwards", async () => {
    const first = await logIn();
    const second = (await refresh(first.refresh_token)).body;
    const kept = (await tokensOf(first.jti)).map(({ successor }) => successor).filter((bytes) => bytes !== null);
    expect(kept).toHaveLength(1);
    for (const token of [first.refresh_token, second.refresh_token, second.access_token]) {
      expect(kept[0].includes(Buffer.from(token))).toBe(false);
      expect(kept[0].includes(Buffer.from(token, "base64url"))).toBe(false);
    }
    await app.runJob("identity.sweep");
    expect((await refresh(first.refresh_token)).status).toBe(200);
    await age();
    await app.runJob("identity.sweep");
    expect((await tokensOf(first.jti)).filter(({ successor }) => successor !== null)).toEqual([]);
  });
});

describe("T24: a session ends for good", () => {
  const hash = (token: string) => createHash("sha256").update(token).digest();
  /** Seconds that both tokens of an answer live. */
  const livesOf = async ({ access_token, refresh_token }: { access_token: string; refresh_token: string }) =>
    (
      await app.test.database.pool.query<{ life: number }>(
        "select extract(epoch from expires_at - created_at)::float8 as life from session_tokens where token_hash = any($1)",
        [[hash(access_token), hash(refresh_token)]],
      )
    ).rows;
  const loggedInAgo = (sessionId: string, interval: string) =>
    app.test.database.pool.query("update sessions set authenticated_at = now() - $2::interval where id = $1", [
      sessionId,
      interval,
    ]);

  test("90 days after the log-in, however often it was renewed; no token outlives that, and the answers tell it", async () => {
    const first = await logIn();
    await loggedInAgo(first.jti, "89 days 23 hours 50 minutes");
    const second = (await refresh(first.refresh_token)).body;
    expect(second.expires_in).toBeGreaterThan(570);
    expect(second.expires_in).toBeLessThan(600);
    const lives = (await livesOf(second)).map(({ life }) => life);
    expect(lives).toHaveLength(2);
    for (const life of lives) expect(life).toBeLessThanOrEqual(600);
    await loggedInAgo(first.jti, "90 days");
    expect((await refresh(second.refresh_token)).status).toBe(400);
    expect((await info(`bearer ${second.access_token}`)).statusCode).toBe(401);
  });

  test("a switch to another tenant proves nothing and begins no new life", async () => {
    const first = (
      await app.token(
        { grant_type: "captcha", username: "vet", password: md5(demoPassword), tenantId: "100002" },
        await app.captcha(),
      )
    ).body;
    await loggedInAgo(first.jti, "89 days 23 hours 50 minutes");
    await app.test.database.pool.query("update sessions set confirmed_at = now() - interval '1 hour' where id = $1", [
      first.jti,
    ]);
    const switched = await app.call({
      path: "/api/muyuan-auth/oauth/switch-multi-tenant",
      query: { tenantId: "100003" },
      token: first.access_token,
    });
    const { expires_in, jti } = switched.body as unknown as { expires_in: number; jti: string };
    expect(expires_in).toBeLessThan(600);
    const { rows } = await app.test.database.pool.query(
      "select confirmed_at < now() - interval '59 minutes' as before from sessions where id = $1",
      [jti],
    );
    expect(rows).toEqual([{ before: true }]);
  });
});
