import { articlePath } from "@herdwise/contract/article-path";
import { htmlOfText } from "@herdwise/contract/html-text";
import type { ReadableRow } from "./article.repository.ts";
import { languagesOf } from "./article.service.ts";

/** Articles, documents, videos and suggestions that one site map names, each in two languages; a file may name 50,000 addresses. */
const mostMapped = 10_000;
const mostFed = 30;
/** Articles among which a feed looks for the newest of its language and channels. */
const mostRead = 300;
const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';
/** Pages that are there whatever editors publish. */
const fixedPages = [
  "/market",
  "/information",
  "/news",
  "/partner",
  "/service/productService",
  "/service/productServiceList",
  "/service/productApply",
  "/service/productInfo",
  "/service/videos",
  "/service/notice",
  "/service/network",
  "/service/workOrder",
  "/service/feedback",
];
/** Channels that readers follow; the others are pages that stay. */
const fedChannels: readonly string[] = ["information", "news", "notice"];
/** What is read again and again by robots is made anew this often at most; a change makes it anew at once. */
const freshForMs = 60_000;

const inEnglish = (path: string): string => `${path}${path.includes("?") ? "&" : "?"}lang=en`;

export interface SiteFilesDependencies {
  /** The newest articles that visitors read. */
  newest: (limit: number) => Promise<ReadableRow[]>;
  /** Articles that visitors read in an order that stays, and how many there are in all. */
  mapped: (offset: number, limit: number) => Promise<{ rows: ReadableRow[]; total: number }>;
  documents: (limit: number) => Promise<{ id: string; titleEn: string; publishedAt: Date }[]>;
  videos: (limit: number) => Promise<{ id: string; publishedAt: Date }[]>;
  /** Of customers, as far as the site shows them. */
  suggestions: (limit: number) => Promise<{ id: string; answerTime: Date | null }[]>;
  /** Whether visitors find service outlets. */
  hasOutlets: () => Promise<boolean>;
  /** Languages that people wrote or read the home page in. */
  homeLanguages: () => Promise<("zh" | "en")[]>;
  publicUrl: string;
  /** Name of the brand in a language. */
  brand: (language: "zh" | "en") => string;
  now: () => number;
}

/** What a phone is told of the portal as an app on its home screen; the colours are those of the mark and of the page. */
const appColours = { theme_color: "#0F3D2E", background_color: "#f5f3ee" };

/** robots.txt, sitemap.xml, the feeds and the manifest of the app. */
export function createSiteFiles({
  newest,
  mapped,
  documents,
  videos,
  suggestions,
  hasOutlets,
  homeLanguages,
  publicUrl,
  brand,
  now,
}: SiteFilesDependencies) {
  const held = new Map<string, { text: Promise<string>; at: number }>();
  /** What was made a moment ago, or what is made now. */
  const kept = (name: string, make: () => Promise<string>): Promise<string> => {
    const former = held.get(name);
    if (former !== undefined && now() - former.at <= freshForMs) return former.text;
    const fresh = { text: make(), at: now() };
    held.set(name, fresh);
    fresh.text.catch(() => {
      if (held.get(name) === fresh) held.delete(name);
    });
    return fresh.text;
  };
  /** Both languages of an address, each naming the other; English alone where it was written. */
  const addresses = (path: string, english: boolean, at?: Date): string[] => {
    const zh = htmlOfText(`${publicUrl}${path}`);
    const en = htmlOfText(`${publicUrl}${inEnglish(path)}`);
    const links = english
      ? `<xhtml:link rel="alternate" hreflang="zh-CN" href="${zh}"/><xhtml:link rel="alternate" hreflang="en" href="${en}"/>`
      : "";
    const changed = at ? `<lastmod>${at.toISOString()}</lastmod>` : "";
    return [zh, ...(english ? [en] : [])].map((address) => `<url><loc>${address}</loc>${changed}${links}</url>`);
  };
  const mapOf = (urls: readonly string[]): string =>
    `${xmlHead}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${urls.join("\n")}\n</urlset>\n`;
  const addressesOf = (rows: readonly ReadableRow[]): string[] =>
    rows.flatMap((row) => {
      const path = articlePath(row);
      const languages = languagesOf(row, row.titleEn !== "");
      return path === "" || !languages.includes("zh") ? [] : addresses(path, languages.includes("en"), row.savedAt);
    });
  const pagesBesideArticles = async (): Promise<string[]> => {
    const [home, papers, films, adopted, outlets, articles] = await Promise.all([
      homeLanguages(),
      documents(mostMapped),
      videos(mostMapped),
      suggestions(mostMapped),
      hasOutlets(),
      newest(mostRead),
    ]);
    /** Lists that have nothing yet are no pages to a search engine. */
    const empty = new Set([
      ...fedChannels
        .filter((name) => !articles.some(({ channel }) => channel === name))
        .map((name) => (name === "notice" ? "/service/notice" : `/${name}`)),
      ...(papers.length === 0 ? ["/service/productInfo"] : []),
      ...(films.length === 0 ? ["/service/videos"] : []),
      ...(outlets ? [] : ["/service/network"]),
    ]);
    return [
      ...(home.includes("zh") ? addresses("/index", home.includes("en")) : []),
      ...fixedPages.filter((path) => !empty.has(path)).flatMap((path) => addresses(path, true)),
      ...papers.flatMap(({ id, publishedAt }) => addresses(`/service/fileShow?id=${id}`, true, publishedAt)),
      ...films.flatMap(({ id, publishedAt }) => addresses(`/service/videoShow?id=${id}`, true, publishedAt)),
      ...adopted.flatMap(({ id, answerTime }) =>
        addresses(`/service/feedbackDetails?id=${id}`, true, answerTime ?? undefined),
      ),
    ];
  };

  return {
    /** Forgets what was read. */
    forget(): void {
      held.clear();
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
    /** All addresses; of a site with more articles than one file may name, the files that do. */
    siteMap: (): Promise<string> =>
      kept("map", async () => {
        const { total } = await mapped(0, 0);
        if (total <= mostMapped) {
          const { rows } = await mapped(0, mostMapped);
          return mapOf([...(await pagesBesideArticles()), ...addressesOf(rows)]);
        }
        const parts = Array.from({ length: Math.ceil(total / mostMapped) + 1 }, (_, part) =>
          htmlOfText(`${publicUrl}/sitemap-${part}.xml`),
        );
        return `${xmlHead}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${parts
          .map((part) => `<sitemap><loc>${part}</loc></sitemap>`)
          .join("\n")}\n</sitemapindex>\n`;
      }),
    /** A file that the site map names: 0 all that are no articles, each other one some of the articles. @returns undefined where there is none */
    async siteMapPart(part: number): Promise<string | undefined> {
      const text = await kept(`map ${part}`, async () => {
        if (part === 0) return mapOf(await pagesBesideArticles());
        const { rows } = await mapped((part - 1) * mostMapped, mostMapped);
        return rows.length === 0 ? "" : mapOf(addressesOf(rows));
      });
      return text === "" ? undefined : text;
    },
    feed: (language: "zh" | "en"): Promise<string> => kept(`feed ${language}`, () => rssOf(language)),
    atom: (language: "zh" | "en"): Promise<string> => kept(`atom ${language}`, () => atomOf(language)),
    /** What a phone needs to keep the portal as an app (https://www.w3.org/TR/appmanifest/). */
    manifest: (language: "zh" | "en") => ({
      id: "/",
      name: brand(language),
      short_name: brand(language),
      lang: language === "en" ? "en" : "zh-CN",
      start_url: "/selfCenter/home",
      scope: "/",
      display: "standalone",
      ...appColours,
      icons: [192, 512].map((size) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: "image/png" })),
    }),
  };

  /** What a feed holds, newest first, and what it is called. Texts and addresses are escaped. */
  async function fed(language: "zh" | "en") {
    const rows = (await newest(mostRead))
      .filter(
        ({ channel, titleEn, unreviewed }) =>
          fedChannels.includes(channel) && languagesOf({ unreviewed }, titleEn !== "").includes(language),
      )
      .slice(0, mostFed);
    const entries = rows.map((row) => ({
      id: `article-${row.id}-${language}`,
      title: htmlOfText(language === "en" ? row.titleEn : row.title),
      summary: htmlOfText(language === "en" ? row.summaryEn : row.summary),
      address: htmlOfText(`${publicUrl}${language === "en" ? inEnglish(articlePath(row)) : articlePath(row)}`),
      publishedAt: row.publishedAt ?? row.savedAt,
      savedAt: row.savedAt,
    }));
    const [title, description] =
      language === "en"
        ? [`${htmlOfText(brand("en"))}: knowledge and news`, "Pig-house climate, biosafety and herd health"]
        : [`${htmlOfText(brand("zh"))}资讯与动态`, "猪舍气候、生物安全与猪群健康"];
    return { title, description, entries, tongue: language === "en" ? "en" : "zh-CN" };
  }
  function selfOf(kind: string, language: "zh" | "en"): string {
    return `${htmlOfText(publicUrl)}/${kind}${language === "en" ? "-en" : ""}.xml`;
  }

  async function rssOf(language: "zh" | "en"): Promise<string> {
    const { title, description, entries, tongue } = await fed(language);
    const items = entries.map(
      ({ id, title: name, summary, address, publishedAt }) =>
        `<item><title>${name}</title><link>${address}</link><guid isPermaLink="false">${id}</guid>` +
        `<description>${summary}</description><pubDate>${publishedAt.toUTCString()}</pubDate></item>`,
    );
    return (
      `${xmlHead}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>` +
      `<title>${title}</title><link>${htmlOfText(publicUrl)}/information</link><description>${description}</description>` +
      `<language>${tongue}</language><atom:link rel="self" type="application/rss+xml" href="${selfOf("rss", language)}"/>` +
      `${items.join("\n")}</channel></rss>\n`
    );
  }

  /** RFC 4287. */
  async function atomOf(language: "zh" | "en"): Promise<string> {
    const { title, description, entries, tongue } = await fed(language);
    const newestChange = Math.max(0, ...entries.map(({ savedAt }) => savedAt.getTime()));
    const told = entries.map(
      ({ id, title: name, summary, address, publishedAt, savedAt }) =>
        `<entry><id>${htmlOfText(publicUrl)}/#${id}</id><title>${name}</title><link href="${address}"/>` +
        `<published>${publishedAt.toISOString()}</published><updated>${savedAt.toISOString()}</updated>` +
        `<summary>${summary}</summary></entry>`,
    );
    return (
      `${xmlHead}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${tongue}"><id>${selfOf("atom", language)}</id>` +
      `<title>${title}</title><subtitle>${description}</subtitle><author><name>${htmlOfText(brand(language))}</name></author>` +
      `<updated>${new Date(newestChange).toISOString()}</updated>` +
      `<link rel="self" href="${selfOf("atom", language)}"/><link href="${htmlOfText(publicUrl)}/information"/>` +
      `${told.join("\n")}</feed>\n`
    );
  }
}
export type SiteFiles = ReturnType<typeof createSiteFiles>;
