import type { ReadableRow } from "./article.repository.ts";
import { pathOf } from "./article.service.ts";

/** Addresses that a site map may name. */
const mostMapped = 10_000;
const mostFed = 30;
/** Pages that are there whatever editors publish. */
const fixedPages = [
  "/index",
  "/market",
  "/information",
  "/news",
  "/partner",
  "/service/productService",
  "/service/productServiceList",
  "/service/productApply",
  "/service/productInfo",
  "/service/notice",
  "/service/network",
  "/service/workOrder",
  "/service/feedback",
];
/** Channels that readers follow; the others are pages that stay. */
const fedChannels: readonly string[] = ["information", "news", "notice"];
/** What is read again and again by robots is made anew this often at most; a change makes it anew at once. */
const freshForMs = 60_000;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const inEnglish = (path: string): string => `${path}${path.includes("?") ? "&" : "?"}lang=en`;

export interface SiteFilesDependencies {
  all: (limit: number) => Promise<ReadableRow[]>;
  documents: (limit: number) => Promise<{ id: string; titleEn: string; publishedAt: Date }[]>;
  /** Of customers, as far as the site shows them. */
  suggestions: (limit: number) => Promise<{ id: string; answerTime: Date | null }[]>;
  publicUrl: string;
  now: () => number;
}

/** robots.txt, sitemap.xml and the feeds. */
export function createSiteFiles({ all, documents, suggestions, publicUrl, now }: SiteFilesDependencies) {
  const read = async () => {
    const [articles, papers, adopted] = await Promise.all([
      all(mostMapped),
      documents(mostMapped),
      suggestions(mostMapped),
    ]);
    return { articles, papers, adopted };
  };
  let held: { listed: ReturnType<typeof read>; at: number } | undefined;
  const listed = (): ReturnType<typeof read> => {
    if (held === undefined || now() - held.at > freshForMs) {
      const fresh = { listed: read(), at: now() };
      held = fresh;
      fresh.listed.catch(() => {
        if (held === fresh) held = undefined;
      });
    }
    return held.listed;
  };
  /** Both languages of an address, each naming the other; English alone where it was written. */
  const addresses = (path: string, english: boolean, at?: Date): string[] => {
    const zh = escaped(`${publicUrl}${path}`);
    const en = escaped(`${publicUrl}${inEnglish(path)}`);
    const links = english
      ? `<xhtml:link rel="alternate" hreflang="zh-CN" href="${zh}"/><xhtml:link rel="alternate" hreflang="en" href="${en}"/>`
      : "";
    const changed = at ? `<lastmod>${at.toISOString()}</lastmod>` : "";
    return [zh, ...(english ? [en] : [])].map((address) => `<url><loc>${address}</loc>${changed}${links}</url>`);
  };
  return {
    /** Forgets what was read. */
    forget(): void {
      held = undefined;
    },
    robots: (): string =>
      [
        "User-agent: *",
        "Disallow: /api/",
        "Disallow: /selfCenter/",
        "Disallow: /preview",
        "Disallow: /search",
        "Allow: /",
        `Sitemap: ${publicUrl}/sitemap.xml`,
        "",
      ].join("\n"),
    async siteMap(): Promise<string> {
      const { articles, papers, adopted } = await listed();
      const urls = [
        ...fixedPages.flatMap((path) => addresses(path, true)),
        ...papers.flatMap(({ id, publishedAt }) => addresses(`/service/fileShow?id=${id}`, true, publishedAt)),
        ...adopted.flatMap(({ id, answerTime }) =>
          addresses(`/service/feedbackDetails?id=${id}`, true, answerTime ?? undefined),
        ),
        ...articles.flatMap((row) => {
          const path = pathOf(row);
          return path === "" ? [] : addresses(path, row.titleEn !== "", row.savedAt);
        }),
      ];
      return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${urls.join("\n")}\n</urlset>\n`;
    },
    async feed(language: "zh" | "en"): Promise<string> {
      const told = (await listed()).articles
        .filter(({ channel, titleEn }) => fedChannels.includes(channel) && (language === "zh" || titleEn !== ""))
        .slice(0, mostFed);
      const items = told.map((row) => {
        const address = escaped(`${publicUrl}${language === "en" ? inEnglish(pathOf(row)) : pathOf(row)}`);
        return (
          `<item><title>${escaped(language === "en" ? row.titleEn : row.title)}</title><link>${address}</link>` +
          `<guid isPermaLink="false">article-${row.id}-${language}</guid>` +
          `<description>${escaped(language === "en" ? row.summaryEn : row.summary)}</description>` +
          `<pubDate>${(row.publishedAt ?? row.savedAt).toUTCString()}</pubDate></item>`
        );
      });
      const [title, description] =
        language === "en"
          ? ["Herdwise: knowledge and news", "Pig-house climate, biosafety and herd health"]
          : ["慧牧资讯与动态", "猪舍气候、生物安全与猪群健康"];
      return (
        `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>` +
        `<title>${title}</title><link>${escaped(publicUrl)}/information</link><description>${description}</description>` +
        `<language>${language === "en" ? "en" : "zh-CN"}</language>` +
        `<atom:link rel="self" type="application/rss+xml" href="${escaped(publicUrl)}/${language === "en" ? "rss-en.xml" : "rss.xml"}"/>` +
        `${items.join("\n")}</channel></rss>\n`
      );
    },
  };
}
export type SiteFiles = ReturnType<typeof createSiteFiles>;
