import type { DeviceKindId, FirmwareRollout, FirmwareState } from "@herdwise/contract";
import { type Kysely, type SqlBool, sql } from "kysely";
import { deviceInReach, inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

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
  state: FirmwareRollout["state"];
  pauseReason: FirmwareRollout["pauseReason"];
  maxFailures: number;
  progress: FirmwareRollout["progress"];
  stages: number[];
  stage: number;
  devices: number;
  updated: number;
  failed: number;
  createTime: Date;
}

interface UpdateRow {
  deviceId: string;
  deviceName: string;
  serialNumber: string;
  tenantName: string;
  firmwareVersion: string;
  state: FirmwareState;
  error: string;
  changeTime: Date;
}

/** The settings by which a package is offered. */
const offerKeys = "{fw_title,fw_version,fw_size,fw_checksum,fw_checksum_algorithm}";

/** Takes the offer back from devices that have not begun; those that fetch it already go on. */
async function withdraw(db: Kysely<DB>, scope: TenantScope | SystemScope, rolloutId: string): Promise<void> {
  await sql`
    with held as (
      update firmware_updates u set state = 'WAITING', changed_at = now() from devices d
       where u.rollout_id = ${rolloutId} and u.state = 'QUEUED' and d.id = u.device_id and ${inScope(scope, "d")}
      returning u.device_id),
    unset as (
      delete from device_parameters p using held h where p.device_id = h.device_id and p.key = any(${offerKeys}::text[]))
    update devices d set shared_attributes = d.shared_attributes - ${offerKeys}::text[] from held h where d.id = h.device_id`.execute(
    db,
  );
}

/** Packages and roll-outs, as staff works with them. @param db a pool or an open transaction */
export function firmwareRepository(db: Kysely<DB>) {
  const packages = sql`id, kind, title, version, size_bytes, checksum, created_at as create_time`;
  // A stage takes the devices from where the one before ended to its own share.
  const progress = sql`(
    select jsonb_agg(jsonb_build_object('devices', x.devices, 'updated', x.updated, 'failed', x.failed, 'active', x.active) order by x.at)
      from (select g.at, count(w.device_id) as devices, count(*) filter (where w.state = 'UPDATED') as updated,
                   count(*) filter (where w.state = 'FAILED') as failed,
                   count(*) filter (where w.state not in ('WAITING', 'UPDATED', 'FAILED')) as active
              from generate_subscripts(r.stages, 1) as g (at)
             cross join (select count(*) as n from firmware_updates a where a.rollout_id = r.id) as whole
              left join firmware_updates w on w.rollout_id = r.id
               and w.position >= coalesce(ceil(whole.n * r.stages[g.at - 1] / 100.0), 0)
               and w.position < ceil(whole.n * r.stages[g.at] / 100.0)
             group by g.at) as x)`;
  const rollouts = (scope: TenantScope, id: string | undefined, request: PageRange) =>
    readList<RolloutRow>(
      db,
      {
        table: sql`firmware_rollouts r`,
        where: id === undefined ? [] : [sql<SqlBool>`r.id = ${id}`],
        order: [{ by: sql`r.id`, descending: true }],
        columns: sql`
          r.id, r.package_id, p.title, p.version, r.state, r.stages, r.stage, r.created_at as create_time,
          r.pause_reason, r.max_failures, ${progress} as progress, held.devices, held.updated, held.failed`,
        key: "r.id",
        joins: sql`join firmware_packages p on p.id = r.package_id
          cross join lateral (
            select count(*)::int as devices, (count(*) filter (where u.state = 'UPDATED'))::int as updated,
                   (count(*) filter (where u.state = 'FAILED'))::int as failed
              from firmware_updates u join devices d on d.id = u.device_id and ${deviceInReach(scope, "d")}
             where u.rollout_id = r.id) held`,
      },
      request,
    );
  return {
    page: (request: PageRange) =>
      readList<PackageRow>(
        db,
        { table: sql`firmware_packages`, order: [{ by: sql`id`, descending: true }], columns: packages },
        request,
      ),

    /** Versions that devices run, by kind, the one that most run first. */
    async versions(scope: TenantScope) {
      const { rows } = await sql<{ kind: DeviceKindId; version: string; devices: number }>`
        select d.kind, d.firmware_version as version, count(*)::int as devices from devices d
         where ${deviceInReach(scope, "d")} group by d.kind, d.firmware_version order by d.kind, devices desc, version`.execute(
        db,
      );
      return rows;
    },

    async package(id: string): Promise<PackageRow | undefined> {
      const { rows } = await sql<PackageRow>`select ${packages} from firmware_packages where id = ${id}`.execute(db);
      return rows[0];
    },

    async insert(row: Omit<PackageRow, "createTime"> & { createdBy: string }, bytes: Buffer): Promise<void> {
      await db.insertInto("firmwarePackages").values(row).execute();
      await db.insertInto("firmwareContents").values({ packageId: row.id, bytes }).execute();
    },

    rollouts: (scope: TenantScope, request: PageRange) => rollouts(scope, undefined, request),

    rollout: async (scope: TenantScope, id: string) => (await rollouts(scope, id, { offset: 0, limit: 1 })).rows[0],

    /** Lists the devices of the package's kind, in no order that tells where they stand. @returns how many */
    async insertRollout(
      scope: TenantScope,
      {
        id,
        packageId,
        stages,
        deviceIds,
        maxFailures,
      }: {
        id: string;
        packageId: string;
        stages: number[];
        deviceIds: string[] | undefined;
        /** One in twenty of the devices where it is not given. */
        maxFailures: number | undefined;
      },
    ): Promise<number> {
      await db.insertInto("firmwareRollouts").values({ id, packageId, stages, createdBy: scope.accountId }).execute();
      const { rows } = await sql`
        insert into firmware_updates (rollout_id, device_id, position)
        select ${id}, d.id, row_number() over (order by md5(d.id::text || ${id})) - 1
          from devices d join firmware_packages p on p.id = ${packageId} and p.kind = d.kind
         where ${deviceInReach(scope, "d")} and (${deviceIds ?? null}::bigint[] is null or d.id = any(${deviceIds ?? null}::bigint[]))
        returning device_id`.execute(db);
      await db
        .updateTable("firmwareRollouts")
        .set({ maxFailures: maxFailures ?? Math.max(1, Math.ceil(rows.length / 20)) })
        .where("id", "=", id)
        .execute();
      return rows.length;
    },

    /** Moves a roll-out on. @returns whether it was at that stage and in one of those states */
    async setState(
      scope: TenantScope,
      id: string,
      from: { stage: number; states: readonly RolloutRow["state"][] },
      to: { stage: number; state: RolloutRow["state"]; pauseReason: RolloutRow["pauseReason"]; forgive: boolean },
    ): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update firmware_rollouts r set stage = ${to.stage}, state = ${to.state}, pause_reason = ${to.pauseReason},
               failures_before = case when ${to.forgive}
                 then (select count(*) from firmware_updates u join devices d on d.id = u.device_id and ${deviceInReach(scope, "d")}
                        where u.rollout_id = r.id and u.state = 'FAILED')
                 else r.failures_before end
         where r.id = ${id} and r.stage = ${from.stage} and r.state = any(${[...from.states]}::text[])`.execute(db);
      return (numAffectedRows ?? 0n) > 0n;
    },

    withdraw: (scope: TenantScope, rolloutId: string): Promise<void> => withdraw(db, scope, rolloutId),

    /** Puts a failed device back, so that it is offered the package again. @returns whether it had failed in a running roll-out */
    async retry(scope: TenantScope, rolloutId: string, deviceId: string): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update firmware_updates u set state = 'WAITING', error = '', changed_at = now()
          from firmware_rollouts r, devices d
         where u.rollout_id = ${rolloutId} and u.device_id = ${deviceId} and u.state = 'FAILED'
           and r.id = u.rollout_id and r.state = 'running' and d.id = u.device_id and ${inScope(scope, "d")}`.execute(
        db,
      );
      return (numAffectedRows ?? 0n) > 0n;
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
           where d.id = c.device_id and ${deviceInReach(scope, "d")}
          returning d.id)
        insert into device_parameters as held (device_id, key)
        select o.id, k.key from offered o
         cross join unnest(${offerKeys}::text[]) as k (key)
        on conflict (device_id, key) do update set state = 'pending', changed_at = now(), pushed_at = null
        returning device_id as id`.execute(db);
      return [...new Set(rows.map(({ id }) => id))];
    },

    updates(scope: TenantScope, rolloutId: string, state: FirmwareState | undefined, request: PageRange) {
      const where = [sql<SqlBool>`u.rollout_id = ${rolloutId}`, deviceInReach(scope, "d")];
      if (state) where.push(sql<SqlBool>`u.state = ${state}`);
      const list = {
        table: sql`firmware_updates u join devices d on d.id = u.device_id join tenants t on t.tenant_id = d.tenant_id`,
        where,
        order: [
          { by: sql`case u.state when 'FAILED' then 0 when 'UPDATED' then 2 when 'WAITING' then 3 else 1 end` },
          { by: sql`u.position` },
        ],
        columns: sql`u.device_id, d.name as device_name, d.serial_number, t.name as tenant_name, d.firmware_version, u.state, u.error,
          u.changed_at as change_time`,
      };
      return readList<UpdateRow>(db, list, request);
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

    /** Takes over where a device says that its update stands; what ended is not opened again. @returns its roll-out, when it moved */
    async reported(deviceId: string, state: FirmwareState, error: string): Promise<string | undefined> {
      const { rows } = await sql<{ rolloutId: string }>`
        update firmware_updates u set state = ${state}, error = ${error}, changed_at = now()
         where u.device_id = ${deviceId} and u.state not in ('WAITING', 'UPDATED')
           and u.rollout_id = (select max(l.rollout_id) from firmware_updates l where l.device_id = ${deviceId} and l.state <> 'WAITING')
        returning u.rollout_id`.execute(db);
      return rows[0]?.rolloutId;
    },

    /**
     * Ends a roll-out whose devices all ended or failed, and pauses one in which too many failed.
     * @returns what it became; undefined when it goes on
     */
    async settle(rolloutId: string): Promise<"done" | "paused" | undefined> {
      const { rows } = await sql<{ state: "done" | "paused" }>`
        with counted as (
          select count(*) filter (where u.state = 'FAILED') as failed,
                 count(*) filter (where u.state not in ('UPDATED', 'FAILED')) as left_over
            from firmware_updates u where u.rollout_id = ${rolloutId})
        update firmware_rollouts r set state = case when c.left_over = 0 then 'done' else 'paused' end,
               pause_reason = case when c.left_over = 0 then '' else 'failures' end
          from counted c
         where r.id = ${rolloutId}
           and ((c.left_over = 0 and r.state in ('running', 'paused'))
                or (r.state = 'running' and c.failed - r.failures_before >= r.max_failures))
        returning r.state`.execute(db);
      return rows[0]?.state;
    },

    withdraw: (rolloutId: string): Promise<void> => withdraw(db, scope, rolloutId),
  };
}
export type FirmwareProtocolRepository = ReturnType<typeof firmwareProtocolRepository>;
