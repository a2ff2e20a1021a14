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
