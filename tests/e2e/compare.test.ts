import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser, settled } from "../harness/browser.ts";
import { apiOf } from "../harness/departments.ts";
import { publish } from "../harness/device.ts";
import { widerThanWindow } from "../harness/page-text.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();
const hourMs = 3_600_000;
const path = "/selfCenter/vet/dataAnalysis";

interface Found {
  id: string;
  unitName: string;
}
const deviceOf = async (serialNumber: string): Promise<Found> => {
  const { records } = await apiOf(
    portal,
    "farm",
  )<{ records: Found[] }>(`/api/muyuan-iot/device/page?size=10&name=${serialNumber}`);
  const [device] = records;
  if (!device) throw new Error(`${serialNumber} is not there`);
  return device;
};

describe.skipIf(foundBrowser === undefined)("data analysis", () => {
  test("holds units against each other by time and by age, tells what is unusual, and keeps, sends and hands out what was chosen", async () => {
    const now = Date.now();
    const told = async (serialNumber: string, toldAt: (hoursAgo: number) => number) => {
      const entries = Array.from({ length: 192 }, (_, at) => {
        const hoursAgo = 192 - at;
        return { ts: now - hoursAgo * hourMs, values: { t_in: toldAt(hoursAgo), rh: 60 } };
      });
      // The even one is silent for half a day.
      const heard = entries.filter(
        ({ ts }) => serialNumber !== "ENV-QS-03" || Math.abs(now - ts - 60 * hourMs) > 6 * hourMs,
      );
      for (let at = 0; at < heard.length; at += 64)
        await publish(portal, serialNumber, "telemetry", heard.slice(at, at + 64));
    };
    // Days of 19.5, 20 and 20.5 °C beside an even 24 °C.
    await told("ENV-QS-02", (hoursAgo) => 20.5 - 0.5 * (Math.floor((hoursAgo - 1) / 24) % 3));
    await told("ENV-QS-03", () => 24);
    const [first, other] = [await deviceOf("ENV-QS-02"), await deviceOf("ENV-QS-03")];
    await portal.copyOf("farm", "analyst");
    const context = await portal.signedIn("analyst", { viewport: { width: 1440, height: 900 }, acceptDownloads: true });
    const { page, problems } = await openPage(context);
    await page.goto(portal.address + path);
    await page.getByText("先选要比的场区、栋、单元或设备").waitFor();
    const add = page.getByRole("combobox", { name: "加一个场区、栋、单元或设备" });
    await add.locator(`option[value="${first.id}"]`).waitFor({ state: "attached" });
    await add.selectOption(first.id);
    await add.selectOption(other.id);
    await page.waitForURL((url) => url.searchParams.get("of") === `${first.id},${other.id}`);
    await page.getByRole("button", { name: "7 日" }).click();
    const differences = page.locator("section.card", { has: page.getByRole("heading", { name: "差多少" }) });
    const row = differences.locator("tbody tr", { hasText: "平均温度" }).first();
    await row.waitFor();
    const cells = await row.locator("td").allInnerTexts();
    // Each day of the calendar counts alike, and the hours of the test begin anywhere in one.
    expect(cells[0]).toMatch(/^(?:19\.[89]|20\.[0-2])/);
    expect(cells[1]).toMatch(/^24\.0\s*\+(?:3\.[789]|4\.[012])/);
    expect(await row.locator("[data-unusual]").count()).toBe(1);
    // The answer stands above all: how much, whether it is noise, by which test.
    const answer = page.getByRole("region", { name: "答案" });
    expect(await answer.getByRole("heading").innerText()).toMatch(
      /的平均温度比.*高 (?:3\.[789]|4\.[012]) °C，不像是波动$/,
    );
    expect(await answer.innerText()).toMatch(/95 % 区间 .* 到 .*；配对 t 检验；\d 个共同的整天，按日均配对；p/);
    const chart = page.locator("section.chart");
    await chart.locator("svg").waitFor();
    // What was not told is hatched and named.
    await chart
      .getByText(/无数据 1[2-4] 时/)
      .first()
      .waitFor();
    // Farms are compared as well, and a link to what one may not see says so.
    await add.selectOption({ label: "清水保育场" });
    await page.getByRole("button", { name: "不再比 清水保育场" }).waitFor();
    await answer
      .getByText(/清水保育场/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "不再比 清水保育场" }).click();
    expect(await violationsOf(page)).toEqual([]);

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "导出 CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^数据分析.*\.csv$/);
    const csv = await text(await download.createReadStream());
    const lines = csv.trim().split("\r\n");
    expect(lines.length).toBeGreaterThan(60);
    expect(lines[0]?.split(",").length).toBe(lines[1]?.split(",").length);
    expect(csv).toContain(",24");

    await page.getByRole("button", { name: "批次日龄" }).click();
    await chart
      .getByText(/\d+ 日龄/)
      .first()
      .waitFor();
    await page.getByRole("textbox", { name: "存为" }).fill("两个保育单元");
    await page.getByRole("button", { name: "保存", exact: true }).click();
    const kept = page.getByRole("link", { name: "两个保育单元" });
    await kept.waitFor();
    const weekly = page.getByRole("checkbox", { name: /每周一发给我.*两个保育单元/ });
    await weekly.click();
    await expect.poll(() => weekly.isChecked()).toBe(true);
    const chosen = new URL(page.url()).search;
    // It is the account's, in any browser.
    await expect
      .poll(async () =>
        (await apiOf(portal, "analyst")<{ key: string; value: string }[]>("/api/muyuan-system/preference/list")).some(
          ({ key, value }) => key === "analysis.saved" && value.includes("两个保育单元"),
        ),
      )
      .toBe(true);
    await page.goto(portal.address + path);
    await kept.click();
    await page.waitForURL(
      (url) => new URLSearchParams(url.search).toString() === new URLSearchParams(chosen).toString(),
    );
    await row.waitFor();
    // Against the span before: of each device two lines.
    await page.getByRole("button", { name: "日历时间" }).click();
    await page.getByRole("button", { name: "上一段" }).click();
    await differences
      .getByRole("columnheader", { name: /上一段/ })
      .first()
      .waitFor();
    await page.getByRole("button", { name: "删去 两个保育单元" }).click();
    await kept.waitFor({ state: "detached" });
    await settled(page);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("the cough butler says first where to go and what to do, and folds its formulas", async () => {
    const now = Date.now();
    const index = Array.from({ length: 15 * 24 }, (_, at) => {
      const hoursAgo = 15 * 24 - at;
      return {
        ts: now - hoursAgo * hourMs,
        values: { coughs: hoursAgo <= 24 ? 40 : 10 + (at % 3), laeq: 60 + (at % 7) / 10 },
      };
    });
    for (let at = 0; at < index.length; at += 60)
      await publish(portal, "COU-ZJY-02", "telemetry", index.slice(at, at + 60));
    await portal.copyOf("farm", "listener");
    const context = await portal.signedIn("listener", { viewport: { width: 1440, height: 900 } });
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/vet/cough/butler`);
    await page.getByRole("heading", { name: /^今天先去 1\s号育肥舍\s2\s单元：咳嗽是平常的 \d/ }).waitFor();
    const unit = page.getByRole("region", { name: /^1\s号育肥舍\s2\s单元$/ });
    expect(await unit.locator("ol li").filter({ hasText: "量咳嗽的猪的体温" }).count()).toBe(1);
    expect(await unit.innerText()).toMatch(/氨气|温度/);
    // Worst first, calm ones and formulas behind a click, each limit with its source.
    expect(await page.locator("section[data-state]").first().getAttribute("data-state")).toMatch(/^act/);
    await page.getByText("阈值和来源").click();
    await page.getByText(/默克兽医手册/).waitFor();
    const formula = page.getByText("24 小时咳嗽次数 ÷ 覆盖头数", { exact: false }).first();
    expect(await formula.isVisible()).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await widerThanWindow(page)).toBe(0);
    await settled(page);
    expect(problems).toEqual([]);
    await context.close();
  });
});
