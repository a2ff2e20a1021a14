import type { PlaceKind, StructureNode } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import {
  asksNow,
  deviceInReach,
  inReach,
  inRowScope,
  inScope,
  likeWord,
  placedInReach,
} from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** Kinds of places that people order and move; devices are bound and unbound instead. */
export type MovedKind = Exclude<PlaceKind, "device">;

/** The table of each kind of place, and the column of what it stands in. */
const tables = {
  farm: { table: sql.table("farms"), parent: undefined },
  house: { table: sql.table("pig_houses"), parent: sql.id("farm_id") },
  unit: { table: sql.table("units"), parent: sql.id("house_id") },
} as const;

/** Column of devices and alarms that names a place of each kind. */
const placeColumns = { farm: "farm_id", house: "house_id", unit: "unit_id" } as const;

/** The place whose level is read. */
interface Parent {
  kind: MovedKind;
  id: string;
}

/** What a query of places needs to know beside who asks. */
interface Wanted {
  where: RawBuilder<SqlBool>;
  /** The place whose level it is. */
  parent?: Parent;
  /** Few are looked for, wherever they are. */
  limit?: number;
}

/** A place that may be moved. */
export interface PlaceRow {
  id: string;
  name: string;
  parentId: string | null;
  version: number;
}

/** More in one level are cut off; no house has as many. */
const maxLevel = 20_000;
const maxFound = 50;

/** Number of open alarms, of those that ask, and severity of the worst. */
const ofAlarms = sql`count(*)::int as alarms, (count(*) filter (where ${asksNow("a")}))::int as asking, max(a.severity)::int as severity`;

/** @param db a pool or an open transaction */
export function structureRepository(db: Kysely<DB>) {
  const reached = (scope: TenantScope, alias: string): RawBuilder<SqlBool> =>
    sql<SqlBool>`${inScope(scope, alias)} and ${inRowScope(scope, alias)}`;

  /**
   * Open alarms and devices by the place that a column names, joined to `t`.
   * @param parent the place whose level is read: nothing outside of it is counted
   */
  const counted = (scope: TenantScope, kind: MovedKind, parent: Parent | undefined) => {
    const column = sql.id(placeColumns[kind]);
    const within = parent ? sql`and ${sql.id(placeColumns[parent.kind])} = ${parent.id}` : sql``;
    return sql`
      left join (select a.${column} as place, ${ofAlarms} from alarms a
                  where a.ended_at is null and not a.suppressed and not a.late and ${placedInReach(scope, "a")} ${within}
                  group by 1) al on al.place = t.id
      left join (select d.${column} as place, count(*)::int as devices from devices d
                  where ${deviceInReach(scope, "d")} ${within} group by 1) de on de.place = t.id`;
  };
  /** The same of few places, each looked up by itself: what a search finds is scattered over the tenant. */
  const countedEach = (scope: TenantScope, kind: MovedKind) => {
    const column = sql.id(placeColumns[kind]);
    return sql`
      left join lateral (select ${ofAlarms} from alarms a
                  where a.ended_at is null and not a.suppressed and not a.late and ${placedInReach(scope, "a")}
                    and a.${column} = t.id) al on true
      left join lateral (select count(*)::int as devices from devices d
                  where ${deviceInReach(scope, "d")} and d.${column} = t.id) de on true`;
  };
  /** The rows of a level, in their order. They are cut off before anything is joined to them: a word may be in the name of every unit. */
  const rowsOf = (scope: TenantScope, kind: MovedKind | "device", { where, limit = maxLevel }: Wanted) =>
    kind === "device"
      ? sql`(select t.* from devices t where t.farm_id is not null and ${deviceInReach(scope, "t")} and ${where}
              order by t.kind, t.sort, t.id limit ${limit}) t`
      : sql`(select t.* from ${tables[kind].table} t where ${reached(scope, "t")} and ${where}
              order by t.sort, t.id limit ${limit}) t`;
  const counts = sql`coalesce(al.alarms, 0) as alarms, coalesce(al.asking, 0) as asking, coalesce(al.severity, 0) as severity, coalesce(de.devices, 0) as devices`;
  const own = sql`t.id::text as id, t.code, t.name, t.version, t.status = '1' as in_use`;

  const farmNodes = (scope: TenantScope, wanted: Wanted) => sql`
    select 'farm' as kind, ${own}, '' as parent_id, t.id::text as farm_id, '' as house_id, '' as unit_id, t.type as farm_type,
           null as pigsty_type, null as mode, coalesce(s.heads, 0) as head_count, coalesce(s.capacity, 0) as capacity,
           coalesce(s.units, 0) as units, coalesce(c.houses, 0) + coalesce(l.loose, 0) as children, ${counts}
      from ${rowsOf(scope, "farm", wanted)}
      left join (select h.farm_id, sum(u.head_count)::int as heads, sum(u.capacity)::int as capacity, count(*)::int as units
                   from units u join pig_houses h on h.id = u.house_id where ${inReach(scope, "u")} group by 1) s on s.farm_id = t.id
      left join (select h.farm_id, count(*)::int as houses from pig_houses h where ${inReach(scope, "h")} group by 1) c
             on c.farm_id = t.id
      left join (select d.farm_id, count(*)::int as loose from devices d
                  where d.house_id is null and ${deviceInReach(scope, "d")} group by 1) l on l.farm_id = t.id
      ${wanted.limit === undefined ? counted(scope, "farm", wanted.parent) : countedEach(scope, "farm")}
     order by t.sort, t.id`;

  const houseNodes = (scope: TenantScope, wanted: Wanted) => sql`
    select 'house' as kind, ${own}, t.farm_id::text as parent_id, t.farm_id::text as farm_id, t.id::text as house_id,
           '' as unit_id, null as farm_type, t.pigsty_type, null as mode, coalesce(s.heads, 0) as head_count,
           coalesce(s.capacity, 0) as capacity, coalesce(s.units, 0) as units,
           coalesce(s.units, 0) + coalesce(l.loose, 0) as children, ${counts}
      from ${rowsOf(scope, "house", wanted)}
      left join (select u.house_id, sum(u.head_count)::int as heads, sum(u.capacity)::int as capacity, count(*)::int as units
                   from units u where ${inReach(scope, "u")} group by 1) s on s.house_id = t.id
      left join (select d.house_id, count(*)::int as loose from devices d
                  where d.unit_id is null and ${deviceInReach(scope, "d")} group by 1) l on l.house_id = t.id
      ${wanted.limit === undefined ? counted(scope, "house", wanted.parent) : countedEach(scope, "house")}
     order by t.sort, t.id`;

  const unitNodes = (scope: TenantScope, wanted: Wanted) => sql`
    select 'unit' as kind, ${own}, t.house_id::text as parent_id, ho.farm_id::text as farm_id, t.house_id::text as house_id,
           t.id::text as unit_id, null as farm_type, t.pigsty_type, t.mode, t.head_count, t.capacity, 0 as units,
           coalesce(de.devices, 0) as children, ${counts}
      from ${rowsOf(scope, "unit", wanted)} join pig_houses ho on ho.id = t.house_id
      ${wanted.limit === undefined ? counted(scope, "unit", wanted.parent) : countedEach(scope, "unit")}
     order by t.sort, t.id`;

  const deviceNodes = (scope: TenantScope, wanted: Wanted) => sql`
    select 'device' as kind, t.id::text as id, t.serial_number as code, t.name, 0 as version, true as in_use,
           coalesce(t.unit_id, t.house_id, t.farm_id)::text as parent_id, t.farm_id::text as farm_id,
           coalesce(t.house_id::text, '') as house_id, coalesce(t.unit_id::text, '') as unit_id,
           0 as head_count, 0 as capacity, 0 as units, 0 as children, 0 as devices,
           coalesce(al.alarms, 0) as alarms, coalesce(al.asking, 0) as asking, coalesce(al.severity, 0) as severity, t.kind as device_kind,
           device_status(t.blocked_at, t.activated_at, st.online_until, st.tells_fault or al.faulty) as device_status
      from ${rowsOf(scope, "device", wanted)}
      left join device_states st on st.device_id = t.id
      left join lateral (select ${ofAlarms}, bool_or(a.fault) as faulty from alarms a
                  where a.ended_at is null and not a.suppressed and not a.late and ${placedInReach(scope, "a")}
                    and a.device_id = t.id) al on true
     order by t.kind, t.sort, t.id`;

  const nodesOf = async (query: RawBuilder<unknown>): Promise<StructureNode[]> =>
    (await sql<Record<string, unknown>>`${query}`.execute(db)).rows.map(
      (row) =>
        Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as StructureNode,
    );

  return {
    farms: (scope: TenantScope) => nodesOf(farmNodes(scope, { where: sql<SqlBool>`true` })),
    /** Houses of a farm, then what serves the farm as a whole. */
    ofFarm: async (scope: TenantScope, farmId: string) =>
      (
        await Promise.all([
          nodesOf(
            houseNodes(scope, { where: sql<SqlBool>`t.farm_id = ${farmId}`, parent: { kind: "farm", id: farmId } }),
          ),
          nodesOf(deviceNodes(scope, { where: sql<SqlBool>`t.farm_id = ${farmId} and t.house_id is null` })),
        ])
      ).flat(),
    /** Units of a house, then what serves the house as a whole. */
    ofHouse: async (scope: TenantScope, houseId: string) =>
      (
        await Promise.all([
          nodesOf(
            unitNodes(scope, { where: sql<SqlBool>`t.house_id = ${houseId}`, parent: { kind: "house", id: houseId } }),
          ),
          nodesOf(deviceNodes(scope, { where: sql<SqlBool>`t.house_id = ${houseId} and t.unit_id is null` })),
        ])
      ).flat(),
    ofUnit: (scope: TenantScope, unitId: string) =>
      nodesOf(deviceNodes(scope, { where: sql<SqlBool>`t.unit_id = ${unitId}` })),

    /** Places and devices whose name or code holds a word, the upper levels first. */
    async search(scope: TenantScope, word: string): Promise<StructureNode[]> {
      const like = likeWord(word);
      const named = sql<SqlBool>`(t.name ilike ${like} or t.code ilike ${like})`;
      const numbered = sql<SqlBool>`(t.name ilike ${like} or t.serial_number ilike ${like})`;
      const levels = [
        (limit: number) => farmNodes(scope, { where: named, limit }),
        (limit: number) => houseNodes(scope, { where: named, limit }),
        (limit: number) => unitNodes(scope, { where: named, limit }),
        (limit: number) => deviceNodes(scope, { where: numbered, limit }),
      ];
      const found: StructureNode[] = [];
      for (const level of levels)
        if (found.length < maxFound) found.push(...(await nodesOf(level(maxFound - found.length))));
      return found;
    },

    /** Lets one move of a tenant happen at a time, until the transaction ends. */
    async begin(scope: TenantScope): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext(${`structure ${scope.tenantId}`}))`.execute(db);
    },

    async place(scope: TenantScope, kind: MovedKind, id: string): Promise<PlaceRow | undefined> {
      const { table, parent } = tables[kind];
      const { rows } = await sql<PlaceRow>`
        select t.id::text, t.name, t.version, ${parent ? sql`t.${parent}::text` : sql`null`} as parent_id from ${table} t
         where t.id = ${id} and ${reached(scope, "t")}`.execute(db);
      return rows[0];
    },

    /** Siblings in their order. @returns undefined when the scope does not reach what they stand in */
    async siblings(scope: TenantScope, kind: MovedKind, parentId: string | null): Promise<string[] | undefined> {
      const { table, parent } = tables[kind];
      if (parent !== undefined) {
        const above = kind === "house" ? tables.farm.table : tables.house.table;
        const { rows } = await sql`
          select 1 from ${above} t where t.id = ${parentId} and ${reached(scope, "t")} for key share`.execute(db);
        if (rows.length === 0) return undefined;
      }
      const { rows } = await sql<{ id: string }>`
        select t.id::text from ${table} t
         where ${inScope(scope, "t")} ${parent ? sql`and t.${parent} = ${parentId}` : sql``} order by t.sort, t.id`.execute(
        db,
      );
      return rows.map(({ id }) => id);
    },

    /** Holds places until the transaction ends, in the order of their ids, as movements hold units: neither waits for the other. */
    async hold(scope: TenantScope, kind: MovedKind, ids: readonly string[]): Promise<void> {
      await sql`select 1 from ${tables[kind].table} t where t.id = any(${[...ids]}::bigint[]) and ${inScope(scope, "t")}
                 order by t.id for no key update`.execute(db);
    },

    /** Puts a place into another one, both held. @returns false when it is not of that version any more */
    async put(scope: TenantScope, kind: MovedKind, { id, version }: PlaceRow, parentId: string): Promise<boolean> {
      const { table, parent } = tables[kind];
      if (parent === undefined) throw new Error("a farm stands in nothing");
      const { numAffectedRows } = await sql`
        update ${table} t set ${parent} = ${parentId}, version = t.version + 1, updated_by = ${scope.accountId}, updated_at = now()
         where t.id = ${id} and t.version = ${version} and ${reached(scope, "t")}`.execute(db);
      return (numAffectedRows ?? 0n) > 0n;
    },

    /** Gives siblings their places. An order is no change of a row: whoever edits one is not disturbed. */
    async setPlaces(scope: TenantScope, kind: MovedKind, ids: readonly string[]): Promise<void> {
      await sql`update ${tables[kind].table} t set sort = place.at - 1
                  from unnest(${[...ids]}::bigint[]) with ordinality as place(id, at)
                 where t.id = place.id and ${inScope(scope, "t")} and t.sort <> place.at - 1`.execute(db);
    },

    /** Heads that stand in each of these places. */
    async heads(scope: TenantScope, kind: MovedKind, ids: readonly string[]): Promise<Map<string, number>> {
      const place = { farm: sql`h.farm_id`, house: sql`u.house_id`, unit: sql`u.id` }[kind];
      const { rows } = await sql<{ id: string; heads: number }>`
        select ${place}::text as id, sum(u.head_count)::int as heads from units u join pig_houses h on h.id = u.house_id
         where ${place} = any(${[...ids]}::bigint[]) and ${inReach(scope, "u")}
         group by 1 having sum(u.head_count) > 0`.execute(db);
      return new Map(rows.map(({ id, heads }) => [id, heads]));
    },

    /** Where places stand, by their ids. */
    async standing(
      scope: TenantScope,
      kind: MovedKind,
      ids: readonly string[],
    ): Promise<{ id: string; farmId: string; houseId: string | null }[]> {
      const { table } = tables[kind];
      const [farm, house] = {
        farm: [sql`t.id`, sql`null`],
        house: [sql`t.farm_id`, sql`t.id`],
        unit: [sql`(select h.farm_id from pig_houses h where h.id = t.house_id)`, sql`t.house_id`],
      }[kind] as [RawBuilder<unknown>, RawBuilder<unknown>];
      const { rows } = await sql<{ id: string; farmId: string; houseId: string | null }>`
        select t.id::text, ${farm}::text as farm_id, ${house}::text as house_id from ${table} t
         where t.id = any(${[...ids]}::bigint[]) and ${inScope(scope, "t")}`.execute(db);
      return rows;
    },

    /** Devices that are bound to each of these places or below, and the first few by name. */
    async devices(
      scope: TenantScope,
      kind: MovedKind,
      ids: readonly string[],
    ): Promise<{ id: string; count: number; names: string[]; farmId: string }[]> {
      const column = sql.id(placeColumns[kind]);
      const { rows } = await sql<{ id: string; count: number; names: string[]; farmId: string }>`
        select d.${column}::text as id, count(*)::int as count, (array_agg(d.name order by d.sort, d.id))[1:5] as names,
               min(d.farm_id)::text as farm_id
          from devices d where d.${column} = any(${[...ids]}::bigint[]) and ${deviceInReach(scope, "d")} group by 1`.execute(
        db,
      );
      return rows;
    },

    /** Movements of heads that units have, as a transfer's other end too. */
    async movements(scope: TenantScope, ids: readonly string[]): Promise<Map<string, number>> {
      const { rows } = await sql<{ id: string; count: number }>`
        select u.id::text as id, count(*)::int as count from units u
          join inventory_movements m on m.unit_id = u.id or m.other_unit_id = u.id
         where u.id = any(${[...ids]}::bigint[]) and ${inReach(scope, "u")} group by 1`.execute(db);
      return new Map(rows.map(({ id, count }) => [id, count]));
    },
  };
}
export type StructureRepository = ReturnType<typeof structureRepository>;
