import type { DocumentKind, DocumentProduct } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type Order, type PageRange, readList } from "../../database/pages.ts";

/** A published document, with the name of its file. */
export interface PublishedDocument {
  id: string;
  kind: DocumentKind;
  product: DocumentProduct;
  title: string;
  titleEn: string;
  summary: string;
  summaryEn: string;
  documentLanguage: "zh" | "en" | "both";
  documentVersion: string;
  pages: number;
  fileName: string;
  fileBytes: number;
  sha256: string;
  example: boolean;
  publishedAt: Date;
}

/** What the desk has to know of a document before it changes it. */
export interface HeldDocument {
  title: string;
  summary: string;
  state: "draft" | "published";
  pages: number;
  hasFile: boolean;
}

export interface DocumentFilter {
  kind?: string | undefined;
  product?: string | undefined;
  /** Looked for in titles, summaries and what the file says. */
  keyword?: string | undefined;
  id?: string | undefined;
  except?: string | undefined;
  /** Also what is not published; its time is that of the row. */
  draft?: boolean;
}

/** Documents about products, their files, and what of them visitors find. @param db a pool or an open transaction */
export function documentRepository(db: Kysely<DB>) {
  const published = sql`product_documents d join site_files f on f.name = d.file_name`;
  const columns = sql`
    d.id::text as id, d.kind, d.product, d.document_title as title, d.document_title_en as title_en, d.summary, d.summary_en,
    d.document_language, d.document_version, d.pages, d.file_name, f.size_bytes as file_bytes, encode(f.sha256, 'hex') as sha256,
    d.example, coalesce(d.published_at, d.created_at) as published_at`;
  const newestFirst: Order = [
    { by: sql`d.published_at`, descending: true },
    { by: sql`d.id`, descending: true },
  ];
  const fitting = ({ kind, product, keyword, id, except, draft = false }: DocumentFilter): RawBuilder<SqlBool> => {
    const like = keyword === undefined ? undefined : likeWord(keyword);
    return sql<SqlBool>`${sql.join(
      [
        draft ? sql`true` : sql`d.state = 'published'`,
        ...(kind === undefined ? [] : [sql`d.kind = ${kind}`]),
        ...(product === undefined ? [] : [sql`d.product = ${product}`]),
        ...(id === undefined ? [] : [sql`d.id = ${id}`]),
        ...(except === undefined ? [] : [sql`d.id <> ${except}`]),
        ...(like === undefined
          ? []
          : [
              sql`(d.document_title ilike ${like} or d.document_title_en ilike ${like} or d.summary ilike ${like}
                   or d.summary_en ilike ${like} or d.words ilike ${like})`,
            ]),
      ],
      sql` and `,
    )}`;
  };
  return {
    /** @param lock held until the transaction ends */
    async find(id: string, lock = false): Promise<HeldDocument | undefined> {
      const { rows } = await sql<HeldDocument>`
        select document_title as title, summary, state, pages, file_name is not null as has_file
          from product_documents where id = ${id} ${lock ? sql`for update` : sql``}`.execute(db);
      return rows[0];
    },

    /** The row keeps its version: a file is no field of the form that somebody may be typing in. */
    async setFile(
      id: string,
      file: { fileName: string; pages: number; words: string },
      accountId: string | null,
    ): Promise<void> {
      await sql`
        update product_documents
           set file_name = ${file.fileName}, pages = ${file.pages}::int, words = ${file.words}, updated_by = ${accountId}::bigint, updated_at = now()
         where id = ${id}`.execute(db);
    },

    /** Its date is when it was published first. */
    async setState(id: string, state: HeldDocument["state"], accountId: string): Promise<void> {
      await sql`
        update product_documents
           set state = ${state}, published_at = case when ${state} = 'published' then coalesce(published_at, now()) else published_at end,
               version = version + 1, updated_by = ${accountId}::bigint, updated_at = now()
         where id = ${id}`.execute(db);
    },

    page: (filter: DocumentFilter, request: PageRange) =>
      readList<PublishedDocument>(
        db,
        { table: published, where: [fitting(filter)], order: newestFirst, columns },
        request,
      ),

    /** @param draft whether it may be one that is not published */
    async readable(id: string, draft: boolean): Promise<PublishedDocument | undefined> {
      const { rows } =
        await sql<PublishedDocument>`select ${columns} from ${published} where ${fitting({ id, draft })}`.execute(db);
      return rows[0];
    },

    /** Name of the picture of a page, where it was drawn before. */
    async picture(fileName: string, page: number): Promise<string | undefined> {
      const { rows } = await sql<{ name: string }>`
        select picture_name as name from document_page_pictures where file_name = ${fileName} and page = ${page}::int`.execute(
        db,
      );
      return rows[0]?.name;
    },

    /** Servers that draw the same page at once keep the first one's. */
    async setPicture(fileName: string, page: number, pictureName: string): Promise<void> {
      await sql`insert into document_page_pictures (file_name, page, picture_name) values (${fileName}, ${page}::int, ${pictureName})
                on conflict do nothing`.execute(db);
    },
  };
}
export type DocumentRepository = ReturnType<typeof documentRepository>;
