import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoAccounts, demoDevices, demoTenants } from "../../apps/server/src/database/seeds/demo.ts";
import { screens } from "../../apps/web/app/screens.ts";
import { type ServerProcess, startServerProcess } from "../faults/server-process.ts";
import { foundBrowser, launchBrowser, openPage } from "../harness/browser.ts";

let server: ServerProcess;
let browser: Browser;
let dataDir: string;
let address: string;

beforeAll(async () => {
  if (foundBrowser === undefined) return;
  dataDir = await mkdtemp(join(tmpdir(), "herdwise-english-"));
  [server, browser] = await Promise.all([startServerProcess({ DATA_DIR: dataDir }), launchBrowser()]);
  address = `http://127.0.0.1:${server.httpPort}`;
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

/** Names that are data and have no machine to translate them here, longest first, and the brand and the other language's name. */
const names = [
  "慧牧",
  // The way to the other language is named in it.
  "切换到中文",
  "中文",
  ...demoAccounts.flatMap(({ realName, note }) => [realName, note, [...realName][0] ?? ""]),
  ...demoDevices().flatMap(({ name, house = "", unit = "" }) => [name, house, unit, `${house} ${unit}`]),
  ...demoTenants.flatMap(({ name, farms }) => [
    name,
    ...farms.flatMap((farm) => [
      farm.name,
      // As the small map writes it.
      farm.name.replace(/(商品场|保育场|繁殖场|公猪站|核心育种场|猪场)$/, ""),
      farm.regionName,
      farm.principal,
    ]),
  ]),
]
  .filter((name) => name !== "")
  .sort((a, b) => b.length - a.length);

/** Chinese that is left in what a person sees or hears on the page. */
async function chineseOn(page: Page): Promise<string[]> {
  await expect.poll(() => page.locator(".sk:visible").count(), { timeout: 10_000 }).toBe(0);
  const texts = await page.evaluate(() => {
    const { body } = (
      globalThis as unknown as {
        document: {
          body: {
            innerText: string;
            querySelectorAll(s: string): Iterable<{ getAttribute(n: string): string | null }>;
          };
        };
      }
    ).document;
    const spoken = [...body.querySelectorAll("[aria-label],[title],[placeholder],[alt]")].flatMap((element) =>
      ["aria-label", "title", "placeholder", "alt"].map((name) => element.getAttribute(name) ?? ""),
    );
    return [...body.innerText.split("\n"), ...spoken];
  });
  return [...new Set(texts)]
    .map((text) => names.reduce((rest, name) => rest.replaceAll(name, ""), text))
    .filter((text) => /[\u4e00-\u9fff]/.test(text));
}

describe.skipIf(foundBrowser === undefined)("a crawl in English finds no text without a translation", () => {
  test.each(["/index", "/no/such/page", "/login", "/register", "/findPass", "/findAcc"])("%s", async (path) => {
    const context = await browser.newContext();
    await context.addInitScript(() => localStorage.setItem("langType", "en"));
    const { page } = await openPage(context);
    await page.goto(`${address}${path}?lang=en`);
    await page.locator("h1").first().waitFor();
    expect(await chineseOn(page)).toEqual([]);
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      expect(await chineseOn(page)).toEqual([]);
    }
    await context.close();
  });

  test("every screen behind the log-in, the unit page, and the two pages of others", async () => {
    const context = await browser.newContext();
    await context.addInitScript(() => localStorage.setItem("langType", "en"));
    const { page } = await openPage(context);
    await page.goto(`${address}/login?lang=en`);
    await page
      .getByRole("button", { name: /Owner of 3 farms|周建平/ })
      .first()
      .click();
    await page.waitForURL((url) => !url.pathname.startsWith("/login"));
    const paths = [...screens.map((screen) => screen.path), "/scan?qrcodeKey=gone", "/authorize?authorizeKey=gone"];
    for (const path of paths) {
      await page.goto(address + path);
      await expect
        .poll(() => page.locator("h1:visible, h2:visible").count(), { timeout: 8000, message: `${path} has a heading` })
        .toBeGreaterThan(0);
      expect(await chineseOn(page), path).toEqual([]);
    }
    await page.goto(`${address}/selfCenter/vet/environment/overview`);
    await page.locator("a.tl").first().click();
    await page.waitForURL(/environment\/unit/);
    await page.locator("h1").first().waitFor();
    expect(await chineseOn(page)).toEqual([]);
    await context.close();
  }, 60_000);
});
