import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();

const palette = (page: Page) => page.getByRole("dialog", { name: /^(查找|Find)$/ });
const options = (page: Page) => palette(page).getByRole("option");
const chosen = (page: Page) => palette(page).locator('[role="option"][aria-selected="true"]');

/** Presses Ctrl-K as soon as the frame is there to hear it. */
async function press(page: Page): Promise<void> {
  await page.locator("header .account-menu").waitFor();
  await page.keyboard.press("Control+k");
}

async function openPalette(context: BrowserContext, path = "/selfCenter/home") {
  const opened = await openPage(context);
  await opened.page.goto(portal.address + path);
  await press(opened.page);
  await palette(opened.page).getByRole("combobox").waitFor();
  return opened;
}
const type = (page: Page, text: string) =>
  palette(page).getByRole("textbox").or(palette(page).getByRole("combobox")).fill(text);

describe.skipIf(foundBrowser === undefined)("Ctrl-K", () => {
  test("finds a house by first letters and opens it, and has it at the top the next time", async () => {
    await portal.copyOf("farm", "palette-opens", "13900004901");
    const context = await portal.signedIn("palette-opens");
    const { page, problems } = await openPalette(context);
    await type(page, "2hyfs");
    const house = options(page).filter({ hasText: "2 号育肥舍" }).first();
    await house.waitFor();
    expect(await house.innerText()).toContain("周家营商品场");
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/environment\/overview\?place=\d+/);
    await palette(page).waitFor({ state: "detached" });
    // Another browser of the same account knows it, too; the choice is sent when the hand rests.
    await page.waitForResponse((answer) => answer.url().includes("/preference/submit") && answer.ok());
    const other = await portal.signedIn("palette-opens");
    const { page: elsewhere } = await openPalette(other);
    await palette(elsewhere).getByText("最近打开").waitFor();
    await options(elsewhere).first().filter({ hasText: "2 号育肥舍" }).waitFor();
    expect(problems).toEqual([]);
    await Promise.all([context.close(), other.close()]);
  });

  test("finds devices by serial number, screens by English and pinyin; the arrows choose, Ctrl-Enter opens a new tab", async () => {
    const context = await portal.signedIn("farm");
    const { page, problems } = await openPalette(context);
    await type(page, "env-zjy-02");
    await options(page).filter({ hasText: "ENV-ZJY-02" }).waitFor();
    for (const [text, name] of [
      ["alarm centre", "告警中心"],
      ["gaojingzhongxin", "告警中心"],
      ["gjzx", "告警中心"],
      ["new work order", "提交售后工单"],
      ["tjshgd", "提交售后工单"],
      ["dark", "切换到深色"],
    ] as const) {
      await type(page, text);
      await options(page).filter({ hasText: name }).first().waitFor();
    }
    await type(page, "周家营");
    await options(page).filter({ hasText: "周家营商品场" }).nth(1).waitFor();
    const first = await chosen(page).innerText();
    await page.keyboard.press("ArrowDown");
    expect(await chosen(page).innerText()).not.toBe(first);
    await page.keyboard.press("ArrowUp");
    expect(await chosen(page).innerText()).toBe(first);
    const [tab] = await Promise.all([context.waitForEvent("page"), page.keyboard.press("Control+Enter")]);
    await tab.waitForURL(/\?place=\d+/);
    expect(await palette(page).isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await palette(page).waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await context.close();
  });

  test("masks a house, after asking for how long", async () => {
    await portal.copyOf("farm", "palette-mutes", "13900004902");
    const context = await portal.signedIn("palette-mutes");
    const { page, problems } = await openPalette(context);
    // Another word for it is understood, and answered with the glossary's.
    await type(page, "静音 4 号育肥舍");
    await options(page).filter({ hasText: "屏蔽 4 号育肥舍" }).first().waitFor();
    await page.keyboard.press("Enter");
    await palette(page).getByText("屏蔽“4 号育肥舍”多久").waitFor();
    // One step back, and again.
    await page.keyboard.press("Escape");
    await options(page).filter({ hasText: "屏蔽 4 号育肥舍" }).first().click();
    const sent = page.waitForRequest((request) => request.url().includes("/masking/submit"));
    await options(page).filter({ hasText: "30 分钟" }).click();
    expect((await sent).postDataJSON()).toMatchObject({ scope: "house", minutes: 30 });
    await page.getByText("已屏蔽“4 号育肥舍”").waitFor();
    await page.goto(`${portal.address}/selfCenter/vet/alarmRules?tab=masks`);
    await page.getByText("在查找里屏蔽").first().waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test("finds no devices of others, no people and no actions for a worker without those rights", async () => {
    const context = await portal.signedIn("liuyang");
    const { page } = await openPalette(context);
    for (const text of ["柳河", "屏蔽 1 号育肥舍", "成员管理", "xinzengjuese", "平台设置"]) {
      await type(page, text);
      await palette(page).getByText("没有找到").waitFor();
      expect(await options(page).count()).toBe(0);
    }
    await context.close();
  });

  test("an answer that comes late does not replace a newer one, and without the server the screens are found", async () => {
    const context = await portal.signedIn("farm");
    const { page } = await openPage(context);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/find/list?q=ENV*", async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await page.goto(`${portal.address}/selfCenter/home`);
    await press(page);
    const asked = page.waitForRequest(/find\/list\?q=ENV/);
    await type(page, "ENV-ZJY-03");
    await asked;
    await type(page, "清水保育场");
    await options(page).filter({ hasText: "清水保育场" }).first().waitFor();
    release();
    await page.evaluate(() =>
      fetch("/health/live").then(
        () => undefined,
        () => undefined,
      ),
    );
    expect(await options(page).filter({ hasText: "ENV-ZJY-03" }).count()).toBe(0);

    await page.route("**/find/list?*", (route) => route.abort());
    await type(page, "告警");
    await options(page).filter({ hasText: "告警中心" }).first().waitFor();
    await palette(page).getByText("连不上服务器").waitFor();
    await page.unroute("**/find/list?*");
    await context.close();
  });

  test("fills a phone, in English and dark", async () => {
    const context = await portal.signedIn("farm", {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      colorScheme: "dark",
    });
    await context.addCookies([{ name: "langType", value: "en", url: portal.address }]);
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/home`);
    await page.getByRole("button", { name: "Find", exact: true }).click();
    await type(page, "zhoujiaying");
    await options(page).filter({ hasText: "Zhoujiaying commercial farm" }).first().waitFor();
    const box = await palette(page).boundingBox();
    expect([box?.x, box?.y, box?.width, box?.height]).toEqual([0, 0, 390, 844]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(390);
    expect(await violationsOf(page)).toEqual([]);
    await palette(page).getByRole("button", { name: "Close" }).click();
    await palette(page).waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await context.close();
  });

  test("its scripts are fetched when it is opened, and take what was typed before", async () => {
    const context = await portal.signedIn("farm");
    const { page } = await openPage(context);
    const scripts: string[] = [];
    page.on("request", (request) => request.url().endsWith(".js") && scripts.push(request.url()));
    await page.goto(`${portal.address}/selfCenter/home`);
    await page.locator("header .account-menu").waitFor();
    await page.locator(".farm-rows li").first().waitFor();
    const before = scripts.length;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/*.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press("Control+k");
    await palette(page).waitFor();
    await page.keyboard.type("gao");
    release();
    // Typed across the moment at which the palette takes the place of its box.
    await page.keyboard.type("jingzhongxin", { delay: 50 });
    await options(page).filter({ hasText: "告警中心" }).first().waitFor();
    expect(await palette(page).getByRole("combobox").inputValue()).toBe("gaojingzhongxin");
    expect(scripts.length).toBeGreaterThan(before);
    await context.close();
  });
});
