import type { Kysely } from "kysely";
import type { DB } from "../../database/generated/database.ts";

export interface OutboxRow {
  id: string;
  channel: string;
  messageEncrypted: string;
  createdAt: Date;
}

/** Messages that are kept; older ones go. */
const kept = 200;

/** @param db a pool or an open transaction */
export function outboxRepository(db: Kysely<DB>) {
  return {
    async insert(row: Omit<OutboxRow, "createdAt">): Promise<void> {
      await db.insertInto("outboxMessages").values(row).execute();
      await db
        .deleteFrom("outboxMessages")
        .where("id", "<", (from) =>
          from.selectFrom("outboxMessages").select("id").orderBy("id", "desc").offset(kept).limit(1),
        )
        .execute();
    },
    newest: (limit: number): Promise<OutboxRow[]> =>
      db
        .selectFrom("outboxMessages")
        .select(["id", "channel", "messageEncrypted", "createdAt"])
        .orderBy("id", "desc")
        .limit(limit)
        .execute(),
  };
}
export type OutboxRepository = ReturnType<typeof outboxRepository>;
