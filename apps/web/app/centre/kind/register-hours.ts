import { type DeviceEventRecord, type DeviceParameters, deviceParameters } from "@herdwise/contract";
import { type DeviceKind, type Verdict, verdictOf } from "@herdwise/device-kinds";
import { call } from "../../shared/api/call.ts";

const hourMs = 3_600_000;

/** Settings of a device, as it runs with them. */
export const parametersOf = (id: string, signal: AbortSignal): Promise<DeviceParameters> =>
  call(deviceParameters, { query: { id }, signal, quiet: true });

export interface RegisterHour {
  /** 0–23 */
  hour: number;
  record: DeviceEventRecord | undefined;
  /** The hour is over: a record should be there. */
  due: boolean;
}

/**
 * The hours of a day with what was written for each. A device writes an hour down when it is over.
 * @param fromMs midnight in Asia/Shanghai
 */
export function hoursOfDay(records: readonly DeviceEventRecord[], fromMs: number, nowMs: number): RegisterHour[] {
  const byHour = new Map(records.map((record) => [Math.ceil((record.ts - fromMs) / hourMs) - 1, record]));
  return Array.from({ length: 24 }, (_, hour) => ({
    hour,
    record: byHour.get(hour),
    due: fromMs + (hour + 1) * hourMs <= nowMs,
  }));
}

/** Figures of a record that have limits. */
const registered = ["ph", "ec", "dp"] as const;

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** What of a record is beyond its limit: the verdict on the first such figure; undefined where all is inside. */
export function recordFault(
  kind: DeviceKind,
  { fields }: DeviceEventRecord,
  { desired, reported }: DeviceParameters,
): Verdict | undefined {
  const values = Object.fromEntries(registered.map((key) => [key, numberOf(fields[key])]));
  const context = { ageS: 0, parameters: { ...desired, ...reported } };
  return registered
    .map((key) => verdictOf(kind, key, values, context))
    .find(({ standing }) => standing === "over-limit");
}

/** What the hours of a day come to. */
export function sumsOf(hours: readonly RegisterHour[], isGood: (record: DeviceEventRecord) => boolean) {
  const kept = hours.flatMap(({ record }) => record ?? []);
  const total = (key: string): number => kept.reduce((all, { fields }) => all + (numberOf(fields[key]) ?? 0), 0);
  return {
    due: hours.filter(({ due }) => due).length,
    kept: kept.length,
    good: kept.filter(isGood).length,
    discharge: total("discharge"),
    kwh: total("kwh"),
  };
}
