import type { ArticleEntry, Page } from "@herdwise/contract";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { ArticleItem } from "./article-parts.tsx";
import { SiteHead } from "./site-head.tsx";

/** A search in all that is published: a form that works without scripts. */
export function SearchPage({
  origin,
  path,
  word,
  articles,
}: {
  origin: string;
  path: string;
  word: string;
  articles: Page<ArticleEntry> | undefined;
}) {
  const t = useTranslate();
  const language = useLanguage();
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
            <label className="sr" htmlFor="site-search-word">
              {t("要找的词")}
            </label>
            <input className="input" id="site-search-word" type="search" name="q" defaultValue={word} maxLength={64} />
            <button type="submit" className="btn primary">
              {t("搜索")}
            </button>
          </form>
        </search>
        {articles && (
          <p className="found" role="status">
            {articles.total === 0
              ? t("没有找到“{word}”。换个更短的词试试，例如“通风”“氨气”。", { word })
              : t("找到 {count} 篇", { count: articles.total })}
          </p>
        )}
        {articles && articles.records.length > 0 && (
          <ul className="article-items">
            {articles.records.map((article) => (
              <ArticleItem key={article.id} article={article} />
            ))}
          </ul>
        )}
      </div>
    </main>
  );
}
