import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import {
  addDepartments,
  addressOf,
  apiOf,
  departmentOf,
  departmentPath,
  departmentScreen,
  foundDepartments,
  openDepartments,
} from "../harness/departments.ts";
import { openPage, usePortal } from "../harness/portal.ts";

// What experience.md says of every list, on one of those that are declared and nothing else.
const portal = usePortal();
const api = apiOf(portal);
const row = (page: Page, name: string) => page.locator("tbody tr", { hasText: name });
const pages = "**/service-department/page?*";
const headers = async (page: Page) =>
  (await page.getByRole("columnheader").allInnerTexts()).map((text) => text.trim()).filter((text) => text !== "");
const pick = async (page: Page, condition: string, value: string): Promise<void> => {
  await page.getByRole("search").getByRole("button", { name: condition, exact: true }).click();
  await page.getByRole("dialog", { name: condition }).getByLabel(value, { exact: true }).check();
  await page.keyboard.press("Escape");
};
const preferenceSent = (page: Page) => page.waitForResponse((answer) => answer.url().includes("/preference/submit"));
const view = (page: Page, name: RegExp) =>
  page.getByRole("navigation", { name: "保存的视图" }).getByRole("button", { name });

describe.skipIf(foundBrowser === undefined)("every list", () => {
  beforeAll(async () => {
    await addDepartments(api, "East", 45);
    await portal.copyOf("admin", "list-keeper");
  });

  test("conditions, order and page stand in the address; back and reload bring them again, with the open row", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openDepartments(portal, context, "?q=East");
    await pick(page, "状态", "停用");
    await page.getByText("第 1 到 9 条，共 9 条").waitFor();
    await page.getByText(/^筛选自 \d+$/).waitFor();
    expect(addressOf(page).get("f.status")).toBe("0");
    // Of two changes, the second before the page shows the first, both are kept.
    await page.evaluate(async () => {
      type Button = { textContent: string; ariaLabel: string | null; click(): void };
      const { document } = globalThis as unknown as { document: { querySelectorAll(selector: string): Button[] } };
      const buttons = [...document.querySelectorAll("button")];
      buttons.find(({ ariaLabel }) => ariaLabel === "去掉筛选 状态")?.click();
      for (let turn = 0; turn < 100; turn += 1) await undefined;
      buttons.find(({ textContent }) => textContent.startsWith("服务部名称"))?.click();
    });
    await expect.poll(() => addressOf(page).get("sort")).toBe("departmentName");
    expect(addressOf(page).get("f.status")).toBe(null);
    await page.locator("#list-search").fill("East0");
    // Typing is sent when it pauses, and begins at the first page.
    await expect.poll(() => addressOf(page).get("q")).toBe("East0");
    await page.getByText("第 1 到 9 条，共 9 条").waitFor();
    await page.locator("#list-search").fill("East");
    await expect.poll(() => addressOf(page).get("q")).toBe("East");
    await page.getByText("第 1 到 20 条，共 45 条").waitFor();
    await row(page, "East01").waitFor();
    await page.getByRole("button", { name: "第 2 页" }).click();
    await page.getByText("第 21 到 40 条").waitFor();
    await page.getByRole("button", { name: "East22 office", exact: true }).click();
    await page.locator("#row-departmentName").waitFor();
    await page.reload();
    await page.getByText("第 21 到 40 条").waitFor();
    await expect.poll(() => page.locator("#row-departmentName").inputValue()).toBe("East22 office");
    await page.goBack();
    await page.locator("#row-form").waitFor({ state: "detached" });
    await page.goBack();
    await page.getByText("第 1 到 20 条").waitFor();
    expect([addressOf(page).get("q"), addressOf(page).get("sort")]).toEqual(["East", "departmentName"]);
    await context.close();
  });

  test("regions are chosen level by level and shown by name, in the list, the filter and the history", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openDepartments(portal, context, "?q=East&sort=departmentName");
    await page.getByRole("search").getByRole("button", { name: "所在地区", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "所在地区" });
    await dialog.getByLabel("湖北省", { exact: true }).check();
    await page.getByText("个筛选下没有服务部").waitFor();
    await dialog.getByRole("button", { name: "看河南省的下级" }).click();
    await dialog.getByLabel("南阳市", { exact: true }).check();
    await page.getByText("共 45 条").waitFor();
    expect(addressOf(page).get("f.regionCode")).toBe("42,4113");
    await page.keyboard.press("Escape");
    await page.getByRole("search").getByText("湖北省、河南省 南阳市").waitFor();
    await page.getByRole("button", { name: "East01 office", exact: true }).click();
    await page.getByRole("tab", { name: "改动记录" }).click();
    const drawer = page.getByRole("complementary");
    // The sentence of the audit trail, with each field behind it.
    await drawer.getByText(/新增了服务部“East01 office”/).waitFor();
    await drawer.getByRole("button", { name: /项明细$/ }).click();
    await drawer.getByText("内乡县").waitFor();
    expect(await drawer.getByText("411325").count()).toBe(0);
    await context.close();
  });

  test("columns, their order and widths, row height and views are the account's: another browser has them too", async () => {
    const context = await portal.signedIn("list-keeper");
    const { page } = await openDepartments(portal, context, "?q=East");
    // None of these has a region of sale, so that its column takes no room.
    expect((await headers(page)).slice(0, 3)).toEqual(["服务部名称", "状态", "服务电话"]);
    // The counter tells the columns that found room, beside all there are.
    const inSight = (await headers(page)).filter((name) => name !== "操作").length;
    await page.getByRole("button", { name: new RegExp(`^列\\s*${inSight}/\\d+$`) }).waitFor();
    // By mouse: the edge of a header is dragged, then a column before another one.
    const header = page.getByRole("columnheader", { name: "服务电话" });
    const box = await header.boundingBox();
    if (!box) throw new Error("the header is not on the screen");
    await page.mouse.move(box.x + box.width - 3, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width + 57, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await header.boundingBox())?.width).toBe(box.width + 60);
    await page.getByRole("button", { name: /^列/ }).click();
    const editor = page.getByRole("grid", { name: "列，拖动排序" });
    await editor.getByRole("checkbox", { name: "所在地区" }).uncheck();
    await editor
      .getByRole("row", { name: "负责人" })
      .dragTo(editor.getByRole("row", { name: "状态" }), { targetPosition: { x: 80, y: 2 } });
    await expect.poll(async () => (await headers(page)).slice(0, 3)).toEqual(["服务部名称", "负责人", "状态"]);
    // By keyboard: the grip takes a column, arrows carry it; a number is a width.
    await editor.getByRole("button", { name: "移动 状态" }).focus();
    await page.keyboard.press("Enter");
    const target = page.locator("[data-drop-target] [role=button]");
    await target.waitFor();
    for (let step = 0; step < 3; step += 1) {
      const before = await target.getAttribute("aria-label");
      await page.keyboard.press("ArrowDown");
      await expect.poll(() => target.getAttribute("aria-label")).not.toBe(before);
    }
    await page.keyboard.press("Enter");
    await editor.getByRole("spinbutton", { name: "负责人的宽度，像素" }).fill("222");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "紧凑" }).click();
    await expect.poll(async () => (await headers(page)).indexOf("状态")).toBeGreaterThan(2);
    const arranged = await headers(page);
    expect(arranged.slice(0, 2)).toEqual(["服务部名称", "负责人"]);
    expect(arranged).not.toContain("所在地区");

    await pick(page, "状态", "停用");
    await page.getByRole("button", { name: "把现在的条件存成视图" }).click();
    await page.getByLabel("视图名称").fill("停用的");
    await page.keyboard.press("Enter");
    // A view says how many rows it has.
    await view(page, /^停用的\s*9$/).waitFor();
    expect(addressOf(page).get("view")).toBe("v1");
    // A changed view says so, and goes back, is kept anew, or under another name.
    await page.locator("#list-search").fill("East05");
    await page.getByText("条件已改动").waitFor();
    await page.getByRole("button", { name: "还原" }).click();
    await page.getByText("共 9 条").waitFor();
    await page.locator("#list-search").fill("East05");
    await page.getByRole("button", { name: "另存" }).click();
    await page.getByLabel("视图名称").fill("只有一条");
    await page.keyboard.press("Enter");
    await view(page, /^只有一条\s*1$/).waitFor();
    await page.getByRole("button", { name: "视图“只有一条”的操作" }).click();
    const sent = preferenceSent(page);
    await page.getByRole("menuitem", { name: "删除视图" }).click();
    await view(page, /只有一条/).waitFor({ state: "detached" });
    await sent;

    const other = await portal.signedIn("list-keeper");
    const { page: elsewhere } = await openDepartments(portal, other);
    await view(elsewhere, /^停用的/).click();
    await elsewhere.getByText("共 9 条").waitFor();
    expect(addressOf(elsewhere).get("q")).toBe("East");
    expect(await headers(elsewhere)).toEqual(arranged);
    expect((await elsewhere.locator("tbody tr").first().boundingBox())?.height).toBeLessThan(40);
    const widthOf = async (name: string) => (await elsewhere.getByRole("columnheader", { name }).boundingBox())?.width;
    expect([await widthOf("负责人"), await widthOf("服务电话")]).toEqual([222, box.width + 60]);
    await Promise.all([other.close(), context.close()]);
  });

  test("all that are filtered are chosen, changed and removed, and nothing else; the rows stay where they are", async () => {
    await addDepartments(api, "North", 24);
    const context = await portal.signedIn("admin");
    const { page } = await openDepartments(portal, context, "?q=North&f.status=1&sort=departmentName");
    await page.getByText("共 20 条").waitFor();
    await page.getByRole("button", { name: "去掉筛选 状态" }).click();
    await page.getByText("共 24 条").waitFor();
    const top = async () => (await page.locator("tbody tr").first().boundingBox())?.y;
    const before = await top();
    await page.getByRole("checkbox", { name: "选择本页全部" }).check();
    await page.getByText("已选 20 条").waitFor();
    expect(await top()).toBe(before);
    await page.getByRole("button", { name: "选中筛选出的全部 24 条" }).click();
    await page.getByText("已选 24 条").waitFor();
    await page.getByRole("button", { name: "改状态" }).click();
    await page.getByRole("dialog", { name: /改为/ }).getByRole("combobox").selectOption({ label: "停用" });
    await page.getByRole("button", { name: "更新 24 条" }).click();
    await page.getByText("已更新 24 条").waitFor();
    const others = (await foundDepartments(api, "East")).records.filter(({ status }) => status === "0");
    expect(others).toHaveLength(9);
    expect((await foundDepartments(api, "North")).records.filter(({ status }) => status === "1")).toEqual([]);

    await page.getByRole("checkbox", { name: "选择本页全部" }).check();
    await page.getByRole("button", { name: "选中筛选出的全部 24 条" }).click();
    await page.getByRole("region", { name: /列表/ }).getByRole("button", { name: "删除", exact: true }).click();
    const ask = page.getByRole("alertdialog", { name: "删除筛选出的24 条服务部？" });
    await ask.getByText(/North01 office、.*等 24 项/).waitFor();
    await ask.getByText("没有别处在用").waitFor();
    // Somebody adds one that fits: what was not seen is not removed.
    await api(`${departmentPath}/submit`, departmentOf("North", 25));
    await ask.getByRole("button", { name: "删除", exact: true }).click();
    await ask.getByText("筛选出的记录已变为 25 条，请核对后再试").waitFor();
    await ask.getByRole("button", { name: "取消" }).click();
    await page.getByText("共 25 条").waitFor();
    expect((await foundDepartments(api, "North")).total).toBe(25);
    await page.getByRole("region", { name: /列表/ }).getByRole("button", { name: "删除", exact: true }).click();
    const again = page.getByRole("alertdialog", { name: "删除筛选出的25 条服务部？" });
    await again.getByRole("button", { name: "删除", exact: true }).click();
    await page.getByText("已删除25 条服务部").waitFor();
    await page.getByText("1 个筛选下没有服务部").waitFor();
    expect((await foundDepartments(api, "North")).total).toBe(0);
    expect((await foundDepartments(api, "East")).total).toBe(45);
    await context.close();
  });

  test("while rows come, without a match, in a failure: each says what to do", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openPage(context);
    // While they come: lines at their place.
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(pages, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${portal.address}${departmentScreen}?q=East`);
    await page.locator("main [aria-busy=true]").waitFor();
    expect(await page.getByText("还没有服务部").count()).toBe(0);
    answer();
    await page.getByText("共 45 条").waitFor();
    await page.unroute(pages);

    // Without a match: how many there would be without each condition.
    await page.goto(`${portal.address}${departmentScreen}?q=East0&f.principal=Nobody`);
    await page.getByText("2 个筛选下没有服务部").waitFor();
    await page.getByRole("listitem").filter({ hasText: "去掉 负责人" }).getByText("9", { exact: true }).waitFor();
    await page.getByRole("button", { name: "去掉 负责人" }).click();
    await page.getByText("共 9 条").waitFor();

    // In a failure: what still holds.
    await page.route(pages, (route) => route.abort());
    await page.locator("#list-search").fill("East1");
    await page.getByText("没有取到列表").waitFor();
    await page.getByRole("button", { name: /^看 .* 的$/ }).click();
    await row(page, "East09").waitFor();
    await page.unroute(pages);
    await page.reload();
    await page.getByText("共 10 条").waitFor();
    await context.close();
  });

  test("without any row, without a right, before a search: each says what to do", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openPage(context);
    // Without any row: add one, or a sheet of them.
    const nothing = { records: [], total: 0, size: 20, current: 1, pages: 0 };
    await page.route(pages, (route) => route.fulfill({ json: { code: 200, success: true, data: nothing, msg: "" } }));
    await page.goto(`${portal.address}${departmentScreen}`);
    await page.getByRole("heading", { name: "还没有服务部" }).waitFor();
    const state = page.getByRole("region", { name: /列表/ });
    expect(await state.getByRole("button", { name: "导入" }).isEnabled()).toBe(true);
    await state.getByRole("button", { name: "新增服务部" }).click();
    await page.locator("#row-form").waitFor();
    await page.unroute(pages);

    // Without the right: whom to ask.
    const refused = { code: 403, success: false, data: { reason: "permission.missing" }, msg: "请求被拒绝" };
    await page.route(pages, (route) => route.fulfill({ status: 403, json: refused }));
    await page.goto(`${portal.address}${departmentScreen}`);
    await page.getByText("您的角色看不到服务部档案").waitFor();
    expect(await page.getByRole("button", { name: "申请查看" }).isEnabled()).toBe(true);
    await page.unroute(pages);

    // Before a search, as a list declares it that nobody reads from the beginning.
    const scripts = /\/assets\/[^/]*\.js$/;
    let declared = 0;
    await page.route(scripts, async (route) => {
      const script = await route.fetch();
      const text = (await script.text()).replace(/(["`'])?title\1?:(["`'])departmentName\2/, (found) => {
        declared += 1;
        return `${found},searchFirst:["regionCode"]`;
      });
      await route.fulfill({
        response: script,
        body: text,
        headers: { ...script.headers(), "content-encoding": "identity" },
      });
    });
    await page.goto(`${portal.address}${departmentScreen}?q=East`);
    await page.getByRole("heading", { name: "先选所在地区" }).waitFor();
    expect(declared).toBe(1);
    expect(await page.locator("tbody tr").count()).toBe(0);
    await page.getByRole("button", { name: "选所在地区" }).click();
    await page.getByRole("dialog", { name: "所在地区" }).getByLabel("河南省", { exact: true }).check();
    await page.getByText("共 45 条").waitFor();
    await page.goto(`${portal.address}${departmentScreen}`);
    await page.getByRole("button", { name: "上次的条件" }).click();
    await page.getByText("共 45 条").waitFor();
    expect([addressOf(page).get("q"), addressOf(page).get("f.regionCode")]).toEqual(["East", "41"]);
    await context.close();
  });
});
