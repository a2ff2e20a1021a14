import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { useAddressValues } from "../../shared/address/use-address.ts";
import type { Loading } from "../../shared/api/use-load.ts";
import type { TimeChartProps, TimePanel } from "../../shared/chart/time-chart.tsx";
import { gapsOf, type Silence, silencesOf, valueAt } from "../../shared/chart/time-points.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { TabLink } from "./frame-tabs.tsx";
import { useKind } from "./kind-view.ts";
import { lastNight } from "./night.ts";
import type { Span } from "./span.ts";
import type { Histories } from "./use-history.ts";

const ExportDialog = lazy(() => import("./export-dialog.tsx").then((module) => ({ default: module.ExportDialog })));
const TimeChart = lazy(() =>
  import("../../shared/chart/time-chart.tsx").then((module) => ({ default: module.TimeChart })),
);

const dayMs = 86_400_000;

/** Hours are kept for five years (decisions.md 7), days for good. */
const rareSpans = [
  { id: "30d", name: "30 日", days: 30 },
  { id: "90d", name: "90 日", days: 90 },
  { id: "1y", name: "1 年", days: 365 },
  { id: "5y", name: "5 年", days: 1825 },
] as const;

/** The usual spans, and the one that the address chooses. @param more spans of this page, such as the batch */
export function useSpan(more: readonly Span[] = []): {
  spans: readonly Span[];
  span: Span;
  choose: (id: string) => void;
} {
  const t = useTranslate();
  const [search, change] = useAddressValues();
  const day: Span = { id: "24h", name: t("24 小时"), spanMs: dayMs };
  const rare = rareSpans.map(({ id, name, days }): Span => ({ id, name: t(name), spanMs: days * dayMs, rare: true }));
  const night: Span = { id: "night", name: t("昨夜"), ...lastNight(Date.now()) };
  const spans = [day, night, { id: "7d", name: t("7 日"), spanMs: 7 * dayMs }, ...more, ...rare];
  const span = spans.find(({ id }) => id === search.get("range")) ?? day;
  const choose = (id: string): void => change({ range: id === day.id ? undefined : id });
  return { spans, span, choose };
}

/** A pause after which a device counts as silent: that of its kind, or of a longer span two of its buckets. */
const longestPauseMs = (spanMs: number, offlineAfterS: number): number => {
  const bucketS = spanMs <= 1.1 * dayMs ? 0 : spanMs <= 90 * dayMs ? 3600 : 86_400;
  return Math.max(offlineAfterS, 2.5 * bucketS) * 1000;
};

function HistoryTable({ panels, silences, spanMs }: Pick<TimeChartProps, "panels" | "silences"> & { spanMs: number }) {
  const t = useTranslate();
  const { number, dateTime, time } = useFormats();
  const lines = panels.flatMap(({ series }) =>
    series.map((line) => ({ ...line, silences: [...silences, ...gapsOf(line.points, line.doubts ?? [])] })),
  );
  const [main] = lines.toSorted((a, b) => b.points.length - a.points.length);
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
            {lines.map(({ name, unit }) => (
              <th key={name} scope="col" className="numeric">
                {`${name} ${unit}`.trim()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(main?.points ?? []).toReversed().map(({ atMs }) => (
            <tr key={atMs}>
              <th scope="row">{spanMs > dayMs ? dateTime(atMs) : time(atMs)}</th>
              {lines.map((line) => {
                const value = valueAt(line.points, atMs, line.silences);
                return (
                  <td key={line.name} className="numeric">
                    {value === undefined ? "--" : number(value, line.decimals)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface HistoryProps {
  /** Whose raw values can be exported. */
  deviceId: string;
  /** The keys of the panels' lines, with their names. */
  shown: readonly { key: string; name: string }[];
  title: string;
  label: string;
  loaded: Loading<Histories>;
  panels: readonly TimePanel[];
  /** Only what led to now: the last day, and the way to the whole history. */
  brief?: boolean;
  span?: Span;
  spans?: readonly Span[];
  onSpan?: (id: string) => void;
  empty?: string;
  /** The curve as the document's own script drew it, shown until the chart is here. */
  ahead?: string | undefined;
  /** Between head and chart: what is shown. */
  children?: ReactNode;
  /** Below the chart: what band and target are. */
  legend?: ReactNode;
}

/** Values over a span of time: the same numbers as a chart and as a table. The span stands in the address. */
export function TimeHistory(props: HistoryProps) {
  const t = useTranslate();
  const { deviceId, shown, title, label, loaded, panels, brief = false, spans = [], onSpan, children, legend } = props;
  const { span = { id: "24h", name: t("24 小时"), spanMs: dayMs }, empty = t("这段时间没有数据。") } = props;
  const { offlineAfterS } = useKind().kind;
  const [asTable, setAsTable] = useState(false);
  const [exporting, setExporting] = useState(false);
  const { value, error, loading, reload } = loaded;
  const heard = useMemo(() => value?.heardMs ?? [], [value]);
  const silences = useMemo(
    (): Silence[] => silencesOf(heard, longestPauseMs(span.spanMs, offlineAfterS)),
    [heard, span.spanMs, offlineAfterS],
  );
  const none = panels.every(({ series }) =>
    series.every(({ points, doubts = [] }) => points.length === 0 && doubts.length === 0),
  );
  const endMs = value?.endMs ?? 0;
  // Hatched in the chart.
  const isBroken =
    silences.some(([, toMs]) => toMs > endMs - span.spanMs) ||
    panels.some(({ series }) => series.some(({ points, doubts = [] }) => gapsOf(points, doubts).length > 0));
  const { ahead } = props;
  const waiting = ahead ? (
    <div className="first-curve" dangerouslySetInnerHTML={{ __html: ahead }} />
  ) : (
    <div className={brief ? "chart wait brief" : "chart wait"} />
  );
  return (
    <section className="card" aria-labelledby="history-title">
      <header>
        <h2 id="history-title">{title}</h2>
        <span className="spacer" />
        {brief ? (
          <span className="links">
            <TabLink tab="history" range="night">
              {t("昨夜")}
            </TabLink>
            <TabLink tab="history">{t("更久")}</TabLink>
          </span>
        ) : (
          <>
            <fieldset className="seg">
              <legend className="visually-hidden">{t("时间范围")}</legend>
              {spans
                .filter(({ rare }) => !rare)
                .map(({ id, name }) => (
                  <button key={id} type="button" aria-pressed={id === span.id} onClick={() => onSpan?.(id)}>
                    {name}
                  </button>
                ))}
            </fieldset>
            <select
              className="chip"
              aria-label={t("更长的时间")}
              value={span.rare ? span.id : ""}
              onChange={({ target }) => target.value && onSpan?.(target.value)}
            >
              <option value="">{t("更久")}</option>
              {spans
                .filter(({ rare }) => rare)
                .map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
            </select>
            <button
              type="button"
              className="btn icon-only"
              aria-pressed={asTable}
              aria-label={t("看数据表")}
              onClick={() => setAsTable(!asTable)}
            >
              <Icon name="table" small />
            </button>
            <button
              type="button"
              className="btn icon-only"
              aria-haspopup="dialog"
              aria-label={t("导出原始数据")}
              title={t("导出原始数据")}
              onClick={() => setExporting(true)}
            >
              <Icon name="download" small />
            </button>
          </>
        )}
      </header>
      {exporting && (
        <Suspense fallback={null}>
          <ExportDialog deviceId={deviceId} shown={shown} span={span} onClose={() => setExporting(false)} />
        </Suspense>
      )}
      {children}
      {error && <LoadingProblem error={error} onRetry={reload} what={t("历史曲线")} kept={value !== undefined} />}
      {!value && loading && (
        <div role="status">
          <span className="visually-hidden">{t("正在加载")}</span>
          {waiting}
        </div>
      )}
      {value && none && <ExceptionView type="empty" text={empty} />}
      {value && !none && asTable && <HistoryTable panels={panels} silences={silences} spanMs={span.spanMs} />}
      {value && !none && !asTable && (
        <Suspense fallback={waiting}>
          <TimeChart
            label={label}
            panels={panels}
            startMs={endMs - span.spanMs}
            endMs={endMs}
            silences={silences}
            heardMs={heard.length === 0 ? undefined : Math.max(...heard)}
          />
          {(legend || isBroken) && (
            <div className="chart-keys">
              {legend}
              {isBroken && (
                <p className="chart-key">
                  <span>
                    <i className="hatched" />
                    {t("没有数据")}
                  </span>
                </p>
              )}
            </div>
          )}
        </Suspense>
      )}
    </section>
  );
}
