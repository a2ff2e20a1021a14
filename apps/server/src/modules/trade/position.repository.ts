import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** Where a vehicle was; degrees in millionths. */
export interface PositionRow {
  at: Date;
  latitude: number;
  longitude: number;
  accuracyM: number;
}

/** Positions of vehicles. @param db a pool or an open transaction */
export function positionRepository(db: Kysely<DB>) {
  return {
    /** The last one before a moment and the first one after it, of those that count. */
    async beside(scope: SystemScope, transit: string, at: Date): Promise<PositionRow[]> {
      requireSystemScope(scope);
      const columns = sql`at, latitude, longitude, accuracy_m as "accuracyM"`;
      const { rows } = await sql<PositionRow>`
        (select ${columns} from transit_positions where transit = ${transit} and not rejected and at < ${at} order by at desc limit 1)
        union all
        (select ${columns} from transit_positions where transit = ${transit} and not rejected and at > ${at} order by at limit 1)`.execute(
        db,
      );
      return rows;
    },

    /** Adds one; a second one of the same moment is the same one, sent again. */
    async add(
      scope: SystemScope,
      of: { transit: string; tenantId: string },
      { at, latitude, longitude, accuracyM, rejected }: PositionRow & { rejected: boolean },
    ): Promise<void> {
      requireSystemScope(scope);
      await sql`
        insert into transit_positions (transit, at, tenant_id, latitude, longitude, accuracy_m, rejected)
        values (${of.transit}, ${at}, ${of.tenantId}, ${latitude}, ${longitude}, ${accuracyM}, ${rejected}) on conflict do nothing`.execute(
        db,
      );
    },
  };
}
