import {
  type ArticleEntry,
  articleSearchCounted,
  type Page,
  type PublicDocument,
  type PublicService,
  type PublicVideo,
} from "@herdwise/contract";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { ArticleItem, Marked } from "./article-parts.tsx";
import { Cells } from "./cells.tsx";
import { DocumentRows } from "./document-pages.tsx";
import { SiteHead } from "./site-head.tsx";
import { VideoCards } from "./video-cards.tsx";

/** A search in all that is published: a form that works without scripts. */
export function SearchPage({
  origin,
  path,
  typed,
  word,
  articles,
  documents,
  videos,
  services,
}: {
  origin: string;
  path: string;
  /** What was typed. */
  typed: string;
  /** What was looked for: what was typed, or what may have been meant by it. */
  word: string;
  articles: Page<ArticleEntry> | undefined;
  documents: Page<PublicDocument> | undefined;
  videos: readonly PublicVideo[];
  services: readonly PublicService[];
}) {
  const t = useTranslate();
  const language = useLanguage();
  const more = (articles?.total ?? 0) > articleSearchCounted;
  const count =
    Math.min(articles?.total ?? 0, articleSearchCounted) + (documents?.total ?? 0) + videos.length + services.length;
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
            <input className="input" id="site-search-word" type="search" name="q" defaultValue={typed} maxLength={64} />
            <button type="submit" className="btn primary">
              {t("搜索")}
            </button>
          </form>
        </search>
        {articles && (
          <p className="found" role="status">
            {count === 0
              ? t("没有找到“{word}”。换个更短的词试试，例如“通风”“氨气”。", { word: typed })
              : word === typed
                ? t(more ? "找到 {count} 项以上，先列最新的" : "找到 {count} 项", { count })
                : t("没有找到“{typed}”，下面是“{word}”的 {count} 项。", { typed, word, count })}
          </p>
        )}
        {articles && articles.records.length > 0 && (
          <ul className="article-items">
            {articles.records.map((article) => (
              <ArticleItem key={article.id} article={article} word={word} />
            ))}
          </ul>
        )}
        {documents && documents.records.length > 0 && (
          <section className="block" aria-labelledby="found-documents">
            <h2 id="found-documents">{t("产品资料")}</h2>
            <DocumentRows documents={documents.records} heading="h3" word={word} />
          </section>
        )}
        {videos.length > 0 && (
          <section className="block" aria-labelledby="found-videos">
            <h2 id="found-videos">{t("视频")}</h2>
            <VideoCards videos={videos} word={word} />
          </section>
        )}
        {services.length > 0 && (
          <section className="block" aria-labelledby="found-services">
            <h2 id="found-services">{t("服务项目")}</h2>
            <Cells
              of={services.map(({ id, name, serviceScope }) => ({
                key: id,
                href: `/service/productServiceList#service-${id}`,
                title: <Marked text={name} word={word} />,
                text: <Marked text={serviceScope} word={word} />,
              }))}
            />
          </section>
        )}
      </div>
    </main>
  );
}
