import type { Kysely } from "kysely";
import type { DB } from "../../database/generated/database.ts";

export interface TranslationRow {
  source: string;
  translation: string;
  machine: boolean;
}

/** @param db a pool or an open transaction */
export function languageRepository(db: Kysely<DB>) {
  return {
    find: (sources: readonly string[], language: string): Promise<TranslationRow[]> =>
      db
        .selectFrom("translations")
        .select(["source", "translation", "machine"])
        .where("language", "=", language)
        .where("source", "in", [...sources])
        .execute(),

    /** Keeps what a machine made; what a person corrected meanwhile stays. */
    async keep(
      rows: readonly { source: string; translation: string }[],
      language: string,
      provider: string,
    ): Promise<void> {
      if (rows.length === 0) return;
      await db
        .insertInto("translations")
        .values(rows.map((row) => ({ ...row, language, provider, machine: true })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
export type LanguageRepository = ReturnType<typeof languageRepository>;
