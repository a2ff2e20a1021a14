import { environment } from "@herdwise/device-kinds";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { numberIn, type PlacedUnit } from "../kind/judge.ts";
import { Cell, Heads, UnitCounts } from "../kind/overview-summary.tsx";
import { climateOf } from "./climate.ts";

/** Ammonia above which the kind's rules speak, ppm; named so that the cell's title and its count agree. */
const ammoniaLimitPpm = 20;

/** What can be told of the chosen units right now; nothing here is a guess over time. */
export function ClimateSummary({ units }: { units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const judged = units.map((unit) => climateOf(unit.unit, unit)).filter(({ comfortable }) => comfortable !== undefined);
  const comfortable = judged.filter((climate) => climate.comfortable).length;
  const deviations = judged.flatMap(({ deviation }) => (deviation === undefined ? [] : [Math.abs(deviation)]));
  const meanDeviation = deviations.reduce((sum, value) => sum + value, 0) / deviations.length;
  const measured = units
    .filter(({ state }) => state !== "bare" && state !== "offline" && state !== "silent")
    .filter(({ unit }) => numberIn(environment, unit.readings, "nh3") !== undefined);
  const ammonia = measured.filter(({ unit }) => (numberIn(environment, unit.readings, "nh3") ?? 0) > ammoniaLimitPpm);
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
        name={t("氨气 > 20 ppm")}
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
