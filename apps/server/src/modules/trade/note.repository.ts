import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** A settlement as its notes need it. */
interface NotedSettlement {
  id: string;
  tenantId: string;
  order: string;
  state: string;
  totalFen: number;
  /** Credits that are confirmed or drafted, fen. */
  creditsFen: number;
}

/** A payment that a note is set off against. */
interface OpenPayment {
  id: string;
  kind: string;
  state: string;
  amountFen: number;
}

/** What notes look at beside their rows. @param db a pool or an open transaction */
export function noteRepository(db: Kysely<DB>) {
  return {
    /** Holds the order of a settlement, then reads the settlement with the credits that it has. @param without a note that is not counted */
    async settlement(scope: SystemScope, id: string, without = "0"): Promise<NotedSettlement | undefined> {
      requireSystemScope(scope);
      await sql`
        select from sale_orders o where o.id = (select s."order" from settlements s where s.id = ${id}) for no key update`.execute(
        db,
      );
      const { rows } = await sql<NotedSettlement>`
        select s.id::text as id, s.tenant_id as "tenantId", s."order"::text as "order", s.state, s.total_fen::float8 as "totalFen",
               coalesce((select sum(n.amount_fen) from notes n
                          where n.settlement = s.id and n.kind = 'credit' and n.state <> 'void' and n.id <> ${without}), 0)::float8 as "creditsFen"
          from settlements s where s.id = ${id}`.execute(db);
      return rows[0];
    },

    /** Settlement of a note. */
    async settlementOf(scope: SystemScope, note: string): Promise<string> {
      requireSystemScope(scope);
      const { rows } = await sql<{ id: string }>`
        select n.settlement::text as id from notes n where n.id = ${note}`.execute(db);
      return rows[0]?.id ?? "0";
    },

    /** What is still to be paid, or paid back, of a held order; not what came by mistake and goes back. */
    async open(scope: SystemScope, order: string): Promise<OpenPayment[]> {
      requireSystemScope(scope);
      const { rows } = await sql<OpenPayment>`
        select y.id::text as id, y.kind, y.state, y.amount_fen::float8 as "amountFen" from payments y
         where y."order" = ${order} and y.state in ('awaited', 'recorded') and y.pay_notice is null order by y.id`.execute(
        db,
      );
      return rows;
    },
  };
}
