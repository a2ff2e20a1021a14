import type { PigCategory, SaleCategory } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** The unit that an order is loaded from. */
export interface LoadedUnit {
  unit: string;
  unitName: string;
  /** Tenant of the unit. */
  tenantId: string;
  category: SaleCategory;
  headCount: number;
}

/** Heads that an order moved, by category; negative ones left the unit. */
export interface MovedHeads {
  category: PigCategory;
  heads: number;
}

export interface OrderMovement extends MovedHeads {
  id: string;
  kind: "sale" | "correction";
  /** Heads of the category that are there afterwards; null for a sale. */
  countedHeads: number | null;
  reason: string;
}

/** Heads of units that orders are loaded from. @param db a pool or an open transaction */
export const herdRepository = (db: Kysely<DB>) => ({
  /**
   * The unit that an order is loaded from; undefined where its plan names none.
   * @param lock holds the unit until the transaction ends
   */
  async unitOf(scope: SystemScope, order: string, lock = false): Promise<LoadedUnit | undefined> {
    requireSystemScope(scope);
    // By a statement of its own: one that waits for the lock would read what was before.
    if (lock)
      await sql`
        select from units u where u.id = (select p.unit from sale_orders o join sale_plans p on p.id = o.plan where o.id = ${order})
           for no key update`.execute(db);
    const { rows } = await sql<LoadedUnit>`
      select u.id::text as unit, u.name as "unitName", u.tenant_id as "tenantId", p.category, u.head_count as "headCount"
        from sale_orders o join sale_plans p on p.id = o.plan join units u on u.id = p.unit and u.tenant_id = p.tenant_id
       where o.id = ${order}`.execute(db);
    return rows[0];
  },

  /** Heads of a unit by category. */
  async categories(scope: SystemScope, unit: string): Promise<MovedHeads[]> {
    requireSystemScope(scope);
    const { rows } = await sql<MovedHeads>`
      select m.category, sum(m.heads)::int as heads from inventory_movements m where m.unit_id = ${unit} group by 1`.execute(
      db,
    );
    return rows;
  },

  /** What an order has moved so far, by category. */
  async movedBy(scope: SystemScope, order: string): Promise<MovedHeads[]> {
    requireSystemScope(scope);
    const { rows } = await sql<MovedHeads>`
      select m.category, sum(m.heads)::int as heads from inventory_movements m where m.sale_order = ${order}
       group by 1 order by min(m.id)`.execute(db);
    return rows;
  },

  /** Writes movements of an order down, now. Triggers bring the heads of the unit along. */
  async move(
    scope: SystemScope,
    { unit, tenantId }: LoadedUnit,
    of: { order: string; accountId: string | null; movements: readonly OrderMovement[] },
  ): Promise<void> {
    requireSystemScope(scope);
    for (const { id, kind, category, heads, countedHeads, reason } of of.movements)
      await sql`
        insert into inventory_movements (id, tenant_id, unit_id, kind, category, heads, counted_heads, reason, sale_order, happened_at, created_by)
        values (${id}, ${tenantId}, ${unit}, ${kind}, ${category}, ${heads}, ${countedHeads}::integer, ${reason}, ${of.order}, now(),
                ${of.accountId}::bigint)`.execute(db);
  },
});
