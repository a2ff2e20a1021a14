import { type HeldTerm, judgeTerms, type TermRefusal, type TermWish, termPrice } from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { type Refusal, refuse } from "../../http/errors.ts";
import type { Reason } from "../../http/reasons.ts";
import { tradeSystem } from "./context.ts";
import type { OfferRow, tradeRepository } from "./trade.repository.ts";

type Trade = Pick<ReturnType<typeof tradeRepository>, "termsOf" | "boardFen">;

const reasonOf: Readonly<Record<TermRefusal, Reason>> = {
  none: "declaration.contract_none",
  ended: "declaration.contract_ended",
  category: "declaration.contract_category",
  place: "declaration.contract_place",
  weight: "declaration.contract_weight",
  period: "declaration.contract_period",
  used: "declaration.contract_used",
};

/** What a plan asks of a contract's term. */
export const wishOf = (
  { category, field, region, fromKg, toKg, day }: OfferRow,
  heads: number,
): Omit<TermWish, "counted"> => ({ category, field, saleRegion: region, fromKg, toKg, day, heads });

/** The refusal that a judgement says. @param counted heads that the wish has in the term already */
function refusalOf(
  { refusal, nearest }: { refusal: TermRefusal; nearest?: HeldTerm },
  field: string | undefined,
  counted = 0,
): Refusal {
  const [from, to] =
    refusal === "weight" ? [nearest?.fromKg ?? 0, nearest?.toKg ?? 0] : [nearest?.fromDay ?? "", nearest?.toDay ?? ""];
  const left = nearest ? Math.max(nearest.heads - nearest.used - nearest.waiting + counted, 0) : 0;
  return refuse(reasonOf[refusal], { values: { from, to, left }, ...(field !== undefined && { field }) });
}

/**
 * The term and the price at which a customer declares for a plan. Holds the customer's contracts until the transaction ends.
 * @throws {Refusal} 400 where no signed term is for it, its volume is used up, or the board has no price
 */
export async function contractPrice(
  trade: Trade,
  tenantId: string,
  offer: OfferRow,
  heads: number,
): Promise<{ contractTerm: string; pricePerKg: number }> {
  const judged = judgeTerms(wishOf(offer, heads), await trade.termsOf(tradeSystem, tenantId, true));
  if ("refusal" in judged) throw refusalOf(judged, judged.refusal === "used" ? "heads" : "plan");
  const { id, kind } = judged.term;
  const price = termPrice(judged.term, kind === "board" ? await trade.boardFen(tradeSystem, offer.id) : null);
  if (price === undefined) throw refuse("declaration.contract_no_price", { field: "plan" });
  return { contractTerm: id, pricePerKg: price };
}

/**
 * Why a declaration may not become an order by its term, or may not ask for other heads: its contract was ended, or the volume is used up.
 * Holds the customer's contracts until the transaction ends.
 * @param heads that are offered instead, beside all that waits; left out where the order is opened, for which orders alone count
 */
export async function termRefusal(
  trade: Trade,
  row: { tenantId: string; contractTerm: string | null; heads: number },
  offer: OfferRow,
  heads?: number,
): Promise<Refusal | undefined> {
  if (row.contractTerm === null) return undefined;
  const own = (await trade.termsOf(tradeSystem, row.tenantId, true)).filter(({ id }) => id === row.contractTerm);
  const counted = heads === undefined ? 0 : row.heads;
  const judged = judgeTerms(
    { ...wishOf(offer, heads ?? row.heads), counted },
    heads === undefined ? own.map((term) => ({ ...term, waiting: 0 })) : own,
  );
  return "refusal" in judged ? refusalOf(judged, heads === undefined ? undefined : "heads", counted) : undefined;
}

/** The refusal of an offer that changes a contract's price. */
export const offerRefusal = (agreedFen: number | null, offeredFen: number): Refusal | undefined =>
  agreedFen === null || agreedFen === offeredFen
    ? undefined
    : refuse("declaration.contract_price", { field: "pricePerKg", values: { price: yuanText(agreedFen) } });
