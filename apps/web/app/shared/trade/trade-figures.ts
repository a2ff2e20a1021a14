import { exactText } from "@herdwise/contract/money";

/** Grams as kg, with one decimal at least. */
export const kg = (grams: number): string => exactText(grams, 3, 1);
