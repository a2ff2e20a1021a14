import { describe, expect, test } from "vitest";
import { foundBrowser, openPage } from "../harness/browser.ts";
import { usePortal } from "../harness/portal.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("the first minutes of a visitor", () => {
  test("the home page's main button ends in a pig house, without typing", async () => {
    const context = await portal.newContext();
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/index`);
    await page.getByRole("link", { name: "走进一栋演示猪舍" }).click();
    await page.waitForURL(/\/selfCenter\/vet\/environment\/unit\?id=\d+$/);
    await page.getByRole("heading", { level: 1, name: /育肥舍/ }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test("who is signed in is offered no log-in, and keeps the session behind the demo's buttons", async () => {
    const context = await portal.signedIn("worker");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/index`);
    await page.getByRole("banner").getByRole("link", { name: "自助中心" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "登录", exact: true }).count()).toBe(0);
    await page.getByRole("link", { name: "走进一栋演示猪舍" }).click();
    await page.waitForURL(/\/selfCenter\/home$/);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await context.close();
  });

  test("a night of two houses is told moment by moment, without any script", async () => {
    const context = await portal.newContext({ javaScriptEnabled: false });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/index`);
    const houses = page.locator(".night-house dl:visible");
    await expect
      .poll(() => houses.allInnerTexts())
      .toEqual([expect.stringMatching(/24\.1 ppm\s*偏高/), expect.stringMatching(/12\.0 ppm\s*正常/)]);
    await page.getByRole("radio", { name: /谁知道/ }).check();
    await expect
      .poll(() => houses.allInnerTexts())
      .toEqual([expect.stringContaining("不知道"), expect.stringContaining("补开 1 台")]);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => houses.first().innerText()).toContain("12.0 ppm");
    await context.close();
  });

  test("a made-up account in the address does nothing: the form stays", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/login?demo=nobody`);
    await page.locator("#demo-title").waitFor();
    expect(new URL(page.url()).pathname).toBe("/login");
    await context.close();
  });
});
