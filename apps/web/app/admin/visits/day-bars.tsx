import { useEffect } from "react";

import { readColours } from "../../shared/chart/tokens.ts";
import { useChart } from "../../shared/chart/use-chart.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { usePreferences } from "../../shared/preferences/preferences.tsx";

const tokenNames = ["--chart-1", "--chart-grid", "--ink-2", "--ink-3", "--raised", "--line-2", "--hover"] as const;

/** Room that the name of a day takes on the axis, px. */
const dayWidth = 56;

/** Visits of each day as bars. The table behind it holds the same numbers. */
export function DayBars({ days }: { days: readonly { day: string; visits: number }[] }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { theme, accent } = usePreferences();
  const { frame, chart } = useChart<HTMLDivElement>();
  // Theme and accent change what the tokens stand for.
  useEffect(() => {
    const token = readColours(tokenNames);
    const font = getComputedStyle(document.body).fontFamily;
    const label = { color: token["--ink-3"], fontFamily: font, fontSize: 12 };
    chart.current?.setOption(
      {
        animation: false,
        textStyle: { fontFamily: font },
        grid: { left: 48, right: 12, top: 16, bottom: 28 },
        xAxis: {
          type: "category",
          data: days.map(({ day }) => day.slice(5)),
          axisLine: { lineStyle: { color: token["--line-2"] } },
          axisTick: { show: false },
          axisLabel: {
            ...label,
            // Counted from today, so that the newest day has its name and the gaps are alike.
            interval: (at: number) => {
              const room = Math.max(1, Math.floor(((chart.current?.getWidth() ?? 0) - 60) / dayWidth));
              return (days.length - 1 - at) % Math.ceil(days.length / room) === 0;
            },
          },
        },
        yAxis: {
          type: "value",
          minInterval: 1,
          axisLabel: { ...label, formatter: (value: number) => number(value) },
          splitLine: { lineStyle: { color: token["--chart-grid"] } },
        },
        tooltip: {
          trigger: "axis",
          confine: true,
          axisPointer: { type: "shadow", shadowStyle: { color: token["--hover"], opacity: 0.6 } },
          backgroundColor: token["--raised"],
          borderColor: token["--line-2"],
          padding: [8, 12],
          textStyle: { color: token["--ink-2"], fontSize: 12, fontFamily: font },
          valueFormatter: (value: unknown) => number(Number(value)),
        },
        series: [
          {
            name: t("访问"),
            type: "bar",
            data: days.map(({ visits }) => visits),
            barMaxWidth: 28,
            barCategoryGap: "30%",
            itemStyle: { color: token["--chart-1"], borderRadius: [3, 3, 0, 0] },
          },
        ],
      },
      { notMerge: true },
    );
  }, [days, t, number, theme, accent]);
  return <div ref={frame} className="day-bars" role="img" aria-label={t("每日访问量柱状图，数据表见右上角")} />;
}
