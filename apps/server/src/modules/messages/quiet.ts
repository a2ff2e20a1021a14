const minuteMs = 60_000;

/** The end of a person's quiet time that covers a moment, ms since 1970; undefined outside of it. */
export function quietUntil(atMs: number, from: number, to: number): number | undefined {
  if (from === to) return undefined;
  const minute = Math.floor(atMs / minuteMs + 480) % 1440;
  const inside = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  return inside ? Math.floor(atMs / minuteMs) * minuteMs + ((to - minute + 1440) % 1440) * minuteMs : undefined;
}

/** The first moment at or after one at which a minute of the day in Asia/Shanghai begins, ms since 1970. */
export function nextMinuteOfDay(atMs: number, minute: number): number {
  const start = Math.ceil(atMs / minuteMs);
  const now = (start + 480) % 1440;
  return (start + ((minute - now + 1440) % 1440)) * minuteMs;
}
