import { type Kysely, sql } from "kysely";
import { inOneTenant } from "../database/conditions.ts";
import type { DB } from "../database/generated/database.ts";
import type { MemberScope, SystemScope, TenantScope } from "../tenant-scope.ts";
import { type Changes, changeRow } from "./row.repository.ts";

/** The bank has it now; it is on the account now. */
export const sentNow = { sentAt: sql`now()` };
export const arrivedNow = { sentAt: sql`coalesce(r.sent_at, now())`, arrivedAt: sql`now()` };

/** Small amounts that prove whose an account is. @param db a pool or an open transaction */
export const remittanceTable = (db: Kysely<DB>, table: "realNameRemittances" | "bankCardRemittances") => ({
  /** How many a tenant ordered within 24 hours. */
  async ordersOfDay(scope: MemberScope): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)} r
       where r.created_at > now() - interval '24 hours' and ${inOneTenant(scope, "r")}`.execute(db);
    return rows[0]?.count ?? 0;
  },

  /** Writes what became of one. Callers hold what it belongs to. */
  learn: (scope: TenantScope | SystemScope, id: string, change: Changes): Promise<void> =>
    changeRow(db, table, scope, id, change),
});
