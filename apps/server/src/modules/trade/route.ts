/** A vehicle that is faster was somewhere else, km/h. */
const mostKmPerHour = 200;
/** A vehicle that stays within this circle stands, m. */
const standingM = 250;
/** A stop that is longer is told, ms. */
const shortStopMs = 15 * 60_000;
/** A farm within this distance of a stop is near, m. */
const nearM = 1000;
/** A stretch without a position that is longer is told, ms. */
const shortGapMs = 30 * 60_000;

const million = 1_000_000;
const earthM = 6_371_000;
const radians = (micro: number): number => (micro / million / 180) * Math.PI;

/** A place in millionths of a degree. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Where a vehicle was at a time, and by how much that may be wrong. */
export interface Position extends Place {
  readonly atMs: number;
  readonly accuracyM: number;
}

/** Something on a vehicle's way that is to be looked at. */
export interface RouteFlag {
  readonly kind: "stop" | "gap" | "wash";
  readonly fromMs: number;
  readonly toMs: number;
  /** Where it was, or was last. */
  readonly place: Place | undefined;
  readonly farm?: string;
  readonly metres?: number;
}

/** Distance of two places, m. */
export function metresBetween(a: Place, b: Place): number {
  const [dLatitude, dLongitude] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)];
  const of =
    Math.sin(dLatitude / 2) ** 2 +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(dLongitude / 2) ** 2;
  return 2 * earthM * Math.asin(Math.min(1, Math.sqrt(of)));
}

/** Whether no vehicle comes from one position to the other; both may be wrong by their accuracy. */
export function isTooFast(a: Position, b: Position): boolean {
  const metres = metresBetween(a, b) - a.accuracyM - b.accuracyM;
  return metres > (Math.abs(b.atMs - a.atMs) / 3_600_000) * mostKmPerHour * 1000;
}

/** Stretches in which a vehicle stands, longer than is worth no word. */
function stopsOf(positions: readonly Position[]): { first: Position; last: Position }[] {
  const stops: { first: Position; last: Position }[] = [];
  for (let at = 0; at < positions.length; ) {
    const first = positions[at] as Position;
    let end = at;
    while (end + 1 < positions.length && metresBetween(first, positions[end + 1] as Position) <= standingM) end += 1;
    const last = positions[end] as Position;
    if (last.atMs - first.atMs > shortStopMs) stops.push({ first, last });
    at = end + 1;
  }
  return stops;
}

/** The nearest of the farms that are near a place. */
function farmNear(
  place: Place,
  farms: readonly (Place & { id: string })[],
): { farm: string; metres: number } | undefined {
  const [nearest] = farms
    .map(({ id, ...farm }) => ({ farm: id, metres: Math.round(metresBetween(place, farm)) }))
    .filter(({ metres }) => metres <= nearM)
    .sort((a, b) => a.metres - b.metres);
  return nearest;
}

/**
 * What is to be looked at on a vehicle's way.
 * @param way positions that count, oldest first; a vehicle that never told where it was has no gaps
 * @param way.farms farms other than the one where it loads
 */
export function flagsOf({
  positions,
  farms,
  departedMs,
  arrivedMs,
  washedUntilMs,
  nowMs,
}: {
  positions: readonly Position[];
  farms: readonly (Place & { id: string })[];
  departedMs: number | undefined;
  arrivedMs: number | undefined;
  washedUntilMs: number | undefined;
  nowMs: number;
}): RouteFlag[] {
  const endMs = arrivedMs ?? nowMs;
  const flags: RouteFlag[] = stopsOf(positions.filter(({ atMs }) => atMs <= endMs)).flatMap(({ first, last }) => {
    const near = farmNear(first, farms);
    return near ? [{ kind: "stop" as const, fromMs: first.atMs, toMs: last.atMs, place: first, ...near }] : [];
  });
  if (departedMs === undefined) return flags;
  if (washedUntilMs !== undefined && washedUntilMs <= departedMs)
    flags.push({ kind: "wash", fromMs: washedUntilMs, toMs: departedMs, place: undefined });
  if (positions.length > 0) {
    const onWay = positions.filter(({ atMs }) => atMs > departedMs && atMs < endMs);
    let before = { atMs: departedMs, place: positions.findLast(({ atMs }) => atMs <= departedMs) as Place | undefined };
    for (const next of [
      ...onWay.map((position) => ({ atMs: position.atMs, place: position as Place })),
      { atMs: endMs, place: undefined },
    ]) {
      if (next.atMs - before.atMs > shortGapMs)
        flags.push({ kind: "gap", fromMs: before.atMs, toMs: next.atMs, place: before.place });
      before = next;
    }
  }
  return flags.sort((a, b) => a.fromMs - b.fromMs);
}

/** The way of a vehicle as a line: each position with what was driven until there, m. */
export function wayOf(positions: readonly Position[]): { atMs: number; metres: number }[] {
  let metres = 0;
  return positions.map((position, at) => {
    const before = positions[at - 1];
    if (before) metres += metresBetween(before, position);
    return { atMs: position.atMs, metres: Math.round(metres) };
  });
}
