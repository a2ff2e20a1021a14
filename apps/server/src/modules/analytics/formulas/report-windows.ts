import type { AnalyticResult } from "@herdwise/contract";
import { figure, minuteMs, percent } from "./formula.ts";

/** Shortest time in which a report is due, ms: rarely used links send every five minutes. */
const shortestMs = 5 * minuteMs;

/**
 * How long a device may take for one report, ms. It counts as offline after three of them were missed.
 * @param offlineAfterS as its kind declares it
 */
export const reportWindowMs = (offlineAfterS: number): number =>
  Math.max(shortestMs, Math.floor((offlineAfterS * 1000) / 3 / minuteMs) * minuteMs);

/**
 * Reports that came ÷ reports that were due: of the windows of a span, those in which the device told anything. What was sent
 * late counts, because it is there.
 * @param fromMs since when the device is its present owner's, or the begin of the span
 */
export function reportCompleteness(received: number, fromMs: number, toMs: number, windowMs: number): AnalyticResult {
  const due = Math.floor(toMs / windowMs) - Math.ceil(fromMs / windowMs);
  return figure("report_completeness", received === 0 ? undefined : percent(Math.min(received, due), due), due);
}
