import type { FarmNode } from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { expectEnglish } from "../harness/crawl.ts";
import { apiOf } from "../harness/departments.ts";
import { openAs, type Way, words } from "../harness/journeys.ts";
import { cutTextsOn, widerThanWindow } from "../harness/page-text.ts";
import { usePortal } from "../harness/portal.ts";
import { inTurn } from "../harness/volume.ts";

const portal = usePortal();
const ways = inTurn<Way>(
  [
    { lang: "zh", width: 1440, desk: 1440 },
    { lang: "en", width: 390, desk: 390 },
  ],
  2,
);

describe.skipIf(foundBrowser === undefined)("best days to sell", () => {
  test.each(ways)("from a unit to the answer under other assumptions: $lang, $width px", async ({ lang, width }) => {
    const { say, like } = words(lang);
    const tree = await apiOf(portal, "farm")<FarmNode[]>("/api/muyuan-farm/tree/list");
    const unit = tree
      .flatMap(({ houses }) => houses.flatMap(({ units }) => units))
      .filter(({ pigstyType, headCount }) => pigstyType === "fattening" && headCount > 0)
      .sort((a, b) => (b.averageWeightGrams ?? 0) - (a.averageWeightGrams ?? 0))[0];
    if (unit === undefined) throw new Error("the demo has no finishing pigs");
    const { page, context, problems } = await openAs(portal, "farm", { lang, width });
    await page.goto(`${portal.address}/selfCenter/vet/sellDays`);
    await page.getByText(say("先选一个单元")).waitFor();
    await page.getByRole("combobox", { name: say("选一个单元") }).selectOption(unit.id);
    const answer = page.getByRole("region", { name: say("哪天卖合算") }).getByRole("heading");
    await answer.waitFor();
    await page
      .getByRole("img", { name: like("{chart}，今天起 28 天，数字在下面的表里") })
      .locator("svg")
      .waitFor();
    const days = page.getByRole("region", { name: say("排到哪天") });
    await days.getByText(say("最合算")).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await cutTextsOn(page)).toEqual([]);
    expect(await widerThanWindow(page)).toBe(0);
    if (lang === "en") await expectEnglish(page, "best days to sell");

    // Dear feed moves the answer without a call, and stands in the address.
    const calls: string[] = [];
    page.on("request", (request) => request.url().includes("sell-days") && calls.push(request.url()));
    const before = await answer.innerText();
    await page.getByRole("slider", { name: say("料价") }).fill("500");
    await page.getByRole("slider", { name: say("生猪价") }).fill("-10");
    await expect.poll(() => answer.innerText()).not.toBe(before);
    await page.waitForURL(/price=-10.*feed=500|feed=500.*price=-10/);
    expect(calls.filter((url) => url.includes("/api/"))).toEqual([]);
    const moved = await answer.innerText();
    await page.reload();
    await expect.poll(() => answer.innerText()).toBe(moved);
    await page.getByRole("button", { name: say("看每一天") }).click();
    expect(await days.getByRole("rowheader").count()).toBe(29);
    await page.getByRole("button", { name: say("体重"), exact: true }).click();
    await page.waitForURL(/show=weight/);
    expect(problems).toEqual([]);
    await context.close();
  });
});
