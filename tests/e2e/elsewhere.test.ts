import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { basic, tokenOfDemo } from "../harness/session.ts";

const portal = usePortal();

/** A call of the API outside a browser, as a demo account. */
async function asDemo<T>(account: string, path: string, body: unknown): Promise<T> {
  const { access_token: token } = await tokenOfDemo(portal.address, account);
  const answer = await fetch(portal.address + path, {
    method: "POST",
    headers: { Authorization: basic, "Muyuan-Auth": `bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { data: T }).data;
}

describe.skipIf(foundBrowser === undefined)("elsewhere", () => {
  test("an application is let in with what was ticked, is listed, and is taken back", async () => {
    const redirectUri = `${portal.address}/index`;
    const client = await asDemo<{ clientId: string }>("admin", "/api/muyuan-system/client/submit", {
      name: "FeedHelper",
      webServerRedirectUri: redirectUri,
      scope: "openid,profile,tenant",
      publicClient: true,
    });
    const context = await portal.newContext();
    const { page } = await openPage(context);
    const request = new URLSearchParams({
      client_id: client.clientId,
      response_type: "code",
      redirect_uri: redirectUri,
      scope: "openid profile tenant",
      state: "of-the-app",
      code_challenge: createHash("sha256").update("v".repeat(43)).digest("base64url"),
      code_challenge_method: "S256",
    });
    await page.goto(`${portal.address}/api/muyuan-auth/oauth2/authorize?${request}`);
    // Not signed in: first the log-in, then this very request.
    await page.waitForURL(/\/login\?redirect=/);
    await page.getByRole("button", { name: /周建平/ }).click();
    await page.getByRole("heading", { name: /FeedHelper/ }).waitFor();
    await page.getByText(new URL(portal.address).host).first().waitFor();
    expect(await page.getByLabel(/确认您的身份/).isDisabled()).toBe(true);
    await page.getByLabel("读取您所属的企业或农场名称").uncheck();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "允许" }).click();
    await page.waitForURL(/\/index\?.*code=/);
    expect(new URL(page.url()).searchParams.get("state")).toBe("of-the-app");

    await page.goto(`${portal.address}/selfCenter/safeManage`);
    await page.getByText("读取您的昵称和头像").waitFor();
    expect(await page.getByText("读取您所属的企业或农场名称").count()).toBe(0);
    await page.getByRole("button", { name: "收回 FeedHelper 的授权" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "收回" }).click();
    await page.getByText("还没有应用使用您的账号").waitFor();

    await page.goto(`${portal.address}/api/muyuan-auth/oauth2/authorize?${request}`);
    await page.getByRole("button", { name: "拒绝" }).click();
    await page.waitForURL(/\/index\?.*error=access_denied/);
    await context.close();
  });

  test("an application sends its person to log out, who says whether the portal's session ends as well", async () => {
    const bye = `${portal.address}/index?left=1`;
    const client = await asDemo<{ clientId: string }>("admin", "/api/muyuan-system/client/submit", {
      name: "ByeHelper",
      webServerRedirectUri: `${portal.address}/index`,
      postLogoutRedirectUri: bye,
      publicClient: true,
    });
    const request = new URLSearchParams({
      client_id: client.clientId,
      post_logout_redirect_uri: bye,
      state: "of-the-app",
    });
    const address = `${portal.address}/api/muyuan-auth/oauth2/end-session?${request}`;
    const context = await portal.newContext();
    const { page } = await openPage(context);
    const arrived = /\/index\?left=1&state=of-the-app/;
    await portal.logInAsDemo(page, "企业主");
    await page.goto(address);
    await page.getByRole("heading", { name: "同时退出慧牧？" }).waitFor();
    await page.getByText(/ByeHelper/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "保持登录" }).click();
    await page.waitForURL(arrived);
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeTruthy();
    await page.goto(address);
    await page.getByRole("button", { name: "退出慧牧" }).click();
    await page.waitForURL(arrived);
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
    // Nobody is signed in any more: nothing is asked.
    await page.goto(address);
    await page.waitForURL(arrived);
    await page.goto(`${portal.address}/endSession`);
    await page.getByRole("heading", { name: "已退出登录" }).waitFor();
    await page.goto(
      `${portal.address}/endSession?client_id=${client.clientId}&post_logout_redirect_uri=https://evil.example/`,
    );
    await page.getByText("退出后的返回地址没有登记").waitFor();
    await context.close();
  });

  test("the mall opens in a new tab with a fresh code, and without one when its log-in fails", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await page.route("**/settings/skip-secure/public", (route) =>
      route.fulfill({
        json: {
          code: 200,
          success: true,
          data: { brandName: "慧牧", companySuffix: "", mallUrl: `${portal.address}/mall`, demo: true },
          msg: "",
        },
      }),
    );
    // The mall itself is somebody else's.
    await context.route(/\/pc\//, (route) => route.fulfill({ contentType: "text/html", body: "the mall" }));
    await portal.logInAsDemo(page, "周建平");
    const openMall = async () => {
      const tab = context.waitForEvent("page");
      await page.locator(".top").getByRole("button", { name: "商城" }).click();
      const opened = await tab;
      await opened.waitForURL(/\/pc\//);
      const url = new URL(opened.url());
      await opened.close();
      return url;
    };
    const first = await openMall();
    expect(first.pathname).toBe("/pc/");
    expect(first.searchParams.get("fkg")).toMatch(/^[\w-]{20,}$/);
    expect(await page.evaluate(() => localStorage.getItem("mall_token"))).toBe(first.searchParams.get("fkg"));
    await page.route("**/mall-auth-server/user/login/muyuan/code", (route) => route.abort());
    const second = await openMall();
    expect(second.searchParams.has("fkg")).toBe(false);
    await context.close();
  });

  test("page visits go out in a batch, without queries", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    // Playwright sees that a beacon goes out, but not what is in it.
    await page.addInitScript(`{
      const send = navigator.sendBeacon.bind(navigator);
      navigator.sendBeacon = (url, body) => {
        globalThis.beacon = body;
        return send(url, body);
      };
    }`);
    await portal.logInAsDemo(page, "周建平");
    await page.getByRole("link", { name: "全部设备" }).first().click();
    await page.getByRole("heading", { name: "全部设备" }).waitFor();
    const answered = page.waitForResponse(/visit\/skip-secure\/record/);
    // As a phone does when another app comes to the front.
    await page.evaluate(`
      Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
    `);
    const answer = await answered;
    expect(answer.status()).toBe(200);
    const visits = await page.evaluate<{ path: string; routeName: string }[]>(
      "globalThis.beacon.text().then((text) => JSON.parse(text).visits)",
    );
    expect(visits.map(({ path, routeName }) => [routeName, path])).toEqual([
      ["login", "/login"],
      ["self_home", "/selfCenter/home"],
    ]);
    await context.close();
  });

  test("a page that is not there keeps the menus of who is signed in, and is the site's own for everybody else", async () => {
    const guest = await portal.newContext();
    const { page: asGuest } = await openPage(guest);
    const answer = await asGuest.goto(`${portal.address}/no/such/page`);
    expect(answer?.status()).toBe(404);
    await asGuest.getByRole("heading", { name: "页面不存在" }).waitFor();
    expect(await asGuest.locator(".site-head").count()).toBe(1);
    await guest.close();

    const context = await portal.signedIn("farm");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/no/such/page`);
    await page.locator("aside.side a").first().waitFor();
    await page.getByRole("heading", { name: "页面不存在" }).waitFor();
    expect(await page.title()).toContain("页面不存在");
    await page.getByRole("main").getByRole("link", { name: "自助中心" }).click();
    await page.waitForURL(/\/selfCenter\/home/);
    expect((await page.request.get(`${portal.address}/selfCenter/404`)).status()).toBe(404);
    await context.close();
  });
});
