import { environment } from "@herdwise/device-kinds";
import { type Judgeable, type JudgedDevice, numberIn } from "../kind/judge.ts";
import type { KindFacts } from "../kind/kind-view.ts";

/** A unit's temperature against its target. */
export interface Climate {
  temperature: number | undefined;
  target: number | undefined;
  /** Degrees above (+) or below (−) the target. */
  deviation: number | undefined;
}

export function climateOf(unit: Judgeable, { device }: Pick<JudgedDevice, "device">): Climate {
  const temperature = numberIn(environment, device.readings, "t_in");
  const target = numberIn(environment, device.readings, "t_target") ?? unit.targetTemperature;
  const deviation = temperature === undefined || target === undefined ? undefined : temperature - target;
  return { temperature, target, deviation };
}

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
  kind: environment,
  urgencyOf: (unit, device) => Math.abs(climateOf(unit, { device }).deviation ?? 0),
  calmWords(judged, t, { number }) {
    const { deviation } = climateOf(judged.unit, judged);
    if (deviation === undefined) return "--";
    if (Math.abs(deviation) < 0.05) return t("与目标相同");
    const apart = number(Math.abs(deviation), 1);
    return deviation > 0 ? t("高 {apart}", { apart }) : t("低 {apart}", { apart });
  },
};
