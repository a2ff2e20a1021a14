import { climateOf, environment, numberIn, type PlacedUnit } from "@herdwise/device-kinds";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Cell, Heads, UnitCounts } from "../kind/overview-summary.tsx";
import { isComfortable } from "./climate.ts";

/** What can be told of the chosen units right now; nothing here is a guess over time. */
export function ClimateSummary({ units }: { units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const judged = units.filter((unit) => isComfortable(unit) !== undefined);
  const comfortable = judged.filter(isComfortable).length;
  const deviations = judged
    .map((unit) => climateOf(unit.unit, unit))
    .flatMap(({ deviation }) => (deviation === undefined ? [] : [Math.abs(deviation)]));
  const meanDeviation = deviations.reduce((sum, value) => sum + value, 0) / deviations.length;
  const measured = units
    .filter(({ state }) => state !== "bare" && state !== "offline" && state !== "silent")
    .filter(({ unit }) => numberIn(environment, unit.readings, "nh3") !== undefined);
  const ammonia = measured.filter(({ verdictOf }) => verdictOf("nh3").standing === "over-limit");
  const [worstAmmonia] = ammonia.toSorted(
    (a, b) =>
      (numberIn(environment, b.unit.readings, "nh3") ?? 0) - (numberIn(environment, a.unit.readings, "nh3") ?? 0),
  );
  return (
    <section className="card sum" aria-label={t("汇总")}>
      <UnitCounts units={units} />
      <Cell
        name={t("此刻舒适")}
        value={judged.length === 0 ? "--" : number((comfortable / judged.length) * 100, 1)}
        unit="%"
        note={
          judged.length === 0
            ? t("没有数据")
            : t("{count} / {all} 个有猪单元在舒适带内", { count: comfortable, all: judged.length })
        }
      />
      <Heads units={units} />
      <Cell
        name={t("与目标平均相差")}
        value={deviations.length === 0 ? "--" : number(meanDeviation, 1)}
        unit="℃"
        note={deviations.length === 0 ? "" : t("最大 {value} ℃", { value: number(Math.max(...deviations), 1) })}
      />
      <Cell
        name={t("氨气超限")}
        value={measured.length === 0 ? "--" : number(ammonia.length)}
        unit={t("{count||}个单元", { count: ammonia.length })}
        note={
          worstAmmonia
            ? t("最高 {value} ppm，{place}", {
                place: `${nameOf(worstAmmonia.house.name)} ${nameOf(worstAmmonia.unit.name)}`,
                value: number(numberIn(environment, worstAmmonia.unit.readings, "nh3") ?? 0, 1),
              })
            : t(measured.length === 0 ? "没有数据" : "没有")
        }
      />
    </section>
  );
}
