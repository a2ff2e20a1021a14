import type { ArticleState } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inScope, likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** What a version keeps. */
export interface ArticleWords {
  title: string;
  titleEn: string;
  summary: string;
  summaryEn: string;
  channel: string;
  topic: string;
  page: string;
  cover: string;
  author: string;
  example: boolean;
  body: string;
  bodyEn: string;
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

const words = sql`title, title_en, summary, summary_en, channel, topic, page, cover, author, example, body, body_en`;
const versionWords = sql`v.title, v.title_en, v.summary, v.summary_en, v.channel, v.topic, v.page, v.cover, v.author, v.example`;
const entryOrder = sql`a.published_at desc, a.id desc`;

const personName = sql`coalesce(nullif(u.real_name, ''), u.account)`;
/** Names are told of people in the tenants that a session reaches. */
const isMember = (scope: TenantScope) =>
  sql<SqlBool>`exists (select from memberships m where m.account_id = u.id and ${inScope(scope, "m")})`;

export interface PublishedFilter {
  channel?: string | undefined;
  topic?: string | undefined;
  /** Looked for in titles, summaries and bodies of both languages. */
  keyword?: string | undefined;
  page?: string | undefined;
  id?: string | undefined;
  except?: string | undefined;
  /** First published at this time or later. */
  since?: Date | undefined;
}

/** Articles, their versions, and what of them visitors read. @param db a pool or an open transaction */
export function articleRepository(db: Kysely<DB>) {
  const published = sql`articles a join article_versions v on v.article_id = a.id and v.number = a.published_version`;
  const fitting = ({ channel, topic, keyword, page, id, except, since }: PublishedFilter): RawBuilder<SqlBool> => {
    const like = keyword === undefined ? undefined : likeWord(keyword);
    return sql<SqlBool>`${sql.join(
      [
        sql`true`,
        ...(channel === undefined ? [] : [sql`v.channel = ${channel}`]),
        ...(topic === undefined ? [] : [sql`v.topic = ${topic}`]),
        ...(page === undefined ? [] : [sql`a.published_page = ${page}`]),
        ...(id === undefined ? [] : [sql`a.id = ${id}`]),
        ...(except === undefined ? [] : [sql`a.id <> ${except}`]),
        ...(since === undefined ? [] : [sql`a.published_at >= ${since}`]),
        ...(like === undefined
          ? []
          : [
              // Markup is no text: a search for "table" must not find every table.
              sql`(v.title ilike ${like} or v.title_en ilike ${like} or v.summary ilike ${like} or v.summary_en ilike ${like}
                   or regexp_replace(v.body, '<[^>]*>', '', 'g') ilike ${like} or regexp_replace(v.body_en, '<[^>]*>', '', 'g') ilike ${like})`,
            ]),
      ],
      sql` and `,
    )}`;
  };
  const readable = sql`a.id, a.published_at, v.saved_at, ${versionWords}`;
  return {
    /** @param lock held until the transaction ends */
    async find(id: string, lock = false): Promise<ArticleRow | undefined> {
      const { rows } = await sql<ArticleRow>`
        select a.id, a.version, a.title, a.title_en, a.summary, a.summary_en, a.channel, a.topic, a.page, a.cover, a.author, a.example,
               a.body, a.body_en, a.state, a.publish_at, a.scheduled_version, a.published_at, a.published_version, a.published_page,
               (select v.channel from article_versions v where v.article_id = a.id and v.number = a.published_version) as published_channel,
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
                and (v.title, v.title_en, v.summary, v.summary_en, v.channel, v.topic, v.page, v.cover, v.author, v.example, v.body, v.body_en)
                  = (a.title, a.title_en, a.summary, a.summary_en, a.channel, a.topic, a.page, a.cover, a.author, a.example, a.body, a.body_en))`.execute(
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
               published_page = nullif(v.page, ''), publish_at = null, scheduled_version = null, version = version + 1
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
      await sql`update articles set state = 'withdrawn', published_version = null, published_page = null, version = version + 1
                 where id = ${id} and state = 'published'`.execute(db);
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

    async publishedPage(filter: PublishedFilter, { offset, limit }: { offset: number; limit: number }) {
      const { rows } = await sql<ReadableRow>`
        select ${readable} from ${published} where ${fitting(filter)} order by ${entryOrder} offset ${offset} limit ${limit}`.execute(
        db,
      );
      const { rows: counted } = await sql<{
        total: number;
      }>`select count(*)::int as total from ${published} where ${fitting(filter)}`.execute(db);
      return { rows, total: counted[0]?.total ?? 0 };
    },

    async published(filter: PublishedFilter): Promise<ReadableRow | undefined> {
      const { rows } = await sql<ReadableRow>`
        select ${readable}, v.body, v.body_en from ${published} where ${fitting(filter)} limit 1`.execute(db);
      return rows[0];
    },

    /** Articles of the channel, those of the same topic first. */
    async related(of: { id: string; channel: string; topic: string }, limit: number): Promise<ReadableRow[]> {
      const { rows } = await sql<ReadableRow>`
        select ${readable} from ${published} where ${fitting({ channel: of.channel, except: of.id })}
         order by (v.topic = ${of.topic}) desc, ${entryOrder} limit ${limit}`.execute(db);
      return rows;
    },

    /** The next one before or after in time in the same channel. */
    async beside(
      of: { id: string; channel: string; publishedAt: Date },
      way: "earlier" | "later",
    ): Promise<ReadableRow | undefined> {
      const { rows } = await sql<ReadableRow>`
        select ${readable} from ${published}
         where ${fitting({ channel: of.channel, except: of.id })}
           and (a.published_at, a.id) ${way === "earlier" ? sql`<` : sql`>`} (${of.publishedAt}, ${of.id}::bigint)
         order by ${way === "earlier" ? entryOrder : sql`a.published_at, a.id`} limit 1`.execute(db);
      return rows[0];
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
