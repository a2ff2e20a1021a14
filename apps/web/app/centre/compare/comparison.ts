import type { DeviceKindId } from "@herdwise/contract";
import { shanghaiMs } from "@herdwise/contract/shanghai";
import { consumptionOf } from "@herdwise/device-kinds/counters";
import { kindList } from "@herdwise/device-kinds/kind-list";
import type { TimePoint } from "../../shared/chart/time-points.ts";

const dayMs = 86_400_000;

/** Lines of a chart that can still be told apart. */
export const mostLines = 4;
export const mostMeasures = 3;

/** Days that are compared. */
export const spanDays = [7, 30, 90, 365, 1825] as const;
export type SpanDays = (typeof spanDays)[number];

/** By the calendar, or by the age of the pigs in days. */
export const alignments = ["time", "age"] as const;
export type Alignment = (typeof alignments)[number];

/** What each line is also held against: nothing, the span before, or the same span a year ago. */
export const earlierSpans = ["none", "before", "year"] as const;
export type Earlier = (typeof earlierSpans)[number];

/** What is compared, as it stands in the address and as it is saved. */
export interface Comparison {
  kind: DeviceKindId;
  /** Ids of devices; the first one is what the others are held against. */
  devices: readonly string[];
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
    devices: list("of")
      .filter((id) => /^\d{1,19}$/.test(id))
      .slice(0, earlier === "none" ? mostLines : mostLines / 2),
    measures: list("show")
      .filter((key) => /^[a-z]\w{0,63}$/.test(key))
      .slice(0, mostMeasures),
    days: oneOf(spanDays, search.get("days"), 30),
    align: oneOf(alignments, search.get("align"), "time"),
    earlier,
  };
}

/** The search of the address of a comparison, without what is usual. */
export function writeComparison({ kind, devices, measures, days, align, earlier }: Comparison): string {
  const search = new URLSearchParams();
  search.set("kind", kind);
  if (devices.length > 0) search.set("of", devices.join());
  if (measures.length > 0) search.set("show", measures.join());
  if (days !== 30) search.set("days", String(days));
  if (align !== "time") search.set("align", align);
  if (earlier !== "none") search.set("earlier", earlier);
  return search.toString();
}

/** How long ago a span lies that another is held against, ms. */
export const earlierMs = (earlier: Earlier, days: number): number =>
  earlier === "none" ? 0 : earlier === "year" ? 365 * dayMs : days * dayMs;

/**
 * What a counter grew by in each bucket, in its unit a day: from the highest of one bucket to that of the next; the day of a new
 * meter is left out.
 * @param highest of each bucket, ascending in time
 */
export function growthPerDay(highest: readonly TimePoint[]): TimePoint[] {
  return highest.flatMap(({ atMs, value }, at): TimePoint[] => {
    const before = highest[at - 1];
    if (before === undefined || atMs <= before.atMs) return [];
    const { amount } = consumptionOf([before.value, value]);
    // Of the day on which a meter was exchanged nobody knows.
    if (value < before.value && amount === 0) return [];
    return [{ atMs, value: amount / ((atMs - before.atMs) / dayMs) }];
  });
}

/** Points moved along the axis that all lines share. */
export const moved = (points: readonly TimePoint[], byMs: number): TimePoint[] =>
  points.map(({ atMs, value }) => ({ atMs: atMs + byMs, value }));

/** A line in figures, over the part of the axis that all lines have. */
export interface LineFigures {
  /** Of its days, each counting alike; undefined without any. */
  mean: number | undefined;
  lowest: number | undefined;
  highest: number | undefined;
  /** Standard deviation of the means of its days. */
  spread: number;
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
 * Mean, lowest, highest and spread of lines over the part of the axis on which each of them has points.
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
    const days = dailyMeans(shared, beginsAt);
    const mean = meanOf(days);
    const spread =
      days.length < 2 || mean === undefined
        ? 0
        : Math.sqrt(days.reduce((sum, day) => sum + (day - mean) ** 2, 0) / (days.length - 1));
    return {
      mean,
      lowest: values.length === 0 ? undefined : Math.min(...values),
      highest: values.length === 0 ? undefined : Math.max(...values),
      spread,
    };
  });
}

/** Whether a difference from the first line is larger than its days differ among themselves. */
export const isUnusual = (first: LineFigures, other: LineFigures): boolean =>
  first.mean !== undefined &&
  other.mean !== undefined &&
  Math.abs(other.mean - first.mean) > first.spread &&
  first.spread > 0;

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
