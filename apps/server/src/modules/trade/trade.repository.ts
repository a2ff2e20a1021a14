import type { HeldTerm, PlannedLot, SaleCategory, SaleMode } from "@herdwise/contract";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { inOneTenant } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

/** What a declaration needs of its plan. */
export interface OfferRow {
  id: string;
  field: string;
  day: string;
  category: SaleCategory;
  mode: SaleMode;
  fromKg: number;
  toKg: number;
  pricePerKg: number | null;
  endsAt: Date;
  headsLeft: number;
  /** Sale region of the field; "" for none. */
  region: string;
}

/** The herd that a plan sells from. */
export interface Herd {
  /** Null where the plan names none, or one of another farm. */
  unit: string | null;
  unitName: string;
  heads: number;
  /** Heads of the unit's other plans that are approved or published. */
  planned: number;
  medicine: string | null;
  /** yyyy-MM-dd */
  given: string | null;
  until: string | null;
}

/** An order as its weighings and settlements need it. */
export interface OrderAt {
  tenantId: string;
  createdBy: string;
  state: string;
  /** Fen. */
  pricePerKg: number;
  day: string;
  category: SaleCategory;
  /** Sale region of the field; "" for none. */
  region: string;
}

/** A confirmed weighing. Weights are grams. */
export interface WeighedRow {
  plate: string;
  heads: number;
  grossGrams: number;
  tareGrams: number;
}

/**
 * The treatment or vaccination of a unit whose withdrawal period reaches furthest, where it reaches a day: medicine, last day on which it
 * was given, until.
 * @param unit id of the unit @param day the day that it must reach
 */
export const withdrawalOf = (unit: RawBuilder<unknown>, day: RawBuilder<unknown>): RawBuilder<unknown> => sql`
            select d.name as medicine, g.on_day::text as given, (g.on_day + d.withdrawal_days)::text as until
              from (select t.medicine_id, t.last_day as on_day from treatments t where t.unit_id = ${unit}
                    union all select v.medicine_id, v.planned_on from vaccination_plans v where v.unit_id = ${unit}) g
              join medicines d on d.id = g.medicine_id
             where g.on_day + d.withdrawal_days >= ${day} and d.withdrawal_days > 0
             order by g.on_day + d.withdrawal_days desc limit 1`;

/**
 * What the rules of trade read and write beside the rows of their processes.
 * @param db a pool or an open transaction
 */
export function tradeRepository(db: Kysely<DB>) {
  return {
    /** A published plan. Plans are the group's, whoever asks. @param scope why it is read */
    async offer(scope: SystemScope, id: string): Promise<OfferRow | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<OfferRow>`
        select p.id, p.field, p.day::text as day, p.category, p.mode, p.from_kg as "fromKg", p.to_kg as "toKg",
               p.price_per_kg as "pricePerKg", p.ends_at as "endsAt", p.heads - p.taken as "headsLeft",
               coalesce(f.sale_region::text, '') as region
          from sale_plans p join sale_fields f on f.id = p.field where p.id = ${id} and p.state = 'published' and p.ends_at > now()`.execute(
        db,
      );
      return rows[0];
    },

    /**
     * Takes heads of a published plan, or gives them back where they are negative.
     * @returns false where there are not so many left, or the plan is not published any more
     */
    async take(scope: SystemScope, plan: string, heads: number): Promise<boolean> {
      requireSystemScope(scope);
      const { numAffectedRows = 0n } = await sql`
        update sale_plans set taken = taken + ${heads}
         where id = ${plan} and taken + ${heads} between 0 and heads
           and (${heads} < 0 or (state = 'published' and ends_at > now()))`.execute(db);
      return numAffectedRows > 0n;
    },

    /** The other plans of a field and day that take vehicles: all but drafts and dropped ones. Their approvals wait for each other. */
    async plansBeside(
      scope: SystemScope,
      plan: { id: string; field: string; day: string },
    ): Promise<Pick<PlannedLot, "state" | "heads" | "taken">[]> {
      requireSystemScope(scope);
      await sql`select pg_advisory_xact_lock(hashtext(${`sale plans ${plan.field} ${plan.day}`}))`.execute(db);
      const { rows } = await sql<Pick<PlannedLot, "state" | "heads" | "taken">>`
        select p.state, p.heads, p.taken from sale_plans p
         where p.field = ${plan.field} and p.day = ${plan.day} and p.id <> ${plan.id}
           and p.state in ('approved', 'published', 'closed')`.execute(db);
      return rows;
    },

    /**
     * The herd that a plan sells from; undefined where its field is no farm of the group, or one whose units are not in the archive. A field and a
     * farm with one code are the same.
     * `until` is the last day of a withdrawal period that reaches into the loading day, with the medicine and its day.
     */
    async herdOf(scope: SystemScope, plan: string): Promise<Herd | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<Herd>`
        select u.id as unit, coalesce(u.name, '') as "unitName", coalesce(u.head_count, 0) as heads,
               -- Loaded heads have left the unit already.
               coalesce((select sum(greatest(o.heads + coalesce((
                           select sum(v.heads) from inventory_movements v join sale_orders s on s.id = v.sale_order where s.plan = o.id), 0), 0))::int
                           from sale_plans o
                          where o.unit = p.unit and o.id <> p.id and o.state in ('approved', 'published')), 0) as planned,
               w.medicine, w.given, w.until
          from sale_plans p
          join sale_fields f on f.id = p.field
          join farms m on m.tenant_id = p.tenant_id and lower(m.code) = lower(f.field_code)
          left join (units u join pig_houses h on h.id = u.house_id) on u.id = p.unit and h.farm_id = m.id and u.tenant_id = p.tenant_id
          left join lateral (${withdrawalOf(sql`u.id`, sql`p.day`)}) w on true
         where p.id = ${plan} and (p.unit is not null or exists (
           select from pig_houses h join units u on u.house_id = h.id where h.farm_id = m.id))`.execute(db);
      return rows[0];
    },

    /** Sale region of a field; "" for none. */
    async regionOf(scope: SystemScope, field: string): Promise<string> {
      requireSystemScope(scope);
      const { rows } = await sql<{ region: string }>`
        select coalesce(f.sale_region::text, '') as region from sale_fields f where f.id = ${field}`.execute(db);
      return rows[0]?.region ?? "";
    },

    /** Whether a customer is a person or an enterprise. */
    async kindOf(scope: TenantScope): Promise<string> {
      const { rows } = await sql<{
        type: string;
      }>`select t.type from tenants t where ${inOneTenant(scope, "t")}`.execute(db);
      return rows[0]?.type ?? "";
    },

    /** Lets the open declarations of a plan expire with the clock's next run. */
    async expireDeclarations(scope: SystemScope, plan: string): Promise<void> {
      requireSystemScope(scope);
      await sql`
        update declarations set expires_at = now() where plan = ${plan} and state in ('submitted', 'offered') and expires_at > now()`.execute(
        db,
      );
    },

    /** Whether a customer has a contract in force on a day. */
    async hasContract(scope: TenantScope, day: string): Promise<boolean> {
      const { rows } = await sql`
        select from contracts c where c.state = 'signed' and ${inOneTenant(scope, "c")}
           and coalesce(c.start_day, ${day}::date) <= ${day}::date and coalesce(c.end_day, ${day}::date) >= ${day}::date limit 1`.execute(
        db,
      );
      return rows.length > 0;
    },

    /**
     * Signed price terms of a customer with what hangs on them.
     * @param lock waits for other steps on the customer's terms and for the end of their contracts, and holds them off until the transaction ends
     */
    async termsOf(scope: SystemScope, tenantId: string, lock = false): Promise<HeldTerm[]> {
      requireSystemScope(scope);
      // By a statement of its own: one that waits for the lock would read what was before.
      if (lock)
        await sql`
          select from contracts c where c.tenant_id = ${tenantId} and exists (select from contract_terms t where t.contract = c.id)
           order by c.id for no key update`.execute(db);
      const { rows } = await sql<HeldTerm>`
        select t.id::text as id, t.number, t.category, coalesce(t.field::text, '') as field,
               coalesce(t.sale_region::text, '') as "saleRegion", t.place, t.from_kg as "fromKg", t.to_kg as "toKg", t.kind, t.fen,
               t.heads, t.from_day::text as "fromDay", t.to_day::text as "toDay", t.term_state = 'ended' as ended,
               t.used_heads as used, t.waiting_heads as waiting
          from price_term_rows t where t.tenant_id = ${tenantId} order by t.id`.execute(db);
      return rows;
    },

    /** The price board's price for a plan today, fen per kg; null where none was published in the last days. */
    async boardFen(scope: SystemScope, plan: string): Promise<number | null> {
      requireSystemScope(scope);
      const { rows } = await sql<{ fen: number | null }>`
        select board_fen(f.region_code, p.category, (now() at time zone 'Asia/Shanghai')::date) as fen
          from sale_plans p join sale_fields f on f.id = p.field where p.id = ${plan}`.execute(db);
      return rows[0]?.fen ?? null;
    },

    /** The lot that an order was won in, and whose it is; undefined for other orders. */
    async lotOfOrder(scope: SystemScope, id: string): Promise<{ lot: string; tenantId: string } | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{ lot: string; tenantId: string }>`
        select o.lot, o.tenant_id as "tenantId" from sale_orders o where o.id = ${id} and o.lot is not null`.execute(
        db,
      );
      return rows[0];
    },

    /** A customer's order of a lot; null for none. */
    async orderOfLot(scope: SystemScope, { lot, tenantId }: { lot: string; tenantId: string }): Promise<string | null> {
      requireSystemScope(scope);
      const { rows } = await sql<{ id: string }>`
        select o.id from sale_orders o where o.lot = ${lot} and o.tenant_id = ${tenantId}`.execute(db);
      return rows[0]?.id ?? null;
    },

    /**
     * Weighings of an order that count, and how many still wait for a second person. Where a weight at arrival was taken, it stands for the one at
     * loading.
     */
    async weighed(scope: SystemScope, order: string): Promise<{ confirmed: WeighedRow[]; waiting: number }> {
      requireSystemScope(scope);
      const { rows } = await sql<WeighedRow & { state: string }>`
        select w.plate, w.heads, coalesce(a.gross_grams, w.gross_grams) as "grossGrams", coalesce(a.tare_grams, w.tare_grams) as "tareGrams",
               w.state
          from weighings w left join arrival_weighings a on a."order" = w."order" and a.plate = w.plate and a.state = 'taken'
         where w."order" = ${order} and w.state <> 'void' order by w.id`.execute(db);
      return {
        confirmed: rows.filter(({ state }) => state === "confirmed").map(({ state, ...row }) => row),
        waiting: rows.filter(({ state }) => state === "entered").length,
      };
    },

    /**
     * Payments of an order: what arrived without what was paid back, with a credited deposit, in fen, and ids of those that are open. What came by
     * mistake and goes back is open, but neither counted nor `due` for the order.
     */
    async paid(scope: SystemScope, order: string): Promise<{ fen: number; open: string[]; due: string[] }> {
      requireSystemScope(scope);
      const { rows } = await sql<{ id: string; kind: string; state: string; amountFen: string; own: boolean }>`
        select y.id, y.kind, y.state, y.amount_fen as "amountFen", y.pay_notice is null as own from payments y
         where y."order" = ${order} and y.state <> 'void'`.execute(db);
      const credited = await sql<{ fen: string }>`
        select d.amount_fen as fen from deposits d where d."order" = ${order} and d.state = 'credited'`.execute(db);
      return {
        fen: rows
          .filter(({ state, own }) => state === "done" && own)
          .reduce(
            (sum, { kind, amountFen }) => sum + (kind === "refund" ? -1 : 1) * Number(amountFen),
            credited.rows.reduce((sum, { fen }) => sum + Number(fen), 0),
          ),
        open: rows.filter(({ state }) => state !== "done").map(({ id }) => id),
        due: rows.filter(({ state, own }) => state !== "done" && own).map(({ id }) => id),
      };
    },

    /** Holds the order that a payment, a settlement or a weight at arrival belongs to. Every step that holds both holds the order first. */
    async holdOrderOf(
      scope: SystemScope,
      {
        payment = null,
        settlement = null,
        arrival = null,
      }: { payment?: string | null; settlement?: string | null; arrival?: string | null },
    ): Promise<void> {
      requireSystemScope(scope);
      await sql`
        select from sale_orders o
         where o.id = (select y."order" from payments y where y.id = ${payment}
                       union all select s."order" from settlements s where s.id = ${settlement}
                       union all select a."order" from arrival_weighings a where a.id = ${arrival})
           for no key update`.execute(db);
    },

    /** Whether somebody has found a payment of the order on the bank's statement that nobody has confirmed yet. */
    async isRecorded(scope: SystemScope, order: string): Promise<boolean> {
      requireSystemScope(scope);
      const { rows } = await sql`
        select from payments y where y."order" = ${order} and y.state = 'recorded' limit 1`.execute(db);
      return rows.length > 0;
    },

    /** An order as its weighings and settlements need it. */
    async orderAt(scope: SystemScope, id: string): Promise<OrderAt | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<OrderAt>`
        select o.tenant_id as "tenantId", o.created_by as "createdBy", o.state, o.price_per_kg as "pricePerKg", p.day::text as day,
               p.category, coalesce(f.sale_region::text, '') as region
          from sale_orders o join sale_plans p on p.id = o.plan join sale_fields f on f.id = p.field
         where o.id = ${id} for no key update of o`.execute(db);
      return rows[0];
    },

    /** The confirmed settlement of an order with its notes, and whether it has an invoice that stands. */
    async settledOf(
      scope: SystemScope,
      order: string,
    ): Promise<{ id: string; totalFen: number; invoiced: boolean } | undefined> {
      requireSystemScope(scope);
      const { rows } = await sql<{ id: string; totalFen: number; invoiced: boolean }>`
        select s.id::text as id,
               (s.total_fen + coalesce((select sum(case n.kind when 'debit' then n.amount_fen else -n.amount_fen end) from notes n
                                         where n.settlement = s.id and n.state = 'confirmed'), 0))::float8 as "totalFen",
               exists (select from invoices i where i.settlement = s.id and i.state in ('applied', 'issued')) as invoiced
          from settlements s where s."order" = ${order} and s.state = 'confirmed'`.execute(db);
      return rows[0];
    },

    /** Whether a settlement of the order waits for its second person. */
    async isComputed(scope: SystemScope, order: string): Promise<boolean> {
      requireSystemScope(scope);
      const { rows } = await sql`select from settlements s where s."order" = ${order} and s.state = 'computed'`.execute(
        db,
      );
      return rows.length > 0;
    },

    /** All is paid: the clock completes the order after a day, where nobody has done so before. */
    async completeSoon(scope: SystemScope, order: string): Promise<void> {
      requireSystemScope(scope);
      await sql`update sale_orders set complete_at = now() + interval '1 day' where id = ${order}`.execute(db);
    },
  };
}
type TradeRepository = ReturnType<typeof tradeRepository>;

/** Whether a customer is one of those who may take part in a sale. @param day of the loading */
export const mayTakePart = async (
  trade: Pick<TradeRepository, "kindOf" | "hasContract">,
  by: TenantScope,
  participants: readonly string[],
  day: string,
): Promise<boolean> =>
  participants.includes(await trade.kindOf(by)) ||
  (participants.includes("contract") && (await trade.hasContract(by, day)));
