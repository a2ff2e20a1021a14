/** A value in time. */
export interface TimePoint {
  atMs: number;
  value: number;
}

/** A span in which nothing was heard of the device. */
export type Silence = readonly [fromMs: number, toMs: number];

/** A span of a line in which readings were rejected, or of which what is left is not reliable. */
export interface Doubt {
  fromMs: number;
  toMs: number;
  /** How many were rejected; absent where what is left is not reliable. */
  readings?: number;
}

/** Where a line breaks for its doubts: until the next value. Where a span has values beside the rejected ones, these are drawn. */
export const gapsOf = (points: readonly TimePoint[], doubts: readonly Doubt[]): Silence[] =>
  doubts
    .filter(({ fromMs, toMs }) => !points.some(({ atMs }) => atMs >= fromMs && (atMs < toMs || atMs === fromMs)))
    .map(({ fromMs }): Silence => {
      const next = points.find(({ atMs }) => atMs > fromMs);
      return [fromMs - 1, next?.atMs ?? Number.POSITIVE_INFINITY];
    });

/** The doubts at a moment, or as near to it as a pointer meets. */
export const doubtsAt = (doubts: readonly Doubt[], atMs: number, nearMs: number): Doubt[] =>
  doubts.filter(({ fromMs, toMs }) => atMs >= fromMs - nearMs && atMs <= toMs + nearMs);

/** Values that a line is drawn through; what lies outside of what can be measured is a doubt, and no axis follows it. */
export function drawnOf(
  points: readonly TimePoint[],
  doubts: readonly Doubt[],
  valid: readonly [low: number, high: number] | undefined,
): { points: readonly TimePoint[]; doubts: readonly Doubt[] } {
  if (valid === undefined) return { points, doubts };
  const [low, high] = valid;
  const isDrawn = ({ value }: TimePoint): boolean => value >= low && value <= high;
  const outside = points.filter((point) => !isDrawn(point));
  if (outside.length === 0) return { points, doubts };
  const more = outside.map(({ atMs }): Doubt => ({ fromMs: atMs, toMs: atMs }));
  return { points: points.filter(isDrawn), doubts: [...doubts, ...more].sort((a, b) => a.fromMs - b.fromMs) };
}

/**
 * The spans in which a device was silent. A value that does not change is not sent again, so that only the pause of everything
 * tells it.
 * @param heardMs when anything was heard, in any order
 * @param longestMs a longer pause is a silence
 */
export function silencesOf(heardMs: readonly number[], longestMs: number): Silence[] {
  const times = heardMs.toSorted((a, b) => a - b);
  return times.flatMap((atMs, index): Silence[] => {
    const before = times[index - 1];
    return before !== undefined && atMs - before > longestMs ? [[before, atMs]] : [];
  });
}

/** Points as a chart takes them: a value holds until a silence, no line crosses one, and the last value holds until `heardMs`. */
export function withGaps(
  points: readonly TimePoint[],
  silences: readonly Silence[],
  heardMs: number | undefined,
): [atMs: number, value: number | null][] {
  const rows = points.flatMap(({ atMs, value }, index): [number, number | null][] => {
    const next = points[index + 1];
    const silence = next && silences.find(([from, to]) => from >= atMs && to <= next.atMs);
    if (!silence) return [[atMs, value]];
    const [from] = silence;
    return [[atMs, value], ...(from > atMs ? [[from, value] as [number, number]] : []), [from + 1, null]];
  });
  const last = points.at(-1);
  if (last && heardMs !== undefined && heardMs > last.atMs) {
    const doubted = silences.find(([from, to]) => from >= last.atMs && to === Number.POSITIVE_INFINITY);
    rows.push([doubted ? Math.min(doubted[0], heardMs) : heardMs, last.value]);
  }
  return rows;
}

/** The value that held at a moment: the newest before it, unless the device fell silent since. */
export function valueAt(points: readonly TimePoint[], atMs: number, silences: readonly Silence[]): number | undefined {
  const held = points.findLast((point) => point.atMs <= atMs);
  if (!held) return undefined;
  return silences.some(([from, to]) => from >= held.atMs && from < atMs && atMs < to) ||
    silences.some(([from, to]) => from >= held.atMs && to <= atMs)
    ? undefined
    : held.value;
}

/**
 * How far each of some labels has to be moved so that none stands on another, and they stay in their order.
 * @param places middle of each label in px; undefined for one that is not drawn
 * @param height of a label, px
 * @returns px to move each, 0 where there is room
 */
export function spread(places: readonly (number | undefined)[], height: number): number[] {
  const order = places
    .flatMap((place, index) => (place === undefined ? [] : [{ index, place }]))
    .sort((a, b) => a.place - b.place || a.index - b.index);
  const moved = places.map(() => 0);
  let group: { from: number; middle: number; size: number } | undefined;
  const groups: (typeof group & object)[] = [];
  // Labels that meet are one block around their common middle, which may meet the block before it.
  for (const [at, { place }] of order.entries()) {
    group = { from: at, middle: place, size: 1 };
    let before = groups.at(-1);
    while (before && group.middle - before.middle < ((group.size + before.size) * height) / 2) {
      groups.pop();
      const size: number = before.size + group.size;
      group = { from: before.from, middle: (before.middle * before.size + group.middle * group.size) / size, size };
      before = groups.at(-1);
    }
    groups.push(group);
  }
  for (const { from, middle, size } of groups) {
    for (let at = 0; at < size; at++) {
      const label = order[from + at];
      if (label) moved[label.index] = middle + (at - (size - 1) / 2) * height - label.place;
    }
  }
  return moved;
}
