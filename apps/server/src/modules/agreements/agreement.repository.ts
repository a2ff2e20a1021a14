import { type Kysely, type SqlBool, sql } from "kysely";
import { ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { AccountScope } from "../../tenant-scope.ts";

export interface AgreementRow {
  id: string;
  kind: "user" | "privacy";
  version: string;
  title: string;
  body: string;
  /** What changed; "" for the first. */
  summary: string;
  publishedAt: Date;
}

/** @param db a pool or an open transaction */
export function agreementRepository(db: Kysely<DB>) {
  const current = (lang: "zh" | "en") =>
    db
      .selectFrom("agreementVersions as v")
      .innerJoin("agreementTexts as t", "t.versionId", "v.id")
      .select(["v.id", "v.version", "t.title", "t.body", "t.summary"])
      .select([sql<"user" | "privacy">`v.kind`.as("kind"), sql<Date>`v.published_at`.as("publishedAt")])
      .distinctOn("v.kind")
      .where("t.lang", "=", lang)
      .where("v.publishedAt", "<=", sql<Date>`now()`)
      .orderBy("v.kind", "desc")
      .orderBy("v.publishedAt", "desc");

  return {
    /** The version in force of each kind, the user agreement first. */
    current: (lang: "zh" | "en"): Promise<AgreementRow[]> => current(lang).execute(),

    /**
     * Versions in force of which the person is to be asked: who agreed to none since the newest one that asks everybody again. A
     * version that does not ask counts for who agreed to the one before.
     */
    pending: (owner: AccountScope, lang: "zh" | "en"): Promise<AgreementRow[]> =>
      db
        .selectFrom(current(lang).as("c"))
        .selectAll()
        .where(
          sql<SqlBool>`not exists (
            select from agreement_consents a join agreement_versions v on v.id = a.version_id
             where ${ofAccount(owner, "a")} and v.kind = c.kind and v.published_at <= now()
               and v.published_at >= coalesce((select max(x.published_at) from agreement_versions x
                                                where x.kind = c.kind and x.ask_again and x.published_at <= now()), '-infinity'))`,
        )
        .orderBy("c.kind", "desc")
        .execute(),

    async insertConsents(
      { accountId }: AccountScope,
      versionIds: readonly string[],
      remoteAddress: string,
    ): Promise<void> {
      await db
        .insertInto("agreementConsents")
        .values(versionIds.map((versionId) => ({ accountId, versionId, remoteAddress })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
export type AgreementRepository = ReturnType<typeof agreementRepository>;
