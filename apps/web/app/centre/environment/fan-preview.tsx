import { checkParameter, environment, type FanTableRow, fullFans, replayGears } from "@herdwise/device-kinds";
import { useMemo } from "react";
import type { TimePoint } from "../../shared/chart/time-points.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ChangeKey } from "../kind/change-key.tsx";
import styles from "../kind/parameters.module.css";
import { useHistories } from "../kind/use-history.ts";

const dayMs = 86_400_000;
const keys = ["t_in"] as const;
const none: readonly TimePoint[] = [];
const left = 44;
const right = 352;

/** What is wrong with a table stands at its fields; what it would do can't be told then. */
const isTable = (value: unknown): value is FanTableRow[] => {
  const table = environment.parameters.find(({ key }) => key === "fan_table");
  return table !== undefined && checkParameter(table, value).length === 0;
};

/** A line in steps: it keeps its height until the next point. */
const stepPath = (points: readonly (readonly [x: number, y: number])[], end: number): string =>
  [
    ...points.map(([x, y], at) => `${at === 0 ? `M${x.toFixed(1)},` : `H${x.toFixed(1)}V`}${y.toFixed(1)}`),
    `H${end.toFixed(1)}`,
  ].join("");

/** What a fan table makes of the house: gears and air by temperature, and the last day played once more with it. */
export function FanPreview({
  deviceId,
  before,
  value,
  fanM3h,
  temperature,
}: {
  deviceId: string;
  before: unknown;
  value: unknown;
  /** Air of one fan at full speed, m³/h. */
  fanM3h: number;
  /** °C in the house now. */
  temperature: number | undefined;
}) {
  const t = useTranslate();
  const { number, time } = useFormats();
  const { value: histories } = useHistories(deviceId, keys, dayMs);
  const measured = histories?.points.t_in ?? none;
  const [was, now] = [isTable(before) ? before : [], isTable(value) ? value : []];
  const replays = useMemo(
    () => [replayGears(measured, was), replayGears(measured, now)] as const,
    // The tables are new arrays at each keystroke; their text is what counts.
    [measured, JSON.stringify(was), JSON.stringify(now)],
  );
  if (now.length === 0)
    return (
      <section className="card">
        <p className="calm">{t("改正表里的问题后，这里会显示温度对应的档位和排风。")}</p>
      </section>
    );
  const [old, fresh] = replays;
  const temperatures = [...was, ...now].map(({ t_up }) => t_up);
  const low = Math.floor(Math.min(...temperatures) - 1);
  const high = Math.ceil(Math.max(...temperatures) + 1);
  const x = (celsius: number): number => left + ((right - left) * (celsius - low)) / (high - low);
  const most = Math.max(1, ...[...was, ...now].map((row) => fullFans(row) * fanM3h));
  const gears = Math.max(was.length, now.length);
  const gearY = (gear: number): number => 112 - (gear / gears) * 92;
  const airY = (air: number): number => 222 - (air / most) * 78;
  const lines = (table: readonly FanTableRow[], y: (row: FanTableRow | undefined) => number): string =>
    stepPath([[left, y(undefined)], ...table.map((row) => [x(row.t_up), y(row)] as const)], right);
  const atGear = (row: FanTableRow | undefined): number => gearY(row?.gear ?? 0);
  const atAir = (row: FanTableRow | undefined): number => airY(row ? fullFans(row) * fanM3h : 0);
  const [start, end] = [measured[0]?.atMs ?? 0, measured.at(-1)?.atMs ?? 1];
  const when = (atMs: number): number => left + ((right - left) * (atMs - start)) / Math.max(1, end - start);
  const strip = (steps: typeof fresh.steps, base: number): string =>
    stepPath(
      steps.map(({ atMs, gear }) => [when(atMs), base - (gear / gears) * 40] as const),
      right,
    );
  const values = measured.map((point) => point.value);
  const [coldest, hottest] = [Math.floor(Math.min(...values)), Math.ceil(Math.max(...values))];
  const warmY = (celsius: number): number => 72 - (56 * (celsius - coldest)) / Math.max(1, hottest - coldest);
  const facts: readonly (readonly [string, string, string])[] = [
    [
      t("最短停留"),
      fresh.shortestMs === undefined ? "--" : t("{count} 分钟", { count: Math.round(fresh.shortestMs / 60_000) }),
      old.shortestMs === undefined ? "--" : t("{count} 分钟", { count: Math.round(old.shortestMs / 60_000) }),
    ],
    [t("到过的最高档"), t("{gear} 档", { gear: fresh.highest }), t("{gear} 档", { gear: old.highest })],
  ];
  return (
    <>
      <section className="card" aria-labelledby="fan-preview-title">
        <header>
          <h2 id="fan-preview-title">{t("照这张表，过去 24 小时风机会换档")}</h2>
        </header>
        {measured.length < 2 ? (
          <p className="calm">{t("过去 24 小时没有舍温数据，不能回放。")}</p>
        ) : (
          <div className={styles.plot}>
            <p className={styles.loud}>
              <b className="num">{fresh.changes}</b>{" "}
              {fresh.changes === old.changes ? t("次，和原来一样") : t("次，原来 {count} 次", { count: old.changes })}
            </p>
            <p className={styles.note}>{t("用实测舍温回放，没有算换档对温度的影响")}</p>
            <svg
              viewBox="0 0 380 220"
              role="img"
              aria-label={t("过去 24 小时的舍温，和新旧两张表的档位：新表换档 {fresh} 次，原来 {old} 次", {
                fresh: fresh.changes,
                old: old.changes,
              })}
            >
              <text className={styles.axis} x={left - 6} y={10} textAnchor="end">
                ℃
              </text>
              {[coldest, hottest].map((celsius) => (
                <g key={celsius}>
                  <path className={styles.grid} d={`M${left},${warmY(celsius)}H${right}`} />
                  <text className={styles.axis} x={left - 6} y={warmY(celsius) + 4} textAnchor="end">
                    {celsius}
                  </text>
                </g>
              ))}
              <path
                className={styles.warm}
                d={measured
                  .map(
                    ({ atMs, value: celsius }, at) =>
                      `${at === 0 ? "M" : "L"}${when(atMs).toFixed(1)},${warmY(celsius).toFixed(1)}`,
                  )
                  .join("")}
              />
              <text className={styles.axis} x={left - 6} y={118} textAnchor="end">
                {t("原来")}
              </text>
              <path className={styles.lineBefore} d={strip(old.steps, 132)} />
              <text className={styles.axis} x={left - 6} y={178} textAnchor="end">
                {t("新表")}
              </text>
              <path className={styles.lineNow} d={strip(fresh.steps, 190)} />
              {[start, (start + end) / 2, end].map((atMs, at) => (
                <text
                  key={atMs}
                  className={styles.axis}
                  x={when(atMs)}
                  y={212}
                  textAnchor={(["start", "middle", "end"] as const)[at]}
                >
                  {time(atMs)}
                </text>
              ))}
            </svg>
            <dl className={styles.facts}>
              {facts.map(([name, now_, was_]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{now_}</dd>
                  <dd className="mut">{t("原来 {value}", { value: was_ })}</dd>
                </div>
              ))}
            </dl>
          </div>
        )}
      </section>
      <section className="card" aria-labelledby="fan-air-title">
        <header>
          <h2 id="fan-air-title">{t("温度对应的档与排风")}</h2>
        </header>
        <div className={styles.plot}>
          <svg
            viewBox="0 0 380 262"
            role="img"
            aria-label={t("温度对应的档位和排风量，{low} 到 {high} ℃，最多 {gears} 档、{air} m³/h", {
              low,
              high,
              gears,
              air: number(most),
            })}
          >
            <text className={styles.axis} x={left - 6} y={10} textAnchor="end">
              {t("档")}
            </text>
            {[0, Math.round(gears / 2), gears].map((gear) => (
              <g key={gear}>
                <path className={styles.grid} d={`M${left},${gearY(gear)}H${right}`} />
                <text className={styles.axis} x={left - 6} y={gearY(gear) + 4} textAnchor="end">
                  {gear}
                </text>
              </g>
            ))}
            <text className={styles.axis} x={4} y={131}>
              {t("千 m³/h")}
            </text>
            {[0, most / 2, most].map((air) => (
              <g key={air}>
                <path className={styles.grid} d={`M${left},${airY(air)}H${right}`} />
                <text className={styles.axis} x={left - 6} y={airY(air) + 4} textAnchor="end">
                  {number(air / 1000)}
                </text>
              </g>
            ))}
            <path className={styles.lineBefore} d={lines(was, atGear)} />
            <path className={styles.lineNow} d={lines(now, atGear)} />
            <path className={styles.lineBefore} d={lines(was, atAir)} />
            <path className={styles.lineAir} d={lines(now, atAir)} />
            {temperature !== undefined && temperature >= low && temperature <= high && (
              <g>
                <path className={styles.mark} d={`M${x(temperature)},16V222`} />
                <text
                  className={styles.axis}
                  x={x(temperature) + (x(temperature) > 280 ? -5 : 5)}
                  y={24}
                  textAnchor={x(temperature) > 280 ? "end" : "start"}
                >
                  {t("现在 {value} ℃", { value: number(temperature, 1) })}
                </text>
              </g>
            )}
            {[low, Math.round((low + high) / 2), high].map((celsius, at) => (
              <text
                key={celsius}
                className={styles.axis}
                x={x(celsius)}
                y={244}
                textAnchor={(["start", "middle", "end"] as const)[at]}
              >
                {celsius} ℃
              </text>
            ))}
          </svg>
        </div>
        <ChangeKey now="这张表" before="原来" />
      </section>
    </>
  );
}
