/** What a device is tried by before animals depend on it, and how the readings of a trial are judged. Pure functions. */
import type { CommissioningParts, DeviceKind } from "./device-kind.ts";
import { airChangePerMinute } from "./shared-parts.ts";

/** A sensor in a hand is warmer by this much at least, K. */
export const warmedByK = 1;
/** Seconds for which a sensor is held. */
export const warmedS = 60;
/** Seconds in which a command must be carried out and seen. */
export const switchedS = 60;

/** Seconds after which a trial is over: what is done, and two reports of the device. */
export const trialS = (kind: Pick<DeviceKind, "reportIntervalS">, doneS: number): number =>
  doneS + 2 * kind.reportIntervalS;

/** What a sensor told before it was warmed, and the most since; undefined where it told nothing. */
export type SensorTrial = {
  readonly id: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** A reading since was rejected, as one of a sensor in a warm hand may be: it changes faster than air does. */
  readonly jumped?: boolean;
};

/** `running`: nothing is known yet. */
export type TrialVerdict<Reason extends string> =
  | { readonly result: "running" | "passed" }
  | { readonly result: "failed"; readonly reason: Reason; readonly others?: readonly string[] };

function riseOf({ before, after, jumped = false }: SensorTrial): number | undefined {
  const rise = before === undefined || after === undefined ? undefined : after - before;
  return jumped ? Math.max(rise ?? 0, airChangePerMinute) : rise;
}

/**
 * Whether the sensor that was warmed is the one that tells so. A house that gets warmer as a whole warms all of them, so the difference
 * to the others counts.
 * @param others the other sensors of the unit; their ids name the ones that rose
 * @param over no value can come any more
 */
export function warmedVerdict(
  warmed: SensorTrial,
  others: readonly SensorTrial[],
  over: boolean,
): TrialVerdict<"swapped" | "both_rose" | "not_risen" | "no_value"> {
  const rise = riseOf(warmed);
  const rose = others.filter((other) => (riseOf(other) ?? 0) >= warmedByK);
  if (rise !== undefined && rise >= warmedByK) {
    if (others.every((other) => rise - (riseOf(other) ?? 0) >= warmedByK)) return { result: "passed" };
    return over ? { result: "failed", reason: "both_rose", others: rose.map(({ id }) => id) } : { result: "running" };
  }
  // It told a value that did not rise while another one did: the cables are swapped.
  if (rise !== undefined && rose.length > 0)
    return { result: "failed", reason: "swapped", others: rose.map(({ id }) => id) };
  if (!over) return { result: "running" };
  return { result: "failed", reason: rise === undefined ? "no_value" : "not_risen" };
}

/** What a machine told since its command was carried out. */
export type MachineTrial = {
  readonly id: string;
  /** undefined while its command waits. */
  readonly accepted: boolean | undefined;
  readonly runs: boolean | undefined;
  /** Current in A; undefined where none is measured or told. */
  readonly currentA: number | undefined;
};

/** Whether all machines of a group follow their commands. */
export function switchedVerdict(
  machines: readonly MachineTrial[],
  over: boolean,
): TrialVerdict<"command_failed" | "not_followed" | "no_current"> {
  const idsOf = (of: readonly MachineTrial[]): string[] => of.map(({ id }) => id);
  const refused = machines.filter(({ accepted }) => accepted === false);
  if (refused.length > 0) return { result: "failed", reason: "command_failed", others: idsOf(refused) };
  const idle = machines.filter(({ runs }) => runs !== true);
  const without = machines.filter(({ runs, currentA }) => runs === true && currentA !== undefined && currentA <= 0);
  if (idle.length === 0 && without.length === 0) return { result: "passed" };
  if (!over) return { result: "running" };
  return idle.length > 0
    ? { result: "failed", reason: "not_followed", others: idsOf(idle) }
    : { result: "failed", reason: "no_current", others: idsOf(without) };
}

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/**
 * Whether limits and curve are set, and the device follows them.
 * @param desired what the server wants, by key
 * @param reported what the device says
 */
export function settingsVerdict(
  { settings = [], curve }: CommissioningParts,
  desired: Readonly<Record<string, unknown>>,
  reported: Readonly<Record<string, unknown>>,
): TrialVerdict<"missing" | "not_applied"> {
  const follows = reported[curve?.flag ?? ""] ?? desired[curve?.flag ?? ""];
  const keys = [...settings, ...(curve && follows === true ? [curve.table] : [])];
  const missing = keys.filter((key) => isMissing(reported[key] ?? desired[key]));
  if (missing.length > 0) return { result: "failed", reason: "missing", others: missing };
  const apart = keys.filter(
    (key) => desired[key] !== undefined && JSON.stringify(desired[key]) !== JSON.stringify(reported[key]),
  );
  return apart.length > 0 ? { result: "failed", reason: "not_applied", others: apart } : { result: "passed" };
}
