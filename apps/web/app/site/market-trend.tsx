import { type PriceTrend, pricedProvinces, trendDays } from "@herdwise/contract";
import { useTranslate } from "../shared/language/use-language.ts";
import { yuan } from "../shared/prices/price-words.ts";
import { useAreaName } from "../shared/prices/use-area-name.ts";
import { useDay } from "../shared/prices/use-day.ts";

interface Size {
  name: "wide" | "middle" | "narrow";
  width: number;
  height: number;
  left: number;
  right: number;
  /** Marks of the time axis. */
  marks: number;
}

/** Drawn for the width that it gets, so that its words keep their size on a phone. */
const sizes: readonly Size[] = [
  { name: "wide", width: 1180, height: 336, left: 44, right: 120, marks: 6 },
  { name: "middle", width: 660, height: 300, left: 40, right: 128, marks: 4 },
  { name: "narrow", width: 350, height: 260, left: 36, right: 10, marks: 3 },
];
const top = 26;
const bottom = 28;
/** Least distance of two names at the lines' ends, px. */
const nameHeight = 15;

/** Steps of the price axis, fen. */
const steps = [5, 10, 20, 50, 100, 200, 500];

/** Where names stand that would lie on each other: pushed apart, in their order. */
function apart(places: readonly number[], least: number, most: number): number[] {
  const order = places.map((_, at) => at).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const found = [...places];
  let before = Number.NEGATIVE_INFINITY;
  for (const at of order) {
    found[at] = Math.max(found[at] ?? 0, before + nameHeight, least);
    before = found[at] ?? 0;
  }
  let after = most;
  for (const at of order.toReversed()) {
    found[at] = Math.min(found[at] ?? 0, after);
    after = (found[at] ?? 0) - nameHeight;
  }
  return found;
}

function Chart({ trend: { days, series }, size, label }: { trend: PriceTrend; size: Size; label: string }) {
  const t = useTranslate();
  const nameOf = useAreaName();
  const dayOf = useDay();
  const { name, width, height, left, right, marks } = size;
  const prices = series.flatMap(({ points }) => points.filter((fen) => fen > 0));
  if (prices.length === 0) return null;
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
  const step = steps.find((one) => (highest - lowest) / one <= 6) ?? 1000;
  const low = Math.floor(lowest / step) * step;
  const high = Math.max(low + step, Math.ceil(highest / step) * step);
  const round = (place: number): number => Math.round(place * 10) / 10;
  const x = (at: number): number => round(left + (at / Math.max(1, days.length - 1)) * (width - left - right));
  const y = (fen: number): number => round(height - bottom - ((fen - low) / (high - low)) * (height - top - bottom));
  // On a phone every day of a year would be less than a pixel.
  const every = Math.max(1, Math.floor(days.length / (name === "narrow" ? 120 : 366)));
  const path = (points: readonly number[]): string => {
    let drawn = "";
    let open = false;
    for (const [at, fen] of points.entries()) {
      if (fen === 0) open = false;
      else if (at % every === 0 || at === points.length - 1) {
        drawn += `${open ? "L" : "M"}${x(at)},${y(fen)}`;
        open = true;
      }
    }
    return drawn;
  };
  const grid = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => low + at * step);
  const ticks = Array.from({ length: marks }, (_, at) => Math.round((at * (days.length - 1)) / (marks - 1)));
  const ends = series.map(({ points }) => points.findLastIndex((fen) => fen > 0));
  const names = apart(
    series.map(({ points }, at) => y(points[ends[at] ?? 0] || low) + 4),
    top,
    height - bottom,
  );
  return (
    <svg className={`trend-chart ${name}`} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {grid.map((fen) => (
        <g key={fen}>
          <path className="grid" d={`M${left},${y(fen)}H${width - right}`} />
          <text x={left - 8} y={y(fen) + 4} textAnchor="end">
            {(fen / 100).toFixed(step < 10 ? 2 : 1)}
          </text>
        </g>
      ))}
      <text x={left - 8} y={13} textAnchor="end">
        {t("元/kg")}
      </text>
      {ticks.map((at, index) => (
        <text
          key={at}
          x={x(at)}
          y={height - 8}
          textAnchor={index === 0 ? "start" : index === marks - 1 ? "end" : "middle"}
        >
          {dayOf(days[at] ?? "")}
        </text>
      ))}
      {series.map(({ code, points }, at) => {
        const end = ends[at] ?? -1;
        if (end < 0) return null;
        const fen = points[end] ?? 0;
        return (
          <g key={code} className={`series s${at + 1}`}>
            <path className="line" d={path(points)} />
            <circle cx={x(end)} cy={y(fen)} r="3" />
            {name !== "narrow" && (
              <text className="name" x={x(end) + 10} y={names[at]}>
                {nameOf(code)} {yuan(fen)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

interface TrendProps {
  trend: PriceTrend;
  /** Address of this page with another span of days. */
  address: (days: number) => string;
  breed: string;
  /** Breed in words. */
  breedName: string;
}

/** How prices went: lines of up to five areas, which a form chooses, and the figures behind them as a table. */
export function MarketTrend({ trend, address, breed, breedName }: TrendProps) {
  const t = useTranslate();
  const nameOf = useAreaName();
  const dayOf = useDay();
  const { days, series } = trend;
  const span = days.length;
  const chosen = series.map(({ code }) => code);
  const label = t("近 {days} 天{breed}价格走势，数值在下面的数据表里", { days: span, breed: breedName });
  /** A year as a table is one row a week. */
  const every = span > 100 ? 7 : 1;
  const shown = days.map((_, at) => at).filter((at) => (span - 1 - at) % every === 0);
  return (
    <section className="market-trend" id="trend" aria-labelledby="trend-title">
      <header>
        <h2 id="trend-title">{t("走势")}</h2>
        <ul className="legend">
          {series.map(({ code, points }, at) => {
            const last = points.findLast((fen) => fen > 0);
            return (
              <li key={code} className={`s${at + 1}`}>
                <i aria-hidden="true" />
                {nameOf(code)} <em className="num">{last === undefined ? "—" : yuan(last)}</em>
              </li>
            );
          })}
        </ul>
        <nav className="seg-links" aria-label={t("走势的长短")}>
          {trendDays.map((one) => (
            <a key={one} href={`${address(one)}#trend`} aria-current={one === span ? "true" : undefined}>
              {one === 365 ? t("1 年") : t("{count} 天", { count: one })}
            </a>
          ))}
        </nav>
      </header>
      <figure>
        {sizes.map((size) => (
          <Chart key={size.name} trend={trend} size={size} label={label} />
        ))}
      </figure>
      <div className="trend-more">
        <details>
          <summary>{t("换几个省")}</summary>
          <form method="get" action="/market#trend">
            <input type="hidden" name="breed" value={breed} />
            <input type="hidden" name="days" value={span} />
            <fieldset>
              <legend>{t("全国之外最多四个省")}</legend>
              {pricedProvinces.map(({ code }) => (
                <label key={code}>
                  <input type="checkbox" name="area" value={code} defaultChecked={chosen.includes(code)} />{" "}
                  {nameOf(code)}
                </label>
              ))}
            </fieldset>
            <button className="btn primary" type="submit">
              {t("画出来")}
            </button>
          </form>
        </details>
        <details>
          <summary>{t("数据表")}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <section className="trend-table" tabIndex={0} aria-label={t("走势数据表")}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t("日期")}</th>
                  {series.map(({ code }) => (
                    <th key={code} scope="col">
                      {nameOf(code)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.toReversed().map((at) => (
                  <tr key={days[at]}>
                    <th scope="row" className="num">
                      {dayOf(days[at] ?? "")}
                    </th>
                    {series.map(({ code, points }) => (
                      <td key={code} className="num">
                        {points[at] ? yuan(points[at]) : "—"}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </details>
      </div>
    </section>
  );
}
