import { cancellationDeskPage, type DeskCancellation, type Page } from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { apiOf } from "../harness/departments.ts";
import { openAs } from "../harness/journeys.ts";
import { usePortal } from "../harness/portal.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("the desk of cancellations", () => {
  test.each([1440, 390])("a queue is found by its link, narrowed, and leads to a row: %s px", async (width) => {
    const { records } = await apiOf(
      portal,
      "admin",
    )<Page<DeskCancellation>>(`${cancellationDeskPage.path}?queue=done&size=20`);
    const [row] = records;
    if (!row) throw new Error("the demo has no cancellation that ended");
    const { context, page } = await openAs(portal, "admin", { lang: "zh", width });
    await page.goto(`${portal.address}/customer/cancellation?queue=done&kind=${row.kind}`);
    const links = page.locator("a[href*='cancellation/detail?id=']");
    await links.first().waitFor();
    expect(await page.locator("nav [aria-current=true]").last().textContent()).toMatch(/^办完的/);
    expect(await links.count()).toBe(records.filter(({ kind }) => kind === row.kind).length);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("searchbox", { name: "客户" }).fill("没有这位客户");
    await page.getByRole("heading", { name: "2 个筛选下没有注销" }).waitFor();
    await page.getByRole("searchbox", { name: "客户" }).fill("");
    await links.first().click();
    await page.getByRole("heading", { name: row.title }).waitFor();
    await context.close();
  });
});
