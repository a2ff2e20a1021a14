import { type Kysely, type RawBuilder, sql } from "kysely";
import { inOneTenant, inScope } from "../database/conditions.ts";
import type { DB } from "../database/generated/database.ts";
import type { MemberScope, SystemScope, TenantScope } from "../tenant-scope.ts";

/** What is known of a small amount, by column; what is left out stays. */
export type RemittanceChange = Readonly<Partial<Record<string, string | number | Date | RawBuilder<unknown>>>>;

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
  async learn(scope: TenantScope | SystemScope, id: string, change: RemittanceChange): Promise<void> {
    const set = Object.entries(change).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    if (set.length > 0)
      await sql`update ${sql.table(table)} r set ${sql.join(set)} where r.id = ${id} and ${inScope(scope, "r")}`.execute(
        db,
      );
  },
});
