import { type Kysely, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

/** A vehicle's papers as the database has them, with its clock. */
export interface PapersRow {
  plate: string;
  heads: number;
  disinfectionNumber: string;
  disinfectionUntil: Date | null;
  quarantineNumber: string;
  quarantineHeads: number | null;
  quarantineEnds: Date | null;
  /** The database's clock when the row was read. */
  lookedAt: Date;
}

/** A vehicle of an order, as the order's page shows it. */
export interface VehicleOfOrder extends PapersRow {
  id: string;
  number: string;
  state: string;
  dried: boolean;
  departedAt: Date | null;
  arrivedAt: Date | null;
  destination: string;
}

/** Vehicles of orders. @param db a pool or an open transaction */
export function transitRepository(db: Kysely<DB>) {
  return {
    /** Heads of an order that no vehicle has; the caller holds the order. @param but a vehicle that does not count */
    async headsLeft(scope: SystemScope, order: string, but = "0"): Promise<number> {
      requireSystemScope(scope);
      const { rows } = await sql<{ left: number }>`
        select o.heads - coalesce((select sum(t.heads)::int from transits t
                                    where t."order" = o.id and t.state <> 'cancelled' and t.id <> ${but}), 0) as left
          from sale_orders o where o.id = ${order}`.execute(db);
      return rows[0]?.left ?? 0;
    },

    /** Where the pigs of an order are loaded. */
    async placeOf(scope: SystemScope, order: string): Promise<{ field: string; unit: string | null } | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{ field: string; unit: string | null }>`
        select p.field, p.unit from sale_orders o join sale_plans p on p.id = o.plan where o.id = ${order}`.execute(db);
      return rows[0];
    },

    /** Vehicles of an order that are not cancelled, in the order of their entry. */
    async ofOrder(scope: SystemScope | TenantScope, order: string): Promise<VehicleOfOrder[]> {
      const { rows } = await sql<VehicleOfOrder>`
        select t.id, t.number, t.state, t.plate, t.heads, t.disinfection_number as "disinfectionNumber", t.disinfection_until as "disinfectionUntil", t.dried,
               t.quarantine_number as "quarantineNumber", t.quarantine_heads as "quarantineHeads",
               t.quarantine_ends as "quarantineEnds", t.looked_at as "lookedAt", t.departed_at as "departedAt", t.arrived_at as "arrivedAt", t.destination
          from transit_rows t where t."order" = ${order} and t.state <> 'cancelled' and ${inScope(scope, "t")} order by t.id`.execute(
        db,
      );
      return rows;
    },
  };
}
