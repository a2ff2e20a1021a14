import {
  latePriceDays,
  macroRegions,
  nationCode,
  type PriceBreed,
  type PriceQuote,
  type PriceTrend,
  type ProvinceQuote,
  priceBreeds,
  pricedProvinces,
} from "@herdwise/contract";
import { meanFen } from "@herdwise/contract/price-rules";
import { dayAfter } from "./price-days.ts";

/** Published prices of a breed: fen per kg by day and province. */
export type PricesByDay = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Days of the small curve beside a quotation. */
const recentDays = 8;

const provincesOf = (macro: string): readonly string[] =>
  pricedProvinces.filter((province) => province.macro === macro).map(({ code }) => code);
const allProvinces = pricedProvinces.map(({ code }) => code);

/** What an area paid on a day: a province's price, or the mean of those of its provinces that had one. */
function areaPrice(prices: PricesByDay, day: string, codes: readonly string[]): number | undefined {
  const held = prices.get(day);
  if (held === undefined) return undefined;
  return meanFen(codes.flatMap((code) => held.get(code) ?? []));
}

/**
 * What an area paid on an earlier day, as far as it compares: its price of now less the mean change of the provinces that had a price
 * on both days. Who did not report moves nothing.
 */
function comparedPrice(
  prices: PricesByDay,
  day: string,
  before: string,
  codes: readonly string[],
  own: number | undefined,
): number | undefined {
  const [now, then] = [prices.get(day), prices.get(before)];
  const change = meanFen(
    codes.flatMap((code) => {
      const [later, earlier] = [now?.get(code), then?.get(code)];
      return later === undefined || earlier === undefined ? [] : [later - earlier];
    }),
  );
  return own === undefined || change === undefined ? undefined : own - change;
}

function quoteOf(prices: PricesByDay, day: string, code: string, codes: readonly string[]): PriceQuote {
  const on = (before: number) => areaPrice(prices, dayAfter(day, -before), codes);
  const own = on(0);
  // A province that was not updated still says what it paid before.
  const earlier = (days: number) =>
    own === undefined ? on(days) : comparedPrice(prices, day, dayAfter(day, -days), codes, own);
  const compared = { yesterdayFen: earlier(1), weekFen: earlier(7), yearFen: earlier(365) };
  return {
    code,
    day: own === undefined ? "" : day,
    ...(own !== undefined && { fen: own }),
    ...Object.fromEntries(Object.entries(compared).filter(([, fen]) => fen !== undefined)),
    recent: Array.from({ length: recentDays }, (_, at) => on(recentDays - 1 - at) ?? 0),
  };
}

/** A province that was not updated shows its newest price, as long as that is worth something. */
function lateQuote(prices: PricesByDay, quote: PriceQuote, day: string): PriceQuote {
  if (quote.fen !== undefined) return quote;
  for (let before = 1; before <= latePriceDays; before += 1) {
    const earlier = dayAfter(day, -before);
    const fen = prices.get(earlier)?.get(quote.code);
    if (fen !== undefined) return { ...quote, fen, day: earlier };
  }
  return quote;
}

/**
 * The quotation of a day: nation, macro-regions and provinces. Means count the provinces with a price of the day alone, so that
 * what was not updated moves nothing.
 */
export function quotationOf(pricesOf: ReadonlyMap<PriceBreed, PricesByDay>, breed: PriceBreed, day: string) {
  const prices = pricesOf.get(breed) ?? new Map();
  const nation = quoteOf(prices, day, nationCode, allProvinces);
  const regions = macroRegions.map(([macro]) => ({
    ...quoteOf(prices, day, macro, provincesOf(macro)),
    provinces: provincesOf(macro).map(
      (code): ProvinceQuote => ({
        ...lateQuote(prices, quoteOf(prices, day, code, [code]), day),
        others: priceBreeds
          .filter(([other]) => other !== breed)
          .map(([other]) => {
            const fen = pricesOf.get(other)?.get(day)?.get(code);
            return { breed: other, ...(fen !== undefined && { fen }) };
          }),
      }),
    ),
  }));
  const shown = regions.flatMap(({ provinces }) => provinces);
  return {
    nation,
    regions,
    updated: shown.filter((quote) => quote.day === day).length,
    late: shown.filter((quote) => quote.day !== "" && quote.day !== day).length,
    provinces: shown.length,
  };
}

/** Prices day by day up to one. @param areas codes of provinces, or that of the nation */
export function trendOf(
  prices: PricesByDay,
  day: string,
  count: number,
  areas: readonly string[],
): Omit<PriceTrend, "breed"> {
  const days = Array.from({ length: count }, (_, at) => dayAfter(day, at - count + 1));
  return {
    days,
    series: areas.map((code) => ({
      code,
      points: days.map((one) => areaPrice(prices, one, code === nationCode ? allProvinces : [code]) ?? 0),
    })),
  };
}
