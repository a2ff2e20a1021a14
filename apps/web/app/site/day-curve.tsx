import type { KindFigures } from "@herdwise/contract";
import { marksOf } from "../shared/drawings/value-marks.ts";
import { trueMinus } from "../shared/language/true-minus.ts";
import { useFormats, useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { gapsOf, piecesOf } from "./day-scale.ts";

const hourMs = 3_600_000;
const shownHours = 24;
const edges = { left: 46, right: 12, top: 26, bottom: 28 };
type Day = NonNullable<KindFigures["day"]>;

interface Size {
  name: "wide" | "middle" | "narrow";
  width: number;
  height: number;
  /** Hours between two marks of the time axis. */
  everyHours: number;
}
/** Drawn for the width that it gets, so that its words keep their size on a phone. */
const sizes: readonly Size[] = [
  { name: "wide", width: 1174, height: 260, everyHours: 3 },
  { name: "middle", width: 700, height: 240, everyHours: 3 },
  { name: "narrow", width: 310, height: 220, everyHours: 6 },
];

/** Clock of the demo farms' time zone. */
const clock = new Intl.DateTimeFormat("zh-CN", {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "Asia/Shanghai",
});

function Chart({ day: { endMs, series, unit, decimals }, size }: { day: Day; size: Size }) {
  const language = useLanguage();
  const { number } = useFormats();
  const { name, width, height, everyHours } = size;
  const fromMs = endMs - shownHours * hourMs;
  const marks = marksOf(series.flatMap(({ points }) => points.map(([, value]) => value)));
  const [lowest = 0, highest = 1] = [marks[0], marks.at(-1)];
  const round = (place: number): number => Math.round(place * 10) / 10;
  const x = (atMs: number): number =>
    round(edges.left + ((atMs - fromMs) / (endMs - fromMs)) * (width - edges.left - edges.right));
  const y = (value: number): number =>
    round(height - edges.bottom - ((value - lowest) / (highest - lowest)) * (height - edges.top - edges.bottom));
  const hours = Array.from({ length: shownHours / everyHours + 1 }, (_, at) => fromMs + at * everyHours * hourMs);
  const markDecimals = marks.some((mark) => !Number.isInteger(mark)) ? Math.max(1, decimals) : 0;
  return (
    <svg className={`day-chart ${name}`} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <defs>
        <pattern id={`hatch-${name}`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path className="hatch" d="M0,0V6" />
        </pattern>
      </defs>
      {gapsOf(series[0]?.points ?? [], fromMs, endMs).map(([from, to]) => (
        <rect
          key={from}
          fill={`url(#hatch-${name})`}
          x={x(from)}
          y={edges.top}
          width={x(to) - x(from)}
          height={height - edges.top - edges.bottom}
        />
      ))}
      {marks.map((mark) => (
        <g key={mark}>
          <path className="grid" d={`M${edges.left},${y(mark)}H${width - edges.right}`} />
          <text x={edges.left - 8} y={y(mark) + 4} textAnchor="end">
            {trueMinus(number(mark, markDecimals))}
          </text>
        </g>
      ))}
      <text x={edges.left - 8} y={12} textAnchor="end">
        {unit[language]}
      </text>
      {hours.map((atMs, at) => (
        <text key={atMs} x={x(atMs)} y={height - 6} textAnchor={at === hours.length - 1 ? "end" : "middle"}>
          {clock.format(atMs)}
        </text>
      ))}
      {series.map(({ key, points }, at) =>
        piecesOf(points).map((piece) => (
          <path
            key={`${key} ${piece[0]?.[0]}`}
            className={`line s${at + 1}`}
            // An hour stands at its middle; one alone is a short stroke.
            d={
              piece.length === 1
                ? `M${x(piece[0]?.[0] ?? 0)},${y(piece[0]?.[1] ?? 0)}H${x((piece[0]?.[0] ?? 0) + hourMs)}`
                : `M${piece.map(([atMs, value]) => `${x(atMs + hourMs / 2)},${y(value)}`).join("L")}`
            }
          />
        )),
      )}
    </svg>
  );
}

/** The last day of a device that visitors may see: one measured curve, where it comes from, and what is missing in it. */
export function DayCurve({ day }: { day: Day }) {
  const t = useTranslate();
  const language = useLanguage();
  const { number } = useFormats();
  const { endMs, series, unit, decimals } = day;
  const fromMs = endMs - shownHours * hourMs;
  const missing = gapsOf(series[0]?.points ?? [], fromMs, endMs).reduce(
    (sum, [from, to]) => sum + (to - from) / hourMs,
    0,
  );
  const told = (value: number): string => `${trueMinus(number(value, decimals))} ${unit[language]}`;
  const values = series.map(({ points }) => new Map(points));
  return (
    <figure className="day-curve">
      <figcaption>
        <ul className="legend">
          {series.map(({ key, name, points }, at) => {
            const all = points.map(([, value]) => value);
            return (
              <li key={key} className={`s${at + 1}`}>
                <i aria-hidden="true" />
                {name[language]}
                {all.length > 0 && (
                  <em>{t("{low} 到 {high}", { low: told(Math.min(...all)), high: told(Math.max(...all)) })}</em>
                )}
              </li>
            );
          })}
        </ul>
        <p className="note">
          {t("演示猪场的一台设备，{from} 到 {to}，每小时的均值。", {
            from: clock.format(fromMs),
            to: clock.format(endMs),
          })}
          {missing > 0 && t("其中 {count} 小时没有数据，画成斜线。", { count: missing })}
        </p>
      </figcaption>
      {sizes.map((size) => (
        <Chart key={size.name} day={day} size={size} />
      ))}
      <details>
        <summary>{t("看表格")}</summary>
        <table className="day-table">
          <thead>
            <tr>
              <th scope="col">{t("时间")}</th>
              {series.map(({ key, name }) => (
                <th key={key} scope="col">
                  {name[language]} {unit[language]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: shownHours }, (_, at) => fromMs + at * hourMs).map((atMs) => (
              <tr key={atMs}>
                <th scope="row">{clock.format(atMs)}</th>
                {series.map(({ key }, at) => {
                  const value = values[at]?.get(atMs);
                  return <td key={key}>{value === undefined ? "--" : trueMinus(number(value, decimals))}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
