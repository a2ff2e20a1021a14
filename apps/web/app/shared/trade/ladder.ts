import type { BandRow } from "@herdwise/contract";

/** A step of a ladder: a band, weights that no band has, or weights that two of them have. */
type Step<Row> =
  | { readonly kind: "band"; readonly row: Row }
  | { readonly kind: "gap" | "overlap"; readonly fromGrams: number; readonly toGrams: number };

/**
 * Bands as a ladder, with what lies between them where they do not meet.
 * @param bands lightest first
 */
export function ladderOf<Row extends BandRow>(bands: readonly Row[]): Step<Row>[] {
  return bands.flatMap((row, at): Step<Row>[] => {
    const before = bands[at - 1];
    const apart = before === undefined ? 0 : row.fromGrams - before.toGrams;
    if (before === undefined || apart === 0) return [{ kind: "band", row }];
    return [
      apart > 0
        ? { kind: "gap", fromGrams: before.toGrams, toGrams: row.fromGrams }
        : { kind: "overlap", fromGrams: row.fromGrams, toGrams: Math.min(before.toGrams, row.toGrams) },
      { kind: "band", row },
    ];
  });
}
