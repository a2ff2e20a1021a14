import {
  alarmOpen,
  type Device,
  deviceLatest,
  devicePage,
  type KindFarm,
  kindOverview,
  live,
} from "@herdwise/contract";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { lookAt } from "../harness/crawl.ts";
import { apiOf } from "../harness/departments.ts";
import { goodUnit } from "../harness/good-unit.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();

type Said = "good" | "silent" | "bare";

/** The farms as if their units had told good values just now, had never told anything, or had no device. */
function toldBy(farms: readonly KindFarm[], said: (at: number) => Said): KindFarm[] {
  const now = Date.now();
  const readings = Object.fromEntries(Object.entries(goodUnit).map(([key, value]) => [key, { value, ts: now }]));
  let at = -1;
  return farms.map((farm) => ({
    ...farm,
    houses: farm.houses.map((house) => ({
      ...house,
      units: house.units.map(({ reportedAtMs: _before, ...unit }) => {
        at += 1;
        const same = { pigstyType: "fattening", averageWeightGrams: 58_000, mode: "normal", headCount: 480 } as const;
        const device = { deviceId: said(at) === "bare" ? "" : "1", more: [] };
        return said(at) === "good"
          ? { ...unit, ...same, ...device, status: "online" as const, reportedAtMs: now, readings }
          : { ...unit, ...same, ...device, status: "unactivated" as const, readings: {} };
      }),
    })),
  }));
}

const partly = (at: number): Said => (at < 3 ? "good" : at < 5 ? "bare" : "silent");

/** Has the pages read farms as they would tell it, and no alarms. @returns how many units there are, once a page asked */
async function tell(page: Page, said: (at: number) => Said): Promise<() => number> {
  let units = 0;
  await page.route(`**${kindOverview.path}?*`, async (route) => {
    const answer = await route.fetch();
    const { data, ...envelope } = (await answer.json()) as { data: KindFarm[] };
    const farms = toldBy(data, said);
    units = farms.flatMap(({ houses }) => houses.flatMap((house) => house.units)).length;
    await route.fulfill({ response: answer, json: { ...envelope, data: farms } });
  });
  await page.route(`**${alarmOpen.path}*`, async (route) => {
    const answer = await route.fetch();
    const { data, ...envelope } = (await answer.json()) as { data: object };
    await route.fulfill({ response: answer, json: { ...envelope, data: { ...data, alarms: [] } } });
  });
  // What other tests publish meanwhile is none of this one's.
  await page.route(`**${live.path}?*`, (route) => route.abort());
  return () => units;
}

describe.skipIf(foundBrowser === undefined)("units of which nothing is known", () => {
  test.each([
    ["none reported", () => "silent"],
    ["three reported, two have no device", partly],
    ["all reported", () => "good"],
  ] as const satisfies readonly (readonly [string, (at: number) => Said])[])(
    "%s: the first screen and the overview call good what was heard, and nothing else",
    async (_name, said) => {
      const context = await portal.signedIn("farm", { viewport: { width: 1440, height: 900 } });
      const { page } = await openPage(context);
      const unitsTold = await tell(page, said);

      await page.goto(`${portal.address}/selfCenter/home`);
      const lead = page.locator(".console-lead:not([aria-busy])");
      await lead.waitFor();
      const all = unitsTold();
      expect(all).toBeGreaterThan(10);
      const count = (what: Said): number =>
        Array.from({ length: all }, (_unit, at) => said(at)).filter((one) => one === what).length;
      const [heard, silent, bare] = [count("good"), count("silent"), count("bare")];
      const words = (await lead.innerText()).split("\n").map((line) => line.trim());
      expect(words.filter((line) => line !== "")).toEqual([
        ...(heard === all
          ? ["全部单元正常，没有需要您处理的事"]
          : heard === 0
            ? []
            : [`有上报的 ${heard} 个单元都正常`]),
        ...(silent === 0 ? [] : [`${silent} 个单元的设备从未上报，不知道里面怎样`]),
        ...(bare === 0 ? [] : [`${bare} 个单元没有绑定设备，不知道里面怎样`]),
      ]);

      await page.goto(`${portal.address}/selfCenter/vet/environment/overview`);
      await page.locator("a.tile").first().waitFor();
      const summary = (await page.getByRole("region", { name: "汇总" }).innerText()).replaceAll("\u00a0", " ");
      const board = await page.getByRole("region", { name: "单元", exact: true }).innerText();
      expect.soft([summary, board].map((text) => text.includes("全部正常"))).toEqual([heard === all, heard === all]);
      expect.soft(summary.includes(`${silent} 尚无上报`)).toBe(silent > 0);
      // Nobody measured ammonia there, so none is not the answer.
      expect.soft(summary.includes("没有数据")).toBe(heard === 0);

      await page.goto(`${portal.address}/barn`);
      await page.locator("main ul li").first().waitFor();
      const barn = await page.locator("main section").first().innerText();
      expect.soft(barn.includes("现在没有告警")).toBe(heard > 0);
      expect.soft(barn.includes(`${all - heard} 个单元没有新的数值`)).toBe(heard < all);
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
    },
  );

  test("houses of a large tenant in figures: none reads as normal that was not heard, on the first screen, before its scripts and in the overview", async () => {
    const context = await portal.signedIn("farm", { viewport: { width: 1440, height: 900 } });
    const { page } = await openPage(context);
    const alarms = { WARN: 0, MINOR: 0, MAJOR: 0, CRITICAL: 0 };
    const well = {
      units: 50,
      headCount: 100,
      devices: 50,
      online: 50,
      fault: 0,
      offline: 0,
      silent: 0,
      bare: 0,
      alarms,
    };
    /** The first house never reported, the second has units without a device, the others are well. */
    const counts = [
      { ...well, online: 0, silent: 50 },
      { ...well, devices: 40, online: 40, bare: 10 },
    ];
    await page.route(`**${kindOverview.path}?*`, async (route) => {
      const answer = await route.fetch();
      const { data, ...envelope } = (await answer.json()) as { data: KindFarm[] };
      const [farm] = data.filter(({ houses }) => houses.length > 2);
      const houses = (farm?.houses ?? []).map((house, at) => ({ ...house, units: [], unlisted: counts[at] ?? well }));
      await route.fulfill({ response: answer, json: { ...envelope, data: [{ ...farm, houses, devices: [] }] } });
    });
    await page.route(`**${live.path}?*`, (route) => route.abort());
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    await page.route("**/assets/*.js", async (route) => {
      await opened;
      await route.continue();
    });
    await page.goto(`${portal.address}/selfCenter/home`, { waitUntil: "commit" });
    await page.locator(".first-values li").waitFor();
    expect(await page.locator(".first-values").innerText()).toMatch(/\d+ \/ \d+ 台设备在上报/);
    open();
    const lead = page.locator(".console-lead:not([aria-busy])");
    await lead.waitFor();
    expect((await lead.innerText()).split("\n").filter((line) => line.trim() !== "")).toEqual([
      "50 台设备从未上报，不知道那里怎样",
      "10 个单元没有绑定设备，不知道里面怎样",
    ]);
    const row = await page.locator(".farm-rows li").innerText();
    expect(row).toMatch(/\d+ 个单元里 50 个从未上报/);
    expect(row).not.toContain("正常");

    await page.goto(`${portal.address}/selfCenter/vet/environment/overview`);
    const rows = page.locator("table tbody tr");
    await rows.first().waitFor();
    const states = (await page.locator("table tbody tr td:nth-child(2)").allInnerTexts()).map((text) => text.trim());
    expect(states.length).toBeGreaterThan(2);
    expect(states.toSorted()).toEqual(["无数据", "未绑定", ...states.slice(2).map(() => "正常")].toSorted());
    expect(states.slice(0, 2)).toEqual(["无数据", "未绑定"]);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  });

  test("no part of a device that never reported is called good", async () => {
    const { records } = await apiOf(
      portal,
      "farm",
    )<{ records: Device[] }>(`${devicePage.path}?current=1&size=1&kind=dosing-station`);
    const context = await portal.signedIn("farm", { viewport: { width: 1440, height: 900 } });
    const { page } = await openPage(context);
    await tell(page, partly);
    await page.route(`**${deviceLatest.path}?*`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), data: {} } });
    });
    await page.goto(`${portal.address}/selfCenter/clean/dosingStation/device?id=${records[0]?.id}`);
    const picture = page.getByRole("img", { name: /^流程 / });
    await picture.waitFor();
    expect(await picture.getAttribute("aria-label")).toBe("流程 尚无上报");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  });

  test("what is said of them in English has its place on a phone", async () => {
    const context = await portal.signedIn("farm", { viewport: { width: 390, height: 844 } });
    await context.addCookies([{ name: "langType", value: "en", url: portal.address }]);
    const { page } = await openPage(context);
    await tell(page, partly);
    for (const [path, shown] of [
      ["/selfCenter/home", ".console-lead .calm .state"],
      ["/selfCenter/vet/environment/overview", "a.tile"],
      ["/barn", "main ul li"],
    ] as const) {
      await page.goto(portal.address + path);
      await page.locator(shown).first().waitFor();
      await lookAt(page, path, { width: 390, alsoAt: [], lang: "en" });
    }
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  });
});
