import type { DeviceKindId } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export interface SimulatedDeviceRow {
  id: string;
  serialNumber: string;
  name: string;
  kind: DeviceKindId;
  farmName: string;
  unitId: string;
  unitName: string;
}

/** @param db a pool or an open transaction */
export function simulatorRepository(db: Kysely<DB>) {
  return {
    /** Where the devices of some serial numbers stand, in the order of farm, house, unit and device. */
    async devices(scope: TenantScope, serialNumbers: readonly string[]): Promise<SimulatedDeviceRow[]> {
      const { rows } = await sql<SimulatedDeviceRow>`
        select d.id::text as id, d.serial_number, d.name, d.kind, coalesce(f.name, '') as farm_name,
               coalesce(u.id::text, '') as unit_id, coalesce(concat_ws(' ', h.name, u.name), '') as unit_name
          from devices d
          left join farms f on f.id = d.farm_id
          left join pig_houses h on h.id = d.house_id
          left join units u on u.id = d.unit_id
         where d.serial_number = any(${[...serialNumbers]}::text[]) and ${inScope(scope, "d")}
         order by f.id, h.sort, u.sort, d.sort, d.id`.execute(db);
      return rows;
    },
  };
}
