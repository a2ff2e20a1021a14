import type { ParameterPeer } from "@herdwise/contract";
import { checkParameter, type FanTableRow, type Parameter, shiftFanTable } from "@herdwise/device-kinds";
import { sameValue, startValue } from "./parameter-values.ts";

/** A setting belongs to where it is: the mode of a unit, and what was measured at one probe or meter. */
const ownOfPlace = new Set([
  "mode",
  "sensor_offset",
  "whitelist",
  "task",
  "locked",
  "k_1",
  "k_2",
  "dose_factor",
  "route",
]);

/** Whether a setting is left out of copies. */
export const belongsToPlace = (key: string): boolean => ownOfPlace.has(key);

interface Plan {
  peer: ParameterPeer;
  /** What is sent, with what it was there. */
  changes: { parameter: Parameter; before: unknown; after: unknown }[];
  /** Keys that the device does not know, or whose values it may not have. */
  unfit: Parameter[];
  /** °C by which a fan table is moved, because the targets differ. */
  shiftedBy: number;
}

const isNumber = (value: unknown): value is number => typeof value === "number";

/** What a copy would change at a device, and what does not fit. */
export function planCopy(
  parameters: readonly Parameter[],
  keys: ReadonlySet<string>,
  from: (key: string) => unknown,
  peer: ParameterPeer,
): Plan {
  const plan: Plan = { peer, changes: [], unfit: [], shiftedBy: 0 };
  const reportsAny = Object.keys(peer.reported).length > 0;
  for (const parameter of parameters) {
    const { key } = parameter;
    if (!keys.has(key)) continue;
    let after = from(key);
    const target = parameters.find((declared) => declared.key === "t_target");
    if (key === "fan_table" && target && !keys.has("t_target") && Array.isArray(after)) {
      const [ours, theirs] = [from("t_target"), startValue(target, peer)];
      if (isNumber(ours) && isNumber(theirs) && ours !== theirs) {
        plan.shiftedBy = Math.round((theirs - ours) * 10) / 10;
        after = shiftFanTable(after as FanTableRow[], plan.shiftedBy);
      }
    }
    const before = startValue(parameter, peer);
    if (sameValue(before, after)) continue;
    // A device that tells its settings and not this one has a firmware that does not know it.
    const unknown = reportsAny && !(key in peer.reported) && !(key in peer.desired);
    if (unknown || checkParameter(parameter, after).length > 0) plan.unfit.push(parameter);
    else plan.changes.push({ parameter, before, after });
  }
  return plan;
}
