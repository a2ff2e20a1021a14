/** What a counter (water, energy, doses) says was used, from its readings in the order of time. */

/** Counters of 16 and of 32 bits begin anew behind these. */
const wraps = [2 ** 16, 2 ** 32] as const;
/** Readings below the old one that may be a glitch: after more of them it is a new meter or a reset. */
const longestGlitch = 3;
/** A wrap comes from the last tenth of the range and lands in the first. */
const wrapShare = 0.1;

export type Consumption = {
  /** In the unit of the counter, never negative. */
  readonly amount: number;
  /** More may have been used: between two meters, or before the first reading after a reset, nobody counted. */
  readonly atLeast: boolean;
};

const wrapOf = (before: number, after: number): number | undefined =>
  wraps.find((size) => before < size && before >= size * (1 - wrapShare) && after <= size * wrapShare);

/**
 * Tells restarts, wraps, new meters and glitches apart. A counter that says less and is back at or above its old value within three
 * readings had a glitch: only the true difference counts. One that wraps goes on from zero. Any other step back is a new meter, of which the
 * first reading is where counting begins.
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
    // The last readings may still turn out to be a glitch: what they say is not counted yet.
    if (ahead.length < longestGlitch && ahead.every((later) => later <= value)) break;
    atLeast = true;
    before = value;
  }
  return { amount, atLeast };
}
