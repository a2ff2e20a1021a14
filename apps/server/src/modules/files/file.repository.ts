import type { FileVisibility } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inScope, ofMember } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readQuery } from "../../database/pages.ts";
import type { MemberScope, SystemScope } from "../../tenant-scope.ts";

export interface AttachmentRow {
  id: string;
  tenantId: string;
  accountId: string;
  name: string;
  originalName: string;
  extension: string;
  contentType: string;
  sizeBytes: number;
  sha256: Buffer;
  visibility: FileVisibility;
  createTime: Date;
}

/** @param db a pool or an open transaction */
export function fileRepository(db: Kysely<DB>) {
  const kept = () =>
    db
      .selectFrom("attachments")
      .where("state", "=", "kept")
      .select([
        "id",
        "tenantId",
        "accountId",
        "name",
        "originalName",
        "extension",
        "contentType",
        "sizeBytes",
        "sha256",
      ])
      .select(["createdAt as createTime", sql<FileVisibility>`visibility`.as("visibility")]);
  return {
    /** Announces a file whose bytes are about to be stored. */
    async insertPending(
      { accountId, tenantId }: MemberScope,
      row: Omit<AttachmentRow, "accountId" | "tenantId" | "createTime"> & { expiresAt: Date | null },
    ): Promise<void> {
      await db
        .insertInto("attachments")
        .values({ ...row, accountId, tenantId })
        .execute();
    },

    async keep(owner: MemberScope, id: string): Promise<void> {
      await db
        .updateTable("attachments")
        .set({ state: "kept" })
        .where("id", "=", id)
        .where(ofMember(owner, "attachments"))
        .execute();
    },

    /** Whoever it belongs to; the caller decides who may have it. */
    async byName(scope: SystemScope, name: string): Promise<AttachmentRow | undefined> {
      return kept().where("name", "=", name).where(inScope(scope, "attachments")).executeTakeFirst();
    },

    async own(owner: MemberScope, which: { id: string } | { name: string }): Promise<AttachmentRow | undefined> {
      const rows = kept().where(ofMember(owner, "attachments"));
      return ("id" in which ? rows.where("id", "=", which.id) : rows.where("name", "=", which.name)).executeTakeFirst();
    },

    page(
      owner: MemberScope,
      originalName: string | undefined,
      request: PageRange,
    ): Promise<{ rows: AttachmentRow[]; total: number }> {
      let rows = kept().where(ofMember(owner, "attachments"));
      if (originalName) {
        rows = rows.where(sql<boolean>`position(lower(${originalName}) in lower(original_name)) > 0`);
      }
      return readQuery(rows, [{ by: sql`id`, descending: true }], request);
    },

    /** Takes own files back into the state in which they are removed. @returns their names */
    async release(
      owner: MemberScope,
      which: { ids: readonly string[] } | { names: readonly string[] },
    ): Promise<string[]> {
      const released = db
        .updateTable("attachments")
        .set({ state: "pending" })
        .where(ofMember(owner, "attachments"))
        .where("state", "=", "kept");
      const rows = await ("ids" in which
        ? released.where("id", "in", [...which.ids])
        : released.where("name", "in", [...which.names])
      )
        .returning("name")
        .execute();
      return rows.map(({ name }) => name);
    },

    /** Files that were broken off, and those whose time is over. */
    async removable(scope: SystemScope, pendingForS: number): Promise<string[]> {
      const rows = await db
        .selectFrom("attachments")
        .select("name")
        .where(inScope(scope, "attachments"))
        .where(({ or, and, eb }) =>
          or([
            and([
              eb("state", "=", "pending"),
              eb("createdAt", "<", sql<Date>`now() - ${pendingForS} * interval '1 s'`),
            ]),
            eb("expiresAt", "<", sql<Date>`now()`),
          ]),
        )
        .limit(500)
        .execute();
      return rows.map(({ name }) => name);
    },

    async remove(scope: SystemScope, name: string): Promise<void> {
      await db.deleteFrom("attachments").where("name", "=", name).where(inScope(scope, "attachments")).execute();
    },
  };
}
export type FileRepository = ReturnType<typeof fileRepository>;
