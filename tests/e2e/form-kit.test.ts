import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import {
  apiOf,
  departmentOf,
  departmentPath,
  foundDepartments,
  openDepartments,
  phone,
} from "../harness/departments.ts";
import { showsFocus, tabTo } from "../harness/keyboard.ts";
import { endSession, logInAgain, usePortal } from "../harness/portal.ts";
import { smallTargets } from "../harness/targets.ts";

// What experience.md says of every form, on one of those that are declared and nothing else.
const portal = usePortal();
const api = apiOf(portal);
const save = (page: Page) => page.getByRole("button", { name: "保存", exact: true });
const asks = (page: Page) => page.getByRole("alertdialog", { name: "还没有保存，要离开吗？" });
const open = (page: Page, name: string) => page.getByRole("button", { name: `${name} office`, exact: true }).click();
const stored = async (name: string) => {
  const { records } = await foundDepartments(api, name);
  return api<Record<string, unknown>>(`${departmentPath}/detail?id=${records[0]?.id}`);
};
const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("draft_")).length);
/** What is sent with a submit, for as long as the page lives. */
function submits(page: Page): Record<string, unknown>[] {
  const sent: Record<string, unknown>[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/submit") && request.url().includes("service-department"))
      sent.push(request.postDataJSON() as Record<string, unknown>);
  });
  return sent;
}
const regions = [
  ["省", "41"],
  ["市", "4113"],
  ["区县", "411325"],
] as const;

describe.skipIf(foundBrowser === undefined)("every form", () => {
  beforeAll(async () => {
    for (const number of [71, 72, 73, 75, 76, 77, 78])
      await api(`${departmentPath}/submit`, departmentOf("West", number));
  });

  test("problems stand at their field in words, by this side and by the server; what was typed stays", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openDepartments(portal, context, "?q=West");
    await page.getByRole("button", { name: "新增服务部" }).click();
    await page.locator("#row-departmentName").fill("West71 office");
    await save(page).click();
    await page.locator("#row-phone-problem").getByText("请填写服务电话").waitFor();
    expect(await page.evaluate<string>('document.activeElement.getAttribute("aria-invalid")')).toBe("true");
    await page.locator("#row-phone").fill("1378");
    await page.locator("#row-address").fill("Lane");
    await page.locator("#row-phone-problem").getByText("请输入正确的电话号码").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.locator("#row-phone").fill("0377-60001234");
    // Each level comes when the one above it is chosen.
    const region = page.getByRole("group", { name: "所在地区" });
    for (const [level, code] of regions)
      await region.getByRole("combobox", { name: level, exact: true }).selectOption(code);
    await save(page).click();
    await page.locator("#row-departmentName-problem").getByText("服务部名称“West71 office”已存在").waitFor();
    expect(await page.locator("#row-address").inputValue()).toBe("Lane");
    await page.locator("#row-departmentName").fill("West74 office");
    await save(page).click();
    await page.getByText("已新增“West74 office”").waitFor();
    await page.locator("tbody tr", { hasText: "West74" }).waitFor();
    await context.close();
  });

  test("what is typed outlives a reload, an answer that does not come, and a session that ends", async () => {
    await portal.copyOf("admin", "form-keeper", "13912340091");
    const context = await portal.signedIn("form-keeper");
    const { page } = await openDepartments(portal, context, "?q=West72");
    await open(page, "West72");
    await page.locator("#row-principal").fill("Zhao");
    // What it was, and how much is changed, before anything is saved.
    await page.locator("#row-principal-was").getByText("Zhou").waitFor();
    await page.getByText("改动 1 处").waitFor();
    await expect.poll(() => drafts(page)).toBe(1);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText(/已恢复 .* 没存完的内容，1 处/).waitFor();
    expect(await page.locator("#row-principal").inputValue()).toBe("Zhao");
    // The answer does not come.
    await page.route("**/service-department/submit", (route) => route.abort());
    await save(page).click();
    await page.locator("#row-form [role=alert]").waitFor();
    expect(await page.locator("#row-principal").inputValue()).toBe("Zhao");
    await page.unroute("**/service-department/submit");
    // The session ends.
    await endSession(page);
    await save(page).click();
    await logInAgain(page);
    expect(await page.locator("#row-principal").inputValue()).toBe("Zhao");
    const sent = submits(page);
    await save(page).click();
    await page.getByText("已保存").waitFor();
    expect(sent.map((body) => Object.keys(body).toSorted())).toEqual([["id", "principal", "version"]]);
    expect(await drafts(page)).toBe(0);
    expect(await stored("West72")).toMatchObject({ principal: "Zhao", address: "Lane 72" });
    await context.close();
  });

  test("leaving asks, wherever one goes; a draft can be kept or thrown away", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openDepartments(portal, context, "?q=West7&sort=departmentName");
    await open(page, "West75");
    await page.locator("#row-address").fill("Elsewhere");
    for (const leave of [
      () => page.getByRole("button", { name: "关闭", exact: true }).click(),
      () => page.getByRole("button", { name: "下一条" }).click(),
      () => open(page, "West76"),
      () => page.goBack(),
      () => page.getByRole("link", { name: "机构管理" }).click(),
      () => page.locator("#row-address").press("Escape"),
    ]) {
      await leave();
      await asks(page).getByText("改动 1 处").waitFor();
      await asks(page).getByRole("button", { name: "继续填写" }).click();
      await asks(page).waitFor({ state: "detached" });
      expect(await page.locator("#row-address").inputValue()).toBe("Elsewhere");
    }
    let asked = "";
    page.on("dialog", (dialog) => {
      asked = dialog.type();
      void dialog.accept();
    });
    await page.reload();
    await page.getByText(/已恢复/).waitFor();
    expect(asked).toBe("beforeunload");
    await page.getByRole("button", { name: "关闭", exact: true }).click();
    await asks(page).getByRole("button", { name: "留作草稿" }).click();
    await page.locator("#row-form").waitFor({ state: "detached" });
    await open(page, "West75");
    await page.getByText(/已恢复/).waitFor();
    await page.getByRole("button", { name: "丢弃" }).click();
    expect(await page.locator("#row-address").inputValue()).toBe("Lane 75");
    await page.locator("#row-address").fill("Elsewhere");
    await page.getByRole("button", { name: "关闭", exact: true }).click();
    await asks(page).getByRole("button", { name: "放弃改动" }).click();
    await page.locator("#row-form").waitFor({ state: "detached" });
    expect(await drafts(page)).toBe(0);
    expect(await stored("West75")).toMatchObject({ address: "Lane 75", version: 1 });
    await context.close();
  });

  test("nothing is sent where nothing is changed, also by the key", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openDepartments(portal, context, "?q=West76");
    const sent = submits(page);
    await open(page, "West76");
    await page.locator("#row-address").waitFor();
    expect(await save(page).isDisabled()).toBe(true);
    await page.locator("#row-address").press("Control+Enter");
    await page.locator("#row-address").fill("Another");
    await page.getByText("改动 1 处").waitFor();
    await page.locator("#row-address").fill("Lane 76");
    await page.getByText("没有改动").waitFor();
    await page.locator("#row-address").press("Enter");
    await page.getByRole("button", { name: "关闭", exact: true }).click();
    await page.locator("#row-form").waitFor({ state: "detached" });
    expect(sent).toEqual([]);
    await context.close();
  });

  test("two editors: what they did not both touch is merged, the rest is chosen", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openDepartments(portal, context, "?q=West73");
    await open(page, "West73");
    await page.locator("#row-principal").fill("Mine");
    await page.locator("#row-address").fill("My lane");
    const { id, version } = await stored("West73");
    await api(`${departmentPath}/submit`, { id, version, principal: "Their", phone: "0377-60009999" });
    await save(page).click();
    const dialog = page.getByRole("alertdialog", { name: /刚被.*改过/ });
    await dialog.getByText("还有 1 处要选").waitFor();
    // Whose version it is, and since when.
    await dialog.getByRole("columnheader", { name: /当日 \d\d:\d\d/ }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog
      .getByRole("row", { name: /负责人/ })
      .getByRole("radio")
      .first()
      .check();
    await dialog.getByRole("button", { name: "保存合并结果" }).click();
    await page.getByText("已保存").waitFor();
    const merged = { principal: "Their", phone: "0377-60009999", address: "My lane" };
    expect(await stored("West73")).toMatchObject(merged);
    await page.getByRole("tab", { name: "改动记录" }).click();
    await page.getByRole("complementary").getByText("My lane").waitFor();
    await context.close();
  });

  test("by keyboard alone: a row is added, corrected and changed", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openDepartments(portal, context, "?q=West");
    const { keyboard } = page;
    const field = (name: string) => page.locator(`#row-${name}`);
    await keyboard.press("n");
    await field("departmentName").waitFor();
    await tabTo(page, field("departmentName"));
    expect(await showsFocus(page)).toBe(true);
    await keyboard.type("West79 office");
    await keyboard.press("Control+Enter");
    // The first field with a problem has the focus.
    await expect.poll(() => page.evaluate<string>("document.activeElement.id")).toBe("row-phone");
    await keyboard.type("0377-60001234");
    await tabTo(page, field("principal"));
    await keyboard.type("Qian");
    const names = { 省: "河南省", 市: "南阳市", 区县: "内乡县" };
    for (const [level, code] of regions) {
      const select = page.getByRole("group", { name: "所在地区" }).getByRole("combobox", { name: level, exact: true });
      await select.waitFor();
      await tabTo(page, select);
      await keyboard.press("Enter");
      for (
        let step = 0;
        step < 40 && (await page.locator("option:focus").allInnerTexts())[0] !== names[level];
        step += 1
      )
        await keyboard.press("ArrowDown");
      await keyboard.press("Enter");
      await expect.poll(() => select.inputValue()).toBe(code);
    }
    await tabTo(page, field("address"));
    await keyboard.type("Lane 79");
    await keyboard.press("Control+Enter");
    await page.getByText("已新增“West79 office”").waitFor();
    expect(await stored("West79")).toMatchObject({ regionCode: "411325", principal: "Qian" });
    await context.close();
  });

  test("on a phone: problems in sight, the keyboard's kind, large targets, and the question before leaving", async () => {
    const context = await portal.signedIn("admin", phone);
    const { page } = await openDepartments(portal, context, "?q=West77");
    await page.getByRole("button", { name: "West77 office", exact: true }).tap();
    await page.locator("#row-phone").fill("12");
    expect(await page.locator("#row-phone").getAttribute("inputmode")).toBe("tel");
    await save(page).tap();
    await page.locator("#row-phone-problem").getByText("请输入正确的电话号码").waitFor();
    const seen = await page.locator("#row-phone-problem").boundingBox();
    expect(seen && seen.y > 0 && seen.y < 844).toBe(true);
    expect(await smallTargets(page, "[role=dialog]")).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "关闭", exact: true }).tap();
    await asks(page).getByRole("button", { name: "继续填写" }).tap();
    await page.locator("#row-phone").fill("0377-60007777");
    await save(page).tap();
    await page.getByText("已保存").waitFor();
    expect(await stored("West77")).toMatchObject({ phone: "0377-60007777" });
    await context.close();
  });
});
