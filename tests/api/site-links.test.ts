import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedContent } from "../../apps/server/src/database/seeds/content.ts";
import { seedDemoDocumentFiles } from "../../apps/server/src/database/seeds/demo-documents.ts";
import { seedDemoOutlets } from "../../apps/server/src/database/seeds/demo-outlets.ts";
import { seedDemoWorkOrders } from "../../apps/server/src/database/seeds/demo-work-orders.ts";
import { createTestApp, type TestApp, webBuild } from "../harness/app.ts";

const address = "https://portal.example";
/** Documents whose files are written: each takes some 100 ms, and one of each shape says as much as thirty. */
const writtenDocuments = 4;

let app: TestApp;
const written: string[] = [];
beforeAll(async () => {
  expect(existsSync(join(webBuild, "server", "index.js")), "npm run build comes first").toBe(true);
  app = await createTestApp({ PUBLIC_URL: address }, {}, webBuild);
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
  await Promise.all([begin(), begin()]);
});
afterAll(() => app.close());

test("of servers that begin with the demo's documents at once, one writes them", () => {
  expect(written).toHaveLength(writtenDocuments);
  expect(new Set(written).size).toBe(writtenDocuments);
});

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
