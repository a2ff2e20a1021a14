import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { userInfo } from "@herdwise/contract";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox } from "../../apps/mall-sandbox/src/sandbox.ts";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp, webBuild } from "../harness/app.ts";
import { foundBrowser } from "../harness/browser.ts";
import { keepSession, openPage, useBrowser } from "../harness/portal.ts";
import { dragPuzzle } from "../harness/puzzle.ts";
import { sessionOfDemo } from "../harness/session.ts";

/** A server in this process, so that its clock and its rows can be moved while a browser looks. */
let app: TestApp;
const connected = useBrowser();
let address: string;
/** Where the mall is; the sandbox behind it needs the portal's address, and the portal the mall's. */
let mall: Server;
let mallAddress: string;

beforeAll(async () => {
  if (foundBrowser === undefined) return;
  mall = createServer();
  await new Promise<void>((resolve) => mall.listen(0, "127.0.0.1", resolve));
  mallAddress = `http://127.0.0.1:${(mall.address() as AddressInfo).port}`;
  const secret = "of-the-mall-and-the-portal";
  app = await createTestApp(
    { MALL_URL: mallAddress, MALL_SECRET: secret, CUSTOMER_SERVICE_URL: `${mallAddress}/pc/chat?kind=pig` },
    {},
    webBuild,
  );
  address = await app.listen();
  const sandbox = createSandbox({ portal: address, secret });
  mall.on("request", (request, response) => sandbox.emit("request", request, response));
});
afterAll(async () => {
  mall?.closeAllConnections();
  mall?.close();
  await app?.close();
});

/** A context that is signed in as a demo account. */
async function signedIn(account: string): Promise<BrowserContext> {
  const context = await connected.browser.newContext();
  await keepSession(context, await sessionOfDemo(address, account));
  return context;
}

const query = (text: string, values: unknown[]) => app.test.database.pool.query(text, values);

describe.skipIf(foundBrowser === undefined)("two tabs of one browser", () => {
  test.each([
    ["one renewal goes out where tabs can agree", true, 1],
    ["where they can't, as on plain http, both renewals are good", false, 2],
  ] as const)("when the session has come of age %s, and both stay signed in", async (_name, locks, max) => {
    const context = await signedIn("farm");
    if (!locks) {
      await context.addInitScript(() => Object.defineProperty(navigator, "locks", { value: undefined }));
    }
    const renewals: string[] = [];
    let holdBack: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      holdBack = resolve;
    });
    // The first renewal waits until the other tab has had its turn to begin one, too.
    await context.route("**/oauth/token", async (route) => {
      renewals.push(new URLSearchParams(route.request().postData() ?? "").get("refresh_token") ?? "");
      if (renewals.length === 1) await held;
      await route.continue();
    });
    const tabs = [(await openPage(context)).page, (await openPage(context)).page];
    for (const tab of tabs) {
      await tab.goto(`${address}/selfCenter/safeManage`);
      await tab.locator("#main h1").first().waitFor();
    }
    const [one, two] = tabs as [Page, Page];
    const before = await one.evaluate(() => {
      localStorage.setItem("auth_time", String(Date.now() - 3_000_000));
      return { token: localStorage.token, refreshToken: localStorage.refresh_token };
    });
    // What the browser says when a person comes back to a tab.
    const look = (tab: Page) => tab.evaluate('void document.dispatchEvent(new Event("visibilitychange"))');
    const lookUntil = (tab: Page, count: number) =>
      expect
        .poll(async () => {
          // Repeated, as a tab may still be hydrating or behind on the other's storage; it has one renewal under way at most.
          await look(tab);
          return renewals.length;
        })
        .toBe(count);
    await lookUntil(one, 1);
    if (locks) await look(two);
    else await lookUntil(two, 2);
    holdBack();
    await expect.poll(() => one.evaluate(() => localStorage.token)).not.toBe(before.token);
    // Looked at again, both know that it was done.
    await look(one);
    await look(two);
    for (const tab of tabs) {
      await tab.reload();
      await tab.locator("#main h1").first().waitFor();
      expect(new URL(tab.url()).pathname).toBe("/selfCenter/safeManage");
    }
    expect(renewals).toHaveLength(max);
    expect(new Set(renewals)).toEqual(new Set([before.refreshToken]));
    const stored = await two.evaluate(() => localStorage.token);
    expect((await app.get(userInfo.path, stored)).status).toBe(200);
    await context.close();
  });
});

describe.skipIf(foundBrowser === undefined)("QR log-in", () => {
  test("a code whose three minutes are over is told by the server as expired, on the computer and on the phone", async () => {
    const computer = await connected.browser.newContext();
    const { page } = await openPage(computer);
    await page.goto(`${address}/login`);
    await page.getByRole("tab", { name: "扫码登录" }).click();
    const url = new URL((await page.locator("[data-url]").getAttribute("data-url")) ?? "");
    await app.pass(179);
    const alive = await page.waitForResponse((answer) => answer.url().includes("/qrcode/check"));
    expect(((await alive.json()) as { data: unknown }).data).toEqual({ status: 0 });
    await app.pass(22);
    const over = await page.waitForResponse((answer) => answer.url().includes("/qrcode/check"));
    expect(((await over.json()) as { data: unknown }).data).toEqual({ status: 4 });
    await page.getByText("二维码已过期").waitFor();

    const phone = await signedIn("worker");
    const { page: hand } = await openPage(phone);
    await hand.goto(address + url.pathname + url.search);
    await hand.getByText("这个二维码不能用了").waitFor();

    // Another code works at once.
    await page.getByRole("button", { name: "刷新二维码" }).click();
    await page.locator(`[data-url]:not([data-url="${url.href}"])`).waitFor();
    await Promise.all([computer.close(), phone.close()]);
  });
});

describe.skipIf(foundBrowser === undefined)("a password that an administrator reset", () => {
  const mustChange = (account: string) =>
    query("update accounts set password_must_change = true where account = $1", [account]);

  test("must be changed before anything else: the log-in page asks for another and goes on to where one was headed", async () => {
    const context = await signedIn("liuyang");
    const { page } = await openPage(context);
    await page.goto(`${address}/selfCenter/safeManage`);
    await page.locator("#main h1").first().waitFor();
    await mustChange("liuyang");
    // The open session is let through to nothing: 412 leads to the log-in.
    const refused = page.waitForResponse((answer) => answer.status() === 412);
    await page.goto(`${address}/selfCenter/vet/environment/overview?status=major`);
    await refused;
    await page.waitForURL(/\/login\?redirect=/);
    await page.getByRole("button", { name: "企业", exact: true }).click();
    await page.locator("#account").fill("liuyang");
    await page.locator("#password").fill(demoPassword);
    await dragPuzzle(page);
    await page.getByLabel("我已阅读并同意").check();
    await page.getByRole("button", { name: "登录", exact: true }).click();

    await page.getByRole("heading", { name: "请设置新密码" }).waitFor();
    await page.locator("#new-password").fill(demoPassword);
    await page.locator("#confirm-password").fill(demoPassword);
    await page.getByRole("button", { name: "保存并继续" }).click();
    await page.locator("#new-password-problem").getByText("新密码不能与原密码相同").waitFor();
    await page.locator("#new-password").fill("Straw-bale-31");
    await page.locator("#confirm-password").fill("Straw-bale-31");
    await page.getByRole("button", { name: "保存并继续" }).click();
    const agree = page.getByRole("button", { name: "同意并继续" });
    await Promise.race([agree.waitFor(), page.waitForURL(/environment\/overview/)]);
    if (await agree.isVisible()) await agree.click();
    await page.waitForURL(/environment\/overview\?status=major/);
    await page.locator("#main h1").first().waitFor();
    const { rows } = await query("select password_must_change as must from accounts where account = 'liuyang'", []);
    expect(rows).toEqual([{ must: false }]);
    await context.close();
  });

  test("lets nobody past by the address: every screen leads back to the log-in", async () => {
    await mustChange("wangzq");
    const context = await signedIn("wangzq");
    const { page } = await openPage(context);
    for (const path of ["/selfCenter/home", "/selfCenter/safeManage", "/selfCenter/equipmentManage/allDevices"]) {
      await page.goto(address + path);
      await page.waitForURL(/\/login/);
    }
    await context.close();
    await query("update accounts set password_must_change = false where account = 'wangzq'", []);
  });
});

describe.skipIf(foundBrowser === undefined)("the mall", () => {
  test("customer service opens in a window of its own, and knows a signed-in person by the encoded id", async () => {
    const context = await signedIn("farm");
    const { page, problems } = await openPage(context);
    await page.goto(`${address}/selfCenter/home`);
    await page.locator("#main h1").first().waitFor();
    const userId = await page.evaluate(() => (JSON.parse(localStorage.user_info) as { user_id: string }).user_id);
    const answer = page.waitForResponse((one) => one.url().includes("/customer/service/getByShopId"));
    const opened = context.waitForEvent("page");
    await page.locator(".account-menu").click();
    await page.getByRole("button", { name: "联系客服" }).click();
    const asked = new URL((await answer).url());
    expect(Object.fromEntries(asked.searchParams)).toEqual({ type: "qidian", shopId: "-1" });
    expect(((await (await answer).json()) as { code: number }).code).toBe(1);
    const chat = await opened;
    await chat.waitForURL(/\/pc\/chat/);
    const target = new URL(chat.url());
    expect(target.origin).toBe(mallAddress);
    expect(target.searchParams.get("kind")).toBe("pig");
    expect(Buffer.from(target.searchParams.get("auth") ?? "", "base64").toString()).toBe(userId);
    // The other site learns neither who opened it nor from which page.
    expect(await chat.evaluate('[window.opener, document.referrer.includes("selfCenter")]')).toEqual([null, false]);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("before the log-in it opens without a person", async () => {
    const context = await connected.browser.newContext();
    const { page } = await openPage(context);
    await page.goto(`${address}/login`);
    const opened = context.waitForEvent("page");
    await page.getByRole("button", { name: "联系客服" }).click();
    const chat = await opened;
    await chat.waitForURL(/\/pc\/chat/);
    expect(new URL(chat.url()).searchParams.has("auth")).toBe(false);
    await context.close();
  });

  test("the mall itself knows who came", async () => {
    const context = await signedIn("farm");
    const { page } = await openPage(context);
    // Clicked while the code that the home screen asks for is still to come: the link waits for one of its own.
    let answerLate: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      answerLate = resolve;
    });
    let codes = 0;
    await page.route("**/mall-auth-server/user/login/muyuan/code", async (route) => {
      codes += 1;
      if (codes === 1) await late;
      await route.continue();
    });
    await page.goto(`${address}/selfCenter/home`);
    const opened = context.waitForEvent("page");
    await page.locator(".top").getByRole("button", { name: "商城" }).click();
    answerLate();
    const shop = await opened;
    await shop.getByText("已登录 Signed in").waitFor();
    await shop.getByText("farm", { exact: true }).waitFor();
    // The one-time code has left the address bar.
    expect(new URL(shop.url()).search).toBe("");
    expect(codes).toBe(2);
    await context.close();
  });
});

describe.skipIf(foundBrowser === undefined)("a screen that the menu lacks", () => {
  test("names what is missing and who grants it; a request reaches the owner once; after the grant the screen opens", async () => {
    const context = await signedIn("chenxiao");
    const { page, problems } = await openPage(context);
    await page.goto(`${address}/selfCenter/equipmentManage/allDevices`);
    await page.getByRole("heading", { level: 1, name: "没有访问权限" }).waitFor();
    const missing = await page.locator(".missing").innerText();
    for (const word of ["全部设备", "device_all", "企业主", "中原牧业有限公司"]) expect(missing).toContain(word);
    expect(await page.title()).toContain("没有访问权限");
    await page.getByRole("button", { name: "申请权限" }).click();
    await page.getByText("已经发消息给企业主").waitFor();
    expect(await page.getByRole("button", { name: "已申请" }).isDisabled()).toBe(true);
    // On another visit it is not sent anew.
    await page.reload();
    await page.getByRole("button", { name: "申请权限" }).click();
    await page.getByText("一天内已经申请过").waitFor();
    const owner = await app.logIn("farm");
    const { body } = await app.get<{ records: { title: string; content: string }[] }>(
      "/api/muyuan-message-center/message/page/user",
      owner,
    );
    expect(body.data.records.filter(({ content }) => content.includes("device_all"))).toHaveLength(1);

    // The grant comes after the answer to the first look.
    const looked = page.waitForResponse((answer) => answer.url().includes("/muyuan-system/menu/routes"));
    await page.getByRole("button", { name: "重新检查" }).click();
    await looked;
    await page.getByRole("heading", { level: 1, name: "没有访问权限" }).waitFor();
    await query(
      `insert into role_menus (role_id, menu_id) select r.id, n.id from roles r, menus n
       where r.tenant_id = '100002' and r.role_alias = 'finance' and n.code = 'device_all'`,
      [],
    );
    await page.getByRole("button", { name: "重新检查" }).click();
    await page.getByRole("heading", { level: 1, name: "全部设备" }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a screen of the group's staff is nothing that a customer could ask for", async () => {
    const context = await signedIn("farm");
    const { page } = await openPage(context);
    await page.goto(`${address}/system/user`);
    await page.getByText("这个页面供集团员工使用").waitFor();
    expect(await page.getByRole("button", { name: "申请权限" }).count()).toBe(0);
    await context.close();
  });

  test("a refusal stands at the button, in English as well", async () => {
    const token = await app.logIn("vet", "100003");
    await query("update accounts set status = 2 where account = 'heqing'", []);
    await query(
      `delete from membership_roles where membership_id = (select m.id from memberships m join accounts a on a.id = m.account_id
       where a.account = 'vet' and m.tenant_id = '100003')`,
      [],
    );
    const context = await connected.browser.newContext();
    await context.addCookies([{ name: "langType", value: "en", url: address }]);
    const { page } = await openPage(context);
    await page.addInitScript((value) => {
      localStorage.setItem("token", value);
      localStorage.setItem("tenant_id", "100003");
      localStorage.setItem("auth_time", String(Date.now()));
    }, token);
    await page.goto(`${address}/selfCenter/vet/environment/overview`);
    await page.getByRole("heading", { level: 1, name: "No access" }).waitFor();
    await page.getByRole("button", { name: "Request access" }).click();
    await page.getByText("Nobody in this organization can give roles").waitFor();
    await context.close();
    await query("update accounts set status = 1 where account = 'heqing'", []);
  });
});
