import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";
import {
  type Assessment,
  climateTarget,
  environment,
  type Interval,
  limitValue,
  minimumVentilation,
  readingLookup,
  seasonFor,
} from "@herdwise/device-kinds";
import type { ReactNode } from "react";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { numberIn, reportedValues, type UnitState } from "../kind/judge.ts";
import { useLocalText } from "../kind/kind-view.ts";
import { Sparkline } from "../kind/sparkline.tsx";
import { StateMark } from "../kind/state-mark.tsx";
import { growthSince, type Histories } from "../kind/use-history.ts";
import type { UnitNow } from "../kind/use-unit.ts";

interface VitalsProps {
  unit: UnitNow;
  values: readonly Assessment[];
  histories: Histories | undefined;
  target: number | undefined;
}

/** The upper limit that the kind's rules set for a value now: the loosest "greater than" is the first to speak. */
function upperLimit(unit: UnitNow, key: string): number | undefined {
  const context = { pigstyType: unit.pigstyType };
  const lookup = readingLookup(environment, reportedValues(environment, unit.readings, unit.reportedAtMs), context);
  const limits = environment.alarmRules.flatMap(({ condition }) => {
    if (condition.type !== "compare" || condition.key !== key || condition.op !== "gt") return [];
    const limit = limitValue(environment, condition.limit, lookup, context);
    return typeof limit === "number" ? [limit] : [];
  });
  return limits.length === 0 ? undefined : Math.min(...limits);
}

function Judgement({ found, good }: { found: Assessment | undefined; good: string }) {
  const local = useLocalText();
  // That nobody knows a value on which animals live is an alarm of its own.
  if (!found || (found.value === undefined && found.ruleId === undefined)) return <StateMark state="silent" />;
  if (found.state === "unknown") return <StateMark state="offline">{local(found.reason)}</StateMark>;
  if (found.masked) return <StateMark state="ok">{local(found.reason)}</StateMark>;
  if (found.state === "ok") return <StateMark state="ok">{good}</StateMark>;
  return <StateMark state={found.state satisfies UnitState}>{local(found.reason)}</StateMark>;
}

const share = (value: number, [low, high]: Interval): number =>
  Math.min(100, Math.max(0, ((value - low) / (high - low)) * 100));

/** The one figure that matters, on its scale: limits, comfort, target, now. */
function Temperature({ unit, values, target }: Omit<VitalsProps, "histories">) {
  const t = useTranslate();
  const { number } = useFormats();
  const now = numberIn(environment, unit.readings, "t_in");
  const climate = climateTarget(
    unit.pigstyType,
    unit.averageWeightGrams === undefined ? undefined : unit.averageWeightGrams / 1000,
  );
  const limits = climate.temperatureLimits;
  const [low, high] = climate.temperatureComfort;
  const found = values.find(({ key }) => key === "t_in");
  const comfortable = now !== undefined && now >= low && now <= high;
  const deviation = now === undefined || target === undefined ? undefined : now - target;
  const apart = deviation === undefined ? "" : number(Math.abs(deviation), 1);
  const marks = [
    { at: limits[0], text: number(limits[0]) },
    { at: low, text: number(low) },
    { at: high, text: number(high) },
    { at: limits[1], text: number(limits[1]) },
  ];
  return (
    <div className="vital-loudest">
      <div className="row">
        <h2 className="lbl">{t("舍内平均温度")}</h2>
        <Judgement found={found} good={comfortable ? t("在舒适带内") : t("在限内，舒适带外")} />
      </div>
      <div className="big">
        <span>{now === undefined ? "--" : number(now, 1)}</span>
        <small>℃</small>
        <em>
          {deviation === undefined
            ? ""
            : Math.abs(deviation) < 0.05
              ? t("与目标相同")
              : deviation > 0
                ? t("高于目标 {apart}", { apart })
                : t("低于目标 {apart}", { apart })}
        </em>
      </div>
      <div
        className="gauge"
        role="img"
        aria-label={t("限值 {from} 到 {to} 度，舒适带 {low} 到 {high} 度，目标 {target}，当前 {now}", {
          from: limits[0],
          to: limits[1],
          low,
          high,
          target: target === undefined ? "--" : number(target, 1),
          now: now === undefined ? "--" : number(now, 1),
        })}
      >
        <span
          className="band"
          style={{ left: `${share(low, limits)}%`, width: `${share(high, limits) - share(low, limits)}%` }}
        />
        {target !== undefined && <span className="target-mark" style={{ left: `${share(target, limits)}%` }} />}
        {now !== undefined && <span className="now" style={{ left: `${share(now, limits)}%` }} />}
        {marks.map(({ at, text }) => (
          <b key={at} style={{ left: `${share(at, limits)}%` }}>
            {text}
          </b>
        ))}
        {target !== undefined && (
          <b className="target-text" style={{ left: `${share(target, limits)}%` }}>
            {t("目标 {target}", { target: number(target, 1) })}
          </b>
        )}
      </div>
    </div>
  );
}

interface VitalProps {
  name: string;
  value: number | undefined;
  decimals: number;
  unit: string;
  judgement: ReactNode;
  note: string;
  points: readonly { value: number }[] | undefined;
  band?: Interval | undefined;
  tone?: "water";
}

function Vital({ name, value, decimals, unit, judgement, note, points, band, tone }: VitalProps) {
  const { number } = useFormats();
  return (
    <div className="vital">
      <div className="row">
        <h3 className="lbl">{name}</h3>
        {judgement}
      </div>
      <div className="value">
        <div>
          <span className="figure">{value === undefined ? "--" : number(value, decimals)}</span>
          <small>{unit}</small>
        </div>
        <Sparkline points={points ?? []} band={band} tone={tone} />
      </div>
      <div className="tgt">{note || "　"}</div>
    </div>
  );
}

/** Start of today where the farm is; the meter's day is the farm's. */
const farmDayStartMs = (nowMs: number): number => shanghaiMidnight(shanghaiDay(nowMs));

/** Temperature loud, its six neighbours beside it, each with its day and its limit. */
export function UnitVitals({ unit, values, histories, target }: VitalsProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const weightKg = unit.averageWeightGrams === undefined ? undefined : unit.averageWeightGrams / 1000;
  const climate = climateTarget(unit.pigstyType, weightKg);
  const judged = (key: string): Assessment | undefined => values.find((value) => value.key === key);
  const limitNote = (key: string): string => {
    const limit = upperLimit(unit, key);
    return limit === undefined ? "" : t("上限 {limit}", { limit: number(limit) });
  };
  const limitBand = (key: string): Interval | undefined => {
    const limit = upperLimit(unit, key);
    return limit === undefined ? undefined : [0, limit];
  };
  const outside = histories?.points.t_out ?? [];
  const outsideMean =
    outside.length > 0
      ? outside.reduce((sum, { value }) => sum + value, 0) / outside.length
      : numberIn(environment, unit.readings, "t_out");
  const vent = numberIn(environment, unit.readings, "vent");
  const liveKg = (weightKg ?? 0) * unit.headCount;
  const min =
    outsideMean === undefined || liveKg === 0 || weightKg === undefined
      ? undefined
      : minimumVentilation(unit.pigstyType, seasonFor(outsideMean), weightKg, unit.headCount);
  const waterToday = growthSince(histories?.points.water ?? [], farmDayStartMs(Date.now()));
  const waterRate = (histories?.points.water ?? []).flatMap((point, index, all) => {
    const before = all[index - 1];
    return before ? [{ value: Math.max(0, point.value - before.value) }] : [];
  });
  const normal = environment.channels.find(({ key }) => key === "dp")?.normal;
  return (
    <section className="card vitals" aria-label={t("实时数值")}>
      <Temperature unit={unit} values={values} target={target} />
      <div className="grid">
        <Vital
          name={t("相对湿度")}
          value={numberIn(environment, unit.readings, "rh")}
          decimals={0}
          unit="%"
          judgement={<Judgement found={judged("rh")} good={t("在限内")} />}
          note={t("适宜 {low}–{high}", { low: climate.humidityComfort[0], high: climate.humidityComfort[1] })}
          points={histories?.points.rh}
          band={climate.humidityComfort}
        />
        <Vital
          name={t("氨气")}
          value={numberIn(environment, unit.readings, "nh3")}
          decimals={1}
          unit="ppm"
          judgement={<Judgement found={judged("nh3")} good={t("在限内")} />}
          note={limitNote("nh3")}
          points={histories?.points.nh3}
          band={limitBand("nh3")}
        />
        <Vital
          name={t("二氧化碳")}
          value={numberIn(environment, unit.readings, "co2")}
          decimals={0}
          unit="ppm"
          judgement={<Judgement found={judged("co2")} good={t("在限内")} />}
          note={limitNote("co2")}
          points={histories?.points.co2}
          band={limitBand("co2")}
        />
        <Vital
          name={t("通风量")}
          value={vent}
          decimals={0}
          unit="m³/h"
          judgement={
            <span className="mut small">
              {numberIn(environment, unit.readings, "gear") === undefined
                ? ""
                : t("{gear} 档", { gear: number(numberIn(environment, unit.readings, "gear") ?? 0) })}
            </span>
          }
          note={
            min === undefined || vent === undefined || liveKg === 0
              ? ""
              : t("{rate} m³/h·kg，参考最小 {least}", {
                  rate: number(vent / liveKg, 2),
                  least: number(min / liveKg, 2),
                })
          }
          points={histories?.points.vent}
        />
        <Vital
          name={t("静压")}
          value={numberIn(environment, unit.readings, "dp")}
          decimals={0}
          unit="Pa"
          judgement={<Judgement found={judged("dp")} good={t("在限内")} />}
          note={normal ? t("通常 {low}–{high}", { low: normal[0], high: normal[1] }) : ""}
          points={histories?.points.dp}
          band={normal}
        />
        <Vital
          name={t("今日用水")}
          value={waterToday === undefined || unit.headCount === 0 ? waterToday : waterToday / unit.headCount}
          decimals={unit.headCount === 0 ? 0 : 1}
          unit={unit.headCount === 0 ? "L" : t("L/头")}
          judgement={<span />}
          note={waterToday === undefined ? "" : t("共 {litres} L，0 点起", { litres: number(waterToday) })}
          points={waterRate}
          tone="water"
        />
      </div>
    </section>
  );
}
