import type { Kysely } from "kysely";
import type { DB } from "../../database/generated/database.ts";

/** Settings are the installation's, not a customer's. @param db a pool or an open transaction */
export function settingsRepository(db: Kysely<DB>) {
  return {
    /** What administrators entered, by key; nothing for what they did not. */
    async texts(keys: readonly string[]): Promise<Map<string, string>> {
      const rows = await db
        .selectFrom("parameters")
        .select(["paramKey", "paramValue"])
        .where("paramKey", "in", [...keys])
        .execute();
      return new Map(rows.map(({ paramKey, paramValue }) => [paramKey, paramValue]));
    },
  };
}
export type SettingsRepository = ReturnType<typeof settingsRepository>;
