import type { WorkOrderEntry, WorkOrderSnapshot } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inOneTenant, inScope, personName, worstFirst } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { MemberScope, SystemScope, TenantScope } from "../../tenant-scope.ts";

/** What an entry holds beside its words. */
interface EntryDetails {
  items?: string;
  carrier?: string;
  tracking?: string;
  other?: string;
  rating?: number;
  minutes?: number;
}

export interface NewEntry {
  id: string;
  what: WorkOrderEntry["what"];
  side: WorkOrderEntry["side"];
  /** Null for the clock. */
  accountId: string | null;
  body?: string;
  internal?: boolean;
  details?: EntryDetails;
}

export interface EntryRow {
  id: string;
  what: WorkOrderEntry["what"];
  side: WorkOrderEntry["side"];
  name: string;
  body: string;
  internal: boolean;
  details: EntryDetails;
  photos: string[];
  createTime: Date;
}

/** What was said and done about orders, with pictures, and how devices stood. @param db a pool or an open transaction */
export function entryRepository(db: Kysely<DB>) {
  return {
    async add(scope: TenantScope | SystemScope, orderId: string, entry: NewEntry): Promise<void> {
      await sql`
        insert into work_order_entries (id, work_order_id, what, side, account_id, body, internal, details)
        select ${entry.id}, w.id, ${entry.what}, ${entry.side}, ${entry.accountId}::bigint, ${entry.body ?? ""},
               ${entry.internal ?? false}, ${JSON.stringify(entry.details ?? {})}::jsonb
          from work_orders w where w.id = ${orderId} and ${inScope(scope, "w")}`.execute(db);
    },

    /**
     * Hangs pictures and films at an entry.
     * @param owner who uploaded them: nobody shows those of others
     * @returns how many there were
     */
    async addPhotos(owner: MemberScope, entryId: string, names: readonly string[]): Promise<number> {
      const { rows } = await sql`
        insert into work_order_photos (work_order_entry_id, attachment_id, position)
        select ${entryId}, f.id, n.position from unnest(${[...names]}::text[]) with ordinality as n(name, position)
          join attachments f on f.name = n.name
         where f.state = 'kept' and f.visibility = 'shared' and f.extension in ('jpg', 'png', 'mp4') and f.account_id = ${owner.accountId}
           and ${inOneTenant(owner, "f")}
        on conflict do nothing returning attachment_id`.execute(db);
      return rows.length;
    },

    /** Oldest first. @param internal whether the desk's own notes are among them */
    async list(scope: TenantScope, orderId: string, { internal }: { internal: boolean }): Promise<EntryRow[]> {
      const { rows } = await sql<EntryRow>`
        select e.id, e.what, e.side, e.body, e.internal, e.details, e.created_at as create_time,
               ${personName("c")} as name,
               coalesce((select array_agg(f.name order by p.position, f.id) from work_order_photos p join attachments f on f.id = p.attachment_id
                          where p.work_order_entry_id = e.id and f.state = 'kept'), '{}') as photos
          from work_order_entries e join work_orders w on w.id = e.work_order_id
          left join accounts c on c.id = e.account_id
         where w.id = ${orderId} and ${inScope(scope, "w")} and (not e.internal or ${internal})
         order by e.id limit 1000`.execute(db);
      return rows;
    },

    async keepSnapshot(scope: TenantScope, orderId: string, snapshot: WorkOrderSnapshot): Promise<void> {
      await sql`
        insert into work_order_snapshots (work_order_id, body)
        select w.id, ${JSON.stringify(snapshot)}::jsonb from work_orders w
         where w.id = ${orderId} and ${inOneTenant(scope, "w")}`.execute(db);
    },

    async snapshot(scope: TenantScope, orderId: string): Promise<WorkOrderSnapshot | undefined> {
      const { rows } = await sql<{ body: WorkOrderSnapshot }>`
        select s.body from work_order_snapshots s join work_orders w on w.id = s.work_order_id
         where w.id = ${orderId} and ${inScope(scope, "w")}`.execute(db);
      return rows[0]?.body;
    },

    /** What the device's unit and its alarms were like, for a snapshot. */
    async surroundings(scope: TenantScope, deviceId: string, since: Date) {
      const { rows: units } = await sql<{ mode: string; headCount: number }>`
        select u.mode, u.head_count from units u join devices d on d.unit_id = u.id and d.tenant_id = u.tenant_id
         where d.id = ${deviceId} and ${inOneTenant(scope, "u")}`.execute(db);
      const { rows: alarms } = await sql<{
        ruleId: string;
        ruleName: string;
        severity: number;
        facts: { key?: string };
        raisedAt: Date;
        endedAt: Date | null;
      }>`
        select a.rule_id, coalesce(a.facts ->> 'name', '') as rule_name, a.severity, a.facts, a.raised_at, a.ended_at
          from alarms a
         where a.device_id = ${deviceId} and ${inOneTenant(scope, "a")} and not a.late and not a.withdrawn
           and (a.ended_at is null or a.ended_at >= ${since})
         order by (a.ended_at is null) desc, ${worstFirst("a")} limit 50`.execute(db);
      return { unit: units[0], alarms };
    },
  };
}
export type EntryRepository = ReturnType<typeof entryRepository>;
