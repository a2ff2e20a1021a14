import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp, webBuild } from "../harness/app.ts";

let app: TestApp;
beforeAll(async () => {
  expect(existsSync(join(webBuild, "server", "index.js")), "npm run build comes first").toBe(true);
  app = await createTestApp(
    {
      BRAND_NAME: "牧场 & Co",
      COMPANY_SUFFIX: "中原牧业",
      ICP_NUMBER: "豫ICP备00000001号-1",
      POLICE_NUMBER: "豫公网安备 41130002000001 号",
    },
    {},
    webBuild,
  );
});
afterAll(() => app.close());

const pageAt = async (url: string, cookie = ""): Promise<string> => {
  const { body } = await app.http.inject({ url, headers: { cookie } });
  return body;
};

test.each([
  ["/index", "让每一栋猪舍自己说话"],
  ["/login", "登录"],
  ["/findAcc", "找回账号"],
  ["/no/such/page", "页面不存在"],
])(
  "%s has the title of its screen, then the portal's name and the company of the public settings",
  async (path, title) => {
    const html = await pageAt(path);
    expect(/<title>(.*?)<\/title>/.exec(html)?.[1]).toBe(`${title}｜牧场 &amp; Co 中原牧业`);
    // From here the browser's side knows it.
    expect(html).toContain('<meta name="application-name" content="牧场 &amp; Co 中原牧业"/>');
  },
);

test("the site's footer shows the records of the website with their links, in both languages", async () => {
  for (const page of [await pageAt("/service/productService"), await pageAt("/legal/nothing?lang=en")]) {
    expect(page).toMatch(/<a href="https:\/\/beian\.miit\.gov\.cn\/"[^>]*>豫ICP备00000001号-1<\/a>/);
    expect(page).toMatch(
      /<a href="https:\/\/beian\.mps\.gov\.cn\/#\/query\/webSearch\?code=41130002000001"[^>]*>豫公网安备 41130002000001 号<\/a>/,
    );
  }
  const bare = await createTestApp({}, {}, webBuild);
  const { body } = await bare.http.inject({ url: "/service/productService" });
  await bare.close();
  expect(body).not.toContain("beian");
});

test("in English the screen's name is translated, the portal's stays", async () => {
  expect(await pageAt("/login", "langType=en")).toContain("<title>Sign in｜牧场 &amp; Co 中原牧业</title>");
});

test("demo accounts come with what they log in with, and there are none outside demo mode", async () => {
  const { body } = await app.get<{ account: string; password: string }[]>(
    "/api/muyuan-system/settings/skip-secure/demo-accounts",
  );
  expect(body.data.map(({ account }) => account)).toEqual(["admin", "farm", "vet", "worker"]);
  expect(new Set(body.data.map(({ password }) => password)).size).toBe(1);
  const real = await createTestApp({ DEMO: "off" });
  const none = await real.get("/api/muyuan-system/settings/skip-secure/demo-accounts");
  expect(none.body.data).toEqual([]);
  await real.close();
});

test("a language chosen by the address is remembered, over TLS alone where the portal is reached by it", async () => {
  const choice = async (of: TestApp) => (await of.http.inject({ url: "/login?lang=en" })).headers["set-cookie"];
  const reachedByTls = await createTestApp({ PUBLIC_URL: "https://farm.example" }, {}, webBuild);
  try {
    expect(String(await choice(app))).toMatch(/^langType=en; Path=\/; Max-Age=\d+; SameSite=Lax$/);
    expect(String(await choice(reachedByTls))).toMatch(/^langType=en; .*; Secure$/);
  } finally {
    await reachedByTls.close();
  }
});
