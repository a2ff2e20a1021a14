import type { JobState } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inOneTenant, inScope, ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readQuery } from "../../database/pages.ts";
import { transactionRunner } from "../../jobs/queue.repository.ts";
import type { AccountScope, MemberScope, SystemScope } from "../../tenant-scope.ts";

/** What came out of a job, and the values of a reason's text. */
export type Texts = Record<string, string>;

export interface BackgroundJobRow {
  id: string;
  accountId: string;
  tenantId: string;
  kind: string;
  title: string;
  state: JobState;
  done: number;
  total: number;
  result: Texts;
  reason: string;
  values: Texts;
  createTime: Date;
  startTime: Date | null;
  finishTime: Date | null;
}

export interface JobEnd {
  readonly state: "succeeded" | "failed";
  readonly result?: Texts;
  readonly reason?: string;
  readonly values?: Texts;
}

const unfinished = ["queued", "running"] as const;

/** @param db a pool or an open transaction */
export function backgroundJobRepository(db: Kysely<DB>) {
  const rows = () =>
    db
      .selectFrom("backgroundJobs")
      .select(["id", "accountId", "tenantId", "kind", "title", "done", "total", "reason"])
      .select(["createdAt as createTime", "startedAt as startTime", "finishedAt as finishTime"])
      .select([
        sql<JobState>`state`.as("state"),
        sql<Texts>`result`.as("result"),
        sql<Texts>`reason_values`.as("values"),
      ]);
  return {
    /** SQL of the queue in the transaction of this repository. */
    runner: transactionRunner(db),

    async insert(
      { accountId, tenantId }: MemberScope,
      row: { id: string; kind: string; title: string; queueId: string },
    ): Promise<void> {
      await db
        .insertInto("backgroundJobs")
        .values({ ...row, accountId, tenantId })
        .execute();
    },

    async unfinishedOf(owner: AccountScope): Promise<number> {
      const row = await db
        .selectFrom("backgroundJobs")
        .select(sql<number>`count(*)::int`.as("count"))
        .where(ofAccount(owner, "backgroundJobs"))
        .where("state", "in", unfinished)
        .executeTakeFirstOrThrow();
      return row.count;
    },

    page(
      owner: AccountScope,
      state: JobState | undefined,
      request: PageRange,
    ): Promise<{ rows: BackgroundJobRow[]; total: number }> {
      const own = rows().where(ofAccount(owner, "backgroundJobs"));
      const matching = state === undefined ? own : own.where("state", "=", state);
      return readQuery(matching, [{ by: sql`id`, descending: true }], request);
    },

    async find(owner: AccountScope, id: string): Promise<BackgroundJobRow | undefined> {
      return rows().where(ofAccount(owner, "backgroundJobs")).where("id", "=", id).executeTakeFirst();
    },

    /** A job of anybody in the tenant. */
    byId: async (scope: MemberScope, id: string): Promise<BackgroundJobRow | undefined> =>
      rows().where("id", "=", id).where(inOneTenant(scope, "backgroundJobs")).executeTakeFirst(),

    /** What waits or runs, and what of an account's ended since. */
    async open(owner: AccountScope): Promise<BackgroundJobRow[]> {
      return rows().where(ofAccount(owner, "backgroundJobs")).where("state", "in", unfinished).orderBy("id").execute();
    },

    /** The next run takes a job over. @returns undefined when it is finished, or a later run has it */
    async begin(scope: SystemScope, id: string, attempt: number): Promise<BackgroundJobRow | undefined> {
      const begun = await db
        .updateTable("backgroundJobs")
        .set({ state: "running", attempt, done: 0, startedAt: sql<Date>`coalesce(started_at, now())` })
        .where("id", "=", id)
        .where(inScope(scope, "backgroundJobs"))
        .where("state", "in", unfinished)
        .where("attempt", "<=", attempt)
        .returning("id")
        .executeTakeFirst();
      return begun && rows().where("id", "=", id).where(inScope(scope, "backgroundJobs")).executeTakeFirst();
    },

    /** @returns false when this run may no longer write: it was cancelled, or another one has the job */
    async progress(scope: SystemScope, id: string, attempt: number, done: number, total: number): Promise<boolean> {
      const changed = await db
        .updateTable("backgroundJobs")
        .set({ done, total })
        .where("id", "=", id)
        .where(inScope(scope, "backgroundJobs"))
        .where("state", "=", "running")
        .where("attempt", "=", attempt)
        .executeTakeFirst();
      return changed.numUpdatedRows > 0n;
    },

    /** @returns false when this run may no longer write */
    async finish(scope: SystemScope, id: string, attempt: number, end: JobEnd): Promise<boolean> {
      const changed = await db
        .updateTable("backgroundJobs")
        .set({
          state: end.state,
          result: JSON.stringify(end.result ?? {}),
          reason: end.reason ?? "",
          reasonValues: JSON.stringify(end.values ?? {}),
          finishedAt: sql<Date>`now()`,
        })
        .where("id", "=", id)
        .where(inScope(scope, "backgroundJobs"))
        .where("state", "=", "running")
        .where("attempt", "=", attempt)
        .executeTakeFirst();
      return changed.numUpdatedRows > 0n;
    },

    /** @returns the places in the queue of what was cancelled; a finished job stays as it is */
    async cancel(owner: AccountScope, ids: readonly string[]): Promise<{ id: string; queueId: string }[]> {
      return db
        .updateTable("backgroundJobs")
        .set({ state: "cancelled", finishedAt: sql<Date>`now()` })
        .where(ofAccount(owner, "backgroundJobs"))
        .where("id", "in", [...ids])
        .where("state", "in", unfinished)
        .returning(["id", "queueId"])
        .execute();
    },

    /** Jobs that have waited or run for a while, for looking whether the queue still knows them. */
    async lingering(
      scope: SystemScope,
      olderThanS: number,
    ): Promise<{ id: string; accountId: string; queueId: string }[]> {
      return db
        .selectFrom("backgroundJobs")
        .select(["id", "accountId", "queueId"])
        .where(inScope(scope, "backgroundJobs"))
        .where("state", "in", unfinished)
        .where("createdAt", "<", sql<Date>`now() - ${olderThanS} * interval '1 s'`)
        .limit(500)
        .execute();
    },

    /** @returns those that were unfinished until now */
    async giveUp(
      scope: SystemScope,
      ids: readonly string[],
      reason: string,
    ): Promise<Pick<BackgroundJobRow, "id" | "accountId" | "title">[]> {
      return db
        .updateTable("backgroundJobs")
        .set({ state: "failed", reason, finishedAt: sql<Date>`now()` })
        .where("id", "in", [...ids])
        .where(inScope(scope, "backgroundJobs"))
        .where("state", "in", unfinished)
        .returning(["id", "accountId", "title"])
        .execute();
    },

    /** Removes what ended long ago. */
    async removeFinished(scope: SystemScope, beforeDays: number): Promise<void> {
      await db
        .deleteFrom("backgroundJobs")
        .where(inScope(scope, "backgroundJobs"))
        .where("finishedAt", "<", sql<Date>`now() - ${beforeDays} * interval '1 day'`)
        .execute();
    },
  };
}
export type BackgroundJobRepository = ReturnType<typeof backgroundJobRepository>;
