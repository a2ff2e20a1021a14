import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";

/** A setting that was entered; a secret has its encrypted bytes instead of a text. */
export interface StoredSetting {
  id: string;
  key: string;
  text: string;
  sealed: Buffer | null;
  version: number;
  updatedAt: Date;
}

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

    /** Hashes of the brand's own logos, by theme. */
    logos: () => db.selectFrom("logos").select(["theme", "hash"]).execute(),

    /** Makes other changes of settings wait until this transaction ends. */
    async hold(): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext('installation settings'))`.execute(db);
    },

    /** Everything that was entered of these keys, secrets too. */
    async stored(keys: readonly string[]): Promise<StoredSetting[]> {
      const plain = await db
        .selectFrom("parameters")
        .select(["id", "paramKey as key", "paramValue as text", "version", "updatedAt"])
        .select(sql<Buffer | null>`null`.as("sealed"))
        .where("paramKey", "in", [...keys])
        .execute();
      const secret = await db
        .selectFrom("settingSecrets")
        .select(["id", "settingKey as key", "sealed", "version", "updatedAt"])
        .select(sql<string>`''`.as("text"))
        .where("settingKey", "in", [...keys])
        .execute();
      return [...plain, ...secret];
    },

    /** Writes the parameter of a setting. @returns its id, or undefined when its version is another by now */
    async saveText(
      row: { id: string; key: string; name: string; remark: string; text: string; version: number },
      accountId: string | null,
    ): Promise<string | undefined> {
      if (row.version > 0) {
        const [changed] = await db
          .updateTable("parameters")
          .set({ paramValue: row.text, version: row.version + 1, updatedBy: accountId, updatedAt: sql<Date>`now()` })
          .where("paramKey", "=", row.key)
          .where("version", "=", row.version)
          .returning("id")
          .execute();
        return changed?.id;
      }
      const [added] = await db
        .insertInto("parameters")
        .values({
          id: row.id,
          paramKey: row.key,
          paramName: row.name,
          paramValue: row.text,
          remark: row.remark,
          createdBy: accountId,
          updatedBy: accountId,
        })
        .onConflict((conflict) => conflict.column("paramKey").doNothing())
        .returning("id")
        .execute();
      return added?.id;
    },

    /** Writes a secret. @param sealed null removes it @returns its id, or undefined when its version is another by now */
    async saveSecret(id: string, key: string, sealed: Buffer | null, version: number): Promise<string | undefined> {
      const rows =
        version > 0
          ? await db
              .updateTable("settingSecrets")
              .set({ sealed, version: version + 1, updatedAt: sql<Date>`now()` })
              .where("settingKey", "=", key)
              .where("version", "=", version)
              .returning("id")
              .execute()
          : await db
              .insertInto("settingSecrets")
              .values({ id, settingKey: key, sealed })
              .onConflict((conflict) => conflict.column("settingKey").doNothing())
              .returning("id")
              .execute();
      return rows[0]?.id;
    },
  };
}
export type SettingsRepository = ReturnType<typeof settingsRepository>;
