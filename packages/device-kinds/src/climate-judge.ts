import { type Judgeable, type JudgedDevice, type KindJudge, numberIn } from "./judge.ts";
import { environment } from "./kinds/environment.ts";

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

/** Environment control: of units in the same state the one that is farthest from its target comes first. */
export const climateJudge: KindJudge = {
  kind: environment,
  urgencyOf: (unit, device) => Math.abs(climateOf(unit, { device }).deviation ?? 0),
};
