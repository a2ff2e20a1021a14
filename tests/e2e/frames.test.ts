import { type Alarm, type AlarmDetail, alarmDetail, alarmLive, alarmOpen, commandPage } from "@herdwise/contract";
import { type DeviceKindId, deviceKinds } from "@herdwise/device-kinds";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { pageAddress } from "@herdwise/device-kinds/kind-pages";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { frameTabs } from "../../apps/web/app/centre/kind/frame-tab-names.ts";
import { foundBrowser, settled } from "../harness/browser.ts";
import { navigate } from "../harness/crawl.ts";
import { apiOf } from "../harness/departments.ts";
import { publish } from "../harness/device.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { simulated } from "../harness/simulated.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { inTurn, isInTurn } from "../harness/volume.ts";

const portal = usePortal();

/** Two screens of a desk and four of a phone, px. */
const screens = [
  { width: 1366, height: 768, most: 1536 },
  { width: 390, height: 844, most: 3376 },
] as const;

interface Placed {
  id: string;
  name: string;
  serialNumber: string;
  unitId: string;
}

/** The alarm of a kind that has the most to say, as if its device had raised it, with three others. */
function alarmsOf(kind: DeviceKindId, { id, name, unitId }: Placed): AlarmDetail[] {
  const { guides = [], alarmRules } = deviceKinds[kind];
  const lengthOf = (rule: string): number => JSON.stringify(guides.find((guide) => guide.rule === rule) ?? "").length;
  const rules = alarmRules.toSorted((a, b) => lengthOf(b.id) - lengthOf(a.id)).slice(0, 4);
  const raisedMs = Date.now() - 26 * 60_000;
  return rules.map((rule, at) => {
    const alarm: Alarm = {
      id: String(at + 1),
      tenantId: "1",
      deviceId: id,
      deviceName: name,
      kind,
      ruleId: rule.id,
      ruleName: "",
      sentence: { zh: `${rule.name.zh}，高 7.6，上限 24`, en: `${rule.name.en}, 7.6 above, limit 24` },
      severity: at === 0 ? "CRITICAL" : "MINOR",
      state: "open",
      farmId: "1",
      farmName: "",
      houseId: "",
      houseName: "",
      unitId,
      unitName: "",
      headCount: 0,
      figure: {},
      sinceMs: raisedMs,
      raisedMs,
      acknowledgedBy: "",
      assignedTo: "",
      assignedName: "",
      resolution: "",
      causeId: "",
      step: 0,
    };
    return { ...alarm, entries: [], effects: [], trend: { perTenMinutes: 1.2, toward: 35, minutes: 28 } };
  });
}

/**
 * Answers the pages of a context with given open alarms, whatever the portal knows. The stream of alarms stays silent, as an alarm of
 * the portal itself would lead in place of the given ones.
 * @returns gives the alarms of the next answers; none at first
 */
async function answerAlarms(context: BrowserContext): Promise<(alarms: readonly AlarmDetail[]) => void> {
  let given: readonly AlarmDetail[] = [];
  const counts = { WARN: 0, MINOR: 0, MAJOR: 0, CRITICAL: 0, unacknowledged: 0, mine: 0, suppressed: 0 };
  const envelope = (data: unknown) => ({ json: { code: 200, success: true, msg: "", data } });
  await context.route(`**${alarmLive.path}`, () => undefined);
  await context.route(`**${alarmOpen.path}?*`, (route) => route.fulfill(envelope({ counts, alarms: given })));
  await context.route(`**${alarmDetail.path}?*`, (route) =>
    route.fulfill(envelope(given.find(({ id }) => route.request().url().endsWith(`id=${id}`)))),
  );
  return (alarms) => {
    given = alarms;
  };
}

/** What of a page's words stands twice: a figure with its unit, the channel of a value, the serial number. */
const twiceOn = (page: Page, serialNumber: string): Promise<string[]> =>
  page.evaluate<string[], string>((serial) => {
    const {
      document: page,
      NodeFilter: filter,
      getComputedStyle: styleOf,
    } = globalThis as never as {
      // biome-ignore lint/suspicious/noExplicitAny: The types of a document are none of the tests'.
      document: any;
      // biome-ignore lint/suspicious/noExplicitAny: See above.
      NodeFilter: any;
      // biome-ignore lint/suspicious/noExplicitAny: See above.
      getComputedStyle: any;
    };
    const main = page.querySelector("main");
    // A drawing puts a value where it is measured and a chart at the end of its line, what is wrong is told with its value, and what was
    // recorded is no value of now.
    const left =
      "svg, [role=img], .chart, table, .event-list, option, .visually-hidden, [data-severity], .worst, .tgt, .gauge";
    const walker = page.createTreeWalker(main, filter.SHOW_TEXT);
    const texts: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent.trim();
      const parent = node.parentElement;
      if (text && !parent.closest(left) && styleOf(parent).visibility !== "hidden") texts.push(text);
    }
    const words = ` ${texts.join(" ")} `;
    const found: string[] = [];
    const count = (text: string): number => {
      const number = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return words.match(new RegExp(`(?<![\\d.,–−-])${number}(?![\\d.,–])`, "g"))?.length ?? 0;
    };
    const figures: string[] = [...main.querySelectorAll(".vital, .vital-loudest")].map((vital) => {
      const told = vital.querySelector(".figure, .big span")?.textContent.trim() ?? "";
      return `${told} ${vital.querySelector("small")?.textContent.trim() ?? ""}`.trim();
    });
    // A number of one or two digits may be any count, and two values may be the same.
    for (const told of new Set(figures.filter((figure) => figure.replace(/\D|^[0.]+/g, "").length > 2)))
      if (count(told) > figures.filter((figure) => figure === told).length) found.push(told);
    const channels = [...main.querySelectorAll("[data-channel]:not(.worst, .health-list li)")].map(
      (one) => one.dataset.channel,
    );
    found.push(...channels.filter((channel, at) => channels.indexOf(channel) !== at));
    if (count(serial) > 1) found.push(serial);
    return found;
  }, serialNumber);

const pages = kindList.flatMap(({ kind, pages }) => {
  if (!pages) return [];
  const [device = "", unit] = [pageAddress(pages, "device"), pageAddress(pages, "unit")];
  const ofDevice = { kind, name: `${kind}, a device`, address: device, isUnit: false };
  return unit === undefined
    ? [ofDevice]
    : [ofDevice, { ...ofDevice, name: `${kind}, a unit`, address: unit, isUnit: true }];
});

/** Devices to which no other test sends, as what they report is looked at. */
const devices: Readonly<Record<DeviceKindId, string>> = {
  environment: "ENV-ZJY-08",
  needleless: "INJ-LHF-01",
  cough: "COU-ZJY-10",
  temperature: "TMP-ZJY-08",
  bathroom: "BAT-ZJY-02",
  disinfect: "WAT-ZJY-02",
  deodorization: "DEO-ZJY-03",
  "bungalow-deodorization": "BDE-LHF-03",
  "dosing-station": "DOS-LHF-01",
  weighbridge: "WBR-ZJY-01",
};

async function placed(kind: DeviceKindId): Promise<Placed> {
  const path = `/api/muyuan-iot/device/page?size=10&name=${devices[kind]}`;
  const { records } = await apiOf(portal, "farm")<{ records: Placed[] }>(path);
  const [device] = records;
  if (!device) throw new Error(`${devices[kind]} is not there`);
  return device;
}

/** Reports of an hour ago and of now. */
async function report(kind: DeviceKindId): Promise<void> {
  const [before, now] = simulated(kind).slice(-2);
  const atMs = Date.now();
  await publish(portal, devices[kind], "telemetry", [
    { ts: atMs - 3_600_000, values: before },
    { ts: atMs - 1_000_000, values: before },
    { ts: atMs, values: now },
  ]);
}

describe.skipIf(foundBrowser === undefined)("the frame of units and devices", () => {
  // A third of the pages in each run, in one of the two languages.
  test.each(
    inTurn(
      pages.map((page, place) => ({ ...page, place })),
      3,
    ),
  )("$name: two screens of a desk, four of a phone, and nothing twice", async ({ kind, address, isUnit, place }) => {
    await report(kind);
    const device = await placed(kind);
    const at = `${address}?id=${isUnit ? device.unitId : device.id}`;
    for (const lang of ["zh", "en"].filter((_, at) => isInTurn(place + at, 2))) {
      const context = await portal.signedIn("farm", { viewport: screens[0] });
      await context.addCookies([{ name: "langType", value: lang, url: portal.address }]);
      await context.addInitScript((language) => localStorage.setItem("langType", language), lang);
      const { page, problems } = await openPage(context);
      // Other tests give commands, of which the newest two stand below their buttons.
      await context.route(`**${commandPage.path}?*`, (route) =>
        route.fulfill({
          json: { code: 200, success: true, msg: "", data: { records: [], total: 0, size: 2, current: 1, pages: 0 } },
        }),
      );
      const giveAlarms = await answerAlarms(context);
      await page.goto(`${portal.address}/selfCenter/home`);
      await settled(page);
      for (const alarms of [[], alarmsOf(kind, device)]) {
        giveAlarms(alarms);
        await navigate(page, "/selfCenter/home");
        // A page that was never left would go on with the alarms that it has.
        await page.locator(".vital").first().waitFor({ state: "detached" });
        await navigate(page, at);
        await page.locator(".vital").first().waitFor();
        // Steps are folded on a phone.
        if (alarms.length > 0) await page.locator("section[data-severity] ol").waitFor({ state: "attached" });
        await settled(page);
        const how = `${lang}, ${alarms.length} alarms`;
        for (const { width, height, most } of screens) {
          await page.setViewportSize({ width, height });
          await settled(page);
          const high = await page.evaluate<number>("document.documentElement.scrollHeight");
          expect.soft(high, `${how}, at ${width} px`).toBeLessThanOrEqual(most);
        }
        expect.soft(await twiceOn(page, device.serialNumber), how).toEqual([]);
        // It is below the fold of a phone, and drawn all the same.
        await page.locator("#tab-panel .chart svg path").first().waitFor({ state: "attached" });
      }
      await page.setViewportSize(screens[0]);
      for (const tab of frameTabs) {
        await page.locator(`#tab-${tab}`).click();
        await settled(page);
        await page.waitForURL((url) => url.searchParams.get("tab") === (tab === "now" ? null : tab));
        expect.soft(await page.locator("#tab-panel").innerText(), tab).not.toBe("");
        expect.soft(await twiceOn(page, device.serialNumber), tab).toEqual([]);
      }
      expect(problems).toEqual([]);
      await context.close();
    }
  });

  test("each kind has the same things at the same places", async () => {
    const context = await portal.signedIn("farm", { viewport: screens[0] });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/home`);
    await settled(page);
    const found = new Map<string, string>();
    for (const { kind, name, address, isUnit } of pages) {
      await report(kind);
      const { id, unitId } = await placed(kind);
      // The screen before stays in sight for a moment after the address has changed, and has the same parts.
      await navigate(page, "/selfCenter/home");
      await page.locator(".vital").first().waitFor({ state: "detached" });
      await navigate(page, `${address}?id=${isUnit ? unitId : id}`);
      await page.locator(".vital").first().waitFor();
      await settled(page);
      const { order, lefts } = await page.evaluate<{ order: string[]; lefts: (number | undefined)[] }>(`(() => {
          const placeOf = (selector) => document.querySelector("main " + selector)?.getBoundingClientRect();
          const order = ["h1", ".unit-head .meta", ".vitals", "[role=tablist]", "[role=tabpanel]"]
            .flatMap((selector) => {
              const place = placeOf(selector);
              return place ? [[selector, place.top]] : [];
            })
            .toSorted(([, a], [, b]) => a - b)
            .map(([selector]) => selector);
          return { order, lefts: ["h1", ".vitals"].map((selector) => placeOf(selector)?.left) };
        })()`);
      expect.soft(order, name).toEqual(["h1", ".unit-head .meta", ".vitals", "[role=tablist]", "[role=tabpanel]"]);
      found.set(name, `${lefts} ${await page.getByRole("tab").allInnerTexts()}`);
    }
    expect(new Set(found.values()).size, JSON.stringify([...found])).toBe(1);
    await context.close();
  });

  test("arrow keys go through the tabs, [ and ] through the units, and the tab stays", async () => {
    await report("cough");
    const { unitId } = await placed("cough");
    const address = pages.find(({ kind, isUnit }) => kind === "cough" && isUnit)?.address;
    const context = await portal.signedIn("farm", { viewport: screens[0] });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}${address}?id=${unitId}`);
    await page.getByRole("tab", { name: "现在" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/tab=history/);
    expect(await page.getByRole("tab", { name: "历史" }).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("End");
    await page.waitForURL(/tab=about/);
    await page.keyboard.press("ArrowRight");
    await page.waitForURL((url) => !url.searchParams.has("tab"));
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/tab=history/);
    await page.keyboard.press("]");
    await page.waitForURL((url) => url.searchParams.get("id") !== unitId);
    expect(new URL(page.url()).searchParams.get("tab")).toBe("history");
    // Until the next unit is shown, the keys are those of the one before.
    await page.locator(`a[aria-label="上一单元"][href*="id=${unitId}&"]`).waitFor();
    await page.keyboard.press("[");
    await page.waitForURL((url) => url.searchParams.get("id") === unitId);
    await context.close();
  });

  test("the chart of a phone is drawn within a second of its page, though it is below the fold", async () => {
    await report("environment");
    const { id } = await placed("environment");
    const context = await portal.signedIn("farm", { viewport: screens[1] });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/home`);
    await settled(page);
    const address = pages.find(({ kind, isUnit }) => kind === "environment" && !isUnit)?.address;
    const took: number[] = [];
    // The first opening fetches the files; a machine under load may be slow once.
    for (let time = 0; time < 4; time++) {
      await navigate(page, "/selfCenter/home");
      await page.evaluate(`globalThis.charted = new Promise((resolve) => {
        let began;
        const watch = new MutationObserver(() => {
          if (document.querySelector("main .vital")) began ??= performance.now();
          if (began === undefined || !document.querySelector("#tab-panel .chart svg path")) return;
          watch.disconnect();
          resolve(performance.now() - began);
        });
        watch.observe(document.body, { childList: true, subtree: true });
      }); undefined`);
      await navigate(page, `${address}?id=${id}`);
      took.push(await page.evaluate<number>("globalThis.charted"));
      const chart = page.locator("#tab-panel .chart");
      // The page's own chart takes the place of the document's first one.
      await expect.poll(async () => (await chart.boundingBox())?.y ?? 0).toBeGreaterThan(844);
    }
    expect(Math.min(...took), took.join()).toBeLessThan(onThisMachine(1000));
    await context.close();
  });
});
