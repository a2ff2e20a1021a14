import {
  type PriceBreed,
  type PriceQuote,
  type PriceTrend,
  type Province,
  type ProvinceQuote,
  priceBreeds,
  priceCsvPath,
  type Quotations,
} from "@herdwise/contract";
import { Icon } from "../shared/icons/icon.tsx";
import { parseWireDateTime } from "../shared/language/format.ts";
import { useFormats, useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { Change } from "../shared/prices/change.tsx";
import { signedPercent, yuan } from "../shared/prices/price-words.ts";
import { TileMap } from "../shared/prices/tile-map.tsx";
import { useAreaName } from "../shared/prices/use-area-name.ts";
import { useDay } from "../shared/prices/use-day.ts";
import { Day, ExampleMark } from "./article-parts.tsx";
import { MarketTrend } from "./market-trend.tsx";
import { addressIn, breadcrumbs, SiteHead } from "./site-head.tsx";

const tones = ["c1", "c2", "c3", "c4", "c5"] as const;

/** Bounds of the map's colours: fifths of the span of today's prices, in tenths of a yuan, rising. */
function boundsOf(quotes: readonly ProvinceQuote[], day: string): number[] {
  const fresh = quotes.flatMap((quote) => (quote.day === day && quote.fen !== undefined ? [quote.fen] : []));
  if (fresh.length === 0) return [];
  const [low, high] = [Math.min(...fresh), Math.max(...fresh)];
  const step = Math.max(10, Math.round((high - low) / 50) * 10);
  return [1, 2, 3, 4].map((at) => Math.round((low + at * step) / 10) * 10);
}

/** The small curve of the last days. */
function Spark({ recent }: { recent: readonly number[] }) {
  const held = recent.flatMap((fen, at) => (fen > 0 ? [[at, fen] as const] : []));
  if (held.length < 2) return <span className="spark" />;
  const prices = held.map(([, fen]) => fen);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const points = held.map(([at, fen]) => {
    const x = Math.round((2 + (at / (recent.length - 1)) * 50) * 10) / 10;
    const y = Math.round((18 - ((fen - low) / Math.max(1, high - low)) * 15) * 10) / 10;
    return [x, y] as const;
  });
  const [lastX, lastY] = points.at(-1) ?? [0, 0];
  return (
    <svg className="spark" viewBox="0 0 56 21" aria-hidden="true">
      <path d={`M${points.map((point) => point.join(",")).join("L")}`} />
      <circle cx={lastX} cy={lastY} r="2" />
    </svg>
  );
}

const arrow = (now: number, before: number | undefined): string =>
  before === undefined
    ? ""
    : `${now > before ? "▲ +" : now < before ? "▼ −" : ""}${(Math.abs(now - before) / 100).toFixed(2)}`;

function Row({
  quote,
  breed,
  day,
  corrected,
}: {
  quote: ProvinceQuote;
  breed: PriceBreed;
  day: string;
  corrected: boolean;
}) {
  const t = useTranslate();
  const nameOf = useAreaName();
  const dayOf = useDay();
  const late = quote.day !== day;
  const fresh = late ? undefined : quote.fen;
  return (
    <tr id={`p-${quote.code}`} className={late ? "late" : undefined}>
      <th scope="row">
        {nameOf(quote.code)}
        {late && quote.day !== "" && <span className="tag">{t("未更新，{day}的价", { day: dayOf(quote.day) })}</span>}
        {corrected && (
          <a className="fn" href="#notes" aria-label={t("{area}有更正，看说明", { area: nameOf(quote.code) })}>
            <Icon name="edit" small />
          </a>
        )}
      </th>
      <td>
        {quote.fen === undefined ? t("无报价") : <b>{yuan(quote.fen)}</b>}
        {/* Instead of the column that a phone has no room for. */}
        {quote.yesterdayFen !== undefined && (
          <small className="of-phone">{t("昨日 {price}", { price: yuan(quote.yesterdayFen) })}</small>
        )}
      </td>
      <td className="opt">{quote.yesterdayFen === undefined ? "—" : yuan(quote.yesterdayFen)}</td>
      <td>
        <Change now={fresh} before={quote.yesterdayFen} />
      </td>
      <td className="week">
        <Spark recent={quote.recent} />
        <Change now={fresh} before={quote.weekFen} />
      </td>
      <td className="opt">
        <Change now={fresh} before={quote.yearFen} />
      </td>
      {priceBreeds
        .filter(([other]) => other !== breed)
        .map(([other]) => {
          const fen = quote.others.find((one) => one.breed === other)?.fen;
          return (
            <td key={other} className="opt">
              {fen === undefined ? "—" : yuan(fen)}
            </td>
          );
        })}
    </tr>
  );
}

/** Where today's provinces stand between the cheapest and the dearest. */
function Range({ quotes, nation, day }: { quotes: readonly ProvinceQuote[]; nation: PriceQuote; day: string }) {
  const t = useTranslate();
  const nameOf = useAreaName();
  const fresh = quotes
    .flatMap((quote) => (quote.day === day && quote.fen !== undefined ? [{ code: quote.code, fen: quote.fen }] : []))
    .sort((a, b) => a.fen - b.fen);
  const [lowest, highest] = [fresh[0], fresh.at(-1)];
  if (lowest === undefined || highest === undefined || nation.fen === undefined) return null;
  const span = Math.max(1, highest.fen - lowest.fen);
  const place = (fen: number): number => Math.round((4 + ((fen - lowest.fen) / span) * 312) * 10) / 10;
  return (
    <div className="range">
      <h2>{t("今天各省从低到高")}</h2>
      <svg viewBox="0 0 320 44" aria-hidden="true" preserveAspectRatio="none">
        <path className="base" d="M0,36H320" />
        {fresh.map(({ code, fen }) => (
          <path key={code} className="one" d={`M${place(fen)},20V36`} />
        ))}
        <path className="mean" d={`M${place(nation.fen)},4V42`} />
      </svg>
      <dl>
        <div>
          <dt>{nameOf(lowest.code)}</dt>
          <dd>{yuan(lowest.fen)}</dd>
        </div>
        <div>
          <dt>{t("全国")}</dt>
          <dd>{yuan(nation.fen)}</dd>
        </div>
        <div>
          <dt>{nameOf(highest.code)}</dt>
          <dd>{yuan(highest.fen)}</dd>
        </div>
      </dl>
    </div>
  );
}

function Notes({ prices, reasons }: { prices: Quotations; reasons: Readonly<Record<string, string>> }) {
  const t = useTranslate();
  const language = useLanguage();
  const nameOf = useAreaName();
  const dayOf = useDay();
  const { dateTime } = useShanghaiTime();
  const breedOf = (breed: string) => t(priceBreeds.find(([known]) => known === breed)?.[1] ?? "");
  const late = prices.regions
    .flatMap(({ provinces }) => provinces)
    .filter((quote) => quote.day !== "" && quote.day !== prices.day)
    .map(({ code }) => nameOf(code));
  const list = new Intl.ListFormat(language === "zh" ? "zh-CN" : "en-GB");
  return (
    <section className="notes" id="notes" aria-labelledby="notes-title">
      <h2 id="notes-title">{t("更正与说明")}</h2>
      <ul>
        {prices.corrections.map(
          ({ regionCode, breed, day, oldFen, newFen, reason, enteredBy, decidedBy, decidedAt }) => {
            const words = reasons[reason] ?? reason;
            const foreign = language === "en" && /\p{Script=Han}/u.test(words) ? { lang: "zh-CN" } : {};
            return (
              <li key={`${regionCode} ${breed} ${day} ${decidedAt}`}>
                <p>
                  <b>{`${nameOf(regionCode)} ${breedOf(breed)} · ${dayOf(day)}`}</b>{" "}
                  <span className="corrected">
                    <del>{oldFen === undefined ? t("无报价") : yuan(oldFen)}</del>
                    <span aria-hidden="true"> → </span>
                    <ins>{newFen === undefined ? t("无报价") : yuan(newFen)}</ins>
                  </span>
                </p>
                <p className="mut">
                  <span {...foreign}>{words}</span> ·{" "}
                  {language === "en" && /\p{Script=Han}/u.test(enteredBy + decidedBy)
                    ? t("{time} 更正，第二人复核", { time: dateTime(decidedAt) })
                    : t("{time} 由 {by} 更正，{other} 复核", {
                        time: dateTime(decidedAt),
                        by: enteredBy || "—",
                        other: decidedBy || "—",
                      })}
                </p>
              </li>
            );
          },
        )}
        {late.length > 0 && (
          <li>
            <p>{t("{areas}今天还没有新报价，不算进均价。", { areas: list.format(late) })}</p>
          </li>
        )}
        <li>
          <p>
            {t(
              "均价是当天有报价的各省的平均数。比前一天偏离 5 % 以上的，第二个人复核后才发布。更正前的价格一直留在这里和 CSV 里。",
            )}
          </p>
        </li>
      </ul>
    </section>
  );
}

/** Moments of a publication are told as Shanghai's clock has them. */
function useShanghaiTime() {
  const language = useLanguage();
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", {
      timeZone: "Asia/Shanghai",
      hourCycle: "h23",
      hour: "2-digit",
      minute: "2-digit",
      ...options,
    });
  const of = (options: Intl.DateTimeFormatOptions) => (wire: string) => {
    const at = parseWireDateTime(wire);
    return at === undefined ? "" : format(options).format(at);
  };
  return { time: of({}), dateTime: of({ month: "short", day: "numeric" }) };
}

interface MarketProps {
  origin: string;
  prices: Quotations;
  trend: PriceTrend;
  /** Provinces that the address names for the trend. */
  chosen: readonly string[];
  /** Reasons of corrections in the chosen language. */
  reasons: Readonly<Record<string, string>>;
}

/** Market quotations: the day, provinces as tiles and as a table, trends, corrections. */
export function MarketPage({ origin, prices, trend, chosen, reasons }: MarketProps) {
  const t = useTranslate();
  const language = useLanguage();
  const nameOf = useAreaName();
  const dayOf = useDay();
  const { number } = useFormats();
  const { time } = useShanghaiTime();
  const { breed, day, nation, regions } = prices;
  const breedName = t(priceBreeds.find(([known]) => known === breed)?.[1] ?? "");
  const quotes = regions.flatMap(({ provinces }) => provinces);
  const quoteOf = new Map(quotes.map((quote) => [quote.code, quote]));
  const bounds = boundsOf(quotes, day);
  const toneOf = (fen: number): string => tones[bounds.filter((bound) => fen >= bound).length] ?? "c1";
  const corrected = new Set(
    prices.corrections.filter((one) => one.breed === breed).map(({ regionCode }) => regionCode),
  );
  const address = (values: { breed?: string; days?: number }): string => {
    const query = new URLSearchParams({
      ...((values.breed ?? breed) !== "outer" && { breed: values.breed ?? breed }),
      ...(values.days !== undefined && { days: String(values.days) }),
    });
    if (values.days !== undefined) for (const code of chosen) query.append("area", code);
    return `/market${query.size > 0 ? `?${query}` : ""}`;
  };
  const own = address({});
  const title = day === "" ? t("生猪行情") : t("生猪行情，{day}", { day: dayOf(day) });
  const description =
    nation.fen === undefined
      ? t("各省生猪价格，每天发布：外三元、内三元、土杂猪。")
      : t("{day}全国{breed}均价 {price} 元/kg，{count} 省有报价；分省价格、走势、更正与 CSV 下载。", {
          day: dayOf(day),
          breed: breedName,
          price: yuan(nation.fen),
          count: prices.updated,
        });
  const tileOf = (province: Province) => {
    const name = nameOf(province.code);
    const quote = quoteOf.get(province.code);
    if (quote?.fen === undefined) return { tone: "no", lines: ["—"], words: t("{area}：无报价", { area: name }) };
    const price = yuan(quote.fen);
    const href = `#p-${province.code}`;
    if (quote.day !== day)
      return {
        tone: "old",
        lines: [price, t("未更新")],
        href,
        words: t("{area}：{price} 元/kg，今日未更新，{day}的价", { area: name, price, day: dayOf(quote.day) }),
      };
    const change = arrow(quote.fen, quote.yesterdayFen);
    return {
      tone: toneOf(quote.fen),
      lines: [price, change],
      href,
      words: t("{area}：{price} 元/kg，比昨日 {change}", {
        area: name,
        price,
        change: change.replace(/^[▲▼] /, "") || "—",
      }),
    };
  };
  return (
    <main id="main" className="content-page market" data-page="market">
      <SiteHead
        title={breed === "outer" ? title : `${title} · ${breedName}`}
        description={description}
        origin={origin}
        path={own}
        structured={[
          breadcrumbs([
            [t("首页"), addressIn("zh", origin, "/index")],
            [t("生猪行情"), addressIn("zh", origin, "/market")],
          ]),
        ]}
      />
      <div className="wrap">
        <header className="market-head">
          <div>
            <h1>
              {t("生猪行情")}
              {prices.example && <ExampleMark />}
            </h1>
            <p>
              {day === "" ? (
                t("还没有发布价格。")
              ) : (
                <>
                  <Day at={`${day} 00:00:00`} />{" "}
                  {t("{time} 发布，出栏 110–130 kg，元/kg，不含运费", { time: time(prices.publishedAt) })}
                </>
              )}
            </p>
            {prices.example && <p className="mut">{t("这里的价格是示例，不是真实报价。")}</p>}
          </div>
          <div className="act">
            <nav className="seg-links" aria-label={t("品种")}>
              {priceBreeds.map(([one, name]) => (
                <a key={one} href={address({ breed: one })} aria-current={one === breed ? "page" : undefined}>
                  {t(name)}
                </a>
              ))}
            </nav>
            <a
              className="btn"
              href={`${priceCsvPath}?breed=${breed}&days=365${language === "en" ? "&lang=en" : ""}`}
              download=""
            >
              <Icon name="download" small />
              {t("下载 CSV")}
            </a>
            <a className="btn primary" href={`/selfCenter/priceAlert?breed=${breed}`}>
              <Icon name="bell" small />
              {t("价格提醒")}
            </a>
          </div>
        </header>
        {nation.fen !== undefined && (
          <section className="day-panel" aria-label={t("今日概况")}>
            <div>
              <h2>{t("今日全国均价，{breed}", { breed: breedName })}</h2>
              <p className="big">
                <b className="num">{yuan(nation.fen)}</b>
                <small>{t("元/kg")}</small>
              </p>
              <dl className="changes">
                {(
                  [
                    [t("比昨日"), nation.yesterdayFen],
                    [t("比上周"), nation.weekFen],
                    [t("比去年同日"), nation.yearFen],
                  ] as const
                ).map(([name, before]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>
                      <Change now={nation.fen} before={before} />
                      {before !== undefined && nation.fen !== undefined && <em>{signedPercent(nation.fen, before)}</em>}
                    </dd>
                  </div>
                ))}
              </dl>
            </div>
            <Range quotes={quotes} nation={nation} day={day} />
            <dl className="counts">
              <div>
                <dt>{t("已更新")}</dt>
                <dd>
                  <b>{number(prices.updated)}</b> {t("共 {count} 省", { count: prices.provinces })}
                </dd>
              </div>
              <div>
                <dt>{t("今日未更新")}</dt>
                <dd>
                  <b>{number(prices.late)}</b> {t("省，显示以前的价", { count: prices.late })}
                </dd>
              </div>
              <div>
                <dt>{t("更正")}</dt>
                <dd>
                  <b>{number(prices.corrections.length)}</b> <a href="#notes">{t("处，看说明")}</a>
                </dd>
              </div>
            </dl>
          </section>
        )}
        {day !== "" && (
          <div className="market-two">
            <section aria-labelledby="map-title">
              <h2 id="map-title">{t("各省今日价")}</h2>
              <p className="hint">{t("方格示意，大致按位置排。点一省，跳到它那一行。")}</p>
              <TileMap label={t("各省{breed}价格，元/kg", { breed: breedName })} tileOf={tileOf} />
              <ol className="scale">
                {tones.slice(0, bounds.length + 1).map((tone, at) => (
                  <li key={tone}>
                    <i className={tone} aria-hidden="true" />
                    <span className="num">
                      {at === 0
                        ? `< ${((bounds[0] ?? 0) / 100).toFixed(1)}`
                        : `≥ ${((bounds[at - 1] ?? 0) / 100).toFixed(1)}`}
                    </span>
                  </li>
                ))}
              </ol>
              <ul className="scale-marks">
                <li>
                  <i className="old" aria-hidden="true" />
                  {t("今日未更新，以前的价")}
                </li>
                <li>
                  <i className="no" aria-hidden="true" />
                  {t("无报价")}
                </li>
              </ul>
              <Notes prices={prices} reasons={reasons} />
            </section>
            <section className="market-table" aria-labelledby="table-title">
              <div className="table-head">
                <h2 id="table-title">{t("分区分省")}</h2>
                <nav aria-label={t("跳到大区")}>
                  {regions.map(({ code }) => (
                    <a key={code} href={`#r-${code}`}>
                      {nameOf(code)}
                    </a>
                  ))}
                </nav>
              </div>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t("地区")}</th>
                    <th scope="col">{t("今日")}</th>
                    <th scope="col" className="opt">
                      {t("昨日价")}
                    </th>
                    <th scope="col">{t("涨跌")}</th>
                    <th scope="col" className="week">
                      {t("近 7 日")}
                    </th>
                    <th scope="col" className="opt">
                      {t("比去年")}
                    </th>
                    {priceBreeds
                      .filter(([other]) => other !== breed)
                      .map(([other, name]) => (
                        <th key={other} scope="col" className="opt">
                          {t(name)}
                        </th>
                      ))}
                  </tr>
                </thead>
                {regions.map((region) => (
                  <tbody key={region.code} id={`r-${region.code}`}>
                    <tr className="region">
                      <th scope="row">
                        {nameOf(region.code)} <small>{t("{count} 省", { count: region.provinces.length })}</small>
                      </th>
                      <td>{region.fen === undefined ? "—" : <b>{yuan(region.fen)}</b>}</td>
                      <td className="opt">{region.yesterdayFen === undefined ? "—" : yuan(region.yesterdayFen)}</td>
                      <td>
                        <Change now={region.fen} before={region.yesterdayFen} />
                      </td>
                      <td className="week">
                        <Spark recent={region.recent} />
                        <Change now={region.fen} before={region.weekFen} />
                      </td>
                      <td className="opt">
                        <Change now={region.fen} before={region.yearFen} />
                      </td>
                      <td className="opt" />
                      <td className="opt" />
                    </tr>
                    {region.provinces.map((quote) => (
                      <Row
                        key={quote.code}
                        quote={quote}
                        breed={breed}
                        day={day}
                        corrected={corrected.has(quote.code)}
                      />
                    ))}
                  </tbody>
                ))}
              </table>
            </section>
          </div>
        )}
        {day !== "" && (
          <MarketTrend trend={trend} breed={breed} breedName={breedName} address={(days) => address({ days })} />
        )}
        <section className="market-alert" aria-labelledby="alert-title">
          <div>
            <h2 id="alert-title">{t("到价叫我")}</h2>
            <p>{t("选一个省、一个品种和一个价，发布的价格越过它时发站内消息，每次越过只发一次。要先登录。")}</p>
          </div>
          <a className="btn" href={`/selfCenter/priceAlert?breed=${breed}`}>
            {t("设一条提醒")}
          </a>
        </section>
      </div>
    </main>
  );
}
