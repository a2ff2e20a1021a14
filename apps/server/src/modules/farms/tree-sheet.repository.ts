import { type Kysely, sql } from "kysely";
import { inOneTenant, inRowScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** Columns of a farm, house and unit as the database names them, ids as text; those of what is not there are null. */
export interface TreeRow {
  farm: Readonly<Record<string, unknown>>;
  house: Readonly<Record<string, unknown>> | null;
  unit: Readonly<Record<string, unknown>> | null;
}

/** @param db a pool or an open transaction */
export function treeSheetRepository(db: Kysely<DB>) {
  return {
    /** All units with their houses and farms, and houses and farms without any, in the order of the structure. */
    async rows(scope: TenantScope, limit: number): Promise<TreeRow[]> {
      const { rows } = await sql<TreeRow>`
        select to_jsonb(f) || jsonb_build_object('id', f.id::text) as farm,
               to_jsonb(h) || jsonb_build_object('id', h.id::text, 'farm_id', h.farm_id::text) as house,
               to_jsonb(u) || jsonb_build_object('id', u.id::text, 'house_id', u.house_id::text) as unit
          from farms f
          left join pig_houses h on h.farm_id = f.id and ${inOneTenant(scope, "h")} and ${inRowScope(scope, "h")}
          left join units u on u.house_id = h.id and ${inOneTenant(scope, "u")} and ${inRowScope(scope, "u")}
         where ${inOneTenant(scope, "f")} and ${inRowScope(scope, "f")}
         order by f.sort, f.id, h.sort, h.id, u.sort, u.id limit ${limit}`.execute(db);
      return rows;
    },

    /** What is written after it is taken back alone by `undo`. */
    mark: async (): Promise<void> => {
      await sql`savepoint sheet_row`.execute(db);
    },
    undo: async (): Promise<void> => {
      await sql`rollback to savepoint sheet_row`.execute(db);
    },
  };
}
export type TreeSheetRepository = ReturnType<typeof treeSheetRepository>;
