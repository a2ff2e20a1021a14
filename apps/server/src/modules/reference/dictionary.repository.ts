import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";

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

/** @param db a pool or an open transaction */
export function dictionaryRepository(db: Kysely<DB>) {
  return {
    /** Rows in order, a code's own row before its values. @param code all codes without it */
    rows(code?: string): Promise<DictionaryValueRow[]> {
      let query = db
        .selectFrom("dictionaries")
        .select(["id", "parentId", "code", "dictKey", "dictValue", "sort", "remark"])
        .select(sql<number>`is_sealed::int`.as("isSealed"));
      if (code !== undefined) query = query.where("code", "=", code);
      return query
        .orderBy("parentId", (order) => order.asc().nullsFirst())
        .orderBy("sort")
        .orderBy("id")
        .execute();
    },
  };
}
export type DictionaryRepository = ReturnType<typeof dictionaryRepository>;
