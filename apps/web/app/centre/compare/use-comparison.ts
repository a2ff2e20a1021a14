import { type ComparedPlace, type ComparisonAnswer, comparisonDetail, deathsMeasure } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import { type Loading, useLoad } from "../../shared/api/use-load.ts";
import { type Doubt, type Silence, silencesOf, type TimePoint } from "../../shared/chart/time-points.ts";
import { doubtsOf } from "../kind/use-history.ts";
import type { Comparison } from "./comparison.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A place over one span, on the axis that all lines share. */
export interface ComparedLine extends Omit<ComparedPlace, "series"> {
  /** By key of the measure. */
  points: Readonly<Record<string, readonly TimePoint[]>>;
  doubts: Readonly<Record<string, readonly Doubt[]>>;
  /** Where nothing is known, by key of the measure. */
  silences: Readonly<Record<string, readonly Silence[]>>;
}

export interface ComparedLines {
  lines: readonly ComparedLine[];
  answers: readonly ComparisonAnswer[];
  others: readonly ComparisonAnswer[];
  /** Ends of the shared axis: moments, or ages as ms. */
  startMs: number;
  endMs: number;
}

/** The pauses of a line between its points and, by the calendar, to the ends of the axis. */
function pausesOf(points: readonly TimePoint[], ends: readonly number[], longestMs: number): Silence[] {
  return silencesOf([...ends, ...points.map(({ atMs }) => atMs)], longestMs);
}

/** What places of a comparison come to and how they differ. @param keys of its measures; nothing is asked for without any */
export function useComparison(comparison: Comparison, keys: readonly string[]): Loading<ComparedLines> {
  const { kind, places, days, align, earlier } = comparison;
  const wanted = places.length > 0 && keys.length > 0;
  return useLoad(
    wanted ? `compare ${kind} ${places.join()} ${keys.join()} ${days} ${align} ${earlier}` : undefined,
    async (signal): Promise<ComparedLines> => {
      const query = { kind, ids: places.join(), show: keys.join(), days, align, earlier };
      const { lines, answers, others, start, end, resolution } = await call(comparisonDetail, {
        query,
        signal,
        quiet: true,
      });
      const ends = align === "time" ? [start, end] : [];
      const longestMs = (key: string): number =>
        2.5 * (resolution === "hour" && key !== deathsMeasure ? hourMs : dayMs);
      return {
        lines: lines.map(({ series, ...place }): ComparedLine => {
          const points = series.map(
            ({ key, points: of }) => [key, of.map(([atMs, value]) => ({ atMs, value }))] as const,
          );
          return {
            ...place,
            points: Object.fromEntries(points),
            doubts: Object.fromEntries(series.map(({ key, ...of }) => [key, doubtsOf(of)])),
            silences: Object.fromEntries(points.map(([key, of]) => [key, pausesOf(of, ends, longestMs(key))])),
          };
        }),
        answers,
        others,
        startMs: start,
        endMs: end,
      };
    },
  );
}
