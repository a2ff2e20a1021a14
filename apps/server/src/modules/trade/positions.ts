import type { DriverEntry } from "@herdwise/contract";
import type { DatabaseHandle } from "../../resources/index.ts";
import { tradeSystem } from "./context.ts";
import { positionRepository } from "./position.repository.ts";

/** A vehicle that is faster was somewhere else, km/h. */
const mostKmPerHour = 200;
/** A position that may be wrong by more says nothing, m. */
const mostAccuracyM = 2000;

const million = 1_000_000;
const earthM = 6_371_000;
const radians = (micro: number): number => (micro / million / 180) * Math.PI;

interface Place {
  /** Millionths of a degree. */
  latitude: number;
  longitude: number;
}

/** Distance of two places, m. */
function metresBetween(a: Place, b: Place): number {
  const [dLatitude, dLongitude] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)];
  const of =
    Math.sin(dLatitude / 2) ** 2 +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(dLongitude / 2) ** 2;
  return 2 * earthM * Math.asin(Math.min(1, Math.sqrt(of)));
}

/** Whether no vehicle comes from one position to the other; both may be wrong by their accuracy. */
function isTooFast(
  a: Place & { atMs: number; accuracyM: number },
  b: Place & { atMs: number; accuracyM: number },
): boolean {
  const metres = metresBetween(a, b) - a.accuracyM - b.accuracyM;
  return metres > (Math.abs(b.atMs - a.atMs) / 3_600_000) * mostKmPerHour * 1000;
}

/**
 * Keeps where a vehicle was. What can't be is kept as rejected, so that it is counted once.
 * @returns whether it counts
 */
export async function keepPosition(
  db: DatabaseHandle,
  of: { transit: string; tenantId: string },
  atMs: number,
  { latitude, longitude, accuracyM }: NonNullable<DriverEntry["position"]>,
): Promise<boolean> {
  const rows = positionRepository(db);
  const position = {
    atMs,
    latitude: Math.round(latitude * million),
    longitude: Math.round(longitude * million),
    accuracyM: Math.round(accuracyM),
  };
  const beside = await rows.beside(tradeSystem, of.transit, new Date(atMs));
  const rejected =
    position.accuracyM > mostAccuracyM ||
    beside.some((other) => isTooFast({ ...other, atMs: other.at.getTime() }, position));
  await rows.add(tradeSystem, of, { ...position, at: new Date(atMs), rejected });
  return !rejected;
}
