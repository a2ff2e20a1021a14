/** Settings of trade that hold from a day on, until newer ones of the same kind do: plain functions without schemas. */

/** What tells which version a row belongs to. */
export interface Versioned {
  /** YYYY-MM-DD. */
  validFrom: string;
  /** `1` holds, `0` is out of use. */
  status: string;
}

/** Rows of the newest version that holds on a day: those in use whose date is the latest that is not after it. */
export function versionOn<Row extends Versioned>(day: string, rows: readonly Row[]): Row[] {
  const held = rows.filter(({ validFrom, status }) => status === "1" && validFrom <= day);
  const newest = held.reduce((latest, { validFrom }) => (validFrom > latest ? validFrom : latest), "");
  return held.filter(({ validFrom }) => validFrom === newest);
}

/**
 * Rows that hold on a day for a sale region: its own, or those for all regions where it has none of its own that hold.
 * @param region id of the sale region; empty for none
 */
export function regionVersionOn<Row extends Versioned & { saleRegion?: string | null }>(
  day: string,
  region: string,
  rows: readonly Row[],
): Row[] {
  const of = (wanted: string) =>
    versionOn(
      day,
      rows.filter(({ saleRegion }) => (saleRegion ?? "") === wanted),
    );
  const own = of(region);
  return own.length > 0 ? own : of("");
}
