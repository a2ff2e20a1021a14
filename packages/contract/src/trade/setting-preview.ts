/** What a sales model or a version of weight bands would have meant for past sales: plain functions without schemas. */
import { exactSum, halfEven } from "./money.ts";

/** A past order, or a past lot of a model for bidding. */
export interface PastSale {
  id: string;
  number: string;
  /** Loading day, yyyy-MM-dd. */
  day: string;
  heads: number;
  /** Deposit that was asked of each bidder, fen; 0 for none. */
  depositFen: number;
}

export interface ModelDraft {
  leastHeads: number;
  mostHeads: number;
  /** Fen per head; null for none. */
  depositFen: number | null;
}

export const headsVerdicts = ["accepted", "too_few", "too_many"] as const;

export interface PreviewedSale extends PastSale {
  verdict: (typeof headsVerdicts)[number];
  /** Deposit that the draft asks, fen; 0 for a sale that it refuses. */
  wouldBeFen: number;
}

export interface ModelPreview {
  rows: PreviewedSale[];
  accepted: number;
  refused: number;
  /** Sums of the deposits, fen. */
  depositFen: number;
  wouldBeFen: number;
}

/** What the heads limits and the deposit of a model would have meant for past sales. */
export function previewModel(
  { leastHeads, mostHeads, depositFen }: ModelDraft,
  sales: readonly PastSale[],
): ModelPreview {
  const rows = sales.map((sale): PreviewedSale => {
    const verdict = sale.heads < leastHeads ? "too_few" : sale.heads > mostHeads ? "too_many" : "accepted";
    return { ...sale, verdict, wouldBeFen: verdict === "accepted" ? (depositFen ?? 0) * sale.heads : 0 };
  });
  const accepted = rows.filter(({ verdict }) => verdict === "accepted").length;
  return {
    rows,
    accepted,
    refused: rows.length - accepted,
    depositFen: exactSum(rows.map((row) => row.depositFen)),
    wouldBeFen: exactSum(rows.map((row) => row.wouldBeFen)),
  };
}

/** A vehicle of a settled order; see `SettlementLine`. */
export interface PastLine {
  meanGrams: number;
  paidGrams: number;
  /** Agreed price, fen per kg. */
  fenPerKg: number;
  /** Adjustment and goods as they were settled, fen. */
  adjustmentFen: number;
  goodsFen: number;
}

/** A settled order. */
export interface PastOrder {
  id: string;
  number: string;
  /** Loading day, yyyy-MM-dd. */
  day: string;
  heads: number;
  lines: readonly PastLine[];
}

export interface DraftBand {
  fromGrams: number;
  toGrams: number;
  /** Fen per kg. */
  adjustmentFen: number;
}

export interface PreviewedOrder extends Omit<PastOrder, "lines"> {
  /** Goods as they were settled, fen. */
  goodsFen: number;
  /** Goods by the draft, fen; absent where a vehicle has no band or no price. */
  wouldBeFen?: number;
  /** `wouldBeFen` less `goodsFen`. */
  differenceFen?: number;
  /** Vehicles whose adjustment would be another one. */
  changed: number;
  /** Vehicles that no band, or more than one, covers, or whose price would not be above zero. */
  unsettled: number;
}

export interface BandPreview {
  rows: PreviewedOrder[];
  /** Orders of which some vehicle can't be settled; they count in no sum. */
  unsettled: number;
  /** Sums of the orders that can be settled, fen. */
  goodsFen: number;
  wouldBeFen: number;
  differenceFen: number;
}

/** Goods of a vehicle by bands, fen; undefined where it can't be settled. Without bands the price is the agreed one. */
function repriced(
  { meanGrams, paidGrams, fenPerKg }: PastLine,
  bands: readonly DraftBand[],
): { adjustmentFen: number; goodsFen: number } | undefined {
  const fitting = bands.filter(({ fromGrams, toGrams }) => fromGrams <= meanGrams && meanGrams < toGrams);
  if (bands.length > 0 && fitting.length !== 1) return undefined;
  const adjustmentFen = fitting[0]?.adjustmentFen ?? 0;
  const unitFen = fenPerKg + adjustmentFen;
  return unitFen > 0 ? { adjustmentFen, goodsFen: halfEven(BigInt(paidGrams) * BigInt(unitFen), 1000) } : undefined;
}

/**
 * What bands would have meant for orders that are settled. Weights, deductions and agreed prices stay as they are.
 * @param bandsFor bands that would hold for an order
 */
export function previewBands<Order extends PastOrder>(
  bandsFor: (order: Order) => readonly DraftBand[],
  orders: readonly Order[],
): BandPreview {
  const rows = orders.map((order): PreviewedOrder => {
    const { id, number, day, heads, lines } = order;
    const bands = bandsFor(order);
    const anew = lines.map((line) => repriced(line, bands));
    const goodsFen = exactSum(lines.map((line) => line.goodsFen));
    const unsettled = anew.filter((line) => line === undefined).length;
    const wouldBeFen = exactSum(anew.map((line) => line?.goodsFen ?? 0));
    return {
      id,
      number,
      day,
      heads,
      goodsFen,
      changed: anew.filter((line, at) => line && line.adjustmentFen !== lines[at]?.adjustmentFen).length,
      unsettled,
      ...(unsettled === 0 && { wouldBeFen, differenceFen: wouldBeFen - goodsFen }),
    };
  });
  const settled = rows.filter((row) => row.unsettled === 0);
  const goodsFen = exactSum(settled.map((row) => row.goodsFen));
  const wouldBeFen = exactSum(settled.map((row) => row.wouldBeFen ?? 0));
  return { rows, unsettled: rows.length - settled.length, goodsFen, wouldBeFen, differenceFen: wouldBeFen - goodsFen };
}
