import { describe, expect, test } from "vitest";
import { screens } from "../../apps/web/app/screens.ts";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser, openPage, settled } from "../harness/browser.ts";
import { usePortal } from "../harness/portal.ts";
import { sessionOfDemo } from "../harness/session.ts";

const portal = usePortal();

/** Each width with one of the two themes, each account with one of the two languages: every value meets every screen. */
const ways = [
  { account: "admin", width: 1440, colorScheme: "dark", lang: "zh" },
  { account: "admin", width: 390, colorScheme: "light", lang: "en" },
  { account: "farm", width: 1440, colorScheme: "light", lang: "en" },
  { account: "farm", width: 390, colorScheme: "dark", lang: "zh" },
] as const;

const open = ["/index", "/404", "/login", "/register", "/findPass", "/findAcc"];

describe.skipIf(foundBrowser === undefined)("axe finds nothing, and nothing is wider than the page", () => {
  test.each(ways)(
    "$account, $width px, $colorScheme, $lang",
    async ({ account, width, colorScheme, lang }) => {
      const context = await portal.newContext({ viewport: { width, height: 900 }, colorScheme });
      await context.addCookies([{ name: "langType", value: lang, url: portal.address }]);
      const { page, problems } = await openPage(context);
      const look = async (path: string): Promise<void> => {
        await page.goto(portal.address + path);
        await settled(page);
        expect.soft(await violationsOf(page), path).toEqual([]);
        const wider = await page.evaluate(() => {
          const { documentElement: root } = (
            globalThis as unknown as { document: { documentElement: { scrollWidth: number; clientWidth: number } } }
          ).document;
          return root.scrollWidth - root.clientWidth;
        });
        expect.soft(wider, `${path} is wider than the page`).toBeLessThanOrEqual(0);
      };
      for (const path of open) await look(path);
      const session = await sessionOfDemo(portal.address, account);
      await page.evaluate((items) => {
        for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
      }, session);
      const paths = [
        ...screens.map(({ path }) => path),
        "/scan?qrcodeKey=gone",
        "/authorize?authorizeKey=gone",
        "/endSession",
      ];
      for (const path of paths) await look(path);
      // A page that is not found and a request that is gone say so by their status, which the browser notes as an error.
      expect(problems.filter((problem) => !/status of 40[04]/.test(problem))).toEqual([]);
      await context.close();
    },
    120_000,
  );
});
