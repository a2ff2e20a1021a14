import { type AccessRequestState, accessRequestScreen } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inOneTenant, inScope, ofMember } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import { type Changes, changeRow } from "../../processes/index.ts";
import type { MemberScope, SystemScope, TenantScope } from "../../tenant-scope.ts";

export interface AccessRequestRow {
  id: string;
  tenantId: string;
  accountId: string;
  menuId: string;
  state: AccessRequestState;
  version: number;
  asker: string;
  menu: string;
  code: string;
  reason: string;
  askTime: Date;
  roles: { id: string; name: string }[];
}

/** @param db a pool or an open transaction */
export function requestRepository(db: Kysely<DB>) {
  const list = {
    table: sql`access_requests q`,
    key: "q.id",
    joins: sql`join accounts a on a.id = q.account_id join menus n on n.id = q.menu_id`,
    order: [{ by: sql`q.id` }],
    columns: sql`q.id, q.tenant_id, q.account_id, q.menu_id, q.state, q.version, coalesce(nullif(a.real_name, ''), a.account) as asker,
      n.name as menu, n.code, q.reason, q.asked_at as ask_time, coalesce((
        select jsonb_agg(jsonb_build_object('id', r.id::text, 'name', r.role_name) order by r.sort, r.id) from memberships m
          join membership_roles mr on mr.membership_id = m.id join roles r on r.id = mr.role_id
         where m.account_id = q.account_id and m.tenant_id = q.tenant_id), '[]') as roles`,
  };
  const one = async (where: RawBuilder<SqlBool>) =>
    (await readList<AccessRequestRow>(db, { ...list, where: [where] }, { offset: 0, limit: 1 })).rows[0];
  return {
    /** Held against other changes. */
    async find(scope: TenantScope | SystemScope, id: string) {
      const meant = sql<SqlBool>`q.id = ${id} and ${inScope(scope, "q")}`;
      await sql`select from access_requests q where ${meant} for update`.execute(db);
      return one(meant);
    },
    /** The one that waits. */
    open: (by: MemberScope, menuId: string) =>
      one(
        sql<SqlBool>`q.menu_id = ${menuId} and q.state = 'waiting' and ${ofMember(by, "q")} and ${inOneTenant(by, "q")}`,
      ),
    /** @returns false where one waits already */
    async insert(by: MemberScope, id: string, menuId: string, askedAt: Date): Promise<boolean> {
      const { rows } = await sql`
        insert into access_requests (id, tenant_id, account_id, menu_id, asked_at)
        values (${id}, ${by.tenantId}, ${by.accountId}, ${menuId}, ${askedAt}) on conflict do nothing returning id`.execute(
        db,
      );
      return rows.length > 0;
    },
    move: (scope: TenantScope | SystemScope, id: string, changes: Changes) =>
      changeRow(db, "accessRequests", scope, id, { version: sql`r.version + 1`, ...changes }),
    page: (scope: TenantScope, queue: "waiting" | "done", range: PageRange) =>
      readList<AccessRequestRow>(
        db,
        {
          ...list,
          where: [sql<SqlBool>`q.state = any(${[...accessRequestScreen.queues[queue].of]})`, inScope(scope, "q")],
        },
        range,
      ),
  };
}
export type RequestRepository = ReturnType<typeof requestRepository>;
