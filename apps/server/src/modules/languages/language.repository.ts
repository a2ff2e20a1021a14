import { type Kysely, sql } from "kysely";
import { likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";

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
  const filtered = ({ language, machine, keyword }: TranslationFilter) => {
    let query = db.selectFrom("translations");
    if (language !== undefined) query = query.where("language", "=", language);
    if (machine !== undefined) query = query.where("machine", "=", machine);
    if (keyword) {
      const word = likeWord(keyword);
      query = query.where((either) =>
        either.or([either("source", "ilike", word), either("translation", "ilike", word)]),
      );
    }
    return query;
  };

  return {
    async page(
      filter: TranslationFilter,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<{ total: number; rows: KeptTranslationRow[] }> {
      const [{ total }, rows] = await Promise.all([
        filtered(filter).select(sql<number>`count(*)::int`.as("total")).executeTakeFirstOrThrow(),
        filtered(filter)
          .select(["source", "translation", "machine", "provider", "updatedAt as updateTime"])
          .select(sql<"en" | "zh">`language`.as("language"))
          .orderBy("machine", "desc")
          .orderBy("updatedAt", "desc")
          .orderBy("source")
          .offset(offset)
          .limit(limit)
          .execute(),
      ]);
      return { total, rows };
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
