import { type Kysely, sql } from "kysely";
import { inReach, personName } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** People around commissioning lists: who signs, and who is told of a test alarm. @param db a pool or an open transaction */
export function receiverRepository(db: Kysely<DB>) {
  return {
    /** Name of an account as people know it. */
    async nameOf(scope: TenantScope): Promise<string> {
      const { rows } = await sql<{ name: string }>`
        select ${personName("a")} as name from accounts a where a.id = ${scope.accountId}`.execute(db);
      return rows[0]?.name ?? "";
    },

    /** Members of a list's tenant who hold a button, with whether an SMS reaches them. */
    async receivers(scope: TenantScope, id: string, buttonCode: string) {
      const { rows } = await sql<{ accountId: string; personName: string; hasPhone: boolean; phoneEncrypted: string }>`
        select a.id::text as account_id, ${personName("a")} as person_name,
               a.phone_verified_at is not null and a.phone_encrypted <> '' as has_phone,
               case when a.phone_verified_at is null then '' else a.phone_encrypted end as phone_encrypted
          from commissionings c join units u on u.id = c.unit_id join memberships m on m.tenant_id = c.tenant_id and m.status = 1
          join accounts a on a.id = m.account_id and a.status = 1
         where c.id = ${id} and ${inReach(scope, "u")}
           and exists (select from membership_roles mr join granted_menus rm on rm.role_id = mr.role_id join menus n on n.id = rm.menu_id
                        where mr.membership_id = m.id and n.code = ${buttonCode})
         order by has_phone desc, person_name, a.id limit 200`.execute(db);
      return rows;
    },

    /** An unconfirmed test alarm that was sent to the scope's account. */
    async sentTo(scope: TenantScope, itemId: string): Promise<string | undefined> {
      const { rows } = await sql<{ id: string }>`
        select c.id::text as id from commissioning_items i join commissionings c on c.id = i.commissioning_id
         where i.id = ${itemId} and i.check_kind = 'alarm' and i.result = 'running' and i.receiver_id = ${scope.accountId}
           and c.tenant_id = ${scope.tenantId}`.execute(db);
      return rows[0]?.id;
    },
  };
}
export type ReceiverRepository = ReturnType<typeof receiverRepository>;
