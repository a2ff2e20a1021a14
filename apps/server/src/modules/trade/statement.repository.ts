import { mostOwedOrders } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

interface Sums {
  tenantId: string;
  customer: string;
  openingFen: number;
  debitFen: number;
  creditFen: number;
  closingFen: number;
}

/** Of more customers than these none gets the orders of its balance, which are read customer by customer. */
const mostExplained = 50;

/** What is owed for an order. */
interface OwedOrder {
  number: string;
  owedFen: number;
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

/** Most months with documents that are told. */
const mostMonths = 24;
/** Months that one statement works out anew. */
const monthsTogether = 500;

/** Statements of customers. @param db a pool or an open transaction */
export function statementRepository(db: Kysely<DB>) {
  /** First day of a month. @param month yyyy-MM */
  const first = (month: string) => sql`(${month} || '-01')::date`;
  const begins = (day: ReturnType<typeof first>) => sql`(${day})::timestamp at time zone 'Asia/Shanghai'`;
  return {
    /** Whether sums of a month are to be worked out anew. */
    async isMarked(scope: SystemScope): Promise<boolean> {
      requireSystemScope(scope);
      return (await sql`select from statement_marks limit 1`.execute(db)).rows.length > 0;
    },

    /** One renewal after the other. The caller has a transaction open. */
    hold: (scope: SystemScope): Promise<unknown> => {
      requireSystemScope(scope);
      return sql`select pg_advisory_xact_lock(hashtext('statement_months'))`.execute(db);
    },

    /** Works out anew some of what is marked, in one snapshot with the marks. @returns whether more is marked */
    async renew(scope: SystemScope): Promise<boolean> {
      requireSystemScope(scope);
      const { rows } = await sql<{ more: boolean }>`
        with places as (
          select m.tenant_id, m.month from statement_marks m group by 1, 2 order by min(m.id) limit ${monthsTogether}),
        taken as (delete from statement_marks m using places p where m.tenant_id = p.tenant_id and m.month = p.month),
        written as (
          insert into statement_months (tenant_id, month, debit_fen, credit_fen, documents)
          select p.tenant_id, p.month, coalesce(sum(l.debit_fen), 0), coalesce(sum(l.credit_fen), 0), count(l.id)
            from places p
            left join lateral statement_lines(p.tenant_id, ${begins(sql`p.month`)}, ${begins(sql`p.month + interval '1 month'`)}) l on true
           group by 1, 2
          on conflict on constraint statement_months_pk do update
            set debit_fen = excluded.debit_fen, credit_fen = excluded.credit_fen, documents = excluded.documents)
        select count(*) = ${monthsTogether} as more from places`.execute(db);
      return rows[0]?.more ?? false;
    },

    /** A customer's statement of a month; undefined for a customer that the scope does not reach. Sums are renewed first. */
    async statement(
      scope: TenantScope,
      { tenantId, month }: { tenantId: string; month: string },
    ): Promise<(Sums & { lines: Line[] }) | undefined> {
      const { rows } = await sql<Sums & { lines: Line[] }>`
        with opened as (
          select coalesce(sum(m.debit_fen - m.credit_fen), 0)::bigint as fen from statement_months m
           where m.tenant_id = ${tenantId} and m.month < ${first(month)}),
        every as (
          select l.*, (select fen from opened) + sum(l.debit_fen - l.credit_fen) over (order by l.at, l.id) as balance
            from statement_lines(${tenantId}, ${begins(first(month))}, ${begins(sql`${first(month)} + interval '1 month'`)}) l),
        summed as (
          select coalesce(sum(debit_fen), 0) as debit, coalesce(sum(credit_fen), 0) as credit,
                 coalesce(json_agg(json_build_object('id', every.id::text, 'atMs', floor(extract(epoch from at) * 1000), 'kind', kind,
                   'number', every.number, 'order', coalesce(o.number, ''), 'debitFen', debit_fen, 'creditFen', credit_fen,
                   'balanceFen', balance) order by at, every.id), '[]') as lines
            from every left join sale_orders o on o.id = every."order")
        select t.tenant_id as "tenantId", t.name as customer, opened.fen::float8 as "openingFen", s.debit::float8 as "debitFen",
               s.credit::float8 as "creditFen", (opened.fen + s.debit - s.credit)::float8 as "closingFen",
               s.lines
          from tenants t, opened, summed s where t.tenant_id = ${tenantId} and ${inScope(scope, "t")}`.execute(db);
      return rows[0];
    },

    /** Months with documents of a customer, the newest first. Sums are renewed first. */
    async months(scope: TenantScope, tenantId: string): Promise<string[]> {
      const { rows } = await sql<{ month: string }>`
        select to_char(m.month, 'YYYY-MM') as month from statement_months m join tenants t on t.tenant_id = m.tenant_id
         where m.tenant_id = ${tenantId} and ${inScope(scope, "t")} and m.documents > 0
         order by m.month desc limit ${mostMonths}`.execute(db);
      return rows.map(({ month }) => month);
    },

    /** Customers with a balance or with documents in a month, by name. Sums are renewed first. */
    async customers(scope: TenantScope, month: string): Promise<(Sums & { orders: OwedOrder[] })[]> {
      const { rows } = await sql<Sums & { orders: OwedOrder[] }>`
        with summed as (
        select t.tenant_id as "tenantId", t.name as customer,
               coalesce(sum(m.debit_fen - m.credit_fen) filter (where m.month < ${first(month)}), 0)::float8 as "openingFen",
               coalesce(sum(m.debit_fen) filter (where m.month = ${first(month)}), 0)::float8 as "debitFen",
               coalesce(sum(m.credit_fen) filter (where m.month = ${first(month)}), 0)::float8 as "creditFen",
               sum(m.debit_fen - m.credit_fen)::float8 as "closingFen"
          from statement_months m join tenants t on t.tenant_id = m.tenant_id
         where m.month <= ${first(month)} and ${inScope(scope, "t")}
         group by t.tenant_id, t.name
        having bool_or(m.month = ${first(month)} and m.documents > 0) or sum(m.debit_fen - m.credit_fen) <> 0
        )
        select s.*, coalesce(o.orders, '[]') as orders from summed s
          left join lateral (
            select json_agg(json_build_object('number', x.number, 'owedFen', x.owed) order by abs(x.owed) desc) as orders from (
              select o.number, sum(l.debit_fen - l.credit_fen)::float8 as owed
                from statement_lines(s."tenantId", ${begins(sql`${first(month)} - interval '2 months'`)}, ${begins(sql`${first(month)} + interval '1 month'`)}) l
                join sale_orders o on o.id = l."order"
               where o.created_at >= ${begins(sql`${first(month)} - interval '2 months'`)} and s."closingFen" <> 0
                 and (select count(*) from summed) <= ${mostExplained}
               group by o.id, o.number having sum(l.debit_fen - l.credit_fen) <> 0
               order by abs(sum(l.debit_fen - l.credit_fen)) desc limit ${mostOwedOrders}) x) o on true
         order by s.customer, s."tenantId"`.execute(db);
      return rows;
    },
  };
}
