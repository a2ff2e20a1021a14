import {
  type AccountEventGroup,
  type AccountEventKind,
  accountEventDays,
  accountEventGroups,
} from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readQuery } from "../../database/pages.ts";
import { type AccountScope, requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

export interface AccountEventRow {
  id: string;
  kind: AccountEventKind;
  detail: string;
  userAgent: string;
  remoteAddress: string;
  createdAt: Date;
}

/** What happened with accounts; each row is its owner's. @param db a pool or an open transaction */
export function accountLogRepository(db: Kysely<DB>) {
  return {
    async insert({ accountId }: AccountScope, row: Omit<AccountEventRow, "createdAt">): Promise<void> {
      await db
        .insertInto("accountEvents")
        .values({ ...row, accountId })
        .execute();
    },

    page(
      owner: AccountScope,
      group: AccountEventGroup | undefined,
      request: PageRange,
    ): Promise<{ rows: AccountEventRow[]; total: number }> {
      const since = sql<Date>`now() - make_interval(days => ${accountEventDays})`;
      let query = db.selectFrom("accountEvents as e").where(ofAccount(owner, "e")).where("e.createdAt", ">", since);
      if (group !== undefined) query = query.where("e.kind", "in", [...accountEventGroups[group]]);
      const rows = query
        .select(["e.id", "e.detail", "e.userAgent", "e.remoteAddress", "e.createdAt"])
        .select(sql<AccountEventKind>`e.kind`.as("kind"));
      return readQuery(rows, [{ by: sql`e.id`, descending: true }], request);
    },

    async sweep(scope: SystemScope): Promise<void> {
      requireSystemScope(scope);
      await db
        .deleteFrom("accountEvents")
        .where("createdAt", "<", sql<Date>`now() - make_interval(days => ${accountEventDays})`)
        .execute();
    },
  };
}
