import { exactText } from "@herdwise/contract/money";

/** Fen as yuan with two decimals; also a price in fen per kg. */
export const yuan = (fen: number): string => exactText(fen, 2, 2);

/** Grams as kg, with one decimal at least. */
export const kg = (grams: number): string => exactText(grams, 3, 1);
