import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("requests for screens", () => {
  test("a member asks, the owner reads why it can't be closed yet, refuses with a reason, and the member may ask again", async () => {
    await portal.copyOf("chenxiao", "asks-for-screens", "13900004387");
    const asker = await portal.signedIn("asks-for-screens");
    const { page: asking } = await openPage(asker);
    await asking.goto(`${portal.address}/selfCenter/equipmentManage/allDevices`);
    await asking.getByRole("button", { name: "申请权限" }).click();
    await asking.getByText("已申请").waitFor();

    const owner = await portal.signedIn("farm");
    const { page, problems } = await openPage(owner);
    await page.goto(`${portal.address}/selfCenter/accessRequest?view=open`);
    const row = page.getByRole("row").filter({ hasText: "全部设备" }).first();
    await row.getByText("等开通").waitFor();
    await page.screenshot({ path: "/tmp/ar-list.png" });
    await row.getByText("全部设备").click();
    const drawer = page.getByRole("complementary").or(page.getByRole("dialog")).last();
    await drawer.getByText("申请人还没有这个页面：先在成员管理里给一个有它的角色").waitFor();
    await page.screenshot({ path: "/tmp/ar-row.png" });
    expect(await drawer.getByRole("button", { name: "已给角色" }).isDisabled()).toBe(true);

    await drawer.getByRole("button", { name: "不开通" }).click();
    const dialog = page.getByRole("dialog", { name: "不开通" });
    expect(await dialog.getByRole("button", { name: "不开通" }).isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill("设备由场长看");
    // What is typed stays when the page is loaded anew.
    await page.reload();
    await drawer.getByRole("button", { name: "不开通" }).click();
    expect(await dialog.getByRole("textbox").inputValue()).toBe("设备由场长看");
    await dialog.getByRole("button", { name: "不开通" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("没有开通").first().waitFor();
    await drawer.getByText("设备由场长看").waitFor();
    expect(await drawer.getByRole("button", { name: "不开通" }).count()).toBe(0);

    await asking.goto(`${portal.address}/selfCenter/news`);
    await asking.getByText("申请的页面没有开通").first().waitFor();
    await asking.goto(`${portal.address}/selfCenter/equipmentManage/allDevices`);
    await asking.getByRole("button", { name: "申请权限" }).click();
    await asking.getByText("已申请").waitFor();
    expect(problems).toEqual([]);
    await Promise.all([asker.close(), owner.close()]);
  });
});
