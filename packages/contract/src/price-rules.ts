/** Rules of prices that the desk and the server run alike: plain functions without schemas, so that the browser gets them as they are. */

/** A price that is further than this from the one before is confirmed by a second person, %. */
export const outlierPercent = 5;

/**
 * Whether a price needs a second person: further than 5 % from the one before, or nothing to hold it against.
 * @param fen price per kg @param beforeFen the newest price of the days before
 */
export const isOutlier = (fen: number, beforeFen: number | undefined): boolean =>
  beforeFen === undefined || Math.abs(fen - beforeFen) * 100 > outlierPercent * beforeFen;

/** The mean of prices, or of changes of prices, in whole fen, halves to the even one; undefined for none. */
export function meanFen(prices: readonly number[]): number | undefined {
  if (prices.length === 0) return undefined;
  const sum = prices.reduce((total, fen) => total + fen, 0);
  const whole = Math.floor(sum / prices.length);
  const rest = sum - whole * prices.length;
  const up = rest * 2 > prices.length || (rest * 2 === prices.length && Math.abs(whole % 2) === 1);
  return up ? whole + 1 : whole;
}
