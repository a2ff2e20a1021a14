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
function siteOf(total: number) {
  let reads = 0;
  const files = createSiteFiles({
    newest: async () => [],
    mapped: async (offset, limit) => {
      reads += 1;
      const count = Math.max(0, Math.min(limit, total - offset));
      return { rows: Array.from({ length: count }, (_, at) => rowOf(offset + at + 1)), total };
    },
    documents: async () => [{ id: "7", titleEn: "Paper", publishedAt: new Date(0) }],
    videos: async () => [{ id: "8", publishedAt: new Date(0) }],
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
