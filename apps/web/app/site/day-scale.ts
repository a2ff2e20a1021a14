const hourMs = 3_600_000;

/**
 * A scale that holds all values, with three to five marks at round numbers.
 * @param values at least one
 * @returns the marks, ascending; the first and the last are the ends of the scale
 */
export function marksOf(values: readonly number[]): number[] {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(highest - lowest, Math.abs(highest) * 0.1, 1e-6);
  const rough = span / 3;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((one) => one * magnitude >= rough) ?? 10) * magnitude;
  const first = Math.floor(lowest / step);
  const last = Math.max(first + 1, Math.ceil(highest / step));
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** Hours without a value between two moments, those that follow each other as one: `[from, to]`. */
export function gapsOf(
  points: readonly (readonly [number, number])[],
  fromMs: number,
  endMs: number,
): [number, number][] {
  const there = new Set(points.map(([atMs]) => atMs));
  const gaps: [number, number][] = [];
  for (let atMs = fromMs; atMs < endMs; atMs += hourMs) {
    if (there.has(atMs)) continue;
    const last = gaps.at(-1);
    if (last && last[1] === atMs) last[1] = atMs + hourMs;
    else gaps.push([atMs, atMs + hourMs]);
  }
  return gaps;
}

/** Values as pieces of a line that breaks where an hour is missing. */
export function piecesOf(points: readonly (readonly [number, number])[]): (readonly [number, number])[][] {
  const pieces: (readonly [number, number])[][] = [];
  for (const point of points) {
    const piece = pieces.at(-1);
    const before = piece?.at(-1);
    if (piece && before && point[0] - before[0] === hourMs) piece.push(point);
    else pieces.push([point]);
  }
  return pieces;
}
