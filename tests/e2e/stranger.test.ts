import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { foundBrowser, openPage } from "../harness/browser.ts";
import { phone } from "../harness/departments.ts";
import { usePortal } from "../harness/portal.ts";

const portal = usePortal();

/** The most a stranger has to tap for anything below. */
const mostTaps = 4;

/** A stranger's phone at the home page, which counts what is tapped. */
async function stranger(place?: { latitude: number; longitude: number }) {
  const context = await portal.newContext({
    ...phone,
    ...(place && { geolocation: place, permissions: ["geolocation"] }),
  });
  const { page, problems } = await openPage(context);
  await page.goto(`${portal.address}/index`);
  let taps = 0;
  const tap = async (what: ReturnType<Page["locator"]>) => {
    taps += 1;
    await what.tap();
  };
  return {
    page,
    tap,
    async done() {
      expect(taps).toBeLessThanOrEqual(mostTaps);
      expect(problems).toEqual([]);
      await context.close();
    },
  };
}

describe.skipIf(foundBrowser === undefined)("a stranger on a phone", () => {
  test("finds yesterday's price of the own province", async () => {
    const { page, tap, done } = await stranger();
    await tap(page.locator(".mobile-menu summary"));
    await tap(page.locator(".mn-sheet").getByRole("link", { name: "行情", exact: true }));
    await tap(page.locator(".tile-map").getByRole("link", { name: /河南/ }));
    const row = page.locator("#p-41");
    await expect.poll(() => row.boundingBox()).toMatchObject({ y: expect.toSatisfy((y: number) => y < 700) });
    const yesterday = row.getByText(/^昨日/);
    expect(await yesterday.isVisible()).toBe(true);
    expect(await yesterday.innerText()).toMatch(/^昨日 \d+\.\d\d$/);
    await done();
  });

  test("finds the nearest outlet and the nearest that is open; the position goes nowhere", async () => {
    const { page, tap, done } = await stranger({ latitude: 33.0, longitude: 112.53 });
    await tap(page.getByRole("navigation", { name: "联系我们" }).getByRole("link", { name: "服务网点" }));
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
    await tap(page.getByRole("button", { name: "按离我远近排" }));
    const list = page.locator(".nearest");
    await expect.poll(() => list.locator("h3").allInnerTexts()).toHaveLength(60);
    const distances = (await list.locator("[data-distance]").allInnerTexts()).map((text) =>
      Number.parseFloat(text.replaceAll(",", "")),
    );
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    const names = await list.locator("h3").allInnerTexts();
    expect(names.slice(0, 2).toSorted()).toEqual(["唐河服务站", "邓州服务部"].toSorted());
    // From Nanyang: 0.31 degrees of latitude are 34 km, 0.30 of longitude at 33 degrees 28 km.
    expect(distances[0]).toBe(44);
    const told = await list.locator("h2").innerText();
    expect(told).toContain(`最近的是${names[0]}`);
    const open = await list.locator(".outlet[data-open] h3").allInnerTexts();
    expect(told).toContain(
      open[0] === undefined ? "现在都没开门" : open[0] === names[0] ? "正在营业" : `营业中最近的是${open[0]}`,
    );
    expect(await list.locator("h2:focus").count()).toBe(1);
    expect(sent.filter((request) => /33\.0|112\.53/.test(request))).toEqual([]);
    await done();
  });

  test("reads that no position was given, and what to do instead", async () => {
    const { page, tap, done } = await stranger();
    await tap(page.getByRole("navigation", { name: "联系我们" }).getByRole("link", { name: "服务网点" }));
    await tap(page.getByRole("button", { name: "按离我远近排" }));
    await page.getByText("没有得到位置。请选省份，或写市、县的名字。").waitFor();
    await done();
  });

  test("types the beginning of a word, in pinyin too, and chooses among the kinds of what is found", async () => {
    const { page, tap, done } = await stranger();
    await tap(page.getByRole("banner").getByRole("link", { name: "站内搜索" }));
    const input = page.getByLabel("要找的词");
    await input.pressSequentially("tongf");
    await expect.poll(() => page.locator('#site-search-offered option[value="通风"]').count()).toBe(1);
    await input.fill("tongfeng");
    await input.press("Enter");
    await page.getByText("没有找到“tongfeng”，下面是“通风”的").waitFor();
    const kinds = page.getByRole("navigation", { name: "种类" });
    const articles = kinds.getByRole("link", { name: /^文章/ });
    const count = Number((await articles.innerText()).replace(/\D/g, ""));
    expect(count).toBeGreaterThan(3);
    await tap(articles);
    await page.waitForURL(/kind=articles/);
    expect(await page.locator("h2").allInnerTexts()).toContain("文章");
    expect(await page.locator("#found-solutions, #found-documents").count()).toBe(0);
    await page.getByLabel("要找的词").fill("环境控制");
    await page.getByLabel("要找的词").press("Enter");
    await page.locator("#found-solutions").waitFor();
    await done();
  });

  test("opens the manual of a device", async () => {
    const { page, tap, done } = await stranger();
    await tap(page.locator(".mobile-menu summary"));
    await tap(page.locator(".mn-sheet").getByRole("link", { name: "产品资料" }));
    await tap(page.locator(".doc-row").filter({ hasText: "环境控制" }).first());
    const file = page.getByRole("link", { name: /下载|打开/ }).first();
    expect(await file.getAttribute("href")).toMatch(/^\/documents?\//);
    const answer = await page.request.get(portal.address + ((await file.getAttribute("href")) ?? ""));
    expect(answer.headers()["content-type"]).toContain("application/pdf");
    await done();
  });

  // That the right characters end in a number is the API test's: no browser reads them.
  test("sends a request for a survey on site", async () => {
    const { page, tap, done } = await stranger();
    await tap(page.getByRole("navigation", { name: "联系我们" }).getByRole("link", { name: "上门勘测" }));
    expect(await page.getByLabel(/^说明/).inputValue()).toContain("勘测");
    await page.getByLabel("怎么称呼").fill("赵路过");
    await page.getByLabel("联系电话").fill("13800138000");
    await page.reload();
    expect(await page.getByLabel("联系电话").inputValue()).toBe("13800138000");
    await tap(page.getByRole("checkbox"));
    // The characters are asked for before the form is sent, so that it is sent once.
    const characters = page.getByLabel("图中的字符");
    await characters.fill("nonono");
    expect(
      await page
        .getByRole("img", { name: /图中有 5 个字符/ })
        .evaluate((shown) => (shown as unknown as { naturalWidth: number }).naturalWidth),
    ).toBeGreaterThan(100);
    await tap(page.getByRole("button", { name: "发送申请" }));
    await page.locator("#p-captchaCode").waitFor();
    await expect.poll(() => page.evaluate<string>("document.activeElement?.id ?? ''")).toBe("f-captchaCode");
    expect(await page.getByLabel("怎么称呼").inputValue()).toBe("赵路过");
    expect(await characters.inputValue()).toBe("");
    await done();
  });
});
