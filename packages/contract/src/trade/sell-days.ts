/**
 * On which of the next days heads of a unit are best sold, for server and browser: plain functions without schemas.
 * Weights are grams, money is fen, prices are fen per kg, feed conversions are thousandths (g of feed per kg of gain); all are integers.
 */
import { halfEven } from "./money.ts";
import type { PricedBand } from "./settlement.ts";

/** The last day that is looked at, counted from today. */
export const sellDaysAhead = 28;
/** Below this nobody buys a pig for slaughter, whatever the bands say. */
export const leastSaleGrams = 60_000;
/** Weight at which the second feed conversion holds. */
export const heavyGrams = 120_000;
/** Days over which a trend and the spread of prices are looked at. */
export const priceSpanDays = 14;
/** Fewer pairs of prices don't tell how far a price moves. */
export const leastPricePairs = 60;
/** Days that cost less than this against the best one are as good as it, per head. */
const asGoodFen = 500;
const asGoodPercent = 2;

/** Ranges in which assumptions may be moved. */
export const sellRanges = {
  shiftPercent: { min: -10, max: 10 },
  gainGrams: { min: 500, max: 1200 },
  feedFenPerKg: { min: 200, max: 500 },
} as const;

/** Bands of a day and of those after it, until others hold; no bands where one price holds for all weights. */
export interface BandsFrom {
  /** yyyy-MM-dd */
  from: string;
  bands: readonly PricedBand[];
}

export interface SellDaysInput {
  /** yyyy-MM-dd; day 0. */
  today: string;
  /** Mean weight of a head today. */
  weightGrams: number;
  /** Gain of each of the next days by the curve of growth; at least `sellDaysAhead` of them. */
  gains: readonly number[];
  /** Gain of every day, where somebody says it; it replaces the curve. */
  gainGrams?: number | undefined;
  feed: {
    /** Feed per gain at today's weight. */
    nowThousandths: number;
    /** At 120 kg; between and beyond it is a line by weight. */
    heavyThousandths: number;
    fenPerKg: number;
  };
  /** What a head costs a day beside its feed. */
  otherFenPerDay: number;
  price: {
    /** Of today. */
    fen: number;
    /** How far it moved in the last `spanDays`, which goes on in a line. */
    changeFen: number;
    spanDays: number;
    /** How far a price moves in `priceSpanDays`, as in four of five cases; absent where that is not known. */
    bandFen?: number | undefined;
  };
  /** What all prices are moved by, percent. */
  shiftPercent?: number | undefined;
  /** By date. */
  bands: readonly BandsFrom[];
  /** Last day of a withdrawal period. */
  withdrawalUntil?: string | undefined;
}

/** Why a weight has no price: nobody slaughters it, or it is under, over or between the bands. */
export type NoPrice = "light" | "under" | "over" | "gap";

export interface SellDay {
  day: string;
  weightGrams: number;
  /** Price of the day without the band. */
  fenPerKg: number;
  band?: PricedBand;
  /** Feed that a head eats until the day. */
  feedGrams: number;
  /** Per head against selling on the first day that has a price; absent without a price. */
  marginFen?: number;
  /** Four of five prices stay within both; absent where the spread of prices is not known. */
  lowFen?: number;
  highFen?: number;
  noPrice?: NoPrice;
  /** Within a withdrawal period: not to be sold whatever it costs. */
  blocked: boolean;
}

export interface SellDays {
  days: SellDay[];
  /** The day that the others are compared with; absent where no day has a price. */
  base?: SellDay;
  /** Absent where no day can be sold on. */
  best?: SellDay;
  /** Days around the best one that are as good as it. */
  window?: { from: string; to: string };
  /** Day after the best one from which prices may turn the order round: its range has all of the best one's. Absent where there is none. */
  unsureFrom?: string;
}

/** A published price of a day. */
export interface DayFen {
  /** yyyy-MM-dd */
  day: string;
  fen: number;
}

const dayMs = 86_400_000;
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs;
/** A day so many days after another. */
export const sellDayAfter = (day: string, days: number): string =>
  new Date((numberOf(day) + days) * dayMs).toISOString().slice(0, 10);

/**
 * The newest price, and how far it moved since the oldest one within `priceSpanDays` before it.
 * @param prices by day
 * @returns undefined for none
 */
export function priceMove(prices: readonly DayFen[]) {
  const newest = prices.at(-1);
  if (newest === undefined) return undefined;
  const oldest = prices.find(({ day }) => numberOf(newest.day) - numberOf(day) <= priceSpanDays) ?? newest;
  return {
    day: newest.day,
    fen: newest.fen,
    changeFen: newest.fen - oldest.fen,
    spanDays: Math.max(1, numberOf(newest.day) - numberOf(oldest.day)),
  };
}

/**
 * How far a price moves in `priceSpanDays`: four of five of the published pairs moved no further, up or down.
 * @returns without `bandFen` where there are fewer pairs than tell
 */
export function priceSpread(prices: readonly DayFen[]): { pairs: number; bandFen?: number } {
  const fenOf = new Map(prices.map(({ day, fen }) => [numberOf(day), fen]));
  const moves = [...fenOf].flatMap(([day, fen]) => {
    const later = fenOf.get(day + priceSpanDays);
    return later === undefined ? [] : [Math.abs(later - fen)];
  });
  const at = moves.sort((a, b) => a - b)[Math.ceil(moves.length * 0.8) - 1];
  return { pairs: moves.length, ...(at !== undefined && moves.length >= leastPricePairs && { bandFen: at }) };
}

/** Width of the range of prices so many days ahead: it grows with the root of the days. */
const widthFen = (bandFen: number, days: number): number =>
  halfEven(bandFen * Math.trunc(Math.sqrt(days / priceSpanDays) * 1_000_000), 1_000_000);

function bandAt(weightGrams: number, bands: readonly PricedBand[]): PricedBand | NoPrice | undefined {
  if (weightGrams < leastSaleGrams) return "light";
  if (bands.length === 0) return undefined;
  const band = bands.find(({ fromGrams, toGrams }) => weightGrams >= fromGrams && weightGrams < toGrams);
  if (band) return band;
  if (bands.every(({ fromGrams }) => weightGrams < fromGrams)) return "under";
  return bands.every(({ toGrams }) => weightGrams >= toGrams) ? "over" : "gap";
}

/** Feed per gain at a weight, on the line through today's and that at 120 kg; it does not fall as pigs grow. */
function conversionAt(weightGrams: number, { weightGrams: start, feed }: SellDaysInput): number {
  const { nowThousandths, heavyThousandths } = feed;
  if (start >= heavyGrams) return nowThousandths;
  const rise = Math.max(0, heavyThousandths - nowThousandths);
  return nowThousandths + halfEven(rise * (weightGrams - start), heavyGrams - start);
}

/** What a day is worth, a thousandth of a fen, which is exact; a rounded one could turn the order of days round. */
interface Worth {
  day: SellDay;
  exact: number;
  width: number | undefined;
}

/**
 * Margin of each of the next days, the best of them that can be sold on, and how sure that is.
 * Revenue is weight × price of the day with the adjustment of its band; feed eaten and other costs until the day are taken from it. Each is
 * compared with the first day that has a price, which is today unless today's weight has none.
 */
export function sellDays(input: SellDaysInput): SellDays {
  const { today, gains, gainGrams, feed, otherFenPerDay, price, shiftPercent = 0, bands, withdrawalUntil } = input;
  const days: SellDay[] = [];
  const worths: Worth[] = [];
  let weightGrams = input.weightGrams;
  let feedGrams = 0;
  for (let at = 0; at <= sellDaysAhead; at += 1) {
    if (at > 0) {
      const gain = gainGrams ?? gains[at - 1] ?? 0;
      feedGrams += halfEven(gain * conversionAt(weightGrams, input), 1000);
      weightGrams += gain;
    }
    const day = sellDayAfter(today, at);
    const ahead = price.fen + halfEven(price.changeFen * at, price.spanDays);
    const fenPerKg = Math.max(0, halfEven(ahead * (100 + shiftPercent), 100));
    const held = bands.findLast(({ from }) => from <= day)?.bands ?? [];
    const band = bandAt(weightGrams, held);
    const one: SellDay = {
      day,
      weightGrams,
      fenPerKg,
      feedGrams,
      blocked: withdrawalUntil !== undefined && withdrawalUntil >= day,
      ...(typeof band === "object" && { band }),
      ...(typeof band === "string" && { noPrice: band }),
    };
    days.push(one);
    if (one.noPrice === undefined)
      worths.push({
        day: one,
        exact:
          weightGrams * Math.max(0, fenPerKg + (one.band?.adjustmentFen ?? 0)) -
          feedGrams * feed.fenPerKg -
          otherFenPerDay * at * 1000,
        width: price.bandFen === undefined ? undefined : weightGrams * widthFen(price.bandFen, at),
      });
  }
  const [base] = worths;
  if (base === undefined) return { days };
  for (const { day, exact, width } of worths) {
    day.marginFen = halfEven(exact - base.exact, 1000);
    if (width === undefined) continue;
    day.lowFen = halfEven(exact - width - base.exact, 1000);
    day.highFen = halfEven(exact + width - base.exact, 1000);
  }
  const free = worths.filter(({ day }) => !day.blocked);
  const best = free.reduce<Worth | undefined>(
    (top, one) => (top === undefined || one.exact > top.exact ? one : top),
    undefined,
  );
  if (best === undefined) return { days, base: base.day };
  const loss = Math.max(asGoodFen * 1000, (Math.abs(best.exact - base.exact) * asGoodPercent) / 100);
  const good = new Set(free.filter(({ exact }) => best.exact - exact <= loss).map(({ day }) => day.day));
  const edge = (step: 1 | -1): string => {
    let at = best.day.day;
    while (good.has(sellDayAfter(at, step))) at = sellDayAfter(at, step);
    return at;
  };
  const { lowFen, highFen } = best.day;
  const unsure = days.find(
    (one) =>
      one.day > best.day.day &&
      one.lowFen !== undefined &&
      one.highFen !== undefined &&
      lowFen !== undefined &&
      highFen !== undefined &&
      one.lowFen <= lowFen &&
      one.highFen >= highFen,
  );
  return {
    days,
    base: base.day,
    best: best.day,
    window: { from: edge(-1), to: edge(1) },
    ...(unsure && { unsureFrom: unsure.day }),
  };
}

/** The smallest fall of all prices, in whole percent up to 10, by which an earlier day becomes the best one; undefined where none does. */
export function turningFall(input: SellDaysInput): { percent: number; day: string } | undefined {
  const best = sellDays(input).best?.day;
  if (best === undefined) return undefined;
  for (let percent = 1; percent <= -sellRanges.shiftPercent.min; percent += 1) {
    const day = sellDays({ ...input, shiftPercent: (input.shiftPercent ?? 0) - percent }).best?.day;
    if (day !== undefined && day < best) return { percent, day };
  }
  return undefined;
}

/**
 * Usual feed per gain at a weight, thousandths: 2.7 at 60 kg and 3.5 at 120 kg, a line between and beyond. Recalled from common feeding
 * tables for crossbred finishers, not measured at a farm [A].
 */
export const usualConversion = (weightGrams: number): number =>
  Math.min(4500, Math.max(2000, 2700 + halfEven(800 * (weightGrams - 60_000), 60_000)));

/** Usual price of finisher feed, and other costs of a head and day (power, labour, losses) [A]; each farm has its own. */
export const usualCosts = { feedFenPerKg: 320, otherFenPerDay: 190 } as const;
