import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { apiOf } from "../harness/departments.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();
const api = apiOf(portal);
const roleNamed = async (alias: string, tenantId = "000000"): Promise<string> => {
  const query = `roleAlias=${alias}&tenantId=${tenantId}&size=50`;
  const { records } = await api<{ records: { id: string; roleAlias: string }[] }>(
    `/api/muyuan-system/role/page?${query}`,
  );
  return records.find(({ roleAlias }) => roleAlias === alias)?.id ?? "";
};

describe.skipIf(foundBrowser === undefined)("looking through a role", () => {
  test("a preview shows the role's menu under a banner, refuses to change anything, and is left again", async () => {
    const context = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page } = await openPage(context);
    const id = await roleNamed("customer_service");
    await page.goto(`${portal.address}/system/role/grants?id=${id}`);
    await page.getByRole("button", { name: "以此角色预览" }).click();
    const banner = page.getByRole("complementary", { name: "角色预览" });
    await banner.getByText("以角色“客服”预览").waitFor();
    expect(await page.getByRole("link", { name: "角色管理" }).count()).toBe(0);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const refused = await page.evaluate(async () => {
      const { token } = JSON.parse(sessionStorage.getItem("role_preview") ?? "{}");
      const answer = await fetch("/api/muyuan-message-center/message/read-all", {
        method: "POST",
        headers: { "muyuan-auth": `bearer ${token}`, "content-type": "application/json" },
        body: "{}",
      });
      return answer.status;
    });
    expect([403, 404]).toContain(refused);
    await page.goto(`${portal.address}/system/role`);
    await page.getByText("这个角色里没有这个菜单，或者您自己没有。").waitFor();
    await banner.getByRole("button", { name: "退出预览" }).click();
    await page.waitForURL(/\/system\/role\/grants/);
    await page.getByRole("tab", { name: /菜单与按钮/ }).waitFor();
    expect(await banner.count()).toBe(0);
    await context.close();
  });

  test("an administrator is told why somebody does not see a page, with the way to change it", async () => {
    await portal.copyOf("worker", "sees-little", "13900004390");
    const context = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/system/user?q=sees-little`);
    await page
      .getByRole("row", { name: /sees-little/ })
      .getByRole("button")
      .last()
      .click();
    await page.getByRole("menuitem", { name: "为什么看不到…" }).click();
    const dialog = page.getByRole("dialog", { name: "为什么看不到" });
    await dialog.getByRole("combobox").nth(1).fill("角色管理");
    await page
      .getByRole("option", { name: /角色管理/ })
      .first()
      .click();
    await dialog.getByText(/看不到，有 \d+ 步挡住/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("link", { name: "改角色的授权" }).click();
    await page.waitForURL(/\/role\/grants\?id=\d+/);
    await context.close();
  });

  test("two roles are compared, and what the other has is given to this one", async () => {
    const context = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page } = await openPage(context);
    const [id, other] = await Promise.all([roleNamed("customer_service"), roleNamed("device_engineer")]);
    await page.goto(`${portal.address}/system/role/grants?id=${id}&with=${other}&tab=difference`);
    const list = page.getByRole("list", { name: "菜单与按钮" });
    await list.waitFor();
    const differing = await list.getByRole("listitem").count();
    await page.getByRole("button", { name: "全部", exact: true }).click();
    expect(await list.getByRole("listitem").count()).toBeGreaterThan(differing);
    await page.getByRole("button", { name: "只看差异" }).click();
    expect(await violationsOf(page)).toEqual([]);
    await list.getByRole("button", { name: /^加上/ }).first().click();
    await page
      .getByRole("complementary", { name: "改了什么，关系到谁" })
      .getByRole("button", { name: /^保存 1 处/ })
      .waitFor();
    await context.close();
  });
});
