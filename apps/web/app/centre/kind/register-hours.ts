import { type DeviceEventRecord, type DeviceParameters, deviceParameters } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";

const hourMs = 3_600_000;
/** Pressure drop at which a pack counts as clogged, Pa: the limit of the rule, and of compliant hours (docs/analytics.md). */
const cloggedPa = 150;

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

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/**
 * What of a record lies outside of its limits: the first; undefined where all is inside.
 * @param defaults of the kind, for settings that nobody told
 */
export function recordFault(
  { fields }: DeviceEventRecord,
  { desired, reported }: DeviceParameters,
  defaults: ReadonlyMap<string, unknown>,
): { key: string; value: number; limit: string } | undefined {
  const set = (key: string): number | undefined => numberOf(reported[key] ?? desired[key] ?? defaults.get(key));
  const [ph, ec, dp] = [numberOf(fields.ph), numberOf(fields.ec), numberOf(fields.dp)];
  const [low, high, most] = [set("ph_low"), set("ph_high"), set("ec_max")];
  if (ph !== undefined && low !== undefined && high !== undefined && (ph < low || ph > high))
    return { key: "ph", value: ph, limit: `${low}–${high}` };
  if (ec !== undefined && most !== undefined && ec > most) return { key: "ec", value: ec, limit: String(most) };
  if (dp !== undefined && dp > cloggedPa) return { key: "dp", value: dp, limit: String(cloggedPa) };
  return undefined;
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
