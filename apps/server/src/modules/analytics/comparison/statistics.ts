import type { DifferenceTest } from "@herdwise/contract";
import jstat from "jstat";

/** Days of either side that a verdict needs at least. */
export const leastDays = 5;
/** Share of false alarms that is accepted. */
export const significance = 0.05;
/** Closer days are not taken to resemble each other, however few there are: an estimate above it would leave no day. */
const mostCorrelation = 0.8;

/** A difference of the other side from the first one, by days. */
export interface Difference {
  test: DifferenceTest;
  /** Days of each side that count. */
  days: readonly [first: number, other: number];
  /** Mean of the other side less that of the first. */
  size: number;
  /** Ends of the 95 % confidence interval: of the means for t-tests, of the Hodges-Lehmann shift for the Mann-Whitney test. */
  low: number;
  high: number;
  /** Two-sided probability of at least this difference where there is none; not yet corrected for several comparisons. */
  p: number;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const varianceOf = (values: readonly number[]): number => {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
};

/**
 * How far a day resembles the day before it: the first autocorrelation, with Kendall's correction for its bias in short series,
 * taken one standard error higher, because a few days tell little of it and too low a value makes noise look like a difference.
 * @param days values by number of the day, ascending; pairs across a gap are left out
 */
export function dayCorrelation(days: readonly (readonly [day: number, value: number])[]): number {
  const mean = meanOf(days.map(([, value]) => value));
  const whole = days.reduce((sum, [, value]) => sum + (value - mean) ** 2, 0);
  const pairs = days.flatMap(([day, value], at) => {
    const before = days[at - 1];
    return before !== undefined && before[0] === day - 1 ? [(value - mean) * (before[1] - mean)] : [];
  });
  if (whole === 0 || pairs.length < 2) return 0;
  const raw = (pairs.reduce((sum, value) => sum + value, 0) / pairs.length) * (days.length / whole);
  const corrected = days.length > 4 ? (days.length * raw + 1) / (days.length - 3) : raw;
  return Math.min(mostCorrelation, Math.max(0, corrected) + 1 / Math.sqrt(days.length));
}

/** Independent days that resembling days are worth (Bayley and Hammersley 1946, for a first-order process). */
export const effectiveDays = (days: number, correlation: number): number =>
  Math.max(2, (days * (1 - correlation)) / (1 + correlation));

/** Degrees of freedom between those of the effective days and those of all: the variance is estimated from every day. */
const freedomOf = (days: number, effective: number): number => (days + effective) / 2 - 1;

const twoSided = (t: number, freedom: number): number => 2 * (1 - jstat.studentt.cdf(Math.abs(t), freedom));
const quantile = (freedom: number): number => jstat.studentt.inv(1 - significance / 2, freedom);

/** From size, standard error and degrees of freedom to the interval and p; sides without any spread differ or do not. */
function ofT(size: number, error: number, freedom: number): Pick<Difference, "size" | "low" | "high" | "p"> {
  if (error === 0) return { size, low: size, high: size, p: size === 0 ? 1 : 0 };
  const half = quantile(freedom) * error;
  return { size, low: size - half, high: size + half, p: twoSided(size / error, freedom) };
}

type Days = readonly (readonly [day: number, value: number])[];

/** Student's t-test of the differences of shared days, which both sides' weather leaves alone. @param apart other less first, by day */
export function pairedT(apart: Days): Difference {
  const values = apart.map(([, value]) => value);
  const n = effectiveDays(values.length, dayCorrelation(apart));
  return {
    test: "paired-t",
    days: [values.length, values.length],
    ...ofT(meanOf(values), Math.sqrt(varianceOf(values) / n), freedomOf(values.length, n)),
  };
}

/** Welch's t-test of days that have no partner on the other side. */
export function welchT(first: Days, other: Days): Difference {
  const [a, b] = [first, other].map((days) => {
    const values = days.map(([, value]) => value);
    const n = effectiveDays(values.length, dayCorrelation(days));
    return { mean: meanOf(values), freedom: freedomOf(values.length, n), share: varianceOf(values) / n };
  }) as [Side, Side];
  const error = Math.sqrt(a.share + b.share);
  const freedom = error === 0 ? 1 : (a.share + b.share) ** 2 / (a.share ** 2 / a.freedom + b.share ** 2 / b.freedom);
  return { test: "welch-t", days: [first.length, other.length], ...ofT(b.mean - a.mean, error, freedom) };
}
interface Side {
  mean: number;
  freedom: number;
  /** Variance of the mean. */
  share: number;
}

/** Mean ranks from 1, equal values sharing theirs. */
function ranksOf(values: readonly number[]): number[] {
  const order = values.map((value, at) => ({ value, at })).sort((a, b) => a.value - b.value);
  const ranks = values.map(() => 0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (order[to + 1]?.value === order[from]?.value) to += 1;
    for (let at = from; at <= to; at += 1) ranks[order[at]?.at ?? 0] = (from + to) / 2 + 1;
    from = to + 1;
  }
  return ranks;
}

/**
 * Mann-Whitney test of skewed counts, by its normal approximation with ties and continuity, its variance widened as far as days
 * resemble each other.
 */
export function mannWhitney(first: Days, other: Days): Difference {
  const a = first.map(([, value]) => value);
  const b = other.map(([, value]) => value);
  const [m, n, all] = [a.length, b.length, a.length + b.length];
  const ranks = ranksOf([...a, ...b]);
  const u = ranks.slice(m).reduce((sum, rank) => sum + rank, 0) - (n * (n + 1)) / 2;
  const ties = [...Map.groupBy(ranks, (rank) => rank).values()].reduce(
    (sum, { length }) => sum + length ** 3 - length,
    0,
  );
  const ranked = (days: Days, from: number): Days => days.map(([day], at) => [day, ranks[from + at] ?? 0] as const);
  const alike = (dayCorrelation(ranked(first, 0)) * m + dayCorrelation(ranked(other, m)) * n) / all;
  const widened = (1 + alike) / (1 - alike);
  const error = Math.sqrt(((m * n) / 12) * (all + 1 - ties / (all * (all - 1))) * widened);
  const z = error === 0 ? 0 : Math.max(0, Math.abs(u - (m * n) / 2) - 0.5) / error;
  const shifts = b.flatMap((value) => a.map((before) => value - before)).sort((x, y) => x - y);
  const outside = Math.floor((m * n) / 2 - jstat.normal.inv(1 - significance / 2, 0, 1) * error);
  const low = shifts[Math.max(0, outside)] ?? 0;
  const high = shifts[Math.min(shifts.length - 1, shifts.length - 1 - outside)] ?? 0;
  return {
    test: "mann-whitney",
    days: [m, n],
    size: meanOf(b) - meanOf(a),
    low,
    high,
    p: 2 * (1 - jstat.normal.cdf(z, 0, 1)),
  };
}

/** Holm's correction of several probabilities, in their order. */
export function holm(probabilities: readonly number[]): number[] {
  const order = probabilities.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p);
  const corrected = probabilities.map(() => 1);
  let least = 0;
  for (const [rank, { p, at }] of order.entries()) {
    least = Math.max(least, Math.min(1, p * (order.length - rank)));
    corrected[at] = least;
  }
  return corrected;
}
