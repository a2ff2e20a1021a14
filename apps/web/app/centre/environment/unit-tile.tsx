import { memo } from "react";
import { Link } from "react-router";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { deviationTint, type JudgedUnit, problemName } from "./judge.ts";
import { StateMark } from "./state-mark.tsx";
import { useLocalText } from "./words.ts";

export const unitPath = (id: string): string => `/selfCenter/vet/environment/unit?id=${id}`;

/** Share of the scale bar for a deviation: the middle is the target, the ends are 5 °C off. */
const scaleShare = (deviation: number): number => Math.min(98, Math.max(2, 50 + deviation * 10));

/** What a tile says below its temperature: the worst problem, else the distance from the target. */
export function useUnitWords(): (judged: JudgedUnit) => string {
  const t = useTranslate();
  const formats = useFormats();
  const local = useLocalText();
  return ({ state, problems, deviation, unit, ageS, freshness }) => {
    if (state === "bare") return t("没有环控器");
    if (state === "silent") return t("尚无上报");
    if (state === "offline") return formats.age(ageS * 1000);
    if (state === "empty") return t("告警已屏蔽");
    if (state === "washing") return t("告警已屏蔽");
    const [worst] = problems;
    if (worst) return local(problemName(worst));
    if (unit.status === "fault") return t("自报故障");
    if (freshness === "stale") return formats.age(ageS * 1000);
    if (deviation === undefined) return "--";
    const apart = formats.number(Math.abs(deviation), 1);
    if (Math.abs(deviation) < 0.05) return t("与目标相同");
    return deviation > 0 ? t("高 {apart}", { apart }) : t("低 {apart}", { apart });
  };
}

/** One unit: its temperature loud, its state by shape and word, its distance from the target as a tint. */
export const UnitTile = memo(function UnitTile({ judged }: { judged: JudgedUnit }) {
  const t = useTranslate();
  const { number } = useFormats();
  const words = useUnitWords();
  const { unit, state, temperature, deviation, freshness } = judged;
  const silent = state === "empty" || state === "washing" || state === "bare" || state === "silent";
  const classes = [
    "tl",
    state,
    silent ? "x" : "",
    state === "offline" ? "x offl" : "",
    freshness === "stale" && state !== "offline" ? "stale" : "",
  ];
  const tint = silent || state === "offline" ? "" : deviationTint(deviation);
  return (
    <Link className={classes.filter(Boolean).join(" ")} to={unitPath(unit.id)} {...(tint ? { "data-h": tint } : {})}>
      <span className="a">
        <b>{unit.name.replace(/\s*单元$/, "")}</b>
        <StateMark state={state} />
      </span>
      <span className="v">
        {silent || temperature === undefined ? (
          "—"
        ) : (
          <>
            {number(temperature, 1)}
            <small>℃</small>
          </>
        )}
      </span>
      {!silent && deviation !== undefined && (
        <svg className="g" viewBox="0 0 100 9" preserveAspectRatio="none" aria-hidden="true">
          <path d="M0,4.5H100" />
          <path className="c" d="M40,4.5H60" />
          <path className="m" d={`M${scaleShare(deviation)},0V9`} />
        </svg>
      )}
      <span className="w" title={words(judged)}>
        {words(judged)}
      </span>
      <span className="sr">{t("打开单元")}</span>
    </Link>
  );
});
