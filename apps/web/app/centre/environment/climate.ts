import { climateJudge, climateOf, type JudgedDevice } from "@herdwise/device-kinds";
import type { KindFacts } from "../kind/kind-view.ts";

/** Whether the pigs of a unit are comfortable; undefined where it is not to be told or means nothing (no pigs). */
export function isComfortable({ verdictOf }: Pick<JudgedDevice, "verdictOf">): boolean | undefined {
  const { standing, range, value } = verdictOf("t_in");
  if (range.comfort === undefined || value === undefined || standing === "stale") return undefined;
  return standing === "fine";
}

/** Tint by distance from the target: c4 … c1 colder, "" on target, w1 … w4 warmer. A channel of its own, not a status. */
export function deviationTint(deviation: number | undefined): string {
  if (deviation === undefined) return "";
  // Within one degree is the controller's own hysteresis.
  const steps = Math.min(4, Math.floor(Math.abs(deviation)));
  return steps === 0 ? "" : `${deviation < 0 ? "c" : "w"}${steps}`;
}

/** Environment control: the loudest figure is the temperature, and what is far from its target comes first. */
export const climateFacts: KindFacts = {
  ...climateJudge,
  calmWords(judged, t, { number }) {
    const { deviation } = climateOf(judged.unit, judged);
    if (deviation === undefined) return "--";
    if (Math.abs(deviation) < 0.05) return t("与目标相同");
    const apart = number(Math.abs(deviation), 1);
    return deviation > 0 ? t("高 {apart}", { apart }) : t("低 {apart}", { apart });
  },
};
