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

interface RaisedRow {
  deviceId: string;
  ruleId: string;
  id: string;
  raisedMs: number;
  ended: boolean;
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

    /** When each rule first raised an alarm on a device since a moment of its own, the newest of them, and whether all are over. */
    async alarmsSince(scope: TenantScope, since: readonly { deviceId: string; atMs: number }[]): Promise<RaisedRow[]> {
      const { rows } = await sql<RaisedRow>`
        select a.device_id::text, a.rule_id, (array_agg(a.id order by a.raised_at desc))[1]::text as id,
               date_part('epoch', min(a.raised_at)) * 1000 as "raisedMs", bool_and(a.ended_at is not null) as ended
          from jsonb_to_recordset(${JSON.stringify(since)}::jsonb) as s("deviceId" bigint, "atMs" double precision)
          join alarms a on a.device_id = s."deviceId" and a.raised_at >= to_timestamp(s."atMs" / 1000)
         where ${inScope(scope, "a")}
         group by a.device_id, a.rule_id`.execute(db);
      return rows;
    },
  };
}
