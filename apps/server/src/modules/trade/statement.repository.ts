import { type Kysely, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

interface Sums {
  tenantId: string;
  customer: string;
  openingFen: number;
  debitFen: number;
  creditFen: number;
  closingFen: number;
}

/** A line as JSON has it. */
interface Line {
  id: string;
  /** Milliseconds since 1970. */
  atMs: number;
  kind: string;
  number: string;
  order: string;
  debitFen: number;
  creditFen: number;
  balanceFen: number;
}

/** Statements of customers. @param db a pool or an open transaction */
export function statementRepository(db: Kysely<DB>) {
  /** Begin of a month in Shanghai, and of the next. */
  const from = (month: string) => sql`(${month} || '-01')::timestamp at time zone 'Asia/Shanghai'`;
  const until = (month: string) => sql`((${month} || '-01')::date + interval '1 month') at time zone 'Asia/Shanghai'`;
  return {
    /** A customer's statement of a month, in one statement; undefined for a customer that the scope does not reach. */
    async statement(
      scope: TenantScope,
      { tenantId, month }: { tenantId: string; month: string },
    ): Promise<(Sums & { lines: Line[] }) | undefined> {
      const { rows } = await sql<Sums & { lines: Line[] }>`
        with every as (
          select l.*, sum(l.debit_fen - l.credit_fen) over (order by l.at, l.id) as balance
            from statement_lines l where l.tenant_id = ${tenantId} and l.at < ${until(month)}),
        summed as (
          select coalesce(sum(debit_fen - credit_fen) filter (where at < ${from(month)}), 0)::float8 as opening,
                 coalesce(sum(debit_fen) filter (where at >= ${from(month)}), 0)::float8 as debit,
                 coalesce(sum(credit_fen) filter (where at >= ${from(month)}), 0)::float8 as credit,
                 coalesce(sum(debit_fen - credit_fen), 0)::float8 as closing,
                 coalesce(json_agg(json_build_object('id', every.id::text, 'atMs', floor(extract(epoch from at) * 1000), 'kind', kind,
                   'number', every.number, 'order', coalesce(o.number, ''), 'debitFen', debit_fen, 'creditFen', credit_fen,
                   'balanceFen', balance) order by at, every.id) filter (where at >= ${from(month)}), '[]') as lines
            from every left join sale_orders o on o.id = every."order")
        select t.tenant_id as "tenantId", t.name as customer, s.opening as "openingFen", s.debit as "debitFen", s.credit as "creditFen",
               s.closing as "closingFen", s.lines
          from tenants t, summed s where t.tenant_id = ${tenantId} and ${inScope(scope, "t")}`.execute(db);
      return rows[0];
    },

    /** Customers with a balance or with documents in a month, by name. */
    async customers(scope: TenantScope, month: string): Promise<Sums[]> {
      const { rows } = await sql<Sums>`
        select t.tenant_id as "tenantId", t.name as customer,
               coalesce(sum(l.debit_fen - l.credit_fen) filter (where l.at < ${from(month)}), 0)::float8 as "openingFen",
               coalesce(sum(l.debit_fen) filter (where l.at >= ${from(month)}), 0)::float8 as "debitFen",
               coalesce(sum(l.credit_fen) filter (where l.at >= ${from(month)}), 0)::float8 as "creditFen",
               sum(l.debit_fen - l.credit_fen)::float8 as "closingFen"
          from statement_lines l join tenants t on t.tenant_id = l.tenant_id
         where l.at < ${until(month)} and ${inScope(scope, "t")}
         group by t.tenant_id, t.name
        having bool_or(l.at >= ${from(month)}) or sum(l.debit_fen - l.credit_fen) <> 0
         order by t.name, t.tenant_id`.execute(db);
      return rows;
    },
  };
}
