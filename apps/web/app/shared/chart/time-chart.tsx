import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { usePreferences } from "../preferences/preferences.tsx";
import {
  type Doubt,
  doubtsAt,
  drawnOf,
  gapsOf,
  type Silence,
  spread,
  type TimePoint,
  valueAt,
  withGaps,
} from "./time-points.ts";
import { readColours } from "./tokens.ts";
import { useChart } from "./use-chart.ts";
import { type ValueAxis, valueAxis } from "./value-axis.ts";

const colours = ["--chart-1", "--chart-6", "--chart-2", "--chart-4"] as const;

/** One line of a chart. */
export interface TimeSeries {
  name: string;
  /** Shown behind the figure at the line's end and in the table. */
  unit: string;
  decimals: number;
  points: readonly TimePoint[];
  /** A setting or a count of states: drawn in steps, and never a mean of them. */
  step?: boolean;
  /** Which of the chart's colours; the place in the panel where it is absent. */
  colour?: (typeof colours)[number];
  /** Of another time than the others. */
  dashed?: boolean;
  /** Spans without a line, where they are not those of the whole chart. */
  silences?: readonly Silence[];
  /** Where readings were rejected, or what is left is not reliable: marked, and without a line where nothing else was heard. */
  doubts?: readonly Doubt[];
}

/** Lines that share an axis of values. */
export interface TimePanel {
  /** Unit of the axis. */
  unit: string;
  /** Pixels. */
  height: number;
  series: readonly TimeSeries[];
  /** Where the values usually lie. */
  band?: readonly [low: number, high: number] | undefined;
  /** What can be measured at all; the axis ends there. */
  valid?: readonly [low: number, high: number] | undefined;
  /** A line that the values should be near. */
  target?: number | undefined;
  /** Steps of the axis of values are multiples of it. */
  stepOfAxis?: number;
}

export interface TimeChartProps {
  /** What the chart is, for those who hear it. */
  label: string;
  panels: readonly TimePanel[];
  startMs: number;
  endMs: number;
  /** Spans without a line: nothing was heard of the device. */
  silences: readonly Silence[];
  /** When the device was heard last; values hold until then. */
  heardMs: number | undefined;
  /** What a place on the axis is called, where it is no moment of the calendar. */
  placeText?: (atMs: number) => string;
}

const tokenNames = [
  ...colours,
  "--chart-grid",
  "--chart-band",
  "--chart-band-edge",
  "--accent",
  "--critical-mark",
  "--critical-soft",
  "--ink-2",
  "--ink-3",
  "--raised",
  "--line-2",
] as const;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const top = 30;
const between = 32;
/** Of the mark of rejected readings, px. */
const markSize = 9;
/** A pointer within this share of the span meets a mark. */
const nearShare = 1 / 150;
/** Of a line's name at its end, which may take two lines of text; px. */
const nameHeight = 30;

/** Room for the figures of an axis of values, px, where they are not wider. */
const axisWidth = 44;
/** Of text in the chart, px. */
const textSize = 12;
const endSize = 13;

/** Widths of words in the chart, px. */
function ruler(font: string): (words: string, size: number) => number {
  const context = document.createElement("canvas").getContext("2d");
  return (words, size) => {
    if (!context) return words.length * size * 0.6;
    context.font = `600 ${size}px ${font}`;
    return Math.ceil(context.measureText(words).width);
  };
}

/** Day and month of a date and time, which begins with its year in Chinese and ends its date with it in English. */
const dayText = (dateTime: string): string => (/^\d{4}/.test(dateTime) ? dateTime.slice(5, 10) : dateTime.slice(0, 5));

/** Oblique lines on a transparent ground, as a paint of the chart. */
const hatchOf = (colour: string) => {
  const lines = `<path d="M-2 2 2 -2M0 8 8 0M6 10 10 6" stroke="${colour}" stroke-opacity=".3"/>`;
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">${lines}</svg>`;
  return {
    image: `data:image/svg+xml,${encodeURIComponent(picture)}`,
    imageWidth: 8,
    imageHeight: 8,
    repeat: "repeat" as const,
  };
};

/** The axis of a panel: it holds all values, the band and the target. */
const axisOf = ({ series, height, band, valid, target, stepOfAxis }: TimePanel): ValueAxis => {
  const isCounted = series.every(({ step }) => step);
  return valueAxis({
    values: series.flatMap(({ points }) => points.map(({ value }) => value)),
    limits: [...(band ?? []), ...(target === undefined ? [] : [target])],
    decimals: isCounted ? 0 : Math.max(0, ...series.map(({ decimals }) => decimals)),
    steps: height > 100 ? 4 : 2,
    valid,
    stepOfAxis,
    fromZero: isCounted,
  });
};

/** A panel without what cannot be measured, whose lines break at their doubts as at silences. */
const drawnPanel = (panel: TimePanel, silences: readonly Silence[]): TimePanel => ({
  ...panel,
  series: panel.series.map((line) => {
    const { points, doubts } = drawnOf(line.points, line.doubts ?? [], panel.valid);
    const gaps = gapsOf(points, doubts);
    const own = line.silences ?? silences;
    return { ...line, points, doubts, silences: [...own, ...gaps].sort(([a], [b]) => a - b) };
  }),
});

/**
 * Values over time, by panels above each other on one axis of time: steps are never averaged, gaps are gaps, each line says its
 * newest value at its end, and its name where its panel has others. The arrow keys move a cursor, whose values are spoken.
 */
export function TimeChart({ label, panels: given, startMs, endMs, silences, heardMs, placeText }: TimeChartProps) {
  const t = useTranslate();
  const panels = useMemo(() => given.map((panel) => drawnPanel(panel, silences)), [given, silences]);
  const formats = useFormats();
  const { theme, accent } = usePreferences();
  const { frame, chart } = useChart<HTMLElement>();
  const [at, setAt] = useState<number>();
  /** Which part of which span is drawn, in %. */
  const zoomed = useRef<{ spanMs: number; start: number; end: number }>(undefined);
  const narrow = typeof window !== "undefined" && window.innerWidth < 760;
  const long = endMs - startMs > 2 * dayMs;
  const whenText = useMemo(
    () => placeText ?? ((atMs: number) => (long ? formats.dateTime(atMs) : formats.time(atMs))),
    [long, formats, placeText],
  );
  const lines = useMemo(() => panels.flatMap(({ series }) => series), [panels]);
  const main = lines[0]?.points ?? [];
  const figure = ({ unit, decimals }: TimeSeries, value: number | undefined): string =>
    value === undefined ? "--" : `${formats.number(value, decimals)} ${unit}`.trim();
  /** What is said of rejected readings at a moment; empty where there are none. */
  const doubtText = useCallback(
    ({ doubts = [] }: TimeSeries, atMs: number): string => {
      const found = doubtsAt(doubts, atMs, (endMs - startMs) * nearShare);
      if (found.length === 0) return "";
      const count = found.reduce((sum, { readings = 0 }) => sum + readings, 0);
      return count > 0 ? t("这段有 {count} 个读数被拒收", { count }) : t("数值不可靠");
    },
    [t, startMs, endMs],
  );
  const lineText = (line: TimeSeries, atMs: number): string =>
    [line.name, figure(line, valueAt(line.points, atMs, line.silences ?? silences)), doubtText(line, atMs)]
      .filter((part) => part !== "")
      .join(" ");
  const gapText = useCallback(
    (names: readonly string[], lengthMs: number): string => {
      const count = Math.round(lengthMs / (lengthMs < 2 * dayMs ? hourMs : dayMs));
      const length = lengthMs < 2 * dayMs ? t("无数据 {count} 时", { count }) : t("无数据 {count} 天", { count });
      return [...names, length].join(" ");
    },
    [t],
  );
  const sentence = (atMs: number): string =>
    `${whenText(atMs)} ${lines.map((line) => lineText(line, atMs)).join(", ")}`;
  const height = panels.reduce((sum, panel) => sum + panel.height + between, top) + 16;

  // Theme and accent change what the tokens stand for.
  useEffect(() => {
    const token = readColours(tokenNames);
    const font = getComputedStyle(document.body).fontFamily;
    const text = { color: token["--ink-3"], fontFamily: font, fontSize: textSize };
    // Where the line has no name, a caption beside the chart says the value: nothing stands at its end.
    const isNamed = lines.some(({ name }) => name !== "");
    const widthOf = ruler(font);
    // A line that is alone in its panel is named by the chart's heading or its unit: its end says the value.
    const isAlone = panels.every(({ series }) => series.length === 1);
    const ends = lines.map(({ points, decimals }) => formats.number(points.at(-1)?.value ?? 0, decimals));
    const endWidth = isAlone ? Math.max(32, ...ends.map((words) => widthOf(words, endSize) + 14)) : narrow ? 84 : 112;
    const right = isNamed ? endWidth : 20;
    const axes = panels.map(axisOf);
    const left = Math.max(
      axisWidth,
      ...axes.flatMap(({ min, max, decimals }) =>
        [min, max].map((value) => widthOf(formats.number(value, decimals), textSize) + 14),
      ),
    );
    const tops = panels.map((_, index) =>
      panels.slice(0, index).reduce((sum, panel) => sum + panel.height + between, top),
    );
    chart.current?.resize({ height });
    // What was drawn nearer stays so while values come; another span begins whole.
    const spanMs = endMs - startMs;
    const nearer = zoomed.current?.spanMs === spanMs ? zoomed.current : undefined;
    chart.current?.setOption(
      {
        animation: false,
        textStyle: { fontFamily: font },
        axisPointer: { link: [{ xAxisIndex: "all" }] },
        grid: panels.map((panel, index) => ({
          left,
          right,
          top: tops[index],
          height: panel.height,
          outerBoundsMode: "none" as const,
        })),
        xAxis: panels.map((_, index) => ({
          type: "time" as const,
          gridIndex: index,
          min: startMs,
          max: endMs,
          axisLine: { lineStyle: { color: token["--line-2"] } },
          axisTick: { show: false },
          splitLine: { show: false },
          axisLabel:
            index < panels.length - 1
              ? { show: false }
              : {
                  ...text,
                  hideOverlap: true,
                  formatter: (value: number) =>
                    placeText?.(value) ?? (long ? dayText(formats.dateTime(value)) : formats.time(value)),
                },
        })),
        yAxis: panels.map((panel, index) => ({
          type: "value" as const,
          gridIndex: index,
          name: panel.unit,
          // A word instead of a symbol begins at the edge and runs over the grid.
          nameTextStyle:
            panel.unit.length > 4
              ? { ...text, align: "left", padding: [0, 0, 0, 8 - left] }
              : { ...text, align: "right", padding: [0, 6, 0, 0] },
          nameGap: 12,
          min: axes[index]?.min,
          max: axes[index]?.max,
          interval: axes[index]?.step,
          axisLabel: { ...text, formatter: (value: number) => formats.number(value, axes[index]?.decimals) },
          splitLine: { lineStyle: { color: token["--chart-grid"] } },
        })),
        // Drawn nearer with Ctrl and the wheel, then moved by the mouse; a finger moves the page.
        dataZoom: [
          {
            type: "inside" as const,
            xAxisIndex: panels.map((_, index) => index),
            filterMode: "none" as const,
            zoomOnMouseWheel: "ctrl" as const,
            moveOnMouseWheel: false,
            preventDefaultMouseMove: false,
            minValueSpan: 10 * 60_000,
            disabled: narrow,
            ...(nearer && { start: nearer.start, end: nearer.end }),
          },
        ],
        tooltip: {
          trigger: "axis",
          confine: true,
          backgroundColor: token["--raised"],
          borderColor: token["--line-2"],
          padding: [8, 12],
          textStyle: { color: token["--ink-2"], fontSize: 12, fontFamily: font },
          axisPointer: { type: "line", lineStyle: { color: token["--ink-3"], type: "dashed" }, label: { show: false } },
          // Above or below the curve's own height, so that it does not cover what it tells of.
          position: (
            point: number[],
            _parameters: unknown,
            _element: unknown,
            _box: unknown,
            size: { contentSize: number[]; viewSize: number[] },
          ) => {
            const [x = 0] = point;
            const [width = 0] = size.contentSize;
            const [whole = 0] = size.viewSize;
            return [x + width + 24 > whole ? x - width - 16 : x + 16, 4];
          },
          // One moment and a line each; the axes' own headings would repeat the time for every panel.
          formatter: (parameters: unknown) => {
            const [first] = Array.isArray(parameters) ? parameters : [parameters];
            const atMs = Number((first as { axisValue?: unknown } | undefined)?.axisValue);
            const box = document.createElement("div");
            const head = box.appendChild(document.createElement("b"));
            head.textContent = placeText?.(atMs) ?? formats.dateTime(atMs);
            for (const line of lines) {
              const row = box.appendChild(document.createElement("div"));
              row.textContent = `${line.name}　${figure(line, valueAt(line.points, atMs, line.silences ?? silences))}`;
              const doubt = doubtText(line, atMs);
              if (doubt === "") continue;
              const told = box.appendChild(document.createElement("div"));
              told.textContent = doubt;
              told.style.color = token["--critical-mark"];
            }
            return box;
          },
        },
        series: [
          ...panels.flatMap((panel, panelIndex) =>
            panel.series.map((line, index) => {
              const colour = token[line.colour ?? colours[index % colours.length] ?? "--chart-1"];
              const strong = index === 0;
              const { min = 0, max = 0 } = axes[panelIndex] ?? {};
              const isDrawn = (edge: number): boolean => edge >= min && edge <= max;
              return {
                name: line.name,
                type: "line" as const,
                xAxisIndex: panelIndex,
                yAxisIndex: panelIndex,
                data: withGaps(line.points, line.silences ?? silences, heardMs),
                connectNulls: false,
                showSymbol: false,
                ...(line.step ? { step: "end" as const, areaStyle: { color: colour, opacity: 0.12 } } : {}),
                lineStyle: {
                  width: strong && !line.step ? 2.25 : 1.5,
                  color: colour,
                  ...(line.dashed && { type: [6, 4] }),
                },
                itemStyle: { color: colour },
                endLabel: {
                  show: isNamed && (!narrow || strong),
                  formatter: ({ value }: { value: unknown }) =>
                    [
                      isAlone ? "" : line.name,
                      Array.isArray(value) && typeof value[1] === "number"
                        ? formats.number(value[1], line.decimals)
                        : "",
                    ]
                      .join(" ")
                      .trim(),
                  color: strong ? colour : token["--ink-2"],
                  fontFamily: font,
                  fontSize: strong ? endSize : textSize,
                  fontWeight: strong ? 600 : 400,
                  distance: 8,
                  width: right - 12,
                  overflow: "break" as const,
                },
                ...(strong && panel.band && panel.band[0] < max && panel.band[1] > min
                  ? {
                      markArea: {
                        silent: true,
                        itemStyle: { color: token["--chart-band"] },
                        data: [[{ yAxis: Math.max(panel.band[0], min) }, { yAxis: Math.min(panel.band[1], max) }]],
                      },
                    }
                  : {}),
                ...(strong
                  ? {
                      markLine: {
                        silent: true,
                        symbol: "none",
                        data: [
                          ...(panel.target === undefined
                            ? []
                            : [
                                {
                                  yAxis: panel.target,
                                  lineStyle: { color: token["--accent"], type: [6, 4], width: 1 },
                                  label: { show: false },
                                },
                              ]),
                          ...(panel.band ?? []).filter(isDrawn).map((edge) => ({
                            yAxis: edge,
                            lineStyle: { color: token["--chart-band-edge"], type: [2, 4], width: 1 },
                            label: { show: false },
                          })),
                        ],
                      },
                    }
                  : {}),
              };
            }),
          ),
          // Behind the lines, whose places are counted on below: where nothing was heard, hatched.
          ...panels.flatMap((panel, panelIndex) => {
            const within = (atMs: number): number => Math.min(endMs, Math.max(startMs, atMs));
            const told = panel.series.flatMap(({ silences: own = [], name }) =>
              own.map(([fromMs, toMs]) => ({ from: within(fromMs), to: within(toMs), name })),
            );
            const pauses = [...Map.groupBy(told, ({ from, to }) => `${from} ${to}`).values()];
            if (pauses.length === 0) return [];
            return [
              {
                type: "line" as const,
                xAxisIndex: panelIndex,
                yAxisIndex: panelIndex,
                data: [],
                markArea: {
                  silent: true,
                  itemStyle: { color: hatchOf(token["--ink-3"]) },
                  label: {
                    show: panel.series.length > 1 && !narrow,
                    position: "insideBottom" as const,
                    color: token["--ink-3"],
                    fontFamily: font,
                    fontSize: 12,
                  },
                  // Pauses of several lines are hatched once, and named below each other.
                  data: pauses.flatMap((lines, row) => {
                    const [pause] = lines;
                    if (!pause || pause.to <= pause.from) return [];
                    const { from, to } = pause;
                    const isHatched = pauses.slice(0, row).some(([one]) => one && one.from <= from && one.to >= to);
                    const names = lines.length === panel.series.length ? [] : lines.map(({ name }) => name);
                    return [
                      [
                        {
                          name: gapText(names, to - from),
                          xAxis: from,
                          label: { distance: 6 + 16 * (row % panel.series.length) },
                          ...(isHatched && { itemStyle: { color: "transparent" } }),
                        },
                        { xAxis: to },
                      ],
                    ];
                  }),
                },
              },
            ];
          }),
          // A mark on the axis, and the span where it has a width.
          ...panels.flatMap((panel, panelIndex) => {
            const doubts = panel.series.flatMap((line) => line.doubts ?? []);
            if (doubts.length === 0) return [];
            const within = (atMs: number): number => Math.min(endMs, Math.max(startMs, atMs));
            return [
              {
                type: "line" as const,
                xAxisIndex: panelIndex,
                yAxisIndex: panelIndex,
                data: doubts
                  .map(({ fromMs, toMs }) => [(within(fromMs) + within(toMs)) / 2, axes[panelIndex]?.min])
                  .sort(([a = 0], [b = 0]) => a - b),
                showSymbol: true,
                showAllSymbol: true,
                symbol: "triangle",
                symbolSize: markSize,
                symbolOffset: [0, -markSize / 2],
                lineStyle: { opacity: 0 },
                itemStyle: { color: token["--critical-mark"] },
                z: 4,
                markArea: {
                  silent: true,
                  itemStyle: { color: token["--critical-soft"], opacity: 0.7 },
                  data: doubts.map(({ fromMs, toMs }) => [{ xAxis: within(fromMs) }, { xAxis: within(toMs) }]),
                },
              },
            ];
          }),
        ],
      },
      { notMerge: true },
    );
    // ECharts moves names that stand on each other only while they are animated.
    const drawn = chart.current;
    const offsets = panels.flatMap((panel, panelIndex) => {
      const ends = panel.series.map(({ points }) => points.at(-1)?.value);
      return spread(
        ends.map((value) =>
          value === undefined ? undefined : Number(drawn?.convertToPixel({ yAxisIndex: panelIndex }, value)),
        ),
        nameHeight,
      );
    });
    if (!narrow && offsets.some((offset) => offset !== 0))
      drawn?.setOption({ series: offsets.map((offset) => ({ endLabel: { offset: [0, offset] } })) });
  }, [
    panels,
    lines,
    startMs,
    endMs,
    silences,
    heardMs,
    placeText,
    doubtText,
    gapText,
    formats,
    theme,
    accent,
    narrow,
    long,
  ]);

  useEffect(() => {
    const of = chart.current;
    const spanMs = endMs - startMs;
    const note = (): void => {
      const zooms = of?.getOption().dataZoom as { start?: number; end?: number }[] | undefined;
      const { start = 0, end = 100 } = zooms?.[0] ?? {};
      zoomed.current = { spanMs, start, end };
    };
    of?.on("datazoom", note);
    return () => {
      if (of && !of.isDisposed()) of.off("datazoom", note);
    };
  }, [chart, startMs, endMs]);

  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1, PageUp: -12, PageDown: 12 }[event.key];
    if (step === undefined || main.length === 0) return;
    event.preventDefault();
    const now = at === undefined ? main.length - 1 : at;
    const next = Math.min(main.length - 1, Math.max(0, now + step));
    setAt(next);
    // The chart holds a row more for each gap before this one.
    const dataIndex = withGaps(main, lines[0]?.silences ?? silences, heardMs).findIndex(
      ([atMs]) => atMs === main[next]?.atMs,
    );
    chart.current?.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex });
  };
  const current = at === undefined ? undefined : main[at];
  return (
    <>
      <section
        ref={frame}
        className="chart"
        style={{ height }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the cursor of the chart moves by arrow keys.
        tabIndex={0}
        aria-label={t("{chart}，左右方向键移动游标", { chart: label })}
        onKeyDown={onKey}
        onBlur={() => {
          setAt(undefined);
          chart.current?.dispatchAction({ type: "hideTip" });
        }}
      />
      <p className="visually-hidden" aria-live="polite">
        {current && sentence(current.atMs)}
      </p>
    </>
  );
}
