import type {
  CommissioningCheck,
  CommissioningReading,
  CommissioningReason,
  CommissioningResult,
  commissioningStates,
  DeviceKindId,
} from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inReach, personName } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantReach, type TenantScope } from "../../tenant-scope.ts";

export interface CommissioningRow {
  id: string;
  tenantId: string;
  unitId: string;
  state: (typeof commissioningStates)[number];
  version: number;
  unitName: string;
  houseName: string;
  farmName: string;
  startedBy: string;
  createTime: Date;
  signedBy: string;
  signTime: Date | null;
  body: string | null;
  hash: Buffer | null;
}

/** A command that a trial gave, and the channel that tells whether it was followed. */
export interface TrialCommand {
  key: string;
  currentKey?: string;
  commandId: string;
}

export interface ItemRow {
  id: string;
  commissioningId: string;
  check: CommissioningCheck;
  deviceId: string | null;
  deviceName: string;
  serialNumber: string;
  kind: DeviceKindId | null;
  part: string;
  result: CommissioningResult;
  reason: CommissioningReason;
  said: string;
  readings: CommissioningReading[];
  note: string;
  photo: string;
  startMs: number | null;
  endMs: number | null;
  commands: TrialCommand[];
  receiverId: string | null;
  receiverName: string;
  codeHash: Buffer | null;
  actKey: string | null;
  actedMs: number | null;
  answeredBy: string;
  answerTime: Date | null;
}

/** What a step writes of an item; what is left out stays. */
export interface ItemChange {
  id: string;
  result?: CommissioningResult;
  reason?: CommissioningReason;
  said?: string;
  readings?: readonly CommissioningReading[];
  note?: string;
  photo?: string;
  trial?: {
    startMs: number;
    endMs: number;
    commands?: readonly TrialCommand[];
    reach: TenantReach;
    receiverId?: string;
    codeHash?: Buffer;
  };
  act?: { key: string; atMs: number };
  /** Who answered; null for the clock. */
  by: string | null;
}

/** An item to be added. */
export interface NewItem {
  check: CommissioningCheck;
  deviceId: string | null;
  part: string;
}

/** @param db a pool or an open transaction */
export function commissioningRepository(db: Kysely<DB>) {
  const held = sql`join units u on u.id = c.unit_id join pig_houses h on h.id = u.house_id join farms f on f.id = h.farm_id`;
  return {
    /**
     * A list that the scope reaches by its unit; undefined for none.
     * @param lock holds the row against others
     */
    async find(scope: TenantScope | SystemScope, id: string, lock = false): Promise<CommissioningRow | undefined> {
      if (lock)
        await sql`select from commissionings c ${held} where c.id = ${id} and ${inReach(scope, "u")} for update of c`.execute(
          db,
        );
      const { rows } = await sql<CommissioningRow>`
        select c.id::text as id, c.tenant_id, c.unit_id::text as unit_id, c.state, c.version, u.name as unit_name, h.name as house_name,
               f.name as farm_name, c.created_at as create_time, coalesce(c.signed_name, '') as signed_by, c.body, c.hash,
               case when c.state = 'signed' then c.state_at end as sign_time,
               coalesce((select ${personName("a")} from accounts a where a.id = c.created_by), '') as started_by
          from commissionings c ${held} where c.id = ${id} and ${inReach(scope, "u")}`.execute(db);
      return rows[0];
    },

    /** The list of an item that the scope reaches. */
    async listOf(scope: TenantScope | SystemScope, itemId: string): Promise<string | undefined> {
      const { rows } = await sql<{ id: string }>`
        select c.id::text as id from commissioning_items i join commissionings c on c.id = i.commissioning_id ${held}
         where i.id = ${itemId} and ${inReach(scope, "u")}`.execute(db);
      return rows[0]?.id;
    },

    /** The items of a list that the scope reaches, in order. */
    async items(scope: TenantScope | SystemScope, id: string): Promise<ItemRow[]> {
      const { rows } = await sql<ItemRow>`
        select i.id::text as id, i.commissioning_id::text as commissioning_id, i.check_kind as "check", i.device_id::text as device_id,
               coalesce(d.name, '') as device_name, coalesce(d.serial_number, '') as serial_number, d.kind, i.part, i.result, i.reason,
               i.said, i.readings, i.note, coalesce(t.name, '') as photo, i.commands, i.receiver_id::text as receiver_id, i.code_hash,
               floor(extract(epoch from i.started_at) * 1000)::float8 as start_ms,
               floor(extract(epoch from i.ends_at) * 1000)::float8 as end_ms, i.act_key::text as act_key,
               floor(extract(epoch from i.acted_at) * 1000)::float8 as acted_ms, i.answered_at as answer_time,
               coalesce((select ${personName("a")} from accounts a where a.id = i.answered_by), '') as answered_by,
               coalesce((select ${personName("a")} from accounts a where a.id = i.receiver_id), '') as receiver_name
          from commissioning_items i join commissionings c on c.id = i.commissioning_id ${held}
          left join devices d on d.id = i.device_id and d.tenant_id = c.tenant_id
          left join attachments t on t.id = i.attachment_id
         where i.commissioning_id = ${id} and ${inReach(scope, "u")} order by i.position`.execute(db);
      return rows;
    },

    /** The open list of a unit that the scope reaches. */
    async openOf(scope: TenantScope, unitId: string): Promise<string | undefined> {
      const { rows } = await sql<{ id: string }>`
        select c.id::text as id from commissionings c ${held}
         where c.unit_id = ${unitId} and c.state = 'open' and ${inReach(scope, "u")}`.execute(db);
      return rows[0]?.id;
    },

    /** A unit that the scope reaches, with its tenant and its devices; undefined for none. */
    async unit(scope: TenantScope, unitId: string) {
      const { rows } = await sql<{
        tenantId: string;
        name: string;
        devices: { id: string; kind: DeviceKindId; reported: string[] }[];
      }>`
        select u.tenant_id, h.name || ' ' || u.name as name, coalesce((
                 select jsonb_agg(jsonb_build_object('id', d.id::text, 'kind', d.kind,
                          'reported', coalesce((select array_agg(k) from jsonb_object_keys(n.readings) k), '{}'))
                        order by d.kind, d.sort, d.id)
                   from devices d left join device_readings n on n.device_id = d.id
                  where d.unit_id = u.id and d.tenant_id = u.tenant_id and d.blocked_at is null), '[]') as devices
          from units u join pig_houses h on h.id = u.house_id where u.id = ${unitId} and ${inReach(scope, "u")}`.execute(
        db,
      );
      return rows[0];
    },

    /** Adds an open list. @returns false where the unit has one, or the scope does not reach it */
    async insert(
      scope: TenantScope,
      { id, unitId, items }: { id: string; unitId: string; items: readonly NewItem[] },
      nextId: () => string,
    ): Promise<boolean> {
      const { rows } = await sql`
        insert into commissionings (id, tenant_id, unit_id, state, created_by)
        select ${id}, u.tenant_id, u.id, 'open', ${scope.accountId} from units u where u.id = ${unitId} and ${inReach(scope, "u")}
        on conflict (unit_id) where state = 'open' do nothing returning id`.execute(db);
      if (rows.length === 0) return false;
      await db
        .insertInto("commissioningItems")
        .values(
          items.map(({ check, deviceId, part }, position) => ({
            id: nextId(),
            commissioningId: id,
            position,
            checkKind: check,
            deviceId,
            part,
          })),
        )
        .execute();
      return true;
    },

    /** Changes an item; what is left out stays. The caller holds its list. @returns false where a photo is none of the tenant's */
    async change(
      scope: TenantScope | SystemScope,
      { id, trial, act, by, photo, readings, ...said }: ItemChange,
    ): Promise<boolean> {
      const { rows } = await sql`
        update commissioning_items i set
          result = coalesce(${said.result ?? null}, i.result), reason = coalesce(${said.reason ?? null}, i.reason),
          said = coalesce(${said.said ?? null}, i.said), note = coalesce(${said.note ?? null}, i.note),
          readings = coalesce(${readings === undefined ? null : JSON.stringify(readings)}::jsonb, i.readings),
          attachment_id = case when ${photo ?? null}::text is null then i.attachment_id else (
            select a.id from attachments a where a.name = ${photo ?? ""} and a.tenant_id = c.tenant_id and a.state = 'kept'
               and a.visibility = 'shared' and a.extension in ('jpg', 'png')) end,
          act_key = coalesce(${act?.key ?? null}::uuid, i.act_key),
          acted_at = coalesce(${act === undefined ? null : new Date(act.atMs)}::timestamptz, i.acted_at),
          answered_by = ${by}, answered_at = now()
          from commissionings c join units u on u.id = c.unit_id
         where i.id = ${id} and c.id = i.commissioning_id and ${inReach(scope, "u")}
         returning i.attachment_id`.execute(db);
      if (trial !== undefined) {
        const { startMs, endMs, commands = [], reach, receiverId, codeHash } = trial;
        await sql`
          update commissioning_items i set started_at = ${new Date(startMs)}, ends_at = ${new Date(endMs)},
            commands = ${JSON.stringify(commands)}::jsonb, reach = ${JSON.stringify(reach)}::jsonb,
            receiver_id = ${receiverId ?? null}, code_hash = ${codeHash ?? null}
            from commissionings c join units u on u.id = c.unit_id
           where i.id = ${id} and c.id = i.commissioning_id and ${inReach(scope, "u")}`.execute(db);
      }
      const [changed] = rows as { attachmentId: string | null }[];
      return changed !== undefined && (photo === undefined || changed.attachmentId !== null);
    },

    /** Moves a list that the caller holds. */
    async move(
      scope: TenantScope | SystemScope,
      id: string,
      state: CommissioningRow["state"],
      signed?: { body: string; hash: Buffer; accountId: string; name: string },
    ): Promise<void> {
      if (signed !== undefined)
        // Where each device hung when it was signed; the trigger refuses rows of a signed list, so they come first.
        await sql`
          insert into commissioning_devices (commissioning_id, device_id, bound_at, position_x, position_y, height_cm)
          select c.id, d.id, d.bound_at, d.position_x, d.position_y, d.height_cm
            from commissionings c join units u on u.id = c.unit_id
            join devices d on d.unit_id = c.unit_id and d.tenant_id = c.tenant_id
           where c.id = ${id} and ${inReach(scope, "u")}
             and exists (select from commissioning_items i where i.commissioning_id = c.id and i.device_id = d.id)`.execute(
          db,
        );
      await sql`
        update commissionings c set state = ${state}, version = c.version + 1,
               state_at = case when c.state = ${state} then c.state_at else now() end,
               body = ${signed?.body ?? null}, hash = ${signed?.hash ?? null},
               signed_by = ${signed?.accountId ?? null}, signed_name = ${signed?.name ?? null}
          from units u where c.id = ${id} and u.id = c.unit_id and ${inReach(scope, "u")}`.execute(db);
    },

    /** Lists with trials that are over by time, with the reach of who began them. */
    async overdue(scope: SystemScope, limit: number): Promise<{ id: string; reach: TenantReach }[]> {
      requireSystemScope(scope);
      const { rows } = await sql<{ id: string; reach: TenantReach }>`
        select distinct on (i.commissioning_id) i.commissioning_id::text as id, i.reach
          from commissioning_items i join commissionings c on c.id = i.commissioning_id
         where i.result = 'running' and i.ends_at < now() - interval '30 seconds' and c.state = 'open' and i.reach is not null
         order by i.commissioning_id, i.ends_at limit ${limit}`.execute(db);
      return rows;
    },
  };
}
export type CommissioningRepository = ReturnType<typeof commissioningRepository>;
