/** Which settings of trade hold on a day: plain functions without schemas. */
import { timeRangesOf } from "../resource/check.ts";
import type { SaleCategory, SaleMode } from "./shared.ts";
import { regionVersionOn, type Versioned, versionOn } from "./versions.ts";

/** What slots are worked out from; times are empty for a day without loading. */
export interface SlotRow extends Versioned {
  id: string;
  /** `daily`, `1` (Monday) to `7`, or `date`. */
  weekday: string;
  /** YYYY-MM-DD where the weekday is `date`. */
  onDay?: string | null;
  kind: string;
  times: string;
  mostVehicles: number;
  headsPerVehicle: number;
}

/** A time at which so many vehicles can be loaded. */
export interface LoadingSlot {
  /** Row that it comes from; with `from` it identifies the slot on a day. */
  rowId: string;
  /** HH:mm, Shanghai. */
  from: string;
  /** HH:mm; 24:00 is the end of the day. */
  to: string;
  mostVehicles: number;
  headsPerVehicle: number;
}

const clock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");

/**
 * Slots that hold at a field on a day, earliest first. Rows for the day itself replace those for its day of the week, which replace
 * those for every day; of each the newest version holds. None where the day is closed or nothing is set up.
 * @param day YYYY-MM-DD
 * @param rows those of one field
 */
export function slotsOf(day: string, rows: readonly SlotRow[]): LoadingSlot[] {
  const weekday = String(new Date(`${day}T00:00:00Z`).getUTCDay() || 7);
  const held = [
    rows.filter((row) => row.weekday === "date" && row.onDay === day),
    rows.filter((row) => row.weekday === weekday),
    rows.filter((row) => row.weekday === "daily"),
  ]
    .map((level) => versionOn(day, level))
    .find((level) => level.length > 0);
  if (held === undefined || held.some(({ kind }) => kind === "closed")) return [];
  return held
    .flatMap(({ id, times, mostVehicles, headsPerVehicle }) =>
      (timeRangesOf(times) ?? []).map(({ from, to }) => ({
        rowId: id,
        from: clock(from),
        to: clock(to),
        mostVehicles,
        headsPerVehicle,
      })),
    )
    .sort((a, b) => (a.from < b.from ? -1 : 1));
}

/** What bands are chosen from. */
export interface BandRow extends Versioned {
  /** Id of a sale region; empty for all. */
  saleRegion?: string | null;
  category: string;
  fromGrams: number;
  toGrams: number;
  adjustmentFen: number;
}

/**
 * Bands that hold on a day, lightest first: the newest version of the region, else the newest one for all regions. Empty where there is
 * none.
 * @param day YYYY-MM-DD
 * @param region id of the sale region; empty for none
 */
export const bandsOf = <Row extends BandRow>(
  day: string,
  region: string,
  category: SaleCategory,
  rows: readonly Row[],
): Row[] =>
  regionVersionOn(
    day,
    region,
    rows.filter((row) => row.category === category),
  ).sort((a, b) => a.fromGrams - b.fromGrams);

/** What the model of a sale is chosen from. */
export interface ModelRow extends Versioned {
  /** Id of a sale region; empty for all. */
  saleRegion?: string | null;
  category: string;
  mode: string;
}

/**
 * The model that holds on a day: the newest one of the region, else the newest one for all regions; undefined where there is none, and
 * then the category is not sold in this way.
 * @param day YYYY-MM-DD
 * @param region id of the sale region; empty for none
 */
export const modelOf = <Row extends ModelRow>(
  day: string,
  region: string,
  category: SaleCategory,
  mode: SaleMode,
  rows: readonly Row[],
): Row | undefined =>
  regionVersionOn(
    day,
    region,
    rows.filter((row) => row.category === category && row.mode === mode),
  )[0];
