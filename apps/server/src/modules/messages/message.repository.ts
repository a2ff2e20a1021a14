import type { MessageKind } from "@herdwise/contract";
import { type Kysely, type SqlBool, sql } from "kysely";
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

/** How many messages of a kind there are, and about how many things they are. */
interface MessageCount {
  kind: MessageKind;
  total: number;
  unread: number;
  things: number;
  unreadThings: number;
}

/** Messages about one thing, by the newest of them. */
export interface MessageGroupRow extends MessageRow {
  thing: string;
  count: number;
  unread: number;
  firstTime: Date;
}

/** Messages that are named: by their own ids, or by one of each group. */
export interface NamedMessages {
  ids: readonly string[];
  /** Each names the messages about its thing that are not newer than it. */
  groups: readonly string[];
}

/** Messages of a thing that its course names. */
const mostOfCourse = 50;

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
  const named = (owner: AccountScope, { ids, groups }: NamedMessages) => sql<SqlBool>`(
    messages.id = any(${[...ids]}::bigint[]) or exists (
      select from messages n where n.id = any(${[...groups]}::bigint[]) and ${ofAccount(owner, "n")}
         and n.thing = messages.thing and messages.id <= n.id))`;
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
        /** Absent where the Chinese is to be translated. */
        titleEn?: string;
        contentEn?: string;
        /** Told at once by every way, also in quiet hours. */
        urgent?: boolean;
        /** What it is about, where its link does not say it. */
        thing?: string;
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

    /** A thing is on one page alone, with all of its messages that the kind leaves. */
    groups(
      owner: AccountScope,
      { kind, status }: { kind?: MessageKind | undefined; status?: number | undefined },
      request: PageRange,
    ): Promise<{ rows: MessageGroupRow[]; total: number }> {
      let things = db
        .selectFrom("messages as t")
        .where(ofAccount(owner, "t"))
        .groupBy("t.thing")
        .select([
          sql<string>`max(t.id)`.as("newest"),
          sql<number>`count(*)::int`.as("count"),
          sql<number>`(count(*) filter (where t.read_at is null))::int`.as("unread"),
          sql<Date>`min(t.created_at)`.as("firstTime"),
        ]);
      if (kind !== undefined) things = things.where("t.kind", "=", kind);
      if (status !== undefined)
        things = things.having(
          sql<SqlBool>`count(*) filter (where t.read_at is null) ${sql.raw(status === 1 ? "= 0" : "> 0")}`,
        );
      const rows = db
        .selectFrom(things.as("g"))
        .innerJoin("messages as m", "m.id", "g.newest")
        .select(["m.id", "m.title", "m.content", "m.titleEn", "m.contentEn", "m.urgent", "m.link", "m.thing"])
        .select(["m.createdAt as createTime", "g.count", "g.unread", "g.firstTime"])
        .select([sql<MessageKind>`m.kind`.as("kind"), sql<number>`(g.unread = 0)::int`.as("status")]);
      return readQuery(rows, [{ by: sql`m.id`, descending: true }], request);
    },

    find: (owner: AccountScope, id: string): Promise<(MessageRow & { thing: string }) | undefined> =>
      shown(owner).select("thing").where("id", "=", id).executeTakeFirst(),

    /** Messages about the thing of one, up to it, newest first. */
    course: (owner: AccountScope, { id, thing }: { id: string; thing: string }) =>
      db
        .selectFrom("messages")
        .where(ofAccount(owner, "messages"))
        .where("thing", "=", thing)
        .where("id", "<=", id)
        .select(["id", "title", "content", "titleEn", "contentEn", "createdAt as createTime"])
        .orderBy("id", "desc")
        .limit(mostOfCourse)
        .execute(),

    /** Links of the things of some messages, with the message that names each. */
    async links(
      owner: AccountScope,
      ids: readonly string[],
    ): Promise<{ id: string; thing: string; links: string[] }[]> {
      const { rows } = await sql<{ id: string; thing: string; links: string[] }>`
        select n.id, n.thing, array_agg(distinct m.link) as links
          from messages n join messages m on m.thing = n.thing and m.id <= n.id and ${ofAccount(owner, "m")}
         where n.id = any(${[...ids]}::bigint[]) and ${ofAccount(owner, "n")}
         group by n.id, n.thing`.execute(db);
      return rows;
    },

    async deliveries(owner: AccountScope, messageId: string): Promise<MessageDeliveryRow[]> {
      const { rows } = await sql<MessageDeliveryRow>`
        select d.channel, d.state, coalesce(d.sent_at, d.due_at) as at_time from message_deliveries d
         where d.message_id = ${messageId} and ${ofAccount(owner, "d")} order by d.channel`.execute(db);
      return rows;
    },

    async counts(owner: AccountScope): Promise<MessageCount[]> {
      const { rows } = await sql<MessageCount>`
        select m.kind, count(*)::int as total, (count(*) filter (where m.read_at is null))::int as unread,
               count(distinct m.thing)::int as things,
               (count(distinct m.thing) filter (where m.read_at is null))::int as "unreadThings"
          from messages m where ${ofAccount(owner, "m")} group by m.kind`.execute(db);
      return rows;
    },

    /** @param which all messages of the account without it */
    async setRead(owner: AccountScope, which: NamedMessages | undefined, read: boolean): Promise<void> {
      let update = db
        .updateTable("messages")
        .set({ readAt: read ? sql<Date>`coalesce(read_at, now())` : null })
        .where(ofAccount(owner, "messages"));
      if (which !== undefined) update = update.where(named(owner, which));
      await update.execute();
    },

    async remove(owner: AccountScope, which: NamedMessages): Promise<void> {
      await db.deleteFrom("messages").where(ofAccount(owner, "messages")).where(named(owner, which)).execute();
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
