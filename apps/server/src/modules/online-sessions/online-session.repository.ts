import { type Kysely, sql } from "kysely";
import { likeWord, memberInRowScope } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readQuery } from "../../database/pages.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export interface OnlineFilter {
  keyword?: string | undefined;
  accountId?: string | undefined;
  tenantId?: string | undefined;
  seenWithinS?: number | undefined;
}

export interface OnlineRow {
  id: string;
  accountId: string;
  account: string;
  personName: string;
  tenantId: string;
  tenantName: string;
  userAgent: string;
  remoteAddress: string;
  createdAt: Date;
  lastSeenAt: Date;
}

export interface EndedRow {
  id: string;
  accountId: string;
  tenantId: string;
  personName: string;
}

/** Sessions of everybody, for the group's staff. @param db a pool or an open transaction */
export function onlineSessionRepository(db: Kysely<DB>) {
  return {
    /** Those that can still be used: the reader's own, then the one used last first. */
    async page(
      scope: TenantScope,
      own: string,
      { keyword, accountId, tenantId, seenWithinS }: OnlineFilter,
      request: PageRange,
    ): Promise<{ rows: OnlineRow[]; total: number }> {
      let open = db
        .selectFrom("sessions as s")
        .innerJoin("accounts as a", "a.id", "s.accountId")
        .innerJoin("tenants as t", "t.tenantId", "s.tenantId")
        .where("s.endedAt", "is", null)
        .where("s.previewOf", "is", null)
        .where(sql<boolean>`exists (select from session_tokens k where k.session_id = s.id and k.expires_at > now())`);
      if (!scope.everyTenant) open = open.where("s.tenantId", "=", scope.tenantId);
      open = open.where(memberInRowScope(scope, "s.membership_id"));
      if (accountId) open = open.where("s.accountId", "=", accountId);
      if (tenantId) open = open.where("s.tenantId", "=", tenantId);
      if (seenWithinS) open = open.where("s.lastSeenAt", ">", sql<Date>`now() - make_interval(secs => ${seenWithinS})`);
      if (keyword) {
        const word = likeWord(keyword);
        open = open.where((either) =>
          either.or([
            either("a.account", "ilike", word),
            either("a.realName", "ilike", word),
            either("t.name", "ilike", word),
          ]),
        );
      }
      return readQuery(
        open
          .select(["s.id", "s.accountId", "a.account", "s.tenantId", "t.name as tenantName", "s.userAgent"])
          .select(["s.remoteAddress", "s.createdAt", "s.lastSeenAt"])
          .select(sql<string>`coalesce(nullif(a.real_name, ''), a.account)`.as("personName")),
        [
          { by: sql`(s.id = ${own}::bigint)`, descending: true },
          { by: sql`s.last_seen_at`, descending: true },
          { by: sql`s.id`, descending: true },
        ],
        request,
      );
    },

    /** Ends named sessions, or all of an account, but never `except`. @returns the ended ones with their people */
    async end(
      scope: TenantScope,
      which: { ids: readonly string[] } | { accountId: string },
      except: string,
    ): Promise<EndedRow[]> {
      const chosen =
        "ids" in which ? sql`s.id = any(${[...which.ids]}::bigint[])` : sql`s.account_id = ${which.accountId}::bigint`;
      const reached = scope.everyTenant ? sql`true` : sql`s.tenant_id = ${scope.tenantId}`;
      const { rows } = await sql<EndedRow>`
        update sessions s set ended_at = now(), end_reason = 'ended_by_staff'
          from accounts a
         where a.id = s.account_id and s.ended_at is null and s.id <> ${except}::bigint and ${chosen} and ${reached}
           and ${memberInRowScope(scope, "s.membership_id")}
        returning s.id::text, s.account_id::text, s.tenant_id, coalesce(nullif(a.real_name, ''), a.account) as person_name`.execute(
        db,
      );
      return rows;
    },
  };
}
export type OnlineSessionRepository = ReturnType<typeof onlineSessionRepository>;
