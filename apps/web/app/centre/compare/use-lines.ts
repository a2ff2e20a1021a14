import { deviceDetail, telemetrySeries, unitOverview } from "@herdwise/contract";
import type { Channel } from "@herdwise/device-kinds";
import { call } from "../../shared/api/call.ts";
import { type Loading, useLoad } from "../../shared/api/use-load.ts";
import { type Doubt, type Silence, silencesOf, type TimePoint } from "../../shared/chart/time-points.ts";
import { doubtsOf, pointsOf } from "../kind/use-history.ts";
import { type Comparison, earlierMs, growthPerDay, moved } from "./comparison.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Up to so many days a point is an hour, beyond it a day. */
const mostDaysByHour = 30;

/** A device over one span, on the axis that all lines share. */
export interface ComparedLine {
  deviceId: string;
  deviceName: string;
  farmName: string;
  houseName: string;
  unitName: string;
  /** Age of the pigs now, where the unit has a batch. */
  ageDays: number | undefined;
  /** Of the span before, or of a year ago. */
  isEarlier: boolean;
  /** By key of the channel. */
  points: Readonly<Record<string, readonly TimePoint[]>>;
  doubts: Readonly<Record<string, readonly Doubt[]>>;
  silences: readonly Silence[];
}

export interface ComparedLines {
  lines: readonly ComparedLine[];
  /** Ends of the shared axis: moments, or ages as ms. */
  startMs: number;
  endMs: number;
}

/** A counter is told by what it gains a day. */
export const isCounter = ({ cumulative }: Channel): boolean => cumulative === true;
/** Switched and not measured: of a bucket the highest counts. */
export const isStep = ({ type, step }: Channel): boolean => type === "boolean" || step === true;

const renewMs = 60_000;

/**
 * The values of a comparison's lines, moved so that what belongs together lies above each other.
 * @param channels of the comparison's measures; nothing is asked for before they are known
 */
export function useLines(comparison: Comparison, channels: readonly Channel[]): Loading<ComparedLines> {
  const { devices, days, align, earlier } = comparison;
  const keys = channels.map(({ key }) => key);
  const wanted = devices.length > 0 && keys.length > 0;
  return useLoad(
    wanted ? `compare ${devices.join()} ${keys.join()} ${days} ${align} ${earlier}` : undefined,
    async (signal): Promise<ComparedLines> => {
      const end = Math.floor(Date.now() / renewMs) * renewMs;
      const byHour = days <= mostDaysByHour;
      const lineOf = async (id: string, agoMs: number): Promise<ComparedLine> => {
        const [device, { series }] = await Promise.all([
          call(deviceDetail, { query: { id }, signal, quiet: true }),
          call(telemetrySeries, {
            query: {
              ids: id,
              keys: keys.join(),
              start: Math.max(0, end - agoMs - days * dayMs),
              end: end - agoMs,
              resolution: byHour ? "hour" : "day",
            },
            signal,
            quiet: true,
          }),
        ]);
        const unit =
          device.unitId === ""
            ? undefined
            : await call(unitOverview, { query: { id: device.unitId }, signal, quiet: true });
        const ageDays = unit?.ageDays;
        // On the axis of ages the pigs of now end at their age; on that of time an earlier span ends now.
        const byMs = align === "age" ? (ageDays ?? 0) * dayMs - end : agoMs;
        const points = Object.fromEntries(
          channels.map((channel) => {
            const reply = series.find(({ key }) => key === channel.key);
            const read = reply
              ? pointsOf({ ...reply, resolution: byHour ? "hour" : "day" }, isStep(channel) || isCounter(channel))
              : [];
            return [channel.key, moved(isCounter(channel) ? growthPerDay(read) : read, byMs)];
          }),
        );
        const doubts = Object.fromEntries(
          series.map(({ key, ...reply }) => [
            key,
            doubtsOf(reply).map((doubt) => ({ ...doubt, fromMs: doubt.fromMs + byMs, toMs: doubt.toMs + byMs })),
          ]),
        );
        const heard = Object.values(points).flatMap((of) => of.map(({ atMs }) => atMs));
        const { name: deviceName, farmName, houseName, unitName } = device;
        return {
          deviceId: id,
          deviceName,
          farmName,
          houseName,
          unitName,
          ageDays,
          isEarlier: agoMs > 0,
          points,
          doubts,
          silences: silencesOf(heard, 2.5 * (byHour ? hourMs : dayMs)),
        };
      };
      const agoMs = earlierMs(earlier, days);
      const lines = await Promise.all(
        devices.flatMap((id) => [lineOf(id, 0), ...(agoMs > 0 ? [lineOf(id, agoMs)] : [])]),
      );
      if (align === "time") return { lines, startMs: end - days * dayMs, endMs: end };
      const ages = lines.flatMap(({ ageDays }) => ageDays ?? []);
      const oldest = ages.length === 0 ? days : Math.max(...ages);
      const youngest = ages.length === 0 ? days : Math.min(...ages);
      return { lines, startMs: Math.max(0, youngest - days) * dayMs, endMs: oldest * dayMs };
    },
  );
}
