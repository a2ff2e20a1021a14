import { type Kysely, sql } from "kysely";
import { inReach } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

/** Devices that no customer has bound. */
const unbound = sql`(d.bound_at is null and d.blocked_at is null)`;
/** Wrong secrets that one offer of a device survives. */
const triesPerOffer = 5;

/** What devices offer to be claimed. @param db a pool or an open transaction */
export function claimOfferRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** Takes the place of what the device offered before; nothing happens for a device that is bound. */
    async offer(deviceId: string, secretHash: Buffer, durationMs: number): Promise<void> {
      await sql`
        insert into device_claims (device_id, secret_hash, expires_at)
        select d.id, ${secretHash}, now() + ${durationMs} * interval '1 millisecond'
          from devices d where d.id = ${deviceId} and ${unbound}
        on conflict (device_id) do update set secret_hash = excluded.secret_hash, expires_at = excluded.expires_at, tries = 0`.execute(
        db,
      );
    },

    /** Spends one try. @returns what the device offers; undefined when it offers nothing, or the tries are spent */
    async attempt(serialNumber: string): Promise<{ deviceId: string; name: string; secretHash: Buffer } | undefined> {
      const { rows } = await sql<{ deviceId: string; name: string; secretHash: Buffer }>`
        update device_claims c set tries = c.tries + 1
          from devices d
         where d.id = c.device_id and d.serial_number = ${serialNumber} and ${unbound}
           and c.expires_at > now() and c.tries < ${triesPerOffer}
        returning c.device_id, d.name, c.secret_hash`.execute(db);
      return rows[0];
    },
  };
}
export type ClaimOfferRepository = ReturnType<typeof claimOfferRepository>;

/** Where a device is put. */
export interface DevicePlace {
  farmId: string;
  houseId: string | undefined;
  unitId: string | undefined;
}

/** @param db a pool or an open transaction */
export function claimRepository(db: Kysely<DB>) {
  return {
    /** Whether the place is one of the scope's own, and its parts lie in each other. */
    async holdsPlace(scope: TenantScope, { farmId, houseId, unitId }: DevicePlace): Promise<boolean> {
      const { rows } = await sql`
        select from farms f
         where f.id = ${farmId} and ${inReach(scope, "f")} and f.tenant_id = ${scope.tenantId}
           and (${houseId ?? null}::bigint is null
                or exists (select from pig_houses h where h.id = ${houseId ?? null} and h.farm_id = f.id))
           and (${unitId ?? null}::bigint is null
                or exists (select from units u where u.id = ${unitId ?? null} and u.house_id = ${houseId ?? null}))`.execute(
        db,
      );
      return rows.length > 0;
    },
  };
}
export type ClaimRepository = ReturnType<typeof claimRepository>;
