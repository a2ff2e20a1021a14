import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser, settled } from "../harness/browser.ts";
import { addressOf, apiOf, phone } from "../harness/departments.ts";
import { tabTo } from "../harness/keyboard.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { smallTargets } from "../harness/targets.ts";

const portal = usePortal();
const api = apiOf(portal);
const base = "/api/muyuan-system";
const screen = "/system/role/grants";

interface Keys {
  menu: string[];
  departments: string[];
}
const keysOf = (roleId: string) => api<Keys>(`${base}/menu/role-tree-keys?roleIds=${roleId}`);
const roleNamed = async (alias: string, tenantId = "000000") => {
  const query = `roleAlias=${alias}&tenantId=${tenantId}&size=50`;
  const { records } = await api<{ records: { id: string; roleAlias: string }[] }>(`${base}/role/page?${query}`);
  const found = records.find(({ roleAlias }) => roleAlias === alias);
  if (!found) throw new Error(`no role ${alias}`);
  return found.id;
};
/** Ids of menus and buttons by their codes. */
let ids: Record<string, string> = {};
/** Codes that a role holds, in order. */
const codesOf = async (roleId: string) => {
  const held = new Set((await keysOf(roleId)).menu);
  return Object.entries(ids)
    .filter(([, id]) => held.has(id))
    .map(([code]) => code)
    .toSorted();
};
/** A role of the test's own with these menus and buttons. */
async function makeRole(name: string, alias: string, codes: readonly string[]): Promise<string> {
  const { id } = await api<{ id: string }>(`${base}/role/submit`, { roleName: name, roleAlias: alias });
  await api(`${base}/role/grant`, { roleIds: [id], menuIds: codes.map((code) => ids[code]) });
  return id;
}
const line = (page: Page, name: string) =>
  page
    .getByRole("tabpanel")
    .getByRole("listitem")
    .filter({ hasText: new RegExp(`^${name}`) })
    .last();
const changes = (page: Page) => page.getByRole("complementary", { name: "改了什么，关系到谁" });
const save = (page: Page) => changes(page).getByRole("button", { name: /^保存/ });

async function openRole(context: Awaited<ReturnType<typeof portal.signedIn>>, id: string, more = "") {
  const opened = await openPage(context);
  await opened.page.goto(`${portal.address}${screen}?id=${id}${more}`);
  await opened.page.getByRole("tab", { name: /菜单与按钮/ }).waitFor();
  await settled(opened.page);
  return opened;
}

describe.skipIf(foundBrowser === undefined)("role editor", () => {
  beforeAll(async () => {
    type Node = { id: string; code: string; children?: Node[] };
    const { menu } = await api<{ menu: Node[] }>(`${base}/menu/grant-tree`);
    const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);
    ids = Object.fromEntries(flat(menu).map(({ id, code }) => [code, id]));
  });

  test("what is ticked is stored and nothing else; before that it says what changes and whom it concerns", async () => {
    const id = await makeRole("Editor one", "editor-one", ["post", "post_view", "param"]);
    await portal.copyOf("admin", "role-holder");
    const { records } = await api<{ records: { id: string }[] }>(`${base}/user/page?account=role-holder`);
    const worker = await roleNamed("content_editor");
    await api(`${base}/user/grant`, { userIds: records[0]?.id, roleIds: `${id},${worker}` });
    const context = await portal.signedIn("admin");
    const { page } = await openRole(context, id);
    await page.getByText("1 人", { exact: true }).waitFor();
    // What holds nothing is folded, until it is opened or searched in.
    expect(await line(page, "场区档案").count()).toBe(0);
    await page.getByRole("searchbox", { name: "查找菜单或按钮" }).fill("场区");
    await line(page, "场区档案").getByLabel("导出").check();
    expect(await page.getByRole("tabpanel").getByText("岗位管理").count()).toBe(0);
    await page.getByRole("searchbox", { name: "查找菜单或按钮" }).fill("没有这个");
    await page.getByText("没有叫“没有这个”的菜单或按钮。").waitFor();
    await page.getByRole("button", { name: "清除查找" }).click();
    await line(page, "岗位管理").getByLabel("查看").uncheck();
    // A button without its menu is only the way to it, and leads nowhere.
    await page.getByRole("button", { name: "展开 基础档案" }).click();
    await line(page, "场区档案").getByText("0 / 5").waitFor({ state: "detached" });
    await changes(page).getByText("打不开这些页面：场区档案").waitFor();
    await changes(page).getByText("菜单与按钮：多 1 项，少 1 项").waitFor();
    await changes(page).getByText("多出：场区档案 · 导出").waitFor();
    await changes(page).getByText("失去：岗位管理 · 查看").waitFor();
    expect(await codesOf(id)).toEqual(["param", "post", "post_view"]);
    expect(await violationsOf(page)).toEqual([]);
    await save(page).click();
    await page.getByText("角色的授权已保存").waitFor();
    expect(await codesOf(id)).toEqual(["param", "post", "sale_field_export"]);

    // A whole group: all that the caller can give, without the group itself, which nobody holds.
    await page.getByRole("button", { name: "全选“基础档案”及下级" }).click();
    await save(page).click();
    await changes(page).getByText("还没有改动。").waitFor();
    expect((await codesOf(id)).filter((code) => code.startsWith("invoice_type"))).toHaveLength(6);
    await page.reload();
    await page.getByRole("button", { name: "全不选“基础档案”及下级" }).waitFor();
    await context.close();
  });

  test("what the giver does not have can't be ticked, and says why", async () => {
    const owner = await roleNamed("owner", "100002");
    const before = (await keysOf(owner)).menu.length;
    const context = await portal.signedIn("admin");
    const { page } = await openRole(context, owner);
    const members = line(page, "成员管理");
    expect([await members.getByRole("checkbox").isChecked(), await members.getByRole("checkbox").isDisabled()]).toEqual(
      [true, true],
    );
    await tabTo(page, members.getByRole("button", { name: "为什么不能改“成员管理”" }));
    await page.keyboard.press("Enter");
    await page.getByText("您自己的角色里没有“成员管理”，所以不能收回它。").waitFor();
    await page.keyboard.press("Escape");
    // All of an area: what is not the giver's stays.
    await page.getByRole("button", { name: "全不选“自助中心”及下级" }).click();
    expect(await members.getByRole("checkbox").isChecked()).toBe(true);
    await changes(page)
      .getByText(/菜单与按钮：多 0 项，少 [1-9]\d* 项/)
      .waitFor();
    expect(await changes(page).getByText("工作台", { exact: true }).count()).toBe(1);
    expect(await changes(page).getByText("成员管理").count()).toBe(0);
    await changes(page).getByRole("button", { name: "还原" }).click();
    await changes(page).getByText("还没有改动。").waitFor();
    expect((await keysOf(owner)).menu).toHaveLength(before);
    await context.close();
  });

  test("data scope with departments out of a tree; the menu as somebody with the role gets it", async () => {
    const id = await makeRole("Editor two", "editor-two", ["post", "post_view", "post_edit"]);
    const department = (deptName: string, parentId?: string) =>
      api<{ id: string }>(`${base}/dept/submit`, { deptName, fullName: deptName, deptCategory: "2", parentId });
    const { id: above } = await department("Scope office");
    const { id: below } = await department("Scope group", above);
    const context = await portal.signedIn("admin");
    const { page } = await openRole(context, id);
    await page.getByRole("tab", { name: "数据范围" }).click();
    expect(addressOf(page).get("tab")).toBe("scope");
    await page.getByRole("radio", { name: /指定部门/ }).check();
    await save(page).click();
    await page.getByText("请至少选一个部门").waitFor();
    const tree = page.getByRole("region", { name: "指定的部门" });
    await tree.getByRole("searchbox").fill("Scope group");
    await tree.getByRole("checkbox", { name: "Scope group" }).check();
    await tree.getByRole("searchbox").fill("");
    await tree.getByRole("button", { name: "收起 Scope office" }).click();
    await expect.poll(() => tree.getByRole("checkbox", { name: "Scope group" }).count()).toBe(0);
    await tree.getByRole("button", { name: "选“Scope office”连同下级" }).click();
    await tree.getByText("已选 2 个").waitFor();
    await changes(page).getByText("全部 改为 指定部门").waitFor();
    await page.getByRole("tab", { name: /菜单与按钮/ }).click();
    await line(page, "岗位管理").getByLabel("编辑").uncheck();
    await line(page, "岗位管理").getByLabel("导出").check();
    await page.getByRole("tab", { name: "保存后的样子" }).click();
    const menu = page.getByRole("navigation", { name: "此角色的菜单" });
    expect(await menu.getByRole("button").allInnerTexts()).toEqual(["岗位管理"]);
    const buttons = page.getByRole("list", { name: "能做的" });
    expect(
      (await buttons.getByRole("listitem").allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim()),
    ).toEqual(["查看", "编辑 没有 收回", "删除 没有", "导入 没有", "导出 多出"]);
    await page.getByText(/能看到的数据：指定部门：/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await save(page).click();
    await page.getByText("角色的授权已保存").waitFor();
    expect((await keysOf(id)).departments.toSorted()).toEqual([above, below].toSorted());
    expect(await api(`${base}/role/detail?id=${id}`)).toMatchObject({ dataScope: "chosen" });
    expect(await codesOf(id)).toEqual(["post", "post_export", "post_view"]);
    await context.close();
  });

  test("what is not saved is asked for, kept through a reload, and stands on what somebody else saved meanwhile", async () => {
    const id = await makeRole("Editor three", "editor-three", ["post", "post_view"]);
    const context = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page } = await openRole(context, id);
    const asks = page.getByRole("alertdialog", { name: "还没有保存，要离开吗？" });
    await line(page, "岗位管理").getByLabel("编辑").check();
    for (const leave of [
      () => page.getByRole("link", { name: "客服", exact: true }).click(),
      () => page.getByRole("link", { name: "机构管理", exact: true }).click(),
    ]) {
      await leave();
      await asks.getByText("改动 1 处").waitFor();
      await asks.getByRole("button", { name: "继续填写" }).click();
    }
    page.on("dialog", (dialog) => void dialog.accept());
    // A reload in the moment of a change loses neither that one nor those before.
    await asks.waitFor({ state: "hidden" });
    await line(page, "岗位管理").getByLabel("删除").focus();
    await page.evaluate("document.activeElement.click(); setTimeout(() => location.reload())");
    await page.getByText(/已恢复 .* 没存完的内容，2 处/).waitFor();
    expect(await line(page, "岗位管理").getByLabel("编辑").isChecked()).toBe(true);
    await line(page, "岗位管理").getByLabel("删除").uncheck();
    // Somebody else saves meanwhile: theirs is shown, mine stands on it, and both are stored.
    const held = ["post", "post_view", "post_import"].map((code) => ids[code]);
    await api(`${base}/role/grant`, { roleIds: [id], menuIds: held });
    await save(page).click();
    await page.getByText("这个角色刚被别人改过").waitFor();
    await expect.poll(() => line(page, "岗位管理").getByLabel("导入").isChecked()).toBe(true);
    await changes(page).getByText("菜单与按钮：多 1 项，少 0 项").waitFor();
    await save(page).click();
    await page.getByText("角色的授权已保存").waitFor();
    expect(await codesOf(id)).toEqual(["post", "post_edit", "post_import", "post_view"]);
    await line(page, "岗位管理").getByLabel("删除").check();
    await page.getByRole("link", { name: "客服", exact: true }).click();
    await asks.getByRole("button", { name: "放弃改动" }).click();
    await page.getByRole("heading", { level: 1, name: "客服" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Editor three" }).waitFor();
    await changes(page).getByText("还没有改动。").waitFor();
    await context.close();
  });

  test("a clone gets a name of its own and the same grants, and is compared with its source", async () => {
    const id = await makeRole("Editor four", "editor-four", ["post", "post_view", "post_edit"]);
    const context = await portal.signedIn("admin");
    const { page } = await openRole(context, id);
    await page.getByRole("button", { name: "复制角色" }).click();
    const dialog = page.getByRole("dialog", { name: "复制角色" });
    await dialog.getByRole("button", { name: "复制角色" }).click();
    await dialog.getByText("请填写角色名称").waitFor();
    await dialog.getByLabel(/角色名称/).fill("Editor five");
    await dialog.getByLabel(/角色别名/).fill("editor-four");
    await page.keyboard.press("Enter");
    await dialog.getByText("角色别名“editor-four”已存在").waitFor();
    await dialog.getByLabel(/角色别名/).fill("editor-five");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Editor five" }).waitFor();
    const cloned = addressOf(page).get("id") ?? "";
    expect(cloned).not.toBe(id);
    expect(await codesOf(cloned)).toEqual(["post", "post_edit", "post_view"]);
    await page.getByRole("combobox", { name: "与另一角色比较" }).selectOption({ label: "Editor four" });
    await line(page, "岗位管理").getByText("同样").waitFor();
    await line(page, "岗位管理").getByLabel("编辑").uncheck();
    await line(page, "岗位管理").getByLabel("删除").check();
    await line(page, "岗位管理").getByText("多 编辑").waitFor();
    await line(page, "岗位管理").getByText("少 删除").waitFor();
    await changes(page).getByRole("button", { name: "还原" }).click();
    await context.close();
  });

  test("by keyboard alone, and on a phone in both languages", async () => {
    const id = await makeRole("Editor six", "editor-six", ["post", "post_view"]);
    const context = await portal.signedIn("admin");
    const { page } = await openRole(context, id);
    await tabTo(page, page.getByRole("searchbox", { name: "查找菜单或按钮" }), "Tab", 120);
    await page.keyboard.type("岗位");
    const edit = line(page, "岗位管理").getByLabel("编辑");
    await page.getByRole("button", { name: /全部(展开|收起)/, disabled: true }).waitFor();
    await tabTo(page, edit);
    await page.keyboard.press("Space");
    await changes(page).getByText("菜单与按钮：多 1 项，少 0 项").waitFor();
    await tabTo(page, save(page));
    await page.keyboard.press("Enter");
    await page.getByText("角色的授权已保存").waitFor();
    expect(await codesOf(id)).toEqual(["post", "post_edit", "post_view"]);
    await context.close();

    const small = await portal.signedIn("admin", phone);
    const { page: mobile } = await openRole(small, id);
    await line(mobile, "岗位管理").getByLabel("编辑").uncheck();
    expect(await smallTargets(mobile, "main")).toEqual([]);
    expect(await mobile.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(await violationsOf(mobile)).toEqual([]);
    // What is changed stands far below: saving is in sight all the same.
    await mobile.getByRole("button", { name: "保存 1 处" }).tap();
    await mobile.getByText("角色的授权已保存").waitFor();
    expect(await codesOf(id)).toEqual(["post", "post_view"]);
    await small.addCookies([{ name: "langType", value: "en", url: portal.address }]);
    for (const tab of ["", "&tab=scope", "&tab=preview"]) {
      await mobile.goto(`${portal.address}${screen}?id=${id}${tab}`);
      await mobile.getByRole("tab", { name: "Data scope" }).waitFor();
      await settled(mobile);
      expect(await violationsOf(mobile), tab).toEqual([]);
      expect(await mobile.evaluate<number>("document.documentElement.scrollWidth"), tab).toBeLessThanOrEqual(390);
    }
    await small.close();
  });
});
