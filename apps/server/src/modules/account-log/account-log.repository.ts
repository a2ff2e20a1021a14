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
import type { LoggedIn } from "./unfamiliar.ts";

export interface AccountEventRow {
  id: string;
  kind: AccountEventKind;
  detail: string;
  userAgent: string;
  remoteAddress: string;
  createdAt: Date;
}

/** Newest log-ins that are looked at. */
const mostLogIns = 1000;

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

    /** Log-ins, oldest first, and whether the password was changed since each. */
    async logIns(owner: AccountScope): Promise<(LoggedIn & { changedSince: boolean })[]> {
      const { rows } = await sql<LoggedIn & { changedSince: boolean }>`
        select * from (
          select e.id::text as id, e.user_agent, e.remote_address, e.created_at, e.answer,
                 exists (select from account_events c where c.id > e.id and ${ofAccount(owner, "c")}
                            and c.kind in ('password_changed', 'password_reset')) as changed_since
            from account_events e
           where ${ofAccount(owner, "e")} and e.kind = 'log_in' and e.created_at > now() - make_interval(days => ${accountEventDays})
           order by e.id desc limit ${mostLogIns}) n order by n.created_at, n.id`.execute(db);
      return rows;
    },

    /** @returns whether it is a log-in of the account */
    async answer(owner: AccountScope, id: string, answer: "mine" | "foreign"): Promise<boolean> {
      const { numAffectedRows = 0n } = await sql`
        update account_events e set answer = ${answer} where e.id = ${id} and e.kind = 'log_in' and ${ofAccount(owner, "e")}`.execute(
        db,
      );
      return numAffectedRows > 0n;
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
