/** How a unit's climate is judged: the values of its controller that a person looks at, against its set-point. */
import { type AssessOptions, assessValues, type ReadingAssessment, type ReadingContext } from "./assess.ts";
import type { ReportedValue } from "./device-kind.ts";
import { environment } from "./kinds/environment.ts";

/** The values an environment unit is judged by, most telling first. */
export const environmentKeys = [
  "t_in",
  "rh",
  "nh3",
  "co2",
  "h2s",
  "thi",
  "dp",
  "gear",
  "fans_running",
  "fan_current_deviation",
  "probe_spread",
  "mains",
] as const;

const environmentOptions: AssessOptions = {
  keys: environmentKeys,
  shownAt: { gear_gap: "gear" },
  // In gears 1–2 fan 1 rests most of the time; one reading cannot tell a pause from a failure.
  without: ["cycle_fan_off"],
  targets: { t_in: "t_target" },
};

/**
 * Judges one reading of an environment unit. Empty and washing mask all but the safety class (power, hydrogen sulfide): a
 * masked value is "ok" with `masked` set. Stale readings keep their states and are marked by `freshness`.
 */
export const assessReading = (
  context: ReadingContext,
  values: Readonly<Record<string, ReportedValue | null | undefined>>,
): ReadingAssessment => assessValues(environment, environmentOptions, context, values);
