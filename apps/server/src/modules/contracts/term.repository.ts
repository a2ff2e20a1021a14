import type { PriceTerm } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** A signed term with what is left of it. */
export interface TermUse {
  id: string;
  number: string;
  heads: number;
  usedHeads: number;
  leftHeads: number;
}

/** Price terms of contracts. @param db a pool or an open transaction */
export function termRepository(db: Kysely<DB>) {
  return {
    /** Names of sale fields and sale regions that are in use; both are the group's. */
    async places(ids: {
      fields: readonly string[];
      regions: readonly string[];
    }): Promise<{ fields: Map<string, string>; regions: Map<string, string> }> {
      const { rows } = await sql<{ kind: string; id: string; name: string }>`
        select 'field' as kind, f.id::text as id, f.field_name as name from sale_fields f
         where f.id = any(${[...ids.fields]}::bigint[]) and f.status = '1'
        union all
        select 'region', r.id::text, r.region_name from sale_regions r
         where r.id = any(${[...ids.regions]}::bigint[]) and r.status = '1'`.execute(db);
      const of = (wanted: string) =>
        new Map(rows.filter(({ kind }) => kind === wanted).map(({ id, name }) => [id, name]));
      return { fields: of("field"), regions: of("region") };
    },

    /** Writes the terms of a contract that its customer signs in this transaction. They never change afterwards. */
    async keep(scope: TenantScope, contract: string, terms: readonly (PriceTerm & { id: string })[]): Promise<void> {
      for (const [index, term] of terms.entries())
        await sql`
          insert into contract_terms (id, tenant_id, contract, line, category, field, sale_region, place, from_kg, to_kg, kind, fen, heads,
                                      from_day, to_day, created_by)
          select ${term.id}, c.tenant_id, c.id, ${index + 1}::smallint, ${term.category}, nullif(${term.field}, '')::bigint,
                 nullif(${term.saleRegion}, '')::bigint, ${term.place}, ${term.fromKg}::integer, ${term.toKg}::integer, ${term.kind},
                 ${term.fen}::integer, ${term.heads}::integer, ${term.fromDay}::date, ${term.toDay}::date, ${scope.accountId}
            from contracts c where c.id = ${contract} and ${inScope(scope, "c")}`.execute(db);
    },

    /** Signed terms of a contract, in the order of its text. */
    async ofContract(scope: TenantScope, contract: string): Promise<TermUse[]> {
      const { rows } = await sql<TermUse>`
        select t.id::text as id, t.number, t.heads, t.used_heads, t.left_heads from price_term_rows t
         where t.contract = ${contract} and ${inScope(scope, "t")} order by t.line`.execute(db);
      return rows;
    },
  };
}
export type TermRepository = ReturnType<typeof termRepository>;
