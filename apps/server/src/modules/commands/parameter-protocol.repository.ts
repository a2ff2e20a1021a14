import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** Settings on their way to devices. @param db a pool or an open transaction */
export function parameterProtocolRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /**
     * What no connection of a device has taken yet, with when each was changed. A setting that is wanted no more has no value.
     */
    async unsent(deviceId: string): Promise<{ key: string; value: unknown; isWanted: boolean; changedAt: string }[]> {
      const { rows } = await sql<{ key: string; value: unknown; isWanted: boolean; changedAt: string }>`
        select p.key, d.shared_attributes -> p.key as value, d.shared_attributes ? p.key as is_wanted,
               p.changed_at::text as changed_at
          from device_parameters p join devices d on d.id = p.device_id
         where p.device_id = ${deviceId} and p.pushed_at is null
         order by p.key`.execute(db);
      return rows;
    },

    /** Notes that a connection took them; what was changed since is still to be sent. */
    async sent(deviceId: string, of: readonly { key: string; changedAt: string }[]): Promise<void> {
      await sql`
        update device_parameters p set pushed_at = now()
          from unnest(${of.map(({ key }) => key)}::text[], ${of.map(({ changedAt }) => changedAt)}::timestamptz[]) as t (key, changed_at)
         where p.device_id = ${deviceId} and p.key = t.key and p.changed_at = t.changed_at`.execute(db);
    },

    /** Compares what a device just reported with what is wanted. Numbers are equal by value. */
    async reported(deviceId: string, keys: readonly string[]): Promise<void> {
      await sql`
        update device_parameters p
           set reported_at = now(),
               state = case
                 when s.attributes -> p.key = d.shared_attributes -> p.key then 'applied'
                 when p.state in ('applied', 'drifted') then 'drifted'
                 when p.pushed_at is not null then 'refused'
                 else p.state end
          from devices d join device_states s on s.device_id = d.id
         where p.device_id = ${deviceId} and d.id = p.device_id and p.key = any(${[...keys]}::text[])`.execute(db);
    },

    /** Which of the devices have settings that no connection took. */
    async waiting(deviceIds: readonly string[]): Promise<string[]> {
      if (deviceIds.length === 0) return [];
      const { rows } = await sql<{ deviceId: string }>`
        select distinct device_id from device_parameters
         where pushed_at is null and device_id = any(${[...deviceIds]}::bigint[])`.execute(db);
      return rows.map(({ deviceId }) => deviceId);
    },
  };
}
export type ParameterProtocolRepository = ReturnType<typeof parameterProtocolRepository>;
