const hourMs = 3_600_000;

export interface Silence {
  /** Share of the hours of the span in which something was heard, 0 to 1; the running hour counts only where it was. */
  share: number;
  /** Longest stretch of whole hours without anything, ms. */
  lengthMs: number;
  fromMs: number;
}

/**
 * How long a device was silent at most, by the hour.
 * @param heardMs beginnings of hours in which it was heard, ascending
 */
export function longestSilence(heardMs: readonly number[], startMs: number, endMs: number): Silence {
  const first = Math.ceil(startMs / hourMs) * hourMs;
  const running = Math.floor(endMs / hourMs) * hourMs;
  const heard = new Set(heardMs);
  const hours = Array.from({ length: Math.max(0, (running - first) / hourMs) }, (_, at) => first + at * hourMs);
  const longest = { lengthMs: 0, fromMs: first };
  let sinceMs: number | undefined;
  for (const hour of [...hours, running]) {
    if (hour < running && !heard.has(hour)) {
      sinceMs ??= hour;
      continue;
    }
    if (sinceMs !== undefined && hour - sinceMs > longest.lengthMs) {
      longest.lengthMs = hour - sinceMs;
      longest.fromMs = sinceMs;
    }
    sinceMs = undefined;
  }
  const told = hours.filter((hour) => heard.has(hour)).length;
  const isRunning = heard.has(running) ? 1 : 0;
  const all = hours.length + isRunning;
  return { share: all === 0 ? 0 : (told + isRunning) / all, ...longest };
}
