/**
 * Rules for prices that both the desk's screen and the server run: plain functions without schemas, which keeps the browser's
 * code small.
 */
import { exactSum, halfEven } from "./trade/money.ts";

/** A price that differs from the previous one by more than this, in %, must be confirmed by a second person. */
export const outlierPercent = 5;

/**
 * Whether a second person must confirm a price: it differs by more than 5 % from the previous one, or there is none to compare
 * with.
 * @param fen price per kg
 * @param beforeFen the newest price of the days before
 */
export const isOutlier = (fen: number, beforeFen: number | undefined): boolean =>
  beforeFen === undefined || Math.abs(fen - beforeFen) * 100 > outlierPercent * beforeFen;

/** Mean of prices or price changes in whole fen, rounding halves to even; undefined for an empty list. */
export function meanFen(prices: readonly number[]): number | undefined {
  return prices.length === 0 ? undefined : halfEven(exactSum(prices), prices.length);
}
