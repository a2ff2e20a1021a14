import { publicClient } from "@herdwise/contract";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { foundBrowser } from "../harness/browser.ts";
import { agreeIfAsked, inCentre, openPage, usePortal } from "../harness/portal.ts";
import { dragPuzzle, keyPuzzle } from "../harness/puzzle.ts";

const portal = usePortal();
const basic = `Basic ${btoa(`${publicClient.id}:${publicClient.secret}`)}`;

describe.skipIf(foundBrowser === undefined)("log-in page", () => {
  test("the puzzle is solved by dragging, and the log-in leads on", async () => {
    const context = await portal.newContext();
    const { page, problems } = await openPage(context);
    await portal.logInByPassword(page, "farm", demoPassword, "企业");
    await agreeIfAsked(page);
    await inCentre(page);
    expect(problems).toEqual([]);
    const stored = await page.evaluate(() => ({ os: localStorage.osType, admin: localStorage.adminType }));
    expect(stored).toEqual({ os: "WIN", admin: "selfCenter" });
    await page.waitForFunction(() => Boolean(localStorage.mall_token && localStorage.mallToken));
    await context.close();
  });

  test("the puzzle is solved with the keys alone; a wrong password says so at the field and asks for another puzzle", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/login`);
    await page.locator("#account").fill("worker");
    await page.locator("#password").fill("not-the-password-1");
    await keyPuzzle(page);
    await page.getByLabel("我已阅读并同意").check();
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await page.locator("#password-problem").getByText("用户名或密码错误").waitFor();
    expect(await page.locator("#account").inputValue()).toBe("worker");
    await page.locator('.cap[data-step="open"]').waitFor();
    await context.close();
  });

  test("a piece in the wrong place brings another puzzle and a word, and nothing is sent without one", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    let tokens = 0;
    page.on("request", (request) => {
      if (request.url().includes("/oauth/token")) tokens += 1;
    });
    await page.goto(`${portal.address}/login`);
    await page.locator("#account").fill("farm");
    await page.locator("#password").fill(demoPassword);
    await page.getByLabel("我已阅读并同意").check();
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await page.getByText("请完成安全验证").waitFor();
    await page.locator('.cap[data-step="open"] .cap-piece').waitFor();
    const before = await page.locator(".cap-piece").getAttribute("src");
    // No hole lies so far left.
    await page.getByRole("slider").focus();
    for (let step = 0; step < 5; step++) await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Enter");
    await page.locator(".cap-say").getByText("没有对上缺口").waitFor();
    expect(await page.locator(".cap-piece").getAttribute("src")).not.toBe(before);
    expect(tokens).toBe(0);
    await context.close();
  });

  test("a deep link asks for the log-in and leads back, by the puzzle as well", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/equipmentManage/allDevices?f.kind=environment`);
    await page.waitForURL(/\/login\?/);
    await page.getByRole("button", { name: "企业", exact: true }).click();
    await page.locator("#account").fill("farm");
    await page.locator("#password").fill(demoPassword);
    await dragPuzzle(page);
    await page.getByLabel("我已阅读并同意").check();
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await page.waitForURL(/allDevices\?f\.kind=environment/);
    await context.close();
  });

  test("a code by SMS lets in; an account of two organizations chooses", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/login`);
    await page.getByRole("tab", { name: "短信登录" }).click();
    await page.locator("#phone").fill("138 0000 0003");
    await page.getByRole("button", { name: "获取验证码" }).click();
    await dragPuzzle(page);
    await page.getByRole("button", { name: /秒后重发/ }).waitFor();
    // The countdown, the number and the code's id survive a reload.
    await page.reload();
    await page.getByRole("tab", { name: "短信登录" }).click();
    await page.getByRole("button", { name: /秒后重发/ }).waitFor();
    expect(await page.locator("#phone").inputValue()).toBe("13800000003");
    await page.locator("#sms-code").fill(await portal.codeSentTo("13800000003"));
    await page.getByLabel("我已阅读并同意").check();
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await page.getByRole("heading", { name: "选择要进入的组织" }).waitFor();
    await page.locator(".tenants button").first().click();
    await agreeIfAsked(page);
    await inCentre(page);
    await context.close();
  });
});

describe.skipIf(foundBrowser === undefined)("QR log-in", () => {
  let computer: BrowserContext;
  let phone: BrowserContext;
  const onPhone = (url: string): string => `${portal.address}${new URL(url).pathname}${new URL(url).search}`;
  async function showCode(): Promise<{ page: Page; url: string }> {
    computer = await portal.newContext();
    const { page } = await openPage(computer);
    await page.goto(`${portal.address}/login`);
    await page.getByRole("tab", { name: "扫码登录" }).click();
    const url = await page.locator("[data-url]").getAttribute("data-url");
    if (!url) throw new Error("no code");
    return { page, url };
  }
  async function scan(url: string): Promise<Page> {
    phone = await portal.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const { page } = await openPage(phone);
    // Not signed in yet: the log-in comes first and leads back here.
    await page.goto(onPhone(url));
    await page.waitForURL(/\/login\?/);
    await page.getByRole("button", { name: /周建平/ }).click();
    await page.waitForURL(/\/scan\?/);
    return page;
  }

  test("a phone lets the computer in", async () => {
    const { page, url } = await showCode();
    const hand = await scan(url);
    await hand.getByText(/Chrome|Headless/).waitFor();
    await page.getByText(/周\*\* 已扫码/).waitFor();
    await hand.getByRole("button", { name: "确认登录" }).tap();
    await inCentre(page);
    await hand.getByText("已确认登录").waitFor();
    // Once only: the same code on the phone again is used up.
    await hand.goto(onPhone(url));
    await hand.getByText("这个二维码不能用了").waitFor();
    await Promise.all([computer.close(), phone.close()]);
  });

  test("a phone that refuses lets nobody in, and another code can be had", async () => {
    const { page, url } = await showCode();
    const hand = await scan(url);
    await hand.getByRole("button", { name: "拒绝" }).tap();
    await page.getByText("手机上拒绝了登录").waitFor();
    await page.getByRole("button", { name: "刷新二维码" }).click();
    await page.locator(`[data-url]:not([data-url="${url}"])`).waitFor();
    await Promise.all([computer.close(), phone.close()]);
  });

  test("a stolen key in another browser gets neither the state nor the session, even after it was confirmed", async () => {
    const { page, url } = await showCode();
    const qrcodeKey = new URL(url).searchParams.get("qrcodeKey");
    // The owner's page must not take the session before the thief has tried.
    await page.route("**/qrcode/check", () => undefined);
    const hand = await scan(url);
    await hand.getByRole("button", { name: "确认登录" }).tap();
    await hand.getByText("已确认登录").waitFor();
    const thief = await portal.newContext();
    const { page: elsewhere } = await openPage(thief);
    await elsewhere.goto(`${portal.address}/login`);
    const stolen = await elsewhere.evaluate(
      async ({ qrcodeKey, basic }) => {
        const headers = { Authorization: basic, "Content-Type": "application/json" };
        const check = await fetch("/api/muyuan-auth/oauth/skip-secure/qrcode/check", {
          method: "POST",
          headers,
          body: JSON.stringify({ qrcodeKey }),
        });
        const token = await fetch("/api/muyuan-auth/oauth/token", {
          method: "POST",
          headers: { Authorization: basic },
          body: new URLSearchParams({ grant_type: "qrcode", qrcodeKey: qrcodeKey ?? "" }),
        });
        return {
          check: ((await check.json()) as { data: unknown }).data,
          status: token.status,
          token: (await token.json()) as Record<string, unknown>,
        };
      },
      { qrcodeKey, basic },
    );
    expect(stolen.check).toEqual({ status: 4 });
    expect(stolen.status).toBe(400);
    expect(stolen.token.access_token).toBeUndefined();
    await page.unroute("**/qrcode/check");
    await Promise.all([computer.close(), phone.close(), thief.close()]);
  });

  test("a code without answers is given up after its three minutes", async () => {
    const away = await portal.newContext();
    const { page: alone } = await openPage(away);
    await alone.clock.install();
    await alone.goto(`${portal.address}/login`);
    await alone.getByRole("tab", { name: "扫码登录" }).click();
    await alone.locator("[data-url]").waitFor();
    await alone.route("**/qrcode/check", (route) => route.abort());
    await alone.clock.fastForward(10_000);
    expect(await alone.getByText("二维码已过期").count()).toBe(0);
    await alone.clock.fastForward(175_000);
    await alone.getByText("二维码已过期").waitFor();
    await away.close();
  });

  test("a code that never was is refused on the phone in words", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await portal.logInAsDemo(page, "周建平");
    await page.goto(`${portal.address}/scan?qrcodeKey=nothing`);
    await page.getByText("这个二维码不能用了").waitFor();
    await context.close();
  });
});
