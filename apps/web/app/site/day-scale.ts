const hourMs = 3_600_000;

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
