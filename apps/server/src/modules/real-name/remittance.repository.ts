import type { RemittanceFailure, RemittanceState } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { remittancesTogether, remittanceTable } from "../../processes/index.ts";
import type { SystemScope, TenantScope } from "../../tenant-scope.ts";

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
    ...remittanceTable(db, "realNameRemittances"),

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

    async insert(
      scope: TenantScope,
      row: { id: string; applicationId: string; amountFen: number; sandbox: boolean; expiresAt: Date },
    ): Promise<void> {
      await sql`
        insert into real_name_remittances (id, tenant_id, real_name_application_id, amount_fen, sandbox, expires_at)
        select ${row.id}, a.tenant_id, a.id, ${row.amountFen}, ${row.sandbox}, ${row.expiresAt}
          from real_name_applications a where a.id = ${row.applicationId} and ${inScope(scope, "a")}`.execute(db);
    },

    /** Those that a bank, or the clock, has to bring on, by id after one. @param applicationId of this one alone */
    async running(
      scope: SystemScope,
      state: RemittanceState,
      after: string,
      applicationId: string | undefined,
    ): Promise<RemittanceRow[]> {
      const { rows } = await sql<RemittanceRow>`
        select ${columns} from real_name_remittances r
          join real_name_applications a on a.id = r.real_name_application_id and a.state = 'remitting'
         where r.state = ${sql.lit(state)} and r.id > ${after} and ${inScope(scope, "r")}
           and ${applicationId === undefined ? sql`true` : sql`r.real_name_application_id = ${applicationId}`}
         order by r.id limit ${remittancesTogether}`.execute(db);
      return rows;
    },
  };
}
export type RemittanceRepository = ReturnType<typeof remittanceRepository>;
