import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publicClient } from "@herdwise/contract";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "../faults/server-process.ts";
import { foundBrowser, launchBrowser, openPage as openAnyPage } from "../harness/browser.ts";
import { dragPuzzle, keyPuzzle } from "../harness/puzzle.ts";

let server: ServerProcess;
let browser: Browser;
let dataDir: string;
let address: string;
const basic = `Basic ${btoa(`${publicClient.id}:${publicClient.secret}`)}`;
const demoPassword = "Herdwise#2026";

beforeAll(async () => {
  if (foundBrowser === undefined) return;
  dataDir = await mkdtemp(join(tmpdir(), "herdwise-e2e-"));
  [server, browser] = await Promise.all([startServerProcess({ DATA_DIR: dataDir }), launchBrowser()]);
  address = `http://127.0.0.1:${server.httpPort}`;
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

/** A page whose steps fail by themselves before the test's time is over, and so say which one it was. */
async function openPage(context: BrowserContext) {
  context.setDefaultTimeout(12_000);
  return openAnyPage(context);
}

const inCentre = (page: Page) => page.waitForURL(/\/selfCenter\//);

async function logInAsDemo(page: Page, name: string): Promise<void> {
  await page.goto(`${address}/login`);
  await page.getByRole("button", { name: new RegExp(name) }).click();
  await inCentre(page);
}

/** Logs in with name, password and the puzzle, as a person does. */
async function logInByPassword(page: Page, account: string, password: string, type = "个人"): Promise<void> {
  await page.goto(`${address}/login`);
  await page.getByRole("button", { name: type, exact: true }).click();
  await page.locator("#account").fill(account);
  await page.locator("#password").fill(password);
  await dragPuzzle(page);
  await page.getByLabel("我已阅读并同意").check();
  await page.getByRole("button", { name: "登录", exact: true }).click();
}

/** The digits of the newest message to a phone. */
async function codeSentTo(phone: string, not = ""): Promise<string> {
  for (let attempt = 0; attempt < 40; attempt++) {
    const answer = await fetch(`${address}/dev/outbox.json`);
    const messages = (await answer.json()) as { to: string; text: string }[];
    const digits = messages
      .filter(({ to }) => to === phone)
      .map(({ text }) => /\d{6}/.exec(text)?.[0] ?? "")
      .find((found) => found !== "" && found !== not);
    if (digits) return digits;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`nothing was sent to ${phone}`);
}

async function agreeIfAsked(page: Page): Promise<void> {
  const agree = page.getByRole("button", { name: "同意并继续" });
  await Promise.race([agree.waitFor(), inCentre(page)]);
  if (await agree.isVisible()) await agree.click();
}

const violationsOf = async (page: Page): Promise<string[]> => {
  const source = await readFile(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
  await page.evaluate(source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  });
};

describe.skipIf(foundBrowser === undefined)("log-in page", () => {
  test("the puzzle is solved by dragging, and the log-in leads on", async () => {
    const context = await browser.newContext();
    const { page, problems } = await openPage(context);
    await logInByPassword(page, "farm", demoPassword, "企业");
    await agreeIfAsked(page);
    await inCentre(page);
    expect(problems).toEqual([]);
    const stored = await page.evaluate(() => ({ os: localStorage.osType, admin: localStorage.adminType }));
    expect(stored).toEqual({ os: "WIN", admin: "selfCenter" });
    await page.waitForFunction(() => Boolean(localStorage.mall_token && localStorage.mallToken));
    await context.close();
  });

  test("the puzzle is solved with the keys alone; a wrong password says so at the field and asks for another puzzle", async () => {
    const context = await browser.newContext();
    const { page } = await openPage(context);
    await page.goto(`${address}/login`);
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
    const context = await browser.newContext();
    const { page } = await openPage(context);
    let tokens = 0;
    page.on("request", (request) => {
      if (request.url().includes("/oauth/token")) tokens += 1;
    });
    await page.goto(`${address}/login`);
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
    const context = await browser.newContext();
    const { page } = await openPage(context);
    await page.goto(`${address}/selfCenter/equipmentManage/allDevices?kind=environment`);
    await page.waitForURL(/\/login\?/);
    await page.getByRole("button", { name: "企业", exact: true }).click();
    await page.locator("#account").fill("farm");
    await page.locator("#password").fill(demoPassword);
    await dragPuzzle(page);
    await page.getByLabel("我已阅读并同意").check();
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await page.waitForURL(/allDevices\?kind=environment/);
    await context.close();
  });

  test("a code by SMS lets in; an account of two organizations chooses", async () => {
    const context = await browser.newContext();
    const { page } = await openPage(context);
    await page.goto(`${address}/login`);
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
    await page.locator("#sms-code").fill(await codeSentTo("13800000003"));
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
  const onPhone = (url: string): string => `${address}${new URL(url).pathname}${new URL(url).search}`;
  async function showCode(): Promise<{ page: Page; url: string }> {
    computer = await browser.newContext();
    const { page } = await openPage(computer);
    await page.goto(`${address}/login`);
    await page.getByRole("tab", { name: "扫码登录" }).click();
    const url = await page.locator("[data-url]").getAttribute("data-url");
    if (!url) throw new Error("no code");
    return { page, url };
  }
  async function scan(url: string): Promise<Page> {
    phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
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
    const thief = await browser.newContext();
    const { page: elsewhere } = await openPage(thief);
    await elsewhere.goto(`${address}/login`);
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
    const away = await browser.newContext();
    const { page: alone } = await openPage(away);
    await alone.clock.install();
    await alone.goto(`${address}/login`);
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
    const context = await browser.newContext();
    const { page } = await openPage(context);
    await logInAsDemo(page, "周建平");
    await page.goto(`${address}/scan?qrcodeKey=nothing`);
    await page.getByText("这个二维码不能用了").waitFor();
    await context.close();
  });
});

describe.skipIf(foundBrowser === undefined)("accounts", () => {
  test("registration by a code from the outbox opens an account that logs in", async () => {
    const context = await browser.newContext();
    const { page, problems } = await openPage(context);
    await page.goto(`${address}/register`);
    await page.locator("#username").fill("新农场主");
    await page.locator("#phone").fill("13912345678");
    await page.getByRole("button", { name: "注册", exact: true }).click();
    await page.getByText("请先获取验证码").waitFor();
    await page.getByText("请阅读并同意协议").waitFor();
    await page.getByRole("button", { name: "获取验证码" }).click();
    await dragPuzzle(page);
    await page.getByRole("button", { name: /秒后重发/ }).waitFor();
    await page.locator("#sms-code").fill(await codeSentTo("13912345678"));
    await page.locator("#new-password").fill("abcdef");
    await page.locator("#confirm-password").fill("abcdeg");
    await page.getByLabel("我已阅读并同意").check();
    await page.getByRole("button", { name: "注册", exact: true }).click();
    await page.locator("#new-password-problem").getByText("两种").waitFor();
    await page.locator("#confirm-password-problem").getByText("两次密码不一致").waitFor();
    await page.locator("#new-password").fill("Sow-litter-14");
    await page.getByText("密码强度：强").waitFor();
    await page.locator("#confirm-password").fill("Sow-litter-14");
    await page.getByRole("button", { name: "注册", exact: true }).click();
    await page.getByRole("heading", { name: "注册成功" }).waitFor();
    expect(problems).toEqual([]);
    await logInByPassword(page, "新农场主", "Sow-litter-14");
    await inCentre(page);
    await context.close();
  });

  test("three steps set another password, which ends what was open", async () => {
    const before = await browser.newContext();
    const { page: open } = await openPage(before);
    await logInAsDemo(open, "王小满");

    const context = await browser.newContext();
    const { page } = await openPage(context);
    await page.goto(`${address}/findPass`);
    await page.locator("#phone").fill("13800000004");
    await dragPuzzle(page);
    await page.getByRole("button", { name: "下一步" }).click();
    await page.locator("#sms-code").fill("000000");
    await page.getByRole("button", { name: "下一步" }).click();
    await page
      .locator("#sms-code-problem")
      .getByText(/验证码/)
      .waitFor();
    await page.locator("#sms-code").fill(await codeSentTo("13800000004"));
    await page.getByRole("button", { name: "下一步" }).click();
    await page.getByText("worker").waitFor();
    await page.locator("#new-password").fill("Barn-lamp-77");
    await page.locator("#confirm-password").fill("Barn-lamp-77");
    await page.getByRole("button", { name: "保存新密码" }).click();
    await page.getByRole("heading", { name: "密码已更新" }).waitFor();

    await open.goto(`${address}/selfCenter/safeManage`);
    await open.waitForURL(/\/login\?.*expired=1/);
    await logInByPassword(page, "worker", "Barn-lamp-77");
    await agreeIfAsked(page);
    await inCentre(page);
    await Promise.all([before.close(), context.close()]);
  });

  test("a forgotten name goes to the phone; the page says the same for a number without one", async () => {
    const context = await browser.newContext();
    const { page } = await openPage(context);
    const said: string[] = [];
    for (const number of ["13800000002", "13700000000"]) {
      await page.goto(`${address}/findAcc`);
      await page.locator("#phone").fill(number);
      await dragPuzzle(page);
      await page.getByRole("button", { name: "把账号名发给我" }).click();
      await page.getByRole("heading", { name: "请查看短信" }).waitFor();
      said.push((await page.locator(".done p").innerText()).replace(/1\d{2}\*{4}\d{4}/, "N"));
    }
    expect(said[0]).toBe(said[1]);
    await context.close();
  });

  test("a number that was typed survives reloads, refusals and the way to another page; passwords and codes are kept nowhere", async () => {
    const context = await browser.newContext();
    const { page } = await openPage(context);
    await page.goto(`${address}/findPass`);
    await page.locator("#phone").fill("12345");
    await page.getByRole("button", { name: "下一步" }).click();
    await page.locator("#phone-problem").getByText("手机号").waitFor();
    await page.locator("#phone").fill("138 0000 0099");
    await page.reload();
    expect(await page.locator("#phone").inputValue()).toBe("138 0000 0099");
    // The captcha is still asked for: only what was typed is remembered.
    await page.getByRole("button", { name: "下一步" }).click();
    await page.getByText("请完成安全验证").waitFor();
    await page.goto(`${address}/findAcc`);
    await page.locator("#phone").waitFor();
    expect(await page.locator("#phone").inputValue()).toBe("138 0000 0099");
    await page.goto(`${address}/register`);
    await page.locator("#username").fill("记住的名字");
    await page.locator("#new-password").fill("Kept-nowhere-5");
    await page.reload();
    expect(await page.locator("#username").inputValue()).toBe("记住的名字");
    expect(await page.locator("#new-password").inputValue()).toBe("");
    const kept = await page.evaluate<string>("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
    expect(kept).toContain("138 0000 0099");
    expect(kept).not.toContain("Kept-nowhere-5");
    await context.close();
  });

  test("a user name that is taken is told at its field, in English as well", async () => {
    const context = await browser.newContext();
    await context.addCookies([{ name: "langType", value: "en", url: address }]);
    const { page } = await openPage(context);
    await page.goto(`${address}/register`);
    await page.locator("#username").fill("farm");
    await page.locator("#phone").fill("13912340077");
    await page.getByRole("button", { name: "Get code" }).click();
    await dragPuzzle(page);
    await page.getByRole("button", { name: /Again in/ }).waitFor();
    await page.locator("#sms-code").fill(await codeSentTo("13912340077"));
    await page.locator("#new-password").fill("Sow-litter-14");
    await page.locator("#confirm-password").fill("Sow-litter-14");
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await page.locator("#username-problem").getByText("The user name [farm] is taken").waitFor();
    await context.close();
  });

  test("a session that ends under a form asks to log in again, and what was typed is still there", async () => {
    const context = await browser.newContext();
    const { page } = await openPage(context);
    await logInAsDemo(page, "周建平");
    await page.goto(`${address}/selfCenter/safeManage`);
    await page.locator("#old-password").fill(demoPassword);
    await page.locator("#new-password").fill("Feed-silo-2041");
    await page.evaluate(() => {
      localStorage.setItem("token", "gone");
      localStorage.setItem("refresh_token", "gone too");
    });
    await page.locator("#confirm-password").fill("Feed-silo-2041");
    await page.getByRole("button", { name: "保存新密码" }).click();
    await page.getByRole("dialog").getByText("登录已过期").waitFor();
    await page.locator("#again-password").fill(demoPassword);
    await dragPuzzle(page);
    await page.getByRole("dialog").getByRole("button", { name: "登录" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/selfCenter/safeManage");
    expect(await page.locator("#new-password").inputValue()).toBe("Feed-silo-2041");
    await context.close();
  });

  test("a session can be ended from another device", async () => {
    const [first, second] = [await browser.newContext(), await browser.newContext()];
    const [{ page: here }, { page: there }] = [await openPage(first), await openPage(second)];
    await logInAsDemo(here, "郑航");
    await logInAsDemo(there, "郑航");
    await here.goto(`${address}/selfCenter/safeManage`);
    await here.getByRole("button", { name: /上的登录/ }).click();
    await here.getByRole("dialog").getByRole("button", { name: "结束", exact: true }).click();
    await here.getByText("登录已结束").waitFor();
    await there.goto(`${address}/selfCenter/safeManage`);
    await there.waitForURL(/\/login\?/);
    await Promise.all([first.close(), second.close()]);
  });
});

/** A call of the API outside a browser, as a demo account. */
async function asDemo<T>(account: string, path: string, body: unknown): Promise<T> {
  const password = createHash("md5").update(demoPassword).digest("hex");
  const token = await fetch(`${address}/api/muyuan-auth/oauth/token`, {
    method: "POST",
    headers: { Authorization: basic },
    body: new URLSearchParams({ grant_type: "password", username: account, password, type: "account" }),
  });
  const { access_token: accessToken } = (await token.json()) as { access_token: string };
  const answer = await fetch(address + path, {
    method: "POST",
    headers: { Authorization: basic, "Muyuan-Auth": `bearer ${accessToken}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { data: T }).data;
}

describe.skipIf(foundBrowser === undefined)("elsewhere", () => {
  test("an application is let in with what was ticked, is listed, and is taken back", async () => {
    const redirectUri = `${address}/index`;
    const client = await asDemo<{ clientId: string }>("admin", "/api/muyuan-system/client/submit", {
      name: "饲料助手",
      webServerRedirectUri: redirectUri,
      scope: "openid,profile,tenant",
      publicClient: true,
    });
    const context = await browser.newContext();
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
    await page.goto(`${address}/api/muyuan-auth/oauth2/authorize?${request}`);
    // Not signed in: first the log-in, then this very request.
    await page.waitForURL(/\/login\?redirect=/);
    await page.getByRole("button", { name: /周建平/ }).click();
    await page.getByRole("heading", { name: /饲料助手/ }).waitFor();
    await page.getByText(new URL(address).host).first().waitFor();
    expect(await page.getByLabel(/确认您的身份/).isDisabled()).toBe(true);
    await page.getByLabel("读取您所属的企业或农场名称").uncheck();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "允许" }).click();
    await page.waitForURL(/\/index\?.*code=/);
    expect(new URL(page.url()).searchParams.get("state")).toBe("of-the-app");

    await page.goto(`${address}/selfCenter/safeManage`);
    await page.getByText("读取您的昵称和头像").waitFor();
    expect(await page.getByText("读取您所属的企业或农场名称").count()).toBe(0);
    await page.getByRole("button", { name: "收回 饲料助手 的授权" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "收回" }).click();
    await page.getByText("还没有应用使用您的账号").waitFor();

    await page.goto(`${address}/api/muyuan-auth/oauth2/authorize?${request}`);
    await page.getByRole("button", { name: "拒绝" }).click();
    await page.waitForURL(/\/index\?.*error=access_denied/);
    await context.close();
  });

  test("the mall opens in a new tab with a fresh code, and without one when its log-in fails", async () => {
    const context = await browser.newContext();
    const { page } = await openPage(context);
    await page.route("**/settings/skip-secure/public", (route) =>
      route.fulfill({
        json: {
          code: 200,
          success: true,
          data: { brandName: "慧牧", companySuffix: "", mallUrl: `${address}/mall`, demo: true },
          msg: "",
        },
      }),
    );
    await logInAsDemo(page, "周建平");
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
    const context = await browser.newContext();
    const { page } = await openPage(context);
    // Playwright sees that a beacon goes out, but not what is in it.
    await page.addInitScript(`{
      const send = navigator.sendBeacon.bind(navigator);
      navigator.sendBeacon = (url, body) => {
        globalThis.beacon = body;
        return send(url, body);
      };
    }`);
    await logInAsDemo(page, "周建平");
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
});

describe.skipIf(foundBrowser === undefined)("quality of the account area", () => {
  test.each([
    ["/login", "light", "zh"],
    ["/register", "dark", "en"],
    ["/findPass", "light", "en"],
    ["/findAcc", "dark", "zh"],
    ["/scan?qrcodeKey=nothing", "light", "zh"],
    ["/authorize?authorizeKey=nothing", "dark", "en"],
    ["/selfCenter/safeManage", "light", "en"],
    ["/selfCenter/safeManage", "dark", "zh"],
    // A screen that this account's menu lacks.
    ["/selfCenter/members", "light", "en"],
    ["/selfCenter/members", "dark", "zh"],
  ] as const)("axe finds nothing on %s in %s, %s, and nothing is left in Chinese", async (path, colorScheme, lang) => {
    const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
    await context.addCookies([{ name: "langType", value: lang, url: address }]);
    const { page } = await openPage(context);
    if (/scan|authorize|selfCenter/.test(path)) await logInAsDemo(page, "郑航");
    await page.goto(`${address}${path}`);
    await page.locator("main").locator("h1, h2").first().waitFor();
    if (!/scan|authorize|selfCenter|findA|findP/.test(path)) await page.locator("input").first().focus();
    await page
      .locator('.sk, .cap[data-step="loading"], .cap[data-step="asleep"]')
      .first()
      .waitFor({ state: "detached" });
    expect(await violationsOf(page)).toEqual([]);
    if (lang === "en") {
      const text = await page.locator("main").innerText();
      expect(
        text.replace(/慧牧|中文|中原牧业有限公司|东岗种猪集团|集团/g, "").match(/[\u4e00-\u9fff]{2,}/g) ?? [],
      ).toEqual([]);
    }
    await context.close();
  });
});
