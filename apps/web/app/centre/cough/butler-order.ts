import { type CoughAdvice, coughStates, type DeviceAnalytics } from "@herdwise/contract";

/** A monitor with what it asks for. */
export interface Advised {
  device: DeviceAnalytics;
  advice: CoughAdvice;
}

/** Whether somebody has to act on a unit or watch it. */
export const isOpen = ({ advice: { state } }: Advised): boolean => state !== "calm" && state !== "unknown";

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
