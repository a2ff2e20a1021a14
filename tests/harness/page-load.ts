import { gzipSync } from "node:zlib";
import type { Browser, CDPSession, Page } from "playwright-core";

/** How a page is looked at. */
export interface Viewer {
  language: "zh" | "en";
  /** A phone on a farm: 390 px, a processor 4 times slower, 1.6 Mbit/s down, 150 ms to the server. Else a desk. */
  phone: boolean;
  /** What the browser's storage holds before the page is opened, such as a session. */
  storage?: Readonly<Record<string, string>>;
}

/** A file that the browser fetched over the network. */
interface Fetched {
  url: string;
  /** As the browser names it: Document, Stylesheet, Script, Fetch ... */
  type: string;
  /** Bytes on the wire, headers and compressed body. */
  bytes: number;
  /** When it was asked for and when its last byte was there, ms after the navigation began. */
  askedMs: number;
  doneMs: number;
}

export interface PageLoad {
  /** Largest Contentful Paint, ms after the navigation began. */
  lcpMs: number;
  /** First Contentful Paint, ms. */
  fcpMs: number;
  /** The element of the largest paint, as `tag.class`, and the first of its words. */
  lcpElement: string;
  /** Cumulative Layout Shift: how much moved that nobody asked to move, without a unit. */
  cls: number;
  /** When what each of the selectors finds had been drawn first, ms, in their order. */
  drawnMs: number[];
  fetched: Fetched[];
}

/** The phone's line. */
const line = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const slowdown = 4;

interface PaintRecord {
  lcpMs: number;
  fcpMs: number;
  lcpElement: string;
  cls: number;
  drawnMs: number[];
}

// Runs in the page before its own scripts. The last entry stands: a larger paint replaces a smaller one until input.
const watchPaints = `
  globalThis.paints = { lcpMs: 0, fcpMs: 0, lcpElement: "", cls: 0, drawnMs: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { element } = entry;
      globalThis.paints.lcpMs = entry.startTime;
      globalThis.paints.lcpElement = element
        ? [element.tagName.toLowerCase(), ...element.classList].join(".") + " " + element.textContent.trim().slice(0, 24)
        : "gone";
    }
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName("first-contentful-paint")) globalThis.paints.fcpMs = entry.startTime;
  }).observe({ type: "paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.paints.cls += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
`;

// Beside the above: the frame that draws what a selector finds first. The browser tells the time of its paint.
const watchDrawing = (selectors: readonly string[]): string => `
  const wanted = ${JSON.stringify(selectors)}.map((selector, at) => ({ selector, at }));
  const observer = new MutationObserver(() => {
    for (const { selector, at } of [...wanted]) {
      const element = document.querySelector(selector);
      if (element === null) continue;
      // The browser tells no time of a drawing's paint: it is in the frame after this one.
      if (element instanceof SVGElement)
        requestAnimationFrame(() => setTimeout(() => (globalThis.paints.drawnMs[at] ??= performance.now())));
      else element.setAttribute("elementtiming", "drawn " + at);
      wanted.splice(wanted.findIndex((one) => one.at === at), 1);
    }
    if (wanted.length === 0) observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "aria-busy"] });
  new PerformanceObserver((list) => {
    for (const { identifier, renderTime } of list.getEntries())
      globalThis.paints.drawnMs[Number(identifier.split(" ")[1])] ??= renderTime;
  }).observe({ type: "element", buffered: true });
`;

interface NetworkWatch {
  fetched(): Fetched[];
  /** Resolves when nothing is under way; live streams, which never end, do not count. */
  quiet(): Promise<void>;
}

async function watchNetwork(client: CDPSession): Promise<NetworkWatch> {
  const pending = new Map<string, { url: string; type: string; asked: number }>();
  const fetched: Fetched[] = [];
  let begun = 0;
  let tell: () => void = () => undefined;
  const leave = (requestId: string): void => {
    pending.delete(requestId);
    if (pending.size === 0) tell();
  };
  client.on("Network.requestWillBeSent", ({ requestId, request, type, timestamp }) => {
    if (request.url.startsWith("data:")) return;
    if (type === "Document" && begun === 0) begun = timestamp;
    pending.set(requestId, { url: request.url, type: type ?? "Other", asked: timestamp });
  });
  client.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.mimeType === "text/event-stream") leave(requestId);
  });
  client.on("Network.loadingFailed", ({ requestId }) => leave(requestId));
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
    const request = pending.get(requestId);
    if (!request) return;
    const { url, type, asked } = request;
    const sinceBegun = (time: number): number => (time - begun) * 1000;
    fetched.push({ url, type, bytes: encodedDataLength, askedMs: sinceBegun(asked), doneMs: sinceBegun(timestamp) });
    leave(requestId);
  });
  await client.send("Network.enable");
  return {
    fetched: () => fetched.toSorted((a, b) => a.doneMs - b.doneMs),
    quiet: () =>
      new Promise((resolve) => {
        tell = resolve;
        if (pending.size === 0) resolve();
      }),
  };
}

/**
 * Bytes of a file as gzip sends it, so that sizes do not depend on what a browser accepts.
 * @throws when the server sends it uncompressed
 */
async function gzipBytes(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { "Accept-Encoding": "gzip" } });
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.headers.get("Content-Encoding") === "gzip") {
    return Number(answer.headers.get("Content-Length") ?? gzipSync(body).length);
  }
  if (body.length >= 1024) throw new Error(`${url} is sent uncompressed`);
  return body.length;
}

/** Gzip bytes of all files of a kind that a page load fetched. */
export async function gzipBytesOf({ fetched }: PageLoad, type: "Script" | "Stylesheet"): Promise<number> {
  const sizes = await Promise.all(fetched.filter((file) => file.type === type).map(({ url }) => gzipBytes(url)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Waits until all that is to be drawn was. A condition in the page itself would be evaluated there, which our policy forbids. */
async function untilDrawn(page: Page, count: number): Promise<void> {
  for (const until = performance.now() + 30_000; performance.now() < until; ) {
    if ((await page.evaluate<number>("Object.keys(globalThis.paints.drawnMs).length")) >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("not all was drawn within 30 s");
}

/**
 * Opens an address in a browser context of its own, with an empty cache, and waits until `settled` is on the page and the
 * network has been quiet.
 * @param settled selector of what shows that the page is complete
 * @param drawn selectors of elements with a text of their own, or of drawings, whose first paint is waited for
 */
export async function loadPage(
  browser: Browser,
  url: string,
  settled: string,
  viewer: Viewer,
  drawn: readonly string[] = [],
): Promise<PageLoad> {
  const { language, phone, storage = {} } = viewer;
  const context = await browser.newContext(
    phone
      ? { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
      : { viewport: { width: 1440, height: 900 } },
  );
  try {
    await context.addCookies([{ name: "langType", value: language, url }]);
    const page = await context.newPage();
    await page.addInitScript(watchPaints);
    if (drawn.length > 0) await page.addInitScript(watchDrawing(drawn));
    await page.addInitScript((entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
    }, storage);
    const client = await context.newCDPSession(page);
    const network = await watchNetwork(client);
    if (phone) {
      await client.send("Network.emulateNetworkConditions", line);
      await client.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    }
    await page.goto(url, { waitUntil: "load" });
    await page.locator(settled).first().waitFor();
    await untilDrawn(page, drawn.length);
    await network.quiet();
    const paints = await page.evaluate<PaintRecord>("globalThis.paints");
    return { ...paints, fetched: network.fetched() };
  } finally {
    await context.close();
  }
}
