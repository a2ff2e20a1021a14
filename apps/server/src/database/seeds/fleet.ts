import type { DeviceKindId, PigstyType, UnitMode } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";
import { demoDevices, demoTokenPrefix } from "./demo.ts";
import { demoStock } from "./demo-stock.ts";
import { demoWeighbridges } from "./demo-weighbridges.ts";

/** A house for a controller that hangs in none, such as one that nobody has bound. */
const noHouse = {
  id: "none",
  pigstyType: "fattening",
  headCount: 400,
  ageDays: 110,
  weightGrams: 60_000,
  areaCm2: 3_000_000,
  volumeLitres: 840_000,
  mode: "normal",
} as const;

/** The demo devices as the simulator reads them (apps/simulator/src/fleet.ts). */
export async function demoFleet(db: Kysely<DB>) {
  const serialNumbers = [...demoDevices(), ...demoWeighbridges, ...demoStock].map(({ serialNumber }) => serialNumber);
  const rows = await db
    .selectFrom("devices as d")
    .leftJoin("farms as f", "f.id", "d.farmId")
    .leftJoin("units as u", "u.id", "d.unitId")
    .select([
      "d.serialNumber",
      "d.firmwareVersion",
      "d.tenantId",
      "u.id as unitId",
      "u.headCount",
      "u.averageWeightGrams",
      "u.areaSquareMeters",
      "u.volumeCubicMeters",
    ])
    .select([
      sql<number | null>`f.latitude / 1e6::float8`.as("latitude"),
      sql<number | null>`f.longitude / 1e6::float8`.as("longitude"),
      sql<DeviceKindId>`d.kind`.as("kind"),
      sql<boolean>`d.bound_at is not null`.as("isBound"),
      sql<PigstyType | null>`u.pigsty_type`.as("pigstyType"),
      sql<UnitMode | null>`u.mode`.as("mode"),
      // Water lines of a farm share its pigs evenly.
      sql<number>`coalesce((select sum(w.head_count) from units w join pig_houses h on h.id = w.house_id where h.farm_id = d.farm_id)
        / (select count(*) from devices o where o.farm_id = d.farm_id and o.kind = d.kind), 0)::int`.as("servedPigs"),
      sql<number | null>`u.batch_arrival_age_days + (current_date - u.batch_arrived_on)`.as("ageDays"),
    ])
    .where("d.serialNumber", "in", serialNumbers)
    .orderBy("d.sort")
    .execute();
  return {
    seed: 1,
    devices: rows.map((row) => ({
      token: `${demoTokenPrefix}${row.serialNumber}`,
      serialNumber: row.serialNumber,
      kind: row.kind,
      firmwareVersion: row.firmwareVersion,
      owner: row.tenantId,
      ...(row.latitude !== null && { latitude: row.latitude }),
      ...(row.longitude !== null && { longitude: row.longitude }),
      ...(!row.isBound && { fresh: true }),
      ...(row.kind === "disinfect" && row.servedPigs > 0 && { servedPigs: row.servedPigs }),
      ...(row.unitId === null && row.kind === "environment" && { unit: noHouse }),
      ...(row.unitId !== null && {
        unit: {
          id: row.unitId,
          pigstyType: row.pigstyType,
          headCount: row.headCount,
          ageDays: row.ageDays ?? 200,
          weightGrams: row.averageWeightGrams ?? 0,
          areaCm2: Math.round((row.areaSquareMeters ?? 300) * 10_000),
          volumeLitres: Math.round((row.volumeCubicMeters ?? 840) * 1000),
          mode: row.mode,
        },
      }),
    })),
  };
}
