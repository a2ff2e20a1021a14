import { type Kysely, sql } from "kysely";
import { inOneTenant, inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { Due } from "../../processes/index.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

/** What an attempt pays. */
export interface PayTarget {
  payment: string | null;
  deposit: string | null;
}

/** An attempt with what it pays, as both are held. */
export interface HeldAttempt extends PayTarget {
  id: string;
  tenantId: string;
  createdBy: string;
  state: "started" | "unknown" | "succeeded" | "failed" | "expired" | "surplus";
  amountFen: number;
  expiresAt: Date;
  /** State of the payment or deposit. */
  targetState: string;
  /** Order of the payment, or lot of the deposit. */
  of: string;
}

/** What can be paid. */
interface Payable {
  id: string;
  number: string;
  state: string;
  /** Of a payment; `deposit` otherwise. */
  kind: string;
  amountFen: number;
}

/** Attempts that the provider is asked about. */
export const attemptsToLookAt: Due = {
  table: "pay_attempts" as keyof DB & string,
  alias: "t",
  at: sql`t.look_at`,
  before: sql`now()`,
  where: sql`t.look_at is not null`,
};

/** Attempts to pay by the provider, and what it said of them. @param db a pool or an open transaction */
export function payAttemptRepository(db: Kysely<DB>) {
  /** Holds the order of a payment, then the payment or deposit: as everybody does who holds both. */
  const holdTarget = async ({ payment, deposit }: PayTarget): Promise<void> => {
    if (payment !== null) {
      await sql`
        select from sale_orders o where o.id = (select y."order" from payments y where y.id = ${payment}) for no key update`.execute(
        db,
      );
      await sql`select from payments y where y.id = ${payment} for no key update`.execute(db);
    } else await sql`select from deposits d where d.id = ${deposit} for no key update`.execute(db);
  };
  return {
    /** Holds what a customer wants to pay. @returns undefined for what is not the scope's own */
    async payable(scope: TenantScope, target: PayTarget): Promise<Payable | undefined> {
      await holdTarget(target);
      const { rows } = await sql<Payable>`
        select y.id::text as id, y.number, y.state, y.kind, y.amount_fen::float8 as "amountFen"
          from payments y where y.id = ${target.payment} and ${inOneTenant(scope, "y")}
        union all
        select d.id::text, d.number, d.state, 'deposit', d.amount_fen::float8
          from deposits d where d.id = ${target.deposit} and ${inOneTenant(scope, "d")}`.execute(db);
      return rows[0];
    },

    /** The newest attempt to pay something. */
    async newest(scope: TenantScope, { payment, deposit }: PayTarget) {
      const { rows } = await sql<{
        id: string;
        number: string;
        state: HeldAttempt["state"];
        amountFen: number;
        expiresAt: Date;
      }>`
        select a.id::text as id, a.number, a.state, a.amount_fen::float8 as "amountFen", a.expires_at as "expiresAt"
          from pay_attempts a where (a.payment = ${payment} or a.deposit = ${deposit}) and ${inScope(scope, "a")}
         order by a.id desc limit 1`.execute(db);
      return rows[0];
    },

    /** Holds what an attempt pays and the attempt itself, in this order, and reads both. */
    async hold(scope: SystemScope, id: string): Promise<HeldAttempt | undefined> {
      requireSystemScope(scope);
      const target = await sql<PayTarget>`
        select a.payment::text as payment, a.deposit::text as deposit from pay_attempts a where a.id = ${id}`.execute(
        db,
      );
      if (target.rows[0] === undefined) return undefined;
      await holdTarget(target.rows[0]);
      await sql`select from pay_attempts a where a.id = ${id} for no key update`.execute(db);
      const { rows } = await sql<HeldAttempt>`
        select a.id::text as id, a.tenant_id as "tenantId", a.created_by::text as "createdBy", a.state, a.payment::text as payment,
               a.deposit::text as deposit, a.amount_fen::float8 as "amountFen", a.expires_at as "expiresAt",
               coalesce(y.state, d.state) as "targetState", coalesce(y."order", d.lot)::text as of
          from pay_attempts a left join payments y on y.id = a.payment left join deposits d on d.id = a.deposit
         where a.id = ${id}`.execute(db);
      return rows[0];
    },

    /** Keeps what the provider said. @returns false where it said so before */
    async keep(
      scope: SystemScope,
      id: string,
      said: { id: string; outcome: string; reference: string; amountFen: number },
    ): Promise<boolean> {
      requireSystemScope(scope);
      const { numAffectedRows = 0n } = await sql`
        insert into pay_notices (id, attempt, outcome, reference, amount_fen)
        values (${id}, ${said.id}, ${said.outcome}, ${said.reference}, ${said.amountFen}) on conflict do nothing`.execute(
        db,
      );
      return numAffectedRows > 0n;
    },

    /**
     * When the provider is asked next: each minute while the customer may pay, then each hour for three days, as money may come late, and
     * never again once it was paid.
     */
    async lookAgain(scope: SystemScope, id: string): Promise<void> {
      requireSystemScope(scope);
      await sql`
        update pay_attempts set look_at =
          case when state in ('started', 'unknown') then now() + interval '1 minute'
               when state in ('expired', 'failed') and expires_at > now() - interval '3 days' then now() + interval '1 hour' end
         where id = ${id}`.execute(db);
    },
  };
}
