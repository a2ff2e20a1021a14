import { assessReading, climateTarget, environment } from "@herdwise/device-kinds";
import { type Judgeable, type JudgedDevice, numberIn, weightKgOf } from "../kind/judge.ts";
import type { KindFacts } from "../kind/kind-view.ts";

/** A unit's temperature against its target and the comfort of its pigs. */
export interface Climate {
  temperature: number | undefined;
  target: number | undefined;
  /** Degrees above (+) or below (−) the target. */
  deviation: number | undefined;
  /** Inside the comfort band of the pigsty; undefined where it is not to be told or means nothing (no pigs). */
  comfortable: boolean | undefined;
}

export function climateOf(unit: Judgeable, { device, freshness }: Pick<JudgedDevice, "device" | "freshness">): Climate {
  const temperature = numberIn(environment, device.readings, "t_in");
  const target = numberIn(environment, device.readings, "t_target") ?? unit.targetTemperature;
  const [low, high] = climateTarget(unit.pigstyType, weightKgOf(unit)).temperatureComfort;
  const judged = temperature !== undefined && freshness !== "offline" && unit.mode === "normal" && unit.headCount > 0;
  return {
    temperature,
    target,
    deviation: temperature === undefined || target === undefined ? undefined : temperature - target,
    comfortable: judged ? temperature >= low && temperature <= high : undefined,
  };
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
  assess: assessReading,
  urgencyOf: (unit, device) => Math.abs(climateOf(unit, { device, freshness: "live" }).deviation ?? 0),
  calmWords(judged, t, { number }) {
    const { deviation } = climateOf(judged.unit, judged);
    if (deviation === undefined) return "--";
    if (Math.abs(deviation) < 0.05) return t("与目标相同");
    const apart = number(Math.abs(deviation), 1);
    return deviation > 0 ? t("高 {apart}", { apart }) : t("低 {apart}", { apart });
  },
};
