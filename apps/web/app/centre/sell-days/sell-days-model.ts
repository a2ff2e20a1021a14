import { type PriceBreed, priceBreeds, type SellDaysDetail } from "@herdwise/contract";
import {
  type SellDay,
  type SellDays,
  type SellDaysInput,
  sellDayAfter,
  sellRanges,
} from "@herdwise/contract/sell-days";

/** What the curve shows. */
export const measures = ["margin", "weight", "conversion"] as const;
export type Measure = (typeof measures)[number];

/** Unit and assumptions, as the address has them; what somebody did not move is absent. */
export interface SellChoice {
  /** "" before one is chosen. */
  unit: string;
  breed: PriceBreed;
  shiftPercent: number;
  gainGrams?: number | undefined;
  feedFenPerKg?: number | undefined;
  measure: Measure;
}

type Moved = keyof typeof sellRanges;
/** Names of the sliders in the address. */
export const moved: Readonly<Record<Moved, string>> = {
  shiftPercent: "price",
  gainGrams: "gain",
  feedFenPerKg: "feed",
};

function numberIn(search: URLSearchParams, of: Moved): number | undefined {
  const text = search.get(moved[of]) ?? "";
  const value = Number(text);
  const { min, max } = sellRanges[of];
  return /^-?\d{1,4}$/.test(text) && value >= min && value <= max ? value : undefined;
}

/** The choice in an address; what it does not know is the usual. */
export const readChoice = (search: URLSearchParams): SellChoice => ({
  unit: /^\d{1,19}$/.exec(search.get("unit") ?? "")?.[0] ?? "",
  breed: priceBreeds.find(([breed]) => breed === search.get("breed"))?.[0] ?? "outer",
  shiftPercent: numberIn(search, "shiftPercent") ?? 0,
  gainGrams: numberIn(search, "gainGrams"),
  feedFenPerKg: numberIn(search, "feedFenPerKg"),
  measure: measures.find((one) => one === search.get("show")) ?? "margin",
});

/** What is worked out: what the server told with what somebody assumes instead. */
export const inputOf = (
  detail: SellDaysDetail,
  { shiftPercent, gainGrams, feedFenPerKg }: Pick<SellChoice, Moved>,
): SellDaysInput => ({
  ...detail,
  gainGrams,
  shiftPercent,
  feed: { ...detail.feed, fenPerKg: feedFenPerKg ?? detail.feed.fenPerKg },
  withdrawalUntil: detail.withdrawal?.until,
});

/** Days of the short table: where the withdrawal period ends, the window and its best day, and one of each week. */
export function keyDays({ days, best, window }: SellDays): SellDay[] {
  const first = days[0]?.day ?? "";
  const keys = new Set([
    ...[0, 7, 14, 21, 28].map((at) => sellDayAfter(first, at)),
    days.find(({ blocked }) => !blocked)?.day,
    best?.day,
    window?.from,
    window?.to,
  ]);
  return days.filter(({ day }) => keys.has(day));
}

/** The last day that can be sold on, where it is after the window; what waiting until then costs is told. */
export const lastAfter = ({ days, window }: SellDays): SellDay | undefined => {
  const last = days.findLast(({ marginFen, blocked }) => marginFen !== undefined && !blocked);
  return last && window && last.day > window.to ? last : undefined;
};

/** Feed per gain of the day before each; undefined on the first one, and where nothing is gained. */
export const conversionOf = (days: readonly SellDay[], at: number): number | undefined => {
  const [before, now] = [days[at - 1], days[at]];
  if (!before || !now || now.weightGrams === before.weightGrams) return undefined;
  return (now.feedGrams - before.feedGrams) / (now.weightGrams - before.weightGrams);
};
