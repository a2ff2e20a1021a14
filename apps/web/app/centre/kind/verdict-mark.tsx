import { type Interval, type Standing, shadedOf, type Verdict } from "@herdwise/device-kinds";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import type { UnitState } from "./judge.ts";
import { useDeclared, useLocalText } from "./kind-view.ts";
import { StateMark } from "./state-mark.tsx";

const marks: Readonly<Record<Exclude<Standing, "over-limit" | "unjudged">, UnitState>> = {
  fine: "ok",
  "off-comfort": "notice",
  "outside-comfort": "notice",
  "at-limit": "notice",
  masked: "empty",
  rejected: "offline",
  stale: "offline",
  unknown: "silent",
};

/** The mark of a verdict; undefined where there was nothing to judge by. */
export function markOf({ standing, state }: Verdict): UnitState | undefined {
  if (standing === "unjudged") return undefined;
  // That nobody knows a value on which animals live is an alarm of its own.
  return state === "ok" || state === "unknown" ? marks[standing as keyof typeof marks] : state;
}

/** Shape and words of a verdict, beside its figure. */
export function VerdictMark({ verdict }: { verdict: Verdict }) {
  const local = useLocalText();
  const mark = markOf(verdict);
  return mark && <StateMark state={mark}>{local(verdict.reason)}</StateMark>;
}

/** What a figure carries of its verdict: how it stands, and how bad it is where a rule speaks. */
export const verdictAttributes = ({ standing, state }: Verdict) => ({
  "data-verdict": standing,
  "data-state": state === "ok" || state === "unknown" ? undefined : state,
});

/** The range of a verdict in words: "舒适 65–75，限 45–85". */
export function useRangeWords(): (verdict: Pick<Verdict, "key" | "range">) => string {
  const t = useTranslate();
  const { number } = useFormats();
  const declared = useDeclared();
  const join = useJoin("clauses");
  return ({ key, range: { comfort, usual, low, high } }) => {
    const { decimals } = declared(key);
    const shown = (value: number): string => number(value, Number.isInteger(value) ? 0 : Math.max(1, decimals));
    const span = ([from, to]: Interval) => ({ low: shown(from), high: shown(to) });
    const band = comfort ? t("舒适 {low}–{high}", span(comfort)) : usual ? t("通常 {low}–{high}", span(usual)) : "";
    const limits =
      low !== undefined && high !== undefined
        ? t("限 {low}–{high}", span([low, high]))
        : high !== undefined
          ? t("上限 {limit}", { limit: shown(high) })
          : low !== undefined
            ? t("下限 {limit}", { limit: shown(low) })
            : "";
    return join([band, limits].filter((words) => words !== ""));
  };
}

/** What a chart shades behind a value. */
export const bandOf = ({ range }: Verdict): Interval | undefined => shadedOf(range);
