import { mostFound } from "@herdwise/contract";

/** How many rows a list has; of a bounded count that reached its bound, that there are at least so many. */
export const countText = (total: number, number: (value: number) => string, bounded: boolean): string =>
  bounded && total >= mostFound ? `${number(total)}+` : number(total);
