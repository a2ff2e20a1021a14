import { type Interval, type Standing, shadedOf, type Verdict } from "@herdwise/device-kinds";
import { Mark } from "../../shared/icons/mark.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { type StateLook, stateMarks } from "./judge.ts";
import { useDeclared, useLocalText } from "./kind-view.ts";

/** Away from its comfort is neither good nor an alarm: in winter much is. */
const aside = { mark: "aside", tone: "aside" } as const;

const marks: Readonly<Record<Exclude<Standing, "over-limit" | "unjudged">, StateLook>> = {
  fine: stateMarks.ok,
  "off-comfort": aside,
  "outside-comfort": aside,
  "at-limit": stateMarks.notice,
  masked: stateMarks.empty,
  rejected: stateMarks.offline,
  stale: stateMarks.offline,
  unknown: stateMarks.silent,
};

/** Shape and words of a verdict, beside its figure; nothing where there was nothing to judge by. */
export function VerdictMark({ verdict: { standing, state, reason } }: { verdict: Verdict }) {
  const local = useLocalText();
  if (standing === "unjudged") return null;
  // That nobody knows a value on which animals live is an alarm of its own.
  const { mark, tone } =
    state === "ok" || state === "unknown" ? marks[standing as keyof typeof marks] : stateMarks[state];
  return (
    <span className={`state ${tone}`}>
      <Mark name={mark} />
      {local(reason)}
    </span>
  );
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
    const ends = comfort ?? usual;
    const isWhole = ends !== undefined && ends[0] === low && ends[1] === high;
    const band = isWhole
      ? ""
      : comfort
        ? t("舒适 {low}–{high}", span(comfort))
        : usual
          ? t("通常 {low}–{high}", span(usual))
          : "";
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
