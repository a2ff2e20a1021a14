import type { Alarm, KindUnit, Readings, SeriesReply } from "@herdwise/contract";
import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";
import { environment } from "@herdwise/device-kinds";
import { newestMs } from "../kind/use-live-readings.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Values before the hour that may still hold at its beginning, ms. */
const beforeMs = environment.offlineAfterS * 1000;

/** What the drawing shows, and what its verdicts need; one question may ask for 50 keys. */
export const replayKeys: readonly string[] = environment.channels
  .map(({ key }) => key)
  .filter(
    (key) =>
      !/_rpm$|^(rh_out|gear_cmd|damper_cmd|water|kwh|mains|pigs|rssi|supply_v|uptime|fw|clock_offset|buf_pending)$/.test(
        key,
      ),
  );

/** Begin and end of a replayed day, ms since 1970: the last 24 hours, or the day in Asia/Shanghai of a moment before them. */
export function replaySpan(atMs: number, nowMs: number): { fromMs: number; toMs: number } {
  const toMs = Math.floor(nowMs / minuteMs) * minuteMs;
  if (atMs >= toMs - dayMs) return { fromMs: toMs - dayMs, toMs };
  const fromMs = shanghaiMidnight(shanghaiDay(atMs));
  return { fromMs, toMs: fromMs + dayMs - minuteMs };
}

/** Begin and end of what is asked for to show a moment: its hour, with what may still hold at its beginning. */
export function hourAround(atMs: number): { start: number; end: number } {
  const hour = Math.floor(atMs / hourMs) * hourMs;
  return { start: hour - beforeMs, end: hour + hourMs };
}

/** The newest value of each series at a moment. */
export const readingsAt = (series: SeriesReply["series"], atMs: number): Readings =>
  Object.fromEntries(
    series.flatMap(({ key, points }) => {
      const last = points.findLast(([ts]) => typeof ts === "number" && ts <= atMs);
      return last ? [[key, { value: last[1], ts: last[0] as number }]] : [];
    }),
  );

const modes = ["normal", "washing", "empty"] as const satisfies readonly KindUnit["mode"][];

/** A unit as it was at a moment: its values of then, and the mode that its controller told. */
export function unitAt<Unit extends KindUnit>(unit: Unit, series: SeriesReply["series"], atMs: number): Unit {
  const readings = readingsAt(series, atMs);
  const { reportedAtMs: _, ...rest } = unit;
  const heardMs = newestMs(readings);
  return {
    ...rest,
    readings,
    more: [],
    rejected: [],
    status: heardMs > atMs - beforeMs ? "online" : "offline",
    mode: modes.find((mode) => mode === readings.mode?.value) ?? unit.mode,
    ...(heardMs > 0 && { reportedAtMs: heardMs }),
  } as unknown as Unit;
}

/** Alarms that held at a moment. */
export const alarmsAt = (alarms: readonly Alarm[], atMs: number): Alarm[] =>
  alarms.filter(({ sinceMs, endedMs }) => sinceMs <= atMs && atMs < (endedMs ?? Number.POSITIVE_INFINITY));
