import type { DeviceKindId } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { personName } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";
import type { NewItem } from "./commissioning.repository.ts";

interface DemoUnit {
  unitId: string;
  accountId: string;
  name: string;
  devices: { id: string; kind: DeviceKindId; reported: string[] }[];
}

/** Lists of the demo. @param db an open transaction */
export function demoListRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** The unit of a demo device with its devices, and the member who commissions it. */
    async unit(serialNumber: string): Promise<DemoUnit | undefined> {
      const { rows } = await sql<DemoUnit>`
        select d.unit_id::text as unit_id, a.id::text as account_id, ${personName("a")} as name,
               (select jsonb_agg(jsonb_build_object('id', o.id::text, 'kind', o.kind, 'reported', '[]'::jsonb) order by o.kind, o.sort, o.id)
                  from devices o where o.unit_id = d.unit_id and o.tenant_id = d.tenant_id) as devices
          from devices d join memberships m on m.tenant_id = d.tenant_id join accounts a on a.id = m.account_id
         where d.serial_number = ${serialNumber} and d.unit_id is not null and a.account = 'farm' limit 1`.execute(db);
      return rows[0];
    },

    async insert(
      { id, unitId, accountId, items }: { id: string; unitId: string; accountId: string; items: readonly NewItem[] },
      nextId: () => string,
    ): Promise<void> {
      await sql`
        insert into commissionings (id, tenant_id, unit_id, state, created_by, created_at)
        select ${id}, u.tenant_id, u.id, 'open', ${accountId}, now() - interval '40 minutes' from units u where u.id = ${unitId}`.execute(
        db,
      );
      for (const [position, { check, deviceId, part }] of items.entries())
        await sql`
          insert into commissioning_items (id, commissioning_id, position, check_kind, device_id, part)
          values (${nextId()}, ${id}, ${position}, ${check}, ${deviceId}, ${part})`.execute(db);
    },
  };
}
