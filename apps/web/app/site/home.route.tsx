import {
  demoAccounts,
  type HomeSectionId,
  homeSectionIds,
  isHomeFeature,
  type LiveFigures,
  liveFigures,
  type PriceTrend,
  previewedHome,
  priceTrend,
  publicArticlePage,
  publicHome,
  publicPartners,
  publicVideoPage,
  type Quotations,
  quotations,
  type ReplyOf,
  type ShownSection,
  translate,
} from "@herdwise/contract";
import { Fragment, type ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import { data, useLoaderData } from "react-router";
import { apiContext } from "../shared/api/server-context.ts";
import { solutionScene, solutionViewBox } from "../shared/drawings/solution-scenes.ts";
import type { Language } from "../shared/language/dictionary.ts";
import { useBrand, useFormats, useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import { askedLanguage, parseCookies, readPreferences } from "../shared/preferences/read-preferences.ts";
import { MachineNote, PreviewNote } from "./article-parts.tsx";
import { HeroArt } from "./hero-art.tsx";
import { HomeFeature } from "./home-feature.tsx";
import { HomeMarket } from "./home-market.tsx";
import { HomeNews, HomePartners, HomeVideos } from "./home-more.tsx";
import { type HomeText, homeText, isWritten } from "./home-text.ts";
import { HowItWorks } from "./how-it-works.tsx";
import { Night } from "./night.tsx";
import "./prose.css";
import "./home-market.css";
import { SiteHead } from "./site-head.tsx";
import { solutionPath, solutions } from "./solutions.ts";
import { tied } from "./tied.ts";

/** The page as it is delivered. */
const standardSections: ShownSection[] = homeSectionIds
  .filter((id) => !isHomeFeature(id))
  .map((id) => ({ id, link: "", cover: "", words: [] }));

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
  const { searchParams, origin } = new URL(request.url);
  const language =
    askedLanguage(request) ?? readPreferences(parseCookies(request.headers.get("Cookie") ?? "")).language;
  const api = context.get(apiContext);
  const preview = searchParams.get("preview")?.slice(0, 300);
  const sections = await (preview === undefined
    ? api(`${publicHome.path}?language=${language}`)
        .then((payload) => payload as ReplyOf<typeof publicHome>)
        .catch(() => standardSections)
    : api(`${previewedHome.path}?${new URLSearchParams({ token: preview, language })}`).then(
        (payload) => payload as ReplyOf<typeof previewedHome>,
      ));
  const isShown = (...ids: HomeSectionId[]): boolean => sections.some(({ id }) => ids.includes(id));
  /** What a section shows; nothing where it is hidden, or where it is not to be had. */
  const of = async <Value, None>(id: HomeSectionId, path: string, none: None, read: (payload: unknown) => Value) =>
    isShown(id) ? api(path).then(read, () => none) : none;
  const listed = (channel: string, size: number) =>
    of(
      "news",
      `${publicArticlePage.path}?${new URLSearchParams({ channel, size: String(size), language })}`,
      [],
      (payload) => (payload as ReplyOf<typeof publicArticlePage>).records,
    );
  const [prices, trend, information, news, partners, videos, figures, accounts] = await Promise.all([
    of("market", quotations.path, undefined, (payload) => payload as Quotations),
    of("market", `${priceTrend.path}?days=30`, undefined, (payload) => payload as PriceTrend),
    listed("information", 3),
    listed("news", 5),
    of(
      "partners",
      `${publicPartners.path}?language=${language}`,
      [],
      (payload) => payload as ReplyOf<typeof publicPartners>,
    ),
    of(
      "videos",
      `${publicVideoPage.path}?size=3&language=${language}`,
      [],
      (payload) => (payload as ReplyOf<typeof publicVideoPage>).records,
    ),
    of("hero", liveFigures.path, undefined, (payload) => payload as LiveFigures),
    of("hero", demoAccounts.path, [], (payload) => payload as ReplyOf<typeof demoAccounts>),
  ]);
  const showcase = figures?.showcase && [figures.showcase.houseName, figures.showcase.unitName];
  const place =
    showcase === undefined || language === "zh"
      ? showcase
      : await api(translate.path, { src: showcase.join("\n"), to: language })
          .then((payload) => (payload as ReplyOf<typeof translate>).data.dst.split("\n"))
          .catch(() => showcase);
  const page = {
    sections,
    isPreview: preview !== undefined,
    figures,
    place,
    visit: visitPath(accounts),
    origin,
    prices,
    trend,
    information,
    news,
    partners,
    videos,
  };
  return preview === undefined
    ? data(page)
    : data(page, { headers: { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" } });
}
type HomePage = Awaited<ReturnType<typeof loader>>["data"];

export function headers({ loaderHeaders }: { loaderHeaders: Headers }): Headers {
  return loaderHeaders;
}

/** @param languages in which people wrote or read all of it */
function PageHead({ origin, languages }: { origin: string; languages: readonly Language[] }) {
  const language = useLanguage();
  const t = useTranslate();
  const { appName, brand } = usePreferences();
  const description = t("{brand}把猪舍的温度、氨气、风机与水线实时送到场长、兽医和集团手中，并对照目标标出偏差。");
  return (
    <SiteHead
      title={t("让每一栋猪舍自己说话")}
      description={description}
      origin={origin}
      path="/index"
      languages={languages}
      hidden={!languages.includes(language)}
      structured={[
        {
          "@type": "Organization",
          name: appName,
          url: `${origin}/index`,
          logo: `${origin}${brand.logos.light || "/favicon.svg"}`,
          description,
        },
      ]}
    />
  );
}

/** A preview is nobody's but of those who have its address. */
function PreviewHead() {
  const t = useTranslate();
  return (
    <>
      <SiteHead title={t("让每一栋猪舍自己说话")} description="" origin="" path="" hidden />
      <div className="wrap">
        <PreviewNote />
      </div>
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

function Solutions({ text }: { text: HomeText }) {
  const t = useTranslate();
  return (
    <section className="site-section" id="solutions">
      <div className="wrap">
        <div className="hdr">
          <h2>{text("title")}</h2>
          <p className="sub">{text("text")}</p>
        </div>
        <ul className="sols">
          {solutions.map(({ name, title, text: about, page }) => (
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
              <p>{tied(t(about))}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Standards({ text }: { text: HomeText }) {
  const t = useTranslate();
  return (
    <section className="site-section" id="standards">
      <div className="wrap stds">
        <h2>{text("title")}</h2>
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

interface PartProps {
  section: ShownSection;
  text: HomeText;
  page: HomePage;
}

function Hero({ section, text, page: { figures, place, visit, sections } }: PartProps) {
  const t = useTranslate();
  const [first = "", ...others] = text("title").split("\n");
  const action = isWritten(section, "action") || visit ? text("action") : t("进入自助中心");
  return (
    <section className="hero" aria-label={t("首屏")}>
      <div className="hero-text">
        <div className="wrap">
          <h1>
            {first}
            {others.map((line) => (
              <Fragment key={line}>
                <br />
                {line}
              </Fragment>
            ))}
          </h1>
          <p>{text("text")}</p>
          <div className="cta">
            {section.link === "" && visit ? (
              <a className="btn primary large" href={visit} data-visit="">
                {action}
              </a>
            ) : (
              <a className="btn primary large" href={section.link || "/selfCenter/home"}>
                {action}
              </a>
            )}
            {sections.some(({ id }) => id === "solutions") && (
              <a className="btn large" href="#solutions">
                {text("second")}
              </a>
            )}
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
  );
}

function Closing({ section, text, page: { visit } }: PartProps) {
  const t = useTranslate();
  return (
    <section className="closing">
      <div className="wrap">
        <div>
          <h2>{text("title")}</h2>
          {(visit || isWritten(section, "text")) && <p>{text("text")}</p>}
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
  );
}

/** What each section shows. */
const parts: Readonly<Record<HomeSectionId, (props: PartProps) => ReactNode>> = {
  hero: Hero,
  figures: ({ page }) => <FigureStrip figures={page.figures} />,
  night: ({ text }) => <Night text={text} />,
  solutions: ({ text }) => <Solutions text={text} />,
  market: ({ text, page: { prices, trend } }) =>
    prices && trend ? <HomeMarket prices={prices} trend={trend} text={text} /> : null,
  how: ({ text }) => <HowItWorks text={text} />,
  standards: ({ text }) => <Standards text={text} />,
  videos: ({ text, page }) => <HomeVideos videos={page.videos} text={text} />,
  news: ({ text, page: { information, news } }) => <HomeNews information={information} news={news} text={text} />,
  partners: ({ text, page }) => <HomePartners partners={page.partners} text={text} />,
  closing: Closing,
  feature1: HomeFeature,
  feature2: HomeFeature,
  feature3: HomeFeature,
};

/** The sections that editors chose, in their order. */
export default function Home() {
  const language = useLanguage();
  const brand = useBrand();
  const page = useLoaderData<typeof loader>();
  const languages = (["zh", "en"] as const).filter(
    (one) => !page.sections.some(({ unreviewed }) => unreviewed?.includes(one)),
  );
  return (
    <main id="main">
      {page.isPreview ? <PreviewHead /> : <PageHead origin={page.origin} languages={languages} />}
      {page.sections.map((section) => {
        const Part = parts[section.id];
        const words = homeText(section, language, brand);
        return (
          <Fragment key={section.id}>
            {section.unreviewed?.includes(language) && (
              <div className="wrap section-note">
                <MachineNote of={{ language, unreviewed: true }} section />
              </div>
            )}
            <Part section={section} text={(...asked) => tied(words(...asked))} page={page} />
          </Fragment>
        );
      })}
    </main>
  );
}
