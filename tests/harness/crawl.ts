import { farms, messagePage } from "@herdwise/contract";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { demoAccounts, demoMembers } from "../../apps/server/src/database/seeds/demo.ts";
import { newcomers, reviewer } from "../../apps/server/src/database/seeds/demo-real-name.ts";
import { drivers } from "../../apps/server/src/database/seeds/demo-trade.ts";
import { engineer } from "../../apps/server/src/database/seeds/demo-work-orders.ts";
import { fileOf } from "../../apps/web/app/screen-files.ts";
import { screens } from "../../apps/web/app/screens.ts";
import { violationsOf } from "./axe.ts";
import { openPage, settled } from "./browser.ts";
import { apiOf } from "./departments.ts";
import { publish } from "./device.ts";
import { chineseTextsOn, cutTextsOn, hasChinese, widerThanWindow } from "./page-text.ts";
import { wordFaults } from "./plain-words.ts";
import type { Portal } from "./portal.ts";
import { sessionOfDemo } from "./session.ts";
import { smallTargets } from "./targets.ts";
import { inTurn, volume } from "./volume.ts";

/** How a crawl sees the portal. */
export interface CrawlWay {
  account: string;
  /** Width of the window in px. */
  width: number;
  /** Widths at which a look is taken at the texts as well. */
  alsoAt: readonly number[];
  colorScheme: "light" | "dark";
  lang: "zh" | "en";
  /** In how many parts, one in a run, the pages and screens are looked at. */
  parts: number;
  /** A screen that this account may not see, which says so in each run. */
  refused: string;
}

/** Until a crawl counts as hung: all of the screens at all widths take minutes. */
export const crawlLimitMs = volume({ short: 300_000, long: 1_800_000 });

/** Anybody may open these. */
const openPaths = [
  "/index",
  "/service/workOrder",
  "/service/feedback",
  "/market",
  "/service/network",
  "/phoneBack",
  "/404",
  "/login",
  "/register",
  "/findPass",
  "/findAcc",
];
const behindLogIn = [
  // Lists of devices for their settings differ in nothing but the kind: one of them stands for all.
  ...screens
    .filter((screen) => !fileOf(screen).endsWith("/parameters.route.tsx") || screen.menuCode === "env_parameters")
    .map(({ path }) => path),
  "/scan?qrcodeKey=gone",
  "/authorize?authorizeKey=gone",
  "/endSession",
  "/barn",
];

/** Names of people, which nothing translates, longest first, and the brand and the other language's name. */
const names = [
  "慧牧",
  // The way to the other language is named in it.
  "切换到中文",
  "中文",
  // Whoever newcomer.test.ts registers meanwhile.
  "郭新来",
  ...drivers.map(([name]) => name),
  ...[...demoAccounts, ...demoMembers, ...newcomers, reviewer, engineer].flatMap(({ realName }) => [
    realName,
    [...realName][0] ?? "",
  ]),
]
  .filter((name) => name !== "")
  .sort((a, b) => b.length - a.length);

/** Tenants that other tests register on the shared server are called after their owner. */
const registered = /\S+ 的农场/g;
/** Names of files are what somebody called them. */
const files = /[^\s“”]+\.(xlsx?|csv|png|jpe?g|pdf|webm|mp4)/gi;
/** Plates of vehicles begin with the character of their province. */
const plates = /\p{Script=Han}[A-Z][A-Z0-9]{5,6}/gu;

/** Holds that no Chinese is left in what a person sees or hears on the page, once everything has come. */
export async function expectEnglish(page: Page, where: string, but = ""): Promise<void> {
  await settled(page);
  const left = async (): Promise<string[]> =>
    (await chineseTextsOn(page))
      .map((text) =>
        names
          .reduce((rest, name) => rest.replaceAll(name, ""), text)
          .replaceAll(registered, "")
          .replaceAll(files, "")
          .replaceAll(plates, ""),
      )
      .filter((text) => hasChinese(text) && text !== but);
  // Texts that live streams bring are translated when they are there.
  let last: string[] = [];
  await expect
    .poll(
      async () => {
        last = await left();
        return last.length;
      },
      { timeout: 5000 },
    )
    .toBe(0)
    .catch(() => undefined);
  expect.soft(last, where).toEqual([]);
}

/** Holds that what a screen of the portal says in the end, with its values filled in, is plain; what people wrote is theirs. */
async function expectPlain(page: Page, where: string, lang: CrawlWay["lang"]): Promise<void> {
  const lines = (await page.locator("main").innerText()).split(/[\n\t]/);
  const found = [...new Set(lines)].flatMap((line) => wordFaults(line, lang, true).map((fault) => `${line}: ${fault}`));
  expect.soft(found, where).toEqual([]);
}

/** Opens a screen as a link of the app does, without loading the app again. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate(async (to) => {
    const { __reactRouterDataRouter: router, requestAnimationFrame } = globalThis as unknown as {
      __reactRouterDataRouter: { navigate(path: string): Promise<void> };
      requestAnimationFrame(then: () => void): void;
    };
    await router.navigate(to);
    await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, path);
}

/** Up to this width a page is worked with by a finger. */
const phoneWidth = 390;
/** What a finger has to meet; a link inside of a text is as high as its line. */
const controls = "button:not(.link, .plain), select, input:not([type=hidden]), textarea, a.btn, a.chip, .brand";

/** What stands around every screen of the centre. */
const frame = "header.top, aside.side";

/** How a page is looked at. */
export type Look = Pick<CrawlWay, "width" | "alsoAt" | "lang"> &
  Partial<Pick<CrawlWay, "colorScheme">> & {
    /** Whether axe looks at it, too; without it, it does. */
    axe?: boolean;
  };

/** Rows come of the same cells: beyond the first six, axe is told nothing new by them. */
const repeatedRows = "tbody tr:nth-of-type(n + 7), li[data-row]:nth-of-type(n + 7)";

/**
 * Holds that axe finds nothing on the page as it stands (in the dark, in a short run, nothing that depends on the theme), nothing is wider than the window, no text sticks out or is cut where it
 * may not be, and in English nothing is left in Chinese, and on a phone every control is high enough for a finger.
 * @param path what a failure calls the page
 * @param but selector of what axe saw on a page before
 */
export async function lookAt(page: Page, path: string, look: Look, but?: string): Promise<void> {
  const { width, alsoAt, lang, colorScheme, axe = true } = look;
  await settled(page);
  const rules = colorScheme === "dark" ? volume({ short: "colours", long: "all" } as const) : "all";
  const left = [...(but === undefined ? [] : [but]), ...volume({ short: [repeatedRows], long: [] })];
  if (axe) expect.soft(await violationsOf(page, { but: left, rules }), path).toEqual([]);
  if (lang === "en") {
    await expectEnglish(page, path);
    expect.soft((await page.title()).replace("慧牧", ""), path).not.toMatch(/[\u4e00-\u9fff]/);
  }
  for (const at of [width, ...alsoAt]) {
    if (at !== width) {
      await page.setViewportSize({ width: at, height: 900 });
      await settled(page);
    }
    const where = `${path} at ${at} px`;
    // A chart is drawn anew for its width in a frame of its own, which a busy machine is late with.
    const wider = () => widerThanWindow(page);
    await expect
      .poll(wider)
      .toBe(0)
      .catch(() => undefined);
    expect.soft(await wider(), `${where}: px wider than the window`).toBe(0);
    const cut = await cutTextsOn(page);
    expect.soft(cut, `${where}: ${cut.join("; ")}`).toEqual([]);
    if (at <= phoneWidth) expect.soft(await smallTargets(page, "body", controls), where).toEqual([]);
  }
  if (alsoAt.length > 0) await page.setViewportSize({ width, height: 900 });
}

/** What a day may bring and a quiet demo has not: an alarm with its message for the farms' owner, and a job of one's own. */
async function busyDay(portal: Portal, account: string): Promise<void> {
  await publish(portal, "INJ-ZJY-01", "events", [
    { ts: Date.now(), type: "shot", id: `shot-${Date.now()}`, dose_set: 2, dose_act: 1.4, dose_deviation: -30 },
  ]);
  await apiOf(portal, account)(`${farms.path}/export`, {});
  const owner = apiOf(portal, "farm");
  const kinds = async () => {
    const { records } = await owner<{ records: { kind: string }[] }>(`${messagePage.path}?size=50`);
    return records.map(({ kind }) => kind);
  };
  await expect.poll(kinds, { timeout: 10_000 }).toContain("alarm");
}

/** Looks at every page and screen. The pages of one unit or device are the tests' of kinds. */
export async function crawl(
  portal: Portal,
  { account, width, alsoAt, colorScheme, lang, parts, refused }: CrawlWay,
): Promise<void> {
  const context = await portal.newContext({ viewport: { width, height: 900 }, colorScheme });
  await context.addCookies([{ name: "langType", value: lang, url: portal.address }]);
  const { page, problems } = await openPage(context);
  await busyDay(portal, account);

  const look = (path: string, but?: string) => lookAt(page, path, { width, alsoAt, lang, colorScheme }, but);
  for (const path of inTurn(openPaths, parts)) {
    await page.goto(portal.address + path);
    await look(path);
  }
  const session = await sessionOfDemo(portal.address, account);
  await page.evaluate((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
  }, session);
  await page.goto(`${portal.address}/selfCenter/home`);
  await settled(page);
  await navigate(page, refused);
  await page.locator(".exception .missing").waitFor();
  await look(refused);
  for (const path of inTurn(behindLogIn, parts)) {
    await navigate(page, path);
    // The frame stays as it is while its screens change, and is most of what stands on many of them.
    await look(path, frame);
    await expectPlain(page, path, lang);
  }
  // A page that is not found and a request that is gone say so by their status, which the browser notes as an error.
  expect(problems.filter((problem) => !/status of 40[04]/.test(problem))).toEqual([]);
  await context.close();
}
