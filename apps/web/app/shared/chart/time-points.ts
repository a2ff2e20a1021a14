/** A value in time. */
export interface TimePoint {
  atMs: number;
  value: number;
}

/** A span in which nothing was heard of the device. */
export type Silence = readonly [fromMs: number, toMs: number];

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
  if (last && heardMs !== undefined && heardMs > last.atMs) rows.push([heardMs, last.value]);
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
