import { type Kysely, type SqlBool, sql } from "kysely";
import { likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";

export interface TranslationRow {
  source: string;
  translation: string;
  machine: boolean;
}

export interface KeptTranslationRow extends TranslationRow {
  language: "en" | "zh";
  provider: string;
  updateTime: Date;
}

export interface TranslationFilter {
  language?: string | undefined;
  machine?: boolean | undefined;
  keyword?: string | undefined;
}

/** Who wrote a correction, in `provider`. */
const editor = "editor";

/** @param db a pool or an open transaction */
export function languageRepository(db: Kysely<DB>) {
  return {
    page(
      { language, machine, keyword }: TranslationFilter,
      request: PageRange,
    ): Promise<{ total: number; rows: KeptTranslationRow[] }> {
      const where = [];
      if (language !== undefined) where.push(sql<SqlBool>`t.language = ${language}`);
      if (machine !== undefined) where.push(sql<SqlBool>`t.machine = ${machine}`);
      const word = likeWord(keyword ?? "");
      if (keyword) where.push(sql<SqlBool>`(t.source ilike ${word} or t.translation ilike ${word})`);
      const list = {
        table: sql`translations t`,
        where,
        order: [
          { by: sql`t.machine`, descending: true },
          { by: sql`t.updated_at`, descending: true },
          { by: sql`t.source` },
        ],
        columns: sql`t.source, t.language, t.translation, t.machine, t.provider, t.updated_at as update_time`,
      };
      return readList<KeptTranslationRow>(db, list, request);
    },

    /** Writes an editor's translation over whatever was kept. */
    async correct(source: string, language: string, translation: string): Promise<void> {
      const written = { translation, machine: false, provider: editor };
      await db
        .insertInto("translations")
        .values({ source, language, ...written })
        .onConflict((conflict) =>
          conflict.columns(["language", "source"]).doUpdateSet({ ...written, updatedAt: sql<Date>`now()` }),
        )
        .execute();
    },

    async remove(source: string, language: string): Promise<void> {
      await db.deleteFrom("translations").where("source", "=", source).where("language", "=", language).execute();
    },

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
