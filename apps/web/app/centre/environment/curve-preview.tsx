import { useTranslate } from "../../shared/language/use-language.ts";
import type { SettingsPreviewProps } from "../kind/kind-view.ts";
import styles from "../kind/parameters.module.css";

interface Point {
  day: number;
  target: number;
}

const left = 40;
const right = 360;

const pointsOf = (value: unknown): Point[] =>
  (Array.isArray(value) ? (value as Readonly<Record<string, unknown>>[]) : [])
    .flatMap(({ day, t_target: target }) =>
      typeof day === "number" && typeof target === "number" ? [{ day, target }] : [],
    )
    .toSorted((one, other) => one.day - other.day);

/** The target over the days of a batch, as the curve gives it; nothing without a curve. */
export function CurvePreview({ before, value }: SettingsPreviewProps) {
  const t = useTranslate();
  const [was, now] = [pointsOf(before("day_curve")), pointsOf(value("day_curve"))];
  if (now.length < 2) return null;
  const all = [...was, ...now];
  const [first, last] = [Math.min(...all.map(({ day }) => day)), Math.max(...all.map(({ day }) => day))];
  const [low, high] = [
    Math.floor(Math.min(...all.map(({ target }) => target)) - 1),
    Math.ceil(Math.max(...all.map(({ target }) => target)) + 1),
  ];
  const x = (day: number): number => left + ((right - left) * (day - first)) / Math.max(1, last - first);
  const y = (celsius: number): number => 140 - (120 * (celsius - low)) / (high - low);
  const path = (points: readonly Point[]): string =>
    points.map(({ day, target }, at) => `${at === 0 ? "M" : "L"}${x(day).toFixed(1)},${y(target).toFixed(1)}`).join("");
  const holds = value("curve_enabled") === true;
  return (
    <section className="card" aria-labelledby="curve-title">
      <header>
        <h2 id="curve-title">{t("按日龄的目标温度")}</h2>
        <span className="age">{t(holds ? "曲线启用" : "曲线没有启用，按目标温度")}</span>
      </header>
      <div className={styles.plot}>
        <svg
          viewBox="0 0 380 176"
          role="img"
          aria-label={t("目标温度从第 {first} 天的 {from} ℃ 到第 {last} 天的 {to} ℃", {
            first: now[0]?.day ?? 0,
            from: now[0]?.target ?? 0,
            last: now.at(-1)?.day ?? 0,
            to: now.at(-1)?.target ?? 0,
          })}
        >
          {[low, high].map((celsius) => (
            <g key={celsius}>
              <path className={styles.grid} d={`M${left},${y(celsius)}H${right}`} />
              <text className={styles.axis} x={left - 6} y={y(celsius) + 4} textAnchor="end">
                {celsius} ℃
              </text>
            </g>
          ))}
          <path className={styles.lineBefore} d={path(was)} />
          <path className={styles.lineNow} d={path(now)} />
          {[first, last].map((day, at) => (
            <text key={day} className={styles.axis} x={x(day)} y={164} textAnchor={at === 0 ? "start" : "end"}>
              {t("第 {day} 天", { day })}
            </text>
          ))}
        </svg>
      </div>
    </section>
  );
}
