import type { DriverEntry } from "@herdwise/contract";
import type { DatabaseHandle } from "../../resources/index.ts";
import { tradeSystem } from "./context.ts";
import { positionRepository } from "./position.repository.ts";
import { flagsOf, isTooFast } from "./route.ts";

/** A position that may be wrong by more says nothing, m. */
const mostAccuracyM = 2000;
const million = 1_000_000;

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
  const beside = await rows.beside(tradeSystem, of.transit, atMs);
  const rejected = position.accuracyM > mostAccuracyM || beside.some((other) => isTooFast(other, position));
  await rows.add(tradeSystem, of, { ...position, rejected });
  return !rejected;
}

/** Makes the flags of a vehicle anew from its positions: a phone that was offline fills what looked like a break. */
export async function renewFlags(db: DatabaseHandle, transit: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const rows = positionRepository(transaction);
    const vehicle = await rows.vehicle(tradeSystem, transit);
    if (vehicle === undefined) return;
    const [positions, farms] = [
      await rows.ofTransit(tradeSystem, transit),
      await rows.farms(tradeSystem, vehicle.field),
    ];
    await rows.putFlags(
      tradeSystem,
      { transit, tenantId: vehicle.tenantId },
      flagsOf({ ...vehicle, positions, farms }),
    );
  });
}
