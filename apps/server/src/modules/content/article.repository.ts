import {
  type ArticleChannel,
  type ArticleState,
  type ArticleTranslation,
  articleSearchCounted,
} from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Reading } from "../../article-html.ts";
import { inScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** What a version keeps. */
export interface ArticleWords {
  title: string;
  titleEn: string;
  summary: string;
  summaryEn: string;
  channel: ArticleChannel;
  topic: string;
  page: string;
  cover: string;
  author: string;
  example: boolean;
  body: string;
  bodyEn: string;
  /** Fields that hold a machine's translation which nobody has looked at. */
  unreviewed: ArticleTranslation[];
}

export interface ArticleRow extends ArticleWords {
  id: string;
  version: number;
  state: ArticleState;
  publishAt: Date | null;
  scheduledVersion: number | null;
  publishedAt: Date | null;
  publishedVersion: number | null;
  /** Of what visitors read; null while they read nothing. */
  publishedChannel: string | null;
  publishedPage: string | null;
  versionNumber: number;
  updateTime: Date;
}

export interface VersionRow extends ArticleWords {
  number: number;
  savedAt: Date;
}

/** A published version, or one that a preview shows. */
export interface ReadableRow extends ArticleWords {
  id: string;
  /** When it was first published; null in a preview of what never was. */
  publishedAt: Date | null;
  savedAt: Date;
}

const words = sql`title, title_en, summary, summary_en, channel, topic, page, cover, author, example, body, body_en, unreviewed`;
const versionWords = sql`v.title, v.title_en, v.summary, v.summary_en, v.channel, v.topic, v.page, v.cover, v.author, v.example, v.unreviewed`;
/** Columns of the fields that a machine may propose words for. */
const translationColumns: Readonly<Record<ArticleTranslation, string>> = {
  summary: "summary",
  body: "body",
  titleEn: "title_en",
  summaryEn: "summary_en",
  bodyEn: "body_en",
};
const entryOrder = sql`a.published_at desc, a.id desc`;
/** Whether a version can be read in English. */
const english = sql`(v.title_en <> '' and v.body_en <> '')`;
/** The kept reading of a published version in a language, or in Chinese. */
const readingIn = (language: "zh" | "en", rules: string) =>
  sql`left join article_readings r on r.article_id = a.id and r.version = a.published_version and r.rules = ${rules}
        and r.language = ${language === "en" ? sql`case when ${english} then 'en' else 'zh' end` : sql`'zh'`}`;

const personName = sql`coalesce(nullif(u.real_name, ''), u.account)`;
/** Names are told of people in the tenants that a session reaches. */
const isMember = (scope: TenantScope) =>
  sql<SqlBool>`exists (select from memberships m where m.account_id = u.id and ${inScope(scope, "m")})`;

export interface PublishedFilter {
  channel?: string | undefined;
  topic?: string | undefined;
  page?: string | undefined;
  id?: string | undefined;
  except?: string | undefined;
  /** First published at this time or later. */
  since?: Date | undefined;
}

/** A body of a published version as pages show it. */
export interface ReadingRow extends Reading {
  id: string;
  version: number;
  language: "zh" | "en";
  rules: string;
  seal: string;
}

/** What a page shows of a published body, and whether there is one in both languages. */
export interface PublishedRow extends ReadableRow {
  english: boolean;
  /** Number of the published version. */
  version: number;
  /** In the language that was asked for, or in Chinese; null while nobody made it. */
  reading: (Omit<Reading, "words"> & { seal: string; language: "zh" | "en" }) | null;
}

/** One that a search found, with the words of its body. */
export interface FoundRow extends ReadableRow {
  english: boolean;
  words: string | null;
}

/** What the search keeps of a published article. */
export interface SearchRow {
  id: string;
  version: number;
  /** As the text of a `tsvector`. */
  lexemes: string;
}

/** Articles, their versions, and what of them visitors read. @param db a pool or an open transaction */
export function articleRepository(db: Kysely<DB>) {
  const published = sql`articles a join article_versions v on v.article_id = a.id and v.number = a.published_version`;
  const fitting = ({ channel, topic, page, id, except, since }: PublishedFilter): RawBuilder<SqlBool> =>
    sql<SqlBool>`${sql.join(
      [
        sql`a.published_version is not null`,
        ...(channel === undefined ? [] : [sql`a.published_channel = ${channel}`]),
        ...(topic === undefined ? [] : [sql`a.published_topic = ${topic}`]),
        ...(page === undefined ? [] : [sql`a.published_page = ${page}`]),
        ...(id === undefined ? [] : [sql`a.id = ${id}`]),
        ...(except === undefined ? [] : [sql`a.id <> ${except}`]),
        ...(since === undefined ? [] : [sql`a.published_at >= ${since}`]),
      ],
      sql` and `,
    )}`;
  const readable = sql`a.id, a.published_at, v.saved_at, ${versionWords}`;
  return {
    /** @param lock held until the transaction ends */
    async find(id: string, lock = false): Promise<ArticleRow | undefined> {
      const { rows } = await sql<ArticleRow>`
        select a.id, a.version, a.title, a.title_en, a.summary, a.summary_en, a.channel, a.topic, a.page, a.cover, a.author, a.example,
               a.body, a.body_en, a.unreviewed, a.state, a.publish_at, a.scheduled_version, a.published_at, a.published_version, a.published_page,
               a.published_channel,
               coalesce((select max(v.number) from article_versions v where v.article_id = a.id), 0) as version_number,
               a.updated_at as update_time
          from articles a
         where a.id = ${id} ${lock ? sql`for update of a` : sql``}`.execute(db);
      return rows[0];
    },

    async setBodies(id: string, bodies: { body: string; bodyEn: string }, accountId: string): Promise<void> {
      await sql`update articles set body = ${bodies.body}, body_en = ${bodies.bodyEn}, version = version + 1, updated_by = ${accountId},
                       updated_at = now() where id = ${id}`.execute(db);
    },

    /**
     * Writes a machine's words into a field and marks them, unless a person's stand there.
     * @returns whether it did
     */
    async propose(id: string, field: ArticleTranslation, words: string, accountId: string): Promise<boolean> {
      const column = sql.ref(translationColumns[field]);
      const { numAffectedRows = 0n } = await sql`
        update articles set ${column} = ${words}, version = version + 1, updated_by = ${accountId}, updated_at = now()
         where id = ${id} and (${column} = '' or ${field} = any(unreviewed))`.execute(db);
      if (numAffectedRows === 0n) return false;
      // By itself: words that change lose their mark.
      await sql`update articles set unreviewed = array_append(array_remove(unreviewed, ${field}), ${field}) where id = ${id}`.execute(
        db,
      );
      return true;
    },

    async setUnreviewed(id: string, unreviewed: readonly string[], accountId: string): Promise<void> {
      await sql`update articles set unreviewed = ${[...unreviewed]}::text[], version = version + 1, updated_by = ${accountId}, updated_at = now()
                 where id = ${id}`.execute(db);
    },

    /** Of these pictures those that there are, with the size of their widest version. */
    async pictureSizes(ids: readonly string[]): Promise<{ id: string; width: number; height: number }[]> {
      const { rows } = await sql<{ id: string; width: number; height: number }>`
        select id, width, height from article_pictures where id = any(${[...ids]}::uuid[])`.execute(db);
      return rows;
    },

    /** Notes that an article shows pictures, which stay as long as it does. */
    async usePictures(id: string, pictures: readonly string[]): Promise<void> {
      await sql`insert into article_picture_uses (article_id, picture_id)
                select ${id}::bigint, p.id from article_pictures p where p.id = any(${[...pictures]}::uuid[])
                on conflict do nothing`.execute(db);
    },

    /** Keeps the article as it is as its next version, unless the newest one says the same. @returns the number of the newest */
    async keep(id: string, accountId: string): Promise<number> {
      await sql`
        insert into article_versions (article_id, number, ${words}, saved_by)
        select a.id, coalesce((select max(n.number) from article_versions n where n.article_id = a.id), 0) + 1, ${words}, ${accountId}
          from articles a
         where a.id = ${id}
           and not exists (
             select from article_versions v
              where v.article_id = a.id and v.number = (select max(n.number) from article_versions n where n.article_id = a.id)
                and (v.title, v.title_en, v.summary, v.summary_en, v.channel, v.topic, v.page, v.cover, v.author, v.example, v.body, v.body_en, v.unreviewed)
                  = (a.title, a.title_en, a.summary, a.summary_en, a.channel, a.topic, a.page, a.cover, a.author, a.example, a.body, a.body_en, a.unreviewed))`.execute(
        db,
      );
      const { rows } = await sql<{
        number: number;
      }>`select max(number) as number from article_versions where article_id = ${id}`.execute(db);
      return rows[0]?.number ?? 0;
    },

    /** Who changed the article last; "" where that account is gone. */
    async changer(scope: TenantScope, id: string): Promise<string> {
      const { rows } = await sql<{ name: string }>`
        select ${personName} as name from articles a join accounts u on u.id = a.updated_by and ${isMember(scope)}
         where a.id = ${id}`.execute(db);
      return rows[0]?.name ?? "";
    },

    /** @param number one of them alone */
    async versions(scope: TenantScope, id: string, { number, limit }: { number?: number; limit: number }) {
      const { rows } = await sql<VersionRow & { savedBy: string }>`
        select v.number, ${versionWords}, v.body, v.body_en, v.saved_at, coalesce(${personName}, '') as saved_by
          from article_versions v left join accounts u on u.id = v.saved_by and ${isMember(scope)}
         where v.article_id = ${id} and (${number ?? null}::int is null or v.number = ${number ?? null})
         order by v.number desc limit ${limit}`.execute(db);
      return rows;
    },

    async versionOf(id: string, number: number): Promise<VersionRow | undefined> {
      const { rows } = await sql<VersionRow>`
        select v.number, ${versionWords}, v.body, v.body_en, v.saved_at
          from article_versions v where v.article_id = ${id} and v.number = ${number}`.execute(db);
      return rows[0];
    },

    /** Lets visitors read a version from now on. */
    async publish(id: string, number: number): Promise<void> {
      await sql`
        update articles a
           set state = 'published', published_version = v.number, published_at = coalesce(a.published_at, now()),
               published_page = nullif(v.page, ''), published_channel = v.channel, published_topic = v.topic, publish_at = null, scheduled_version = null, version = version + 1
          from article_versions v where a.id = ${id} and v.article_id = a.id and v.number = ${number}`.execute(db);
    },

    async schedule(id: string, number: number, at: Date): Promise<void> {
      await sql`update articles set state = 'scheduled', publish_at = ${at}, scheduled_version = ${number}, version = version + 1
                 where id = ${id}`.execute(db);
    },

    /** Takes a time back: what was published before goes on as it is. */
    async unschedule(id: string): Promise<void> {
      await sql`update articles set publish_at = null, scheduled_version = null, version = version + 1,
                       state = case when published_version is null then 'draft' else 'published' end
                 where id = ${id} and state = 'scheduled'`.execute(db);
    },

    async withdraw(id: string): Promise<void> {
      await sql`update articles set state = 'withdrawn', published_version = null, published_page = null, published_channel = null,
                       published_topic = null, version = version + 1
                 where id = ${id} and state = 'published'`.execute(db);
      await sql`delete from article_search where article_id = ${id}`.execute(db);
      await sql`delete from article_readings where article_id = ${id}`.execute(db);
    },

    /** Articles whose time has come, the earliest first. */
    async due(at: Date, limit: number): Promise<{ id: string; scheduledVersion: number }[]> {
      const { rows } = await sql<{ id: string; scheduledVersion: number }>`
        select id, scheduled_version from articles where state = 'scheduled' and publish_at <= ${at}
         order by publish_at, id limit ${limit} for update skip locked`.execute(db);
      return rows;
    },

    /** Another article that visitors read as this page. */
    async holderOf(page: string, except: string): Promise<{ id: string; title: string } | undefined> {
      const { rows } = await sql<{ id: string; title: string }>`
        select id, title from articles where published_page = ${page} and id <> ${except}`.execute(db);
      return rows[0];
    },

    async publishedPage(
      filter: PublishedFilter,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<ReadableRow[]> {
      // The rows before the page are counted off in the index alone.
      const { rows } = await sql<ReadableRow>`
        with shown as (select a.id from articles a where ${fitting(filter)} order by ${entryOrder} offset ${offset} limit ${limit})
        select ${readable} from shown join ${published} on a.id = shown.id order by ${entryOrder}`.execute(db);
      return rows;
    },

    async publishedCount(filter: PublishedFilter): Promise<number> {
      const { rows } = await sql<{ total: number }>`
        select count(*)::int as total from articles a where ${fitting(filter)}`.execute(db);
      return rows[0]?.total ?? 0;
    },

    /** Published articles by their ids. */
    async mappedPage({ offset, limit }: { offset: number; limit: number }) {
      const { rows } = await sql<ReadableRow>`
        with shown as (select a.id from articles a where a.published_version is not null order by a.id offset ${offset} limit ${limit})
        select ${readable} from shown join ${published} on a.id = shown.id order by a.id`.execute(db);
      const { rows: counted } = await sql<{
        total: number;
      }>`select count(*)::int as total from articles a where ${fitting({})}`.execute(db);
      return { rows, total: counted[0]?.total ?? 0 };
    },

    /**
     * Published articles that hold what is looked for, newest first, and how many there are; of more than `articleSearchCounted`, one more.
     * @param query the text of a `tsquery`
     * @param reading of the words that come along
     */
    async searchPage(
      query: string,
      reading: { language: "zh" | "en"; rules: string },
      { channel, topic, since }: Pick<PublishedFilter, "channel" | "topic" | "since">,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<{ rows: FoundRow[]; total: number }> {
      const fits = sql<SqlBool>`s.lexemes @@ ${query}::tsquery
             and (${channel ?? null}::text is null or s.channel = ${channel ?? null})
             and (${topic ?? null}::text is null or s.topic = ${topic ?? null})
             and (${since ?? null}::timestamptz is null or s.published_at >= ${since ?? null})`;
      const { rows: counted } = await sql<{ total: number }>`
        select count(*)::int as total from (
          select from article_search s where ${fits} limit ${articleSearchCounted + 1}) as found`.execute(db);
      const total = counted[0]?.total ?? 0;
      if (total <= offset) return { rows: [], total };
      const newest = sql`s.published_at desc, s.article_id desc`;
      // Of many, the newest are looked at in turn until the page is full; of few, all are found by the index and put into order. "offset 0"
      // and "materialized" keep the planner, which can't know how many hold a phrase, from doing it the other way.
      const shown =
        total > articleSearchCounted
          ? sql`select s.article_id from (select * from article_search s order by ${newest} offset 0) as s
                 where ${fits} offset ${offset} limit ${limit}`
          : sql`select s.article_id from found s order by ${newest} offset ${offset} limit ${limit}`;
      const { rows } = await sql<FoundRow>`
        with found as materialized (select s.article_id, s.published_at from article_search s where ${fits}),
             shown as materialized (${shown})
        select ${readable}, ${english} as english, r.words
          from shown join ${published} on a.id = shown.article_id ${readingIn(reading.language, reading.rules)}
         order by ${entryOrder}`.execute(db);
      return { rows, total };
    },

    /** Keeps what the search reads of published versions, in the place of what it had of these articles. */
    async keepSearch(rows: readonly SearchRow[]): Promise<void> {
      await sql`
        insert into article_search (article_id, version, channel, topic, published_at, lexemes)
        select a.id, r.version, a.published_channel, a.published_topic, a.published_at, r.lexemes::tsvector
          from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ version }) => version)}::int[],
                      ${rows.map(({ lexemes }) => lexemes)}::text[]) as r (id, version, lexemes)
          join articles a on a.id = r.id and a.published_version = r.version
        on conflict (article_id) do update
           set version = excluded.version, channel = excluded.channel, topic = excluded.topic, published_at = excluded.published_at,
               lexemes = excluded.lexemes`.execute(db);
    },

    /** Keeps bodies as pages show them, in the place of what was kept of these articles. */
    async keepReadings(rows: readonly ReadingRow[]): Promise<void> {
      const column = <Name extends keyof ReadingRow>(name: Name) => rows.map((row) => row[name]);
      await sql`delete from article_readings where article_id = any(${[...new Set(column("id"))]}::bigint[])`.execute(
        db,
      );
      await sql`
        insert into article_readings (article_id, language, version, rules, seal, body, contents, minutes, words)
        select a.id, r.language, r.version, r.rules, r.seal, r.body, r.contents::jsonb, r.minutes, r.words
          from unnest(${column("id")}::bigint[], ${column("version")}::int[], ${column("language")}::text[], ${column("rules")}::text[],
                      ${column("seal")}::text[], ${column("body")}::text[],
                      ${rows.map(({ contents }) => JSON.stringify(contents))}::text[], ${column("minutes")}::int[],
                      ${column("words")}::text[]) as r (id, version, language, rules, seal, body, contents, minutes, words)
          join articles a on a.id = r.id and a.published_version = r.version
        on conflict on constraint article_readings_pk do nothing`.execute(db);
    },

    /** Published versions whose body is not kept as pages show it. @param after id of the last one that was asked for */
    async unread(
      rules: string,
      after: string,
      limit: number,
    ): Promise<(ArticleWords & { id: string; version: number })[]> {
      const { rows } = await sql<ArticleWords & { id: string; version: number }>`
        select a.id, a.published_version as version, ${versionWords}, v.body, v.body_en
          from ${published} left join article_readings r on r.article_id = a.id and r.language = 'zh'
         where (r.version, r.rules) is distinct from (a.published_version, ${rules}::text) and a.id > ${after}::bigint
         order by a.id limit ${limit}`.execute(db);
      return rows;
    },

    /** Published versions that the search does not know yet. @param after id of the last one that was asked for */
    async unsearched(after: string, limit: number): Promise<(ArticleWords & { id: string; version: number })[]> {
      const { rows } = await sql<ArticleWords & { id: string; version: number }>`
        select a.id, a.published_version as version, ${versionWords}, v.body, v.body_en
          from ${published} left join article_search s on s.article_id = a.id
         where s.version is distinct from a.published_version and a.id > ${after}::bigint order by a.id limit ${limit}`.execute(
        db,
      );
      return rows;
    },

    /** Counts words once more. @param words each once, sorted, so that servers never wait for each other's in turn @returns those that are new */
    async countWords(words: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ word: string; fresh: boolean }>`
        insert into search_words (word) select unnest(${[...words]}::text[])
        on conflict (word) do update set articles = search_words.articles + 1
        returning word, xmax = 0 as fresh`.execute(db);
      return rows.filter(({ fresh }) => fresh).map(({ word }) => word);
    },

    async addForms(forms: readonly { form: string; word: string }[]): Promise<void> {
      await sql`insert into search_word_forms (form, word)
                select * from unnest(${forms.map(({ form }) => form)}::text[], ${forms.map(({ word }) => word)}::text[])
                on conflict do nothing`.execute(db);
    },

    /** Words that have one of these forms, those of most articles first. */
    async wordsByForm(
      forms: readonly string[],
      limit: number,
    ): Promise<{ word: string; form: string; articles: number }[]> {
      const { rows } = await sql<{ word: string; form: string; articles: number }>`
        select f.word, f.form, w.articles from search_word_forms f join search_words w on w.word = f.word
         where f.form = any(${[...forms]}::text[]) order by w.articles desc, f.word limit ${limit}`.execute(db);
      return rows;
    },

    /** Lets Chinese words be found by their pinyin, in each reading of their characters. */
    async addSpellings(words: readonly string[]): Promise<void> {
      await sql`insert into search_word_forms (form, word)
                select distinct replace(p, '''', ''), w from unnest(${[...words]}::text[]) w, unnest(pinyin_of(w)) p where p like '%''%'
                on conflict do nothing`.execute(db);
    },

    /** Words that begin with a text, or are spelt so in pinyin, those of the most articles first. */
    async wordsFrom(text: string, spelt = "", limit: number): Promise<string[]> {
      const { rows } = await sql<{ word: string }>`
        select w.word from search_words w
         where starts_with(w.word, ${text})
            or ${spelt} <> '' and w.word in (
                 select f.word from search_word_forms f
                  where f.form ~ '^[a-z]+$' and f.word !~ '^[a-z]'
                    and f.form collate "C" >= ${spelt} and f.form collate "C" < ${spelt} || '{')
         order by w.articles desc, length(w.word), w.word limit ${limit}`.execute(db);
      return rows.map(({ word }) => word);
    },

    /** How many published articles each of these queries finds. */
    async countAnswers(queries: readonly string[]): Promise<number[]> {
      const { rows } = await sql<{ count: number }>`
        select (select count(*)::int from article_search s where s.lexemes @@ q.query::tsquery) as count
          from unnest(${[...queries]}::text[]) with ordinality as q (query, place) order by q.place`.execute(db);
      return rows.map(({ count }) => count);
    },

    /** Place of the first of these queries that something published answers. */
    async firstAnswered(queries: readonly string[]): Promise<number | undefined> {
      const { rows } = await sql<{ place: number }>`
        select q.place::int as place from unnest(${[...queries]}::text[]) with ordinality as q (query, place)
         where exists (select from article_search s where s.lexemes @@ q.query::tsquery) order by q.place limit 1`.execute(
        db,
      );
      return rows[0] && rows[0].place - 1;
    },

    async published(filter: PublishedFilter, language: "zh" | "en", rules: string): Promise<PublishedRow | undefined> {
      const { rows } = await sql<PublishedRow>`
        select ${readable}, a.published_version as version, ${english} as english,
               case when r.article_id is not null
                    then jsonb_build_object('body', r.body, 'contents', r.contents, 'minutes', r.minutes, 'seal', r.seal, 'language', r.language) end as reading
          from ${published} ${readingIn(language, rules)} where ${fitting(filter)} limit 1`.execute(db);
      return rows[0];
    },

    /**
     * What to read beside a published article: others of its channel, those of its topic first, and its neighbours in
     * time, which are among the others only where too few would be left without them.
     */
    async around(
      of: { id: string; channel: string; topic: string; publishedAt: Date },
      limit: number,
    ): Promise<{ related: ReadableRow[]; earlier: ReadableRow | undefined; later: ReadableRow | undefined }> {
      const ofChannel = fitting({ channel: of.channel, except: of.id });
      const newest = (part: string, filter: RawBuilder<SqlBool>) =>
        sql`(select a.id, ${sql.lit(part)} as part from articles a where ${filter} order by ${entryOrder} limit ${limit + 2})`;
      const beside = (part: string, way: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
        sql`(select a.id, ${sql.lit(part)} as part from articles a
              where ${ofChannel} and (a.published_at, a.id) ${way} (${of.publishedAt}, ${of.id}::bigint) order by ${order} limit 1)`;
      // Each part reads a few rows of an index; one order over all would sort the whole channel.
      const { rows } = await sql<ReadableRow & { part: string }>`
        with near as (
          ${newest("topic", fitting({ channel: of.channel, topic: of.topic, except: of.id }))}
          union all ${newest("channel", ofChannel)}
          union all ${beside("earlier", sql`<`, entryOrder)}
          union all ${beside("later", sql`>`, sql`a.published_at, a.id`)}
        )
        select ${readable}, near.part from near join ${published} on a.id = near.id order by ${entryOrder}`.execute(db);
      const named = (name: string) => rows.filter(({ part }) => part === name);
      const ofTopic = named("topic");
      const others = named("channel").filter(({ id }) => ofTopic.every((one) => one.id !== id));
      const [earlier, later] = [named("earlier")[0], named("later")[0]];
      const all = [...ofTopic, ...others];
      const apart = all.filter(({ id }) => id !== earlier?.id && id !== later?.id);
      return { related: (apart.length < limit ? all : apart).slice(0, limit), earlier, later };
    },

    async partners() {
      const { rows } = await sql<{
        id: string;
        name: string;
        nameEn: string;
        kind: string;
        intro: string;
        introEn: string;
        example: boolean;
      }>`
        select id, partner_name as name, partner_name_en as name_en, kind, intro, intro_en, example from partners
         where shown order by sort nulls last, id limit 200`.execute(db);
      return rows;
    },
  };
}
export type ArticleRepository = ReturnType<typeof articleRepository>;
