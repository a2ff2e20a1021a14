import type { MessageKind } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";

export interface MessageRow {
  id: string;
  kind: MessageKind;
  title: string;
  content: string;
  status: number;
  createTime: Date;
}

/** @param db a pool or an open transaction */
export function messageRepository(db: Kysely<DB>) {
  return {
    async insert(row: {
      id: string;
      accountId: string;
      kind: MessageKind;
      title: string;
      content: string;
    }): Promise<void> {
      await db.insertInto("messages").values(row).execute();
    },

    async page(
      accountId: string,
      filter: { kind?: MessageKind | undefined; status?: number | undefined },
      { offset, limit }: { offset: number; limit: number },
    ): Promise<{ rows: MessageRow[]; total: number }> {
      const { kind, status } = filter;
      let matching = db.selectFrom("messages").where("accountId", "=", accountId);
      if (kind !== undefined) matching = matching.where("kind", "=", kind);
      if (status !== undefined) matching = matching.where("readAt", status === 1 ? "is not" : "is", null);
      const [rows, count] = await Promise.all([
        matching
          .select(["id", "title", "content", "createdAt as createTime"])
          .select([sql<MessageKind>`kind`.as("kind"), sql<number>`(read_at is not null)::int`.as("status")])
          .orderBy("id", "desc")
          .offset(offset)
          .limit(limit)
          .execute(),
        matching.select(sql<number>`count(*)::int`.as("total")).executeTakeFirstOrThrow(),
      ]);
      return { rows, total: count.total };
    },

    /** @param ids all messages of the account without it */
    async setRead(accountId: string, ids: string[] | undefined, read: boolean): Promise<void> {
      let update = db
        .updateTable("messages")
        .set({ readAt: read ? sql<Date>`coalesce(read_at, now())` : null })
        .where("accountId", "=", accountId);
      if (ids !== undefined) update = update.where("id", "in", ids);
      await update.execute();
    },

    async remove(accountId: string, ids: string[]): Promise<void> {
      await db.deleteFrom("messages").where("accountId", "=", accountId).where("id", "in", ids).execute();
    },

    async unread(accountId: string): Promise<number> {
      const row = await db
        .selectFrom("messages")
        .select(sql<number>`count(*)::int`.as("unread"))
        .where("accountId", "=", accountId)
        .where("readAt", "is", null)
        .executeTakeFirstOrThrow();
      return row.unread;
    },
  };
}
export type MessageRepository = ReturnType<typeof messageRepository>;
