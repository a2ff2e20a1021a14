import type { Interval } from "@herdwise/device-kinds";
import { type KeyboardEvent, useEffect, useMemo, useState } from "react";

import { readColours } from "../../shared/chart/tokens.ts";
import { useChart } from "../../shared/chart/use-chart.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { usePreferences } from "../../shared/preferences/preferences.tsx";
import { type ChartSeries, valueNear } from "./history-values.ts";
import type { HistoryPoint } from "./use-history.ts";

interface ChartProps extends ChartSeries {
  comfort: Interval;
  target: number | undefined;
  spanMs: number;
}

const tokenNames = [
  "--chart-1",
  "--chart-2",
  "--chart-6",
  "--chart-grid",
  "--chart-band",
  "--chart-band-edge",
  "--accent",
  "--ink",
  "--ink-2",
  "--ink-3",
  "--raised",
  "--line-2",
] as const;

const pairs = (points: readonly HistoryPoint[]): [number, number][] => points.map(({ atMs, value }) => [atMs, value]);

/** Temperature inside and outside against comfort and target, with the gear below on the same axis of time. */
export function HistoryChart({ inside, outside, gears, comfort, target, spanMs }: ChartProps) {
  const t = useTranslate();
  const formats = useFormats();
  const { theme, accent } = usePreferences();
  const { frame, chart } = useChart<HTMLElement>();
  const [at, setAt] = useState<number>();
  const narrow = typeof window !== "undefined" && window.innerWidth < 760;
  // A long span is read by days, a short one by hours.
  const whenText = useMemo(
    () => (atMs: number) => (spanMs > 2 * 86_400_000 ? formats.dateTime(atMs) : formats.time(atMs)),
    [spanMs, formats],
  );
  const sentence = (atMs: number): string => {
    const said = (points: readonly HistoryPoint[], decimals: number): string => {
      const value = valueNear(points, atMs);
      return value === undefined ? "--" : formats.number(value, decimals);
    };
    return t("{time}：舍内 {inside} ℃，舍外 {outside} ℃，{gear} 档", {
      time: whenText(atMs),
      inside: said(inside, 1),
      outside: said(outside, 1),
      gear: said(gears, 0),
    });
  };

  // Theme and accent change what the tokens stand for.
  useEffect(() => {
    const token = readColours(tokenNames);
    const font = getComputedStyle(document.body).fontFamily;
    const label = { color: token["--ink-3"], fontFamily: font, fontSize: 12 };
    const endLabel = (name: string, colour: string, unit: string, decimals: number, strong = false) => ({
      show: !narrow || strong,
      formatter: ({ value }: { value: unknown }) =>
        `${name} ${Array.isArray(value) && typeof value[1] === "number" ? formats.number(value[1], decimals) : ""}${unit}`,
      color: colour,
      fontFamily: font,
      fontSize: strong ? 13 : 12,
      fontWeight: strong ? 600 : 400,
      distance: 8,
    });
    const points = [...inside, ...outside].map(({ value }) => value);
    const low = Math.floor(Math.min(...points, comfort[0]) / 5) * 5;
    const high = Math.ceil((Math.max(...points, comfort[1]) + 1) / 5) * 5;
    const right = narrow ? 84 : 104;
    const axis = {
      type: "time" as const,
      axisLine: { lineStyle: { color: token["--line-2"] } },
      axisTick: { show: false },
      splitLine: { show: false },
    };
    chart.current?.setOption(
      {
        animation: false,
        textStyle: { fontFamily: font },
        axisPointer: { link: [{ xAxisIndex: "all" }] },
        grid: [
          { left: 40, right, top: 30, height: 216 },
          { left: 40, right, top: 278, height: 52 },
        ],
        xAxis: [
          { ...axis, gridIndex: 0, axisLabel: { show: false } },
          {
            ...axis,
            gridIndex: 1,
            axisLabel: {
              ...label,
              hideOverlap: true,
              formatter: (value: number) =>
                spanMs > 2 * 86_400_000 ? formats.dateTime(value).slice(5, 10) : formats.time(value),
            },
          },
        ],
        yAxis: [
          {
            type: "value",
            gridIndex: 0,
            name: "℃",
            nameTextStyle: { ...label, align: "right", padding: [0, 6, 0, 0] },
            nameGap: 12,
            min: low,
            max: high,
            interval: 5,
            axisLabel: label,
            splitLine: { lineStyle: { color: token["--chart-grid"] } },
          },
          {
            type: "value",
            gridIndex: 1,
            name: t("档"),
            nameTextStyle: { ...label, align: "right", padding: [0, 6, 0, 0] },
            nameGap: 6,
            min: 0,
            max: Math.max(6, Math.ceil(Math.max(0, ...gears.map(({ value }) => value)) / 3) * 3),
            splitNumber: 2,
            minInterval: 3,
            axisLabel: label,
            splitLine: { lineStyle: { color: token["--chart-grid"] } },
          },
        ],
        tooltip: {
          trigger: "axis",
          confine: true,
          backgroundColor: token["--raised"],
          borderColor: token["--line-2"],
          padding: [8, 12],
          textStyle: { color: token["--ink-2"], fontSize: 12, fontFamily: font },
          axisPointer: { type: "line", lineStyle: { color: token["--ink-3"], type: "dashed" } },
          valueFormatter: (value: unknown) =>
            typeof value === "number" ? formats.number(value, Number.isInteger(value) ? 0 : 1) : "--",
        },
        series: [
          {
            name: t("舍内"),
            type: "line",
            data: pairs(inside),
            showSymbol: false,
            lineStyle: { width: 2.25, color: token["--chart-1"] },
            itemStyle: { color: token["--chart-1"] },
            endLabel: endLabel(t("舍内"), token["--chart-1"], "", 1, true),
            labelLayout: { moveOverlap: "shiftY" },
            markArea: {
              silent: true,
              itemStyle: { color: token["--chart-band"] },
              data: [[{ yAxis: comfort[0] }, { yAxis: comfort[1] }]],
            },
            markLine: {
              silent: true,
              symbol: "none",
              data: [
                ...(target === undefined
                  ? []
                  : [
                      {
                        yAxis: target,
                        lineStyle: { color: token["--accent"], type: [6, 4], width: 1 },
                        label: { show: false },
                      },
                    ]),
                ...comfort.map((edge) => ({
                  yAxis: edge,
                  lineStyle: { color: token["--chart-band-edge"], type: [2, 4], width: 1 },
                  label: { show: false },
                })),
              ],
            },
          },
          {
            name: t("舍外"),
            type: "line",
            data: pairs(outside),
            showSymbol: false,
            lineStyle: { width: 1.5, color: token["--chart-6"] },
            itemStyle: { color: token["--chart-6"] },
            endLabel: endLabel(t("舍外"), token["--ink-2"], "", 1),
            labelLayout: { moveOverlap: "shiftY" },
          },
          {
            name: t("档位"),
            type: "line",
            step: "end",
            xAxisIndex: 1,
            yAxisIndex: 1,
            data: pairs(gears),
            showSymbol: false,
            lineStyle: { width: 1.5, color: token["--chart-2"] },
            itemStyle: { color: token["--chart-2"] },
            areaStyle: { color: token["--chart-2"], opacity: 0.12 },
            endLabel: {
              ...endLabel("", token["--chart-2"], "", 0, true),
              formatter: ({ value }: { value: unknown }) =>
                Array.isArray(value) ? t("{gear} 档", { gear: formats.number(Number(value[1]), 0) }) : "",
            },
          },
        ],
      },
      { notMerge: true },
    );
  }, [inside, outside, gears, comfort, target, spanMs, formats, t, theme, accent, narrow]);

  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1, PageUp: -12, PageDown: 12 }[event.key];
    if (step === undefined || inside.length === 0) return;
    event.preventDefault();
    const now = at === undefined ? inside.length - 1 : at;
    const next = Math.min(inside.length - 1, Math.max(0, now + step));
    setAt(next);
    chart.current?.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex: next });
  };
  const current = at === undefined ? undefined : inside[at];
  return (
    <>
      <section
        ref={frame}
        className="chart"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the cursor of the chart moves by arrow keys.
        tabIndex={0}
        aria-label={t("温度与档位曲线，左右方向键移动游标")}
        onKeyDown={onKey}
        onBlur={() => {
          setAt(undefined);
          chart.current?.dispatchAction({ type: "hideTip" });
        }}
      />
      <p className="sr" aria-live="polite">
        {current && sentence(current.atMs)}
      </p>
      <p className="chart-key">
        <span>
          <i className="band" />
          {t("舒适 {low}–{high} ℃", { low: comfort[0], high: comfort[1] })}
        </span>
        {target !== undefined && (
          <span>
            <i className="dashed" />
            {t("目标 {target} ℃", { target: formats.number(target, 1) })}
          </span>
        )}
      </p>
    </>
  );
}
