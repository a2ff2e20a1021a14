import { mostFound } from "@herdwise/contract";

/** Number of rows of a list as text; "at least" for a count that stopped at its bound. A higher count is exact. */
export const countText = (total: number, number: (value: number) => string, bounded: boolean): string =>
  bounded && total === mostFound ? `${number(total)}+` : number(total);
