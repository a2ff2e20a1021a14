import { type BrowserContext, type BrowserServer, chromium, type Page } from "playwright-core";
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

/** A new page that remembers what went wrong in it. */
export async function openPage(context: BrowserContext): Promise<{ page: Page; problems: string[] }> {
  const page = await context.newPage();
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
  'bdi[style*="visibility"]',
].join(", ");

/** Waits until a page has a heading and nothing on it is still to come; live pages never fall silent. */
export async function settled(page: Page): Promise<void> {
  await page.locator("h1:visible, h2:visible").first().waitFor();
  await expect.poll(() => page.locator(waiting).count(), { timeout: 10_000 }).toBe(0);
}
