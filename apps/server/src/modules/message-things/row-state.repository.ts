import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inOneTenant, inRowScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** Where the rows of a process are. */
export interface RowSource {
  readonly process: string;
  readonly table: string;
  /** Its rows have no data scope below the customer. */
  readonly ofAll?: true;
}

/** States of rows of processes. @param db a pool */
export function rowStateRepository(db: Kysely<DB>) {
  const reached = (scope: TenantScope, { ofAll }: RowSource): RawBuilder<SqlBool> =>
    ofAll ? inOneTenant(scope, "t") : sql<SqlBool>`(${inOneTenant(scope, "t")} and ${inRowScope(scope, "t")})`;
  return {
    /** @param asked rows by their source @returns those that the scope reaches */
    async states(
      scope: TenantScope,
      asked: readonly { source: RowSource; ids: readonly string[] }[],
    ): Promise<{ process: string; id: string; state: string }[]> {
      if (asked.length === 0) return [];
      const { rows } = await sql<{ process: string; id: string; state: string }>`${sql.join(
        asked.map(
          ({ source, ids }) => sql`
            select ${source.process}::text as process, t.id::text as id, t.state::text as state
              from ${sql.table(source.table)} t where t.id = any(${[...ids]}::bigint[]) and ${reached(scope, source)}`,
        ),
        sql` union all `,
      )}`.execute(db);
      return rows;
    },
  };
}
export type RowStateRepository = ReturnType<typeof rowStateRepository>;
