import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";
import { type ArticleSeed, bodyOf } from "./content-markup.ts";
import { seedTranslations } from "./demo.ts";
import { authorNames, demoArticles, demoPartners } from "./demo-articles.ts";
import { siteTexts } from "./solutions.ts";

async function insertArticles(db: Kysely<DB>, seeds: readonly ArticleSeed[], example: boolean, nextId: () => string) {
  for (const { zh, en, page = "", author = "", daysAgo = 0, ...words } of seeds) {
    const id = nextId();
    const kept = { ...words, page, author, example, body: bodyOf(zh), bodyEn: bodyOf(en) };
    await db
      .insertInto("articles")
      .values({
        id,
        ...kept,
        state: "published",
        publishedVersion: 1,
        publishedPage: page || null,
        publishedAt: sql<Date>`now() - make_interval(days => ${daysAgo}::int)`,
      })
      .execute();
    await db
      .insertInto("articleVersions")
      .values({ articleId: id, number: 1, ...kept })
      .execute();
  }
}

/**
 * What the public site begins with: solutions and legal texts everywhere, articles and partners in a demo. An installation that has
 * articles is left alone, so that what editors removed stays away.
 */
export async function seedContent(db: Kysely<DB>, nextId: () => string, { demo }: { demo: boolean }): Promise<void> {
  await db.transaction().execute(async (to) => {
    // Servers that start together seed once.
    await sql`lock table articles in share row exclusive mode`.execute(to);
    const held = await to.selectFrom("articles").select("id").limit(1).executeTakeFirst();
    if (held !== undefined) return;
    await insertArticles(to, siteTexts, false, nextId);
    // Lists of the inside show names as data; people who work in English read them by their translations.
    await seedTranslations(to, Object.fromEntries(siteTexts.map(({ title, titleEn }) => [title, titleEn])));
    if (!demo) return;
    await insertArticles(to, demoArticles, true, nextId);
    await seedTranslations(to, {
      ...authorNames,
      ...Object.fromEntries(demoArticles.map(({ title, titleEn }) => [title, titleEn])),
      ...Object.fromEntries(
        demoPartners.flatMap(([name, nameEn, , intro, introEn]) => [
          [name, nameEn],
          [intro, introEn],
        ]),
      ),
    });
    await to
      .insertInto("partners")
      .values(
        demoPartners.map(([partnerName, partnerNameEn, kind, intro, introEn], at) => ({
          id: nextId(),
          partnerName,
          partnerNameEn,
          kind,
          intro,
          introEn,
          example: true,
          shown: true,
          sort: (at + 1) * 10,
        })),
      )
      .execute();
  });
}
