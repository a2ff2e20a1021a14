/** Rules of bidding, for server and browser: plain functions without schemas. Prices are fen per kg, times are ms since 1970. */

/** Most times that late bids move the end of a lot. */
export const mostExtensions = 20;

/** What a bid is held against. */
export interface LotAt {
  opensAt: number;
  /** The one end that holds. */
  endsAt: number;
  /** Least price of a first bid. */
  reserve: number;
  step: number;
  /** Best price so far; null before the first bid. */
  best: number | null;
  /** A bid in the last minutes moves the end to so many minutes after it. */
  softCloseMinutes: number;
  /** How often the end was moved. */
  extensions: number;
}

/** Why a bid is refused. */
export type BidReason = "not_open" | "over" | "below_reserve" | "below_step" | "limit_below_bid";

/** The least price that the next bid must have. */
export const leastBid = ({ best, reserve, step }: Pick<LotAt, "best" | "reserve" | "step">): number =>
  best === null ? reserve : best + step;

/** Whether bids are taken at a moment; the end itself is over. */
export const timeOf = (
  { opensAt, endsAt }: Pick<LotAt, "opensAt" | "endsAt">,
  at: number,
): "before" | "open" | "over" => (at < opensAt ? "before" : at < endsAt ? "open" : "over");

/** The end after an accepted bid; a refused one never moves it. */
export function endAfter(
  { endsAt, softCloseMinutes, extensions }: Pick<LotAt, "endsAt" | "softCloseMinutes" | "extensions">,
  at: number,
): { endsAt: number; extensions: number } {
  const later = at + softCloseMinutes * 60_000;
  return later > endsAt && extensions < mostExtensions
    ? { endsAt: later, extensions: extensions + 1 }
    : { endsAt, extensions };
}

/**
 * Why a bid is refused; undefined where it is accepted.
 * @param limit the bidder's secret highest price; null for none
 */
export function refusedBid(
  lot: LotAt,
  bid: { price: number; limit: number | null; at: number },
): BidReason | undefined {
  const time = timeOf(lot, bid.at);
  if (time !== "open") return time === "before" ? "not_open" : "over";
  if (bid.limit !== null && bid.limit < bid.price) return "limit_below_bid";
  if (bid.price >= leastBid(lot)) return undefined;
  return lot.best === null ? "below_reserve" : "below_step";
}

/** A price that is entered into a lot's order of bids. */
export interface BidEntry {
  by: "challenger" | "leader";
  price: number;
  /** Entered for the bidder by the secret limit. */
  proxy: boolean;
}

/**
 * What an accepted bid enters, in order; the author of the last entry leads. The lot answers for the leader and bids on for the challenger
 * by the step, up to their secret limits; the last answer may be less than a step above, where a limit leaves no more. Of equal limits the
 * leader's was committed first and wins.
 * @param bid the challenger's price and secret limit; null for none
 * @param leaderLimit the leader's secret limit; null for none
 */
export function entriesOf(
  bid: { price: number; limit: number | null },
  leaderLimit: number | null,
  step: number,
): BidEntry[] {
  const entries: BidEntry[] = [{ by: "challenger", price: bid.price, proxy: false }];
  const enter = (by: BidEntry["by"], price: number) => entries.push({ by, price, proxy: true });
  if (leaderLimit === null || leaderLimit < bid.price) return entries;
  const limit = bid.limit ?? bid.price;
  if (leaderLimit >= limit) {
    if (limit > bid.price) enter("challenger", limit);
    enter("leader", Math.min(leaderLimit, limit + step));
  } else {
    enter("leader", leaderLimit);
    enter("challenger", Math.min(limit, leaderLimit + step));
  }
  return entries;
}

/** An entry of a lot's record, as far as its ranking needs it. */
export interface RankedEntry {
  seq: number;
  /** The bidder; whose strike it is has no meaning. */
  who: string;
  /** Null for a strike. */
  price: number | null;
  /** Entry that this one strikes; null for a bid. */
  strikes: number | null;
}

/** A bidder's best entry. */
export interface Place {
  /** See `biddersOf`. */
  bidder: number;
  who: string;
  price: number;
  seq: number;
}

/** The bidders' numbers in a lot, from 1 by the first bid: shown instead of names. @param entries in the order of their numbers */
export function biddersOf(entries: readonly RankedEntry[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const { who, price } of entries) if (price !== null && !numbers.has(who)) numbers.set(who, numbers.size + 1);
  return numbers;
}

/**
 * Bidders by their best price that was not struck, the best first. Of equal prices the later entry stands before the earlier one, as only
 * the answer of an older secret limit equals the best price.
 * @param entries in the order of their numbers
 */
export function rankingOf(entries: readonly RankedEntry[]): Place[] {
  const struck = new Set(entries.map(({ strikes }) => strikes));
  const numbers = biddersOf(entries);
  const best = new Map<string, Place>();
  for (const { seq, who, price } of entries) {
    const bidder = numbers.get(who);
    if (price === null || bidder === undefined) continue;
    if (!struck.has(seq) && price >= (best.get(who)?.price ?? 0)) best.set(who, { bidder, who, price, seq });
  }
  return [...best.values()].sort((a, b) => b.price - a.price || b.seq - a.seq);
}
