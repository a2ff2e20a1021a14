import { mostFound } from "@herdwise/contract";

/** Number of rows of a list as text; for a bounded count that reached its bound, "at least". */
export const countText = (total: number, number: (value: number) => string, bounded: boolean): string =>
  bounded && total >= mostFound ? `${number(total)}+` : number(total);
