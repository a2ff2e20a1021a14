import { type CoughAdvice, coughStates, type DeviceAnalytics } from "@herdwise/contract";

/** A monitor with what it asks for. */
export interface Advised {
  device: DeviceAnalytics;
  advice: CoughAdvice;
}

const timesOf = ({ index, baseline }: CoughAdvice): number =>
  index === undefined || baseline === undefined || baseline === 0 ? 0 : index / baseline;

/** Monitors with advice, the gravest first, and within a state those that cough most above what is usual. */
export const advisedOf = (devices: readonly DeviceAnalytics[]): Advised[] =>
  devices
    .flatMap((device) => (device.advice ? [{ device, advice: device.advice }] : []))
    .sort(
      (a, b) =>
        coughStates.indexOf(b.advice.state) - coughStates.indexOf(a.advice.state) ||
        timesOf(b.advice) - timesOf(a.advice),
    );
