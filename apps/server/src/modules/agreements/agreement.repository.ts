import { type Kysely, sql } from "kysely";
import { ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { AccountScope } from "../../tenant-scope.ts";

export interface AgreementRow {
  id: string;
  kind: "user" | "privacy";
  version: string;
  title: string;
  body: string;
  publishedAt: Date;
}

/** @param db a pool or an open transaction */
export function agreementRepository(db: Kysely<DB>) {
  const current = (lang: "zh" | "en") =>
    db
      .selectFrom("agreementVersions as v")
      .innerJoin("agreementTexts as t", "t.versionId", "v.id")
      .select(["v.id", "v.version", "v.publishedAt", "t.title", "t.body"])
      .select(sql<"user" | "privacy">`v.kind`.as("kind"))
      .distinctOn("v.kind")
      .where("t.lang", "=", lang)
      .where("v.publishedAt", "<=", sql<Date>`now()`)
      .orderBy("v.kind", "desc")
      .orderBy("v.publishedAt", "desc");

  return {
    /** The version in force of each kind, the user agreement first. */
    current: (lang: "zh" | "en"): Promise<AgreementRow[]> => current(lang).execute(),

    pending: (owner: AccountScope, lang: "zh" | "en"): Promise<AgreementRow[]> =>
      db
        .selectFrom(current(lang).as("c"))
        .selectAll()
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom("agreementConsents as a")
                .select("a.versionId")
                .whereRef("a.versionId", "=", "c.id")
                .where(ofAccount(owner, "a")),
            ),
          ),
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
