import { priceRange } from "@herdwise/contract";

/** What somebody typed into a cell. */
export type Typed = { kind: "empty" } | { kind: "price"; fen: number } | { kind: "wrong" };

const plain = /^\d{1,5}(?:[.．]\d{1,2})?$/;
const step = /^[+＋\-−－](\d{1,3}(?:\.\d{1,2})?)$/;

/**
 * Reads a price per kg: 14.52, "=" for the price before, +0.06 or -0.1 from it.
 * @param beforeFen the newest price of the days before
 */
export function readPrice(text: string, beforeFen: number | undefined): Typed {
  const typed = text.trim();
  if (typed === "") return { kind: "empty" };
  const fen = fenOf(typed, beforeFen);
  return fen === undefined || fen < priceRange.min || fen > priceRange.max ? { kind: "wrong" } : { kind: "price", fen };
}

function fenOf(typed: string, beforeFen: number | undefined): number | undefined {
  if (plain.test(typed)) return Math.round(Number(typed.replace("．", ".")) * 100);
  if (beforeFen === undefined) return undefined;
  if (typed === "=" || typed === "＝") return beforeFen;
  const [, by] = step.exec(typed) ?? [];
  if (by === undefined) return undefined;
  return beforeFen + Math.round(Number(by) * 100) * (/^[+＋]/.test(typed) ? 1 : -1);
}
