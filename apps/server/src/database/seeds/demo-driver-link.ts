import { type Kysely, sql } from "kysely";
import { driverSecret, driverTokenHash } from "../../modules/trade/index.ts";
import type { DB } from "../generated/database.ts";
import { groupTenantId } from "./foundation.ts";

/** An open link for the driver of one vehicle that waits for its certificates; an installation that has a link gets none. */
export async function seedDemoDriverLink(
  db: Kysely<DB>,
  { secretKey, nextId }: { secretKey: string; nextId: () => string },
): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    if ((await to.selectFrom("driverLinks").select("id").limit(1).execute()).length > 0) return;
    const vehicle = await to
      .selectFrom("transitRows as t")
      .select(["t.id", "t.tenantId"])
      .where("t.state", "in", ["planned", "ready"])
      .orderBy("t.state")
      .orderBy("t.day")
      .orderBy("t.id")
      .executeTakeFirst();
    const clerk = await to.selectFrom("accounts").select("id").where("account", "=", "zhaomin").executeTakeFirst();
    if (vehicle?.id == null || vehicle.tenantId == null || clerk === undefined) return;
    await seedWay(to);
    const id = nextId();
    await to
      .insertInto("driverLinks")
      .values({
        id,
        tenantId: vehicle.tenantId,
        transit: vehicle.id,
        tokenHash: driverTokenHash(driverSecret(secretKey, id)),
        expiresAt: sql<Date>`now() + interval '7 days'`,
        createdBy: clerk.id,
        createdTenant: groupTenantId,
      })
      .execute();
  });
}

/** Minutes after the departure, and degrees east and north of a farm of the demo; past it the vehicle stands, then the phone has no network. */
const way = [
  [2, -0.21, -0.12],
  [12, -0.13, -0.08],
  [22, -0.05, -0.03],
  [31, 0.004, 0.003],
  [38, 0.004, 0.0031],
  [45, 0.0041, 0.003],
  [51, 0.004, 0.003],
  [60, 0.07, 0.02],
  [98, 0.31, 0.09],
  [108, 0.38, 0.12],
] as const;

/** The way of a vehicle that left: past a farm that is not its own, with a stop and a break. */
async function seedWay(to: Kysely<DB>): Promise<void> {
  const farm = await to
    .selectFrom("farms")
    .select(["latitude", "longitude"])
    .where("latitude", "is not", null)
    .where("longitude", "is not", null)
    .orderBy("id")
    .executeTakeFirst();
  const vehicle = await to
    .selectFrom("transits")
    .select(["id", "tenantId", "departedAt"])
    .where("state", "in", ["departed", "arrived"])
    .where("departedAt", "is not", null)
    .orderBy("state", "desc")
    .orderBy("id")
    .executeTakeFirst();
  const { latitude, longitude } = farm ?? {};
  const departedMs = vehicle?.departedAt?.getTime();
  if (latitude == null || longitude == null || vehicle === undefined || departedMs === undefined) return;
  const positions = way
    .map(([minutes, east, north]) => ({
      transit: vehicle.id,
      tenantId: vehicle.tenantId,
      at: new Date(departedMs + minutes * 60_000),
      latitude: latitude + Math.round(north * 1_000_000),
      longitude: longitude + Math.round(east * 1_000_000),
      accuracyM: 15,
    }))
    .filter(({ at }) => at.getTime() < Date.now());
  if (positions.length > 0) await to.insertInto("transitPositions").values(positions).execute();
}
