import { expect, test } from "vitest";
import type { ReadableRow } from "./article.repository.ts";
import { createSiteFiles } from "./site-files.ts";

const rowOf = (id: number): ReadableRow => ({
  id: String(id),
  title: `第 ${id} 篇`,
  titleEn: id % 2 === 0 ? `Number ${id}` : "",
  summary: "",
  summaryEn: "",
  channel: "news",
  topic: "company",
  page: "",
  cover: "",
  author: "",
  example: false,
  body: "",
  bodyEn: "",
  unreviewed: [],
  publishedAt: new Date(0),
  savedAt: new Date(0),
});

/** Site files of so many articles, and how often they were read. */
function siteOf(total: number, { isEmpty = false, newest = [] as ReadableRow[] } = {}) {
  let reads = 0;
  const files = createSiteFiles({
    newest: async () => newest,
    mapped: async (offset, limit) => {
      reads += 1;
      const count = Math.max(0, Math.min(limit, total - offset));
      return { rows: Array.from({ length: count }, (_, at) => rowOf(offset + at + 1)), total };
    },
    documents: async () => (isEmpty ? [] : [{ id: "7", titleEn: "Paper", publishedAt: new Date(0) }]),
    videos: async () => (isEmpty ? [] : [{ id: "8", publishedAt: new Date(0) }]),
    hasOutlets: async () => !isEmpty,
    suggestions: async () => [],
    homeLanguages: async () => ["zh", "en"],
    publicUrl: "https://portal.example",
    brand: (language) => (language === "en" ? "Herdwise" : "慧牧"),
    now: () => 0,
  });
  return { files, reads: () => reads };
}
const locations = (xml = ""): string[] => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = ""]) => loc);

test("a site of many articles has a map of maps, which name each article once and keep below what one file may name", async () => {
  const { files } = siteOf(25_000);
  const parts = locations(await files.siteMap());
  expect(parts).toEqual([0, 1, 2, 3].map((part) => `https://portal.example/sitemap-${part}.xml`));
  const maps = await Promise.all([0, 1, 2, 3].map((part) => files.siteMapPart(part)));
  for (const map of maps) expect(locations(map).length).toBeLessThanOrEqual(50_000);
  const all = maps.flatMap(locations);
  expect(new Set(all).size).toBe(all.length);
  expect(all.filter((loc) => /\/news\/detail\?id=\d+$/.test(loc))).toHaveLength(25_000);
  expect(all.filter((loc) => loc.endsWith("lang=en") && loc.includes("/news/detail"))).toHaveLength(12_500);
  expect(all).toContain("https://portal.example/service/fileShow?id=7");
  expect(all).toContain("https://portal.example/service/videoShow?id=8");
  expect(await files.siteMapPart(4)).toBeUndefined();
});

test("a smaller one has all in one file, which is read anew when something changed", async () => {
  const { files, reads } = siteOf(3);
  expect(locations(await files.siteMap())).toContain("https://portal.example/news/detail?id=3");
  await files.siteMap();
  // Once how many there are, and once the articles.
  expect(reads()).toBe(2);
  files.forget();
  await files.siteMap();
  expect(reads()).toBe(4);
});

test("lists without content are no pages to a search engine", async () => {
  const map = locations(await siteOf(0, { isEmpty: true }).files.siteMap());
  for (const path of [
    "/information",
    "/news",
    "/service/notice",
    "/service/productInfo",
    "/service/videos",
    "/service/network",
  ])
    expect(map).not.toContain(`https://portal.example${path}`);
  expect(map).toContain("https://portal.example/market");
  const full = locations(await siteOf(0, { newest: [rowOf(2)] }).files.siteMap());
  expect(full).toEqual(
    expect.arrayContaining(["/news", "/service/videos"].map((path) => `https://portal.example${path}`)),
  );
  expect(full).not.toContain("https://portal.example/information");
});

test("both feeds hold what was written in their language, escaped, with its times", async () => {
  const { files } = siteOf(0, { newest: [{ ...rowOf(2), titleEn: "Cold & <dry>" }, rowOf(1)] });
  const english = await files.atom("en");
  expect(english.match(/<entry>/g)).toHaveLength(1);
  expect(english).toContain("<title>Cold &amp; &lt;dry&gt;</title>");
  expect(english).toContain('<link href="https://portal.example/news/detail?id=2&amp;lang=en"/>');
  expect(english).toContain("<updated>1970-01-01T00:00:00.000Z</updated>");
  expect((await files.atom("zh")).match(/<entry>/g)).toHaveLength(2);
  expect((await files.feed("zh")).match(/<item>/g)).toHaveLength(2);
});

test("the app on a phone is called after the brand in its language", () => {
  const { files } = siteOf(0);
  expect(files.manifest("en")).toMatchObject({ name: "Herdwise", lang: "en", start_url: "/selfCenter/home" });
  expect(files.manifest("zh").name).toBe("慧牧");
});
