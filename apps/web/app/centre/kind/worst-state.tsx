import { type JudgedDevice, problemSentence } from "@herdwise/device-kinds";
import type { ReactNode } from "react";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useDeclared, useLocalText } from "./kind-view.ts";
import { StateMark } from "./state-mark.tsx";
import { verdictAttributes } from "./verdict-mark.tsx";

/** The one line of a head that says what is wrong most: how bad, what, where, by how much. Nothing where nothing is. */
export function WorstState({ judged, place }: { judged: JudgedDevice; place?: ReactNode }) {
  const t = useTranslate();
  const { number } = useFormats();
  const local = useLocalText();
  const declared = useDeclared();
  const [worst, ...others] = judged.problems;
  if (!worst || worst.state === "unknown" || judged.freshness === "offline") return null;
  const { name, unit, decimals } = declared(worst.key, worst.value);
  return (
    <p className={`worst ${worst.state}`} role="status" {...verdictAttributes(worst)}>
      <StateMark state={worst.state} tag />
      <b>{local(problemSentence(worst))}</b>
      {worst.value !== undefined && (
        <span>
          {name}
          {typeof worst.value === "number" && (
            <span data-value>{` ${number(worst.value, decimals)} ${unit}`.trimEnd()}</span>
          )}
        </span>
      )}
      {place && <span>{place}</span>}
      {others.length > 0 && <span className="mut">{t("另有 {count} 项", { count: others.length })}</span>}
    </p>
  );
}
