import type { OrderView } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inRowScope, inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

type Settlement = NonNullable<OrderView["settlement"]>;

/** An order with its plan, as it is read. */
type Head = Pick<
  OrderView,
  "id" | "number" | "state" | "heads" | "pricePerKg" | "expectedFen" | "paidFen" | "depositFen" | "dueFen"
> &
  OrderView["plan"] & {
    planId: string;
    planNumber: string;
    customer: string;
    term: OrderView["contractTerm"] | null;
  };

/** Tickets that a weighing `w` was made of, the empty vehicle first. */
const ticketsOf = sql`
  coalesce((select jsonb_agg(jsonb_build_object('ticket', s.ticket, 'use', s.use, 'weightGrams', s.weight_grams, 'stable', s.stable = 'yes',
                     'weighedMs', floor(extract(epoch from s.weighed_at) * 1000), 'device', coalesce(d.name, ''))
                   order by s.use desc)
              from scale_tickets s left join devices d on d.id = s.device where s.id in (w.tare_ticket, w.gross_ticket)), '[]')`;

/** What a person sees of an order. @param db a pool or an open transaction */
export function orderViewRepository(db: Kysely<DB>) {
  return {
    /** An order that a scope reaches, with its plan and its buyer. */
    async order(scope: TenantScope, id: string): Promise<Head | undefined> {
      const { rows } = await sql<Head>`
        select o.id, o.number, o.state, o.heads, o.price_per_kg as "pricePerKg", o.expected_fen::float8 as "expectedFen",
               o.paid_fen::float8 as "paidFen", o.deposit_fen::float8 as "depositFen", o.due_fen::float8 as "dueFen",
               (select json_build_object('id', x.id::text, 'number', x.number, 'contract', x.contract::text)
                  from price_term_rows x where x.id = o.contract_term) as term,
               t.name as customer, p.id as "planId", p.number as "planNumber", f.field_name as field,
               coalesce(r.region_name, '') as region, p.day::text as day, p.category, p.from_kg as "fromKg", p.to_kg as "toKg"
          from sale_order_rows o join tenants t on t.tenant_id = o.tenant_id join sale_plans p on p.id = o.plan
          join sale_fields f on f.id = p.field left join sale_regions r on r.id = f.sale_region
         where o.id = ${id} and ${inScope(scope, "o")} and ${inRowScope(scope, "o")}`.execute(db);
      return rows[0];
    },

    async payments(scope: TenantScope, order: string) {
      const { rows } = await sql<OrderView["payments"][number] & { stateAt: Date }>`
        select y.id, y.number, y.kind, y.amount_fen::float8 as "amountFen", y.state, y.bank_reference as "bankReference",
               coalesce(y.received_on::text, '') as "receivedOn", y.state_at as "stateAt"
          from payments y where y."order" = ${order} and y.state <> 'void' and ${inScope(scope, "y")} order by y.id`.execute(
        db,
      );
      return rows;
    },

    async invoices(scope: TenantScope, order: string) {
      const { rows } = await sql<OrderView["invoices"][number]>`
        select i.id, i.number, i.amount_fen::float8 as "amountFen", i.state, i.invoice_number as "invoiceNumber"
          from invoices i where i."order" = ${order} and i.state not in ('returned', 'withdrawn') and ${inScope(scope, "i")}
         order by i.id`.execute(db);
      return rows;
    },

    async notes(scope: TenantScope, order: string) {
      const { rows } = await sql<OrderView["notes"][number]>`
        select n.id, n.number, n.kind, n.amount_fen::float8 as "amountFen", n.reasons, n.state
          from notes n where n."order" = ${order} and n.state <> 'void' and ${inScope(scope, "n")} order by n.id`.execute(
        db,
      );
      return rows;
    },

    async weighings(scope: TenantScope, order: string) {
      const { rows } = await sql<Omit<OrderView["weighings"][number], "meanGrams">>`
        select w.id, w.number, w.plate, w.gross_grams as "grossGrams", w.tare_grams as "tareGrams",
               w.gross_grams - w.tare_grams as "netGrams", w.heads, w.state, w.source, ${ticketsOf} as tickets
          from weighings w where w."order" = ${order} and w.state <> 'void' and ${inScope(scope, "w")} order by w.id`.execute(
        db,
      );
      return rows;
    },

    async arrivals(scope: TenantScope, order: string) {
      const { rows } = await sql<OrderView["arrivals"][number]>`
        select w.id, w.number, w.plate, w.gross_grams as "grossGrams", w.tare_grams as "tareGrams",
               w.gross_grams - w.tare_grams as "netGrams", w.loading_grams as "loadingGrams", w.photo, w.state, w.source, ${ticketsOf} as tickets
          from arrival_weighings w where w."order" = ${order} and w.state <> 'withdrawn' and ${inScope(scope, "w")} order by w.id`.execute(
        db,
      );
      return rows;
    },

    async settlement(scope: TenantScope, order: string): Promise<Settlement | undefined> {
      const { rows } = await sql<Settlement>`
        select s.id, s.number, s.state, s.heads, s.net_grams::float8 as "netGrams", s.goods_fen::float8 as "goodsFen",
               s.deduction_fen::float8 as "deductionFen", s.deduction_reason as "deductionReason", s.tax_fen::float8 as "taxFen",
               s.total_fen::float8 as "totalFen", s.paid_fen::float8 as "paidFen", s.left_fen::float8 as "leftFen", s.lines
          from settlements s where s."order" = ${order} and s.state <> 'void' and ${inScope(scope, "s")}`.execute(db);
      return rows[0];
    },

    /** When the order last came into each of its states. */
    async times(scope: TenantScope, order: string): Promise<{ state: string; at: Date }[]> {
      const { rows } = await sql<{ state: string; at: Date }>`
        select e.state, max(e.created_at) as at from process_entries e
         where e.process = 'sale_order' and e.row_id = ${order} and ${inScope(scope, "e")} group by e.state`.execute(
        db,
      );
      return rows;
    },

    /** When a plan was published. Its history is the group's. */
    async plannedAt(scope: SystemScope, plan: string): Promise<Date | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{ at: Date }>`
        select max(e.created_at) as at from process_entries e
         where e.process = 'sale_plan' and e.row_id = ${plan} and e.event = 'publish'`.execute(db);
      return rows[0]?.at ?? undefined;
    },
  };
}
