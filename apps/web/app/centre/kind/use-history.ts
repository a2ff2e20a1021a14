import { type HistoryReply, telemetryHistory } from "@herdwise/contract";
import { type DerivedValue, type DeviceKind, type RuleContext, readingLookup } from "@herdwise/device-kinds";
import { consumptionOf } from "@herdwise/device-kinds/counters";
import { useEffect } from "react";
import { call } from "../../shared/api/call.ts";
import { type Loading, useLoad } from "../../shared/api/use-load.ts";
import { type Doubt, type TimePoint, valueAt } from "../../shared/chart/time-points.ts";

/**
 * Points of a reply: raw values, or one of each bucket. What is no number has no place on a chart.
 * @param step whether the value is switched and not measured: then a bucket tells its highest, as a mean of settings never held
 */
export function pointsOf(reply: HistoryReply, step = false): TimePoint[] {
  const column = reply.resolution === "raw" ? 1 : step ? 3 : 2;
  return reply.points.flatMap((row) => {
    const atMs = row[0];
    const held = row[column];
    const value = typeof held === "boolean" ? Number(held) : held;
    return typeof atMs === "number" && typeof value === "number" ? [{ atMs, value }] : [];
  });
}

/** Where a reply says that readings were rejected, and which days are not reliable. */
export const doubtsOf = ({ rejected = [], unreliable = [] }: Pick<HistoryReply, "rejected" | "unreliable">): Doubt[] =>
  [
    ...rejected.map(([fromMs, toMs, readings]): Doubt => ({ fromMs, toMs, readings })),
    ...unreliable.map(([fromMs, toMs]): Doubt => ({ fromMs, toMs })),
  ].sort((a, b) => a.fromMs - b.fromMs);

/** A value that is worked out of a reading, at each moment at which what it needs was told, of the values that held then. */
export function derivedPoints(
  kind: DeviceKind,
  { key, of }: DerivedValue,
  points: Histories["points"],
  context: RuleContext,
): TimePoint[] {
  const moments = [...new Set(of.flatMap((need) => points[need] ?? []).map(({ atMs }) => atMs))].sort((a, b) => a - b);
  return moments.flatMap((atMs): TimePoint[] => {
    const held = Object.fromEntries(of.map((need) => [need, valueAt(points[need] ?? [], atMs, [])]));
    const value = readingLookup(kind, held, context)(key);
    return typeof value === "number" && Number.isFinite(value) ? [{ atMs, value }] : [];
  });
}

/** What a counter says was used since a moment; undefined with fewer than two values. */
export function growthSince(points: readonly TimePoint[], sinceMs: number): number | undefined {
  const counted = points.filter(({ atMs }) => atMs >= sinceMs);
  if (counted.length < 2) return undefined;
  return consumptionOf(counted.map(({ value }) => value)).amount;
}

export interface Histories {
  /** The moment at which the span ends. */
  endMs: number;
  points: Readonly<Record<string, TimePoint[]>>;
  doubts: Readonly<Record<string, Doubt[]>>;
  /** Moments at which anything was heard of the device. */
  heardMs: readonly number[];
}

/** A value of every kind that is in each report, whatever else changed. */
const heartbeat = "rssi";

const renewMs = 60_000;

/**
 * Histories of some keys of a device over a span, renewed every minute while the page is visible.
 * @param steps those of the keys whose values are switched and not measured
 * @param endMs when the span ends; now where it is absent
 */
export function useHistories(
  deviceId: string,
  keys: readonly string[],
  spanMs: number,
  steps: readonly string[] = [],
  endMs?: number,
): Loading<Histories> {
  const wanted = deviceId === "" || keys.length === 0 ? undefined : `${deviceId} ${spanMs} ${endMs} ${keys.join()}`;
  const loaded = useLoad(wanted, async (signal): Promise<Histories> => {
    const end = endMs ?? Date.now();
    const replies = await Promise.all(
      [...new Set([...keys, heartbeat])].map((key) =>
        call(telemetryHistory, {
          query: { id: deviceId, key, start: Math.max(0, end - spanMs), end, resolution: "auto" },
          signal,
          quiet: true,
        }),
      ),
    );
    const points = replies.map((reply) => [reply.key, pointsOf(reply, steps.includes(reply.key))] as const);
    const heardMs = [...new Set(points.flatMap(([, ofKey]) => ofKey.map(({ atMs }) => atMs)))];
    const doubts = Object.fromEntries(replies.map((reply) => [reply.key, doubtsOf(reply)]));
    return { endMs: end, points: Object.fromEntries(points), doubts, heardMs };
  });
  const { reload } = loaded;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), renewMs);
    return () => clearInterval(timer);
  }, [reload]);
  return loaded;
}
