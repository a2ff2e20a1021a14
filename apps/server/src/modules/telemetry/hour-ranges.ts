/** Whole hours since 1970, from the first to the last, the last excluded. */
export type HourRange = readonly [from: number, to: number];

/** Parses PostgreSQL's text of an int4multirange, such as `{[1,3),[5,6)}`. */
export const readHours = (text: string): HourRange[] =>
  [...text.matchAll(/\[(-?\d+),(-?\d+)\)/g)].map(([, from, to]) => [Number(from), Number(to)]);

/** The parts of the ranges that lie within another range. */
export const hoursWithin = (ranges: readonly HourRange[], [from, to]: HourRange): HourRange[] =>
  ranges.flatMap(([low, high]): HourRange[] => {
    const range: HourRange = [Math.max(low, from), Math.min(high, to)];
    return range[0] < range[1] ? [range] : [];
  });
