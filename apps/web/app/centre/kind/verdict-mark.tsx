import { type Interval, rangeWords, type Standing, shadedOf, type Verdict } from "@herdwise/device-kinds";
import { Mark } from "../../shared/icons/mark.tsx";
import { useDeclared, useLocalText } from "./kind-view.ts";
import { type StateLook, stateMarks } from "./unit-states.ts";

/** Away from its comfort is neither good nor an alarm: in winter much is. */
const aside = { mark: "aside", tone: "aside" } as const;

/** How a value looks to which no rule applies. */
export const standingMarks: Readonly<Record<Exclude<Standing, "over-limit" | "unjudged">, StateLook>> = {
  fine: stateMarks.ok,
  "off-comfort": aside,
  "outside-comfort": aside,
  idle: stateMarks.empty,
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
    state === "ok" || state === "unknown" ? standingMarks[standing as keyof typeof standingMarks] : stateMarks[state];
  return (
    <span className={`state ${tone}`}>
      <Mark name={mark} />
      {local(reason)}
    </span>
  );
}

/** What a figure carries of its verdict: of which value it is, how that stands, and how bad it is where a rule speaks. */
export const verdictAttributes = ({ key, standing, state }: Verdict) => ({
  "data-channel": key,
  "data-verdict": standing,
  "data-state": state === "ok" || state === "unknown" ? undefined : state,
});

/** The range of a verdict in words: "舒适 65–75；限 45–85". */
export function useRangeWords(): (verdict: Pick<Verdict, "key" | "range">) => string {
  const local = useLocalText();
  const declared = useDeclared();
  return ({ key, range }) => local(rangeWords(range, declared(key).decimals));
}

/** What a chart shades behind a value. */
export const bandOf = ({ range }: Verdict): Interval | undefined => shadedOf(range);
