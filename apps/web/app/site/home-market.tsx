import type { PriceTrend, Quotations } from "@herdwise/contract";
import { useTranslate } from "../shared/language/use-language.ts";
import { Change } from "../shared/prices/change.tsx";
import { signedPercent, yuan } from "../shared/prices/price-words.ts";
import { useAreaName } from "../shared/prices/use-area-name.ts";
import { useDay } from "../shared/prices/use-day.ts";
import { Day, ExampleMark } from "./article-parts.tsx";
import type { HomeText } from "./home-text.ts";

const size = { width: 480, height: 150, left: 4, right: 4, top: 26, bottom: 24 };

/** The nation's last thirty days. */
function Curve({ trend: { days, series } }: { trend: PriceTrend }) {
  const t = useTranslate();
  const dayOf = useDay();
  const points = series[0]?.points ?? [];
  const held = points.flatMap((fen, at) => (fen > 0 ? [{ at, fen }] : []));
  const [first, last] = [held[0], held.at(-1)];
  if (first === undefined || last === undefined) return null;
  const prices = held.map(({ fen }) => fen);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const x = (at: number): number =>
    Math.round(size.left + (at / Math.max(1, points.length - 1)) * (size.width - size.left - size.right));
  const y = (fen: number): number =>
    Math.round(
      size.height - size.bottom - ((fen - low) / Math.max(1, high - low)) * (size.height - size.top - size.bottom),
    );
  const label = t("近 30 天全国均价从 {from} 到 {to} 元/kg", { from: yuan(first.fen), to: yuan(last.fen) });
  return (
    <svg className="home-curve" viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={label}>
      <path className="line" d={`M${held.map(({ at, fen }) => `${x(at)},${y(fen)}`).join("L")}`} />
      <circle cx={x(last.at)} cy={y(last.fen)} r="4" />
      <text x={x(first.at)} y={y(first.fen) - 10}>
        {yuan(first.fen)}
      </text>
      <text className="last" x={x(last.at)} y={y(last.fen) - 10} textAnchor="end">
        {yuan(last.fen)}
      </text>
      <text x={size.left} y={size.height - 4}>
        {dayOf(days[0] ?? "")}
      </text>
      <text x={size.width - size.right} y={size.height - 4} textAnchor="end">
        {dayOf(days.at(-1) ?? "")}
      </text>
    </svg>
  );
}

/** Today's prices on the home page: the nation, its month, the macro-regions. */
export function HomeMarket({ prices, trend, text }: { prices: Quotations; trend: PriceTrend; text: HomeText }) {
  const t = useTranslate();
  const nameOf = useAreaName();
  const { nation } = prices;
  if (nation.fen === undefined) return null;
  return (
    <section className="site-section" id="market" aria-labelledby="home-market-title">
      <div className="wrap home-market">
        <div>
          <h2 id="home-market-title">
            {text("title")}
            {prices.example && <ExampleMark />}
          </h2>
          <p className="big">
            <b className="num">{yuan(nation.fen)}</b>
            <small>{t("元/kg")}</small>
          </p>
          {nation.yesterdayFen !== undefined && (
            <p>
              <Change now={nation.fen} before={nation.yesterdayFen} />{" "}
              <span className="mut">
                {t("比昨日 {percent}", { percent: signedPercent(nation.fen, nation.yesterdayFen) })}
              </span>
            </p>
          )}
          <p className="mut">
            <Day at={`${prices.day} 00:00:00`} />
            {" · "}
            {t("{count} 省有报价", { count: prices.updated })}
          </p>
        </div>
        <div>
          <h3>{t("近 30 天")}</h3>
          <Curve trend={trend} />
        </div>
        <div>
          <div className="home-regions-head">
            <h3>{t("七大区")}</h3>
            <a className="link" href="/market">
              {t("行情详情")}
            </a>
          </div>
          <table>
            <tbody>
              {prices.regions.map((region) => (
                <tr key={region.code}>
                  <th scope="row">{nameOf(region.code)}</th>
                  <td className="num">{region.fen === undefined ? "—" : yuan(region.fen)}</td>
                  <td>
                    <Change now={region.fen} before={region.yesterdayFen} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </section>
  );
}
