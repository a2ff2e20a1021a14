import type { BankLineProposal } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** A line of the bank's statement as matching needs it. */
export interface LineRow {
  id: string;
  bankReference: string;
  /** yyyy-MM-dd */
  bookedOn: string;
  direction: "in" | "out";
  amountFen: number;
  counterpartyNameEncrypted: string;
  counterpartyAccountIndex: Buffer | null;
  summary: string;
  aside: boolean;
}

/** Something that is awaited or is to be paid back. */
export interface Due extends Omit<BankLineProposal, "by" | "differenceFen"> {
  /** Names that the customer's transfers may come from. */
  names: string[];
  /** Whether the line comes from a bank card that the customer proved to own. */
  ownCard: boolean;
}

/** Most things that are looked at for one line. */
const mostDue = 200;

/** Lines of the bank's statement and what they may pay. @param db a pool or an open transaction */
export function bankLineRepository(db: Kysely<DB>) {
  return {
    /** A line by its id. @param hold against other changes, such as being set aside */
    async line(scope: SystemScope, id: string, hold = false): Promise<LineRow | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<LineRow>`
        select b.id, b.bank_reference as "bankReference", b.booked_on::text as "bookedOn", b.direction,
               b.amount_fen::float8 as "amountFen", b.counterparty_name_encrypted as "counterpartyNameEncrypted",
               b.counterparty_account_index as "counterpartyAccountIndex", b.summary, b.aside
          from bank_lines b where b.id = ${id} ${hold ? sql`for no key update` : sql``}`.execute(db);
      return rows[0];
    },

    /** What the bank's statement says of a reference; undefined where it has no such line. */
    async ofReference(
      scope: SystemScope,
      bankReference: string,
    ): Promise<Pick<LineRow, "direction" | "amountFen" | "aside"> | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<Pick<LineRow, "direction" | "amountFen" | "aside">>`
        select b.direction, b.amount_fen::float8 as "amountFen", b.aside from bank_lines b
         where b.bank_reference = ${bankReference}`.execute(db);
      return rows[0];
    },

    /** Number of the payment or deposit that a reference pays; undefined for none. */
    async paidBy(scope: SystemScope, bankReference: string): Promise<string | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{ number: string }>`
        select b.matched_to as number from bank_line_rows b
         where b.bank_reference = ${bankReference} and b.matched_to <> ''`.execute(db);
      return rows[0]?.number;
    },

    /** Payments and deposits that a line may pay: those of its amount, and those that its remark names. */
    async due(scope: SystemScope, line: LineRow, numbers: readonly string[]): Promise<Due[]> {
      requireSystemScope(scope);
      const incoming = line.direction === "in";
      const { rows } = await sql<Due>`
        select d.*, t.name as customer,
               array_remove(array[t.name, (select nullif(a.real_name, '') from accounts a where a.id = d.by)], null) as names,
               exists (select from bank_cards c where c.tenant_id = d.tenant and c.number_index = ${line.counterpartyAccountIndex}
                          and c.state = 'verified') as "ownCard"
          from (
            select 'payment' as target, y.id::text as id, y.number, y.kind as what, y.amount_fen::float8 as "amountFen",
                   y.tenant_id as tenant, o.number as of, o.created_by as by
              from payments y join sale_orders o on o.id = y."order"
             where y.state = 'awaited' and (y.kind = 'refund') <> ${incoming}
            union all
            select 'deposit', d.id::text, d.number, case when ${incoming} then 'deposit' else 'release' end, d.amount_fen::float8,
                   d.tenant_id, l.number, d.created_by
              from deposits d join lots l on l.id = d.lot
             where d.state = case when ${incoming} then 'awaited' else 'returning' end) d
          join tenants t on t.tenant_id = d.tenant
         where d."amountFen" = ${line.amountFen} or d.number = any(${[...numbers]}) or d.of = any(${[...numbers]})
         order by d.id limit ${mostDue}`.execute(db);
      return rows;
    },
  };
}
