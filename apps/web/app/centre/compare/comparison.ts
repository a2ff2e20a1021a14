import {
  type ComparisonQuery,
  comparedAlignments,
  comparedDays,
  comparedEarlier,
  comparedLimits,
  type DeviceKindId,
} from "@herdwise/contract";
import { comparisonSearch } from "@herdwise/contract/comparison-search";
import { shanghaiMs } from "@herdwise/contract/shanghai";
import { kindList } from "@herdwise/device-kinds/kind-list";
import type { TimePoint } from "../../shared/chart/time-points.ts";

const dayMs = 86_400_000;

/** Lines of a chart that can still be told apart. */
export const mostLines = comparedLimits.places;
export const mostMeasures = comparedLimits.measures;

export const spanDays = comparedDays;
export type SpanDays = (typeof spanDays)[number];
export const alignments = comparedAlignments;
export type Alignment = (typeof alignments)[number];
export const earlierSpans = comparedEarlier;
export type Earlier = (typeof earlierSpans)[number];

/** What is compared, as it stands in the address and as it is saved. */
export interface Comparison {
  kind: DeviceKindId;
  /** Ids of devices, of houses behind an h, of farms behind an f; the first one is what the others are held against. */
  places: readonly string[];
  /** Keys of channels. */
  measures: readonly string[];
  days: SpanDays;
  align: Alignment;
  earlier: Earlier;
}

const oneOf = <Value extends string | number>(list: readonly Value[], word: string | null, usual: Value): Value =>
  list.find((one) => String(one) === word) ?? usual;

/** Reads a comparison from the search of an address; whatever is unknown in it is left out. */
export function readComparison(search: URLSearchParams): Comparison {
  const listed = kindList.filter(({ pages }) => pages !== undefined).map(({ kind }) => kind);
  const list = (name: string) => [...new Set((search.get(name) ?? "").split(",").filter((one) => one !== ""))];
  const earlier = oneOf(earlierSpans, search.get("earlier"), "none");
  return {
    kind: oneOf<DeviceKindId>(listed, search.get("kind"), "environment"),
    places: list("of")
      .filter((id) => /^[fh]?\d{1,19}$/.test(id))
      .slice(0, earlier === "none" ? mostLines : mostLines / 2),
    measures: list("show")
      .filter((key) => /^[a-z]\w{0,63}$/.test(key))
      .slice(0, mostMeasures),
    days: oneOf(spanDays, search.get("days"), 30),
    align: oneOf(alignments, search.get("align"), "time"),
    earlier,
  };
}

/** What the server is asked by. */
export const queryOf = ({ kind, places, measures, days, align, earlier }: Comparison): ComparisonQuery => ({
  kind,
  ids: places.join(),
  ...(measures.length > 0 && { show: measures.join() }),
  days,
  align,
  earlier,
});

/** The search of the address of a comparison, without what is usual. */
export const writeComparison = (comparison: Comparison): string => comparisonSearch(queryOf(comparison));

/** A line in figures, over the part of the axis that all lines have. */
export interface LineFigures {
  /** Of its days, each counting alike; undefined without any. */
  mean: number | undefined;
  lowest: number | undefined;
  highest: number | undefined;
}

const meanOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;

/** When days begin on each axis, ms after a multiple of a day: midnight in Asia/Shanghai on that of moments, 0 on that of ages. */
const dayBegins: Readonly<Record<(typeof alignments)[number], number>> = { time: -shanghaiMs, age: 0 };

/** Means by day of the axis, so that hours and days weigh alike. */
function dailyMeans(points: readonly TimePoint[], beginsAt: number): number[] {
  const days = Map.groupBy(points, ({ atMs }) => Math.floor((atMs - beginsAt) / dayMs));
  return [...days.values()].map((of) => meanOf(of.map(({ value }) => value)) ?? 0);
}

/**
 * Mean, lowest and highest of lines over the part of the axis on which each of them has points.
 * @param lines points on the shared axis, ascending; lines without points have no part in it
 * @param axis what the points are on
 */
export function compareLines(
  lines: readonly (readonly TimePoint[])[],
  axis: (typeof alignments)[number],
): LineFigures[] {
  const beginsAt = dayBegins[axis];
  const known = lines.filter((points) => points.length > 0);
  const from = Math.max(
    ...known.map((points) => Math.floor(((points[0]?.atMs ?? 0) - beginsAt) / dayMs) * dayMs + beginsAt),
  );
  const to = Math.min(...known.map((points) => points.at(-1)?.atMs ?? 0));
  return lines.map((points) => {
    const shared = points.filter(({ atMs }) => atMs >= from && atMs <= to);
    const values = shared.map(({ value }) => value);
    const mean = meanOf(dailyMeans(shared, beginsAt));
    return {
      mean,
      lowest: values.length === 0 ? undefined : Math.min(...values),
      highest: values.length === 0 ? undefined : Math.max(...values),
    };
  });
}

/** A comparison that somebody keeps under a name. */
export interface SavedComparison {
  name: string;
  /** The search of its address. */
  search: string;
}
export const mostSaved = 50;

/** What an account kept, by whatever version of the app. */
export const readSaved = (kept: unknown): SavedComparison[] =>
  Array.isArray(kept)
    ? kept
        .flatMap((one: unknown): SavedComparison[] => {
          const { name, search } = (typeof one === "object" && one !== null ? one : {}) as Record<string, unknown>;
          return typeof name === "string" && name !== "" && typeof search === "string" ? [{ name, search }] : [];
        })
        .slice(0, mostSaved)
    : [];
