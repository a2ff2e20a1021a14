import {
  type ArticleEntry,
  articleSearchCounted,
  type Page,
  type PublicDocument,
  type PublicOutlet,
  type PublicService,
  type PublicVideo,
} from "@herdwise/contract";
import type { ReactNode } from "react";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { ArticleItem, Marked } from "./article-parts.tsx";
import { Cells } from "./cells.tsx";
import { DocumentRows } from "./document-pages.tsx";
import { SiteHead } from "./site-head.tsx";
import { type Solution, solutionPath, solutions } from "./solutions.ts";
import { VideoCards } from "./video-cards.tsx";

/** Kinds of what is found, in the order of the page. */
export const foundKinds = [
  ["solutions", "解决方案"],
  ["articles", "文章"],
  ["documents", "产品资料"],
  ["videos", "视频"],
  ["services", "服务项目"],
  ["outlets", "服务网点"],
] as const;
export type FoundKind = (typeof foundKinds)[number][0];

/** Outlets that the page shows; the rest stands on their own page. */
const mostOutlets = 6;

/** What the public site holds for a word. */
export interface Found {
  articles: Page<ArticleEntry>;
  documents: Page<PublicDocument>;
  videos: readonly PublicVideo[];
  services: readonly PublicService[];
  outlets: readonly PublicOutlet[];
}

/** Solutions whose name or sentence holds all parts of a word, in the language of the page. */
export function solutionsWith(word: string, t: (text: string) => string): Solution[] {
  const parts = word.toLowerCase().split(/\s+/).filter(Boolean);
  return solutions.filter(({ title, text }) => {
    const said = `${t(title)} ${t(text)}`.toLowerCase();
    return parts.length > 0 && parts.every((part) => said.includes(part));
  });
}

/** A search in all that is published: a form that works without scripts. */
export function SearchPage({
  origin,
  path,
  typed,
  word,
  of,
  found,
}: {
  origin: string;
  path: string;
  /** What was typed. */
  typed: string;
  /** What was looked for: what was typed, or what may have been meant by it. */
  word: string;
  /** The one kind that is shown; undefined for all. */
  of: FoundKind | undefined;
  found: Found | undefined;
}) {
  const t = useTranslate();
  const language = useLanguage();
  const ways = found && word !== "" ? solutionsWith(word, t) : [];
  const more = (found?.articles.total ?? 0) > articleSearchCounted;
  const counts: Readonly<Record<FoundKind, number>> = {
    solutions: ways.length,
    articles: Math.min(found?.articles.total ?? 0, articleSearchCounted),
    documents: found?.documents.total ?? 0,
    videos: found?.videos.length ?? 0,
    services: found?.services.length ?? 0,
    outlets: found?.outlets.length ?? 0,
  };
  const held = foundKinds.filter(([kind]) => counts[kind] > 0);
  const count = held.reduce((sum, [kind]) => sum + counts[kind], 0);
  const addressOf = (kind: FoundKind | ""): string =>
    `/search?${new URLSearchParams({ q: typed, ...(kind !== "" && { kind }), ...(language === "en" && { lang: "en" }) })}`;
  const section = (kind: FoundKind, shown: ReactNode) =>
    counts[kind] > 0 &&
    (of === undefined || of === kind) && (
      <section className="block" aria-labelledby={`found-${kind}`}>
        <h2 id={`found-${kind}`}>{t(foundKinds.find(([one]) => one === kind)?.[1] ?? "")}</h2>
        {shown}
      </section>
    );
  return (
    <main id="main" className="content-page" data-page="search">
      <SiteHead title={t("站内搜索")} description="" origin={origin} path={path} hidden />
      <div className="wrap">
        <header className="list-head">
          <h1>{t("站内搜索")}</h1>
        </header>
        <search>
          <form className="site-search" action="/search" method="get">
            {language === "en" && <input type="hidden" name="lang" value="en" />}
            <label className="visually-hidden" htmlFor="site-search-word">
              {t("要找的词")}
            </label>
            <input
              className="input"
              id="site-search-word"
              type="search"
              name="q"
              list="site-search-offered"
              autoComplete="off"
              defaultValue={typed}
              maxLength={64}
              placeholder={t("词、拼音或型号")}
              data-offers=""
            />
            <datalist id="site-search-offered" />
            <button type="submit" className="btn primary">
              {t("搜索")}
            </button>
          </form>
        </search>
        {found && (
          <p className="found" role="status">
            {count === 0
              ? t("没有找到“{word}”。换个更短的词试试，例如“通风”“氨气”。", { word: typed })
              : word === typed
                ? t(more ? "找到 {count} 项以上，先列最新的" : "找到 {count} 项", { count })
                : t("没有找到“{typed}”，下面是“{word}”的 {count} 项。", { typed, word, count })}
          </p>
        )}
        {held.length > 1 && (
          <nav className="topics" aria-label={t("种类")}>
            <a href={addressOf("")} aria-current={of === undefined ? "page" : undefined}>
              {t("全部")} <span className="num">{count}</span>
            </a>
            {held.map(([kind, name]) => (
              <a key={kind} href={addressOf(kind)} aria-current={of === kind ? "page" : undefined}>
                {t(name)} <span className="num">{counts[kind]}</span>
              </a>
            ))}
          </nav>
        )}
        {found && (
          <>
            {section(
              "solutions",
              <Cells
                of={ways.map((solution) => ({
                  key: solution.name,
                  href: solutionPath(solution),
                  title: <Marked text={t(solution.title)} word={word} />,
                  text: <Marked text={t(solution.text)} word={word} />,
                }))}
              />,
            )}
            {section(
              "articles",
              <ul className="article-items">
                {found.articles.records.map((article) => (
                  <ArticleItem key={article.id} article={article} word={word} />
                ))}
              </ul>,
            )}
            {section("documents", <DocumentRows documents={found.documents.records} heading="h3" word={word} />)}
            {section("videos", <VideoCards videos={found.videos} word={word} />)}
            {section(
              "services",
              <Cells
                of={found.services.map(({ id, name, serviceScope }) => ({
                  key: id,
                  href: `/service/productServiceList#service-${id}`,
                  title: <Marked text={name} word={word} />,
                  text: <Marked text={serviceScope} word={word} />,
                }))}
              />,
            )}
            {section(
              "outlets",
              <>
                <Cells
                  of={found.outlets.slice(0, mostOutlets).map((outlet) => ({
                    key: outlet.id,
                    href: `/service/network?${new URLSearchParams({ q: word })}#o-${outlet.id}`,
                    title: <Marked text={(language === "en" && outlet.nameEn) || outlet.name} word={word} />,
                    text: `${outlet.places.join(" ")} · ${outlet.line}`,
                  }))}
                />
                {found.outlets.length > mostOutlets && (
                  <p>
                    <a className="link" href={`/service/network?${new URLSearchParams({ q: word })}`}>
                      {t("看全部 {count} 个网点", { count: found.outlets.length })}
                    </a>
                  </p>
                )}
              </>,
            )}
          </>
        )}
      </div>
    </main>
  );
}
