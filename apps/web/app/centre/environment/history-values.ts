import type { HistoryPoint } from "./use-history.ts";

/** What the history shows, as chart and as table. */
export interface ChartSeries {
  inside: readonly HistoryPoint[];
  outside: readonly HistoryPoint[];
  gears: readonly HistoryPoint[];
}

/** The value that held at a moment: of the point next to it in time. */
export function valueNear(points: readonly HistoryPoint[], atMs: number): number | undefined {
  let best: HistoryPoint | undefined;
  for (const point of points) if (!best || Math.abs(point.atMs - atMs) < Math.abs(best.atMs - atMs)) best = point;
  return best?.value;
}
