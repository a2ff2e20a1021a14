import {
  type ArticleEntry,
  type DocumentProduct,
  documentProducts,
  type KindFigures,
  type PublicArticle,
  type PublicDocument,
  type PublicVideo,
} from "@herdwise/contract";
import { articlePath } from "@herdwise/contract/article-path";
import { Mark } from "../shared/icons/mark.tsx";
import { useFormats, useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { ArticleItem, Cover, MachineNote, Title, useForeign } from "./article-parts.tsx";
import { drawnBody } from "./body-blocks.ts";
import { DayCurve } from "./day-curve.tsx";
import { DocumentRows } from "./document-pages.tsx";
import { flowDrawing, flowViewBox, stationDrawing, stationViewBox } from "./flow-drawing.ts";
import type { FormAnswer } from "./send-form.ts";
import { addressIn, breadcrumbs, SiteHead } from "./site-head.tsx";
import "./service.css";
import { trueMinus } from "../shared/language/true-minus.ts";
import { Cells } from "./cells.tsx";
import { questionsOf } from "./questions.ts";
import { SiteForm } from "./site-form.tsx";
import { type Station, solutionsByPage } from "./solution-parts.ts";
import { solutions } from "./solutions.ts";
import { tied, tiedHtml } from "./tied.ts";
import { VideoCards } from "./video-cards.tsx";

/** What each product does, in a sentence. */
const productWords: Readonly<Record<DocumentProduct, string>> = {
  environment: "温湿度、氨、二氧化碳和静压，十八档通风、湿帘、喷淋与加热联动。",
  cough: "拾音器听一个单元的咳嗽，按小时与基线相比。",
  temperature: "不接触地测群体体温，发热的栏先说。",
  needleless: "不用针头免疫，剂量、压力和耳号逐针记录。",
  bathroom: "人员洗澡进场，每一步的时间和门的状态都记着。",
  disinfect: "饮水消毒，末端余量、pH 和流量一起量。",
  deodorization: "排风过洗涤塔，进出口氨成对记录。",
  "bungalow-deodorization": "平房猪舍檐下喷雾，按风机档位启停。",
  "dosing-station": "水线加药，药量随流量走，每一次配药有记录。",
  weighbridge: "车辆进出过磅，磅单直接进订单，没稳定、过期检定的不作数。",
  platform: "网关、平台和手机上的屏，断网先存，恢复后补传。",
};

interface SolutionPageProps {
  origin: string;
  article: PublicArticle;
  /** Published solutions beside those that ship with the product. */
  others: readonly ArticleEntry[];
  /** Articles about the same thing. */
  articles: readonly ArticleEntry[];
  /** Documents about its products. */
  documents: readonly PublicDocument[];
  /** Films about them. */
  videos: readonly PublicVideo[];
  /** Of a device that visitors may see, as they are now. */
  figures: KindFigures | undefined;
  answer: FormAnswer | undefined;
  sent: string | undefined;
}

/** Figures of one device as they are now; the script of the site renews them. */
function LiveBoard({ kind, figures: { figures, measuredAtMs, day } }: { kind: string; figures: KindFigures }) {
  const t = useTranslate();
  const language = useLanguage();
  const { number, age } = useFormats();
  return (
    <section className="live-board" data-live-kind={kind} aria-labelledby="live-title">
      <h2 id="live-title">
        <span className="live" aria-hidden="true" />
        {t("演示猪场此刻")}
        <time
          className="age"
          dateTime={new Date(measuredAtMs).toISOString()}
          data-age={measuredAtMs}
          data-seconds={t("{count} 秒前")}
          data-minutes={t("{count} 分钟前")}
        >
          {age(Date.now() - measuredAtMs)}
        </time>
      </h2>
      <dl>
        {figures.slice(0, shownFigures).map(({ key, name, unit, decimals, value }) => (
          <div key={key}>
            <dt>{name[language]}</dt>
            <dd>
              <span data-live={key} data-decimals={decimals}>
                {trueMinus(number(value, decimals))}
              </span>
              <small>{unit[language]}</small>
            </dd>
          </div>
        ))}
      </dl>
      {day && <DayCurve day={day} />}
    </section>
  );
}

/** The five stations: one that is picked dims the others, and each tells what happens when something fails. All without script. */
export function HowItWorks({ stations, figures }: { stations: readonly Station[]; figures: KindFigures | undefined }) {
  const t = useTranslate();
  const language = useLanguage();
  const { number } = useFormats();
  return (
    <fieldset className="how">
      <legend className="visually-hidden">{t("看哪一步")}</legend>
      <figure>
        <svg
          viewBox={flowViewBox}
          role="img"
          aria-label={stations.map(({ name }) => t(name)).join(" → ")}
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? flowDrawing(stations) : "" }}
        />
      </figure>
      <p className="how-ways">
        <label>
          <input type="radio" name="station" value="all" defaultChecked />
          {t("五步都看")}
        </label>
        <label>
          <input type="checkbox" name="failing" />
          {t("出故障时")}
        </label>
      </p>
      <ol>
        {stations.map(({ glyph, name, text, fault, live = [], next }, at) => (
          <li key={name}>
            <svg
              viewBox={stationViewBox}
              aria-hidden="true"
              dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? stationDrawing(glyph) : "" }}
            />
            <label>
              <input type="radio" name="station" value={at + 1} />
              <i aria-hidden="true">{at + 1}</i>
              <b>{t(name)}</b>
            </label>
            <p>{tied(t(text))}</p>
            {figures?.figures
              .filter(({ key }) => live.includes(key))
              .map(({ key, name: measured, unit, decimals, value }) => (
                <p key={key} className="how-live">
                  <small>{measured[language]}</small>{" "}
                  <b data-live={key} data-decimals={decimals}>
                    {trueMinus(number(value, decimals))}
                  </b>{" "}
                  <small>{unit[language]}</small>
                </p>
              ))}
            <p className="how-fault">
              <Mark name="critical" />
              <span>{tied(t(fault))}</span>
            </p>
            {next && (
              <p className="how-next">
                <small>{t("留下的记录")}</small> {t(next[1])}
              </p>
            )}
          </li>
        ))}
      </ol>
    </fieldset>
  );
}

/** Figures that stand beside each other. */
const shownFigures = 5;

/** The parts of a body: what stands before its first heading, and each heading with what follows. */
const sectionsOf = (body: string): string[] => body.split(/(?=<h2[ >])/).filter((part) => part.trim() !== "");

/** One solution: what it is for, how it works, its figures, and where to go on. */
export function SolutionPage({
  origin,
  article,
  others,
  articles,
  documents,
  videos,
  figures,
  answer,
  sent,
}: SolutionPageProps) {
  const t = useTranslate();
  const language = useLanguage();
  const foreign = useForeign();
  const path = articlePath(article);
  const parts = solutionsByPage[article.page as keyof typeof solutionsByPage];
  const questions = questionsOf(article.body);
  const products = documentProducts.filter(([product]) => parts?.products.includes(product));
  return (
    <main id="main" className="content-page" data-page="solution">
      <SiteHead
        title={article.title}
        description={article.summary}
        origin={origin}
        path={path}
        languages={article.languages}
        hidden={article.unreviewed === true}
        subject={article.cover}
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
          ...(questions ? [questions] : []),
        ]}
      />
      <nav className="solution-nav" aria-label={t("各套方案")}>
        <div className="wrap">
          {solutions.map(({ name, title, page }) => (
            <a key={name} href={`/solution/${page}`} aria-current={page === article.page ? "page" : undefined}>
              {t(title)}
            </a>
          ))}
          {others.map((other) => (
            <a
              key={other.id}
              href={articlePath(other)}
              aria-current={other.id === article.id ? "page" : undefined}
              {...foreign(other.language)}
            >
              {other.title}
            </a>
          ))}
        </div>
      </nav>
      <div className="wrap">
        <MachineNote of={article} />
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
            <p>{tied(article.summary)}</p>
            <p className="cta" lang={language === "zh" ? "zh-CN" : "en"}>
              <a className="btn primary large" href="#ask">
                {t("请人来看看")}
              </a>
              {parts && (
                <a className="btn large" href="#how">
                  {t("看它怎么工作")}
                </a>
              )}
            </p>
          </div>
          <Cover name={article.cover} />
        </header>
        {figures && parts?.live && <LiveBoard kind={parts.live} figures={figures} />}
        {parts && (
          <section className="block" id="how" aria-labelledby="how-title">
            <h2 id="how-title">{t("一步一步")}</h2>
            <HowItWorks stations={parts.stations} figures={figures} />
          </section>
        )}
        {parts && (
          <section className="block" aria-labelledby="figures-title">
            <h2 id="figures-title">{t("写明白的标准")}</h2>
            <dl className="claims">
              {parts.figures.map(([name, value, note]) => (
                <div key={name}>
                  <dt>{t(name)}</dt>
                  <dd>{tied(t(value))}</dd>
                  <dd className="note">{tied(t(note))}</dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        <div className="solution-acts" {...foreign(article.language)}>
          {sectionsOf(article.body).map((part, at) => (
            // The server cleaned it by its allow-list, when it was saved and when it was read.
            <section key={at} className="prose" dangerouslySetInnerHTML={{ __html: tiedHtml(drawnBody(part, t)) }} />
          ))}
        </div>
        {products.length > 0 && (
          <section className="block" aria-labelledby="products-title">
            <h2 id="products-title">{t("用到的产品")}</h2>
            <Cells
              of={products.map(([product, name]) => ({
                key: product,
                href: `/service/productInfo?product=${product}`,
                title: t(name),
                text: t(productWords[product]),
              }))}
            />
          </section>
        )}
        {videos.length > 0 && (
          <section className="block" aria-labelledby="videos-title">
            <h2 id="videos-title">{t("看一段")}</h2>
            <VideoCards videos={videos} />
          </section>
        )}
        {documents.length > 0 && (
          <section className="block" aria-labelledby="documents-title">
            <h2 id="documents-title">{t("资料")}</h2>
            <DocumentRows documents={documents} heading="h3" />
          </section>
        )}
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
        <section className="ask-form" id="ask" aria-labelledby="ask-title">
          <div>
            <h2 id="ask-title">{t("请人来看看")}</h2>
            <p>{tied(t("留下电话，1 个工作日内有工程师回电。勘测当天测风、测水、测电，给出书面选型。"))}</p>
            <p>
              <a href="/service/network">{t("看最近的服务网点")}</a>
            </p>
          </div>
          <SiteForm
            kind="solution"
            path={path}
            given={
              article.page === ""
                ? { content: t("想了解：{title}", { title: article.title }) }
                : { solution: article.page }
            }
            answer={answer}
            sent={sent}
          />
        </section>
      </div>
    </main>
  );
}
