import type { FarmType, PigstyType, UnitMode } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { deviceInReach, inReach, inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { SystemScope, TenantScope } from "../../tenant-scope.ts";

export interface FarmRow {
  id: string;
  code: string;
  name: string;
  type: FarmType;
  regionName: string;
  latitude: number | null;
  longitude: number | null;
}

export interface UnitRow {
  id: string;
  name: string;
  pigstyType: PigstyType;
  headCount: number;
  capacity: number;
  mode: UnitMode;
  modeEndsMs: number | null;
  ageDays: number | null;
  averageWeightGrams: number | null;
  areaSquareMeters: number | null;
  volumeCubicMeters: number | null;
  targetTemperature: number | null;
  farmId: string;
  farmName: string;
  houseId: string;
  houseName: string;
  housePigstyType: PigstyType;
}

/** A house in figures. */
export interface HouseRow {
  farmId: string;
  id: string;
  name: string;
  pigstyType: PigstyType;
  units: number;
  headCount: number;
}

/**
 * Every query carries the scope in its WHERE, so that a row of another tenant is as absent as one that never was.
 * @param db a pool or an open transaction
 */
export function farmRepository(db: Kysely<DB>) {
  const inUse = (scope: TenantScope) =>
    db
      .selectFrom("units as u")
      .innerJoin("pigHouses as h", "h.id", "u.houseId")
      .innerJoin("farms as f", "f.id", "h.farmId")
      .where(inReach(scope, "u"))
      .where("u.status", "=", "1")
      .where("h.status", "=", "1");
  const unitsOf = (scope: TenantScope) =>
    inUse(scope)
      .select([
        "u.id",
        "u.name",
        "u.headCount",
        "u.capacity",
        "u.averageWeightGrams",
        "u.areaSquareMeters",
        "u.volumeCubicMeters",
        "u.targetTemperature",
        "f.id as farmId",
        "f.name as farmName",
        "h.id as houseId",
        "h.name as houseName",
      ])
      .select([
        sql<PigstyType>`u.pigsty_type`.as("pigstyType"),
        sql<PigstyType>`h.pigsty_type`.as("housePigstyType"),
        sql<UnitMode>`u.mode`.as("mode"),
        sql<number | null>`floor(extract(epoch from u.mode_ends_at) * 1000)::float8`.as("modeEndsMs"),
        // The batch ages by days of the farm's calendar.
        sql<
          number | null
        >`u.batch_arrival_age_days + ((now() at time zone 'Asia/Shanghai')::date - u.batch_arrived_on)`.as("ageDays"),
      ])
      .orderBy("f.sort")
      .orderBy("f.id")
      .orderBy("h.sort")
      .orderBy("h.id")
      .orderBy("u.sort")
      .orderBy("u.id");

  return {
    farms: (scope: TenantScope): Promise<FarmRow[]> =>
      db
        .selectFrom("farms")
        .select(["id", "code", "name"])
        .select([
          sql<FarmType>`type`.as("type"),
          sql<number | null>`latitude / 1e6::float8`.as("latitude"),
          sql<number | null>`longitude / 1e6::float8`.as("longitude"),
          // Province, city and county, as far as the code goes.
          sql<string>`coalesce((select string_agg(r.name, ' ' order by r.code) from regions r
            where r.code = any(array[left(region_code, 2), left(region_code, 4), region_code])), '')`.as("regionName"),
        ])
        .where(inReach(scope, "farms"))
        .where("status", "=", "1")
        .orderBy("sort")
        .orderBy("id")
        .execute(),

    /** @param place a farm, a house or one unit; all of them without one */
    units: (
      scope: TenantScope,
      place: { farmId?: string; houseId?: string | null; unitId?: string } = {},
    ): Promise<UnitRow[]> =>
      unitsOf(scope)
        .$if(place.farmId !== undefined, (query) => query.where("f.id", "=", place.farmId ?? ""))
        .$if(typeof place.houseId === "string", (query) => query.where("h.id", "=", place.houseId ?? ""))
        .$if(place.unitId !== undefined, (query) => query.where("u.id", "=", place.unitId ?? ""))
        .execute(),

    /** Houses with units in use, in display order. */
    houses: (scope: TenantScope): Promise<HouseRow[]> =>
      inUse(scope)
        .select(["f.id as farmId", "h.id", "h.name"])
        .select([
          sql<PigstyType>`h.pigsty_type`.as("pigstyType"),
          sql<number>`count(*)::int`.as("units"),
          sql<number>`sum(u.head_count)::int`.as("headCount"),
        ])
        .groupBy(["f.id", "h.id"])
        .orderBy("f.sort")
        .orderBy("f.id")
        .orderBy("h.sort")
        .orderBy("h.id")
        .execute(),

    /** The units before and after one in its farm, "" at the ends. */
    async neighbours(
      scope: TenantScope,
      { id, farmId }: { id: string; farmId: string },
    ): Promise<{ previousUnitId: string; nextUnitId: string }> {
      const { rows } = await sql<{ previousUnitId: string; nextUnitId: string }>`
        select coalesce(n.previous::text, '') as previous_unit_id, coalesce(n.next::text, '') as next_unit_id
          from (select u.id, lag(u.id) over places as previous, lead(u.id) over places as next
                  from units u join pig_houses h on h.id = u.house_id
                 where h.farm_id = ${farmId} and u.status = '1' and h.status = '1' and ${inReach(scope, "u")}
                window places as (order by h.sort, h.id, u.sort, u.id)) n
         where n.id = ${id}`.execute(db);
      return rows[0] ?? { previousUnitId: "", nextUnitId: "" };
    },

    environmentDeviceId: async (scope: TenantScope, unitId: string): Promise<string | undefined> => {
      const row = await db
        .selectFrom("devices")
        .select("id")
        .where(deviceInReach(scope, "devices"))
        .where("unitId", "=", unitId)
        .where("kind", "=", "environment")
        .orderBy("id")
        .executeTakeFirst();
      return row?.id;
    },

    /** Farms and heads of all customers, for the public figures. */
    async totals(scope: SystemScope): Promise<{ farms: number; units: number; headCount: number }> {
      const row = await db
        .selectNoFrom([
          sql<number>`(select count(*)::int from farms where status = '1' and ${inScope(scope, "farms")})`.as("farms"),
          sql<number>`(select count(*)::int from units where status = '1' and ${inScope(scope, "units")})`.as("units"),
          sql<number>`(select coalesce(sum(head_count), 0)::int from units where ${inScope(scope, "units")})`.as(
            "headCount",
          ),
        ])
        .executeTakeFirstOrThrow();
      return row;
    },
  };
}
export type FarmRepository = ReturnType<typeof farmRepository>;
