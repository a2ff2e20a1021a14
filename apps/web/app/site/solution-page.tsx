import type { ArticleEntry, PublicArticle } from "@herdwise/contract";
import { Mark } from "../shared/icons/mark.tsx";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { ArticleItem, articlePath, Cover, Title, useForeign } from "./article-parts.tsx";
import { addressIn, breadcrumbs, SiteHead } from "./site-head.tsx";
import { solutions } from "./solutions.ts";

interface SolutionPageProps {
  origin: string;
  article: PublicArticle;
  /** Articles about the same thing. */
  articles: readonly ArticleEntry[];
}

/** One solution: what it is for, how it works, its figures, and where to go on. */
export function SolutionPage({ origin, article, articles }: SolutionPageProps) {
  const t = useTranslate();
  const language = useLanguage();
  const foreign = useForeign();
  const path = articlePath(article);
  return (
    <main id="main" className="content-page" data-page="solution">
      <SiteHead
        title={article.title}
        description={article.summary}
        origin={origin}
        path={path}
        languages={article.languages}
        structured={[
          {
            "@type": "Service",
            name: article.title,
            description: article.summary,
            url: addressIn(article.language, origin, path),
          },
          breadcrumbs([
            [t("首页"), addressIn(language, origin, "/index")],
            [t("解决方案"), addressIn(language, origin, "/index#solutions")],
            [article.title, addressIn(article.language, origin, path)],
          ]),
        ]}
      />
      <nav className="solution-nav" aria-label={t("各套方案")}>
        <div className="wrap">
          {solutions.map(
            ({ name, title, page }) =>
              page && (
                <a key={name} href={`/solution/${page}`} aria-current={page === article.page ? "page" : undefined}>
                  {t(title)}
                </a>
              ),
          )}
        </div>
      </nav>
      <div className="wrap">
        {article.language !== language && (
          <p className="told">
            <Mark name="notice" />
            <span>{t("这篇还没有英文，下面是中文原文。")}</span>
          </p>
        )}
        <header className="solution-head" {...foreign(article.language)}>
          <div>
            <h1>
              <Title text={article.title} />
            </h1>
            <p>{article.summary}</p>
            <p className="cta" lang={language === "zh" ? "zh-CN" : "en"}>
              <a className="btn primary large" href="/selfCenter/home">
                {t("进入自助中心")}
              </a>
              <a className="btn large" href="#s1">
                {t("看它怎么工作")}
              </a>
            </p>
          </div>
          <Cover name={article.cover} />
        </header>
        <div
          className="prose solution-prose"
          {...foreign(article.language)}
          dangerouslySetInnerHTML={{ __html: article.body }}
        />
        {articles.length > 0 && (
          <section className="related" aria-labelledby="related-title">
            <h2 id="related-title">{t("相关资讯")}</h2>
            <ul>
              {articles.map((one) => (
                <ArticleItem key={one.id} article={one} heading="h3" />
              ))}
            </ul>
          </section>
        )}
      </div>
    </main>
  );
}
