import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { foundBrowser, settled } from "../harness/browser.ts";
import { apiOf } from "../harness/departments.ts";
import { publish } from "../harness/device.ts";
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
      const entries = Array.from({ length: 72 }, (_, at) => {
        const hoursAgo = 72 - at;
        return { ts: now - hoursAgo * hourMs, values: { t_in: toldAt(hoursAgo), rh: 60 } };
      });
      await publish(portal, serialNumber, "telemetry", entries);
    };
    // Days of 19.5, 20 and 20.5 °C beside an even 24 °C.
    await told("ENV-QS-02", (hoursAgo) => 20.5 - 0.5 * Math.floor((hoursAgo - 1) / 24));
    await told("ENV-QS-03", () => 24);
    const [first, other] = [await deviceOf("ENV-QS-02"), await deviceOf("ENV-QS-03")];
    await portal.copyOf("farm", "analyst");
    const context = await portal.signedIn("analyst", { viewport: { width: 1440, height: 900 }, acceptDownloads: true });
    const { page, problems } = await openPage(context);
    await page.goto(portal.address + path);
    await page.getByText("先选要比的设备或单元").waitFor();
    const add = page.getByRole("combobox", { name: "加一台设备或单元" });
    await add.locator(`option[value="${first.id}"]`).waitFor({ state: "attached" });
    await add.selectOption(first.id);
    await add.selectOption(other.id);
    await page.waitForURL((url) => url.searchParams.get("of") === `${first.id},${other.id}`);
    await page.getByRole("button", { name: "7 日" }).click();
    const differences = page.locator("section.card", { has: page.getByRole("heading", { name: "差多少" }) });
    const row = differences.locator("tbody tr", { hasText: "平均温度" }).first();
    await row.waitFor();
    const cells = await row.locator("td").allInnerTexts();
    // Each day of the calendar counts alike, and the hours of the test begin anywhere in one: 19.89 to 20.13.
    expect(cells[0]).toMatch(/^(?:19\.9|20\.[01])/);
    expect(cells[1]).toMatch(/^24\.0\s*\+(?:3\.9|4\.[01])/);
    expect(await row.locator("[data-unusual]").count()).toBe(1);
    const chart = page.locator("section.chart");
    await chart.locator("svg").waitFor();

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
});
