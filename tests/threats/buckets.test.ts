import { demoAccounts, farmTree, menuRoutes, oauth2Paths, rateClasses } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import type { Store } from "../../apps/server/src/providers/store.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { memoryBench } from "../harness/redis.ts";
import { basic, md5 } from "../harness/session.ts";
import { isInTurn } from "../harness/volume.ts";
import { jobsDone } from "./change-log.ts";
import { bodyOf, operations, queryOf } from "./operations.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.pass(86_401 * 2);
  await app.test.database.pool.query("delete from login_failures");
});

const right = md5(demoPassword);
const wrong = md5("wrong");
const lockText = "登录错误次数过多,请稍后再试";
const logIn = async (username: string, password: string, headers: Record<string, string> = {}, from?: string) =>
  (await app.token({ grant_type: "captcha", username, password }, { ...(await app.captcha()), ...headers }, from)).body;

describe("T14: forms of one login name share one count", () => {
  test.each(["FARM", " farm", "farm ", "ｆａｒｍ", "ＦＡＲＭ", "Farm", "\tfarm\n", "fａrm", "\u3000farm"])(
    "%j counts for farm",
    async (form) => {
      for (let at = 0; at < 5; at += 1) expect((await logIn(form, wrong)).error).toBe("invalid_grant");
      expect((await logIn("farm", right)).error_description).toBe(lockText);
      expect((await logIn(form, right)).error_description).toBe(lockText);
    },
  );

  test.each([
    "+8613800000002",
    "+86 138 0000 0002",
    "008613800000002",
    "138-0000-0002",
    "１３８０００００００２",
    "(+86)13800000002",
    " 13800000002 ",
  ])("%j counts for the phone", async (form) => {
    for (let at = 0; at < 5; at += 1) expect((await logIn(form, wrong)).error).toBe("invalid_grant");
    expect((await logIn("13800000002", right)).error_description).toBe(lockText);
  });
});

describe("T14: forms of one number share one SMS budget", () => {
  const send = async (mobilePhone: string) =>
    (
      await app.call({
        method: "POST",
        path: "/api/muyuan-resource/sms/endpoint/skip-secure/send-validate",
        query: { mobilePhone },
        headers: await app.captcha(),
      })
    ).status;
  test("the first form is sent, all others within the minute are not", async () => {
    expect(await send("13911119999")).toBe(200);
    for (const form of [
      "+8613911119999",
      "+86 139 1111 9999",
      "008613911119999",
      "8613911119999",
      "139-1111-9999",
      "１３９１１１１９９９９",
      "＋８６　139 1111 9999",
      "(+86)13911119999",
    ])
      expect(await send(form), form).toBe(429);
    expect(await app.sms("13911119999")).toHaveLength(1);
  });
});

describe("T14: headers of a stranger change no address", () => {
  const forged = (at: number): Record<string, string> => ({
    "x-forwarded-for": `203.0.113.${at}`,
    "x-real-ip": `203.0.113.${at}`,
    forwarded: `for=203.0.113.${at}`,
    "cf-connecting-ip": `203.0.113.${at}`,
    "true-client-ip": `203.0.113.${at}`,
    "x-client-ip": `203.0.113.${at}`,
  });
  test.each([
    ["IPv4", ["198.51.100.20"]],
    ["IPv4 written as IPv6", ["198.51.100.21", "::ffff:198.51.100.21"]],
    [
      "one network of IPv6",
      ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:DB8:1:2:3:4:5:6", "2001:0db8:0001:0002::5"],
    ],
  ])("failures from %s are counted together", async (_case, addresses) => {
    for (let at = 0; at < 3; at += 1)
      await app.token(
        { grant_type: "password", username: `n-${at}`, password: wrong },
        forged(at),
        addresses[at % addresses.length],
      );
    for (const [at, from] of addresses.entries()) {
      const { body } = await app.token(
        { grant_type: "password", username: "farm", password: right },
        forged(50 + at),
        from,
      );
      expect(body.error_description, from).toBe("请先完成安全验证");
    }
    const elsewhere = await app.token({ grant_type: "password", username: "farm", password: right }, {}, "192.0.2.1");
    expect(elsewhere.status).toBe(200);
  });

  test("behind a trusted proxy the address that the proxy saw counts, not the one that was sent to it", async () => {
    const proxied = await createTestApp({ TRUST_PROXY: "10.9.9.9" });
    const ask = async (forwarded: string, from: string) =>
      (
        await proxied.token(
          { grant_type: "password", username: `x-${Math.random()}`, password: wrong },
          { "x-forwarded-for": forwarded },
          from,
        )
      ).body.error_description;
    try {
      for (let at = 0; at < 3; at += 1) await ask(`203.0.113.${at}, 198.51.100.30`, "10.9.9.9");
      expect(await ask("203.0.113.200, 198.51.100.30", "10.9.9.9")).toBe("请先完成安全验证");
      expect(await ask("198.51.100.31", "10.9.9.9")).toBe("用户名或密码错误");
      expect(await ask("198.51.100.30", "192.0.2.7")).toBe("用户名或密码错误");
    } finally {
      await proxied.close();
    }
  });
});

describe("T14: one network of IPv6 is one caller, whatever is counted", () => {
  const neighbours = ["2001:db8:77:88:1:2:3:4", "2001:db8:77:88:aaaa:bbbb:cccc:dddd"];
  const elsewhere = "2001:db8:77:99:1:2:3:4";
  const counted = new Set<string>();
  let watched: TestApp;
  let signedIn: string;
  beforeAll(async () => {
    const bench = memoryBench();
    const store: Store = {
      ...bench.store,
      count(key, lifetimeS, amount) {
        counted.add(key);
        return bench.store.count(key, lifetimeS, amount);
      },
    };
    const machine = { TRANSLATION_PROVIDER: "libretranslate", LIBRETRANSLATE_URL: "http://127.0.0.1:9" };
    watched = await createTestApp(machine, { bench: { ...bench, store } });
    signedIn = await watched.logIn("admin");
  });
  afterAll(() => watched.close());

  /** Everything that a call counts, by its keys; hashes of addresses among them. */
  const countedBy = async (send: (from: string, captcha: Record<string, string>) => Promise<unknown>, from: string) => {
    await watched.pass(86_401 * 2);
    await watched.test.database.pool.query("delete from login_failures");
    // An export that the call before began would have this one refused before it is counted.
    await jobsDone(watched.test.database.pool);
    const captcha = await watched.captcha();
    counted.clear();
    await send(from, captcha);
    const { rows } = await watched.test.database.pool.query<{ subject: string }>(
      "select encode(subject, 'hex') as subject from login_failures",
    );
    return [...counted, ...rows.map(({ subject }) => subject)].sort();
  };
  const expectOneCaller = async (name: string, send: Parameters<typeof countedBy>[0]) => {
    const [one, other] = [await countedBy(send, neighbours[0] ?? ""), await countedBy(send, neighbours[1] ?? "")];
    expect(one.length, name).toBeGreaterThan(0);
    expect(other, name).toEqual(one);
    // What is counted by address does tell networks apart.
    expect(await countedBy(send, elsewhere), name).not.toEqual(one);
  };

  // Those with counts of their own, and in each run a quarter of the others, which are all counted at one place.
  const kept = operations.filter(
    ([, { form, path, access }], at) =>
      form !== "stream" &&
      !/logout|session.remove/.test(path) &&
      (access.level === "public" || /sms|mail|validate|captcha/i.test(path) || isInTurn(at, 4)),
  );
  test.each(kept)("%s", async (name, endpoint) => {
    await expectOneCaller(name, (from, captcha) =>
      watched.call({
        method: endpoint.method as "GET" | "POST" | "PUT",
        path: endpoint.path,
        query: queryOf(endpoint),
        ...(endpoint.method !== "GET" && { body: bodyOf(endpoint) }),
        headers: captcha,
        from,
        ...(endpoint.access.level !== "public" && { token: signedIn }),
      }),
    );
  });

  test("log-ins and the authorization server", async () => {
    await expectOneCaller("a wrong password", (from) =>
      watched.token({ grant_type: "password", username: "farm", password: wrong }, {}, from),
    );
    const { authorize, token, revoke, introspect, userinfo, jwks } = oauth2Paths;
    for (const [method, url] of [
      ["GET", authorize],
      ["GET", userinfo],
      ["GET", jwks],
      ["POST", token],
      ["POST", revoke],
      ["POST", introspect],
    ] as const)
      await expectOneCaller(url, (from) => watched.http.inject({ method, url, remoteAddress: from }));
  });
});

describe("calls per minute", () => {
  const spent = async (
    url: string,
    from: string,
    headers: Record<string, string> = {},
    method: "GET" | "PUT" = "GET",
  ) =>
    (
      await app.http.inject({
        method,
        url,
        remoteAddress: from,
        headers: { authorization: basic, ...headers },
        ...(method === "PUT" && { payload: {} }),
      })
    ).statusCode;
  /** Leaves one call of an operation to a session or address. */
  const almost = async (operation: string, subject: string, max: number) => {
    for (let at = 1; at < max; at += 1) await app.store.count(`budget:rate:${operation}:${subject}:60`, 60);
  };

  test("an address has its number of an operation, however the path is written, and then 429", async () => {
    const { path } = menuRoutes;
    await almost(`GET ${path}`, "198.51.100.40", rateClasses.read.address);
    expect(await spent(`${path}?a=1`, "198.51.100.40")).toBe(200);
    for (const form of [path, `${path}?a=2`, `${path}?skip-secure`, `${path}#x`]) {
      expect(await spent(form, "198.51.100.40", { "x-forwarded-for": "203.0.113.1" }), form).toBe(429);
      expect(await spent(form, "::ffff:198.51.100.40"), form).toBe(429);
    }
    // What is not that path is no operation at all.
    for (const form of [`${path}/`, path.toUpperCase(), `/${path}`])
      expect(await spent(form, "198.51.100.40"), form).toBe(404);
    expect(await spent(demoAccounts.path, "198.51.100.40")).toBe(200);
    expect(await spent(path, "198.51.100.41")).toBe(200);
    await app.pass(61);
    expect(await spent(path, "198.51.100.40")).toBe(200);
  });

  test("a session has its number, from wherever it calls; other sessions have theirs", async () => {
    const [one, other] = [await app.logIn("farm"), await app.logIn("farm")];
    const { rows } = await app.test.database.pool.query<{ id: string }>(
      "select id::text from sessions order by id desc limit 2",
    );
    await almost(`GET ${farmTree.path}`, rows[1]?.id ?? "", rateClasses.read.session);
    const token = (access: string) => ({ "muyuan-auth": `bearer ${access}` });
    expect(await spent(farmTree.path, "198.51.100.50", token(one))).toBe(200);
    expect(await spent(farmTree.path, "198.51.100.51", token(one))).toBe(429);
    expect(await spent(farmTree.path, "198.51.100.51", token(other))).toBe(200);
  });

  test("an alias is the same operation", async () => {
    const headers = { "muyuan-auth": `bearer ${await app.logIn("worker")}` };
    await almost("PUT /api/user/setSelfInfo", "198.51.100.60", rateClasses.write.address);
    expect(await spent("/user/setSelfInfo", "198.51.100.60", headers, "PUT")).toBe(200);
    expect(await spent("/api/user/setSelfInfo", "198.51.100.60", headers, "PUT")).toBe(429);
  });

  test("the authorization server's endpoints are counted, too", async () => {
    for (const [method, path] of [
      ["GET", oauth2Paths.authorize],
      ["GET", oauth2Paths.jwks],
      ["POST", oauth2Paths.token],
      ["POST", oauth2Paths.revoke],
    ] as const) {
      await almost(`${method} ${path}`, "198.51.100.80", rateClasses.entry.address);
      const ask = async (from: string) =>
        (await app.http.inject({ method, url: `${path}?client_id=x`, remoteAddress: from })).statusCode;
      expect(await ask("198.51.100.80"), path).not.toBe(429);
      expect(await ask("198.51.100.80"), path).toBe(429);
      expect(await ask("198.51.100.81"), path).not.toBe(429);
    }
  });

  test("while the store is away nobody is held off by this", async () => {
    const away = app.store.count;
    app.store.count = async () => Promise.reject(new Error("away"));
    try {
      expect(await spent(menuRoutes.path, "198.51.100.70")).toBe(200);
    } finally {
      app.store.count = away;
    }
  });
});
