import { type KindFarm, kindOverview } from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { apiOf } from "../harness/departments.ts";
import { publish } from "../harness/device.ts";
import { goodUnit } from "../harness/good-unit.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();

/** Units of the first house, as an answer tells them: one that speaks, and three of which there is no value now. */
const told = ["speaks", "old", "offline", "empty"] as const;

/** The first farm with one house of four units; a name that would be an element if it were taken for one. */
function farmsToldAt(farms: readonly KindFarm[], now: number): KindFarm[] {
  const [farm] = farms.filter(({ houses }) => houses.length > 0);
  const [house] = farm?.houses ?? [];
  const [unit] = house?.units ?? [];
  if (!farm || !house || !unit) throw new Error("the demo has no farm with a unit");
  const units = told.map((which, at) => {
    const reportedAtMs = which === "old" ? now - 301_000 : now - 1000;
    return {
      ...unit,
      id: String(at + 1),
      name: `${at + 1} 单元`,
      judged:
        which === "speaks"
          ? { state: "critical" as const, problem: { zh: "二氧化碳过高", en: "CO2 high" }, urgency: 1 }
          : { state: which === "empty" ? ("empty" as const) : ("offline" as const), urgency: which === "old" ? 2 : 3 },
      mode: which === "empty" ? ("empty" as const) : ("normal" as const),
      status: which === "offline" ? ("offline" as const) : ("online" as const),
      reportedAtMs,
      readings: { t_in: { value: 21.25 + at, ts: reportedAtMs } },
      more: [],
    };
  });
  return [{ ...farm, name: "<img src=x onerror=document.title='taken'>", houses: [{ ...house, units }], devices: [] }];
}

describe.skipIf(foundBrowser === undefined)("first values on a slow phone", () => {
  test.each([
    [
      "/selfCenter/home",
      /需要关注 3 紧急 .*1 单元 二氧化碳过高 离线 .*3 单元 离线 .*2 单元 .*2 \/ 4 个单元在上报 21\.3 ℃/,
    ],
    ["/selfCenter/vet/environment/overview", /1 紧急 21\.3℃ 二氧化碳过高 2 离线 — 3 离线 — 4 空栏 —/],
  ])(
    "%s: stand on the page before any script file is here, and nothing that is old or masked does",
    async (path, words) => {
      const context = await portal.signedIn("farm", { viewport: { width: 390, height: 844 } });
      const { page, problems } = await openPage(context);
      await page.route(`**${kindOverview.path}?*`, async (route) => {
        const answer = await route.fetch();
        const { data, ...envelope } = (await answer.json()) as { data: KindFarm[] };
        await route.fulfill({ response: answer, json: { ...envelope, data: farmsToldAt(data, Date.now()) } });
      });
      let open: () => void = () => undefined;
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      await page.route("**/assets/*.js", async (route) => {
        await opened;
        await route.continue();
      });
      await page.goto(portal.address + path, { waitUntil: "commit" });
      const values = page.locator(".first-values");
      await values.locator(".value").first().waitFor();
      const text = (await values.innerText()).replace(/\s+/g, " ");
      expect.soft(text).toMatch(words);
      expect.soft(text).toContain("<img src=x");
      expect.soft(text.match(/22\.3|23\.3|24\.3/)).toBeNull();
      expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(
        0,
      );
      // The screen itself takes their place, and React is content with what it finds.
      open();
      await page
        .locator(path.endsWith("home") ? ".console-lead:not([aria-busy])" : "a.tile")
        .first()
        .waitFor();
      expect(await values.count()).toBe(0);
      expect(await page.title()).not.toBe("taken");
      expect(problems).toEqual([]);
      await context.close();
    },
  );

  test.each(["unit", "device"] as const)(
    "a %s's figures with their verdicts and its curve stand before any script file is here, until the page has its own",
    async (page) => {
      await publish(portal, "ENV-ZJY-07", "telemetry", [
        { ts: Date.now() - 3_600_000, values: goodUnit },
        { ts: Date.now(), values: { ...goodUnit, rh: 20 } },
      ]);
      const found = await apiOf(
        portal,
        "farm",
      )<{ records: { id: string; unitId: string }[] }>("/api/muyuan-iot/device/page?size=10&name=ENV-ZJY-07");
      const [{ id, unitId } = { id: "", unitId: "" }] = found.records;
      const context = await portal.signedIn("farm", { viewport: { width: 390, height: 844 } });
      const { page: shown, problems } = await openPage(context);
      let open: () => void = () => undefined;
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      await shown.route("**/assets/*.js", async (route) => {
        await opened;
        await route.continue();
      });
      const at = `/selfCenter/vet/environment/${page}?id=${page === "unit" ? unitId : id}`;
      await shown.goto(portal.address + at, { waitUntil: "commit" });
      const figures = shown.locator(".first-figures");
      await figures.locator("svg path").waitFor({ state: "attached" });
      const humidity = figures.locator(".vital").nth(1);
      expect.soft((await humidity.innerText()).replace(/\s+/g, " ")).toMatch(/湿度 低于下限 45 % 20 ?% .*限 45–85/);
      expect.soft(await humidity.getAttribute("data-state")).not.toBeNull();
      expect(await shown.evaluate("document.documentElement.scrollWidth")).toBe(390);
      open();
      await shown.locator("#tab-panel .chart svg").first().waitFor({ state: "attached" });
      expect(await figures.count()).toBe(0);
      expect(problems).toEqual([]);
      await context.close();
    },
  );

  test("a refused answer draws nothing", async () => {
    const context = await portal.signedIn("farm");
    const { page } = await openPage(context);
    await page.route(`**${kindOverview.path}?*`, async (route) => {
      const answer = await route.fetch();
      const { data, ...envelope } = (await answer.json()) as { data: KindFarm[] };
      await route.fulfill({ status: 401, json: { ...envelope, data: farmsToldAt(data, Date.now()) } });
    });
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.goto(`${portal.address}/selfCenter/home`, { waitUntil: "commit" });
    // After what waits for the answer in the document, which was there first.
    await page.waitForFunction(`(async () => {
      await Promise.all(Object.values(globalThis.askedAhead.answers));
      await new Promise((resolve) => setTimeout(resolve, 300));
      return true;
    })()`);
    expect(await page.locator(".first-values").innerHTML()).toBe("");
    await context.close();
  });
});
