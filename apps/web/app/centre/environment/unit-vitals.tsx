import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";
import {
  environment,
  type JudgedUnit,
  minimumVentilation,
  numberIn,
  seasonFor,
  type Verdict,
  ventilationVerdict,
  weightKgOf,
} from "@herdwise/device-kinds";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useDeclared } from "../kind/kind-view.ts";
import { Sparkline } from "../kind/sparkline.tsx";
import { growthSince, type Histories } from "../kind/use-history.ts";
import type { UnitNow } from "../kind/use-unit.ts";
import { bandOf, useRangeWords, VerdictMark, verdictAttributes } from "../kind/verdict-mark.tsx";

interface VitalsProps {
  unit: UnitNow;
  judged: JudgedUnit;
  histories: Histories | undefined;
  target: number | undefined;
}

/** Part of the scale that is free at each end, and the least between two numbers below it. */
const [freeShare, labelShare] = [0.06, 0.09];

/** Where values stand on a scale that reaches over all of them, % of its width. */
function scaleOf(values: readonly number[]): (value: number) => number {
  const [from, to] = [Math.min(...values), Math.max(...values)];
  const free = freeShare * (to - from || 1);
  return (value) => ((value - from + free) / (to - from + 2 * free)) * 100;
}

const isKnown = (value: number | undefined): value is number => value !== undefined;

/** The one figure that matters, on its scale: limits, comfort, target, now. */
function Temperature({ judged, target }: Pick<VitalsProps, "judged" | "target">) {
  const t = useTranslate();
  const { number } = useFormats();
  const rangeWords = useRangeWords();
  const verdict = judged.verdictOf("t_in");
  const now = typeof verdict.value === "number" ? verdict.value : undefined;
  const { low, high } = verdict.range;
  const limits = [low, high].filter(isKnown);
  const band = bandOf(verdict);
  const deviation = now === undefined || target === undefined ? undefined : now - target;
  const apart = deviation === undefined ? "" : number(Math.abs(deviation), 1);
  const at = scaleOf([...limits, ...(band ?? []), target, now].filter(isKnown));
  // A band that ends close to a limit has no number of its own there.
  const ends = (band ?? []).filter((end) => limits.every((limit) => Math.abs(at(end) - at(limit)) > labelShare * 100));
  return (
    <div className="vital-loudest" {...verdictAttributes(verdict)}>
      <div className="row">
        <h2 className="lbl">{t("舍内平均温度")}</h2>
        <VerdictMark verdict={verdict} />
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
      {limits.length > 0 && (
        <div
          className="gauge"
          role="img"
          aria-label={t("{range}，目标 {target}，当前 {now}", {
            range: rangeWords(verdict),
            target: target === undefined ? "--" : number(target, 1),
            now: now === undefined ? "--" : number(now, 1),
          })}
        >
          {band && (
            <span className="band" style={{ left: `${at(band[0])}%`, width: `${at(band[1]) - at(band[0])}%` }} />
          )}
          {limits.map((limit) => (
            <span key={limit} className="limit" style={{ left: `${at(limit)}%` }} />
          ))}
          {target !== undefined && <span className="target-mark" style={{ left: `${at(target)}%` }} />}
          {now !== undefined && <span className="now" style={{ left: `${at(now)}%` }} />}
          {[...limits, ...ends].map((value) => (
            <b key={value} style={{ left: `${at(value)}%` }}>
              {number(value, Number.isInteger(value) ? 0 : 1)}
            </b>
          ))}
          {target !== undefined && (
            <b className="target-text" style={{ left: `${at(target)}%` }}>
              {t("目标 {target}", { target: number(target, 1) })}
            </b>
          )}
        </div>
      )}
      <div className="tgt">{rangeWords(verdict) || "　"}</div>
    </div>
  );
}

interface VitalProps {
  name: string;
  value: number | undefined;
  decimals: number;
  unit: string;
  note: string;
  points: readonly { value: number }[] | undefined;
  verdict?: Verdict;
  /** How it stands to a reference that no rule speaks of. */
  reference?: Verdict;
  tone?: "water";
}

function Vital({ name, value, decimals, unit, note, points, verdict, reference = verdict, tone }: VitalProps) {
  const { number } = useFormats();
  return (
    <div className="vital" {...(verdict && verdictAttributes(verdict))}>
      <div className="row">
        <h3 className="lbl">{name}</h3>
        {reference && <VerdictMark verdict={reference} />}
      </div>
      <div className="value">
        <div>
          <span className="figure">{value === undefined ? "--" : number(value, decimals)}</span>
          <small>{unit}</small>
        </div>
        <Sparkline points={points ?? []} band={verdict && bandOf(verdict)} tone={tone} />
      </div>
      <div className="tgt">{note || "　"}</div>
    </div>
  );
}

/** Start of today where the farm is; the meter's day is the farm's. */
const farmDayStartMs = (nowMs: number): number => shanghaiMidnight(shanghaiDay(nowMs));

/** Temperature loud, its six neighbours beside it, each with its day and its limit. */
export function UnitVitals({ unit, judged, histories, target }: VitalsProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const declared = useDeclared();
  const weightKg = weightKgOf(unit);
  const rangeWords = useRangeWords();
  const judgedVital = (key: string, name: string) => {
    const verdict = judged.verdictOf(key);
    const { unit: unitOf, decimals } = declared(key);
    const value = typeof verdict.value === "number" ? verdict.value : undefined;
    const points = histories?.points[key];
    return <Vital {...{ name, value, decimals, unit: unitOf, verdict, points }} note={rangeWords(verdict)} />;
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
  return (
    <section className="card vitals" aria-label={t("实时数值")}>
      <Temperature judged={judged} target={target} />
      <div className="grid">
        {judgedVital("rh", t("相对湿度"))}
        {judgedVital("nh3", t("氨气"))}
        {judgedVital("co2", t("二氧化碳"))}
        <Vital
          name={t("通风量")}
          value={vent}
          decimals={0}
          unit="m³/h"
          note={
            min === undefined || vent === undefined || liveKg === 0
              ? ""
              : t("{rate} m³/h·kg，参考最小 {least}", {
                  rate: number(vent / liveKg, 2),
                  least: number(min / liveKg, 2),
                })
          }
          points={histories?.points.vent}
          {...(min !== undefined &&
            vent !== undefined &&
            liveKg !== 0 && { reference: ventilationVerdict(vent / liveKg, min / liveKg) })}
        />
        {judgedVital("dp", t("静压"))}
        <Vital
          name={t("今日用水")}
          value={waterToday === undefined || unit.headCount === 0 ? waterToday : waterToday / unit.headCount}
          decimals={unit.headCount === 0 ? 0 : 1}
          unit={unit.headCount === 0 ? "L" : t("L/头")}
          note={waterToday === undefined ? "" : t("共 {litres} L，0 点起", { litres: number(waterToday) })}
          points={waterRate}
          tone="water"
        />
      </div>
    </section>
  );
}
