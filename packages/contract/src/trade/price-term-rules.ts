/** Price terms of sale contracts: plain functions without schemas, which server and browser run. */
import { agreedPriceRange, type SaleCategory } from "./shared.ts";

/** How a term says its price: a fixed one, or the price board's with a difference. */
export const termPriceKinds = ["fixed", "board"] as const;
/** Most price terms of one contract. */
export const mostTerms = 6;
/** A price of the board counts for so many days, if no newer one is published. */
export const boardPriceDays = 7;

/** A price term as the contract says it. */
export interface PriceTerm {
  category: SaleCategory;
  /** Id of the only field that it is for; "" for more than one. */
  field: string;
  /** Id of the only sale region that it is for; "" for more than one. */
  saleRegion: string;
  /** Name of the field or region when the term was written; "" for all fields. */
  place: string;
  /** Mean weight of a plan that it is for, kg per head. */
  fromKg: number;
  toKg: number;
  kind: (typeof termPriceKinds)[number];
  /** Fen per kg: the price, or what is added to the board's price. */
  fen: number;
  /** Heads. */
  heads: number;
  /** First and last loading day, yyyy-MM-dd. */
  fromDay: string;
  toDay: string;
}

/** A signed term with what hangs on it. */
export interface HeldTerm extends PriceTerm {
  id: string;
  /** Number of the contract and of the line. */
  number: string;
  /** The contract was ended. */
  ended: boolean;
  /** Heads of its orders that are not cancelled. */
  used: number;
  /** Heads of declarations that wait for an answer. */
  waiting: number;
}

/** Heads that are wished for at a contract's price. */
export interface TermWish {
  category: SaleCategory;
  field: string;
  /** Sale region of the field; "" for none. */
  saleRegion: string;
  fromKg: number;
  toKg: number;
  /** Loading day, yyyy-MM-dd. */
  day: string;
  heads: number;
  /** Heads of the wish that `waiting` counts already. */
  counted?: number;
}

export const termRefusals = ["none", "ended", "category", "place", "weight", "period", "used"] as const;
export type TermRefusal = (typeof termRefusals)[number];

/** Heads that a term still takes: its volume without orders and without declarations that wait. */
export const freeHeads = ({ heads, used, waiting }: Pick<HeldTerm, "heads" | "used" | "waiting">): number =>
  Math.max(heads - used - waiting, 0);

/** The narrower place first, then the one that ends first, then the older one. */
const bySpecial = (a: HeldTerm, b: HeldTerm): number => {
  const width = ({ field, saleRegion }: HeldTerm): number => (field !== "" ? 0 : saleRegion !== "" ? 1 : 2);
  const age = a.id.length - b.id.length || (a.id < b.id ? -1 : 1);
  return width(a) - width(b) || (a.toDay === b.toDay ? age : a.toDay < b.toDay ? -1 : 1);
};

/**
 * The term by which a customer may buy, or why there is none: the first condition that no term meets, with a term that came so far.
 * @param terms all signed terms of the customer
 */
export function judgeTerms(
  wish: TermWish,
  terms: readonly HeldTerm[],
): { term: HeldTerm } | { refusal: TermRefusal; nearest?: HeldTerm } {
  const conditions: readonly (readonly [TermRefusal, (term: HeldTerm) => boolean])[] = [
    ["ended", ({ ended }) => !ended],
    ["category", ({ category }) => category === wish.category],
    [
      "place",
      ({ field, saleRegion }) =>
        (field === "" || field === wish.field) && (saleRegion === "" || saleRegion === wish.saleRegion),
    ],
    ["weight", ({ fromKg, toKg }) => fromKg <= wish.fromKg && wish.toKg <= toKg],
    ["period", ({ fromDay, toDay }) => fromDay <= wish.day && wish.day <= toDay],
    ["used", (term) => term.heads - term.used - term.waiting + (wish.counted ?? 0) >= wish.heads],
  ];
  let left = terms.toSorted(bySpecial);
  if (left.length === 0) return { refusal: "none" };
  for (const [refusal, holds] of conditions) {
    const kept = left.filter(holds);
    if (kept.length === 0) {
      const most = refusal === "used" ? left.toSorted((a, b) => freeHeads(b) - freeHeads(a))[0] : left[0];
      return { refusal, ...(most && { nearest: most }) };
    }
    left = kept;
  }
  const [term] = left;
  return term ? { term } : { refusal: "none" };
}

/** Price per kg by a term, fen; undefined where the board has no price. @param boardFen price of the board that counts */
export function termPrice({ kind, fen }: Pick<PriceTerm, "kind" | "fen">, boardFen: number | null): number | undefined {
  if (kind === "fixed") return fen;
  const price = boardFen === null ? undefined : boardFen + fen;
  return price !== undefined && price >= agreedPriceRange.min && price <= agreedPriceRange.max ? price : undefined;
}

/** The board has prices of these categories alone. */
export const boardCategories: readonly string[] = ["outer", "inner", "local"];

export type TermProblem = "weights" | "days" | "outside" | "places" | "price" | "difference" | "board";

/**
 * What is wrong with a term beside the ranges of its numbers, by field.
 * @param until last day of the contract; "" where it says none
 */
export function termProblems(
  { field, saleRegion, fromKg, toKg, kind, fen, category, fromDay, toDay }: Omit<PriceTerm, "place">,
  until: string,
): [field: string, problem: TermProblem][] {
  const found: [string, TermProblem][] = [];
  if (fromKg >= toKg) found.push(["toKg", "weights"]);
  if (toDay < fromDay) found.push(["toDay", "days"]);
  else if (until !== "" && toDay > until) found.push(["toDay", "outside"]);
  if (field !== "" && saleRegion !== "") found.push(["saleRegion", "places"]);
  if (kind === "fixed" && (fen < agreedPriceRange.min || fen > agreedPriceRange.max)) found.push(["fen", "price"]);
  if (kind === "board" && Math.abs(fen) > mostDifferenceFen) found.push(["fen", "difference"]);
  if (kind === "board" && !boardCategories.includes(category)) found.push(["kind", "board"]);
  return found;
}
/** Largest difference to the board's price, fen per kg. */
export const mostDifferenceFen = 1000;
