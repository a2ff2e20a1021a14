import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { deviceInReach, inOneTenant, inRowScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/**
 * What the maintenance log needs beside what every list has.
 * @param db a pool or an open transaction
 */
export function maintenanceRepository(db: Kysely<DB>) {
  const reached = (scope: TenantScope): RawBuilder<SqlBool> =>
    sql<SqlBool>`${inOneTenant(scope, "e")} and ${inRowScope(scope, "e")}`;
  return {
    /** The unit that a device of the tenant hangs in; undefined for none. */
    async unitOf(scope: TenantScope, deviceId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom("devices as d")
        .select("d.unitId")
        .where("d.id", "=", deviceId)
        .where(inOneTenant(scope, "d"))
        .where(deviceInReach(scope, "d"))
        .executeTakeFirst();
      return row?.unitId ?? undefined;
    },

    /** The title of an entry that the scope reaches, held for a change of its photos; undefined for none. */
    async held(scope: TenantScope, entryId: string): Promise<string | undefined> {
      const { rows } = await sql<{ work: string }>`
        select e.work from maintenance_entries e where e.id = ${entryId} and ${reached(scope)} for update`.execute(db);
      return rows[0]?.work;
    },

    /** Names of the photos of an entry that the scope reaches, oldest first. */
    async photos(scope: TenantScope, entryId: string): Promise<string[]> {
      const { rows } = await sql<{ name: string }>`
        select a.name from maintenance_photos p join attachments a on a.id = p.attachment_id
          join maintenance_entries e on e.id = p.entry_id
         where p.entry_id = ${entryId} and a.state = 'kept' and ${reached(scope)}
         order by p.added_at, a.id`.execute(db);
      return rows.map(({ name }) => name);
    },

    /** @returns false where there is no such shared picture of the tenant's */
    async add(scope: TenantScope, entryId: string, name: string): Promise<boolean> {
      const { rows } = await sql`
        insert into maintenance_photos (entry_id, attachment_id)
        select e.id, a.id from maintenance_entries e cross join attachments a
         where e.id = ${entryId} and ${reached(scope)} and a.name = ${name} and a.state = 'kept' and a.visibility = 'shared'
           and a.extension in ('jpg', 'png') and ${inOneTenant(scope, "a")}
        on conflict do nothing returning entry_id`.execute(db);
      return rows.length > 0;
    },

    /** @returns false where the entry has none of that name */
    async remove(scope: TenantScope, entryId: string, name: string): Promise<boolean> {
      const { rows } = await sql`
        delete from maintenance_photos p using maintenance_entries e, attachments a
         where e.id = p.entry_id and a.id = p.attachment_id and p.entry_id = ${entryId} and a.name = ${name} and ${reached(scope)}
        returning p.entry_id`.execute(db);
      return rows.length > 0;
    },
  };
}
export type MaintenanceRepository = ReturnType<typeof maintenanceRepository>;
