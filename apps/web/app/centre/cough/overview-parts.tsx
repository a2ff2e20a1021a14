import { type CoughAdvice, coughLimits, type DeviceAnalytics } from "@herdwise/contract";
import { figureOf, type JudgedUnit, type PlacedUnit, worstUnitState } from "@herdwise/device-kinds";
import { useMemo } from "react";
import { Link } from "react-router";
import { type Translate, useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useDeclared, useKind } from "../kind/kind-view.ts";
import { Cell, Heads, UnitCounts } from "../kind/overview-summary.tsx";
import { StateMark } from "../kind/state-mark.tsx";
import { isSilent } from "../kind/unit-tile.tsx";
import { useAnalytics } from "../kind/use-analytics.ts";
import { adviceStates, lookOf } from "./advice-states.ts";
import { advisedOf, isOpen, placeOf } from "./butler-order.ts";

const noDevices: readonly DeviceAnalytics[] = [];
const butlerPath = "/selfCenter/vet/cough/butler";

/** What the butler says of each unit, by its id: its figure and its verdict are those of both screens. */
function useAdvised() {
  const { value } = useAnalytics();
  return advisedOf(value?.devices ?? noDevices);
}

/** The state in the words of the butler, where it is the one that asks. */
function CoughState({ judged: { unit, state } }: { judged: JudgedUnit }) {
  const t = useTranslate();
  const advised = useAdvised().find(({ advice }) => advice.unitId === unit.id);
  const look = advised && lookOf(advised.advice);
  // Nothing is called normal before it is known what is usual there.
  if (state === "ok" && look?.state === "empty") return <StateMark state="empty">{t(look.name)}</StateMark>;
  return <StateMark state={state}>{look?.state === state ? t(look.short ?? look.name) : undefined}</StateMark>;
}

/** Why the butler asks for somebody, in a word or two. */
function whyOf(t: Translate, { state, trend, ammonia, swing }: CoughAdvice): string {
  if (state !== "watch") return t("高过平常");
  if (trend === "rising") return t("咳嗽在升");
  if (ammonia && ammonia.hoursAbove > 0) return t("氨气高");
  return swing && swing.range > coughLimits.swing ? t("温差大") : "";
}

/** Units as bad as the butler calls them where their values alone are better, so that every count on the screen is the same. */
function useAdvisedUnits(units: readonly PlacedUnit[] | undefined): readonly PlacedUnit[] | undefined {
  const t = useTranslate();
  const advised = useAdvised();
  return useMemo(
    () =>
      units?.map((judged) => {
        const one = advised.find(({ advice }) => advice.unitId === judged.unit.id);
        const asked = one && isOpen(one) ? adviceStates[one.advice.state].state : "ok";
        if (!one || judged.state === "offline" || isSilent(judged)) return judged;
        if (worstUnitState([judged, { state: asked }]) === judged.state) return judged;
        const why = whyOf(t, one.advice);
        const problem = { ...judged.verdictOf("rdi"), named: { zh: why, en: why } };
        return { ...judged, state: asked, problems: [problem, ...judged.problems] };
      }),
    [units, advised, t],
  );
}

/** Coughs of the last 24 hours per pig, with the score of a unit with which nothing is wrong. */
function CoughTile({ judged }: { judged: JudgedUnit }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { kind } = useKind();
  const declared = useDeclared();
  const advised = useAdvised().find(({ advice }) => advice.unitId === judged.unit.id);
  const value = advised?.advice.index ?? figureOf(kind, judged.device.readings, "rdi");
  if (isSilent(judged) || value === undefined) return <span className="value">—</span>;
  const score = figureOf(kind, judged.device.readings, "rehs");
  return (
    <>
      <span className="value">{number(value, 2)}</span>
      {score !== undefined && judged.problems.length === 0 && (
        <span className="words" title={declared("rehs").name}>
          {t("评分 {score}", { score: number(score, 0) })}
        </span>
      )}
    </>
  );
}

/** What the figure of a tile is. */
function CoughScale() {
  const t = useTranslate();
  return <span className="scale">{t("近 24 小时每头咳几次，和咳嗽管家同一个数")}</span>;
}

/** Units that need somebody, those to act on today, and where they cough most. */
function CoughSummary({ units }: { units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const { kind } = useKind();
  const advised = useAdvised().filter(({ advice }) => units.some(({ unit }) => unit.id === advice.unitId));
  const acting = advised.filter((one) => isOpen(one) && one.advice.state !== "watch");
  const place = acting[0] && placeOf(acting[0].advice, nameOf);
  const [most] = advised.toSorted((a, b) => (b.advice.index ?? 0) - (a.advice.index ?? 0));
  const [worst] = units
    .flatMap(({ device, state, house, unit }) => {
      const score = state === "offline" || state === "silent" ? undefined : figureOf(kind, device.readings, "rehs");
      return score === undefined ? [] : [{ score, place: `${nameOf(house.name)} ${nameOf(unit.name)}` }];
    })
    .toSorted((a, b) => a.score - b.score);
  return (
    <section className="card sum" aria-label={t("汇总")}>
      <UnitCounts units={units} />
      <Cell
        name={t("咳嗽今天要处理")}
        value={
          advised.length === 0 ? (
            "--"
          ) : (
            <Link className="link" to={butlerPath}>
              {number(acting.length)}
            </Link>
          )
        }
        unit={t("{count||}个单元", { count: acting.length })}
        note={
          place === undefined
            ? t(advised.length === 0 ? "没有数据" : "没有")
            : acting.length > 1
              ? t("{place} 等", { place })
              : place
        }
      />
      <Cell
        name={t("24 小时咳嗽，最高")}
        value={most?.advice.index === undefined ? "--" : number(most.advice.index, 2)}
        unit={t("次/头")}
        note={most?.advice.index !== undefined ? placeOf(most.advice, nameOf) : ""}
      />
      <Cell
        name={t("呼吸健康评分，最低")}
        value={worst === undefined ? "--" : number(worst.score, 0)}
        unit={t("满分 100")}
        note={worst?.place ?? ""}
      />
      <Heads units={units} />
    </section>
  );
}

/** What an overview of cough monitors draws itself. */
export const coughOverviewParts = {
  TileBody: CoughTile,
  TileState: CoughState,
  useStates: useAdvisedUnits,
  Summary: CoughSummary,
  Scale: CoughScale,
};
