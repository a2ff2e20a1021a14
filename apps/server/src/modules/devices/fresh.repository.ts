import type { DeviceKindId, DeviceStatus, PigstyType, Readings, UnitMode } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { deviceInReach, deviceStatus, placeName } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** A device that came lately. */
export interface FreshRow {
  deviceId: string;
  deviceName: string;
  serialNumber: string;
  kind: DeviceKindId;
  status: DeviceStatus;
  connected: boolean;
  came: "bound" | "registered";
  sinceMs: number;
  place: string;
  tenantId: string;
  farmId: string | null;
  houseId: string | null;
  unitId: string | null;
  unit: {
    pigstyType: PigstyType;
    mode: UnitMode;
    headCount: number;
    averageWeightGrams: number | null;
    targetTemperature: number | null;
  } | null;
  parameters: Record<string, unknown>;
  reportedAtMs: number | null;
  readings: Readings;
}

/** @param db a pool or an open transaction */
export function freshRepository(db: Kysely<DB>) {
  return {
    /** Devices that came since a time, or the one with an id, newest first, with the readings that came after them. */
    async list(scope: TenantScope, { since, id, limit }: { since: Date; id?: string | undefined; limit: number }) {
      const { rows } = await sql<FreshRow>`
        select f.*, case when f.reported_ms >= f.since_ms then f.reported_ms end as reported_at_ms,
               case when f.reported_ms >= f.since_ms then coalesce((
                 select jsonb_object_agg(r.key, r.value) from jsonb_each(f.told) r
                  where (r.value->>'ts')::float8 >= f.since_ms), '{}') else '{}' end as readings
          from (
            select d.id::text as device_id, d.name as device_name, d.serial_number, d.kind, d.tenant_id, d.farm_id::text as farm_id,
                   d.house_id::text as house_id, d.unit_id::text as unit_id, ${deviceStatus()} as status,
                   coalesce(s.connected, false) as connected,
                   case when d.bound_at is null then 'registered' else 'bound' end as came,
                   floor(extract(epoch from coalesce(d.bound_at, d.created_at)) * 1000)::float8 as since_ms,
                   concat_ws(' / ', ${placeName("farms", "d.farmId")}, ${placeName("pigHouses", "d.houseId")},
                                    ${placeName("units", "d.unitId")}) as place,
                   case when u.id is not null then jsonb_build_object('pigstyType', u.pigsty_type, 'mode', u.mode,
                        'headCount', u.head_count, 'averageWeightGrams', u.average_weight_grams,
                        'targetTemperature', u.target_temperature) end as unit,
                   d.shared_attributes as parameters, coalesce(n.readings, '{}') as told,
                   floor(extract(epoch from s.reported_at) * 1000)::float8 as reported_ms
              from devices d
              left join device_states s on s.device_id = d.id
              left join device_readings n on n.device_id = d.id
              left join units u on u.id = d.unit_id
             where ${deviceInReach(scope, "d")} and d.blocked_at is null
               and ${id === undefined ? sql`coalesce(d.bound_at, d.created_at) >= ${since}` : sql`d.id = ${id}`}
               -- Devices that came with a tenant's data were bound by nobody.
               and (d.bound_at is null or exists (select from device_bindings b
                     where b.device_id = d.id and b.unbound_at is null and b.bound_by is not null))
             order by coalesce(d.bound_at, d.created_at) desc, d.id desc limit ${limit}) f`.execute(db);
      return rows;
    },
  };
}
export type FreshRepository = ReturnType<typeof freshRepository>;
