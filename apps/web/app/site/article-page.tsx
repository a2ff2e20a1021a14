import type { PublicArticle } from "@herdwise/contract";
import { articlePath } from "@herdwise/contract/article-path";
import { Icon } from "../shared/icons/icon.tsx";
import { Mark } from "../shared/icons/mark.tsx";
import { parseWireDateTime } from "../shared/language/format.ts";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import { type ListedChannel, listWords } from "./article-list.tsx";
import { ArticleItem, Cover, Day, MachineNote, PreviewNote, Title, topicNames, useForeign } from "./article-parts.tsx";
import { drawnBody } from "./body-blocks.ts";
import { ServiceNav } from "./service-nav.tsx";
import { addressIn, breadcrumbs, SiteHead } from "./site-head.tsx";
import { tied, tiedHtml } from "./tied.ts";

/** Where the list that an article belongs to is. */
const listPaths: Readonly<Record<ListedChannel, string>> = {
  information: "/information",
  news: "/news",
  notice: "/service/notice",
};

/** What is said of an example, by where it stands. */
const exampleWords: Readonly<Record<ListedChannel, string>> = {
  information: "示例内容：做法和数字供参考，场名、人名和事件是举例，用药和免疫请听驻场兽医。",
  news: "示例内容：场名、人名、数字和事件是举例。",
  notice: "示例公告：时间、安排和规则是举例。",
};

const privacyPath = "/legal/privacy";

/** Whether the own visits are counted. Without script none is, and so there is nothing to choose. */
function VisitChoice() {
  const t = useTranslate();
  return (
    <section id="choices" className="choice" data-visit-choice="" hidden>
      <h2>{t("隐私选择")}</h2>
      <p>{t("本站只数每个页面被看了几次、看了多久，不记是谁看的，也不交给别人。您可以不让我们数。")}</p>
      <label>
        <input type="checkbox" />
        <span>{t("计入我的访问")}</span>
      </label>
      <p
        role="status"
        data-on={t("已记住：在这个浏览器里计入您的访问。")}
        data-off={t("已记住：在这个浏览器里不再计入您的访问。")}
        data-browser={t("您的浏览器已要求不跟踪，所以您的访问不计入。")}
      />
    </section>
  );
}

interface ArticlePageProps {
  origin: string;
  kind: "article" | "legal" | "preview";
  article: PublicArticle;
}

/** One article: words at reading width, contents beside them, what to read next below. */
export function ArticlePage({ origin, kind, article }: ArticlePageProps) {
  const t = useTranslate();
  const language = useLanguage();
  const { appName, brand } = usePreferences();
  const foreign = useForeign();
  const path = articlePath(article);
  const isNews = article.channel === "news" || article.channel === "notice";
  const listed = article.channel in listPaths ? (article.channel as ListedChannel) : "information";
  const [listPath, listName] = [listPaths[listed], t(listWords[listed].title)];
  const topic = topicNames[article.topic];
  const iso = (wire: string): string | undefined => {
    const instant = parseWireDateTime(wire);
    return instant === undefined ? undefined : new Date(instant).toISOString();
  };
  const attributes = foreign(article.language);
  const [, source] = /<img src="([^"]+)"/.exec(article.body) ?? [];
  const picture = source && `${origin}${source}`;
  return (
    <main id="main" className="content-page" data-page={kind === "preview" ? "preview" : `${article.channel}-detail`}>
      <SiteHead
        title={article.title}
        description={article.summary}
        origin={origin}
        path={path}
        languages={article.languages}
        kind="article"
        picture={picture}
        subject={article.cover}
        hidden={kind === "preview" || article.unreviewed === true}
        structured={
          kind === "article"
            ? [
                {
                  "@type": isNews ? "NewsArticle" : "Article",
                  headline: article.title,
                  description: article.summary,
                  ...(picture && { image: picture }),
                  inLanguage: article.language === "zh" ? "zh-CN" : "en",
                  datePublished: iso(article.publishedAt),
                  dateModified: iso(article.changedAt),
                  author: { "@type": "Organization", name: article.author || appName },
                  publisher: {
                    "@type": "Organization",
                    name: appName,
                    logo: `${origin}${brand.logos.light || "/favicon.svg"}`,
                  },
                  mainEntityOfPage: addressIn(article.language, origin, path),
                },
                breadcrumbs([
                  [t("首页"), addressIn(language, origin, "/index")],
                  [listName, addressIn(language, origin, listPath)],
                  [article.title, addressIn(article.language, origin, path)],
                ]),
              ]
            : []
        }
      />
      {article.channel === "notice" && <ServiceNav path="/service/notice" />}
      <div className="wrap">
        {kind === "article" && (
          <nav className="site-crumb" aria-label={t("位置")}>
            <a href={listPath}>{listName}</a>
            {topic && article.channel !== "notice" && (
              <>
                <i aria-hidden="true">/</i>
                <a href={`${listPath}?topic=${article.topic}`}>{t(topic)}</a>
              </>
            )}
          </nav>
        )}
        {kind === "preview" && <PreviewNote />}
        {article.language !== language && (
          <p className="told">
            <Mark name="notice" />
            <span>{t("这篇还没有英文，下面是中文原文。")}</span>
          </p>
        )}
        <MachineNote of={article} />
        {article.example && (
          <p className="told">
            <Mark name="notice" />
            <span>{t(exampleWords[listed])}</span>
          </p>
        )}
        <div className="art" data-plain={article.contents.length < 2 || undefined}>
          <article {...attributes}>
            <header>
              <h1>
                <Title text={article.title} />
              </h1>
              <p className="dek">{tied(article.summary)}</p>
              <p className="by" lang={language === "zh" ? "zh-CN" : "en"}>
                {article.author && (
                  <span lang={/\p{Script=Han}/u.test(article.author) ? "zh-CN" : undefined}>{article.author}</span>
                )}
                <Day at={article.publishedAt || article.changedAt} />
                {kind !== "legal" && <span>{t("读完约 {count} 分钟", { count: article.minutes })}</span>}
              </p>
            </header>
            {kind !== "legal" && article.cover !== "" && (
              <figure className="lead" aria-hidden="true">
                <Cover name={article.cover} />
              </figure>
            )}
            {/* The server cleaned it by its allow-list, when it was saved and when it was read. */}
            <div className="prose" dangerouslySetInnerHTML={{ __html: tiedHtml(drawnBody(article.body, t)) }} />
            {path === privacyPath && <VisitChoice />}
            {(article.earlier || article.later) && (
              <nav className="beside" aria-label={t("上一篇下一篇")} lang={language === "zh" ? "zh-CN" : "en"}>
                {article.earlier && (
                  <a href={articlePath(article.earlier)}>
                    <small>{t("上一篇")}</small>
                    <span {...foreign(article.earlier.language)}>
                      <Title text={article.earlier.title} />
                    </span>
                  </a>
                )}
                {article.later && (
                  <a href={articlePath(article.later)}>
                    <small>{t("下一篇")}</small>
                    <span {...foreign(article.later.language)}>
                      <Title text={article.later.title} />
                    </span>
                  </a>
                )}
              </nav>
            )}
          </article>
          <aside className="rail" aria-label={t("本文")}>
            <div className="stick">
              {article.contents.length > 1 && (
                <nav aria-label={t("目录")}>
                  <h2>{t("目录")}</h2>
                  <ol {...attributes}>
                    {article.contents.map(({ id, text }) => (
                      <li key={id}>
                        <a href={`#${id}`}>{tied(text)}</a>
                      </li>
                    ))}
                  </ol>
                </nav>
              )}
              <div className="do">
                <button type="button" className="btn" data-print="" hidden>
                  <Icon name="receipt" small />
                  {t("打印")}
                </button>
                <button type="button" className="btn" data-copy-link="" data-done={t("已复制")} hidden>
                  <Icon name="copy" small />
                  <span>{t("复制链接")}</span>
                </button>
              </div>
            </div>
          </aside>
        </div>
        {article.related.length > 0 && (
          <section className="related" aria-labelledby="related-title">
            <h2 id="related-title">{t("接着读")}</h2>
            <ul>
              {article.related.map((one) => (
                <ArticleItem key={one.id} article={one} heading="h3" />
              ))}
            </ul>
          </section>
        )}
      </div>
    </main>
  );
}
