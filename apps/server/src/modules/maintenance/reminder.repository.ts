import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** Maintenance that is due soon, and of which nobody was told. */
export interface DueMaintenance {
  id: string;
  tenantId: string;
  work: string;
  /** Of the device or unit; "" for neither. */
  place: string;
  /** yyyy-MM-dd */
  dueOn: string;
}

/**
 * What is due, whosever it is.
 * @param db an open transaction
 */
export function reminderRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /**
     * Takes entries whose next time is due up to a day and of which nobody was told. One that was followed by another of its type
     * at the same device, or without a device in the same unit, is done.
     * @param untilDay yyyy-MM-dd
     */
    async take(untilDay: string, limit: number): Promise<DueMaintenance[]> {
      const { rows } = await sql<DueMaintenance>`
        with due as (
          select e.id from maintenance_entries e
           where e.next_due_on <= ${untilDay}::date and e.reminded_for is distinct from e.next_due_on
             and not exists (
               select from maintenance_entries l
                where l.tenant_id = e.tenant_id and l.type = e.type and l.id <> e.id and (l.done_on, l.id) > (e.done_on, e.id)
                  and case when e.device_id is null then l.unit_id = e.unit_id else l.device_id = e.device_id end)
           order by e.next_due_on, e.id limit ${limit} for update skip locked)
        update maintenance_entries e set reminded_for = e.next_due_on
          from due where due.id = e.id
        returning e.id::text as id, e.tenant_id, e.work, to_char(e.next_due_on, 'YYYY-MM-DD') as due_on,
          coalesce((select d.name from devices d where d.id = e.device_id and d.tenant_id = e.tenant_id),
                   (select h.name || ' / ' || u.name from units u join pig_houses h on h.id = u.house_id where u.id = e.unit_id),
                   '') as place`.execute(db);
      return rows;
    },

    /** Members of a tenant whose roles hold a button. */
    async holders(tenantId: string, buttonCode: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select m.account_id::text as id from memberships m join accounts p on p.id = m.account_id
         where m.tenant_id = ${tenantId} and m.status = 1 and p.status = 1
           and exists (select from membership_roles mr join granted_menus rm on rm.role_id = mr.role_id
                         join menus n on n.id = rm.menu_id
                        where mr.membership_id = m.id and n.code = ${buttonCode})
         order by m.account_id limit 200`.execute(db);
      return rows.map(({ id }) => id);
    },
  };
}
export type ReminderRepository = ReturnType<typeof reminderRepository>;
