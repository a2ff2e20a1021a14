import type { DeviceKindId, FirmwareState } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

interface Window {
  offset: number;
  limit: number;
}
export interface PackageRow {
  id: string;
  kind: DeviceKindId;
  title: string;
  version: string;
  sizeBytes: number;
  checksum: string;
  createTime: Date;
}
export interface RolloutRow {
  id: string;
  packageId: string;
  title: string;
  version: string;
  state: "running" | "stopped" | "done";
  stages: number[];
  stage: number;
  devices: number;
  updated: number;
  failed: number;
  createTime: Date;
}

/** Packages and roll-outs, as staff works with them. @param db a pool or an open transaction */
export function firmwareRepository(db: Kysely<DB>) {
  const packages = sql`id, kind, title, version, size_bytes, checksum, created_at as create_time`;
  const rollouts = (scope: TenantScope, id: string | undefined, { offset, limit }: Window) =>
    sql<RolloutRow>`
      select r.id, r.package_id, p.title, p.version, r.state, r.stages, r.stage, r.created_at as create_time,
             count(u.device_id)::int as devices, (count(*) filter (where u.state = 'UPDATED'))::int as updated,
             (count(*) filter (where u.state = 'FAILED'))::int as failed
        from firmware_rollouts r join firmware_packages p on p.id = r.package_id
        left join (firmware_updates u join devices d on d.id = u.device_id and ${inScope(scope, "d")}) on u.rollout_id = r.id
       where ${id === undefined ? sql`true` : sql`r.id = ${id}`}
       group by r.id, p.id order by r.id desc offset ${offset} limit ${limit}`.execute(db);
  return {
    async page({ offset, limit }: Window) {
      const { rows } = await sql<PackageRow & { total: number }>`
        select ${packages}, (count(*) over ())::int as total from firmware_packages
         order by id desc offset ${offset} limit ${limit}`.execute(db);
      return { rows, total: rows[0]?.total ?? 0 };
    },

    async package(id: string): Promise<PackageRow | undefined> {
      const { rows } = await sql<PackageRow>`select ${packages} from firmware_packages where id = ${id}`.execute(db);
      return rows[0];
    },

    async insert(row: Omit<PackageRow, "createTime"> & { createdBy: string }, bytes: Buffer): Promise<void> {
      await db.insertInto("firmwarePackages").values(row).execute();
      await db.insertInto("firmwareContents").values({ packageId: row.id, bytes }).execute();
    },

    async rollouts(scope: TenantScope, window: Window) {
      const { rows } = await rollouts(scope, undefined, window);
      const { rows: counted } = await sql<{
        total: number;
      }>`select count(*)::int as total from firmware_rollouts`.execute(db);
      return { rows, total: counted[0]?.total ?? 0 };
    },

    rollout: async (scope: TenantScope, id: string) => (await rollouts(scope, id, { offset: 0, limit: 1 })).rows[0],

    /** Lists the devices of the package's kind, in no order that tells where they stand. @returns how many */
    async insertRollout(
      scope: TenantScope,
      {
        id,
        packageId,
        stages,
        deviceIds,
      }: { id: string; packageId: string; stages: number[]; deviceIds: string[] | undefined },
    ): Promise<number> {
      await db.insertInto("firmwareRollouts").values({ id, packageId, stages, createdBy: scope.accountId }).execute();
      const { rows } = await sql`
        insert into firmware_updates (rollout_id, device_id, position)
        select ${id}, d.id, row_number() over (order by md5(d.id::text || ${id})) - 1
          from devices d join firmware_packages p on p.id = ${packageId} and p.kind = d.kind
         where ${inScope(scope, "d")} and (${deviceIds ?? null}::bigint[] is null or d.id = any(${deviceIds ?? null}::bigint[]))
        returning device_id`.execute(db);
      return rows.length;
    },

    /** Moves a running roll-out on. @returns whether it was running and at that stage */
    async setStage(id: string, from: number, to: { stage: number; state: "running" | "stopped" }): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("firmwareRollouts")
        .set(to)
        .where("id", "=", id)
        .where("stage", "=", from)
        .where("state", "=", "running")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /**
     * Offers the package to the devices of the stages so far: by the shared attributes that devices read it from, which go out like
     * other settings. @returns the devices
     */
    async offer(scope: TenantScope, rolloutId: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        with chosen as (
          update firmware_updates u set state = 'QUEUED', changed_at = now()
            from firmware_rollouts r
           where r.id = ${rolloutId} and u.rollout_id = r.id and u.state = 'WAITING'
             and u.position < ceil((select count(*) from firmware_updates a where a.rollout_id = r.id) * r.stages[r.stage + 1] / 100.0)
          returning u.device_id, r.package_id),
        offered as (
          update devices d set shared_attributes = d.shared_attributes || jsonb_build_object(
                   'fw_title', p.title, 'fw_version', p.version, 'fw_size', p.size_bytes,
                   'fw_checksum', p.checksum, 'fw_checksum_algorithm', 'SHA256')
            from chosen c join firmware_packages p on p.id = c.package_id
           where d.id = c.device_id and ${inScope(scope, "d")}
          returning d.id)
        insert into device_parameters as held (device_id, key)
        select o.id, k.key from offered o
         cross join unnest('{fw_title,fw_version,fw_size,fw_checksum,fw_checksum_algorithm}'::text[]) as k (key)
        on conflict (device_id, key) do update set state = 'pending', changed_at = now(), pushed_at = null
        returning device_id as id`.execute(db);
      return [...new Set(rows.map(({ id }) => id))];
    },

    async updates(scope: TenantScope, rolloutId: string, state: FirmwareState | undefined, { offset, limit }: Window) {
      const { rows } = await sql<{
        deviceId: string;
        deviceName: string;
        serialNumber: string;
        state: FirmwareState;
        error: string;
        changeTime: Date;
        total: number;
      }>`
        select u.device_id, d.name as device_name, d.serial_number, u.state, u.error, u.changed_at as change_time,
               (count(*) over ())::int as total
          from firmware_updates u join devices d on d.id = u.device_id
         where u.rollout_id = ${rolloutId} and ${inScope(scope, "d")} and (${state ?? null}::text is null or u.state = ${state ?? null})
         order by u.position offset ${offset} limit ${limit}`.execute(db);
      return { rows, total: rows[0]?.total ?? 0 };
    },
  };
}
export type FirmwareRepository = ReturnType<typeof firmwareRepository>;

/** What devices ask for and tell of their firmware. @param db a pool or an open transaction */
export function firmwareProtocolRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** Bytes of the package that is offered to a device, from an offset on; undefined for any other package. */
    async read(
      deviceId: string,
      wanted: { title: string; version: string } | undefined,
      from: number,
      length: number,
    ): Promise<Buffer | undefined> {
      const { rows } = await sql<{ part: Buffer }>`
        select substring(c.bytes from ${from + 1} for ${length}) as part
          from devices d
          join firmware_packages p on p.kind = d.kind and p.title = d.shared_attributes ->> 'fw_title'
                                  and p.version = d.shared_attributes ->> 'fw_version'
          join firmware_contents c on c.package_id = p.id
         where d.id = ${deviceId}
           and (${wanted === undefined} or (p.title = ${wanted?.title ?? ""} and p.version = ${wanted?.version ?? ""}))`.execute(
        db,
      );
      return rows[0]?.part;
    },

    /** Takes over where a device says that its update stands; what ended is not opened again. */
    async reported(deviceId: string, state: FirmwareState, error: string): Promise<void> {
      await sql`
        with told as (
          update firmware_updates u set state = ${state}, error = ${error}, changed_at = now()
           where u.device_id = ${deviceId} and u.state not in ('WAITING', 'UPDATED')
             and u.rollout_id = (select max(l.rollout_id) from firmware_updates l where l.device_id = ${deviceId} and l.state <> 'WAITING')
          returning u.rollout_id)
        update firmware_rollouts r set state = 'done' from told
         where r.id = told.rollout_id and r.state = 'running' and ${state} = 'UPDATED'
           and not exists (select from firmware_updates o where o.rollout_id = r.id and o.device_id <> ${deviceId}
                            and o.state not in ('UPDATED', 'FAILED'))`.execute(db);
    },
  };
}
export type FirmwareProtocolRepository = ReturnType<typeof firmwareProtocolRepository>;
