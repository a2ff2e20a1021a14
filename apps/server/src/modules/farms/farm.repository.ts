import type { FarmType, PigstyType, UnitMode } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";

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

type DbHandle = Kysely<DB>;

/**
 * Every query carries the tenant in its WHERE, so that a row of another tenant is as absent as one that never was.
 * @param db a pool or an open transaction
 */
export function farmRepository(db: DbHandle) {
  const unitsOf = (tenantId: string) =>
    db
      .selectFrom("units as u")
      .innerJoin("pigHouses as h", "h.id", "u.houseId")
      .innerJoin("farms as f", "f.id", "h.farmId")
      .where("u.tenantId", "=", tenantId)
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
    farms: (tenantId: string): Promise<FarmRow[]> =>
      db
        .selectFrom("farms")
        .select(["id", "code", "name", "regionName", "latitude", "longitude"])
        .select(sql<FarmType>`type`.as("type"))
        .where("tenantId", "=", tenantId)
        .where("status", "=", 1)
        .orderBy("sort")
        .orderBy("id")
        .execute(),

    units: (tenantId: string): Promise<UnitRow[]> => unitsOf(tenantId).execute(),

    unit: (tenantId: string, id: string): Promise<UnitRow | undefined> =>
      unitsOf(tenantId).where("u.id", "=", id).executeTakeFirst(),

    environmentDeviceId: async (tenantId: string, unitId: string): Promise<string | undefined> => {
      const row = await db
        .selectFrom("devices")
        .select("id")
        .where("tenantId", "=", tenantId)
        .where("unitId", "=", unitId)
        .where("kind", "=", "environment")
        .orderBy("id")
        .executeTakeFirst();
      return row?.id;
    },

    /** Farms and heads of all customers, for the public figures. */
    async totals(): Promise<{ farms: number; units: number; headCount: number }> {
      const row = await db
        .selectNoFrom([
          sql<number>`(select count(*)::int from farms where status = 1)`.as("farms"),
          sql<number>`(select count(*)::int from units)`.as("units"),
          sql<number>`(select coalesce(sum(head_count), 0)::int from units)`.as("headCount"),
        ])
        .executeTakeFirstOrThrow();
      return row;
    },
  };
}
export type FarmRepository = ReturnType<typeof farmRepository>;
