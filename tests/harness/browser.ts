import { type Browser, type BrowserContext, chromium, type Page, type Request } from "playwright-core";

interface Found {
  executablePath: string;
  args: string[];
}

/** The Chromium that scripts/test.mjs found; undefined without one, and then the browser tests are skipped. */
export const foundBrowser: Found | undefined = process.env.HERDWISE_TEST_BROWSER
  ? (JSON.parse(process.env.HERDWISE_TEST_BROWSER) as Found)
  : undefined;

let launched: Promise<Browser> | undefined;

/**
 * The browser of this worker, which all of its files share and which ends with it. One browser of all workers was no cheaper to start
 * and had every message to it pass through two more processes.
 */
export function browserOfWorker(): Promise<Browser> {
  if (foundBrowser === undefined) throw new Error("no Chromium was found");
  const { executablePath, args } = foundBrowser;
  launched ??= chromium.launch({
    executablePath,
    args: [
      ...args,
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      // Pages of tests live for seconds: what V8 would optimize in them took an eighth of the processors' time, and handing its work
      // to threads, of which each page has its own, a twentieth.
      "--js-flags=--no-opt --single-threaded",
    ],
  });
  return launched;
}

/** Calls and scripts of a page that have no answer yet, and when the last one had its answer. Live streams stay out: they never end. */
interface Traffic {
  open: Set<Request>;
  quietSince: number;
  /** Called when the last answer is there. */
  waiters: (() => void)[];
}
const trafficOf = new WeakMap<Page, Traffic>();

function watchTraffic(page: Page): void {
  const traffic: Traffic = { open: new Set(), quietSince: 0, waiters: [] };
  trafficOf.set(page, traffic);
  // A screen whose script is on its way leaves the one before standing.
  const isCall = (request: Request): boolean => /\/api\/(?!.*\/live(\?|$))|\/assets\/.*\.js$/.test(request.url());
  page.on("request", (request) => {
    if (isCall(request)) traffic.open.add(request);
  });
  const ended = (request: Request): void => {
    if (!traffic.open.delete(request)) return;
    traffic.quietSince = performance.now();
    if (traffic.open.size === 0) for (const tell of traffic.waiters.splice(0)) tell();
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
/** Until it is looked again for what is still to come. */
const lookAgainMs = 50;
const settleLimitMs = 30_000;

/** Waits in the page. @returns false where another document took its place meanwhile */
async function hasTime(page: Page, afterMs: number): Promise<boolean> {
  try {
    await page.evaluate((ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)), afterMs);
    return true;
  } catch (error) {
    if (page.isClosed()) throw error;
    return false;
  }
}

/**
 * Waits until a page of `openPage` has a heading, nothing on it is still to come, and every call but live streams has its answer. It
 * is told of answers and sleeps in between: a question to a page costs four processes time, and tests ask a thousand times.
 * @throws when that is not so within half a minute
 */
export async function settled(page: Page): Promise<void> {
  await page.locator("h1:visible, h2:visible").first().waitFor();
  const traffic = trafficOf.get(page);
  const until = performance.now() + settleLimitMs;
  let busyUntil = 0;
  for (;;) {
    const left = until - performance.now();
    if (left < 0) {
      const calls = [...(traffic?.open ?? [])].map((request) => request.url());
      const marks = await page.locator(waiting).count();
      throw new Error(
        `${page.url()} did not settle: ${marks} marks of waiting, without an answer: ${calls.join(", ") || "none"}`,
      );
    }
    if (traffic && traffic.open.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      traffic.waiters.push(resolve);
      const limit = setTimeout(resolve, left);
      await promise;
      clearTimeout(limit);
      continue;
    }
    const asked = performance.now();
    const rest = traffic ? Math.max(0, nextCallMs - (asked - Math.max(traffic.quietSince, busyUntil))) : 0;
    const stayed = await hasTime(page, rest);
    const now = performance.now();
    if (!stayed || now - asked - rest > atRestMs) {
      busyUntil = now;
      continue;
    }
    if (traffic && (traffic.open.size > 0 || now - traffic.quietSince < nextCallMs)) continue;
    if ((await page.locator(waiting).count()) === 0) return;
    await hasTime(page, lookAgainMs);
  }
}
