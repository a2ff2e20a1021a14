import type { DeviceKindId, PigstyType, UnitMode } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";
import { demoDevices, demoTokenPrefix } from "./demo.ts";
import { demoWeighbridges } from "./demo-weighbridges.ts";

/** The demo devices as the simulator reads them (apps/simulator/src/fleet.ts). */
export async function demoFleet(db: Kysely<DB>) {
  const serialNumbers = [...demoDevices(), ...demoWeighbridges].map(({ serialNumber }) => serialNumber);
  const rows = await db
    .selectFrom("devices as d")
    .innerJoin("farms as f", "f.id", "d.farmId")
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
      sql<PigstyType | null>`u.pigsty_type`.as("pigstyType"),
      sql<UnitMode | null>`u.mode`.as("mode"),
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
