import type { JudgedUnit } from "@herdwise/device-kinds";
import { useMemo } from "react";
import type { TimePanel } from "../../shared/chart/time-chart.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { TimeHistory, useSpan } from "../kind/time-history.tsx";
import { useHistories } from "../kind/use-history.ts";
import type { UnitNow } from "../kind/use-unit.ts";
import { bandOf, useRangeWords } from "../kind/verdict-mark.tsx";

const dayMs = 86_400_000;
const keys = ["t_in", "t_out", "gear"] as const;
/** Gears are switched, not measured: of an hour the highest counts, not their mean. */
const steps = ["gear"] as const;
/** Days of a batch that the raw and hourly store can still tell (devices.md: five years of hours; a batch is shorter). */
const longestBatchDays = 200;

/** A day, a week or the batch: temperature inside and outside against comfort and target, with the gear below. */
export function UnitHistory({
  unit,
  judged,
  target,
}: {
  unit: UnitNow;
  judged: JudgedUnit;
  target: number | undefined;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const batchDays = unit.ageDays === undefined ? [] : [Math.min(longestBatchDays, Math.max(1, unit.ageDays))];
  const { spans, span, choose } = useSpan(
    batchDays.map((count) => ({ id: "batch", name: t("本批"), spanMs: count * dayMs })),
  );
  const loaded = useHistories(unit.deviceId, keys, span.spanMs, steps, span.endMs);
  const { value } = loaded;
  const temperature = judged.verdictOf("t_in");
  const [low, high] = bandOf(temperature) ?? [];
  const range = useRangeWords()(temperature);
  const panels = useMemo((): TimePanel[] => {
    const line = (name: string, key: string, unitOf: string, decimals: number) => ({
      name,
      unit: unitOf,
      decimals,
      points: value?.points[key] ?? [],
      doubts: value?.doubts[key] ?? [],
    });
    return [
      {
        unit: "℃",
        height: 216,
        series: [line(t("舍内"), "t_in", "℃", 1), line(t("舍外"), "t_out", "℃", 1)],
        band: low === undefined || high === undefined ? undefined : [low, high],
        target,
        stepOfAxis: 5,
      },
      {
        unit: t("档"),
        height: 52,
        series: [{ ...line(t("档位"), "gear", "", 0), step: true, colour: "--chart-2" }],
        stepOfAxis: 3,
      },
    ];
  }, [value, low, high, target, t]);
  return (
    <TimeHistory
      deviceId={unit.deviceId}
      shown={[
        { key: "t_in", name: t("舍内") },
        { key: "t_out", name: t("舍外") },
        { key: "gear", name: t("档位") },
      ]}
      title={t("温度与档位，{span}", { span: span.name })}
      label={t("温度与档位曲线")}
      loaded={loaded}
      panels={panels}
      span={span}
      spans={spans}
      onSpan={choose}
      empty={t("这段时间没有温度数据。")}
      legend={
        <p className="chart-key">
          {range && (
            <span>
              <i className="band" />
              {`${range} ℃`}
            </span>
          )}
          {target !== undefined && (
            <span>
              <i className="dashed" />
              {t("目标 {target} ℃", { target: number(target, 1) })}
            </span>
          )}
        </p>
      }
    />
  );
}
