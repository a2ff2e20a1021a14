import type { DriverAct } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inRowScope, inScope, personName } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import type { PapersRow } from "./transit.repository.ts";

/** A link with its vehicle, as a phone reaches it. */
export interface LinkRow extends PapersRow {
  id: string;
  tenantId: string;
  transit: string;
  deviceHash: Buffer | null;
  createdAt: Date;
  createdBy: string;
  createdTenant: string;
  expiresAt: Date;
  number: string;
  state: string;
  order: string;
  field: string;
  fieldName: string;
  place: string;
  destination: string;
  day: string;
  departedAt: Date | null;
  arrivedAt: Date | null;
}

/** What became of an entry of a phone. */
export interface EntryOutcome {
  outcome: "done" | "refused";
  text: string;
  values: Record<string, string | number>;
}

interface NewDriverEntry extends EntryOutcome {
  id: string;
  key: string;
  act: Exclude<DriverAct, "position">;
  doneAt: Date;
  number: string;
  photo: string | null;
}

/** Driver's links, and what came by them. @param db a pool or an open transaction */
export function driverRepository(db: Kysely<DB>) {
  return {
    /** The link of a secret that is still good. */
    async byToken(scope: SystemScope, tokenHash: Buffer): Promise<LinkRow | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<LinkRow>`
        select l.id, l.tenant_id as "tenantId", l.transit, l.device_hash as "deviceHash", l.created_at as "createdAt", l.created_by as "createdBy",
               l.created_tenant as "createdTenant", l.expires_at as "expiresAt", t.number, t.state, t."order", t.field, f.field_name as "fieldName",
               f.address as place, t.destination, to_char(t.day, 'YYYY-MM-DD') as day, t.departed_at as "departedAt", t.arrived_at as "arrivedAt",
               t.plate, t.heads, t.disinfection_number as "disinfectionNumber", t.disinfection_until as "disinfectionUntil",
               t.quarantine_number as "quarantineNumber", t.quarantine_heads as "quarantineHeads", t.quarantine_ends as "quarantineEnds",
               t.looked_at as "lookedAt"
          from driver_links l join transit_rows t on t.id = l.transit join sale_fields f on f.id = t.field
         where l.token_hash = ${tokenHash} and l.revoked_at is null and l.expires_at > clock_timestamp()
           and t.state not in ('closed', 'cancelled')`.execute(db);
      return rows[0];
    },

    /** Lets a phone have a link that none has. @returns false where another one was quicker */
    async claim(scope: SystemScope, id: string, deviceHash: Buffer): Promise<boolean> {
      requireSystemScope(scope);
      const { numAffectedRows = 0n } = await sql`
        update driver_links set device_hash = ${deviceHash}, claimed_at = now() where id = ${id} and device_hash is null`.execute(
        db,
      );
      return numAffectedRows > 0n;
    },

    /** What became of an entry earlier; undefined where it is new. */
    async outcome(scope: SystemScope, link: string, key: string): Promise<EntryOutcome | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<EntryOutcome>`
        select outcome, text, said as values from driver_entries where link = ${link} and key = ${key}`.execute(db);
      return rows[0];
    },

    /** Notes an entry. @returns false where its key was noted before */
    async note(scope: SystemScope, of: { id: string; tenantId: string }, entry: NewDriverEntry): Promise<boolean> {
      requireSystemScope(scope);
      const { id, key, act, doneAt, number, photo, outcome, text, values } = entry;
      const { numAffectedRows = 0n } = await sql`
        insert into driver_entries (id, tenant_id, link, key, act, done_at, number, photo, outcome, text, said)
        values (${id}, ${of.tenantId}, ${of.id}, ${key}, ${act}, ${doneAt}, ${number}, ${photo}, ${outcome}, ${text}, ${JSON.stringify(values)})
        on conflict do nothing`.execute(db);
      return numAffectedRows > 0n;
    },

    async photoOf(scope: SystemScope, link: string, key: string): Promise<string | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{ id: string }>`
        select id from driver_photos where link = ${link} and key = ${key}`.execute(db);
      return rows[0]?.id;
    },

    async photosOf(scope: SystemScope, link: string): Promise<number> {
      requireSystemScope(scope);
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from driver_photos where link = ${link}`.execute(db);
      return rows[0]?.count ?? 0;
    },

    /** Keeps a photo. @returns false where its key has one */
    async keepPhoto(
      scope: SystemScope,
      of: { id: string; tenantId: string },
      photo: { id: string; key: string; attachmentId: string },
    ): Promise<boolean> {
      requireSystemScope(scope);
      const { numAffectedRows = 0n } = await sql`
        insert into driver_photos (id, tenant_id, link, key, attachment_id)
        values (${photo.id}, ${of.tenantId}, ${of.id}, ${photo.key}, ${photo.attachmentId}) on conflict do nothing`.execute(
        db,
      );
      return numAffectedRows > 0n;
    },

    /** A vehicle that somebody may see, held until the transaction ends. */
    async held(scope: TenantScope, transit: string) {
      const { rows } = await sql<{
        id: string;
        tenantId: string;
        number: string;
        plate: string;
        state: string;
        phone: string;
        day: string;
      }>`
        select t.id, t.tenant_id as "tenantId", t.number, t.plate, t.state, t.driver_phone_encrypted as phone,
               (select to_char(p.day, 'YYYY-MM-DD') from sale_orders o join sale_plans p on p.id = o.plan where o.id = t."order") as day
          from transits t where t.id = ${transit} and ${inScope(scope, "t")} and ${inRowScope(scope, "t")} for no key update`.execute(
        db,
      );
      return rows[0];
    },

    async add(
      scope: TenantScope,
      of: { tenantId: string; id: string },
      link: { id: string; tokenHash: Buffer; expiresAt: Date },
    ): Promise<void> {
      await sql`
        insert into driver_links (id, tenant_id, transit, token_hash, expires_at, created_by, created_tenant)
        values (${link.id}, ${of.tenantId}, ${of.id}, ${link.tokenHash}, ${link.expiresAt}, ${scope.accountId}, ${scope.tenantId})`.execute(
        db,
      );
    },

    /** Ends the link of a vehicle that the caller holds. @returns whether there was one */
    async revoke(scope: TenantScope, transit: string): Promise<boolean> {
      const { numAffectedRows = 0n } = await sql`
        update driver_links l set revoked_at = now()
         where l.transit = ${transit} and l.revoked_at is null and ${inScope(scope, "l")}`.execute(db);
      return numAffectedRows > 0n;
    },

    async sent(scope: TenantScope, link: string): Promise<void> {
      await sql`update driver_links l set sent_at = now() where l.id = ${link} and ${inScope(scope, "l")}`.execute(db);
    },

    /** The link of a vehicle that is good. */
    async linkOf(scope: TenantScope, transit: string) {
      const { rows } = await sql<{
        id: string;
        tokenHash: Buffer;
        untilTime: Date;
        createTime: Date;
        createName: string;
        openedTime: Date | null;
        sentTime: Date | null;
      }>`
        select l.id, l.token_hash as "tokenHash", l.expires_at as "untilTime", l.created_at as "createTime", ${personName("p")} as "createName",
               l.claimed_at as "openedTime", l.sent_at as "sentTime"
          from driver_links l join transits t on t.id = l.transit left join accounts p on p.id = l.created_by
         where l.transit = ${transit} and l.revoked_at is null and l.expires_at > clock_timestamp() and t.state not in ('closed', 'cancelled')
           and ${inScope(scope, "t")} and ${inRowScope(scope, "t")}`.execute(db);
      return rows[0];
    },

    /** What drivers of a vehicle entered, newest first. */
    async entriesOf(scope: TenantScope, transit: string) {
      const { rows } = await sql<{
        id: string;
        act: DriverAct;
        doneTime: Date;
        createTime: Date;
        outcome: string;
        text: string;
        values: Record<string, string | number>;
        number: string;
        photo: string;
      }>`
        select e.id, e.act, e.done_at as "doneTime", e.created_at as "createTime", e.outcome, e.text, e.said as values, e.number,
               coalesce(e.photo::text, '') as photo
          from driver_entries e join driver_links l on l.id = e.link join transits t on t.id = l.transit
         where l.transit = ${transit} and ${inScope(scope, "t")} and ${inRowScope(scope, "t")} order by e.id desc limit 50`.execute(
        db,
      );
      return rows;
    },

    /** Whose file a photo is, for whoever may see its vehicle. */
    async photoOwner(scope: TenantScope, photo: string) {
      const { rows } = await sql<{ attachmentId: string; accountId: string; tenantId: string }>`
        select h.attachment_id as "attachmentId", l.created_by as "accountId", l.created_tenant as "tenantId"
          from driver_photos h join driver_links l on l.id = h.link join transits t on t.id = l.transit
         where h.id = ${photo} and ${inScope(scope, "t")} and ${inRowScope(scope, "t")}`.execute(db);
      return rows[0];
    },
  };
}
