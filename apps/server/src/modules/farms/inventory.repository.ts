import type { Movement, MovementKind, PigCategory } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inRowScope, inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type List, type Order, type PageRange, readList, readRows } from "../../database/pages.ts";
import type { AccountScope, TenantScope } from "../../tenant-scope.ts";

/** A place whose movements are meant; none of them: all of the tenant. */
export interface InventoryPlace {
  farmId?: string | undefined;
  houseId?: string | undefined;
  unitId?: string | undefined;
}

export interface InventoryUnit {
  id: string;
  name: string;
  houseName: string;
  farmName: string;
  headCount: number;
  capacity: number;
  inUse: boolean;
  /** When the batch came, that a loss counts to it. */
  batchFrom: Date;
}

/** A movement to write down. */
export interface NewMovement {
  id: string;
  unitId: string;
  kind: MovementKind;
  category: PigCategory;
  heads: number;
  otherUnitId: string | null;
  otherMovementId: string | null;
  countedHeads: number | null;
  reason: string;
  happenedAt: Date;
}

export type MovementRow = Omit<Movement, "happenTime"> & { happenTime: Date };

/** @param db a pool or an open transaction */
export function inventoryRepository(db: Kysely<DB>) {
  const unitsFrom = sql`units u join pig_houses h on h.id = u.house_id join farms f on f.id = h.farm_id`;
  const reached = (scope: TenantScope): RawBuilder<SqlBool> =>
    sql<SqlBool>`${inScope(scope, "u")} and ${inRowScope(scope, "u")}`;
  const inPlace = ({ farmId, houseId, unitId }: InventoryPlace): RawBuilder<SqlBool> =>
    unitId
      ? sql<SqlBool>`u.id = ${unitId}`
      : houseId
        ? sql<SqlBool>`h.id = ${houseId}`
        : farmId
          ? sql<SqlBool>`f.id = ${farmId}`
          : sql<SqlBool>`true`;
  const ofKinds = (kinds: readonly string[]): RawBuilder<SqlBool> =>
    kinds.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`m.kind = any(${[...kinds]}::text[])`;

  const unitRows = async (scope: TenantScope, ids: readonly string[]): Promise<InventoryUnit[]> =>
    (
      await sql<InventoryUnit>`
        select u.id::text, u.name, h.name as house_name, f.name as farm_name, u.head_count, u.capacity,
               u.status = '1' and h.status = '1' and f.status = '1' as in_use,
               coalesce(u.batch_arrived_on::timestamp at time zone 'Asia/Shanghai', now() - interval '1 year') as batch_from
          from ${unitsFrom} where u.id = any(${[...ids]}::bigint[]) and ${reached(scope)} order by u.id`.execute(db)
    ).rows;

  /** Movements with the names of their places; the heads after each are those of its unit at that moment. */
  const movements = (scope: TenantScope, where: readonly RawBuilder<SqlBool>[], order: Order): List => ({
    table: sql`inventory_movements m`,
    found: sql`join ${unitsFrom} on u.id = m.unit_id`,
    where: [reached(scope), ...where],
    order,
    columns: sql`
      m.id::text, m.unit_id::text, u.name as unit_name, h.name as house_name, f.name as farm_name, m.kind, m.category,
      m.heads, coalesce(m.other_unit_id::text, '') as other_unit_id,
      coalesce((select o.name from units o where o.id = m.other_unit_id and ${inScope(scope, "o")}), '') as other_unit_name,
      m.counted_heads, m.reason, m.happened_at as happen_time,
      (select sum(e.heads)::int from inventory_movements e
        where e.unit_id = m.unit_id and (e.happened_at, e.id) <= (m.happened_at, m.id)) as heads_after,
      coalesce(nullif(a.real_name, ''), a.account, '') as actor_name`,
    key: "m.id",
    joins: sql`join ${unitsFrom} on u.id = m.unit_id left join accounts a on a.id = m.created_by`,
  });

  return {
    unit: async (scope: TenantScope, id: string): Promise<InventoryUnit | undefined> =>
      (await unitRows(scope, [id]))[0],

    /** Whether the scope reaches a place. */
    async reaches(scope: TenantScope, place: InventoryPlace): Promise<boolean> {
      const [table, id] = place.unitId
        ? (["units", place.unitId] as const)
        : place.houseId
          ? (["pig_houses", place.houseId] as const)
          : (["farms", place.farmId] as const);
      if (id === undefined) return true;
      const { rows } = await sql`
        select 1 from ${sql.table(table)} t where t.id = ${id} and ${inScope(scope, "t")} and ${inRowScope(scope, "t")}`.execute(
        db,
      );
      return rows.length > 0;
    },

    /** Units, held until the transaction ends, in the order of their ids: two transfers can't wait for each other. */
    async lockedUnits(scope: TenantScope, ids: readonly string[]): Promise<InventoryUnit[]> {
      await sql`select 1 from units u where u.id = any(${[...ids]}::bigint[]) and ${reached(scope)} order by u.id for no key update`.execute(
        db,
      );
      return unitRows(scope, ids);
    },

    /** Heads of a unit by category; those without any are left out. */
    async categories(scope: TenantScope, unitId: string): Promise<{ category: PigCategory; heads: number }[]> {
      const { rows } = await sql<{ category: PigCategory; heads: number }>`
        select m.category, sum(m.heads)::int as heads from inventory_movements m
         where m.unit_id = ${unitId} and ${inScope(scope, "m")} group by 1 having sum(m.heads) <> 0 order by 2 desc, 1`.execute(
        db,
      );
      return rows;
    },

    /** The fewest heads of a category that a unit has at any time, by its movements. */
    async fewest(scope: TenantScope, unitId: string, category: PigCategory): Promise<number> {
      const { rows } = await sql<{ fewest: number | null }>`
        select min(after)::int as fewest from (
          select sum(m.heads) over (order by m.happened_at, m.id) as after from inventory_movements m
           where m.unit_id = ${unitId} and m.category = ${category} and ${inScope(scope, "m")}) as running`.execute(db);
      return rows[0]?.fewest ?? 0;
    },

    /** Heads that died or were culled, and that came, since a moment. */
    async lossSince(scope: TenantScope, unitId: string, from: Date): Promise<{ lost: number; arrived: number }> {
      const { rows } = await sql<{ lost: number; arrived: number }>`
        select coalesce(-sum(m.heads) filter (where m.kind in ('death', 'cull')), 0)::int as lost,
               coalesce(sum(m.heads) filter (where m.kind in ('arrival', 'transfer') and m.heads > 0), 0)::int as arrived
          from inventory_movements m
         where m.unit_id = ${unitId} and m.happened_at >= ${from} and ${inScope(scope, "m")}`.execute(db);
      return rows[0] ?? { lost: 0, arrived: 0 };
    },

    /** Adds movements in the order given. Triggers bring the heads of their units along. */
    async add(scope: TenantScope, movements: readonly NewMovement[]): Promise<void> {
      await db
        .insertInto("inventoryMovements")
        .values(movements.map((movement) => ({ ...movement, tenantId: scope.tenantId, createdBy: scope.accountId })))
        .execute();
    },

    page(
      scope: TenantScope,
      place: InventoryPlace,
      kinds: readonly string[],
      request: PageRange,
    ): Promise<{ rows: MovementRow[]; total: number }> {
      const newest = ["happened_at", "id"].map((column) => ({ by: sql.ref(`m.${column}`), descending: true }));
      return readList(db, movements(scope, [inPlace(place), ofKinds(kinds)], newest), request);
    },

    /** Movements in the order in which they were written down, after one. */
    after: (scope: TenantScope, place: InventoryPlace, afterId: string, limit: number): Promise<MovementRow[]> =>
      readRows(db, movements(scope, [inPlace(place), sql<SqlBool>`m.id > ${afterId}`], [{ by: sql`m.id` }]), {
        offset: 0,
        limit,
      }),

    /** Heads of a place from a moment on: one point for each moment at which they changed. */
    async history(scope: TenantScope, place: InventoryPlace, from: Date, limit: number) {
      const { rows } = await sql<{ at: Date; heads: number }>`
        select moved.at, sum(sum(moved.heads)) over (order by moved.at)::int as heads from (
          select greatest(m.happened_at, ${from}::timestamptz) as at, m.heads
            from inventory_movements m join ${unitsFrom} on u.id = m.unit_id
           where ${reached(scope)} and ${inPlace(place)}) as moved
         group by moved.at order by moved.at desc limit ${limit}`.execute(db);
      return rows.toReversed();
    },

    /** The movement that the same submit made before. Of several at once the later wait for the first. */
    async claimKey({ accountId }: AccountScope, key: string, rowId: string): Promise<boolean> {
      const claimed = await db
        .insertInto("idempotencyKeys")
        .values({ accountId, key, rowId })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return (claimed.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
  };
}
export type InventoryRepository = ReturnType<typeof inventoryRepository>;
