import { type Device, devicePage } from "@herdwise/contract";
import { type Channel, type DeviceKind, localUnit, rangeOf, shadedOf } from "@herdwise/device-kinds";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { loadKind } from "@herdwise/device-kinds/kind-loader";
import { lazy, Suspense, useMemo, useState } from "react";
import { Link } from "react-router";
import { useAddress } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import type { TimePanel, TimeSeries } from "../../shared/chart/time-chart.tsx";
import { Select } from "../../shared/forms/select.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { SearchInput } from "../../shared/kit/search-input.tsx";
import { Segments } from "../../shared/kit/segments.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { downloadCsv } from "../../shared/sheets/csv.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { shortName } from "../farms/short-name.ts";
import { kindPath, useLocalText } from "../kind/kind-view.ts";
import "../kind/kind.css";
import styles from "./compare.module.css";
import {
  type Alignment,
  alignments,
  type Comparison,
  compareLines,
  type Earlier,
  earlierSpans,
  isUnusual,
  mostLines,
  mostMeasures,
  readComparison,
  type SpanDays,
  spanDays,
  writeComparison,
} from "./comparison.ts";
import { SavedComparisons } from "./saved-comparisons.tsx";
import { type ComparedLine, isCounter, isStep, useLines } from "./use-lines.ts";

const TimeChart = lazy(() =>
  import("../../shared/chart/time-chart.tsx").then((module) => ({ default: module.TimeChart })),
);

const dayMs = 86_400_000;
/** Devices that one list offers; a word narrows more of them. */
const mostOffered = 100;
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

/** Where a device stands, in few words: its unit, else itself, without its farm. */
function usePlaceWords(): (place: Pick<ComparedLine, "farmName" | "houseName" | "unitName" | "deviceName">) => string {
  const nameOf = useNames();
  return ({ farmName, houseName, unitName, deviceName }) => {
    const farm = nameOf(farmName);
    if (unitName === "") return shortName(nameOf(deviceName), [farm]);
    return [shortName(nameOf(houseName), [farm]), nameOf(unitName)].join(" ");
  };
}

/** Adds a device of the kind. A word narrows the list, where there are more than it holds. */
function AddDevice({
  kind,
  taken,
  onAdd,
}: {
  kind: DeviceKind;
  taken: readonly string[];
  onAdd: (id: string) => void;
}) {
  const t = useTranslate();
  const words = usePlaceWords();
  const nameOf = useNames();
  const [word, setWord] = useState("");
  const { value, error, reload } = useLoad(`compare devices ${kind.kind} ${word}`, (signal) =>
    call(devicePage, {
      query: { kind: kind.kind, bound: true, size: mostOffered, ...(word && { name: word }) },
      signal,
      quiet: true,
    }),
  );
  const byFarm = Map.groupBy(
    (value?.records ?? []).filter(({ id }) => !taken.includes(id)),
    ({ farmName }: Device) => farmName,
  );
  if (error && !value) return <LoadingProblem error={error} onRetry={reload} what={t("设备")} />;
  return (
    <>
      {((value?.total ?? 0) > mostOffered || word !== "") && (
        <SearchInput label={t("查找设备")} value={word} onChange={setWord} />
      )}
      <select
        className="chip"
        aria-label={t("加一台设备或单元")}
        value=""
        onChange={({ target }) => target.value && onAdd(target.value)}
      >
        <option value="">{t("加一台设备或单元")}</option>
        {[...byFarm].map(([farmName, devices]) => (
          <optgroup key={farmName} label={nameOf(farmName)}>
            {devices.map((device) => (
              <option key={device.id} value={device.id}>
                {words({ ...device, deviceName: device.name })}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </>
  );
}

/** Values of several devices or units beside each other, by time or by the age of their pigs, also against an earlier span. */
function Compared({ comparison, kind, change }: { comparison: Comparison; kind: DeviceKind; change: Change }) {
  const t = useTranslate();
  const local = useLocalText();
  const words = usePlaceWords();
  const { number, dateTime } = useFormats();
  const { devices, align, earlier, days } = comparison;
  const drawn = useMemo(() => kind.channels.filter(({ type }) => type !== "text"), [kind]);
  const asked = comparison.measures.filter((key) => drawn.some((channel) => channel.key === key));
  const usual = (kind.pages?.figures ?? []).filter((key) => drawn.some((channel) => channel.key === key)).slice(0, 2);
  const keys = (asked.length > 0 ? asked : usual).join();
  const channels = useMemo(
    () => keys.split(",").flatMap((key) => drawn.find((channel) => channel.key === key) ?? []),
    [keys, drawn],
  );
  const { value, error, loading, reload } = useLines(comparison, channels);
  const lines = value?.lines ?? [];
  const nameOf = (line: ComparedLine): string =>
    line.isEarlier ? `${words(line)} ${t(earlierNames[earlier])}` : words(line);
  const unitOf = (channel: Channel): string => {
    const unit = local(localUnit(channel.unit));
    return isCounter(channel) ? t("{unit}/天", { unit }) : unit;
  };
  const seriesOf = (line: ComparedLine, at: number, channel: Channel): TimeSeries => ({
    name: nameOf(line),
    unit: unitOf(channel),
    decimals: Math.max(channel.decimals, isCounter(channel) ? 1 : 0),
    points: line.points[channel.key] ?? [],
    step: isStep(channel),
    silences: line.silences,
    doubts: line.doubts[channel.key] ?? [],
    colour: colours[earlier === "none" ? at % colours.length : Math.floor(at / 2) % colours.length] ?? "--chart-1",
    ...(line.isEarlier && { dashed: true }),
  });
  const panels = channels.map((channel): TimePanel & { channel: Channel } => ({
    channel,
    unit: unitOf(channel),
    height: channels.length === 1 ? 260 : 150,
    series: lines.map((line, at) => seriesOf(line, at, channel)),
    ...(!isCounter(channel) && { band: shadedOf(rangeOf(kind, channel.key, {}, { ageS: 0 })), valid: channel.valid }),
  }));
  const isEmpty = panels.every(({ series }) => series.every(({ points }) => points.length === 0));
  const placeText = useMemo(
    () => (align === "age" ? (atMs: number) => t("{count} 日龄", { count: Math.round(atMs / dayMs) }) : undefined),
    [align, t],
  );
  const figures = panels.map(({ channel, unit, series }) => ({
    channel,
    unit,
    decimals: Math.max(channel.decimals, 1),
    of: compareLines(
      series.map(({ points }) => points),
      align,
    ),
  }));
  const noAge = align === "age" && lines.some(({ ageDays }) => ageDays === undefined);
  const exportTable = (): void => {
    const times = [
      ...new Set(panels.flatMap(({ series }) => series.flatMap(({ points }) => points.map(({ atMs }) => atMs)))),
    ].sort((a, b) => a - b);
    const columns = panels.flatMap(({ channel, unit, series }) =>
      series.map((line) => ({
        head: `${local(channel.name)} ${unit} ${line.name}`,
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
            {devices.map((id, at) => {
              const line = lines.find(({ deviceId, isEarlier }) => deviceId === id && !isEarlier);
              const name = line ? words(line) : "…";
              return (
                <li key={id}>
                  <i style={{ background: `var(${colours[at % colours.length]})` }} aria-hidden="true" />
                  <span>
                    {line ? <Link to={kindPath(kind.kind, "device", id)}>{name}</Link> : name}
                    {line && (
                      <small>
                        <Translated text={line.farmName} />
                        {line.ageDays !== undefined && `　${t("{count} 日龄", { count: line.ageDays })}`}
                      </small>
                    )}
                  </span>
                  <IconButton
                    small
                    icon="close"
                    label={t("不再比 {name}", { name })}
                    onPress={() => change({ devices: devices.filter((other) => other !== id) })}
                  />
                </li>
              );
            })}
          </ul>
          {devices.length < (earlier === "none" ? mostLines : mostLines / 2) && (
            <AddDevice kind={kind} taken={devices} onAdd={(id) => change({ devices: [...devices, id] })} />
          )}
        </div>
        <div className={styles.row}>
          <span>{t("看什么")}</span>
          <ul>
            {channels.map((channel) => (
              <li key={channel.key}>
                <span>{local(channel.name)}</span>
                {channels.length > 1 && (
                  <IconButton
                    small
                    icon="close"
                    label={t("不再看 {name}", { name: local(channel.name) })}
                    onPress={() =>
                      change({ measures: channels.filter((other) => other !== channel).map(({ key }) => key) })
                    }
                  />
                )}
              </li>
            ))}
          </ul>
          {channels.length < mostMeasures && (
            <select
              className="chip"
              aria-label={t("加一项数值")}
              value=""
              onChange={({ target }) =>
                target.value && change({ measures: [...channels.map(({ key }) => key), target.value] })
              }
            >
              <option value="">{t("加一项数值")}</option>
              {drawn
                .filter((channel) => !channels.includes(channel))
                .map((channel) => (
                  <option key={channel.key} value={channel.key}>
                    {local(channel.name)}
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
                change({ earlier: next, ...(next !== "none" && { devices: devices.slice(0, mostLines / 2) }) })
              }
            />
          )}
        </div>
      </section>
      {devices.length === 0 ? (
        <section className="card">
          <ExceptionView
            type="noSearchData"
            title={t("先选要比的设备或单元")}
            text={t("最多 {count} 条线；按日历比，或按猪的日龄比。", { count: mostLines })}
          />
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
                {channels.map((channel) => (
                  <span key={channel.key}>{`${local(channel.name)} ${unitOf(channel)}`.trim()}</span>
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
            <span className="mut">{t("只算大家都有数的那一段；粗体的差大过第一条线平常的日间波动")}</span>
          </header>
          <ScrollTable label={t("{name}，表", { name: t("差多少") })} className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{t("日均")}</th>
                {lines.map((line) => (
                  <th key={`${line.deviceId} ${line.isEarlier}`} scope="col" className="numeric">
                    {nameOf(line)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {figures.map(({ channel, unit, decimals, of }) => (
                <tr key={channel.key}>
                  <th scope="row">
                    {local(channel.name)} <small className="mut">{unit}</small>
                  </th>
                  {of.map((line, at) => {
                    const [first] = of;
                    const key = `${lines[at]?.deviceId} ${lines[at]?.isEarlier}`;
                    if (line.mean === undefined || first?.mean === undefined) {
                      return (
                        <td key={key} className="numeric">
                          --
                        </td>
                      );
                    }
                    const apart = line.mean - first.mean;
                    const unusual = at > 0 && isUnusual(first, line);
                    return (
                      <td key={key} className="numeric">
                        {number(line.mean, decimals)}
                        {at > 0 && (
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
        <Select
          aria-label={t("设备种类")}
          value={comparison.kind}
          options={kindList
            .filter(({ pages }) => pages !== undefined)
            .map(({ kind: one, name }) => [one, local(name)] as const)}
          onChange={(chosen) => change({ kind: chosen, devices: [], measures: [] })}
        />
      </div>
      {error && !kind && <LoadingProblem error={error} onRetry={reload} what={t("数据分析")} />}
      {kind && <Compared comparison={comparison} kind={kind} change={change} />}
      <SavedComparisons search={comparison.devices.length === 0 ? "" : writeComparison(comparison)} />
    </div>
  );
}
