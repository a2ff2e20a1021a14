import type { RemittanceFailure, RemittanceState } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inOneTenant, inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type MemberScope, requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

export interface RemittanceRow {
  id: string;
  tenantId: string;
  realNameApplicationId: string;
  state: RemittanceState;
  failure: RemittanceFailure | "";
  amountFen: number;
  sandbox: boolean;
  reference: string;
  arrivals: number;
  tries: number;
  createdAt: Date;
  sentAt: Date | null;
  arrivedAt: Date | null;
  expiresAt: Date;
}

/** Test remittances. @param db a pool or an open transaction */
export function remittanceRepository(db: Kysely<DB>) {
  const columns = sql`
    r.id, r.tenant_id, r.real_name_application_id, r.state, r.failure, r.amount_fen, r.sandbox, r.reference, r.arrivals, r.tries,
    r.created_at, r.sent_at, r.arrived_at, r.expires_at`;
  return {
    /** The newest of an application. */
    async newest(
      scope: TenantScope | SystemScope,
      applicationId: string,
      lock = false,
    ): Promise<RemittanceRow | undefined> {
      const { rows } = await sql<RemittanceRow>`
        select ${columns} from real_name_remittances r
         where r.real_name_application_id = ${applicationId} and ${inScope(scope, "r")}
         order by r.id desc limit 1 ${lock ? sql`for update of r` : sql``}`.execute(db);
      return rows[0];
    },

    /** How many a tenant ordered within 24 hours. */
    async ordersOfDay(scope: MemberScope): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from real_name_remittances r
         where r.created_at > now() - interval '24 hours' and ${inOneTenant(scope, "r")}`.execute(db);
      return rows[0]?.count ?? 0;
    },

    async insert(
      scope: TenantScope,
      row: { id: string; applicationId: string; amountFen: number; sandbox: boolean; expiresAt: Date },
    ): Promise<void> {
      await sql`
        insert into real_name_remittances (id, tenant_id, real_name_application_id, amount_fen, sandbox, expires_at)
        select ${row.id}, a.tenant_id, a.id, ${row.amountFen}, ${row.sandbox}, ${row.expiresAt}
          from real_name_applications a where a.id = ${row.applicationId} and ${inScope(scope, "a")}`.execute(db);
    },

    /** A right or a wrong amount. */
    async answer(
      scope: TenantScope,
      id: string,
      to: { state: RemittanceState; failure: RemittanceFailure | ""; tries: number },
    ) {
      await sql`
        update real_name_remittances r set state = ${to.state}, failure = ${to.failure}, tries = ${to.tries}
         where r.id = ${id} and ${inScope(scope, "r")}`.execute(db);
    },

    /** Those that a bank, or the clock, has to bring on. */
    async running(scope: SystemScope, applicationId?: string): Promise<RemittanceRow[]> {
      const { rows } = await sql<RemittanceRow>`
        select ${columns} from real_name_remittances r
          join real_name_applications a on a.id = r.real_name_application_id and a.state = 'remitting'
         where r.state in ('ordered', 'sent', 'arrived') and ${inScope(scope, "r")}
           and ${applicationId === undefined ? sql`true` : sql`r.real_name_application_id = ${applicationId}`}
         order by r.id limit 500`.execute(db);
      return rows;
    },

    /** The bank took it. @returns false when that is known already */
    async sent(scope: SystemScope, id: string, reference: string): Promise<boolean> {
      requireSystemScope(scope);
      const { rows } = await sql`
        update real_name_remittances r set state = 'sent', sent_at = now(), reference = ${reference}
         where r.id = ${id} and r.state = 'ordered' and ${inScope(scope, "r")} returning r.id`.execute(db);
      return rows.length > 0;
    },

    /** How often the bank says that it arrived. */
    async countArrivals(scope: SystemScope, id: string, arrivals: number): Promise<void> {
      requireSystemScope(scope);
      await sql`
        update real_name_remittances r set arrivals = ${arrivals}
         where r.id = ${id} and r.arrivals < ${arrivals} and ${inScope(scope, "r")}`.execute(db);
    },

    /** It is on the account. @returns false when that is known already, or it ended before */
    async arrived(
      scope: SystemScope,
      id: string,
      { reference, hours }: { reference: string; hours: number },
    ): Promise<boolean> {
      requireSystemScope(scope);
      const { rows } = await sql`
        update real_name_remittances r
           set state = 'arrived', sent_at = coalesce(r.sent_at, now()), arrived_at = now(), reference = ${reference}, expires_at = now() + make_interval(hours => ${hours})
         where r.id = ${id} and r.state in ('ordered', 'sent') and ${inScope(scope, "r")} returning r.id`.execute(db);
      return rows.length > 0;
    },

    async failed(scope: SystemScope, id: string, failure: RemittanceFailure): Promise<boolean> {
      requireSystemScope(scope);
      const { rows } = await sql`
        update real_name_remittances r set state = 'failed', failure = ${failure}
         where r.id = ${id} and r.state in ('ordered', 'sent') and ${inScope(scope, "r")} returning r.id`.execute(db);
      return rows.length > 0;
    },

    async expired(scope: SystemScope, id: string, now: Date): Promise<boolean> {
      requireSystemScope(scope);
      const { rows } = await sql`
        update real_name_remittances r set state = 'expired'
         where r.id = ${id} and r.state in ('ordered', 'sent', 'arrived') and r.expires_at < ${now} and ${inScope(scope, "r")}
        returning r.id`.execute(db);
      return rows.length > 0;
    },
  };
}
export type RemittanceRepository = ReturnType<typeof remittanceRepository>;
