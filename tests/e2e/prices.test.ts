import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { cutTextsOn } from "../harness/page-text.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();
const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
const deskPath = `/trade/price?day=${today}`;
const within = { timeout: 10_000 };

/** Asked without cookies, so it is the page that is kept for everybody. */
const textOf = async (path: string): Promise<string> => (await fetch(`${portal.address}${path}`)).text();
const widerThanScreen = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
const deskOf = async (account: string) => {
  const context = await portal.signedIn(account, { viewport: { width: 1440, height: 1000 } });
  const { page, problems } = await openPage(context);
  await page.goto(`${portal.address}${deskPath}`);
  await page.getByRole("heading", { level: 1, name: "每日与区域价格" }).waitFor();
  return { context, page, problems };
};

describe.skipIf(foundBrowser === undefined)("prices", () => {
  test("from the desk to the public: an outlier, a second person, published, corrected, and each is read at once", async () => {
    const zhao = await deskOf("zhaomin");
    // A province that has not reported today, or stands to be published.
    const cell = zhao.page.getByRole("textbox", { name: "海南 外三元" });
    await cell.fill("+1.2");
    await cell.press("Enter");
    const price = await cell.inputValue();
    expect(price).toMatch(/^1\d\.\d\d$/);
    await zhao.page.getByRole("button", { name: "保存 1 格" }).click();
    const review = zhao.page.getByRole("region", { name: "待复核" });
    await review.getByText("您录的，须由他人复核").first().waitFor();
    expect(await review.getByRole("button", { name: `确认 ${price}` }).count()).toBe(0);
    expect(await textOf("/market")).not.toContain(`海南：${price} 元/kg，比昨日`);

    const li = await deskOf("liqiang");
    await li.page.getByRole("button", { name: `确认 ${price}` }).click();
    await expect.poll(() => li.page.getByRole("button", { name: `确认 ${price}` }).count(), within).toBe(0);
    const published = li.page.getByRole("button", { name: "更正 海南 外三元" });
    const now = li.page.getByRole("button", { name: "立即发布" });
    // By its time it may be published by itself in between.
    await published.or(now.first()).first().waitFor();
    if (!(await published.isVisible())) {
      await now.click();
      await li.page.getByRole("alertdialog").getByRole("button", { name: "立即发布" }).click();
    }
    await published.waitFor();
    await expect.poll(() => textOf("/market"), within).toContain(`海南：${price} 元/kg，比昨日`);
    expect(await textOf("/market?lang=en")).toContain(`Hainan: ${price} yuan/kg, against yesterday`);

    // What was published is corrected in the open.
    const corrected = (Number(price) - 1).toFixed(2);
    await li.page.getByRole("button", { name: "更正 海南 外三元" }).click();
    await li.page.getByLabel("新的价格，元/kg").fill(corrected);
    await li.page.getByLabel("原因").fill("抄错一位");
    await li.page.getByRole("button", { name: "提出更正" }).click();
    await li.page.getByText("您提的，须由他人复核").waitFor();
    await zhao.page.reload();
    await zhao.page.getByRole("button", { name: "确认更正" }).click();
    await expect
      .poll(() => textOf("/market"), within)
      .toMatch(new RegExp(`<del>${price}</del>[\\s\\S]*<ins>${corrected}</ins>`));
    const [, home = ""] = /id="market"[\s\S]*?<b class="num">([\d.]+)<\/b>/.exec(await textOf("/index")) ?? [];
    const [, market = ""] = /class="big"><b class="num">([\d.]+)<\/b>/.exec(await textOf("/market")) ?? [];
    expect([home.length, home]).toEqual([5, market]);
    for (const { problems, context } of [zhao, li]) {
      expect(problems).toEqual([]);
      await context.close();
    }
  });

  test("are read without any script, on a phone, with map, table, trend, and as a file", async () => {
    const context = await portal.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const { page } = await openPage(context);
    for (const [language, title] of [
      ["zh", "生猪行情"],
      ["en", "Pig prices"],
    ] as const) {
      for (const path of [
        "/market",
        "/market?breed=inner",
        "/market?days=365&area=41&area=65",
        "/market?breed=x&days=-1",
      ]) {
        const answer = await page.goto(`${portal.address}${path}${path.includes("?") ? "&" : "?"}lang=${language}`);
        expect(answer?.status(), path).toBe(200);
        expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain(title);
        expect(await page.locator("script[src]").count()).toBe(1);
        expect(await widerThanScreen(page), `${path} in ${language}`).toBeLessThanOrEqual(0);
      }
      const canonical = page.locator("link[rel=canonical]");
      expect(await canonical.getAttribute("href")).toMatch(language === "zh" ? /\/market$/ : /\/market\?lang=en$/);
    }
    await page.goto(`${portal.address}/market?lang=zh`);
    await page.getByRole("link", { name: /^广东：/ }).click();
    await page.waitForURL((url) => url.hash === "#p-44");
    await page.getByText("换几个省").click();
    for (const name of ["河南", "四川", "广东", "黑龙江"]) await page.getByRole("checkbox", { name }).uncheck();
    await page.getByRole("checkbox", { name: "湖南" }).check();
    await page.getByRole("button", { name: "画出来" }).click();
    await expect.poll(() => page.locator(".legend li").allInnerTexts()).toHaveLength(2);
    const csv = await fetch(`${portal.address}/market.csv?days=30`);
    expect([csv.status, csv.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect((await csv.text()).split("\r\n").length).toBeGreaterThan(800);
    await context.close();
  });

  test("an outlet is found by its county, with its telephone, hours and services, without any script", async () => {
    const context = await portal.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/service/network?lang=zh`);
    // Lists of other tests add offices of their own.
    expect(await page.locator(".outlet").count()).toBeGreaterThanOrEqual(60);
    expect(await widerThanScreen(page)).toBeLessThanOrEqual(0);
    await page.getByLabel("你的猪场在哪").fill("唐河");
    await page.getByRole("button", { name: "查找" }).click();
    await expect.poll(() => page.locator(".outlet h3").allInnerTexts()).toEqual(["唐河服务站"]);
    const card = page.locator(".outlet").first();
    expect(await card.getByRole("link", { name: /^\d/ }).getAttribute("href")).toMatch(/^tel:0377\d+$/);
    expect(await card.innerText()).toMatch(/08:30–12:00 \/ 14:00–18:00[\s\S]*设备维修/);
    expect(await page.locator("meta[name=robots]").getAttribute("content")).toBe("noindex");
    await page.goto(`${portal.address}/service/network?province=42&lang=en`);
    expect(await page.title()).toContain("Service outlets in Hubei");
    expect(await page.locator(".outlet").count()).toBeGreaterThan(3);
    // What the day and the hour make of a state, in its longest words, whenever this runs.
    const longest = "Closed for today · opens in 10 days at 08:30";
    await page.evaluate(
      `for (const { lastChild } of document.querySelectorAll(".outlet .state")) lastChild.textContent = ${JSON.stringify(longest)}`,
    );
    expect(await page.locator(".outlet .state").first().innerText()).toBe(longest);
    for (const width of [1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await cutTextsOn(page)).toEqual([]);
    }
    await page.goto(`${portal.address}/service/network?q=%25%27%3Cscript%3E&lang=zh`);
    expect(await page.locator(".outlet").count()).toBe(0);
    await context.close();
    expect(await textOf("/sitemap.xml")).toMatch(/\/market<\/loc>[\s\S]*\/service\/network<\/loc>/);
  });
});
