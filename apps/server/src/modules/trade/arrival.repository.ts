import { type Kysely, sql } from "kysely";
import { inOneTenant } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

/** A vehicle whose weight at arrival is reported. */
export interface ArrivingVehicle {
  order: string;
  plate: string;
  state: string;
  /** Net weights of its confirmed weighings at loading, g. */
  loadingGrams: number[];
  reported: boolean;
}

/** Weights at arrival. @param db a pool or an open transaction */
export function arrivalRepository(db: Kysely<DB>) {
  return {
    /** The order of a vehicle. */
    async orderOf(scope: SystemScope, transit: string): Promise<string | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{ order: string }>`
        select t."order" from transits t where t.id = ${transit}`.execute(db);
      return rows[0]?.order;
    },

    /** A vehicle with its weights at loading; the caller holds its order. */
    async vehicle(scope: SystemScope, transit: string): Promise<ArrivingVehicle | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<ArrivingVehicle>`
        select t."order", t.plate, t.state,
               coalesce((select array_agg(w.gross_grams - w.tare_grams) from weighings w
                          where w."order" = t."order" and w.plate = t.plate and w.state = 'confirmed'), '{}') as "loadingGrams",
               exists (select from arrival_weighings a where a.transit = t.id and a.state <> 'withdrawn') as reported
          from transits t where t.id = ${transit}`.execute(db);
      return rows[0];
    },

    /** Whether somebody of the tenant uploaded a shared picture of that name. */
    async hasPhoto(scope: TenantScope, name: string): Promise<boolean> {
      const { rows } = await sql`
        select from attachments a where a.name = ${name} and a.state = 'kept' and a.visibility = 'shared'
           and a.extension in ('jpg', 'png') and ${inOneTenant(scope, "a")}`.execute(db);
      return rows.length > 0;
    },

    /** Whether the weight of a vehicle at arrival was reported, by order and plate. */
    async isReported(scope: SystemScope, order: string, plate: string): Promise<boolean> {
      requireSystemScope(scope);
      const { rows } = await sql`
        select from arrival_weighings a where a."order" = ${order} and a.plate = ${plate} and a.state <> 'withdrawn' limit 1`.execute(
        db,
      );
      return rows.length > 0;
    },

    /** Plate of a vehicle whose weight at arrival is disputed. */
    async disputed(scope: SystemScope, order: string): Promise<string | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{ plate: string }>`
        select a.plate from arrival_weighings a where a."order" = ${order} and a.state = 'disputed' order by a.id limit 1`.execute(
        db,
      );
      return rows[0]?.plate;
    },

    /** Plate of a vehicle whose weight at arrival came to count after a settlement was computed. */
    async takenSince(scope: SystemScope, settlement: string): Promise<string | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{ plate: string }>`
        select a.plate from settlements s join arrival_weighings a on a."order" = s."order" and a.state = 'taken' and a.state_at > s.created_at
         where s.id = ${settlement} order by a.id limit 1`.execute(db);
      return rows[0]?.plate;
    },
  };
}
