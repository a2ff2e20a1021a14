import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { foundBrowser, settled } from "../harness/browser.ts";
import { customerRoutes } from "../harness/customer-routes.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { isInTurn } from "../harness/volume.ts";

const portal = usePortal();
const paths = customerRoutes.map(({ path }) => path);

/** Paths of the links that are seen in a part of the page. */
const linksIn = (page: Page, part: string): Promise<string[]> =>
  page
    .locator(`:is(${part}) a[href]:visible`)
    .evaluateAll((links) => links.map((link) => (link as unknown as { pathname: string }).pathname));
const pathOf = (page: Page): string => new URL(page.url()).pathname;
interface Heading {
  dataset: Record<string, string>;
  textContent: string;
}
const failed = /服务器出错了|没有访问权限|页面不存在/;

describe.skipIf(foundBrowser === undefined)("the self-centre by its menu", () => {
  test("each route opens by its entry, and one without an entry by the link of the screen above it", async () => {
    const context = await portal.signedIn("farm", { viewport: { width: 1440, height: 900 } });
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/home`);
    await settled(page);
    const opened = new Map<string, string>();
    /** Clicks a link to a path, and looks at what comes. */
    const click = async (part: string, path: string): Promise<void> => {
      const heading = page.locator("main h1").first();
      const before = await heading.evaluate((element) => {
        const { dataset, textContent } = element as unknown as Heading;
        dataset.before = "";
        return textContent;
      });
      await page
        .locator(`:is(${part}) a[href]:visible`)
        .and(page.locator(`a[href="${path}"], a[href^="${path}?"]`))
        .first()
        .click();
      await page.waitForURL((url) => url.pathname === path);
      // The address changes first; a busy machine draws the screen later.
      await expect
        .poll(() =>
          heading.evaluate((element, was) => {
            const { dataset, textContent } = element as unknown as Heading;
            return dataset.before === undefined || textContent !== was;
          }, before),
        )
        .toBe(true);
      await settled(page).catch((cause: unknown) => {
        throw new Error(`${path} is not at rest`, { cause });
      });
      expect.soft(await heading.innerText(), path).not.toBe("");
      expect.soft(failed.test(await page.locator("main").innerText()), path).toBe(false);
    };
    const menu = "aside.side, header.top nav";
    const groups = await linksIn(page, "header.top nav");
    expect(groups.length).toBeGreaterThan(2);
    // What the menu has, by the group that leads there.
    const groupOf = new Map<string, string>();
    for (const group of new Set(groups)) {
      if (pathOf(page) !== group) await click("header.top nav", group);
      // The menu at the side becomes that of the group.
      await page.locator(`aside.side a[href^="${group}"]:visible`).first().waitFor();
      for (const path of [group, ...(await linksIn(page, "aside.side"))])
        if (!groupOf.has(path)) groupOf.set(path, group);
    }
    const go = async (entry: string): Promise<void> => {
      if (pathOf(page) === entry) return;
      if (!(await linksIn(page, menu)).includes(entry)) await click("header.top nav", groupOf.get(entry) ?? "");
      if (pathOf(page) !== entry) await click(menu, entry);
    };
    const isMissing = (path: string): boolean => paths.includes(path) && !opened.has(path) && !groupOf.has(path);
    const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));
    /** Follows what a screen links that the menu has not, and what that links. */
    const follow = async (from: string): Promise<void> => {
      for (const path of new Set(await linksIn(page, "main"))) {
        if (!isMissing(path)) continue;
        await click("main", path);
        opened.set(path, from);
        await follow(path);
        // One that the screen below left goes on from the menu's entry.
        if (groupOf.has(from)) await go(from);
        else return;
      }
    };
    // Of entries that lead to nothing else a third is clicked in each run; the others are there to be clicked.
    const leadsOn = (entry: string): boolean =>
      paths.some((path) => isMissing(path) && [folderOf(entry), entry].includes(folderOf(path)));
    for (const [at, entry] of [...groupOf.keys()].entries()) {
      // An overview that the specification does not name may be what leads to a detail that it names.
      if (!paths.includes(entry) && !leadsOn(entry)) continue;
      if (isInTurn(at, 3) || leadsOn(entry)) await go(entry);
      opened.set(entry, "menu");
      if (pathOf(page) === entry) await follow(entry);
    }
    await click("header.top", "/selfCenter/home");
    opened.set("/selfCenter/home", "the name at the top");
    expect(paths.filter((path) => !opened.has(path))).toEqual([]);
    // What the specification hides from the menu is not in it.
    const hidden = customerRoutes.filter(({ route }) => /hidden|not in the menu|under its list/.test(route));
    expect(hidden.filter(({ path }) => opened.get(path) === "menu")).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });
});
