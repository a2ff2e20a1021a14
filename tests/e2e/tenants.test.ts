import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser, settled } from "../harness/browser.ts";
import { apiOf } from "../harness/departments.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();
const api = apiOf(portal);
const base = "/api/muyuan-system";

interface Node {
  id: string;
  code: string;
  disabled: boolean;
  children?: Node[];
}
const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);

describe.skipIf(foundBrowser === undefined)("tenants, packages, menus and regions", () => {
  test("a package is composed in the tree, given to a tenant, and says before whom it concerns", async () => {
    const { menu } = await api<{ menu: Node[] }>(`${base}/tenant-package/tree`);
    const all = flat(menu).filter(({ disabled }) => !disabled);
    const { id } = await api<{ id: string }>(`${base}/tenant-package/submit`, { packageName: "Basic herd" });
    await api(`${base}/tenant-package/set-menus`, { id, menuIds: all.map((node) => node.id) });
    const context = await portal.signedIn("admin");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/system/tenant`);
    await page.locator("tbody tr", { hasText: "100001" }).click();
    await page.locator("#tenant-accounts").fill("40");
    await page.locator("#tenant-package").selectOption({ label: "Basic herd" });
    await page.getByText("没有人的页面或按钮会变。").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "保存 2 处" }).click();
    await page.locator("tbody tr", { hasText: "100001" }).getByText("Basic herd").waitFor();

    await page.goto(`${portal.address}/system/tenantpackage/menus?id=${id}`);
    await page.getByRole("searchbox", { name: "查找菜单或按钮" }).fill("成员管理");
    await page.getByRole("checkbox", { name: "成员管理", exact: true }).first().uncheck();
    const side = page.getByRole("complementary", { name: "改了什么，关系到谁" });
    await side.getByText(/1 个租户的 \d+ 人会有变化/).waitFor();
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);
    await side.getByRole("button", { name: "保存 1 处" }).click();
    await page.getByText("套餐已保存，成员下一次操作时生效").waitFor();
    const kept = await api<{ menuIds: string[] }>(`${base}/tenant-package/menus?id=${id}`);
    expect(kept.menuIds.length).toBe(all.length - 1);
    await api(`${base}/tenant/package-setting?tenantId=100001&packageId=`, {});
  });

  test("menus are moved by keys and saved together, after saying whom it concerns; icon and screen are chosen from the app's own", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/system/menu`);
    const rows = page.locator("tbody tr");
    await rows.nth(1).waitFor();
    /** Codes of the first two menus. */
    const names = async () =>
      (await rows.allInnerTexts()).slice(0, 2).map((text) => /[a-z]+(_[a-z]+)+/.exec(text)?.[0] ?? "");
    await settled(page);
    const before = await names();
    const [first = "", second = ""] = before;
    expect(new Set([first, second, ""]).size).toBe(3);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (/\/menu\/(move|arrange)$/.test(request.url())) sent.push(request.url().replace(/.*\//, ""));
    });
    const move = async (row: number, key: string) => {
      await rows.nth(row).focus();
      await page.keyboard.press(key);
    };
    await move(1, "Alt+ArrowUp");
    await page.getByText("移动了 1 处，还没有保存").waitFor();
    expect(await names()).toEqual([second, first]);
    await move(1, "Alt+ArrowRight");
    await page.getByText("移动了 2 处，还没有保存").waitFor();
    await page.getByRole("button", { name: "撤回上一步" }).click();
    await page.getByText("移动了 1 处，还没有保存").waitFor();
    // Who leaves with moves that are not saved is asked.
    await page.getByRole("link", { name: "操作记录", exact: true }).first().click();
    await page.getByText("改动还没有保存，关闭后会丢失。").waitFor();
    await page.getByRole("button", { name: "取消", exact: true }).click();
    const dialog = page.getByRole("alertdialog");
    const save = async () => {
      await page.getByRole("button", { name: "查看影响并保存" }).click();
      await dialog.getByText(/会看到新的先后顺序/).waitFor();
      await dialog.getByRole("button", { name: "保存移动" }).click();
      await dialog.waitFor({ state: "hidden" });
    };
    await page.getByRole("button", { name: "查看影响并保存" }).click();
    await dialog.getByText(/会看到新的先后顺序/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "取消" }).click();
    expect(sent).toEqual([]);
    await save();
    expect(sent).toEqual(["arrange"]);
    await page.reload();
    await rows.nth(1).waitFor();
    await expect.poll(names).toEqual([second, first]);
    await move(1, "Alt+ArrowUp");
    await save();
    await expect.poll(names).toEqual(before);
    const { id } = await api<{ id: string }>(`${base}/menu/submit`, { name: "临时", code: "passing", category: 1 });
    await page.goto(`${portal.address}/system/menu?row=${id}`);
    await page.getByRole("heading", { name: "改了什么，关系到谁" }).waitFor();
    await page.goto(`${portal.address}/system/menu?keyword=${encodeURIComponent("临时")}`);
    await page.getByRole("button", { name: "临时 的操作" }).click();
    await page.getByRole("menuitem", { name: "删除" }).click();
    // The administrator, who holds every new menu, loses it.
    await dialog.getByText(/会失去它/).waitFor();
    await dialog.getByRole("button", { name: "删除" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.goto(`${portal.address}/system/menu?row=new`);
    await page.locator("#row-component").waitFor();
    expect(await page.locator("#row-component option").count()).toBeGreaterThan(100);
    await page.locator("#row-source").click();
    await page.getByRole("button", { name: "factory" }).click();
    await page.locator("#row-source", { hasText: "factory" }).waitFor();
  });

  test("divisions are found by pinyin, opened level by level, disabled and enabled again", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/system/region`);
    await page.getByRole("button", { name: "展开 河南省" }).click();
    await page.getByRole("button", { name: "展开 南阳市" }).click();
    await page.getByText("内乡县").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("searchbox", { name: "按名称、拼音或编号查找" }).fill("neixiang");
    const found = page.getByRole("listitem").filter({ hasText: "411325" });
    await found.getByRole("button", { name: "内乡县 的操作" }).click();
    await page.getByRole("menuitem", { name: "停用" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "停用" }).click();
    await found.getByText("已停用").waitFor();
    const offered = await api<{ id: string }[]>(`${base}/region/lazy-tree?parentCode=4113`);
    expect(offered.map(({ id }) => id)).not.toContain("411325");
    await found.getByRole("button", { name: "内乡县 的操作" }).click();
    await page.getByRole("menuitem", { name: "启用" }).click();
    await found.getByText("已停用").waitFor({ state: "hidden" });
  });
});
