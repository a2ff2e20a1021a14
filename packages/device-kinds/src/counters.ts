/** Consumption by a counter (water, energy, doses), computed from its readings in the order of time. */

/** 16-bit and 32-bit counters wrap to zero at these values. */
const wraps = [2 ** 16, 2 ** 32] as const;
/** Most lower readings that may be a glitch; after more of them it is a new meter or a reset. */
const longestGlitch = 3;
/** A wrap goes from the last tenth of the range to the first tenth. */
const wrapShare = 0.1;

export type Consumption = {
  /** In the unit of the counter, never negative. */
  readonly amount: number;
  /** More may have been consumed: nothing was counted between two meters, or before the first reading after a reset. */
  readonly atLeast: boolean;
};

const wrapOf = (before: number, after: number): number | undefined =>
  wraps.find((size) => before < size && before >= size * (1 - wrapShare) && after <= size * wrapShare);

/**
 * Consumption over readings, told apart from wraps, new meters, resets and glitches.
 * A lower reading is a glitch when the counter is back at or above its old value within three readings; only the true
 * difference counts.
 * A wrap continues from zero. Any other decrease is a new meter, whose first reading is the new base.
 */
export function consumptionOf(readings: readonly number[]): Consumption {
  let amount = 0;
  let atLeast = false;
  let [before] = readings;
  for (let at = 1; at < readings.length && before !== undefined; at += 1) {
    const value = readings[at] as number;
    if (value >= before) {
      amount += value - before;
      before = value;
      continue;
    }
    const standing = before;
    const wrap = wrapOf(standing, value);
    if (wrap !== undefined) {
      amount += wrap - standing + value;
      before = value;
      continue;
    }
    const ahead = readings.slice(at + 1, at + 1 + longestGlitch);
    const back = ahead.findIndex((later) => later >= standing);
    if (back >= 0) {
      at += back;
      continue;
    }
    // The last readings may still turn out to be a glitch, so they are not counted yet.
    if (ahead.length < longestGlitch && ahead.every((later) => later <= value)) break;
    atLeast = true;
    before = value;
  }
  return { amount, atLeast };
}
