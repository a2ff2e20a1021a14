import { type MovementKind, type PigCategory, pigCategoryNames } from "@herdwise/contract";

/** What each kind of movement is called. */
export const movementNames: Readonly<Record<MovementKind, string>> = {
  arrival: "转入",
  transfer: "转群",
  death: "死亡",
  cull: "淘汰",
  sale: "出售",
  correction: "盘点更正",
};

export const categoryNames = Object.fromEntries(pigCategoryNames) as Readonly<Record<PigCategory, string>>;

/** A change of heads with its sign. @param number the language's figures */
export const signed = (heads: number, number: (value: number) => string): string =>
  `${heads > 0 ? "+" : "−"}${number(Math.abs(heads))}`;
