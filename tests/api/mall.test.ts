import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox } from "../../apps/mall-sandbox/src/sandbox.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { onEachStore } from "../harness/redis.ts";
import { basic } from "../harness/session.ts";

const secret = "the-malls-own-secret";
onEachStore((openStore) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp(
      { MALL_SECRET: secret, CUSTOMER_SERVICE_URL: "https://chat.example/herdwise" },
      { bench: await openStore() },
    );
  });
  afterAll(() => app.close());

  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await app.http.inject({
      method: "POST",
      url: path,
      headers: { authorization: basic, ...headers },
      payload: body,
    });
    return { status: answer.statusCode, body: answer.json() as { code: number; msg: string; data: never } };
  };
  const mint = async (token: string) =>
    (
      await post(
        "/mall-auth-server/user/login/muyuan/code",
        { userId: "1", loginPlatform: 1 },
        { "muyuan-auth": `bearer ${token}` },
      )
    ).body as {
      code: number;
      data: string;
    };
  const exchange = async (code: string, given: string | undefined = secret) =>
    (
      await post(
        "/api/mall-auth-server/user/login/muyuan/exchange",
        { code },
        given === "" ? { authorization: "" } : { authorization: `Bearer ${given}` },
      )
    ).body as {
      code: number;
      data: { account: string; mallToken: string; userId: string } | Record<string, never>;
    };

  test("the code of a signed-in person is exchanged once, by the mall's server, for that person", async () => {
    const { code, data } = await mint(await app.logIn("farm"));
    expect(code).toBe(1);
    const answer = await exchange(data);
    expect(answer).toMatchObject({ code: 1, data: { account: "farm", tenantId: "100002" } });
    expect((await exchange(data)).code).toBe(0);
  });

  test("T28: of 100 exchanges at once one wins", async () => {
    const { data } = await mint(await app.logIn("farm"));
    const answers = await Promise.all(Array.from({ length: 100 }, () => exchange(data)));
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(1);
  });

  test("the code is not the id that was sent, and needs a session", async () => {
    expect((await post("/mall-auth-server/user/login/muyuan/code", { userId: "1" })).status).toBe(401);
  });

  test("at most one code per 3 s for a session", async () => {
    const token = await app.logIn("farm");
    expect((await mint(token)).code).toBe(1);
    expect((await mint(token)).code).toBe(0);
    await app.pass(3.001);
    expect((await mint(token)).code).toBe(1);
  });

  test("an expired code, an unknown one and a wrong secret are refused", async () => {
    const { data } = await mint(await app.logIn("farm"));
    expect((await exchange(data, "wrong")).code).toBe(0);
    expect((await exchange(data, "")).code).toBe(0);
    expect((await exchange("unknown")).code).toBe(0);
    await app.pass(61);
    expect((await exchange(data)).code).toBe(0);
  });

  test("a code of a session that ended is worth nothing", async () => {
    const token = await app.logIn("farm");
    const { data } = await mint(token);
    await app.get("/api/muyuan-auth/oauth/logout", token);
    expect((await exchange(data)).code).toBe(0);
  });

  test("logging out of the mall takes a token, a code that was not used, or nothing", async () => {
    const { data } = await mint(await app.logIn("farm"));
    expect((await post("/mall-auth-server/user/loginOut", { mallToken: data })).body.code).toBe(1);
    expect((await exchange(data)).code).toBe(0);
    expect((await post("/mall-auth-server/user/loginOut", {})).body.code).toBe(1);
  });

  test("customer service answers its address, or says that it has not loaded", async () => {
    const answer = await app.get("/mall-business/customer/service/getByShopId?type=qidian&shopId=-1");
    expect(answer.body).toMatchObject({ code: 1, data: { linkUrl: "https://chat.example/herdwise" } });
    const bare = await createTestApp();
    const missing = await bare.get("/mall-business/customer/service/getByShopId?type=qidian");
    expect(missing.body).toMatchObject({ code: 0, msg: "客服暂未加载成功，请稍后再试" });
    await bare.close();
  });

  test("the sandbox mall takes fkg, shows who is signed in, and logs out", async () => {
    await app.http.listen({ port: 0, host: "127.0.0.1" });
    const portOf = (address: unknown) => (address as { port: number }).port;
    const sandbox = createSandbox({ portal: `http://127.0.0.1:${portOf(app.http.server.address())}`, secret });
    await new Promise<void>((resolve) => sandbox.listen(0, "127.0.0.1", resolve));
    const mall = `http://127.0.0.1:${portOf(sandbox.address())}`;
    try {
      const { data } = await mint(await app.logIn("worker"));
      const entered = await fetch(`${mall}/pc/?fkg=${data}`, { redirect: "manual" });
      expect([entered.status, entered.headers.get("location")]).toEqual([303, "/pc/"]);
      const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      const page = await (await fetch(`${mall}/pc/`, { headers: { cookie } })).text();
      expect(page).toContain("worker");
      expect(page).toContain("https://chat.example/herdwise");
      expect(await (await fetch(`${mall}/pc/?fkg=${data}`)).text()).toContain("未登录");
      await fetch(`${mall}/logout`, { method: "POST", headers: { cookie }, redirect: "manual" });
      expect(await (await fetch(`${mall}/pc/`, { headers: { cookie } })).text()).toContain("未登录");
      expect(await (await fetch(`${mall}/pc/`)).text()).toContain("未登录");
    } finally {
      sandbox.close();
    }
  });
});
