import { type Kysely, sql } from "kysely";
import type { DB } from "../generated/database.ts";
import { type ArticleSeed, bodyOf } from "./content-markup.ts";
import { seedTranslations } from "./demo.ts";
import { authorNames, demoArticles, demoPartners } from "./demo-articles.ts";
import { olderArticles } from "./demo-articles-more.ts";
import { demoDocumentRows, documentNames } from "./demo-documents.ts";
import { demoNotices } from "./demo-notices.ts";
import { demoServices } from "./demo-services.ts";
import { demoVideoRows, videoNames } from "./demo-videos.ts";
import { solutionActs } from "./solution-acts.ts";
import { siteTexts } from "./solutions.ts";
import { monitoringTexts } from "./solutions-monitoring.ts";

/** For how long the pages of a demo have been published, in days. */
const demoPageDays = 400;

async function insertArticles(db: Kysely<DB>, seeds: readonly ArticleSeed[], example: boolean, nextId: () => string) {
  for (const { zh, en, page = "", author = "", daysAgo = 0, publishedAt, ...words } of seeds) {
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
        publishedChannel: words.channel,
        publishedTopic: words.topic ?? "",
        publishedAt: publishedAt ?? sql<Date>`now() - make_interval(days => ${daysAgo}::int)`,
      })
      .execute();
    await db
      .insertInto("articleVersions")
      .values({ articleId: id, number: 1, ...kept })
      .execute();
  }
}

/** A solution with its comparison, case and questions. */
const withActs = (seed: ArticleSeed): ArticleSeed => {
  const acts = solutionActs[(seed.page ?? "") as keyof typeof solutionActs];
  return acts === undefined ? seed : { ...seed, zh: `${seed.zh}\n${acts.zh}`, en: `${seed.en}\n${acts.en}` };
};

/**
 * Initial content of the public site: solutions and legal texts everywhere; articles, partners, services and documents in a
 * demo.
 * An existing installation gets pages that a later version adds, once; pages that editors removed stay removed.
 */
export async function seedContent(db: Kysely<DB>, nextId: () => string, { demo }: { demo: boolean }): Promise<void> {
  await db.transaction().execute(async (to) => {
    // Of several servers that start together only one seeds.
    await sql`lock table articles in share row exclusive mode`.execute(to);
    const held = await to.selectFrom("articles").select("id").limit(1).executeTakeFirst();
    const pages = await to.selectFrom("seededPages").select("page").execute();
    const seeded = new Set(pages.map(({ page }) => page));
    const titles = await to.selectFrom("articles").select(["title", "publishedPage"]).execute();
    const missing = [...siteTexts, ...monitoringTexts].map(withActs).filter(({ page = "" }) => !seeded.has(page));
    // A page that an editor created before the seed existed stays as it is.
    const wanted = missing.filter(
      ({ page = "", title }) => !titles.some((one) => one.title === title || one.publishedPage === page),
    );
    // The demo's articles are newer than its pages, which lists by day would put first otherwise.
    await insertArticles(to, demo ? wanted.map((page) => ({ daysAgo: demoPageDays, ...page })) : wanted, false, nextId);
    if (missing.length > 0)
      await to
        .insertInto("seededPages")
        .values(missing.map(({ page = "" }) => ({ page })))
        .execute();
    // Internal lists show names as data; readers of English see their translations.
    if (wanted.length > 0)
      await seedTranslations(to, Object.fromEntries(wanted.map(({ title, titleEn }) => [title, titleEn])));
    if (held !== undefined || !demo) return;
    const articles = [...demoArticles, ...olderArticles, ...demoNotices];
    await insertArticles(to, articles, true, nextId);
    await seedTranslations(to, {
      ...authorNames,
      ...Object.fromEntries(articles.map(({ title, titleEn }) => [title, titleEn])),
      ...Object.fromEntries(
        demoPartners.flatMap(([name, nameEn, , intro, introEn]) => [
          [name, nameEn],
          [intro, introEn],
        ]),
      ),
    });
    await to
      .insertInto("productServices")
      .values(
        demoServices.map(({ kind, name, scope, duration, prepare, price, unit }, at) => ({
          id: nextId(),
          kind,
          serviceName: name[0],
          serviceNameEn: name[1],
          serviceScope: scope[0],
          serviceScopeEn: scope[1],
          duration: duration[0],
          durationEn: duration[1],
          prepare: prepare[0],
          prepareEn: prepare[1],
          price,
          priceUnit: unit?.[0] ?? "",
          priceUnitEn: unit?.[1] ?? "",
          example: true,
          shown: true,
          sort: (at + 1) * 10,
        })),
      )
      .execute();
    await to.insertInto("productDocuments").values(demoDocumentRows(nextId)).execute();
    await to.insertInto("videos").values(demoVideoRows(nextId)).execute();
    await seedTranslations(to, {
      ...documentNames,
      ...videoNames,
      ...Object.fromEntries(demoServices.flatMap(({ name, scope, duration }) => [name, scope, duration])),
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
