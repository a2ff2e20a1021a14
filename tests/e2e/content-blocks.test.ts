import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser, openPage } from "../harness/browser.ts";
import { chinese, english, write } from "../harness/content-blocks.ts";
import { usePortal } from "../harness/portal.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("content blocks", () => {
  test("an editor builds a new solution page with a scene, a curve and a case in both languages, and a phone reads it without script", async () => {
    const context = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/content/article`);
    await page.getByRole("button", { name: "新增文章" }).click();
    const form = page.locator("form").filter({ has: page.getByLabel(/^栏目/) });
    await form.getByLabel(/^标题/).fill("Winter air W1");
    await form.getByLabel(/^栏目/).selectOption({ label: "解决方案页" });
    await form.getByLabel(/^摘要/).fill("冬天的氨怎样降下来");
    await page.getByRole("button", { name: "保存" }).click();
    await page.getByRole("textbox", { name: "中文正文" }).waitFor();

    await write(page, chinese);
    await page.getByRole("textbox", { name: "英文标题" }).fill("Winter air W1 in English");
    await page.getByRole("textbox", { name: "英文摘要" }).fill("How ammonia falls in winter");
    await write(page, english);
    await page.getByText("版块都写完了").waitFor();
    expect(await violationsOf(page)).toEqual([]);

    // What is not complete is said at the block and before publishing, and keeps the page from visitors.
    const value = page.getByRole("textbox", { name: "中文正文" }).locator("td", { hasText: "9.5" });
    await value.click({ clickCount: 3 });
    await page.keyboard.insertText("约 9.5");
    await page.getByText("简体中文的曲线：“约 9.5”不是数字").waitFor();
    expect(await page.getByRole("button", { name: "发布…" }).isDisabled()).toBe(true);
    await value.click({ clickCount: 3 });
    await page.keyboard.insertText("9.5");
    await page.getByText("版块都写完了").waitFor();
    await page.getByRole("button", { name: "发布…" }).click();
    await page.getByRole("button", { name: "发布", exact: true }).click();
    const link = page.getByRole("link", { name: "在网站上看" });
    await link.waitFor();
    const path = new URL((await link.getAttribute("href")) ?? "", portal.address).pathname;
    expect(path).toMatch(/^\/solution\/\d+$/);

    for (const [language, words, viewport] of [
      ["zh", chinese, { width: 390, height: 844 }],
      ["en", english, { width: 1440, height: 900 }],
    ] as const) {
      const reader = await portal.newContext({ javaScriptEnabled: false, viewport });
      const { page: seen } = await openPage(reader);
      await seen.goto(`${portal.address}${path}?lang=${language}`);
      await seen.getByRole("img", { name: words.scene }).waitFor();
      const figure = seen.locator("figure.curve");
      expect(await figure.locator(".legend").innerText()).toBe(words.curve.head[1]);
      expect(await figure.locator("figcaption").innerText()).toContain(words.curve.caption.slice(0, 5));
      const line = figure.locator("svg:visible path.line");
      expect((await line.getAttribute("d"))?.match(/[ML]/g)).toHaveLength(words.curve.rows.length);
      await figure.locator("summary").click();
      expect((await figure.locator("table").innerText()).replaceAll(/[\u2060\u00a0]/g, " ")).toContain("18.5");
      const story = seen.locator("figure.case");
      expect(await story.innerText()).toContain(words.story.words);
      expect(await seen.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBeLessThanOrEqual(0);
      await reader.close();
    }
    const visitor = await portal.newContext({ viewport: { width: 390, height: 844 } });
    const { page: seen } = await openPage(visitor);
    await seen.goto(`${portal.address}/solution/biosafety`);
    await seen.locator(".solution-nav").getByRole("link", { name: "Winter air W1" }).click();
    await seen.waitForURL(`**${path}`);
    expect(await violationsOf(seen)).toEqual([]);
    await visitor.close();
    expect(problems).toEqual([]);
    await context.close();
  });
});
