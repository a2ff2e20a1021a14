import type { Kysely } from "kysely";
import { ofPhone } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

/** Which numbers are proven. @param db a pool or an open transaction */
export function verificationRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** Whether the owner of an account proved a number. @param indexes of the number, by every key */
    async isProven(indexes: readonly Buffer[]): Promise<boolean> {
      const row = await db
        .selectFrom("accounts")
        .select("id")
        .where((where) => ofPhone(where, indexes))
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
