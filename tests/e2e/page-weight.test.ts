import { publicArticlePage } from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { foundBrowser } from "../harness/browser.ts";
import { goodUnit } from "../harness/good-unit.ts";
import { gzipBytesOf, loadPage, type PageLoad } from "../harness/page-load.ts";
import { usePortal } from "../harness/portal.ts";
import { basic, sessionOfDemo } from "../harness/session.ts";
import { onThisMachine } from "../harness/time-limit.ts";

const portal = usePortal();

/** Most bytes on the wire of the words that the log-in page needs in English. */
const dictionaryLimit = 18_000;

const scriptsOf = ({ fetched }: PageLoad) => fetched.filter(({ type }) => type === "Script");

describe.skipIf(foundBrowser === undefined)("log-in page on a phone", () => {
  test.each([
    ["zh", "夜里两点"],
    ["en", "Two in the morning"],
  ] as const)("%s: what the first picture needs is small, and is there before any script", async (language, words) => {
    // The largest paint is in the document as it is sent, so that it waits for the styles alone.
    const answer = await fetch(`${portal.address}/login`, { headers: { Cookie: `langType=${language}` } });
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
      loads.push(await loadPage(portal.browser, `${portal.address}/login`, "#account", { language, phone: true }));
    }
    expect(Math.min(...loads.map(({ lcpMs }) => lcpMs))).toBeLessThanOrEqual(onThisMachine(2000));
    const [load] = loads as [PageLoad, ...PageLoad[]];
    expect(load.lcpElement).toMatch(new RegExp(`^h1 ${words}`));
    const needed = load.fetched.filter(({ type }) => type === "Document" || type === "Stylesheet");
    expect(needed.length).toBeLessThanOrEqual(3);
    expect(needed.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(30_000);
    expect(load.fetched.filter(({ type }) => type === "Font")).toEqual([]);
    expect(scriptsOf(load).length).toBeLessThanOrEqual(9);
    expect(await gzipBytesOf(load, "Script")).toBeLessThanOrEqual(152_000);
    // Words of the screen before a log-in alone, not the dictionary of the whole product; Chinese needs none.
    const dictionaries = load.fetched.filter(({ url }) => url.includes("/i18n/"));
    expect(dictionaries.filter(({ url }) => !url.includes("/i18n/entry/")).map(({ url }) => url)).toEqual([]);
    expect(dictionaries.length).toBeLessThanOrEqual(language === "en" ? 1 : 0);
    expect(dictionaries.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(dictionaryLimit);
  });
});

describe.skipIf(foundBrowser === undefined)("scripts", () => {
  test("the first screen of the centre needs at most 260 kB, a list at most 120 kB more, a form comes when it is opened", async () => {
    const storage = await sessionOfDemo(portal.address, "admin");
    const scripts = async (path: string, settled: string) =>
      gzipBytesOf(
        await loadPage(portal.browser, portal.address + path, settled, { language: "zh", phone: false, storage }),
        "Script",
      );
    const first = await scripts("/selfCenter/home", "#main h1");
    expect(first).toBeGreaterThan(100_000);
    expect(first).toBeLessThanOrEqual(260_000);
    const list = await scripts("/archives/service-department", "#list-search");
    expect(list).toBeLessThanOrEqual(first + 120_000);
    const form = await scripts("/archives/service-department?row=new", "#row-form");
    expect(form).toBeGreaterThan(list + 10_000);
  });

  test("the overview needs at most 224 kB, and what it waits for is told in the document as it is sent", async () => {
    const storage = await sessionOfDemo(portal.address, "farm");
    for (const [path, words] of [
      ["/selfCenter/home", "正在看有什么需要您处理"],
      ["/selfCenter/vet/environment/overview", "正在取最新的数值"],
    ] as const) {
      const html = await (await fetch(portal.address + path, { headers: { Cookie: "langType=zh" } })).text();
      expect(html.slice(html.indexOf("<body"))).toContain(words);
    }
    const load = await loadPage(portal.browser, `${portal.address}/selfCenter/vet/environment/overview`, "a.tile", {
      language: "zh",
      phone: false,
      storage,
    });
    expect(await gzipBytesOf(load, "Script")).toBeLessThanOrEqual(224_000);
  });

  test("nothing on the first screen of the centre moves on a phone when values come, and when its scripts take over", async () => {
    const storage = await sessionOfDemo(portal.address, "farm");
    for (const language of ["zh", "en"] as const) {
      // Other tests raise alarms in the same houses, which appear while the page loads: of three loads the stillest counts.
      const shifts: number[] = [];
      while (shifts.length < 3 && !shifts.some((cls) => cls < 0.03)) {
        const told = await fetch(`${portal.address}/api/v1/${demoTokenPrefix}ENV-ZJY-01/telemetry`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(goodUnit),
        });
        expect(told.status).toBe(200);
        const load = await loadPage(
          portal.browser,
          `${portal.address}/selfCenter/home`,
          ".farm-rows li",
          { language, phone: true, storage },
          [".first-values > ul > li .value"],
        );
        shifts.push(load.cls);
      }
      expect(Math.min(...shifts), language).toBeLessThan(0.03);
    }
  });

  test("pages of the site need 4 kB of scripts and no framework, and nothing on them moves on a phone", async () => {
    const answer = await fetch(`${portal.address}${publicArticlePage.path}?channel=information&size=1`, {
      headers: { Authorization: basic },
    });
    const { data } = (await answer.json()) as { data: { records: { id: string }[] } };
    for (const path of [
      "/index",
      "/solution/ammoniaDeodorization",
      `/informationDetails?id=${data.records[0]?.id}`,
      "/market",
    ]) {
      const load = await loadPage(portal.browser, `${portal.address}${path}`, "h1", { language: "en", phone: true });
      expect(await gzipBytesOf(load, "Script"), path).toBeLessThanOrEqual(4000);
      expect(load.cls, path).toBeLessThanOrEqual(0.02);
      expect(
        load.fetched.filter(({ url }) => url.includes("i18n")),
        path,
      ).toEqual([]);
    }
  });

  test("files are sent compressed with their length, copies have no address of their own, and each way is cached apart", async () => {
    const load = await loadPage(portal.browser, `${portal.address}/login`, "#account", {
      language: "zh",
      phone: false,
    });
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
    const api = await fetch(`${portal.address}/api/openapi.json`, { headers: { "Accept-Encoding": "gzip" } });
    expect(api.headers.get("Content-Encoding")).toBe("gzip");
    const missing = await fetch(`${portal.address}/api/no/such/thing`);
    expect([missing.status, missing.headers.get("Content-Type")]).toEqual([404, "application/json; charset=utf-8"]);
  });
});
