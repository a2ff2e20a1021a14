import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseFeed } from "@rowanmanning/feed-parser";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedContent } from "../../apps/server/src/database/seeds/content.ts";
import { seedDemoDocumentFiles } from "../../apps/server/src/database/seeds/demo-documents.ts";
import { seedDemoOutlets } from "../../apps/server/src/database/seeds/demo-outlets.ts";
import { seedDemoVideoFilms } from "../../apps/server/src/database/seeds/demo-videos.ts";
import { seedDemoWorkOrders } from "../../apps/server/src/database/seeds/demo-work-orders.ts";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";
import { createTestApp, type TestApp, webBuild } from "../harness/app.ts";
import { htmlProblems, structuredProblems } from "../harness/valid-page.ts";

const address = "https://portal.example";
/** Documents whose files are written: each takes some 100 ms, and one of each shape says as much as thirty. */
const writtenDocuments = 4;

let app: TestApp;
/** By which servers tell each other that pages became others. */
const bus = memoryBus();
const written: string[] = [];
const filmed: string[] = [];
beforeAll(async () => {
  expect(existsSync(join(webBuild, "server", "index.js")), "npm run build comes first").toBe(true);
  app = await createTestApp({ PUBLIC_URL: address }, { bus }, webBuild);
  const { kysely } = app.test.database;
  const { nextId, hashPassword } = app;
  await seedContent(kysely, nextId, { demo: true });
  await seedDemoOutlets(kysely, nextId);
  await seedDemoWorkOrders(kysely, { nextId, hashPassword, now: Date.now() });
  const begin = () =>
    seedDemoDocumentFiles(kysely, {
      write: (id, paper) => {
        written.push(id);
        return app.writeDocument(id, paper);
      },
      stopped: () => written.length >= writtenDocuments,
      nowMs: Date.now(),
    });
  const film = () =>
    seedDemoVideoFilms(kysely, {
      write: (id, video) => {
        filmed.push(id);
        return app.writeVideo(id, video);
      },
      stopped: () => false,
      // One of each second says as much as all.
      framesPerSecond: 1,
    });
  await Promise.all([begin(), begin(), film(), film()]);
  await app.runJob("content.search");
});
afterAll(() => app.close());

test("of servers that begin with the demo's documents and films at once, one writes them", () => {
  expect(written).toHaveLength(writtenDocuments);
  expect(new Set(written).size).toBe(writtenDocuments);
  expect([filmed.length, new Set(filmed).size]).toEqual([3, 3]);
});

test("a film of the demo is one that plays from its beginning to its end, with words in both languages", async () => {
  const { body } = await app.http.inject({ url: `/service/videoShow?id=${filmed[0]}` });
  for (const part of ["0:12", "captions-zh.vtt", "captions-en.vtt", 'type="video/webm"', "示例"])
    expect(body, part).toContain(part);
  for (const path of [`/solution/environmentalControl`, "/index"])
    expect((await app.http.inject({ url: path })).body, path).toContain(`/service/videoShow?id=${filmed[0]}`);
  expect((await app.http.inject({ url: "/search?q=%E6%8D%A2%E6%B0%94" })).body).toContain(
    "一栋舍怎么<mark>换气</mark>",
  );
});

/** What is not as the standards say, on pages by their address without the values of parameters: one of a kind says as much as all. */
const invalid = new Map<string, string[]>();

interface Seen {
  status: number;
  title: string;
  description: string;
  canonical: string;
  hidden: boolean;
  links: string[];
  anchors: ReadonlySet<string>;
}
/** Addresses that differ in the values of their parameters alone are of one kind. */
const mostOfKind = 3;
const kindOf = (path: string): string => path.replace(/=[^&]*/g, "");
const unescaped = (text: string): string =>
  text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#x27;", "'");
const attribute = (html: string, pattern: RegExp): string => unescaped(pattern.exec(html)?.[1] ?? "");

async function look(path: string): Promise<Seen> {
  const answer = await app.http.inject({ url: path });
  const html = String(answer.headers["content-type"]).startsWith("text/html") ? answer.body : "";
  const kind = `${kindOf(path)}${path.includes("lang=en") ? " en" : ""}`;
  // A page of the inside is an empty frame without its script.
  if (html.includes('<header class="site-head"') && !invalid.has(kind))
    invalid.set(kind, [...(await htmlProblems(html)), ...structuredProblems(html)]);
  return {
    status: answer.statusCode,
    title: attribute(html, /<title>([^<]*)</),
    description: attribute(html, /<meta name="description" content="([^"]*)"/),
    canonical: attribute(html, /<link rel="canonical" href="([^"]*)"/),
    hidden: html.includes('name="robots" content="noindex'),
    links: [...html.matchAll(/<a\b[^>]*?\shref="([^"]+)"/g)].map(([, href = ""]) => unescaped(href)),
    anchors: new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id)),
  };
}

test("no link of the site leads nowhere, and the site map lists what is published: all of it, and nothing else", async () => {
  const map = (await app.http.inject({ url: "/sitemap.xml" })).body;
  const mapped = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = ""]) => unescaped(loc).slice(address.length));
  expect(mapped.length).toBeGreaterThan(100);
  expect(new Set(mapped).size).toBe(mapped.length);

  const seen = new Map<string, Seen>();
  const kinds = new Map<string, number>();
  const anchored: { from: string; path: string; anchor: string }[] = [];
  const broken: string[] = [];
  const waiting: { path: string; from: string }[] = ["/index", "/index?lang=en"].map((path) => ({ path, from: "" }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, from } = next;
    if (seen.has(path)) continue;
    // Lists link to every choice of their filters: some of each kind say as much as hundreds.
    const kind = kindOf(path);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if ((kinds.get(kind) ?? 0) > mostOfKind && !path.includes("id=")) continue;
    const page = await look(path);
    seen.set(path, page);
    if (page.status !== 200) broken.push(`${path} answers ${page.status}, linked from ${from}`);
    // A page of the inside is an empty frame without its script; what it links to is not the site's.
    if (page.canonical === "") continue;
    for (const href of page.links) {
      const link = URL.parse(href, `${address}${path}`);
      if (link === null) broken.push(`${href} on ${path} is no address`);
      else if (link.origin === address) {
        const there = `${link.pathname}${link.search}`;
        waiting.push({ path: there, from: path });
        if (link.hash !== "")
          anchored.push({ from: path, path: there, anchor: decodeURIComponent(link.hash.slice(1)) });
      } else if (!/^(https|tel|mailto):$/.test(link.protocol))
        broken.push(`${href} on ${path} is of no kind that the site uses`);
    }
  }
  expect(broken).toEqual([]);
  const lost = anchored.filter(({ path, anchor }) => seen.get(path)?.anchors.has(anchor) === false);
  expect(lost).toEqual([]);

  // A page that names another address as the one to be found leads to a page that is there and names itself.
  const others = new Set(
    [...seen.values()]
      .map(({ canonical }) => canonical.slice(address.length))
      .filter((path) => path && !seen.has(path)),
  );
  for (const path of others) expect([path, (await look(path)).canonical]).toEqual([path, `${address}${path}`]);

  // What is to be found in the site map: every page that names itself as the one to be found.
  const found = [...seen].filter(([path, { canonical, hidden }]) => canonical === `${address}${path}` && !hidden);
  const filtered = /[?&](topic|kind|product|period|page|breed|days|area|province|q|service)=/;
  expect(found.map(([path]) => path).filter((path) => !filtered.test(path) && !mapped.includes(path))).toEqual([]);
  for (const path of mapped) {
    const page = seen.get(path) ?? (await look(path));
    expect([path, page.status, page.canonical, page.hidden]).toEqual([path, 200, `${address}${path}`, false]);
    expect(page.title, path).not.toBe("");
    expect(page.description.length, path).toBeGreaterThan(10);
    seen.set(path, page);
  }
  // Each page has a title and a description of its own.
  for (const what of ["title", "description"] as const) {
    const said = Map.groupBy(mapped, (path) => seen.get(path)?.[what] ?? "");
    expect(
      [...said.values()].filter((paths) => paths.length > 1),
      what,
    ).toEqual([]);
  }
}, 120_000);

test("pages are HTML and their structured data as schema.org describes them", () => {
  expect(invalid.size).toBeGreaterThan(30);
  expect([...invalid].filter(([, problems]) => problems.length > 0)).toEqual([]);
});

test("planted faults are found: a double id, a list with a paragraph, an article without its date", async () => {
  expect(
    await htmlProblems(
      '<!doctype html><html lang="en"><head><title>x</title></head><body><h1 id="a">x</h1><ul id="a"><p>x</p></ul></body></html>',
    ),
  ).toHaveLength(2);
  expect(
    structuredProblems(
      `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", "@type": "Service", name: "x", url: "http://x", colour: "red" })}</script>`,
    ),
  ).toEqual(["Service has no description", 'Service.url: "http://x"', "Service has colour"]);
});

test("readers of feeds read both kinds of both languages, and a phone its manifest", async () => {
  for (const [path, type] of [
    ["/rss.xml", "rss"],
    ["/rss-en.xml", "rss"],
    ["/atom.xml", "atom"],
    ["/atom-en.xml", "atom"],
  ] as const) {
    const feed = parseFeed((await app.http.inject({ url: path })).body);
    expect([path, feed.meta.type, feed.language]).toEqual([path, type, path.includes("-en") ? "en" : "zh-CN"]);
    expect(feed.items.length, path).toBeGreaterThan(5);
    for (const { title, url, published } of feed.items)
      expect([title !== "", url?.startsWith(address), published instanceof Date], path).toEqual([true, true, true]);
  }
  for (const path of ["/manifest.webmanifest", "/manifest-en.webmanifest"]) {
    const answer = await app.http.inject({ url: path });
    expect(answer.headers["content-type"]).toContain("application/manifest+json");
    const { icons, ...manifest } = answer.json() as { icons: { src: string; sizes: string }[]; start_url: string };
    expect(manifest).toMatchObject({ display: "standalone", scope: "/" });
    for (const { src, sizes } of icons) {
      const { width, height } = await sharp((await app.http.inject({ url: src })).rawPayload).metadata();
      expect(`${width}x${height}`).toBe(sizes);
    }
  }
  const home = (await app.http.inject({ url: "/index" })).body;
  const pictures = [
    ...home.matchAll(/(?:property="og:image" content|rel="(?:icon|apple-touch-icon)" href)="([^"]+)"/g),
  ];
  expect(pictures).toHaveLength(4);
  for (const [, picture = ""] of pictures)
    expect([picture, (await app.http.inject({ url: picture.replace(address, "") })).statusCode]).toEqual([
      picture,
      200,
    ]);
});

test("a search finds articles, documents and services, and marks what was looked for, which is text and no pattern", async () => {
  const html = async (word: string, language = "zh") =>
    (await app.http.inject({ url: `/search?q=${encodeURIComponent(word)}&lang=${language}` })).body;
  const found = await html("校准");
  expect(found).toContain("<mark>校准</mark>服务价格与周期说明");
  expect(found).toContain("温湿度与气体探头<mark>校准</mark>");
  expect(await html("GATEWAY", "en")).toContain("<mark>Gateway</mark>: installation and connection");
  for (const word of ["(", "[a-z]+", ".*", "\\", "<b>x</b>"]) {
    const { statusCode, body } = await app.http.inject({ url: `/search?q=${encodeURIComponent(word)}` });
    expect([word, statusCode, body.includes("<b>x</b>")]).toEqual([word, 200, false]);
  }
});

test("a search with one wrong letter shows what was meant, says so, and marks it", async () => {
  const html = async (word: string, language = "zh") =>
    (await app.http.inject({ url: `/search?q=${encodeURIComponent(word)}&lang=${language}` })).body;
  const chinese = await html("最小同风");
  expect(chinese).toContain("没有找到“最小同风”，下面是“最小通风”的");
  expect(chinese).toContain("<mark>最小通风</mark>");
  const english = await html("amonia", "en");
  expect(english).toContain("Nothing was found for “amonia”");
  expect(english).toMatch(/<mark>ammonia<\/mark>/i);
  expect(await html("一个字也没有的东西")).toContain("没有找到“一个字也没有的东西”。换个更短的词");
});

test("what is published or taken off at one server is so on the pages of another within a second", async () => {
  const other = await createTestApp({ PUBLIC_URL: address }, { test: app.test, bus }, webBuild);
  try {
    const token = await app.logIn("admin");
    const post = async (verb: string, body: object) => {
      const answer = await app.call({ method: "POST", path: `/api/muyuan-content/article/${verb}`, body, token });
      expect(answer.status).toBe(200);
      return answer.body.data as { id: string; version: number };
    };
    const { id, version } = await post("submit", {
      title: "两台服务器同一刻",
      channel: "news",
      topic: "company",
      summary: "说什么",
    });
    await post("write", { id, version, body: "<p>字</p>" });
    const pages = ["/news", `/news/detail?id=${id}`] as const;
    const seen = () =>
      Promise.all(
        [app, other].flatMap(({ http }) =>
          pages.map(async (url) => (await http.inject({ url })).body.includes("两台服务器同一刻")),
        ),
      );
    // Both servers keep the list from now on.
    expect(await seen()).toEqual([false, false, false, false]);
    const { data } = (await app.call({ path: "/api/muyuan-content/article/content", query: { id }, token })).body as {
      data: { version: number };
    };
    await post("publish", { id, version: data.version });
    await expect.poll(seen, { timeout: 1000, interval: 50 }).toEqual([true, true, true, true]);
    await post("withdraw", { id });
    await expect.poll(seen, { timeout: 1000, interval: 50 }).toEqual([false, false, false, false]);
  } finally {
    await other.close();
  }
});

test("the editor learns which links of a text lead nowhere, by pages of this very site", async () => {
  const token = await app.logIn("admin");
  const { rows } = await app.test.database.pool.query(
    "select id from articles where published_channel = 'news' order by published_at desc limit 1",
  );
  const { body } = await app.call({
    method: "POST",
    path: "/api/muyuan-content/article/check-links",
    body: {
      links: [
        "/news",
        `/news/detail?id=${rows[0].id}`,
        `${address}/solution/wisdom#ask`,
        "/service/network?lang=en",
        "/selfCenter/home",
        "/news/detail?id=1",
        `/informationDetails?id=${rows[0].id}`,
        "/service/network-old",
        "/solution/wisdom#nowhere",
      ],
    },
    token,
  });
  expect((body.data as { link: string; problem: string }[]).map(({ link, problem }) => [link, problem])).toEqual([
    ["/news/detail?id=1", "missing"],
    [`/informationDetails?id=${rows[0].id}`, "missing"],
    ["/service/network-old", "missing"],
    ["/solution/wisdom#nowhere", "anchor"],
  ]);
});
