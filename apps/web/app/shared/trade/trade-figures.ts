import { exactText } from "@herdwise/contract/money";

/** Grams as kg, with one decimal at least. */
export const kg = (grams: number): string => exactText(grams, 3, 1);

/** The mean weight of a head in kg, as precise as it is used. */
export const meanKg = (grams: number): string => exactText(Math.round(grams / 100), 1, 1);

/** What was paid ahead of such an order is not yet what it comes to. */
export const isUnsettled = (state: string): boolean => ["confirmed", "loading", "weighed"].includes(state);
