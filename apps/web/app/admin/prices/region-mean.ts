import { meanFen } from "@herdwise/contract/price-rules";
import type { DeskCell } from "./use-price-desk.ts";

/** What a region paid on the day and before it, and how far these are apart, in fen per kg. */
interface RegionMean {
  before: number | undefined;
  now: number | undefined;
  change: number | undefined;
}

/**
 * Means of a region's provinces for one breed. The change is of those that have both prices, so that what is not entered yet moves
 * nothing; the price before is then of the same provinces, or the three would contradict each other.
 */
export function regionMean(cells: readonly Pick<DeskCell, "shownFen" | "beforeFen">[]): RegionMean {
  const now = meanFen(cells.flatMap(({ shownFen }) => shownFen ?? []));
  const change = meanFen(
    cells.flatMap(({ shownFen, beforeFen }) =>
      shownFen === undefined || beforeFen === undefined ? [] : [shownFen - beforeFen],
    ),
  );
  const before =
    now === undefined || change === undefined
      ? meanFen(cells.flatMap(({ beforeFen }) => beforeFen ?? []))
      : now - change;
  return { before, now, change };
}
