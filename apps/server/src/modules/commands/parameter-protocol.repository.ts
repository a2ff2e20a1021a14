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
         where p.device_id = ${deviceId} and p.pushed_at is null and (p.expires_at is null or p.expires_at > now())
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

    /**
     * Compares what a device just reported with what is wanted. Numbers are equal by value. What expired stays so until somebody
     * sets the value again: nobody would read of it otherwise, because the device runs as it was wanted before.
     * @returns whether any of the keys is a setting
     */
    async reported(deviceId: string, keys: readonly string[]): Promise<boolean> {
      const { rows } = await sql`
        with settled as (
          update device_parameters p
             set reported_at = now(),
                 state = case
                   when p.state = 'expired' then p.state
                   when s.attributes -> p.key = d.shared_attributes -> p.key then 'applied'
                   when p.state in ('applied', 'drifted') then 'drifted'
                   when p.pushed_at is not null then 'refused'
                   else p.state end
            from devices d join device_states s on s.device_id = d.id
           where p.device_id = ${deviceId} and d.id = p.device_id and p.key = any(${[...keys]}::text[])
          returning p.change_id, p.state),
        told as (
          update device_parameter_changes c set outcome = settled.state, outcome_at = now()
            from settled
           where c.id = settled.change_id and c.outcome in ('pending', 'refused') and settled.state in ('applied', 'refused')
             and c.outcome <> settled.state)
        select 1 from settled limit 1`.execute(db);
      return rows.length > 0;
    },

    /** Withdraws what no connection took in time: what was wanted before is wanted again. @returns the devices */
    async expire(): Promise<string[]> {
      const { rows } = await sql<{ deviceId: string }>`
        with late as (
          select p.device_id, p.key, p.change_id, p.fallback as before
            from device_parameters p
            join devices d on d.id = p.device_id
           where p.state = 'pending' and p.pushed_at is null and p.expires_at <= now()
             for update of p, d skip locked),
        withdrawn as (
          update device_parameters p
             set state = 'expired', pushed_at = now()
            from late where p.device_id = late.device_id and p.key = late.key),
        told as (
          update device_parameter_changes c set outcome = 'expired', outcome_at = now()
            from late where c.id = late.change_id),
        by_device as (
          select device_id, array_agg(key) as keys,
                 coalesce(jsonb_object_agg(key, before) filter (where before is not null), '{}') as held
            from late group by device_id)
        update devices d set shared_attributes = (d.shared_attributes - b.keys) || b.held
          from by_device b where d.id = b.device_id
        returning d.id as device_id`.execute(db);
      return rows.map(({ deviceId }) => deviceId);
    },

    /** Which of the devices have settings that no connection took. */
    async waiting(deviceIds: readonly string[]): Promise<string[]> {
      if (deviceIds.length === 0) return [];
      const { rows } = await sql<{ deviceId: string }>`
        select distinct device_id from device_parameters
         where pushed_at is null and device_id in (select unnest(${[...deviceIds]}::bigint[]))`.execute(db);
      return rows.map(({ deviceId }) => deviceId);
    },
  };
}
export type ParameterProtocolRepository = ReturnType<typeof parameterProtocolRepository>;
