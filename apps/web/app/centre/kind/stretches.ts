const hourMs = 3_600_000;

interface Stretch {
  value: string;
  fromMs: number;
  toMs: number;
}

/** Equal words after each other are one stretch; a word holds until the next, and no longer than devices repeat what did not change. */
export function stretchesOf(points: readonly (readonly unknown[])[], endMs: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [index, [ts, value]] of points.entries()) {
    if (typeof ts !== "number" || (typeof value !== "string" && typeof value !== "boolean")) continue;
    const next = points[index + 1]?.[0];
    const toMs = Math.min(typeof next === "number" ? next : endMs, ts + 1.1 * hourMs, endMs);
    const last = stretches.at(-1);
    if (last && last.value === String(value) && ts - last.toMs < 1000) last.toMs = toMs;
    else stretches.push({ value: String(value), fromMs: ts, toMs });
  }
  return stretches;
}
