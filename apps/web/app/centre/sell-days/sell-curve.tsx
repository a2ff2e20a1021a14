import type { SellDays } from "@herdwise/contract/sell-days";
import { useEffect } from "react";
import { readColours } from "../../shared/chart/tokens.ts";
import { useChart } from "../../shared/chart/use-chart.ts";
import { valueAxis } from "../../shared/chart/value-axis.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { usePreferences } from "../../shared/preferences/preferences.tsx";
import styles from "./sell-days.module.css";
import { conversionOf, type Measure } from "./sell-days-model.ts";

const tokenNames = [
  "--chart-1",
  "--chart-grid",
  "--chart-band",
  "--chart-band-edge",
  "--minor-mark",
  "--minor",
  "--accent",
  "--ink",
  "--ink-2",
  "--ink-3",
  "--raised",
  "--line-2",
] as const;
const yuanOf = (fen: number | undefined): number | null => (fen === undefined ? null : fen / 100);

/** A measure of each day as a curve, with its range, the best window, and where the withdrawal period ends. The table below it has the same numbers. */
export function SellCurve({
  outlook,
  measure,
  label,
  withdrawalUntil,
  dayText,
}: {
  outlook: SellDays;
  measure: Measure;
  label: string;
  withdrawalUntil: string | undefined;
  dayText: (day: string) => string;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const { theme, accent } = usePreferences();
  const { frame, chart } = useChart<HTMLDivElement>();
  // Theme and accent change what the tokens stand for.
  useEffect(() => {
    const token = readColours(tokenNames);
    const font = getComputedStyle(document.body).fontFamily;
    const axis = { color: token["--ink-3"], fontFamily: font, fontSize: 12 };
    const { days, best, window } = outlook;
    const decimals = measure === "margin" ? 0 : measure === "weight" ? 1 : 2;
    const values = days.map((day, at) =>
      measure === "margin"
        ? yuanOf(day.marginFen)
        : measure === "weight"
          ? day.weightGrams / 1000
          : (conversionOf(days, at) ?? null),
    );
    const known = values.filter((value) => value !== null);
    const ends =
      measure === "margin"
        ? days.flatMap(({ lowFen, highFen }) =>
            [lowFen, highFen].flatMap((fen) => (fen === undefined ? [] : fen / 100)),
          )
        : [];
    const { step, decimals: axisDecimals, ...bounds } = valueAxis({ values: [...known, ...ends], decimals, steps: 5 });
    const hasRange = measure === "margin" && best?.lowFen !== undefined;
    const until = days.find(({ day }) => day === withdrawalUntil)?.day;
    const edge = { color: token["--chart-band-edge"], type: [3, 4], width: 1 };
    // Edges of a range are told in the box alone, as the area between them is drawn by their difference.
    const rangeOf = (name: "low" | "high") =>
      days.map(({ lowFen, highFen }) =>
        lowFen === undefined || highFen === undefined ? null : (name === "low" ? lowFen : highFen - lowFen) / 100,
      );
    chart.current?.setOption(
      {
        animation: false,
        textStyle: { fontFamily: font },
        grid: { left: 52, right: 20, top: 36, bottom: 28 },
        xAxis: {
          type: "category",
          boundaryGap: false,
          data: days.map(({ day }) => day),
          axisLine: { lineStyle: { color: token["--line-2"] } },
          axisTick: { show: false },
          axisLabel: { ...axis, interval: 6, formatter: dayText },
        },
        yAxis: {
          type: "value",
          ...bounds,
          interval: step,
          axisLabel: { ...axis, formatter: (value: number) => number(value, axisDecimals) },
          splitLine: { lineStyle: { color: token["--chart-grid"] } },
        },
        tooltip: {
          trigger: "axis",
          confine: true,
          backgroundColor: token["--raised"],
          borderColor: token["--line-2"],
          padding: [8, 12],
          textStyle: { color: token["--ink-2"], fontSize: 12, fontFamily: font },
          axisPointer: { type: "line", lineStyle: { color: token["--ink-3"], type: "dashed" }, label: { show: false } },
          formatter: (parameters: unknown) => {
            const [first] = Array.isArray(parameters) ? parameters : [parameters];
            const at = Number((first as { dataIndex?: unknown } | undefined)?.dataIndex);
            const [day, value] = [days[at], values[at]];
            const box = document.createElement("div");
            if (!day) return box;
            box.appendChild(document.createElement("b")).textContent = dayText(day.day);
            const say = (text: string): void => {
              box.appendChild(document.createElement("div")).textContent = text;
            };
            say(`${label}　${typeof value === "number" ? number(value, decimals) : "--"}`);
            if (hasRange && day.lowFen !== undefined && day.highFen !== undefined)
              say(t("{low} 到 {high}", { low: number(day.lowFen / 100), high: number(day.highFen / 100) }));
            if (day.blocked) say(t("休药期，不能卖"));
            return box;
          },
        },
        series: [
          ...(hasRange
            ? [
                { name: "low", data: rangeOf("low"), areaStyle: { opacity: 0 } },
                { name: "range", data: rangeOf("high"), areaStyle: { color: token["--chart-1"], opacity: 0.13 } },
              ].map((one) => ({
                ...one,
                type: "line" as const,
                stack: "range",
                stackStrategy: "all" as const,
                silent: true,
                showSymbol: false,
                lineStyle: { opacity: 0 },
              }))
            : []),
          {
            name: label,
            type: "line",
            data: values.map((value, at) => {
              const isBest = days[at]?.day === best?.day;
              if (value === null || (!isBest && at !== 0)) return { value, symbol: "none" };
              return {
                value,
                symbol: "circle",
                symbolSize: isBest ? 9 : 7,
                ...(!isBest && {
                  itemStyle: { color: token["--raised"], borderColor: token["--chart-1"], borderWidth: 2 },
                }),
                label: {
                  show: isBest,
                  position: at > days.length / 2 ? "left" : "right",
                  distance: 8,
                  offset: [0, 14],
                  formatter: number(value, decimals),
                  color: token["--ink"],
                  fontFamily: font,
                  fontSize: 13,
                  fontWeight: 600,
                },
              };
            }),
            showSymbol: true,
            showAllSymbol: true,
            lineStyle: { width: 2.25, color: token["--chart-1"] },
            itemStyle: { color: token["--chart-1"] },
            z: 4,
            markArea: {
              silent: true,
              itemStyle: { color: token["--chart-band"] },
              label: { color: token["--accent"], fontFamily: font, fontSize: 12, fontWeight: 600, distance: 4 },
              data: window ? [[{ xAxis: window.from, name: t("最合算") }, { xAxis: window.to }]] : [],
            },
            markLine: {
              silent: true,
              symbol: "none",
              label: { fontFamily: font, fontSize: 12, distance: 4 },
              data: [
                ...(window && window.from !== window.to
                  ? [window.from, window.to].map((xAxis) => ({ xAxis, lineStyle: edge, label: { show: false } }))
                  : []),
                ...(until
                  ? [
                      {
                        xAxis: until,
                        lineStyle: { color: token["--minor-mark"], type: "solid" as const, width: 1 },
                        label: { formatter: t("休药期到这天"), color: token["--minor"], position: "end" as const },
                      },
                    ]
                  : []),
              ],
            },
          },
        ],
      },
      { notMerge: true },
    );
  }, [chart, outlook, measure, label, withdrawalUntil, dayText, t, number, theme, accent]);
  return (
    <div
      ref={frame}
      className={styles.curve}
      role="img"
      aria-label={t("{chart}，今天起 28 天，数字在下面的表里", { chart: label })}
    />
  );
}
