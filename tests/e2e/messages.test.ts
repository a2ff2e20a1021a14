import type { Page as Rows, User } from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { basic, tokenOfDemo } from "../harness/session.ts";

const portal = usePortal();

/** Lifts the lock of an account, which leaves a message. */
async function leaveMessage(account: string): Promise<void> {
  const { access_token: token } = await tokenOfDemo(portal.address, "admin");
  const headers = { Authorization: basic, "Muyuan-Auth": `bearer ${token}` };
  const found = await fetch(`${portal.address}/api/muyuan-system/user/page?account=${account}`, { headers });
  const { data } = (await found.json()) as { data: Rows<User> };
  const query = new URLSearchParams({ userIds: data.records[0]?.id ?? "" });
  const answer = await fetch(`${portal.address}/api/muyuan-system/user/unlock?${query}`, { method: "POST", headers });
  expect(answer.status).toBe(200);
}

describe.skipIf(foundBrowser === undefined)("messages", () => {
  test("a notice shows in the header of every open tab, and reading it in one takes it from all", async () => {
    // No owner of farms: alarms of other tests would leave messages, too.
    await portal.copyOf("worker", "reader");
    const context = await portal.signedIn("reader");
    const { page: first } = await openPage(context);
    await first.goto(`${portal.address}/selfCenter/home`);
    await first.locator(".bell").waitFor();
    await leaveMessage("reader");
    const { page: second } = await openPage(context);
    await second.goto(`${portal.address}/selfCenter/equipmentManage/allDevices`);
    const bell = second.locator(".bell");
    await second.getByRole("link", { name: "消息，1 条未读" }).waitFor();
    await first.goto(`${portal.address}/selfCenter/news`);
    await first.getByText("管理员解除了您账号的登录锁定").waitFor();
    await first.getByRole("button", { name: "将“登录锁定已解除”标为已读" }).click();
    await first.getByText("没有未读消息").waitFor();
    await second.getByRole("link", { name: "消息", exact: true }).waitFor();
    expect(await bell.innerText()).toBe("");
    await context.close();
  });

  test("messages are marked unread, filtered, removed; nothing left says what would stand here", async () => {
    await portal.copyOf("worker", "sorter");
    const context = await portal.signedIn("sorter");
    const { page } = await openPage(context);
    await leaveMessage("sorter");
    await leaveMessage("sorter");
    await page.goto(`${portal.address}/selfCenter/news?status=0`);
    const rows = page.locator(".notes li");
    await rows.first().waitFor();
    await page.getByRole("button", { name: "全部标为已读" }).click();
    await page.getByText("1 个筛选下没有消息条目").waitFor();
    await page.goto(`${portal.address}/selfCenter/news`);
    await rows.first().waitFor();
    const count = await rows.count();
    await rows.first().getByRole("checkbox").check();
    await page.getByRole("button", { name: "标为未读" }).click();
    await page.getByRole("link", { name: "消息，1 条未读" }).waitFor();
    for (const cipher of await rows.getByRole("checkbox").all()) await cipher.check();
    await page.getByRole("button", { name: "删除", exact: true }).click();
    const question = page.getByRole("dialog", { name: `删除 ${count} 条消息？` });
    await question.getByRole("button", { name: "删除" }).click();
    await page.getByText("账号安全、权限申请等通知会出现在这里。").waitFor();
    await context.close();
  });
});
