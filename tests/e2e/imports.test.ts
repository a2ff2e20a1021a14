import { utils, write } from "@e965/xlsx";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { addDepartments, apiOf, departmentScreen, foundDepartments, phone } from "../harness/departments.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();
const api = apiOf(portal);
const importScreen = `${departmentScreen}/import`;

const headers = ["服务部名称", "服务电话", "负责人", "所在地区", "详细地址", "工作日营业时间", "状态"];
const line = (name: string, telephone: string, status = "启用"): string =>
  [name, telephone, "Zhou", "411325", "Lane 1", "08:30-12:00", status].join("\t");

/** Chooses rows as somebody does who copies them out of a sheet. */
async function paste(page: Page, lines: readonly string[]): Promise<void> {
  await page.getByRole("button", { name: "粘贴表格" }).click();
  const dialog = page.getByRole("dialog", { name: "粘贴表格" });
  await dialog.getByRole("textbox").fill([headers.join("\t"), ...lines].join("\n"));
  await dialog.getByRole("button", { name: "检查", exact: true }).click();
}
/** A figure of the check, by its word. */
const figure = (page: Page, word: string) => page.locator("p", { hasText: word }).locator("b");

describe.skipIf(foundBrowser === undefined)("an import", () => {
  // Its jobs are its own: the header shows the newest few of an account.
  beforeAll(() => portal.copyOf("admin", "importer"));

  test("bad rows are told and corrected where they stand, then all is written, and taken back", async () => {
    const context = await portal.signedIn("importer", { viewport: { width: 1440, height: 900 } });
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}${departmentScreen}`);
    await page.getByRole("button", { name: "导入", exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name: "导入服务部档案" }).waitFor();
    await paste(page, [
      line("Import one", "0377-60002001"),
      line("Import two", "12"),
      line("Import one", "0377-60002003"),
      line("Import four", "0377-60002004", "Open"),
      line("Import five", "0377-60002005", "Open"),
    ]);
    await page.getByRole("heading", { name: "预检" }).waitFor();
    await expect.poll(() => figure(page, "有问题").first().innerText()).toBe("4");
    expect((await foundDepartments(api, "Import ")).total).toBe(0);
    // One cell, by keyboard; then one value wherever it stands.
    await page.getByRole("button", { name: /^第 3 行 服务电话：/ }).click();
    await page.getByRole("textbox", { name: "第 3 行 服务电话" }).fill("0377-60002002");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^第 3 行 服务电话：/ }).waitFor({ state: "detached" });
    // The list of problems is shorter by one then, and what stands below it in its place.
    await expect.poll(() => figure(page, "有问题").first().innerText()).toBe("3");
    await page.getByRole("button", { name: "2 处一起改" }).click();
    const dialog = page.getByRole("dialog", { name: "2 处一起改" });
    await dialog.getByRole("textbox").fill("启用");
    await dialog.getByRole("button", { name: "2 处一起改" }).click();
    await expect.poll(() => figure(page, "有问题").first().innerText()).toBe("1");
    // The left row bears a name that stands above it.
    await page.getByRole("button", { name: /^第 4 行 服务部名称：/ }).click();
    await page.getByRole("textbox", { name: "第 4 行 服务部名称" }).fill("Import three");
    await page.keyboard.press("Enter");
    await page.getByText("没有问题了，可以导入。").waitFor();
    // What was corrected is there after a reload, too.
    await page.reload();
    await page.getByRole("button", { name: "导入 5 行" }).click();
    await page.getByText("5 行已写入").waitFor();
    await page.getByText("新增 5 条，更新 0 条。").waitFor();
    expect((await foundDepartments(api, "Import ")).records.map(({ departmentName }) => departmentName).sort()).toEqual(
      ["Import five", "Import four", "Import one", "Import three", "Import two"],
    );
    await page.getByRole("button", { name: "撤销这一批" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "撤销", exact: true }).click();
    await page.getByText("这一批已经撤销。").waitFor();
    expect((await foundDepartments(api, "Import ")).total).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a sheet of other headings is matched by hand, what was rewritten is shown, and the next one is matched by itself", async () => {
    const context = await portal.signedIn("importer", { viewport: { width: 1366, height: 768 } });
    const { page, problems } = await openPage(context);
    const send = async (name: string) => {
      await page.goto(`${portal.address}${importScreen}`);
      const file = `旧系统导出\nT,P,W,R,A,H,S\n${name},400-800-1234,王强,内乡县,某路,08:30-12:00,ＱＹ\n`;
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: "old.csv", mimeType: "text/csv", buffer: Buffer.from(file.replace("ＱＹ", "启 用")) });
    };
    await send("Matched one");
    await page.getByRole("heading", { name: "没有认出表头" }).waitFor();
    await page.getByRole("button", { name: "选表、表头和列" }).click();
    const dialog = page.getByRole("dialog", { name: "选表、表头和列" });
    await dialog.getByRole("radio").nth(1).check();
    await dialog.getByRole("button", { name: "按这样读" }).click();
    await page.getByRole("heading", { name: "没有认出表头" }).waitFor();
    await page.getByRole("button", { name: "选表、表头和列" }).click();
    for (const [at, label] of headers.entries()) await dialog.getByRole("combobox").nth(at).selectOption({ label });
    await dialog.getByRole("button", { name: "按这样读" }).click();
    await page.getByText("第 2 行是表头").waitFor();
    await page.getByRole("button", { name: "改写过 1 行" }).click();
    await page.getByText("河南省南阳市内乡县").waitFor();
    await page.getByText("原为“内乡县”").waitFor();
    await send("Matched two");
    await page.getByText("第 2 行是表头").waitFor();
    await page.getByRole("button", { name: "导入 1 行" }).click();
    await page.getByText("1 行已写入").waitFor();
    expect((await foundDepartments(api, "Matched ")).records.map(({ departmentName }) => departmentName)).toEqual([
      "Matched two",
    ]);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("only the good rows are written, where somebody wants that; the others wait", async () => {
    const context = await portal.signedIn("importer", phone);
    const { page } = await openPage(context);
    await page.goto(`${portal.address}${importScreen}`);
    await paste(page, [line("Partly one", "0377-60003001"), line("Partly two", "12")]);
    await page.getByRole("button", { name: "导入 1 行" }).click();
    await page.getByText("1 行已写入").waitFor();
    expect((await foundDepartments(api, "Partly ")).records.map(({ departmentName }) => departmentName)).toEqual([
      "Partly one",
    ]);
    await context.close();
  });

  test("long work shows how far it is on every screen, is cancelled, and its end is a message that leads to it", async () => {
    const context = await portal.signedIn("importer", { viewport: { width: 1440, height: 900 } });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}${importScreen}`);
    const rows = Array.from({ length: 4000 }, (_, at) => line(`Long ${at}`, `0377-6${1_000_000 + at}`).split("\t"));
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([headers, ...rows]), "服务部");
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "选文件" }).click();
    await (await choosing).setFiles({
      name: "long.xlsx",
      mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      buffer: write(book, { type: "buffer", bookType: "xlsx", compression: true }),
    });
    await page.getByRole("heading", { name: "正在检查" }).waitFor();
    // Elsewhere the same is seen and ended.
    await page.getByRole("button", { name: /^检查导入的表格/ }).click();
    const menu = page.getByRole("region", { name: "任务" });
    await menu.getByRole("button", { name: "取消" }).first().click();
    await menu
      .getByText(/^已取消/)
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    expect((await foundDepartments(api, "Long ")).total).toBe(0);
    await page.goto(`${portal.address}/selfCenter/jobs?state=cancelled`);
    await page.getByRole("button", { name: "检查导入的表格" }).first().click();
    const opened = page.getByRole("dialog", { name: "检查导入的表格" });
    await opened.getByText("已取消").waitFor();
    await opened.getByRole("button", { name: "关闭" }).first().click();

    await addDepartments(api, "Exported", 1);
    await page.goto(`${portal.address}${departmentScreen}?q=Exported`);
    await page.getByRole("button", { name: "导出 1 条" }).click();
    await page
      .getByRole("banner")
      .getByRole("button", { name: /^(任务|导出)/ })
      .click();
    // What an export made can be fetched; the import has nothing to fetch.
    await menu.getByRole("button", { name: "下载" }).waitFor();
    expect(await menu.getByRole("button", { name: "下载" }).count()).toBe(1);
    await page.goto(`${portal.address}/selfCenter/news`);
    await page.getByRole("main").getByText("导出服务部档案").first().waitFor();
    await context.close();
  });
});
