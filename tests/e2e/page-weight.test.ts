import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "../faults/server-process.ts";
import { foundBrowser, launchBrowser } from "../harness/browser.ts";
import { gzipBytesOf, loadPage, type PageLoad } from "../harness/page-load.ts";
import { sessionOfDemo } from "../harness/session.ts";

let server: ServerProcess;
let browser: Browser;
let dataDir: string;
let address: string;

beforeAll(async () => {
  if (foundBrowser === undefined) return;
  dataDir = await mkdtemp(join(tmpdir(), "herdwise-weight-"));
  [server, browser] = await Promise.all([
    startServerProcess({ DATA_DIR: dataDir, NODE_ENV: "production" }),
    launchBrowser(),
  ]);
  address = `http://127.0.0.1:${server.httpPort}`;
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

const scriptsOf = ({ fetched }: PageLoad) => fetched.filter(({ type }) => type === "Script");

describe.skipIf(foundBrowser === undefined)("log-in page on a phone", () => {
  test.each([
    ["zh", "夜里两点"],
    ["en", "Two in the morning"],
  ] as const)("%s: what the first picture needs is small, and is there before any script", async (language, words) => {
    // The largest paint is in the document as it is sent, so that it waits for the styles alone.
    const answer = await fetch(`${address}/login`, { headers: { Cookie: `langType=${language}` } });
    const html = await answer.text();
    expect(html).toMatch(new RegExp(`<h1>${words}`));
    expect(html).not.toContain("@font-face");
    const before = html.slice(0, html.indexOf("</head>"));
    // Nothing but the few characters that choose the theme runs before the first paint.
    const blocking = [...before.matchAll(/<script(?![^>]*(?:async|type="module"))[^>]*>([\s\S]*?)<\/script>/g)];
    expect(blocking.map(([, code = ""]) => code.length < 400)).toEqual([true]);
    const preloads = [...before.matchAll(/<link rel="modulepreload"[^>]*>/g)].map(([link]) => link);
    expect(preloads.length).toBeGreaterThan(3);
    expect(preloads.filter((link) => !link.includes('fetchpriority="low"'))).toEqual([]);

    const loads: PageLoad[] = [];
    // The property is two seconds on a machine that has them for it: of three loads the quickest counts.
    while (loads.length < 3 && !loads.some(({ lcpMs }) => lcpMs <= 2000)) {
      loads.push(await loadPage(browser, `${address}/login`, "#account", { language, phone: true }));
    }
    expect(Math.min(...loads.map(({ lcpMs }) => lcpMs))).toBeLessThanOrEqual(2000);
    const [load] = loads as [PageLoad, ...PageLoad[]];
    expect(load.lcpElement).toMatch(new RegExp(`^h1 ${words}`));
    const needed = load.fetched.filter(({ type }) => type === "Document" || type === "Stylesheet");
    expect(needed.length).toBeLessThanOrEqual(3);
    expect(needed.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(30_000);
    expect(load.fetched.filter(({ type }) => type === "Font")).toEqual([]);
    expect(scriptsOf(load).length).toBeLessThanOrEqual(9);
    expect(await gzipBytesOf(load, "Script")).toBeLessThanOrEqual(170_000);
  });
});

describe.skipIf(foundBrowser === undefined)("scripts", () => {
  test("the first screens of the centre need at most 400 kB", async () => {
    const storage = await sessionOfDemo(address, "farm");
    for (const [path, settled] of [
      ["/selfCenter/home", "h1"],
      ["/selfCenter/vet/environment/overview", "a.tl"],
    ] as const) {
      const load = await loadPage(browser, address + path, settled, { language: "zh", phone: false, storage });
      const bytes = await gzipBytesOf(load, "Script");
      expect(bytes, path).toBeGreaterThan(100_000);
      expect(bytes, path).toBeLessThanOrEqual(400_000);
    }
  });

  test("the home page needs 3 kB and no framework", async () => {
    const load = await loadPage(browser, `${address}/index`, "h1", { language: "en", phone: false });
    expect(await gzipBytesOf(load, "Script")).toBeLessThanOrEqual(3000);
  });

  test("files are sent compressed with their length, copies have no address of their own, and each way is cached apart", async () => {
    const load = await loadPage(browser, `${address}/login`, "#account", { language: "zh", phone: false });
    const [largest] = scriptsOf(load).toSorted((a, b) => b.bytes - a.bytes);
    const url = largest?.url ?? "";
    const sizes: number[] = [];
    for (const encoding of ["identity", "gzip", "br"]) {
      const answer = await fetch(url, { headers: { "Accept-Encoding": encoding } });
      const body = await answer.arrayBuffer();
      expect(answer.headers.get("Vary")?.toLowerCase()).toContain("accept-encoding");
      expect(answer.headers.get("Cache-Control")).toContain("immutable");
      expect(answer.headers.get("Content-Encoding")).toBe(encoding === "identity" ? null : encoding);
      expect(body.byteLength).toBeGreaterThan(200_000);
      sizes.push(Number(answer.headers.get("Content-Length")));
    }
    const [plain = 0, gzip = 0, brotli = 0] = sizes;
    expect(gzip).toBeLessThan(plain / 2);
    expect(brotli).toBeLessThan(gzip);
    expect((await fetch(`${url}.br`)).status).toBe(404);
    // Answers of the API are compressed, too; streams and small ones are not.
    const api = await fetch(`${address}/api/openapi.json`, { headers: { "Accept-Encoding": "gzip" } });
    expect(api.headers.get("Content-Encoding")).toBe("gzip");
    const missing = await fetch(`${address}/api/no/such/thing`);
    expect([missing.status, missing.headers.get("Content-Type")]).toEqual([404, "application/json; charset=utf-8"]);
  });
});
