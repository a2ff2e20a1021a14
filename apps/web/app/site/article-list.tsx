import {
  type ArticleEntry,
  type ArticlePeriod,
  type ArticleTopic,
  articlePeriods,
  type Page,
} from "@herdwise/contract";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { ArticleItem, topicNames } from "./article-parts.tsx";
import { listAddress } from "./list-address.ts";
import { ServiceNav } from "./service-nav.tsx";
import { addressIn, breadcrumbs, SiteHead } from "./site-head.tsx";
import { Pager } from "./support-frames.tsx";

/** Channels that have a list of their own. */
export type ListedChannel = "information" | "news" | "notice";

interface ArticleListProps {
  origin: string;
  path: string;
  channel: ListedChannel;
  topic: ArticleTopic | undefined;
  period: ArticlePeriod | undefined;
  articles: Page<ArticleEntry>;
}

/** Topics that each list offers. */
const topicsOf: Readonly<Record<ListedChannel, readonly ArticleTopic[]>> = {
  information: ["climate", "biosafety", "health", "emission", "feed"],
  news: ["company", "product", "service"],
  notice: [],
};

/** What each list is called and says of itself. */
export const listWords: Readonly<Record<ListedChannel, { title: string; description: string; none: string }>> = {
  information: {
    title: "养殖资讯",
    description: "猪舍气候、生物安全、猪群健康、除臭与饮水：做法、数字和为什么。",
    none: "这个主题还没有文章。",
  },
  news: { title: "集团动态", description: "产品、服务和公司的新消息。", none: "这个主题还没有文章。" },
  notice: {
    title: "通知公告",
    description: "停机维护、软件更新、服务时间和规则变动，按日期排列。",
    none: "这段时间没有通知。",
  },
};

/** Pages beside the open one that are offered. */
const around = 2;

/** A list of articles, newest first, by topic and page. */
export function ArticleList({ origin, path, channel, topic, period, articles }: ArticleListProps) {
  const t = useTranslate();
  const language = useLanguage();
  const words = listWords[channel];
  const title = t(words.title);
  const description = t(words.description);
  const address = listAddress(path, { topic, period });
  const { current, pages, total } = articles;
  const numbers = Array.from({ length: pages }, (_, at) => at + 1).filter(
    (page) => page === 1 || page === pages || Math.abs(page - current) <= around,
  );
  const named = topic ? t(topicNames[topic] ?? "") : t(articlePeriods.find(([known]) => known === period)?.[1] ?? "");
  const heading = named ? `${title} · ${named}` : title;
  return (
    <main id="main" className="content-page" data-page={channel}>
      <SiteHead
        title={current > 1 ? t("{title}，第 {page} 页", { title: heading, page: current }) : heading}
        description={description}
        origin={origin}
        path={address(current)}
        feed
        structured={[
          breadcrumbs([
            [t("首页"), addressIn(language, origin, "/index")],
            [title, addressIn(language, origin, path)],
          ]),
        ]}
      />
      {channel === "notice" && <ServiceNav path={path} />}
      <div className="wrap">
        <header className="list-head">
          <h1>{title}</h1>
          <p>{description}</p>
        </header>
        <nav className="topics" aria-label={t(channel === "notice" ? "时间" : "主题")}>
          <a href={path} aria-current={topic === undefined && period === undefined ? "page" : undefined}>
            {t("全部")}
          </a>
          {topicsOf[channel].map((one) => (
            <a key={one} href={address(1, { topic: one })} aria-current={topic === one ? "page" : undefined}>
              {t(topicNames[one] ?? "")}
            </a>
          ))}
          {channel === "notice" &&
            articlePeriods.map(([one, name]) => (
              <a key={one} href={address(1, { period: one })} aria-current={period === one ? "page" : undefined}>
                {t(name)}
              </a>
            ))}
          <a className="feed" href={language === "en" ? "/rss-en.xml" : "/rss.xml"} type="application/rss+xml">
            RSS
          </a>
        </nav>
        {articles.records.length === 0 ? (
          <p className="nothing">{t(words.none)}</p>
        ) : (
          <ul className="article-items">
            {articles.records.map((article) => (
              <ArticleItem key={article.id} article={article} dated={channel === "notice"} />
            ))}
          </ul>
        )}
        {pages > 1 && (
          <Pager current={current} pages={pages} address={address} count={t("共 {count} 篇", { count: total })}>
            {numbers.map((page, at) => (
              <span key={page}>
                {at > 0 && page - (numbers[at - 1] ?? 0) > 1 && <i aria-hidden="true">…</i>}
                <a className="num" href={address(page)} aria-current={page === current ? "page" : undefined}>
                  {page}
                </a>
              </span>
            ))}
          </Pager>
        )}
      </div>
    </main>
  );
}
