import type { SimulatorDetail } from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();
const words = (zh: string, en: string) => ({ zh, en });
const expected = { kind: "environment", suppressed: false } as const;

/** What a server with a simulator answers; portals of these tests run none. */
const answer: SimulatorDetail = {
  running: true,
  scenarios: [
    {
      name: "cold-snap",
      title: words("寒潮与加热故障", "Cold snap"),
      summary: words("夜里零下二十度", "Twenty below zero"),
      kinds: ["environment"],
      hastens: true,
      lastsS: 50_400,
      expects: [
        // An effect before its cause: the screen puts it under it.
        { ...expected, rule: "b", name: words("温度低", "Cold"), severity: "MAJOR", under: "a", afterMin: 325 },
        { ...expected, rule: "a", name: words("加热不工作", "No heat"), severity: "CRITICAL", under: "", afterMin: 12 },
      ],
    },
  ],
  devices: [
    {
      id: "1",
      serialNumber: "ENV-1",
      name: "环控器",
      kind: "environment",
      farmName: "柳河猪场",
      unitId: "7",
      unitName: "育肥舍 1 单元",
      runs: [
        {
          scenario: "cold-snap",
          elapsedS: 1200,
          leftS: 49_200,
          speed: 1,
          raised: [{ rule: "a", id: "77", afterS: 720, ended: false }],
        },
      ],
    },
  ],
};

describe.skipIf(foundBrowser === undefined)("the simulator", () => {
  test.each([1366, 390])(
    "shows at %i px what is to come of a scenario and what came, and starts another",
    async (width) => {
      const context = await portal.signedIn("admin", { viewport: { width, height: 800 } });
      const { page, problems } = await openPage(context);
      const sent: unknown[] = [];
      await page.route("**/muyuan-iot/simulator/*", async (route) => {
        if (route.request().method() === "POST") sent.push(route.request().postDataJSON());
        await route.fulfill({ json: { code: 200, success: true, data: answer, msg: "" } });
      });
      await page.goto(`${portal.address}/system/simulator`);
      const running = page.getByRole("region", { name: "正在演的" });
      await running.getByText("预期 2 条告警，来了 1 条").waitFor();
      const lines = await running.locator("li li").allInnerTexts();
      expect(lines.map((line) => line.replaceAll(/\s+/g, " "))).toEqual([
        "加热不工作 12 分钟后来的",
        "温度低 约 5.4 小时后",
      ]);
      expect(await running.getByRole("link", { name: "12 分钟后来的" }).getAttribute("href")).toContain("id=77");
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole("region", { name: "可以演的" }).getByRole("button", { name: "寒潮与加热故障" }).click();
      const drawer = page.getByRole("dialog");
      await drawer.getByText("约 12 分钟后").waitFor();
      await drawer.getByRole("button", { name: "12 倍速" }).click();
      // What was seen at the declared speed does not hold for another.
      await drawer.getByText("约 12 分钟后").waitFor({ state: "detached" });
      await drawer.getByRole("checkbox").check();
      expect(await violationsOf(page)).toEqual([]);
      await drawer.getByRole("button", { name: "启动" }).click();
      await drawer.waitFor({ state: "detached" });
      await running.getByRole("button", { name: "停止 ENV-1 的 寒潮与加热故障" }).click();
      await expect
        .poll(() => sent)
        .toEqual([
          { scenario: "cold-snap", speed: 12, unitId: "7" },
          { scenario: "cold-snap", deviceId: "1" },
        ]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(problems).toEqual([]);
      await context.close();
    },
  );
});
