import type { ParameterOutcome, ParameterState, UnitMode } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { deviceInReach, inReach, inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readQuery } from "../../database/pages.ts";
import { accountOf, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

export interface ParameterChange {
  id: string;
  key: string;
  before: unknown;
  /** undefined: nothing is wanted any more. */
  after: unknown;
}

export interface ParameterRow {
  key: string;
  desired: unknown;
  reported: unknown;
  state: ParameterState;
  changeTime: Date;
  pushTime: Date | null;
  reportTime: Date | null;
  expireTime: Date | null;
  missed: unknown;
  actorName: string;
}

/** Settings of one device with how many are not as they are wanted. */
export interface ParameterValues {
  deviceId: string;
  desired: Record<string, unknown>;
  reported: Record<string, unknown>;
  pending: number;
  refused: number;
  drifted: number;
  expired: number;
}

/** What became of a unit's mode. */
export interface ModeChange {
  id: string;
  tenantId: string;
  name: string;
  before: UnitMode;
  after: UnitMode;
}

/** Who changes settings: a person, or nobody when the clock ends a mode. */

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** What people want devices to run with. @param db a pool or an open transaction */
export function parameterRepository(db: Kysely<DB>) {
  const changesOf = (scope: TenantScope, deviceId: string) =>
    db
      .selectFrom("deviceParameterChanges as p")
      .innerJoin("devices as d", "d.id", "p.deviceId")
      .where(deviceInReach(scope, "d"))
      .where(inScope(scope, "p"))
      .where("p.deviceId", "=", deviceId);

  return {
    /** What is wanted of a device now; its row is held until the transaction ends, so that two changes don't cross. */
    async desired(scope: TenantScope | SystemScope, deviceId: string): Promise<Record<string, unknown> | undefined> {
      const row = await db
        .selectFrom("devices as d")
        .select(sql<Record<string, unknown>>`d.shared_attributes`.as("desired"))
        .where("d.id", "=", deviceId)
        .where(deviceInReach(scope, "d"))
        .forUpdate()
        .executeTakeFirst();
      return row?.desired;
    },

    /** Keys of settings that the device did not follow, or not in time. */
    async unfollowed(scope: TenantScope | SystemScope, deviceId: string): Promise<string[]> {
      const { rows } = await sql<{ key: string }>`
        select p.key from device_parameters p join devices d on d.id = p.device_id
         where p.device_id = ${deviceId} and ${deviceInReach(scope, "d")} and p.state in ('refused', 'drifted', 'expired')`.execute(
        db,
      );
      return rows.map(({ key }) => key);
    },

    /**
     * Sets and takes back what is wanted, and writes down who did. What the device reports already counts as applied.
     * @param expiresInS how long a connection of the device is waited for; undefined waits without an end
     */
    async change(
      scope: TenantScope | SystemScope,
      deviceId: string,
      changes: readonly ParameterChange[],
      expiresInS: number | undefined,
    ): Promise<void> {
      const set = Object.fromEntries(changes.flatMap(({ key, after }) => (after === undefined ? [] : [[key, after]])));
      const keys = changes.map(({ key }) => key);
      await sql`update devices d set shared_attributes = (d.shared_attributes - ${keys}::text[]) || ${JSON.stringify(set)}::jsonb
         where d.id = ${deviceId} and ${deviceInReach(scope, "d")}`.execute(db);
      await sql`
        update device_parameter_changes c set outcome = 'replaced', outcome_at = now()
          from device_parameters p
          join devices d on d.id = p.device_id
         where c.id = p.change_id and c.outcome = 'pending' and p.device_id = ${deviceId} and p.key = any(${keys}::text[])
           and ${deviceInReach(scope, "d")}`.execute(db);
      await sql`
        insert into device_parameters as held (device_id, key, state, changed_at, expires_at, change_id, fallback)
        select d.id, k.key,
               case when s.attributes -> k.key = d.shared_attributes -> k.key then 'applied' else 'pending' end, now(),
               now() + make_interval(secs => ${expiresInS ?? null}), k.change_id, k.before::jsonb
          from devices d left join device_states s on s.device_id = d.id
         cross join unnest(${keys}::text[], ${changes.map(({ id }) => id)}::bigint[],
                           ${changes.map(({ before }) => json(before))}::text[]) as k (key, change_id, before)
         where d.id = ${deviceId} and ${deviceInReach(scope, "d")}
        on conflict (device_id, key) do update set
          state = excluded.state, changed_at = excluded.changed_at, pushed_at = null, expires_at = excluded.expires_at,
          change_id = excluded.change_id,
          fallback = case when held.state = 'pending' and held.pushed_at is null then held.fallback else excluded.fallback end`.execute(
        db,
      );
      await sql`
        insert into device_parameter_changes (id, tenant_id, device_id, key, before, after, created_by, actor_name, outcome, outcome_at)
        select c.id, d.tenant_id, d.id, c.key, c.before::jsonb, c.after::jsonb, ${accountOf(scope)}::bigint,
               coalesce((select coalesce(nullif(a.real_name, ''), a.account) from accounts a where a.id = ${accountOf(scope)}::bigint), ''),
               p.state, case when p.state = 'applied' then now() end
          from devices d
          join device_parameters p on p.device_id = d.id
         cross join unnest(${changes.map(({ id }) => id)}::bigint[], ${keys}::text[],
                           ${changes.map(({ before }) => json(before))}::text[],
                           ${changes.map(({ after }) => json(after))}::text[]) as c (id, key, before, after)
         where d.id = ${deviceId} and p.key = c.key and ${deviceInReach(scope, "d")}`.execute(db);
    },

    async status(scope: TenantScope, deviceId: string): Promise<ParameterRow[]> {
      const { rows } = await sql<ParameterRow>`
        select p.key, d.shared_attributes -> p.key as desired, s.attributes -> p.key as reported, p.state,
               p.changed_at as change_time, p.pushed_at as push_time, p.reported_at as report_time, p.expires_at as expire_time,
               case when p.state = 'expired' then c.after end as missed, coalesce(c.actor_name, '') as actor_name
          from device_parameters p
          join devices d on d.id = p.device_id
          left join device_states s on s.device_id = d.id
          left join device_parameter_changes c on c.id = p.change_id
         where p.device_id = ${deviceId} and ${deviceInReach(scope, "d")} and (d.shared_attributes ? p.key or p.state = 'expired')
         order by p.key`.execute(db);
      return rows;
    },

    /** Of devices that the scope reaches. */
    async values(scope: TenantScope, deviceIds: readonly string[]): Promise<ParameterValues[]> {
      const { rows } = await sql<ParameterValues>`
        select d.id as device_id, d.shared_attributes as desired, coalesce(s.attributes, '{}') as reported,
               count(*) filter (where p.state = 'pending' and d.shared_attributes ? p.key)::int as pending,
               count(*) filter (where p.state = 'refused')::int as refused,
               count(*) filter (where p.state = 'drifted')::int as drifted,
               count(*) filter (where p.state = 'expired')::int as expired
          from devices d
          left join device_states s on s.device_id = d.id
          left join device_parameters p on p.device_id = d.id
         where d.id = any(${[...deviceIds]}::bigint[]) and ${deviceInReach(scope, "d")}
         group by d.id, d.shared_attributes, s.attributes`.execute(db);
      return rows;
    },

    history: (scope: TenantScope, deviceId: string, request: PageRange) =>
      readQuery(
        changesOf(scope, deviceId)
          .select(["p.id", "p.key", "p.actorName", "p.createdAt as createTime", "p.outcomeAt as outcomeTime"])
          .select(sql<ParameterOutcome>`coalesce(p.outcome, '')`.as("outcome"))
          .select([sql<unknown>`p.before`.as("before"), sql<unknown>`p.after`.as("after")]),
        [{ by: sql`p.id`, descending: true }],
        request,
      ),

    /**
     * @param endsInS when washing ends by itself
     * @returns the mode before, when it ends, and the unit's name; undefined when the scope does not reach it
     */
    async setUnitMode(
      scope: TenantScope,
      unitId: string,
      mode: UnitMode,
      endsInS: number | undefined,
    ): Promise<{ before: UnitMode; name: string; endsMs: number | null } | undefined> {
      const { rows } = await sql<{ before: UnitMode; name: string; endsMs: number | null }>`
        with held as (select u.id, u.mode, u.name from units u where u.id = ${unitId} and ${inReach(scope, "u")} for update)
        update units u
           set mode = ${mode}, updated_at = now(), mode_ends_at = now() + make_interval(secs => ${endsInS ?? null}),
               mode_before = case when ${mode} <> 'washing' then null when held.mode = 'washing' then u.mode_before else held.mode end
          from held where u.id = held.id
        returning held.mode as before, held.name, floor(extract(epoch from u.mode_ends_at) * 1000)::float8 as ends_ms`.execute(
        db,
      );
      return rows[0];
    },

    /**
     * Ends washing whose time is over. A unit goes back to what it was; one that has pigs now is never left masked.
     * @param limit units at a time; those that another server ends are passed over
     */
    async endModes(scope: SystemScope, limit: number): Promise<ModeChange[]> {
      const { rows } = await sql<ModeChange>`
        with due as (
          select u.id, u.mode as before from units u where u.mode_ends_at <= now() and ${inScope(scope, "u")}
           order by u.mode_ends_at limit ${limit} for update skip locked)
        update units u
           set mode = case when u.mode_before = 'empty' and u.head_count = 0 then 'empty' else 'normal' end,
               mode_ends_at = null, mode_before = null, updated_at = now()
          from due where u.id = due.id
        returning u.id::text as id, u.tenant_id, u.name, due.before, u.mode as after`.execute(db);
      return rows;
    },

    devicesOfUnit: (
      scope: TenantScope | SystemScope,
      unitId: string,
    ): Promise<{ id: string; name: string; kind: string }[]> =>
      db
        .selectFrom("devices as d")
        .select(["d.id", "d.name", "d.kind"])
        .where("d.unitId", "=", unitId)
        .where(deviceInReach(scope, "d"))
        .orderBy("d.id")
        .execute(),
  };
}
export type ParameterRepository = ReturnType<typeof parameterRepository>;
