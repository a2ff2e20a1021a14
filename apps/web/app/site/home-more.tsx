import type { ArticleEntry, PublicPartner, PublicVideo } from "@herdwise/contract";
import { articlePath } from "@herdwise/contract/article-path";
import { useTranslate } from "../shared/language/use-language.ts";
import { Cover, Day, ExampleMark, Title, topicNames, useForeign } from "./article-parts.tsx";
import type { HomeText } from "./home-text.ts";
import { tied } from "./tied.ts";
import { VideoCards } from "./video-cards.tsx";

/** The newest of what is worth reading, and news as a list below. */
export function HomeNews({
  information,
  news,
  text,
}: {
  information: readonly ArticleEntry[];
  news: readonly ArticleEntry[];
  text: HomeText;
}) {
  const t = useTranslate();
  const foreign = useForeign();
  if (information.length + news.length === 0) return null;
  return (
    <section className="site-section home-news" aria-labelledby="home-news-title">
      <div className="wrap">
        <div className="hdr">
          <h2 id="home-news-title">{text("title")}</h2>
          <a className="link" href="/information">
            {t("全部资讯")}
          </a>
        </div>
        <ul className="home-articles">
          {information.map((article) => (
            <li key={article.id}>
              <a href={articlePath(article)}>
                <Cover name={article.cover} />
                <p className="home-meta">
                  <Day at={article.publishedAt} short />
                  <span>{t(topicNames[article.topic] ?? "养殖资讯")}</span>
                  {article.example && <ExampleMark />}
                </p>
                <h3 {...foreign(article.language)}>
                  <Title text={article.title} />
                </h3>
                <p {...foreign(article.language)}>{tied(article.summary)}</p>
              </a>
            </li>
          ))}
        </ul>
        {news.length > 0 && (
          <ul className="home-list">
            {news.map((article) => (
              <li key={article.id}>
                <a href={articlePath(article)}>
                  <Day at={article.publishedAt} short />
                  <span className="mut">{t(topicNames[article.topic] ?? "集团动态")}</span>
                  <b {...foreign(article.language)}>{tied(article.title)}</b>
                  {article.example && <ExampleMark />}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

/** Films to look at before anybody comes to the farm. */
export function HomeVideos({ videos, text }: { videos: readonly PublicVideo[]; text: HomeText }) {
  const t = useTranslate();
  if (videos.length === 0) return null;
  return (
    <section className="site-section home-videos" aria-labelledby="home-videos-title">
      <div className="wrap">
        <div className="hdr">
          <h2 id="home-videos-title">{text("title")}</h2>
          <a className="link" href="/service/videos">
            {t("全部视频")}
          </a>
        </div>
        <VideoCards videos={videos} />
      </div>
    </section>
  );
}

/** The partners' names in a row. */
export function HomePartners({ partners, text }: { partners: readonly PublicPartner[]; text: HomeText }) {
  const t = useTranslate();
  if (partners.length === 0) return null;
  return (
    <section className="home-partners" aria-labelledby="home-partners-title">
      <div className="wrap">
        <div className="hdr">
          <h2 id="home-partners-title">
            {text("title")}
            {partners.some(({ example }) => example) && <ExampleMark />}
          </h2>
          <a className="link" href="/partner">
            {t("全部伙伴")}
          </a>
        </div>
        <ul>
          {partners.slice(0, 8).map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      </div>
    </section>
  );
}
