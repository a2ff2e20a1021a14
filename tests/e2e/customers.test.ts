import { describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { foundBrowser } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();

/** A word is sent when nothing was typed for 300 ms. */
const typingPauseMs = 400;

describe.skipIf(foundBrowser === undefined)("customers, agreements, announcements", () => {
  test("a clerk finds a customer, sees a number with password and reason, and the trail says so", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/customer/customer`);
    // A row is clicked before typing has paused for long enough to be sent, and its page comes late: it comes all the same.
    const row = page.getByRole("link", { name: "中原牧业有限公司" }).first();
    await row.waitFor();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/assets/*.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("searchbox").fill("中原牧业");
    // The page is at work at that, and has not drawn that it is leaving when the word would be sent.
    await row.evaluate((link: { click(): void }, pause) => {
      link.click();
      const clicked = performance.now();
      while (performance.now() - clicked < pause);
    }, typingPauseMs);
    const clicked = performance.now();
    await expect.poll(() => performance.now() - clicked).toBeGreaterThan(typingPauseMs);
    release();
    await page.getByRole("heading", { name: "中原牧业有限公司", level: 1 }).waitFor();
    await page.unroute("**/assets/*.js");
    const basic = page.getByRole("region", { name: "基本信息" });
    await basic.getByText(/^138\*{4}\d{4}$/).waitFor();
    await basic.getByRole("button", { name: "查看完整的手机号" }).click();
    await page.getByLabel("为什么要看").fill("客户来电改预约");
    await page.getByRole("dialog").getByRole("button", { name: "查看" }).click();
    const own = page.getByLabel("您的登录密码");
    const shown = basic.getByText(/^138\d{8}$/);
    await own.or(shown).first().waitFor();
    if (await own.isVisible()) {
      await own.fill(demoPassword);
      await page.getByRole("button", { name: "继续" }).click();
    }
    await shown.waitFor();
    await page.getByRole("region", { name: "资料的改动" }).getByText("客户来电改预约").first().waitFor();
    await context.close();
  });

  test("the list of those with something abnormal is narrowed, exported and left for a customer by keys", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openPage(context);
    const asked = page.waitForRequest(/customer\/page\?.*view=abnormal.*authentication=passed/);
    // An old address.
    await page.goto(`${portal.address}/customer/customer?view=abnormal&auth=passed`);
    await asked;
    await page.getByRole("heading", { name: "异常客户", level: 1 }).waitFor();
    await page.getByRole("button", { name: "去掉筛选 认证" }).click();
    const rule = page.getByRole("region", { name: "为什么异常" }).getByRole("button", { name: "设备 7 天没有数据" });
    await rule.click();
    await page.waitForURL(/f\.rule=device_silent/);
    expect(await rule.getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("button", { name: "去掉筛选 异常" }).click();
    const row = page.locator("tbody tr").first();
    await page.getByRole("button", { name: "导出" }).click();
    const sent = page.waitForRequest(/customer\/export/);
    await page.getByRole("dialog").getByRole("button", { name: "导出" }).click();
    expect((await sent).postDataJSON()).toMatchObject({ view: "abnormal" });
    // The other lists begin without the rule, and with their own columns.
    await page.getByRole("button", { name: /已注销的客户/ }).click();
    await page.getByRole("heading", { name: "已注销的客户", level: 1 }).waitFor();
    await page.getByRole("button", { name: /全部客户/ }).click();
    await page.getByRole("button", { name: "所在地区", exact: true }).click();
    await page.getByRole("dialog", { name: "所在地区" }).getByLabel("河南省").check();
    await page.waitForURL(/f\.region=41/);
    await page.keyboard.press("Escape");
    await row.getByText("河南省", { exact: false }).waitFor();
    await row.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/customer\/detail\?id=\d+/);
    await context.close();
  });

  test("an announcement is written, sent and read", async () => {
    await portal.copyOf("farm", "hearer");
    const context = await portal.signedIn("admin");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/customer/announcement`);
    await page.getByRole("button", { name: "写公告" }).click();
    await page.locator("#announcement-title").fill("周日停机检修");
    await page.locator("#announcement-content").fill("周日 8:00 到 9:00 检修。");
    await page.getByText(/现在有 \d+ 人会收到/).waitFor();
    await page.getByRole("button", { name: "保存草稿" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "周日停机检修" });
    await row.getByRole("button", { name: "发送" }).click();
    await page.getByRole("button", { name: "现在发送" }).click();
    await row.getByText("已发送").waitFor();
    const hearer = await portal.signedIn("hearer");
    const { page: other } = await openPage(hearer);
    await other.goto(`${portal.address}/selfCenter/news?kind=announcement`);
    await other
      .getByRole("button", { name: /周日停机检修/ })
      .first()
      .click();
    await other.getByRole("heading", { name: "周日停机检修" }).waitFor();
    await other.getByText("集团发给您所在的客户或角色").waitFor();
    await hearer.close();
    await context.close();
  });

  test("the ways of being told are changed, what is locked is not offered", async () => {
    await portal.copyOf("farm", "chooser");
    const context = await portal.signedIn("chooser");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/news`);
    await page.getByRole("checkbox", { name: "服务通知 邮件" }).check();
    expect(await page.getByRole("checkbox", { name: "安全通知 站内" }).count()).toBe(0);
    await page.getByText("改了 1 处，还没保存").waitFor();
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await page.getByText("没有改动").waitFor();
    await page.reload();
    expect(await page.getByRole("checkbox", { name: "服务通知 邮件" }).isChecked()).toBe(true);
    await context.close();
  });

  test("cards of the console are moved by keys and kept with the account", async () => {
    await portal.copyOf("farm", "arranger");
    const context = await portal.signedIn("arranger");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/home`);
    const first = () => page.locator("[data-card]").first().getAttribute("data-card");
    await page.locator("[data-card]").first().waitFor();
    expect(await first()).toBe("board");
    await page.getByRole("button", { name: "布置" }).click();
    await page.getByRole("button", { name: "移动预警中心" }).focus();
    await page.keyboard.press("ArrowUp");
    await page.getByText(/预警中心 在第 1 位/).waitFor();
    await page.getByRole("button", { name: "收起解决方案" }).click();
    const kept = page.waitForResponse((answer) => answer.url().includes("/preference/submit"));
    await page.getByRole("button", { name: "完成" }).click();
    await kept;
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith("preferences_")) localStorage.removeItem(key);
    });
    await page.reload();
    await page.locator('[data-card="alarms"]').waitFor();
    await expect.poll(first).toBe("alarms");
    expect(await page.locator('[data-card="solutions"]').count()).toBe(0);
    await context.close();
  });
});
