import { type Kysely, type SqlBool, sql } from "kysely";
import { inOneTenant } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export interface DictionaryValueRow {
  id: string;
  parentId: string | null;
  code: string;
  dictKey: string;
  dictValue: string;
  sort: number;
  remark: string;
  isSealed: number;
}

const columns = sql`
  d.id::text, d.parent_id::text, d.code, d.dict_key, d.dict_value, d.sort, d.remark, d.is_sealed::int as is_sealed`;
/** A code's own row before its values. */
const order = sql`d.parent_id nulls first, d.sort, d.id`;
const ofCode = (code: string | undefined) => (code === undefined ? sql<SqlBool>`true` : sql<SqlBool>`d.code = ${code}`);

/** Dictionaries of the installation. @param db a pool or an open transaction */
export function dictionaryRepository(db: Kysely<DB>) {
  return {
    /** Rows in order. @param code all codes without it */
    async rows(code?: string): Promise<DictionaryValueRow[]> {
      const { rows } = await sql<DictionaryValueRow>`
        select ${columns} from dictionaries d where ${ofCode(code)} order by ${order}`.execute(db);
      return rows;
    },
  };
}

/** Dictionaries of a tenant. @param db a pool or an open transaction */
export function businessDictionaryRepository(db: Kysely<DB>) {
  return {
    /** Rows in order. @param code all codes without it */
    async rows(scope: TenantScope, code?: string): Promise<DictionaryValueRow[]> {
      const { rows } = await sql<DictionaryValueRow>`
        select ${columns} from business_dictionaries d
         where ${inOneTenant(scope, "d")} and ${ofCode(code)} order by ${order}`.execute(db);
      return rows;
    },
  };
}
