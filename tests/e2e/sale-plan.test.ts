import type { PlanBoard } from "@herdwise/contract";
import { planBoard } from "@herdwise/contract";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { lookAt } from "../harness/crawl.ts";
import { apiOf } from "../harness/departments.ts";
import { openAs, words } from "../harness/journeys.ts";
import { plannedFields, weekIn } from "../harness/plan-week.ts";
import { usePortal } from "../harness/portal.ts";

const portal = usePortal();
/** The button of a plan's card, by a part of what it says. */
const cardOf = (page: Page, words: string | RegExp) => page.locator("[data-state] > button").filter({ hasText: words });

describe.skipIf(foundBrowser === undefined)("board of sale plans", () => {
  test("shows a week, takes a new plan in a cell, approves several, moves what is over the capacity", async () => {
    await portal.copyOf("admin", "plan-author", "13900007100");
    const [admin, author] = [apiOf(portal), apiOf(portal, "plan-author")];
    const setUp = await plannedFields(admin, "PB", ["Plan region", "Plan farm one", "Plan farm two"]);
    const [mon = "", , wed = "", thu = "", fri = ""] = weekIn(5);
    await setUp.plan(author, 0, wed, 480);
    await setUp.act(admin, "approve", await setUp.plan(author, 0, wed, 120, { mode: "contract", pricePerKg: null }), 1);
    await setUp.plan(author, 1, mon, 240);
    await setUp.plan(admin, 1, wed, 130, { note: "早上装" });
    await setUp.plan(author, 1, thu, 77, { pricePerKg: null });
    const board = () => admin<PlanBoard>(`${planBoard.path}?from=${mon}&region=${setUp.region}`);
    const of = async (heads: number) =>
      (await board()).fields
        .flatMap(({ days }) => days.flatMap(({ day, plans }) => plans.map((plan) => ({ day, ...plan }))))
        .find((plan) => plan.heads === heads);

    const { context, page, problems } = await openAs(portal, "admin", { lang: "zh", width: 1440 });
    await page.goto(`${portal.address}/trade/plan?week=${mon}&region=${setUp.region}`);
    await page.getByText("1,047").waitFor();
    await cardOf(page, "480").getByText("超 1 车位").waitFor();
    await page.getByText("5/4 车", { exact: true }).waitFor();
    await lookAt(page, "board", { width: 1440, alsoAt: [1366], lang: "zh" });
    await page.setViewportSize({ width: 1440, height: 900 });

    // A cell knows its field and day.
    await page
      .getByRole("button", { name: /^新建计划：Plan farm two/ })
      .nth(1)
      .press("Enter");
    const drawer = page.getByRole("complementary", { name: "新建计划" });
    await expect.poll(() => drawer.locator("#row-field").inputValue()).toBe("Plan farm two");
    await drawer.locator("#row-category").selectOption("outer");
    await drawer.locator("#row-fromKg").fill("110");
    await drawer.locator("#row-toKg").fill("120");
    await drawer.locator("#row-heads").fill("99");
    await drawer.locator("#row-mode").selectOption("bidding");
    await drawer.getByRole("button", { name: "新建计划" }).click();
    await cardOf(page, "99").waitFor();
    expect(await of(99)).toMatchObject({ day: fri, state: "draft" });

    // Who wrote one of them does not approve it; the other ones go through.
    const choose = (heads: number) => page.getByRole("checkbox", { name: new RegExp(`120 kg ${heads} 头$`) }).check();
    await choose(240);
    await choose(130);
    await page.getByText("370 头").waitFor();
    await page.getByRole("button", { name: "批准 2 个" }).click();
    const told = page.getByRole("alert").filter({ hasText: "1 个计划没有办成" });
    await told.getByText("自己写的计划要别人批准").waitFor();
    expect(await told.getByRole("listitem").innerText()).toContain("130 头");
    await cardOf(page, "240").getByText("已批准").waitFor();
    expect(await of(130)).toMatchObject({ state: "draft" });
    await told.getByRole("button", { name: "关闭" }).click();
    await page.getByRole("button", { name: "取消选择" }).click();
    await choose(240);
    await page.getByRole("button", { name: "发布 1 个" }).click();
    await cardOf(page, "240").getByText("已发布").waitFor();

    // A conflict has its fix beside it; what else the draft says stays.
    await page.getByRole("button", { name: /^移 480 头到/ }).click();
    await page.getByText("超车位").waitFor({ state: "detached" });
    expect(await of(480)).toMatchObject({ day: thu, pricePerKg: 1475, version: 2 });
    await page.getByRole("button", { name: "去填价格" }).click();
    const dialog = page.getByRole("dialog", { name: "修改" });
    await dialog.locator("#event-pricePerKg").fill("15.20");
    await dialog.getByRole("button", { name: "修改" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("这一周没有冲突。").waitFor();
    expect(await of(77)).toMatchObject({ pricePerKg: 1520 });
    await page
      .getByRole("complementary", { name: /^销售计划 JH/ })
      .getByText("Plan farm two")
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("complementary", { name: /^销售计划 JH/ }).waitFor({ state: "detached" });

    // The address keeps which of the two is shown.
    await page.getByRole("button", { name: "列表", exact: true }).click();
    await page.locator("#list-search").waitFor();
    await page.reload();
    await page.locator("#list-search").waitFor();
    await page.getByRole("button", { name: "看板", exact: true }).click();
    await cardOf(page, "480").waitFor();
    await page.waitForURL((url) => url.searchParams.get("week") === mon);
    // The browser tells of the one refusal.
    expect(problems).toEqual([expect.stringContaining("400 (Bad Request)")]);
    await context.close();

    // On a phone a day at a time.
    const { say, like } = words("en");
    const phone = await openAs(portal, "admin", { lang: "en", width: 390, colorScheme: "dark" });
    await phone.page.goto(`${portal.address}/trade/plan?week=${mon}&region=${setUp.region}`);
    await cardOf(phone.page, "240").waitFor();
    expect(await cardOf(phone.page, "480").count()).toBe(0);
    await phone.page
      .getByRole("group", { name: say("选哪一天") })
      .getByRole("button")
      .nth(3)
      .click();
    await cardOf(phone.page, "480").waitFor();
    expect(await cardOf(phone.page, "240").count()).toBe(0);
    await lookAt(phone.page, "board on a phone", { width: 390, alsoAt: [], lang: "en", colorScheme: "dark" });
    await phone.page
      .getByRole("checkbox", { name: like("选择 {name}") })
      .first()
      .check();
    await phone.page.getByRole("button", { name: say("批准 {count} 个", { count: 1 }) }).waitFor();
    expect(phone.problems).toEqual([]);
    await phone.context.close();
  });

  test("a week without anything, and a board that can't be had", async () => {
    const { context, page } = await openAs(portal, "admin", { lang: "zh", width: 1366 });
    const board = (route: string) => `**${planBoard.path}*${route}*`;
    await page.route(board("2031-01-06"), (route) => route.fulfill({ status: 500, json: { code: 500, msg: "忙" } }));
    await page.goto(`${portal.address}/trade/plan?week=2031-01-08`);
    await page.getByText("没有取到销售计划看板").first().waitFor();
    await page.unroute(board("2031-01-06"));
    await page.getByRole("button", { name: "重试" }).click();
    await page.getByText("第 2 周，1-6 – 1-12").waitFor();
    await page.getByText("这一周没有冲突。").waitFor();
    await page.getByRole("button", { name: "下一周" }).click();
    await page.getByText("第 3 周，1-13 – 1-19").waitFor();
    await page.getByRole("button", { name: "回到本周" }).click();
    await page.getByRole("button", { name: "回到本周" }).waitFor({ state: "detached" });
    await page.waitForURL((url) => !url.searchParams.has("week"));
    await context.close();
  });
});
