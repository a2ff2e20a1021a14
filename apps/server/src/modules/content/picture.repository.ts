import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";

export interface NewPicture {
  id: string;
  width: number;
  height: number;
  files: readonly { width: number; fileName: string }[];
}

/** Pictures in the bodies of articles. @param db a pool or an open transaction */
export function pictureRepository(db: Kysely<DB>) {
  return {
    /** In one statement, so that there is no picture without its files. */
    async insert({ id, width, height, files }: NewPicture, accountId: string): Promise<void> {
      await sql`
        with picture as (
          insert into article_pictures (id, width, height, created_by) values (${id}::uuid, ${width}, ${height}, ${accountId}::bigint) returning id)
        insert into article_picture_files (picture_id, width, file_name)
        select picture.id, f.width, f.name
          from picture, unnest(${files.map((file) => file.width)}::int[], ${files.map(({ fileName }) => fileName)}::text[]) as f (width, name)`.execute(
        db,
      );
    },

    /** Name of the file of a version. */
    async file(id: string, width: number): Promise<string | undefined> {
      const { rows } = await sql<{ name: string }>`
        select file_name as name from article_picture_files where picture_id = ${id}::uuid and width = ${width}::int`.execute(
        db,
      );
      return rows[0]?.name;
    },

    /** Removes pictures that no article shows; their files are swept as files that nothing names. @returns how many */
    async removeUnused(afterS: number): Promise<number> {
      const { rows } = await sql<{ id: string }>`
        delete from article_pictures p
         where p.created_at < now() - ${afterS} * interval '1 s'
           and not exists (select from article_picture_uses u where u.picture_id = p.id) returning p.id`.execute(db);
      return rows.length;
    },
  };
}
export type PictureRepository = ReturnType<typeof pictureRepository>;
