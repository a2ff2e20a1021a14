import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();
const title = "周六停气检修";
const nextYear = new Date().getFullYear() + 1;

describe.skipIf(foundBrowser === undefined)("announcements", () => {
  test("one for the workers of one customer is counted, sent, read by one of them and by nobody else, and the receipts say so", async () => {
    await Promise.all([portal.copyOf("liuyang", "hearing_worker"), portal.copyOf("farm", "deaf_owner")]);
    const context = await portal.signedIn("admin", { timezoneId: "Asia/Shanghai" });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/customer/announcement`);
    await page.getByRole("button", { name: "写公告" }).click();
    const form = page.getByRole("dialog", { name: "写公告" });
    await form.locator("#announcement-title").fill(title);
    await form.locator("#announcement-content").fill("周六 8:00 到 10:00 停气，请提前关闭保温灯。");
    // Typed by its parts, as there is no field of the browser for it.
    await form
      .getByRole("group", { name: /结束时间/ })
      .getByRole("spinbutton")
      .first()
      .focus();
    await page.keyboard.type(`${nextYear}12310800`);
    await form.getByLabel("发给谁").selectOption("chosen");
    await form.getByText("选了几个条件，就要同时符合；不选的不限").waitFor();

    const tenants = form.getByRole("combobox", { name: "组织", exact: true });
    await tenants.fill("中原");
    await page.getByRole("option", { name: "中原牧业有限公司" }).click();
    await form.getByRole("list", { name: "组织", exact: true }).getByText("中原牧业有限公司").waitFor();
    // The list of what was found is gone, and hides nothing of the form from who hears the page.
    await form.getByRole("checkbox", { name: "饲养员" }).check();
    expect(await page.getByRole("listbox").count()).toBe(0);
    // Other tests add workers to this customer meanwhile, so that only what was sent has one number.
    const reached = /^现在有 (?!0 |1 )\d+ 人会收到，来自 1 个组织$/;
    await form.getByText(reached).waitFor();
    await form.getByRole("button", { name: "保存草稿" }).click();

    const row = page.getByRole("listitem").filter({ hasText: title });
    await row.getByText("中原牧业有限公司 · 饲养员").waitFor();
    await row.getByText(`到 ${nextYear}-12-31 08:00 结束`).waitFor();
    await row.getByRole("button", { name: "发送" }).click();
    const sending = page.getByRole("dialog", { name: "发送公告" });
    await sending.getByText(reached).waitFor();
    await sending.getByRole("button", { name: "现在发送" }).click();
    await row.getByText("已发送").waitFor();
    const unread = await row.getByRole("link", { name: /^0 \/ \d+ 人已读$/ }).innerText();
    const receivers = Number(/\/ (\d+)/.exec(unread)?.[1]);
    expect(receivers).toBeGreaterThanOrEqual(2);

    const worker = await portal.signedIn("hearing_worker");
    const { page: hearing } = await openPage(worker);
    await hearing.goto(`${portal.address}/selfCenter/news?kind=announcement`);
    await hearing.getByRole("button", { name: title }).first().click();
    await hearing.getByText("周六 8:00 到 10:00 停气，请提前关闭保温灯。").first().waitFor();
    const owner = await portal.signedIn("deaf_owner");
    const { page: deaf } = await openPage(owner);
    await deaf.goto(`${portal.address}/selfCenter/news?kind=announcement`);
    await deaf.getByRole("heading", { name: "消息", level: 1 }).waitFor();
    await deaf.locator(".notes li").or(deaf.getByText("1 个筛选下没有消息条目")).first().waitFor();
    expect(await deaf.getByText(title).count()).toBe(0);

    const receipts = row.getByRole("link", { name: `1 / ${receivers} 人已读` });
    await receipts.click();
    await page.getByRole("heading", { name: "收到的人", level: 1 }).waitFor();
    await page.getByText(`1 / ${receivers} 人已读`).waitFor();
    await page.getByRole("searchbox").fill("hearing_worker");
    const people = page.locator("tbody tr");
    await expect.poll(() => people.count()).toBe(1);
    await people
      .filter({ hasText: "hearing_worker" })
      .getByText(/\d{2}:\d{2}/)
      .waitFor();
    expect(await people.getByText("未读").count()).toBe(0);
    await page.getByRole("searchbox").fill("liuyang");
    await people.filter({ hasText: "liuyang" }).getByText("未读").waitFor();
    await page.getByRole("button", { name: "提醒未读的人" }).waitFor();
    await Promise.all([worker.close(), owner.close(), context.close()]);
  });
});
