import type { TenantType } from "@herdwise/contract";
import { type Kysely, type SqlBool, sql } from "kysely";
import { ofAccount, ofMember, ofPhone } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type AccountScope, type MemberScope, requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

export interface AccountRow {
  id: string;
  account: string;
  type: string;
  passwordHash: string;
  status: number;
}

export interface MembershipRow {
  membershipId: string;
  tenantId: string;
  tenantName: string;
  tenantType: TenantType;
}

/** What a token answer and the user info tell about a person in one tenant. */
export interface PersonRow extends MembershipRow {
  /** The tenant's time is over, so that nobody logs in there. */
  tenantExpired: boolean;
  accountId: string;
  account: string;
  realName: string;
  nickName: string;
  avatar: string;
  roleIds: string[];
  roleAliases: string[];
  roleNames: string[];
  phoneEncrypted: string;
  passwordMustChange: boolean;
  sideMode: string;
  activeColor: string;
  baseColor: string;
}

/** A session as its owner sees it. */
export interface OpenSessionRow {
  id: string;
  userAgent: string;
  remoteAddress: string;
  tenantName: string;
  createdAt: Date;
  lastSeenAt: Date;
}

/** Wrong log-ins of a subject inside its window. */
export interface FailureRow {
  wrong: number;
  locked: boolean;
}

export interface NewSession {
  id: string;
  accountId: string;
  tenantId: string;
  membershipId: string;
  clientId: string;
  userAgent: string;
  remoteAddress: string;
  /** Whether a password or a code was proven for it just now. */
  confirmed: boolean;
  /** The session that this one goes on from, whose times of log-in and of proof it keeps; a preview is never proven. */
  continues?: string;
  /** The role that it looks through, and the session that opened it. */
  previewRoleId?: string;
  previewOf?: string;
}

export interface NewToken {
  hash: Buffer;
  sessionId: string;
  purpose: "access" | "refresh";
  lifetimeS: number;
}

export interface RefreshTokenRow {
  sessionId: string;
  accountId: string;
  tenantId: string;
  membershipId: string;
  ended: boolean;
  expired: boolean;
  /** Seconds since the token was exchanged; undefined when it never was. */
  usedSecondsAgo: number | undefined;
  /** What the exchange gave, encrypted; null when it never was exchanged and when that is forgotten. */
  successor: Buffer | null;
  /** Seconds since the person logged in. */
  authenticatedSecondsAgo: number;
}

/**
 * Who is calling: accounts, sessions and tokens are found here before there is a scope. What belongs to an account that is
 * known takes its scope all the same.
 * @param db a pool or an open transaction
 */
export function identityRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    accountByName: (accountKey: string): Promise<AccountRow | undefined> =>
      db
        .selectFrom("accounts")
        .select(["id", "account", "type", "passwordHash", "status"])
        .where("accountKey", "=", accountKey)
        .executeTakeFirst(),

    /** Accounts that may log in by a proven phone. @param indexes of the phone, by every key */
    accountsByPhone: (indexes: Buffer[]): Promise<AccountRow[]> =>
      db
        .selectFrom("accounts")
        .select(["id", "account", "type", "passwordHash", "status"])
        .where((where) => ofPhone(where, indexes))
        .orderBy("id")
        .execute(),

    accountById: (id: string): Promise<AccountRow | undefined> =>
      db
        .selectFrom("accounts")
        .select(["id", "account", "type", "passwordHash", "status"])
        .where("id", "=", id)
        .executeTakeFirst(),

    memberships: (owner: AccountScope): Promise<MembershipRow[]> =>
      db
        .selectFrom("memberships as m")
        .innerJoin("tenants as t", "t.tenantId", "m.tenantId")
        .select(["m.id as membershipId", "t.tenantId", "t.name as tenantName"])
        .select(sql<TenantType>`t.type`.as("tenantType"))
        .where(ofAccount(owner, "m"))
        .where("m.status", "=", 1)
        .where("t.status", "=", 1)
        .orderBy("t.tenantId")
        .execute(),

    person: (member: MemberScope): Promise<PersonRow | undefined> =>
      db
        .selectFrom("memberships as m")
        .innerJoin("accounts as a", "a.id", "m.accountId")
        .innerJoin("tenants as t", "t.tenantId", "m.tenantId")
        .select([
          "m.id as membershipId",
          "t.tenantId",
          "t.name as tenantName",
          "a.id as accountId",
          "a.account",
          "a.realName",
          "a.nickName",
          "a.avatar",
          "a.phoneEncrypted",
          "a.passwordMustChange",
          "a.sideMode",
          "a.activeColor",
          "a.baseColor",
        ])
        .select([
          sql<TenantType>`t.type`.as("tenantType"),
          sql<boolean>`coalesce(t.expire_time <= now(), false)`.as("tenantExpired"),
          roleColumn<string[]>("array_agg(r.id::text order by r.sort)").as("roleIds"),
          roleColumn<string[]>("array_agg(r.role_alias order by r.sort)").as("roleAliases"),
          roleColumn<string[]>("array_agg(r.role_name order by r.sort)").as("roleNames"),
        ])
        .where(ofMember(member, "m"))
        .executeTakeFirst(),

    /** @returns seconds since the person logged in: 0, or more where the session goes on from another */
    async insertSession({ continues, confirmed, ...session }: NewSession): Promise<number> {
      const before = (column: "authenticated_at" | "confirmed_at") =>
        sql<Date | null>`(select ${sql.ref(column)} from sessions where id = ${continues ?? null})`;
      const authenticatedAt = sql<Date>`coalesce(${before("authenticated_at")}, now())`;
      const confirmedAt = confirmed
        ? sql<Date>`now()`
        : session.previewOf === undefined
          ? before("confirmed_at")
          : null;
      const { secondsAgo } = await db
        .insertInto("sessions")
        .values({ ...session, authenticatedAt, confirmedAt })
        .returning(sql<number>`extract(epoch from now() - authenticated_at)::float8`.as("secondsAgo"))
        .executeTakeFirstOrThrow();
      return secondsAgo;
    },

    async insertTokens(tokens: NewToken[]): Promise<void> {
      await db
        .insertInto("sessionTokens")
        .values(
          tokens.map(({ hash, sessionId, purpose, lifetimeS }) => ({
            tokenHash: hash,
            sessionId,
            purpose,
            expiresAt: sql<Date>`now() + make_interval(secs => ${lifetimeS})`,
          })),
        )
        .execute();
    },

    /** Finds a refresh token and locks its session, so that of several exchanges at once one is first. */
    lockRefreshToken: async (hash: Buffer): Promise<RefreshTokenRow | undefined> => {
      const row = await db
        .selectFrom("sessionTokens as k")
        .innerJoin("sessions as s", "s.id", "k.sessionId")
        .select(["s.id as sessionId", "s.accountId", "s.tenantId", "s.membershipId", "k.successor"])
        .select([
          sql<boolean>`s.ended_at is not null`.as("ended"),
          sql<boolean>`k.expires_at <= now()`.as("expired"),
          sql<number | null>`extract(epoch from clock_timestamp() - k.used_at)::float8`.as("usedSecondsAgo"),
          sql<number>`extract(epoch from now() - s.authenticated_at)::float8`.as("authenticatedSecondsAgo"),
        ])
        .where("k.tokenHash", "=", hash)
        .where("k.purpose", "=", "refresh")
        .forUpdate()
        .executeTakeFirst();
      return row && { ...row, usedSecondsAgo: row.usedSecondsAgo ?? undefined };
    },

    /** @param successor what the exchange gave, encrypted */
    async markRefreshTokenUsed(hash: Buffer, successor: Buffer): Promise<void> {
      await db
        .updateTable("sessionTokens")
        .set({ usedAt: sql<Date>`clock_timestamp()`, successor })
        .where("tokenHash", "=", hash)
        .execute();
    },

    /** Remembers that a session's person proved just now who they are. */
    async confirmSession(sessionId: string): Promise<void> {
      await db.updateTable("sessions").set({ confirmedAt: sql<Date>`now()` }).where("id", "=", sessionId).execute();
    },

    /** Whether a session's person proved within the last seconds who they are. */
    async isConfirmed(sessionId: string, withinS: number): Promise<boolean> {
      const row = await db
        .selectFrom("sessions")
        .select("id")
        .where("id", "=", sessionId)
        .where("confirmedAt", ">", sql<Date>`now() - make_interval(secs => ${withinS})`)
        .executeTakeFirst();
      return row !== undefined;
    },

    async touchSession(sessionId: string): Promise<void> {
      await db.updateTable("sessions").set({ lastSeenAt: sql<Date>`now()` }).where("id", "=", sessionId).execute();
    },

    async endSession(sessionId: string, reason: string): Promise<boolean> {
      const result = await db
        .updateTable("sessions")
        .set({ endedAt: sql<Date>`now()`, endReason: reason })
        .where("id", "=", sessionId)
        .where("endedAt", "is", null)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    /** Ends all sessions of an account, or all but one, and all its personal access tokens. @returns the ended sessions */
    async endSessionsOf(owner: AccountScope, reason: string, except?: string): Promise<string[]> {
      await sql`
        update personal_tokens k set ended_at = now(), end_reason = ${reason}
         where ${ofAccount(owner, "k")} and k.ended_at is null`.execute(db);
      const rows = await db
        .updateTable("sessions")
        .set({ endedAt: sql<Date>`now()`, endReason: reason })
        .where(ofAccount(owner, "sessions"))
        .where("endedAt", "is", null)
        .where("id", "!=", except ?? "0")
        .returning("id")
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Ends all sessions and personal access tokens of an account in one tenant. @returns the ended sessions */
    async endMembershipSessions(membershipId: string, reason: string): Promise<string[]> {
      await sql`
        update personal_tokens set ended_at = now(), end_reason = ${reason}
         where membership_id = ${membershipId} and ended_at is null`.execute(db);
      const rows = await db
        .updateTable("sessions")
        .set({ endedAt: sql<Date>`now()`, endReason: reason })
        .where("membershipId", "=", membershipId)
        .where("endedAt", "is", null)
        .returning("id")
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Ends named sessions of one account; those of others are left alone. @returns the ended ones */
    async endOwnSessions(owner: AccountScope, ids: string[], reason: string): Promise<string[]> {
      const rows = await db
        .updateTable("sessions")
        .set({ endedAt: sql<Date>`now()`, endReason: reason })
        .where(ofAccount(owner, "sessions"))
        .where("id", "in", ids)
        .where("endedAt", "is", null)
        .returning("id")
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Sessions that can still be used: not ended, and with a token that has not run out. */
    openSessions: (owner: AccountScope): Promise<OpenSessionRow[]> =>
      db
        .selectFrom("sessions as s")
        .innerJoin("tenants as t", "t.tenantId", "s.tenantId")
        .select(["s.id", "s.userAgent", "s.remoteAddress", "t.name as tenantName", "s.createdAt", "s.lastSeenAt"])
        .where(ofAccount(owner, "s"))
        .where("s.endedAt", "is", null)
        .where("s.previewOf", "is", null)
        .where((where) =>
          where.exists(
            where
              .selectFrom("sessionTokens as k")
              .select("k.tokenHash")
              .whereRef("k.sessionId", "=", "s.id")
              .where("k.expiresAt", ">", sql<Date>`now()`),
          ),
        )
        .orderBy("s.lastSeenAt", "desc")
        .execute(),

    /** What was counted for a subject inside the window: tries that were wrong, not those that are still compared. */
    async loginFailures(subject: Buffer, windowMinutes: number): Promise<FailureRow> {
      const row = await db
        .selectFrom("loginFailures")
        .select([
          sql<number>`case when window_started_at < now() - make_interval(mins => ${windowMinutes}) then 0 else wrong end`.as(
            "wrong",
          ),
          sql<boolean>`coalesce(locked_until > now(), false)`.as("locked"),
        ])
        .where("subject", "=", subject)
        .executeTakeFirst();
      return row ?? { wrong: 0, locked: false };
    },

    /**
     * Takes one of a subject's tries before the password is compared, so that of any number of guesses at once, on any number
     * of servers, no more are compared than the budget has. A try that was right is given back.
     * @returns false when the subject is locked or all its tries are taken
     */
    async takeLogInTry(subject: Buffer, budget: number, windowMinutes: number): Promise<boolean> {
      const { rows } = await sql`
        insert into login_failures as f (subject, failures, window_started_at) values (${subject}, 1, now())
        on conflict (subject) do update set
          failures = case when f.window_started_at < now() - make_interval(mins => ${windowMinutes}) then 1 else f.failures + 1 end,
          wrong = case when f.window_started_at < now() - make_interval(mins => ${windowMinutes}) then 0 else f.wrong end,
          window_started_at = case when f.window_started_at < now() - make_interval(mins => ${windowMinutes}) then now() else f.window_started_at end
        where coalesce(f.locked_until <= now(), true)
          and (f.failures < ${budget} or f.window_started_at < now() - make_interval(mins => ${windowMinutes}))
        returning failures`.execute(db);
      return rows.length > 0;
    },

    async giveLogInTryBack(subject: Buffer): Promise<void> {
      await db
        .updateTable("loginFailures")
        .set({ failures: sql<number>`failures - 1` })
        .where("subject", "=", subject)
        .where("failures", ">", 0)
        .execute();
    },

    /** After a wrong password: counts it, and locks a subject whose tries are all taken. @returns whether this one locked */
    async noteWrong(subject: Buffer, budget: number, windowMinutes: number): Promise<boolean> {
      const until = sql`now() + make_interval(mins => ${windowMinutes})`;
      const { rows } = await sql<{ locks: boolean }>`
        update login_failures f
           set wrong = f.wrong + 1,
               locked_until = case when f.failures >= ${budget} and coalesce(f.locked_until <= now(), true) then ${until}
                 else f.locked_until end
         where f.subject = ${subject}
        returning coalesce(f.locked_until = ${until}, false) as locks`.execute(db);
      return rows[0]?.locks ?? false;
    },

    /** Which of these subjects are locked. */
    async lockedSubjects(subjects: Buffer[]): Promise<Buffer[]> {
      if (subjects.length === 0) return [];
      const rows = await db
        .selectFrom("loginFailures")
        .select("subject")
        .where(sql<SqlBool>`subject = any(${subjects}::bytea[])`)
        .where("lockedUntil", ">", sql<Date>`now()`)
        .execute();
      return rows.map(({ subject }) => subject);
    },

    async clearLoginFailures(subject: Buffer): Promise<void> {
      await db.deleteFrom("loginFailures").where("subject", "=", subject).execute();
    },

    demoAccounts: () =>
      db
        .selectFrom("accounts")
        .select(["account", "realName as name", "type"])
        .select(sql<string>`demo_note`.as("description"))
        .select(
          sql<string | null>`(select u.id from memberships m join tenants t on t.tenant_id = m.tenant_id and t.showcase
            join units u on u.tenant_id = m.tenant_id and u.mode = 'normal' and u.pigsty_type = 'fattening'
            join pig_houses h on h.id = u.house_id
            where m.account_id = accounts.id order by h.farm_id, h.sort, u.sort limit 1)`.as("showcaseUnitId"),
        )
        .where("demoNote", "!=", "")
        .orderBy("id")
        .execute(),

    /**
     * Removes tokens that ended more than a day ago, failures whose window is over, and what exchanges gave once nobody may ask
     * for it again.
     */
    async sweep(graceS: number): Promise<void> {
      await db
        .updateTable("sessionTokens")
        .set({ successor: null })
        .where("successor", "is not", null)
        .where("usedAt", "<", sql<Date>`now() - make_interval(secs => ${graceS})`)
        .execute();
      await db.deleteFrom("sessionTokens").where("expiresAt", "<", sql<Date>`now() - interval '1 day'`).execute();
      await db.deleteFrom("loginFailures").where("windowStartedAt", "<", sql<Date>`now() - interval '1 day'`).execute();
    },
  };
}
export type IdentityRepository = ReturnType<typeof identityRepository>;

/** An aggregate over the roles of membership `m`; the expression is a constant of this file, never input. */
function roleColumn<T>(aggregate: string) {
  return sql<T>`coalesce((select ${sql.raw(aggregate)} from membership_roles mr join roles r on r.id = mr.role_id
    where mr.membership_id = m.id), '{}')`;
}
