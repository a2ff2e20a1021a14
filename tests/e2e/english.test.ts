import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { demoAccounts, demoMembers } from "../../apps/server/src/database/seeds/demo.ts";
import { screens } from "../../apps/web/app/screens.ts";
import { foundBrowser, openPage, settled } from "../harness/browser.ts";
import { usePortal } from "../harness/portal.ts";

const portal = usePortal();

/** Names of people, which nothing translates, longest first, and the brand and the other language's name. */
const names = [
  "慧牧",
  // The way to the other language is named in it.
  "切换到中文",
  "中文",
  ...[...demoAccounts, ...demoMembers].flatMap(({ realName }) => [realName, [...realName][0] ?? ""]),
]
  .filter((name) => name !== "")
  .sort((a, b) => b.length - a.length);

/** Tenants that other tests register on the shared server are called after their owner. */
const registered = /\S+ 的农场/g;

/** Holds that no Chinese is left in what a person sees or hears on the page, once everything has come. */
async function expectEnglish(page: Page, where: string, but = ""): Promise<void> {
  await settled(page);
  const left = async (): Promise<string[]> => (await chineseOn(page)).filter((text) => text !== but);
  // Texts that live streams bring are translated when they are there.
  let last: string[] = [];
  await expect
    .poll(
      async () => {
        last = await left();
        return last.length;
      },
      { timeout: 5000 },
    )
    .toBe(0)
    .catch(() => undefined);
  expect.soft(last, where).toEqual([]);
}

async function chineseOn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    interface Element {
      style: { display: string };
      getAttribute(name: string): string | null;
    }
    const { body } = (
      globalThis as unknown as {
        document: { body: { innerText: string; querySelectorAll(s: string): Iterable<Element> } };
      }
    ).document;
    // What says of itself that it is Chinese (a text beside its translation) is meant to be.
    const chinese = [...body.querySelectorAll("[lang^=zh]")].map((element) => ({ element, ...element.style }));
    for (const { element } of chinese) element.style.display = "none";
    const spoken = [...body.querySelectorAll("[aria-label],[title],[placeholder],[alt]")].flatMap((element) =>
      ["aria-label", "title", "placeholder", "alt"].map((name) => element.getAttribute(name) ?? ""),
    );
    const seen = body.innerText.split("\n");
    for (const { element, display } of chinese) element.style.display = display;
    return [...seen, ...spoken];
  });
  return [...new Set(texts)]
    .map((text) => names.reduce((rest, name) => rest.replaceAll(name, ""), text).replaceAll(registered, ""))
    .filter((text) => /[\u4e00-\u9fff]/.test(text));
}

describe.skipIf(foundBrowser === undefined)("a crawl in English finds no text without a translation", () => {
  test.each(["/index", "/no/such/page", "/login", "/register", "/findPass", "/findAcc"])("%s", async (path) => {
    const context = await portal.newContext();
    await context.addInitScript(() => localStorage.setItem("langType", "en"));
    const { page } = await openPage(context);
    await page.goto(`${portal.address}${path}?lang=en`);
    await page.locator("h1").first().waitFor();
    await expectEnglish(page, path);
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      await expectEnglish(page, `${path}, ${await tab.innerText()}`);
    }
    await context.close();
  });

  test.each([
    ["an owner", /Owner of 3 farms/],
    ["an administrator of the group", /Group administrator/],
  ])(
    "every screen behind the log-in as %s, those that the menu lacks among them, and the two pages of others",
    async (_who, account) => {
      const context = await portal.newContext();
      await context.addInitScript(() => localStorage.setItem("langType", "en"));
      const { page } = await openPage(context);
      await page.goto(`${portal.address}/login?lang=en`);
      await page.getByRole("button", { name: account }).click();
      await page.waitForURL((url) => !url.pathname.startsWith("/login"));
      const paths = [
        ...screens.map((screen) => screen.path),
        "/scan?qrcodeKey=gone",
        "/authorize?authorizeKey=gone",
        "/endSession",
      ];
      let refused = 0;
      for (const path of paths) {
        await page.goto(portal.address + path);
        await expectEnglish(page, path);
        expect.soft((await page.title()).replace("慧牧", ""), path).not.toMatch(/[\u4e00-\u9fff]/);
        refused += await page.locator(".exception .missing").count();
      }
      // What one may not see is the other's to see: both kinds of pages were looked at.
      expect(refused).toBeGreaterThan(0);
      await context.close();
    },
    120_000,
  );

  test("a unit page, a device in its drawer, and what Ctrl-K finds", async () => {
    const context = await portal.newContext();
    await context.addInitScript(() => localStorage.setItem("langType", "en"));
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/login?lang=en`);
    await page.getByRole("button", { name: /Owner of 3 farms/ }).click();
    await page.waitForURL((url) => !url.pathname.startsWith("/login"));
    await page.goto(`${portal.address}/selfCenter/vet/environment/overview`);
    await page.locator("a.tile").first().click();
    await page.waitForURL(/environment\/unit/);
    await page.locator("h1").first().waitFor();
    await expectEnglish(page, "unit");
    await page.goto(`${portal.address}/selfCenter/equipmentManage/allDevices`);
    await page.locator("tbody tr").first().click();
    await page.getByRole("dialog").locator(".facts").first().waitFor();
    await expectEnglish(page, "drawer");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    // Found by what is shown and by what was entered.
    for (const word of ["Zhoujiaying", "周家营"]) {
      await page.locator(".palette input").fill(word);
      await page.locator(".palette [role=option]").getByText("Zhoujiaying").first().waitFor();
      await expectEnglish(page, `found by ${word}`, word);
    }
    await context.close();
  });
});
