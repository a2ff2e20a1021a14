import { climateTarget } from "@herdwise/device-kinds";
import { lazy, Suspense, useState } from "react";
import { Icon } from "../../shared/icons/icon.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { type ChartSeries, valueNear } from "./history-values.ts";
import { useHistories } from "./use-history.ts";
import type { UnitNow } from "./use-unit.ts";

const HistoryChart = lazy(() => import("./history-chart.tsx").then((module) => ({ default: module.HistoryChart })));

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const keys = ["t_in", "t_out", "gear"] as const;
/** Days of a batch that the raw and hourly store can still tell (devices.md: five years of hours; a batch is shorter). */
const longestBatchDays = 200;

function HistoryTable({ inside, outside, gears, spanMs }: ChartSeries & { spanMs: number }) {
  const t = useTranslate();
  const { number, dateTime, time } = useFormats();
  const said = (value: number | undefined, decimals: number): string =>
    value === undefined ? "--" : number(value, decimals);
  return (
    <section
      className="hist-table"
      aria-label={t("数据表")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      <table className="tbl">
        <thead>
          <tr>
            <th scope="col">{t("时间")}</th>
            <th scope="col" className="n">
              {t("舍内 ℃")}
            </th>
            <th scope="col" className="n">
              {t("舍外 ℃")}
            </th>
            <th scope="col" className="n">
              {t("档位")}
            </th>
          </tr>
        </thead>
        <tbody>
          {inside.toReversed().map(({ atMs, value }) => (
            <tr key={atMs}>
              <th scope="row">{spanMs > dayMs ? dateTime(atMs) : time(atMs)}</th>
              <td className="n">{number(value, 1)}</td>
              <td className="n">{said(valueNear(outside, atMs), 1)}</td>
              <td className="n">{said(valueNear(gears, atMs), 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A day, a week or the batch: the same numbers as a chart and as a table. */
export function UnitHistory({ unit, target }: { unit: UnitNow; target: number | undefined }) {
  const t = useTranslate();
  const spans = [
    { name: t("24 小时"), spanMs: dayMs },
    { name: t("7 日"), spanMs: 7 * dayMs },
    ...(unit.ageDays === undefined
      ? []
      : [{ name: t("本批"), spanMs: Math.min(longestBatchDays, Math.max(1, unit.ageDays)) * dayMs }]),
  ];
  const [spanMs, setSpanMs] = useState(dayMs);
  const [asTable, setAsTable] = useState(false);
  const { value, error, loading, reload } = useHistories(unit.deviceId, keys, spanMs);
  const weightKg = unit.averageWeightGrams === undefined ? undefined : unit.averageWeightGrams / 1000;
  const comfort = climateTarget(unit.pigstyType, weightKg).temperatureComfort;
  const series: ChartSeries = { inside: value?.t_in ?? [], outside: value?.t_out ?? [], gears: value?.gear ?? [] };
  const title = spans.find((span) => span.spanMs === spanMs)?.name ?? "";
  return (
    <section className="card" aria-labelledby="history-title">
      <header>
        <h2 id="history-title">{t("温度与档位，{span}", { span: title })}</h2>
        <span className="sp" />
        <fieldset className="seg">
          <legend className="sr">{t("时间范围")}</legend>
          {spans.map((span) => (
            <button
              key={span.name}
              type="button"
              aria-pressed={span.spanMs === spanMs}
              onClick={() => setSpanMs(span.spanMs)}
            >
              {span.name}
            </button>
          ))}
        </fieldset>
        <button
          type="button"
          className="btn i"
          aria-pressed={asTable}
          aria-label={t("看数据表")}
          onClick={() => setAsTable(!asTable)}
        >
          <Icon name="table" small />
        </button>
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("历史曲线")} kept={value !== undefined} />}
      {!value && loading && (
        <div className="chart wait" role="status">
          <span className="sr">{t("正在加载")}</span>
        </div>
      )}
      {value && series.inside.length === 0 && <ExceptionView type="empty" text={t("这段时间没有温度数据。")} />}
      {value && series.inside.length > 0 && asTable && <HistoryTable {...series} spanMs={spanMs} />}
      {value && series.inside.length > 0 && !asTable && (
        <Suspense fallback={<div className="chart wait" />}>
          <HistoryChart {...series} comfort={comfort} target={target} spanMs={spanMs} />
        </Suspense>
      )}
    </section>
  );
}
