import { type BrowserContext, type BrowserServer, chromium, type Page, type Request } from "playwright-core";
import { expect } from "vitest";

interface Found {
  executablePath: string;
  args: string[];
}

/** The Chromium that scripts/test.mjs found; undefined without one, and then the browser tests are skipped. */
export const foundBrowser: Found | undefined = process.env.HERDWISE_TEST_BROWSER
  ? (JSON.parse(process.env.HERDWISE_TEST_BROWSER) as Found)
  : undefined;

/** Starts a browser that test files connect to. */
export function launchBrowser(): Promise<BrowserServer> {
  if (foundBrowser === undefined) throw new Error("no Chromium was found");
  return chromium.launchServer({
    executablePath: foundBrowser.executablePath,
    args: [
      ...foundBrowser.args,
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}

/** Calls and scripts of a page that have no answer yet, and when the last one had its answer. Live streams stay out: they never end. */
interface Traffic {
  open: Set<Request>;
  quietSince: number;
}
const trafficOf = new WeakMap<Page, Traffic>();

function watchTraffic(page: Page): void {
  const traffic: Traffic = { open: new Set(), quietSince: 0 };
  trafficOf.set(page, traffic);
  // A screen whose script is on its way leaves the one before standing.
  const isCall = (request: Request): boolean => /\/api\/(?!.*\/live(\?|$))|\/assets\/.*\.js$/.test(request.url());
  page.on("request", (request) => {
    if (isCall(request)) traffic.open.add(request);
  });
  const ended = (request: Request): void => {
    if (traffic.open.delete(request)) traffic.quietSince = performance.now();
  };
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
}

/** A new page that remembers what went wrong in it. */
export async function openPage(context: BrowserContext): Promise<{ page: Page; problems: string[] }> {
  const page = await context.newPage();
  watchTraffic(page);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  return { page, problems };
}

/** What stands for something still to come: loading lines, a puzzle on its way, a name hidden until it is translated. */
const waiting = [
  ".skeleton:visible",
  '[aria-busy="true"]:visible',
  '.cap[data-step="loading"]',
  'bdi[style*="opacity"]',
].join(", ");

/** An answer may lead to a next call, as rows to the names of what they refer to, which is sent within this time by a page at rest. */
const nextCallMs = 100;
/** A page that takes longer to have time for a word was at work, and may begin with its next call only now. */
const atRestMs = 30;

/** Waits until a page of `openPage` has a heading, nothing on it is still to come, and every call but live streams has its answer. */
export async function settled(page: Page): Promise<void> {
  await page.locator("h1:visible, h2:visible").first().waitFor();
  const traffic = trafficOf.get(page);
  let busyUntil = 0;
  const toCome = async (): Promise<number> => {
    const asked = performance.now();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    const now = performance.now();
    if (now - asked > atRestMs) busyUntil = now;
    const isQuiet = traffic && traffic.open.size === 0 && now - Math.max(traffic.quietSince, busyUntil) > nextCallMs;
    return (await page.locator(waiting).count()) + (isQuiet === false ? 1 : 0);
  };
  await expect.poll(toCome, { timeout: 30_000 }).toBe(0);
}
