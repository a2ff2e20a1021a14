/**
 * What a buyer owes for the pigs that were weighed, for server and browser: plain functions without schemas.
 * Weights are grams, money is fen, prices are fen per kg, shares are basis points; all are integers.
 */
import { exactSum, exactText, halfEven, isExact } from "./money.ts";

/** Heads whose mean weight is at least `fromGrams` and less than `toGrams`, and what is added to the price for them. */
export interface PricedBand {
  fromGrams: number;
  toGrams: number;
  /** Fen per kg; negative is less. */
  adjustmentFen: number;
}

/** Heads that were dead on arrival: they are not paid, at the mean weight of their vehicle. */
export interface DeadHeads {
  kind: "dead";
  heads: number;
}

/** Dirt or water: a share of the net weight that is not paid. */
export interface UnpaidShare {
  kind: "share";
  basisPoints: number;
  reason: string;
}

/** An agreed amount that is not paid. */
export interface FixedDeduction {
  kind: "fixed";
  fen: number;
  reason: string;
}

/** One weighing of a loaded vehicle. */
export interface WeighedVehicle {
  plate: string;
  grossGrams: number;
  tareGrams: number;
  heads: number;
  deductions?: readonly (DeadHeads | UnpaidShare | FixedDeduction)[];
}

export interface Settled {
  vehicles: readonly WeighedVehicle[];
  fenPerKg: number;
  /** Bands of the day, which must cover every vehicle; where they are left out, the price is the same for all weights. */
  bands?: readonly PricedBand[];
  /** A share is taken from the weight of every vehicle, a fixed amount once from the sum of all lines. */
  deductions?: readonly (UnpaidShare | FixedDeduction)[];
  taxBasisPoints: number;
  /** Whether the price contains the tax. */
  taxIncluded: boolean;
  /** What was paid before, each once. */
  paid?: readonly { kind: "prepayment" | "deposit"; fen: number }[];
}

/** A weighing with every number that its amount was made of. */
export interface SettlementLine {
  plate: string;
  grossGrams: number;
  tareGrams: number;
  netGrams: number;
  heads: number;
  /** Net weight per head, rounded; the band is chosen by this number. */
  meanGrams: number;
  band: PricedBand | undefined;
  fenPerKg: number;
  adjustmentFen: number;
  /** Price with the band's adjustment. */
  unitFen: number;
  /** Weight of the heads dead on arrival, rounded. */
  deadGrams: number;
  /** Weight of the unpaid shares: they are added up and rounded once. */
  shareGrams: number;
  /** Net weight without the two. */
  paidGrams: number;
  /** Paid weight times price, rounded once. */
  goodsFen: number;
  /** Fixed amounts that are not paid. */
  fixedFen: number;
  /** `goodsFen` without `fixedFen`. */
  amountFen: number;
}

export interface Settlement {
  lines: SettlementLine[];
  heads: number;
  netGrams: number;
  paidGrams: number;
  /** Sum of the lines' amounts. */
  goodsFen: number;
  /** Fixed amounts that are not paid for the order as a whole. */
  fixedFen: number;
  /** What the tax is worked out from, once: `goodsFen` without `fixedFen`, with or without the tax as the price is. */
  taxedFen: number;
  taxFen: number;
  /** What the goods cost without the tax. */
  beforeTaxFen: number;
  /** What the buyer owes in all. */
  totalFen: number;
  paidFen: number;
  /** Still to pay; 0 when enough was paid. */
  dueFen: number;
  /** To be paid back; 0 when nothing is. */
  refundFen: number;
}

/**
 * Why an order can't be settled.
 * - `not_integer`, `out_of_bounds`: the number in `field`; see `settlementBounds`.
 * - `no_vehicle`, `no_heads`, `tare_not_below_gross`: nothing was weighed.
 * - `no_band`, `bands_overlap`: not exactly one band covers the mean weight of a vehicle.
 * - `price_not_positive`: the adjustment takes away the whole price.
 * - `deduction_too_large`: more is deducted than there is.
 */
export type SettlementReason =
  | "not_integer"
  | "out_of_bounds"
  | "no_vehicle"
  | "no_heads"
  | "tare_not_below_gross"
  | "no_band"
  | "bands_overlap"
  | "price_not_positive"
  | "deduction_too_large";

/** An order that can't be settled. */
export class SettlementError extends Error {
  readonly reason: SettlementReason;
  /** Name of the number; undefined where it is not about one. */
  readonly field: string | undefined;
  /** Vehicle that it is about. */
  readonly plate: string | undefined;

  constructor(reason: SettlementReason, of: { field?: string; plate?: string } = {}) {
    super([reason, of.field, of.plate].filter(Boolean).join(" "));
    this.name = "SettlementError";
    this.reason = reason;
    this.field = of.field;
    this.plate = of.plate;
  }
}

/**
 * Least and most of each number. No sum goes beyond safe integers by them: 1,000 vehicles of 100 t at 2,000 yuan per kg cost 2e13 fen,
 * and 100 payments are at most 1e15.
 */
export const settlementBounds = {
  vehicles: [1, 1000],
  grossGrams: [0, 100_000_000],
  tareGrams: [0, 100_000_000],
  heads: [0, 100_000],
  fenPerKg: [1, 100_000],
  adjustmentFen: [-100_000, 100_000],
  bandGrams: [0, 100_000_000],
  basisPoints: [0, 10_000],
  taxBasisPoints: [0, 10_000],
  fixedFen: [0, 1_000_000_000_000],
  paidFen: [0, 10_000_000_000_000],
  /** How many deductions or payments there may be in one place. */
  items: [0, 100],
} as const satisfies Readonly<Record<string, readonly [number, number]>>;

/** @throws {SettlementError} when a number is no integer within its bounds */
function check(field: keyof typeof settlementBounds, value: number, plate?: string): number {
  const of = { field, ...(plate !== undefined && { plate }) };
  if (!isExact(value)) throw new SettlementError("not_integer", of);
  const [least, most] = settlementBounds[field];
  if (value < least || value > most) throw new SettlementError("out_of_bounds", of);
  return value;
}

/** The one band that covers a mean weight: its lower bound is part of it, its upper one is not. */
function bandFor(bands: readonly PricedBand[], meanGrams: number, plate: string): PricedBand {
  const [band, another] = bands.filter(({ fromGrams, toGrams }) => fromGrams <= meanGrams && meanGrams < toGrams);
  if (band === undefined) throw new SettlementError("no_band", { plate });
  if (another !== undefined) throw new SettlementError("bands_overlap", { plate });
  return band;
}

const fixedOf = (deductions: readonly { kind: string; fen?: number }[], plate?: string): number =>
  exactSum(deductions.flatMap(({ kind, fen }) => (kind === "fixed" ? [check("fixedFen", fen ?? 0, plate)] : [])));

const shareOf = (deductions: readonly { kind: string; basisPoints?: number }[], plate?: string): number =>
  exactSum(
    deductions.flatMap(({ kind, basisPoints }) =>
      kind === "share" ? [check("basisPoints", basisPoints ?? 0, plate)] : [],
    ),
  );

function lineOf(vehicle: WeighedVehicle, order: Settled, orderShare: number): SettlementLine {
  const { plate, grossGrams, tareGrams, heads, deductions = [] } = vehicle;
  check("items", deductions.length, plate);
  for (const field of ["grossGrams", "tareGrams", "heads"] as const) check(field, vehicle[field], plate);
  if (heads === 0) throw new SettlementError("no_heads", { plate });
  if (tareGrams >= grossGrams) throw new SettlementError("tare_not_below_gross", { plate });
  const netGrams = grossGrams - tareGrams;
  const meanGrams = halfEven(netGrams, heads);
  const band = order.bands && bandFor(order.bands, meanGrams, plate);
  const adjustmentFen = band?.adjustmentFen ?? 0;
  const unitFen = order.fenPerKg + adjustmentFen;
  if (unitFen <= 0) throw new SettlementError("price_not_positive", { plate });
  const dead = exactSum(deductions.flatMap((one) => (one.kind === "dead" ? [check("heads", one.heads, plate)] : [])));
  const deadGrams = halfEven(BigInt(netGrams) * BigInt(dead), heads);
  const shareGrams = halfEven(BigInt(netGrams) * BigInt(shareOf(deductions, plate) + orderShare), 10_000);
  const paidGrams = netGrams - deadGrams - shareGrams;
  const goodsFen = halfEven(BigInt(paidGrams) * BigInt(unitFen), 1000);
  const fixedFen = fixedOf(deductions, plate);
  const amountFen = goodsFen - fixedFen;
  if (paidGrams < 0 || amountFen < 0) throw new SettlementError("deduction_too_large", { plate });
  return {
    plate,
    grossGrams,
    tareGrams,
    netGrams,
    heads,
    meanGrams,
    band,
    fenPerKg: order.fenPerKg,
    adjustmentFen,
    unitFen,
    deadGrams,
    shareGrams,
    paidGrams,
    goodsFen,
    fixedFen,
    amountFen,
  };
}

/**
 * Works out what a buyer owes. Money is rounded once per line and once for the tax.
 * @throws {SettlementError} when the order can't be settled
 */
export function settle(order: Settled): Settlement {
  const { vehicles, bands = [], deductions = [], paid = [], taxIncluded } = order;
  if (vehicles.length === 0) throw new SettlementError("no_vehicle");
  check("vehicles", vehicles.length);
  for (const { length } of [deductions, paid]) check("items", length);
  check("fenPerKg", order.fenPerKg);
  const rate = check("taxBasisPoints", order.taxBasisPoints);
  for (const { fromGrams, toGrams, adjustmentFen } of bands) {
    for (const grams of [fromGrams, toGrams]) check("bandGrams", grams);
    check("adjustmentFen", adjustmentFen);
  }
  const orderShare = shareOf(deductions);
  const lines = vehicles.map((vehicle) => lineOf(vehicle, order, orderShare));
  const sum = (of: (line: SettlementLine) => number) => exactSum(lines.map(of));
  const goodsFen = sum(({ amountFen }) => amountFen);
  const fixedFen = fixedOf(deductions);
  const taxedFen = goodsFen - fixedFen;
  if (taxedFen < 0) throw new SettlementError("deduction_too_large");
  const taxFen = halfEven(BigInt(taxedFen) * BigInt(rate), taxIncluded ? 10_000 + rate : 10_000);
  const totalFen = taxIncluded ? taxedFen : taxedFen + taxFen;
  const paidFen = exactSum(paid.map(({ fen }) => check("paidFen", fen)));
  return {
    lines,
    heads: sum(({ heads }) => heads),
    netGrams: sum(({ netGrams }) => netGrams),
    paidGrams: sum(({ paidGrams }) => paidGrams),
    goodsFen,
    fixedFen,
    taxedFen,
    taxFen,
    beforeTaxFen: totalFen - taxFen,
    totalFen,
    paidFen,
    dueFen: Math.max(0, totalFen - paidFen),
    refundFen: Math.max(0, paidFen - totalFen),
  };
}

/**
 * How the amount of goods of a line came about, in kg and yuan: `14,507.5 kg × 14.65 = 212,534.875 → 212,534.88`. The arrow is left out
 * where nothing was rounded.
 */
export function lineArithmetic({ paidGrams, unitFen, goodsFen }: SettlementLine): string {
  const exact = exactText(BigInt(paidGrams) * BigInt(unitFen), 5, 2);
  const rounded = exactText(goodsFen, 2, 2);
  const worked = `${exactText(paidGrams, 3)} kg × ${exactText(unitFen, 2, 2)} = ${exact}`;
  return exact === rounded ? worked : `${worked} → ${rounded}`;
}
