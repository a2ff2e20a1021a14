import { type GroupStart, groupStart } from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { lookAt } from "../harness/crawl.ts";
import { apiOf } from "../harness/departments.ts";
import { openAs, words } from "../harness/journeys.ts";
import { usePortal } from "../harness/portal.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("the group's start", () => {
  test.each([
    { lang: "zh", width: 1366 },
    { lang: "en", width: 390 },
  ] as const)("shows what waits, and each figure opens its list: $lang, $width px", async ({ lang, width }) => {
    const { say } = words(lang);
    const { desks } = await apiOf(portal, "admin")<GroupStart>(groupStart.path);
    const waiting = desks.find(({ desk }) => desk === "site_form")?.waiting ?? 0;
    expect(waiting).toBeGreaterThan(0);
    const { context, page, problems } = await openAs(portal, "admin", { lang, width });
    await page.goto(`${portal.address}/selfCenter/home`);
    const row = page.getByRole("row").filter({ hasText: say("网站来单") });
    await row.waitFor();
    await lookAt(page, "the group's start", { width, alsoAt: [], lang });
    await row.getByRole("link", { name: String(waiting), exact: true }).click();
    await page.waitForURL(/\/content\/form/);
    // The menu of the list's area counts the same.
    if (width > 1000)
      await page
        .locator("aside.side")
        .getByRole("link", { name: `${say("网站来单")} ${waiting} 件待办` })
        .waitFor();
    await page.getByRole("heading", { level: 1, name: say("网站来单") }).waitFor();
    // The list itself says it, not the count in the menu.
    await page
      .locator("main")
      .getByText(new RegExp(`^${waiting}( 条)?$`))
      .first()
      .waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test("is not shown to customers, who see their farms", async () => {
    const { context, page } = await openAs(portal, "farm", { lang: "zh", width: 1366 });
    await page.goto(`${portal.address}/selfCenter/home`);
    await page.getByRole("heading", { name: "我的场区" }).waitFor();
    expect(await page.getByText("各台在等什么").count()).toBe(0);
    await context.close();
  });
});
