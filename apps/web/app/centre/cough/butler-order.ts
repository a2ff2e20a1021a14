import { type CoughAdvice, coughStates, type DeviceAnalytics } from "@herdwise/contract";
import type { DeviceKind } from "@herdwise/device-kinds";

/** A monitor with what it asks for. */
export interface Advised {
  device: DeviceAnalytics;
  advice: CoughAdvice;
}

/** House and unit of an advice by their names in the language. @param nameOf translates a name */
export const placeOf = ({ place }: CoughAdvice, nameOf: (name: string) => string): string =>
  place.split(" · ").map(nameOf).join(" ");

/** Whether somebody has to act on a unit or watch it. */
export const isOpen = ({ advice: { state } }: Advised): boolean => state !== "calm" && state !== "unknown";

/**
 * From how many coughs on a unit is to be acted on today: the upper end of its usual spread, or twice what is usual if that is less.
 * undefined where neither is known.
 */
export function actsFrom(
  { alarmRules }: Pick<DeviceKind, "alarmRules">,
  { baseline, alert }: CoughAdvice,
): number | undefined {
  const condition = alarmRules.find(({ id }) => id === "index_doubled")?.condition;
  const times = condition?.type === "detector" ? (condition.parameters as { above?: number }).above : undefined;
  const limits = [alert, baseline && times && baseline * times].filter((coughs) => coughs !== undefined && coughs > 0);
  return limits.length === 0 ? undefined : Math.min(...(limits as number[]));
}

const timesOf = ({ index, baseline }: CoughAdvice): number =>
  index === undefined || baseline === undefined || baseline === 0 ? 0 : index / baseline;

const inOrder = (devices: readonly DeviceAnalytics[]): Advised[] =>
  devices
    .flatMap((device) => (device.advice ? [{ device, advice: device.advice }] : []))
    .sort(
      (a, b) =>
        coughStates.indexOf(b.advice.state) - coughStates.indexOf(a.advice.state) ||
        timesOf(b.advice) - timesOf(a.advice),
    );

/** Orders that were made, by the answer that they are of: each tile of an overview asks for the same one. */
const made = new WeakMap<readonly DeviceAnalytics[], readonly Advised[]>();

/** Monitors with advice, the gravest first, and within a state those that cough most above what is usual. */
export function advisedOf(devices: readonly DeviceAnalytics[]): readonly Advised[] {
  const advised = made.get(devices) ?? inOrder(devices);
  made.set(devices, advised);
  return advised;
}

/** Those to act on each for itself; those to watch for the same steps together. */
export const alikeOf = (open: readonly Advised[]): [Advised, ...Advised[]][] =>
  [
    ...Map.groupBy(open, ({ device, advice: { state, steps } }) =>
      state === "watch" ? steps.join() : device.deviceId,
    ).values(),
  ].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others]]));
