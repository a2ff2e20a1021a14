import type { CaptionLanguage, DocumentProduct, VideoState } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";

/** A part of a video: `film`, `poster-<width>`, `captions-<language>`. */
export type VideoPart = "film" | `poster-${number}` | `captions-${CaptionLanguage}`;

/** What the desk has to know of a video before it changes it. */
export interface HeldVideo {
  title: string;
  summary: string;
  state: VideoState;
  publishAt: Date | null;
  hasFilm: boolean;
  hasPoster: boolean;
}

/** A video with its film, as visitors see it. */
export interface ShownVideo {
  id: string;
  product: DocumentProduct;
  title: string;
  titleEn: string;
  summary: string;
  summaryEn: string;
  seconds: number;
  filmName: string;
  fileBytes: number;
  posters: number[];
  captions: CaptionLanguage[];
  example: boolean;
  publishedAt: Date;
}

export interface VideoFilter {
  product?: string | undefined;
  /** Looked for in titles and summaries. */
  keyword?: string | undefined;
  id?: string | undefined;
  except?: string | undefined;
}

/** Films of the public site. @param db a pool or an open transaction */
export function videoRepository(db: Kysely<DB>) {
  const withFilm = sql`
    videos v join video_files film on film.video_id = v.id and film.part = 'film' join site_files f on f.name = film.file_name`;
  const columns = sql`
    v.id::text as id, v.product, v.video_title as title, v.video_title_en as title_en, v.summary, v.summary_en, v.seconds,
    f.name as film_name, f.size_bytes as file_bytes, v.example, coalesce(v.published_at, v.created_at) as published_at,
    array(select substr(p.part, 8)::int from video_files p where p.video_id = v.id and p.part like 'poster-%' order by 1) as posters,
    array(select substr(p.part, 10) from video_files p where p.video_id = v.id and p.part like 'captions-%' order by 1 desc) as captions`;
  const published = sql<SqlBool>`v.state = 'published'`;
  const fitting = ({ product, keyword, id, except }: VideoFilter): RawBuilder<SqlBool> => {
    const like = keyword === undefined ? undefined : likeWord(keyword);
    return sql<SqlBool>`${sql.join(
      [
        published,
        ...(product === undefined ? [] : [sql`v.product = ${product}`]),
        ...(id === undefined ? [] : [sql`v.id = ${id}`]),
        ...(except === undefined ? [] : [sql`v.id <> ${except}`]),
        ...(like === undefined
          ? []
          : [
              sql`(v.video_title ilike ${like} or v.video_title_en ilike ${like} or v.summary ilike ${like} or v.summary_en ilike ${like})`,
            ]),
      ],
      sql` and `,
    )}`;
  };
  return {
    /** @param lock held until the transaction ends */
    async find(id: string, lock = false): Promise<HeldVideo | undefined> {
      const { rows } = await sql<HeldVideo>`
        select video_title as title, summary, state, publish_at,
               exists (select from video_files p where p.video_id = v.id and p.part = 'film') as has_film,
               exists (select from video_files p where p.video_id = v.id and p.part like 'poster-%') as has_poster
          from videos v where id = ${id} ${lock ? sql`for update` : sql``}`.execute(db);
      return rows[0];
    },

    /** The row keeps its version: a file is no field of the form that somebody may be typing in. */
    async setFilm(id: string, { name, seconds }: { name: string; seconds: number }): Promise<void> {
      await sql`
        with film as (
          insert into video_files (video_id, part, file_name) values (${id}, 'film', ${name})
          on conflict (video_id, part) do update set file_name = excluded.file_name)
        update videos set seconds = ${seconds}::int where id = ${id}`.execute(db);
    },

    /** Its picture in some widths, in place of the one it had. */
    async setPoster(id: string, files: readonly { width: number; name: string }[]): Promise<void> {
      await sql`delete from video_files where video_id = ${id} and part like 'poster-%'`.execute(db);
      await sql`
        insert into video_files (video_id, part, file_name)
        select ${id}::bigint, 'poster-' || p.width, p.name
          from unnest(${files.map(({ width }) => width)}::int[], ${files.map(({ name }) => name)}::text[]) as p (width, name)`.execute(
        db,
      );
    },

    /** @param name undefined takes them away */
    async setCaptions(id: string, language: CaptionLanguage, name: string | undefined): Promise<void> {
      const part: VideoPart = `captions-${language}`;
      if (name === undefined) await sql`delete from video_files where video_id = ${id} and part = ${part}`.execute(db);
      else
        await sql`
          insert into video_files (video_id, part, file_name) values (${id}, ${part}, ${name})
          on conflict (video_id, part) do update set file_name = excluded.file_name`.execute(db);
    },

    /** Its date is when it was published first. @param at when it is to be, of one that waits @param accountId null where its time did it */
    async setState(
      id: string,
      { state, at = null }: { state: VideoState; at?: Date | null },
      accountId: string | null,
    ): Promise<void> {
      await sql`
        update videos
           set state = ${state}, publish_at = ${at}::timestamptz,
               published_at = case when ${state} = 'published' then coalesce(published_at, now()) else published_at end,
               version = version + 1, updated_by = coalesce(${accountId}::bigint, updated_by), updated_at = now()
         where id = ${id}`.execute(db);
    },

    /** Videos whose time has come, held until the transaction ends. */
    async due(at: Date, limit: number): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select id::text as id from videos where state = 'scheduled' and publish_at <= ${at}
         order by publish_at, id limit ${limit} for update skip locked`.execute(db);
      return rows.map(({ id }) => id);
    },

    page: (filter: VideoFilter, request: PageRange) =>
      readList<ShownVideo>(
        db,
        {
          table: withFilm,
          where: [fitting(filter)],
          order: [
            { by: sql`v.sort` },
            { by: sql`v.published_at`, descending: true },
            { by: sql`v.id`, descending: true },
          ],
          columns,
        },
        request,
      ),

    async shown(id: string): Promise<ShownVideo | undefined> {
      const { rows } = await sql<ShownVideo>`select ${columns} from ${withFilm} where ${fitting({ id })}`.execute(db);
      return rows[0];
    },

    /** Others that visitors see, those about the same product first. */
    async related(id: string, product: string, limit: number): Promise<ShownVideo[]> {
      const { rows } = await sql<ShownVideo>`
        select ${columns} from ${withFilm} where ${fitting({ except: id })}
         order by (v.product = ${product}) desc, v.sort, v.published_at desc, v.id desc limit ${limit}`.execute(db);
      return rows;
    },

    /** Names of the files of a video by their parts. @param draft whether it may be one that is not published */
    async files(id: string, draft: boolean): Promise<{ part: VideoPart; name: string }[]> {
      const { rows } = await sql<{ part: VideoPart; name: string }>`
        select p.part, p.file_name as name from video_files p join videos v on v.id = p.video_id
         where v.id = ${id} and ${draft ? sql`true` : published}`.execute(db);
      return rows;
    },
  };
}
export type VideoRepository = ReturnType<typeof videoRepository>;
