import { type HistoryReply, telemetryHistory } from "@herdwise/contract";
import { useEffect } from "react";
import { call } from "../../shared/api/call.ts";
import { type Loading, useLoad } from "../../shared/api/use-load.ts";

/** A value in time. */
export interface HistoryPoint {
  atMs: number;
  value: number;
}

/** Points of a reply: raw values, or the mean of each bucket. What is no number has no place on a chart. */
export function pointsOf(reply: HistoryReply): HistoryPoint[] {
  const column = reply.resolution === "raw" ? 1 : 2;
  return reply.points.flatMap((row) => {
    const atMs = row[0];
    const value = row[column];
    return typeof atMs === "number" && typeof value === "number" ? [{ atMs, value }] : [];
  });
}

/** What a counter grew by since a moment; a step back is a new meter that starts at zero. */
export function growthSince(points: readonly HistoryPoint[], sinceMs: number): number | undefined {
  const counted = points.filter(({ atMs }) => atMs >= sinceMs);
  if (counted.length < 2) return undefined;
  return counted.reduce((sum, point, index) => {
    const before = counted[index - 1];
    if (!before) return sum;
    return sum + (point.value >= before.value ? point.value - before.value : point.value);
  }, 0);
}

export type Histories = Readonly<Record<string, HistoryPoint[]>>;

const renewMs = 60_000;

/** Histories of some keys of a device over a span that ends now, renewed every minute while the page is visible. */
export function useHistories(deviceId: string, keys: readonly string[], spanMs: number): Loading<Histories> {
  const loaded = useLoad(deviceId === "" ? undefined : `${deviceId} ${spanMs} ${keys.join()}`, async (signal) => {
    const end = Date.now();
    const replies = await Promise.all(
      keys.map((key) =>
        call(telemetryHistory, {
          query: { id: deviceId, key, start: Math.max(0, end - spanMs), end, resolution: "auto" },
          signal,
          quiet: true,
        }),
      ),
    );
    return Object.fromEntries(replies.map((reply) => [reply.key, pointsOf(reply)]));
  });
  const { reload } = loaded;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), renewMs);
    return () => clearInterval(timer);
  }, [reload]);
  return loaded;
}
