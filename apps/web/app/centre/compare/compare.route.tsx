import type { ComparisonAnswer } from "@herdwise/contract";
import { type DeviceKind, rangeOf, shadedOf } from "@herdwise/device-kinds";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { loadKind } from "@herdwise/device-kinds/kind-loader";
import { lazy, Suspense, useMemo } from "react";
import { Link } from "react-router";
import { useAddress } from "../../shared/address/use-address.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import type { TimePanel, TimeSeries } from "../../shared/chart/time-chart.tsx";
import { Select } from "../../shared/forms/select.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { Segments } from "../../shared/kit/segments.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { downloadCsv } from "../../shared/sheets/csv.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { kindPath, useLocalText } from "../kind/kind-view.ts";
import "../kind/kind.css";
import { AddPlace, usePlaceWords } from "./add-place.tsx";
import { AnswerCard, clearestFirst } from "./answer-card.tsx";
import { HoursCard, OthersCard } from "./beside-cards.tsx";
import styles from "./compare.module.css";
import {
  type Alignment,
  alignments,
  type Comparison,
  compareLines,
  type Earlier,
  earlierSpans,
  mostLines,
  mostMeasures,
  readComparison,
  type SpanDays,
  spanDays,
  writeComparison,
} from "./comparison.ts";
import { type Measure, useMeasures } from "./measures.ts";
import { SavedComparisons } from "./saved-comparisons.tsx";
import { Starters } from "./starters.tsx";
import { type ComparedLine, useComparison } from "./use-comparison.ts";

const TimeChart = lazy(() =>
  import("../../shared/chart/time-chart.tsx").then((module) => ({ default: module.TimeChart })),
);

const dayMs = 86_400_000;
const colours = ["--chart-1", "--chart-2", "--chart-4", "--chart-6"] as const;

const spanNames: Readonly<Record<SpanDays, string>> = {
  7: "7 日",
  30: "30 日",
  90: "90 日",
  365: "1 年",
  1825: "5 年",
};
const alignmentNames: Readonly<Record<Alignment, string>> = { time: "日历时间", age: "批次日龄" };
const earlierNames: Readonly<Record<Earlier, string>> = { none: "不比", before: "上一段", year: "去年同期" };

/** A choice of a few words behind its name. */
function NamedSegments<Value extends string | number>({
  label,
  values,
  names,
  chosen,
  onChoose,
}: {
  label: string;
  values: readonly Value[];
  names: Readonly<Record<Value, string>>;
  chosen: Value;
  onChoose: (value: Value) => void;
}) {
  const t = useTranslate();
  return (
    <div className={styles.choice}>
      <span aria-hidden="true">{label}</span>
      <Segments
        label={label}
        values={values.map((value) => [value, t(names[value])] as const)}
        chosen={chosen}
        onChoose={onChoose}
      />
    </div>
  );
}

/** Values of several devices or units beside each other, by time or by the age of their pigs, also against an earlier span. */
function Compared({ comparison, kind, change }: { comparison: Comparison; kind: DeviceKind; change: Change }) {
  const t = useTranslate();
  const local = useLocalText();
  const words = usePlaceWords();
  const { number, dateTime } = useFormats();
  const { places, align, earlier, days } = comparison;
  const drawn = useMeasures(kind);
  const asked = comparison.measures.filter((key) => drawn.some((measure) => measure.key === key));
  const usual = (kind.pages?.figures ?? []).filter((key) => drawn.some((measure) => measure.key === key)).slice(0, 1);
  const keys = (asked.length > 0 ? asked : usual).join();
  const measures = useMemo(
    () => keys.split(",").flatMap((key) => drawn.find((measure) => measure.key === key) ?? []),
    [keys, drawn],
  );
  const { value, error, loading, reload } = useComparison(
    comparison,
    measures.map(({ key }) => key),
  );
  const lines = value?.lines ?? [];
  const nameOf = (line: ComparedLine): string =>
    line.isEarlier ? `${words(line)} ${t(earlierNames[earlier])}` : words(line);
  const seriesOf = (line: ComparedLine, at: number, { key, unit, decimals, isStep }: Measure): TimeSeries => ({
    name: nameOf(line),
    unit,
    decimals,
    points: line.points[key] ?? [],
    step: isStep,
    silences: line.silences[key] ?? [],
    doubts: line.doubts[key] ?? [],
    colour: colours[earlier === "none" ? at % colours.length : Math.floor(at / 2) % colours.length] ?? "--chart-1",
    ...(line.isEarlier && { dashed: true }),
  });
  const panels = measures.map((measure): TimePanel & { measure: Measure } => ({
    measure,
    unit: measure.unit,
    height: measures.length === 1 ? 260 : 150,
    series: lines.map((line, at) => seriesOf(line, at, measure)),
    ...(measure.channel &&
      !measure.isCounter && {
        band: shadedOf(rangeOf(kind, measure.key, {}, { ageS: 0 })),
        valid: measure.channel.valid,
      }),
  }));
  const isEmpty = panels.every(({ series }) => series.every(({ points }) => points.length === 0));
  const placeText = useMemo(
    () => (align === "age" ? (atMs: number) => t("{count} 日龄", { count: Math.round(atMs / dayMs) }) : undefined),
    [align, t],
  );
  const figures = panels.map(({ measure, unit, series }) => ({
    measure,
    unit,
    decimals: Math.max(measure.decimals, 1),
    of: compareLines(
      series.map(({ points }) => points),
      align,
    ),
  }));
  const lead: ComparisonAnswer | undefined = clearestFirst(value?.answers ?? [])[0];
  const leadMeasure = measures.find(({ key }) => key === lead?.key);
  const noAge = align === "age" && lines.some(({ ageDays }) => ageDays === undefined);
  const exportTable = (): void => {
    const times = [
      ...new Set(panels.flatMap(({ series }) => series.flatMap(({ points }) => points.map(({ atMs }) => atMs)))),
    ].sort((a, b) => a - b);
    const columns = panels.flatMap(({ measure, unit, series }) =>
      series.map((line) => ({
        head: `${measure.name} ${unit} ${line.name}`,
        at: new Map(line.points.map((point) => [point.atMs, point.value])),
      })),
    );
    downloadCsv(`${t("数据分析")} ${local(kind.name)}`, [
      [align === "age" ? t("批次日龄") : t("时间"), ...columns.map(({ head }) => head)],
      ...times.map((atMs) => [
        align === "age" ? Math.round((atMs / dayMs) * 100) / 100 : dateTime(atMs),
        ...columns.map(({ at }) => at.get(atMs)),
      ]),
    ]);
  };
  return (
    <>
      <section className={`card ${styles.controls}`} aria-label={t("比什么")}>
        <div className={styles.row}>
          <span>{t("比谁")}</span>
          <ul>
            {places.map((id, at) => {
              const line = lines.find(({ of, isEarlier }) => of === id && !isEarlier);
              const name = line ? words(line) : "…";
              return (
                <li key={id}>
                  <i style={{ background: `var(${colours[at % colours.length]})` }} aria-hidden="true" />
                  <span>
                    {line?.level === "device" ? <Link to={kindPath(kind.kind, "device", id)}>{name}</Link> : name}
                    {line && (
                      <small>
                        {line.level === "farm" ? t("场区") : <Translated text={line.farmName} />}
                        {line.level !== "device" && `　${t("{count} 台设备的平均", { count: line.devices })}`}
                        {line.omitted > 0 && `　${t("另 {count} 台没有算", { count: line.omitted })}`}
                        {line.ageDays !== undefined && `　${t("{count} 日龄", { count: line.ageDays })}`}
                      </small>
                    )}
                  </span>
                  <IconButton
                    small
                    icon="close"
                    label={t("不再比 {name}", { name })}
                    onPress={() => change({ places: places.filter((other) => other !== id) })}
                  />
                </li>
              );
            })}
          </ul>
          {places.length < (earlier === "none" ? mostLines : mostLines / 2) && (
            <AddPlace kind={kind} taken={places} onAdd={(id) => change({ places: [...places, id] })} />
          )}
        </div>
        <div className={styles.row}>
          <span>{t("看什么")}</span>
          <ul>
            {measures.map((measure) => (
              <li key={measure.key}>
                <span>{measure.name}</span>
                {measures.length > 1 && (
                  <IconButton
                    small
                    icon="close"
                    label={t("不再看 {name}", { name: measure.name })}
                    onPress={() =>
                      change({ measures: measures.filter((other) => other !== measure).map(({ key }) => key) })
                    }
                  />
                )}
              </li>
            ))}
          </ul>
          {measures.length < mostMeasures && (
            <select
              className="chip"
              aria-label={t("加一项数值")}
              value=""
              onChange={({ target }) =>
                target.value && change({ measures: [...measures.map(({ key }) => key), target.value] })
              }
            >
              <option value="">{t("加一项数值")}</option>
              {drawn
                .filter((measure) => !measures.includes(measure))
                .map(({ key, name }) => (
                  <option key={key} value={key}>
                    {name}
                  </option>
                ))}
            </select>
          )}
        </div>
        <div className={styles.row}>
          <NamedSegments
            label={t("怎么对齐")}
            values={alignments}
            names={alignmentNames}
            chosen={align}
            onChoose={(next) => change({ align: next, ...(next === "age" && { earlier: "none" as const }) })}
          />
          <NamedSegments
            label={t("哪一段")}
            values={spanDays}
            names={spanNames}
            chosen={days}
            onChoose={(next) => change({ days: next })}
          />
          {align === "time" && (
            <NamedSegments
              label={t("和以前比")}
              values={earlierSpans}
              names={earlierNames}
              chosen={earlier}
              onChoose={(next) =>
                change({ earlier: next, ...(next !== "none" && { places: places.slice(0, mostLines / 2) }) })
              }
            />
          )}
        </div>
      </section>
      {value && !isEmpty && <AnswerCard value={value} measures={measures} comparison={comparison} nameOf={words} />}
      {places.length === 0 ? (
        <section className="card">
          <ExceptionView
            type="noSearchData"
            title={t("先选要比的场区、栋、单元或设备")}
            text={t("选两个就有答案：差多少、是不是波动；最多 {count} 条线，按日历比，或按猪的日龄比。", {
              count: mostLines,
            })}
          >
            <Starters kind={kind} measures={drawn} onStart={change} />
          </ExceptionView>
        </section>
      ) : (
        <section className="card" aria-labelledby="compared-title">
          <header>
            <h2 id="compared-title">{t("对齐看")}</h2>
            <span className="spacer" />
            <Button small icon="download" isDisabled={isEmpty} onPress={exportTable}>
              {t("导出 CSV")}
            </Button>
            <Button small icon="sheet" isDisabled={isEmpty} onPress={() => window.print()}>
              {t("打印")}
            </Button>
          </header>
          {error && <LoadingProblem error={error} onRetry={reload} what={t("历史曲线")} kept={value !== undefined} />}
          {!value && loading && (
            <div className="chart wait" role="status">
              <span className="visually-hidden">{t("正在加载")}</span>
            </div>
          )}
          {noAge && <p className={styles.hint}>{t("没有批次的单元没有日龄，按 0 日龄画。")}</p>}
          {value && isEmpty && <ExceptionView type="empty" text={t("这段时间没有数据。")} />}
          {value && !isEmpty && (
            <>
              <p className={styles.names}>
                {measures.map(({ key, name, unit }) => (
                  <span key={key}>{`${name} ${unit}`.trim()}</span>
                ))}
              </p>
              <Suspense fallback={<div className="chart wait" />}>
                <TimeChart
                  label={t("对比曲线")}
                  panels={panels}
                  startMs={value.startMs}
                  endMs={value.endMs}
                  silences={[]}
                  heardMs={undefined}
                  {...(placeText && { placeText })}
                />
              </Suspense>
            </>
          )}
        </section>
      )}
      {value && !isEmpty && (
        <section className="card" aria-labelledby="differences-title">
          <header>
            <h2 id="differences-title">{t("差多少")}</h2>
            <span className="mut">{t("只算大家都有数的那一段；粗体的差不像是波动")}</span>
          </header>
          <ScrollTable label={t("{name}，表", { name: t("差多少") })} className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{t("日均")}</th>
                {lines.map((line) => (
                  <th key={`${line.of} ${line.isEarlier}`} scope="col" className="numeric">
                    {nameOf(line)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {figures.map(({ measure, unit, decimals, of }) => (
                <tr key={measure.key}>
                  <th scope="row">
                    {measure.name} <small className="mut">{unit}</small>
                  </th>
                  {of.map((line, at) => {
                    const answer = value.answers.find((one) => one.key === measure.key && one.other === at);
                    const first = of[answer?.first ?? 0];
                    const key = `${lines[at]?.of} ${lines[at]?.isEarlier}`;
                    if (line.mean === undefined || first?.mean === undefined) {
                      return (
                        <td key={key} className="numeric">
                          --
                        </td>
                      );
                    }
                    const apart = line.mean - first.mean;
                    const unusual = answer?.verdict === "different";
                    return (
                      <td key={key} className="numeric">
                        {number(line.mean, decimals)}
                        {answer && (
                          <span className={styles.apart} data-unusual={unusual || undefined}>
                            {unusual && <Mark name={apart > 0 ? "notice" : "minor"} />}
                            {apart > 0 ? "+" : ""}
                            {number(apart, decimals)}
                          </span>
                        )}
                        <small className="mut">
                          {line.lowest !== undefined &&
                            line.highest !== undefined &&
                            t("{low} 到 {high}", {
                              low: number(line.lowest, decimals),
                              high: number(line.highest, decimals),
                            })}
                        </small>
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </ScrollTable>
        </section>
      )}
      {lead?.hours && leadMeasure && <HoursCard answer={lead} hours={lead.hours} measure={leadMeasure} />}
      {value && value.others.length > 0 && <OthersCard answers={value.others} measures={drawn} />}
    </>
  );
}

type Change = (to: Partial<Comparison>) => void;

/** Devices, units and spans of time beside each other; what is chosen stands in the address and may be kept. */
export default function ComparePage() {
  const t = useTranslate();
  const local = useLocalText();
  const [search, write] = useAddress();
  const comparison = readComparison(search);
  const { value: kind, error, reload } = useLoad(`kind ${comparison.kind}`, () => loadKind[comparison.kind]());
  const change: Change = (to) =>
    write((now) => new URLSearchParams(writeComparison({ ...readComparison(now), ...to })), {
      replace: true,
      preventScrollReset: true,
    });
  return (
    <div className={styles.page}>
      <Crumbs />
      <div className="page-head">
        <h1>{t("数据分析")}</h1>
        <span className="spacer" />
        <div className={styles.kind}>
          <span aria-hidden="true">{t("设备种类")}</span>
          <Select
            aria-label={t("设备种类")}
            value={comparison.kind}
            options={kindList
              .filter(({ pages }) => pages !== undefined)
              .map(({ kind: one, name }) => [one, local(name)] as const)}
            onChange={(chosen) => change({ kind: chosen, places: [], measures: [] })}
          />
        </div>
      </div>
      {error && !kind && <LoadingProblem error={error} onRetry={reload} what={t("数据分析")} />}
      {kind && <Compared comparison={comparison} kind={kind} change={change} />}
      <SavedComparisons search={comparison.places.length === 0 ? "" : writeComparison(comparison)} />
    </div>
  );
}
