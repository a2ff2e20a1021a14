import type { MessageKind } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readQuery } from "../../database/pages.ts";
import type { AccountScope } from "../../tenant-scope.ts";

export interface MessageRow {
  id: string;
  kind: MessageKind;
  title: string;
  content: string;
  titleEn: string;
  contentEn: string;
  urgent: boolean;
  link: string;
  status: number;
  createTime: Date;
}

const shownColumns = [
  "id",
  "title",
  "content",
  "titleEn",
  "contentEn",
  "urgent",
  "link",
  "createdAt as createTime",
] as const;

/** A way beside the list by which somebody was told. */
export interface MessageDeliveryRow {
  channel: "sms" | "mail" | "wechat";
  state: "waiting" | "sent" | "failed" | "dropped";
  atTime: Date;
}

/** @param db a pool or an open transaction */
export function messageRepository(db: Kysely<DB>) {
  const shown = (owner: AccountScope) =>
    db
      .selectFrom("messages")
      .where(ofAccount(owner, "messages"))
      .select(shownColumns)
      .select([sql<MessageKind>`kind`.as("kind"), sql<number>`(read_at is not null)::int`.as("status")]);
  return {
    async insert(
      { accountId }: AccountScope,
      row: {
        id: string;
        kind: MessageKind;
        title: string;
        content: string;
        link: string;
        /** Told at once by every way, also in quiet hours. */
        urgent?: boolean;
      },
    ): Promise<void> {
      await db
        .insertInto("messages")
        .values({ ...row, accountId })
        .execute();
    },

    page(
      owner: AccountScope,
      { kind, status }: { kind?: MessageKind | undefined; status?: number | undefined },
      request: PageRange,
    ): Promise<{ rows: MessageRow[]; total: number }> {
      let matching = shown(owner);
      if (kind !== undefined) matching = matching.where("kind", "=", kind);
      if (status !== undefined) matching = matching.where("readAt", status === 1 ? "is not" : "is", null);
      return readQuery(matching, [{ by: sql`id`, descending: true }], request);
    },

    find: (owner: AccountScope, id: string): Promise<MessageRow | undefined> =>
      shown(owner).where("id", "=", id).executeTakeFirst(),

    async deliveries(owner: AccountScope, messageId: string): Promise<MessageDeliveryRow[]> {
      const { rows } = await sql<MessageDeliveryRow>`
        select d.channel, d.state, coalesce(d.sent_at, d.due_at) as at_time from message_deliveries d
         where d.message_id = ${messageId} and ${ofAccount(owner, "d")} order by d.channel`.execute(db);
      return rows;
    },

    async counts(owner: AccountScope): Promise<{ kind: MessageKind; total: number; unread: number }[]> {
      const { rows } = await sql<{ kind: MessageKind; total: number; unread: number }>`
        select m.kind, count(*)::int as total, (count(*) filter (where m.read_at is null))::int as unread
          from messages m where ${ofAccount(owner, "m")} group by m.kind`.execute(db);
      return rows;
    },

    /** @param ids all messages of the account without it */
    async setRead(owner: AccountScope, ids: string[] | undefined, read: boolean): Promise<void> {
      let update = db
        .updateTable("messages")
        .set({ readAt: read ? sql<Date>`coalesce(read_at, now())` : null })
        .where(ofAccount(owner, "messages"));
      if (ids !== undefined) update = update.where("id", "in", ids);
      await update.execute();
    },

    async remove(owner: AccountScope, ids: string[]): Promise<void> {
      await db.deleteFrom("messages").where(ofAccount(owner, "messages")).where("id", "in", ids).execute();
    },

    async unread(owner: AccountScope): Promise<number> {
      const row = await db
        .selectFrom("messages")
        .select(sql<number>`count(*)::int`.as("unread"))
        .where(ofAccount(owner, "messages"))
        .where("readAt", "is", null)
        .executeTakeFirstOrThrow();
      return row.unread;
    },
  };
}
export type MessageRepository = ReturnType<typeof messageRepository>;
