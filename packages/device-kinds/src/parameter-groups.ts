/** Groups of parameters that are entered in one form, and a preview of their effect. Pure functions. */
import type { DeviceKind } from "./device-kind.ts";
import { type FanTableRow, gearFor } from "./gears.ts";
import type { ParameterGroup } from "./kind-pages.ts";

/** The forms of a kind as it declares them; otherwise one for all plain values and one for each table. */
export function parameterGroups({
  pages,
  parameters,
}: Pick<DeviceKind, "pages" | "parameters">): readonly ParameterGroup[] {
  if (pages?.settings) return pages.settings;
  const plain = parameters.filter(({ type }) => type !== "structure");
  return [
    ...(plain.length === 0
      ? []
      : [{ id: "setting", name: { zh: "参数设置", en: "Parameters" }, keys: plain.map(({ key }) => key) }]),
    ...parameters.filter(({ type }) => type === "structure").map(({ key, name }) => ({ id: key, name, keys: [key] })),
  ];
}

/** Result of replaying measured temperatures with a fan table. */
export type GearReplay = {
  /** Number of gear changes. */
  readonly changes: number;
  /** The gear from each moment on, ms since 1970. */
  readonly steps: readonly { readonly atMs: number; readonly gear: number }[];
  /** Shortest time between two changes, ms; undefined with fewer than two. */
  readonly shortestMs: number | undefined;
  readonly highest: number;
};

/**
 * Replays measured temperatures with a fan table and the minimum time of each gear. The effect of another gear on the
 * temperature itself is ignored.
 * @param measured °C, oldest first
 */
export function replayGears(
  measured: readonly { readonly atMs: number; readonly value: number }[],
  table: readonly FanTableRow[],
): GearReplay {
  const steps: { atMs: number; gear: number }[] = [];
  let shortestMs: number | undefined;
  for (const { atMs, value } of measured) {
    const last = steps.at(-1);
    if (last === undefined) {
      steps.push({ atMs, gear: gearFor(value, 1, table) });
      continue;
    }
    const gear = gearFor(value, last.gear, table);
    const least = (table.find((row) => row.gear === last.gear)?.min_run_s ?? 0) * 1000;
    if (gear === last.gear || atMs - last.atMs < least) continue;
    if (steps.length > 1) shortestMs = Math.min(shortestMs ?? Number.POSITIVE_INFINITY, atMs - last.atMs);
    steps.push({ atMs, gear });
  }
  return {
    changes: Math.max(0, steps.length - 1),
    steps,
    shortestMs,
    highest: steps.reduce((most, { gear }) => Math.max(most, gear), 0),
  };
}

/** A fan table for another target: all temperatures shifted by the same number of °C. */
export const shiftFanTable = (table: readonly FanTableRow[], byC: number): FanTableRow[] =>
  table.map((row) => ({
    ...row,
    t_up: Math.round((row.t_up + byC) * 10) / 10,
    t_down: Math.round((row.t_down + byC) * 10) / 10,
  }));
