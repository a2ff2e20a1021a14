import type { DeviceKindId } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { deviceInReach, inOneTenant, inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { DevicePlace } from "./claim.repository.ts";

/** Where a device hangs in its unit: shares in ten-thousandths, and cm above the floor. */
export interface DevicePosition {
  positionX: number | undefined;
  positionY: number | undefined;
  heightCm: number | undefined;
}

/** A device that a label stands for. */
export interface LabelledRow {
  id: string;
  name: string;
  serialNumber: string;
  kind: DeviceKindId;
  createTime: Date;
  /** Ciphertext; "" while it has no label. */
  codeEncrypted: string;
}

export interface UnbindCounts {
  openAlarms: number;
  openCommands: number;
  behind: number;
}

/** Devices that a tenant may bind: nobody's yet, or delivered to it. */
const bindable = (scope: TenantScope): RawBuilder<SqlBool> =>
  sql<SqlBool>`(d.bound_at is null and d.blocked_at is null and (d.tenant_id = '000000' or ${inOneTenant(scope, "d")}))`;

/** Bound devices of the scope's own tenant. */
const ownBound = (scope: TenantScope): RawBuilder<SqlBool> =>
  sql<SqlBool>`(d.bound_at is not null and ${inOneTenant(scope, "d")} and ${deviceInReach(scope, "d")})`;

/** Removes what devices told under a former owner: newest values and attributes. @param db an open transaction */
async function clearTold(db: Kysely<DB>, ids: readonly string[]): Promise<void> {
  await sql`update device_states s set attributes = '{}', reported_at = null, online_until = null, tells_fault = false
    where s.device_id = any(${[...ids]}::bigint[])`.execute(db);
  await sql`delete from device_readings n where n.device_id = any(${[...ids]}::bigint[])`.execute(db);
}

/** Removes what else tells of a former owner: counts, settings, what judging remembered. */
const traces = (ids: readonly string[]) => sql`
  forgotten as (delete from device_dropped_messages m where m.device_id = any(${[...ids]}::bigint[])),
  disbelieved as (delete from device_rejected_readings r where r.device_id = any(${[...ids]}::bigint[])),
  unset as (delete from device_parameters p where p.device_id = any(${[...ids]}::bigint[])),
  judged as (delete from alarm_states a where a.device_id = any(${[...ids]}::bigint[]))`;

/** @param db a pool or an open transaction */
export function bindingRepository(db: Kysely<DB>) {
  return {
    /** The device of a serial number, where the scope's tenant may bind it. */
    async bindable(scope: TenantScope, serialNumber: string): Promise<LabelledRow | undefined> {
      const { rows } = await sql<LabelledRow>`
        select d.id, d.name, d.serial_number, d.kind, d.created_at as create_time, d.code_encrypted
          from devices d where d.serial_number = ${serialNumber} and ${bindable(scope)}`.execute(db);
      return rows[0];
    },

    /**
     * Binds a device to a place of the scope's tenant, and with a gateway those behind it. Where somebody else had it before, what
     * it sent until now stays theirs.
     * @returns the bound devices; none when somebody was faster
     */
    async bind(
      scope: TenantScope,
      deviceId: string,
      { farmId, houseId, unitId, positionX, positionY, heightCm }: DevicePlace & DevicePosition,
      nextId: () => string,
    ): Promise<string[]> {
      const { rows } = await sql<{ id: string; name: string; serialNumber: string; boundAt: Date }>`
        with chosen as (
          select d.id, d.id = ${deviceId} as main from devices d
           where (d.id = ${deviceId} or d.gateway_id = ${deviceId}) and ${bindable(scope)}
             and exists (select from devices d where d.id = ${deviceId} and ${bindable(scope)})
           for update)
        update devices d set tenant_id = ${scope.tenantId}, farm_id = ${farmId}, bound_at = now(), updated_at = now(),
               house_id = case when c.main then ${houseId ?? null}::bigint end,
               unit_id = case when c.main then ${unitId ?? null}::bigint end,
               position_x = case when c.main then ${positionX ?? null}::smallint end,
               position_y = case when c.main then ${positionY ?? null}::smallint end,
               height_cm = case when c.main then ${heightCm ?? null}::smallint end,
               updated_by = ${scope.accountId}, version = d.version + 1,
               owned_since = case when ${scope.tenantId} = coalesce((
                 select b.tenant_id from device_bindings b where b.device_id = d.id order by b.bound_at desc limit 1),
                 ${scope.tenantId}) then d.owned_since else now() end
          from chosen c where d.id = c.id
        returning d.id, d.name, d.serial_number, d.bound_at`.execute(db);
      if (rows.length === 0) return [];
      const ids = rows.map(({ id }) => id);
      await sql`with ${traces(ids)} delete from device_claims c where c.device_id = any(${ids}::bigint[])`.execute(db);
      await clearTold(db, ids);
      await db
        .insertInto("deviceBindings")
        .values(
          rows.map(({ id, name, serialNumber, boundAt }) => ({
            id: nextId(),
            tenantId: scope.tenantId,
            deviceId: id,
            deviceName: name,
            serialNumber,
            boundAt,
            boundBy: scope.accountId,
          })),
        )
        .execute();
      return ids;
    },

    /** What an unbinding would end; undefined when the device is not the tenant's. */
    async unbindCounts(scope: TenantScope, id: string): Promise<UnbindCounts | undefined> {
      const { rows } = await sql<UnbindCounts>`
        with gone as (
          select d.id from devices d where ${ownBound(scope)} and (d.id = ${id} or d.gateway_id = ${id})
             and exists (select from devices d where d.id = ${id} and ${ownBound(scope)}))
        select (select count(*)::int from alarms a where a.ended_at is null and a.device_id in (select g.id from gone g)) as open_alarms,
               (select count(*)::int from device_commands c where c.finished_at is null and c.device_id in (select g.id from gone g)) as open_commands,
               (select count(*)::int - 1 from gone) as behind
         where exists (select from gone)`.execute(db);
      return rows[0];
    },

    /**
     * Gives a device back to the group, and those behind it. Open alarms and commands end; alarms, commands and the record of the
     * binding keep their tenant.
     * @returns the devices; none when it is not the tenant's any more
     */
    async unbind(scope: TenantScope, id: string, nextId: () => string): Promise<{ id: string; name: string }[]> {
      const { rows: held } = await sql<{ id: string; name: string; place: string }>`
        select d.id, d.name, concat_ws(' / ', f.name, h.name, u.name) as place from devices d
          left join farms f on f.id = d.farm_id left join pig_houses h on h.id = d.house_id left join units u on u.id = d.unit_id
         where ${ownBound(scope)} and (d.id = ${id} or d.gateway_id = ${id})
           and exists (select from devices d where d.id = ${id} and ${ownBound(scope)})
         order by d.id for update of d`.execute(db);
      if (held.length === 0) return [];
      const ids = held.map((device) => device.id);
      const named = sql`any(${ids}::bigint[])`;
      await sql`
        with ended as (
          update alarms a set ended_at = greatest(a.raised_at, now()), ended_by = ${scope.accountId}, next_step_at = null
           where a.device_id = ${named} and a.ended_at is null),
        cancelled as (
          update device_commands c set state = 'cancelled', finished_at = now(), due_at = null
           where c.device_id = ${named} and c.finished_at is null),
        leaving as (
          select d.*, p.place as stood, p.id as record
            from devices d join unnest(${ids}::bigint[], ${ids.map(() => nextId())}::bigint[], ${held.map(({ place }) => place)}::text[])
                                as p (device_id, id, place) on p.device_id = d.id),
        recorded as (
          update device_bindings b set unbound_at = now(), unbound_by = ${scope.accountId}, place = l.stood, device_name = l.name
            from leaving l where b.device_id = l.id and b.unbound_at is null returning b.device_id),
        made_up_for as (
          insert into device_bindings (id, tenant_id, device_id, device_name, serial_number, place, bound_at, unbound_at, unbound_by)
          select l.record, l.tenant_id, l.id, l.name, l.serial_number, l.stood, l.bound_at, now(), ${scope.accountId}
            from leaving l where not exists (select from device_bindings b where b.device_id = l.id and b.unbound_at is null)),
        ${traces(ids)}
        update devices d set tenant_id = '000000', farm_id = null, house_id = null, unit_id = null, bound_at = null,
               position_x = null, position_y = null, height_cm = null, shared_attributes = '{}', name = d.serial_number,
               updated_at = now(), updated_by = ${scope.accountId}, version = d.version + 1
         where d.id = ${named}`.execute(db);
      await clearTold(db, ids);
      return held;
    },

    /** Moves a bound device. @returns its name and where it was; undefined when it is not the tenant's */
    async place(
      scope: TenantScope,
      id: string,
      { farmId, houseId, unitId, positionX, positionY, heightCm }: DevicePlace & DevicePosition,
    ): Promise<{ name: string; farmId: string; houseId: string | null; unitId: string | null } | undefined> {
      const { rows } = await sql<{ name: string; farmId: string; houseId: string | null; unitId: string | null }>`
        with before as (select d.id, d.farm_id, d.house_id, d.unit_id from devices d where d.id = ${id} and ${ownBound(scope)} for update)
        update devices d set farm_id = ${farmId}, house_id = ${houseId ?? null}::bigint, unit_id = ${unitId ?? null}::bigint,
               position_x = ${positionX ?? null}::smallint, position_y = ${positionY ?? null}::smallint,
               height_cm = ${heightCm ?? null}::smallint, updated_at = now(), updated_by = ${scope.accountId}, version = d.version + 1
          from before b where d.id = b.id
        returning d.name, b.farm_id, b.house_id, b.unit_id`.execute(db);
      return rows[0];
    },

    /** Devices to be labelled, held until the transaction ends. @param scope of staff: whosever devices they are */
    async labelled(scope: TenantScope, ids: readonly string[]): Promise<(LabelledRow & { tenantId: string })[]> {
      const { rows } = await sql<LabelledRow & { tenantId: string }>`
        select d.id, d.tenant_id, d.name, d.serial_number, d.kind, d.created_at as create_time, d.code_encrypted
          from devices d where d.id = any(${[...ids]}::bigint[]) and ${inScope(scope, "d")} order by d.id for update`.execute(
        db,
      );
      return rows;
    },

    async setCodes(scope: TenantScope, codes: readonly { id: string; codeEncrypted: string }[]): Promise<void> {
      await sql`
        update devices d set code_encrypted = c.code
          from unnest(${codes.map(({ id }) => id)}::bigint[], ${codes.map(({ codeEncrypted }) => codeEncrypted)}::text[]) as c (id, code)
         where d.id = c.id and ${inScope(scope, "d")}`.execute(db);
    },

    /** Keeps a device out or lets it in. @returns the device; undefined when there is none, or nothing changes */
    async block(
      scope: TenantScope,
      id: string,
      blocked: boolean,
    ): Promise<{ name: string; tenantId: string } | undefined> {
      const { rows } = await sql<{ name: string; tenantId: string }>`
        update devices d set blocked_at = ${blocked ? sql`now()` : sql`null`}, updated_at = now(),
               updated_by = ${scope.accountId}, version = d.version + 1
         where d.id = ${id} and ${inScope(scope, "d")}
        returning d.name, d.tenant_id`.execute(db);
      return rows[0];
    },
  };
}
export type BindingRepository = ReturnType<typeof bindingRepository>;
