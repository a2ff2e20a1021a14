import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";

export interface SiteFileRow {
  name: string;
  contentType: string;
  sizeBytes: number;
  sha256: Buffer;
}

/** Files of the installation itself. @param db a pool or an open transaction */
export function siteFileRepository(db: Kysely<DB>) {
  return {
    /** Announces a file whose bytes are about to be stored. */
    async insertPending(row: SiteFileRow): Promise<void> {
      await db.insertInto("siteFiles").values(row).execute();
    },

    async keep(name: string): Promise<void> {
      await db.updateTable("siteFiles").set({ state: "kept" }).where("name", "=", name).execute();
    },

    async kept(name: string): Promise<SiteFileRow | undefined> {
      return db
        .selectFrom("siteFiles")
        .select(["name", "contentType", "sizeBytes", "sha256"])
        .where("name", "=", name)
        .where("state", "=", "kept")
        .executeTakeFirst();
    },

    /**
     * Files that were broken off, and those that nothing names: of documents that have another one by now or are gone, pages that two
     * servers drew at once, pictures that no article shows any more, films that were replaced.
     */
    async removable(afterS: number): Promise<string[]> {
      const { rows } = await sql<{ name: string }>`
        select f.name from site_files f
         where f.created_at < now() - ${afterS} * interval '1 s'
           and (f.state = 'pending'
                or (not exists (select from product_documents d where d.file_name = f.name)
                    and not exists (select from document_page_pictures p where p.picture_name = f.name)
                    and not exists (select from article_picture_files a where a.file_name = f.name)
                    and not exists (select from video_files v where v.file_name = f.name)))
         limit 500`.execute(db);
      return rows.map(({ name }) => name);
    },

    /** Takes rows out whose files are about to be removed, with those of their pictures. @returns names of all of them */
    async release(name: string): Promise<string[]> {
      const { rows: pictures } = await sql<{ name: string }>`
        delete from document_page_pictures where file_name = ${name} returning picture_name as name`.execute(db);
      const names = [name, ...pictures.map((picture) => picture.name)];
      await db.deleteFrom("siteFiles").where("name", "in", names).execute();
      return names;
    },
  };
}
export type SiteFileRepository = ReturnType<typeof siteFileRepository>;
