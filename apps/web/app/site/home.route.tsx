import {
  demoAccounts,
  type LiveFigures,
  liveFigures,
  type PriceTrend,
  priceTrend,
  publicArticlePage,
  publicPartners,
  publicVideoPage,
  type Quotations,
  quotations,
  type ReplyOf,
  translate,
} from "@herdwise/contract";
import type { LoaderFunctionArgs } from "react-router";
import { useLoaderData } from "react-router";
import { apiContext } from "../shared/api/server-context.ts";
import { solutionScene, solutionViewBox } from "../shared/drawings/solution-scenes.ts";
import { useFormats, useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import { askedLanguage, parseCookies, readPreferences } from "../shared/preferences/read-preferences.ts";
import { PageTitle } from "../shared/states/page-title.tsx";
import { HeroArt } from "./hero-art.tsx";
import { HomeMarket } from "./home-market.tsx";
import { HomeNews, HomePartners, HomeVideos } from "./home-more.tsx";
import { HowItWorks } from "./how-it-works.tsx";
import { Night } from "./night.tsx";
import "./home-market.css";
import { solutionPath, solutions } from "./solutions.ts";

/**
 * Where a visitor gets into a living pig house without typing anything.
 * @returns undefined outside a demo
 */
function visitPath(accounts: ReplyOf<typeof demoAccounts>): string | undefined {
  const visitor = accounts.find(({ showcaseUnitId }) => showcaseUnitId !== "");
  if (visitor === undefined) return undefined;
  const redirect = `/selfCenter/vet/environment/unit?id=${visitor.showcaseUnitId}`;
  return `/login?${new URLSearchParams({ demo: visitor.account, redirect })}`;
}

/** The page shows even when the figures are not to be had: a visitor came to read. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const language =
    askedLanguage(request) ?? readPreferences(parseCookies(request.headers.get("Cookie") ?? "")).language;
  const listed = (channel: string, size: number) =>
    context
      .get(apiContext)(`${publicArticlePage.path}?${new URLSearchParams({ channel, size: String(size), language })}`)
      .then((payload) => (payload as ReplyOf<typeof publicArticlePage>).records)
      .catch(() => []);
  const [prices, trend, information, news, partners, videos, figures, accounts] = await Promise.all([
    context
      .get(apiContext)(quotations.path)
      .then((payload) => payload as Quotations)
      .catch(() => undefined),
    context
      .get(apiContext)(`${priceTrend.path}?days=30`)
      .then((payload) => payload as PriceTrend)
      .catch(() => undefined),
    listed("information", 3),
    listed("news", 5),
    context
      .get(apiContext)(`${publicPartners.path}?language=${language}`)
      .then((payload) => payload as ReplyOf<typeof publicPartners>)
      .catch(() => []),
    context
      .get(apiContext)(`${publicVideoPage.path}?size=3&language=${language}`)
      .then((payload) => (payload as ReplyOf<typeof publicVideoPage>).records)
      .catch(() => []),
    context
      .get(apiContext)(liveFigures.path)
      .then((payload) => payload as LiveFigures)
      .catch(() => undefined),
    context
      .get(apiContext)(demoAccounts.path)
      .then((payload) => payload as ReplyOf<typeof demoAccounts>)
      .catch(() => []),
  ]);
  const showcase = figures?.showcase && [figures.showcase.houseName, figures.showcase.unitName];
  const place =
    showcase === undefined || language === "zh"
      ? showcase
      : await context
          .get(apiContext)(translate.path, { src: showcase.join("\n"), to: language })
          .then((payload) => (payload as ReplyOf<typeof translate>).data.dst.split("\n"))
          .catch(() => showcase);
  return {
    figures,
    place,
    visit: visitPath(accounts),
    origin: new URL(request.url).origin,
    prices,
    trend,
    information,
    news,
    partners,
    videos,
  };
}

function PageHead({ origin }: { origin: string }) {
  const t = useTranslate();
  const language = useLanguage();
  const { appName } = usePreferences();
  const own = `${origin}/index${language === "en" ? "?lang=en" : ""}`;
  const description = t("慧牧把猪舍的温度、氨气、风机与水线实时送到场长、兽医和集团手中，并对照目标标出偏差。");
  const organization = {
    "@context": "https://schema.org",
    "@type": "Organization",
    name: appName,
    url: `${origin}/index`,
    logo: `${origin}/favicon.svg`,
    description,
  };
  return (
    <>
      <PageTitle title={t("让每一栋猪舍自己说话")} />
      <meta name="description" content={description} />
      <link rel="canonical" href={own} />
      <link rel="alternate" hrefLang="zh-CN" href={`${origin}/index`} />
      <link rel="alternate" hrefLang="en" href={`${origin}/index?lang=en`} />
      <link rel="alternate" hrefLang="x-default" href={`${origin}/index`} />
      {/* Data, which no policy of scripts concerns. */}
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{ __html: JSON.stringify(organization).replaceAll("<", "\\u003c") }}
      />
    </>
  );
}

function FigureStrip({ figures }: { figures: LiveFigures | undefined }) {
  const t = useTranslate();
  const { number, age } = useFormats();
  const shown = [
    {
      live: "devicesOnline",
      name: t("在线设备"),
      value: figures?.devicesOnline,
      unit: figures ? t("/ {count} 台", { count: number(figures.devices) }) : "",
    },
    { live: "farms", name: t("接入场区"), value: figures?.farms, unit: t("个场区") },
    { live: "units", name: t("监测单元"), value: figures?.units, unit: t("个单元") },
    { live: "headCount", name: t("在养"), value: figures?.headCount, unit: t("头") },
    { live: "valuesLastDay", name: t("近 24 小时数据"), value: figures?.valuesLastDay, unit: t("条") },
  ];
  return (
    <section className="vals" aria-label={t("实时数字")}>
      <div className="wrap">
        {shown.map(({ live, name, value, unit }) => (
          <dl key={live}>
            <dt>{name}</dt>
            <dd>
              <span data-live={live}>{value === undefined ? "--" : number(value)}</span>
              <small>{unit}</small>
            </dd>
          </dl>
        ))}
        {figures && (
          <div className="vals-end">
            <span className="live" aria-hidden="true" />
            <time
              className="age"
              dateTime={new Date(figures.asOfMs).toISOString()}
              data-age={figures.asOfMs}
              data-seconds={t("{count} 秒前")}
              data-minutes={t("{count} 分钟前")}
            >
              {age(Date.now() - figures.asOfMs)}
            </time>
          </div>
        )}
      </div>
    </section>
  );
}

function Solutions() {
  const t = useTranslate();
  return (
    <section className="site-section" id="solutions">
      <div className="wrap">
        <div className="hdr">
          <h2>{t("从一口空气，到一片农田")}</h2>
          <p className="sub">
            {t("十套方案各管一段，用同一批设备、同一套口径。可以从一台风机开始，也可以从一张图纸开始。")}
          </p>
        </div>
        <ul className="sols">
          {solutions.map(({ name, title, text, page }) => (
            <li key={name} id={name}>
              <svg
                className="drawing"
                viewBox={solutionViewBox}
                aria-hidden="true"
                dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? solutionScene(name) : "" }}
              />
              <h3>
                <a href={solutionPath({ page })}>{t(title)}</a>
              </h3>
              <p>{t(text)}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Standards() {
  const t = useTranslate();
  return (
    <section className="site-section" id="standards">
      <div className="wrap stds">
        <h2>{t("标准写成数字，才查得到")}</h2>
        <dl>
          <div>
            <dt>{t("风机与饲料灭菌")}</dt>
            <dd>
              85<small>℃</small>
              <span>×</span>8<small>{t("分钟")}</small>
            </dd>
            <dd className="note">{t("每一批都留下温度与时长，到场前可查。")}</dd>
          </div>
          <div>
            <dt>{t("直供半径")}</dt>
            <dd>
              200<small>km</small>
            </dd>
            <dd className="note">{t("饲料从厂到场不经中转，车辆与路线可查。")}</dd>
          </div>
        </dl>
      </div>
    </section>
  );
}

export default function Home() {
  const t = useTranslate();
  const { figures, place, visit, origin, prices, trend, information, news, partners, videos } =
    useLoaderData<typeof loader>();
  return (
    <main id="main">
      <PageHead origin={origin} />
      <section className="hero" aria-label={t("首屏")}>
        <div className="hero-text">
          <div className="wrap">
            <h1>
              {t("让每一栋猪舍")}
              <br />
              {t("自己说话")}
            </h1>
            <p>{t("风、水、温度、猪群的声音，都从舍里实时传来。慧牧替你对照目标、看住偏差，该动手时才叫你。")}</p>
            <div className="cta">
              {visit ? (
                <a className="btn primary large" href={visit} data-visit="">
                  {t("走进一栋演示猪舍")}
                </a>
              ) : (
                <a className="btn primary large" href="/selfCenter/home">
                  {t("进入自助中心")}
                </a>
              )}
              <a className="btn large" href="#solutions">
                {t("了解解决方案")}
              </a>
            </div>
          </div>
        </div>
        <HeroArt figures={figures} />
        {place && (
          <p className="hero-note">
            <span className="live" aria-hidden="true" />
            {t("图中数值来自 {house} {unit}，实时", {
              house: place[0] ?? "",
              unit: place[1] ?? "",
            })}
          </p>
        )}
      </section>
      <FigureStrip figures={figures} />
      <Night />
      <Solutions />
      {prices && trend && <HomeMarket prices={prices} trend={trend} />}
      <HowItWorks />
      <Standards />
      <HomeVideos videos={videos} />
      <HomeNews information={information} news={news} />
      <HomePartners partners={partners} />
      <section className="closing">
        <div className="wrap">
          <div>
            <h2>{t("先看一栋，再决定。")}</h2>
            {visit && <p>{t("演示账户随时可用，数值来自正在运行的设备。")}</p>}
          </div>
          <div>
            {visit && (
              <a className="btn large" href={visit} data-visit="">
                {t("打开演示猪舍")}
              </a>
            )}
            <a className="btn large quiet" href="/selfCenter/home">
              {t("进入自助中心")}
            </a>
          </div>
        </div>
      </section>
    </main>
  );
}
