import type { ComparisonQuery } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { ofMember } from "../../../database/conditions.ts";
import type { DB } from "../../../database/generated/database.ts";
import { type MemberScope, requireSystemScope, type SystemScope } from "../../../tenant-scope.ts";

/** A comparison under its name. */
export interface KeptComparison {
  name: string;
  query: ComparisonQuery;
}

/** Comparisons of which members are told. @param db a pool or an open transaction */
export function comparisonSubscriptionRepository(db: Kysely<DB>) {
  return {
    list: (scope: MemberScope): Promise<KeptComparison[]> =>
      db
        .selectFrom("comparisonSubscriptions as s")
        .select(["s.name", sql<ComparisonQuery>`s.query`.as("query")])
        .where(ofMember(scope, "s"))
        .orderBy("s.name")
        .execute(),

    /** @param toldOn the last Monday that counts as told */
    async put(
      scope: MemberScope,
      { id, name, query, toldOn }: KeptComparison & { id: string; toldOn: string },
    ): Promise<void> {
      await sql`
        insert into comparison_subscriptions (id, tenant_id, account_id, name, query, told_on)
        values (${id}, ${scope.tenantId}, ${scope.accountId}, ${name}, ${JSON.stringify(query)}::jsonb, ${toldOn}::date)
        on conflict on constraint comparison_subscriptions_unique do update set query = excluded.query`.execute(db);
    },

    async remove(scope: MemberScope, name: string): Promise<void> {
      await db
        .deleteFrom("comparisonSubscriptions as s")
        .where(ofMember(scope, "s"))
        .where("s.name", "=", name)
        .execute();
    },
  };
}
export type ComparisonSubscriptionRepository = ReturnType<typeof comparisonSubscriptionRepository>;

export interface DueComparison extends KeptComparison {
  accountId: string;
  tenantId: string;
}

/** Comparisons of which somebody is to be told, whosever they are. @param db an open transaction */
export function dueComparisonRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** Takes those of which nobody was told since this Monday. What is taken counts as told. */
    async take(monday: string, limit: number): Promise<DueComparison[]> {
      const { rows } = await sql<DueComparison>`
        with due as (
          select id from comparison_subscriptions where told_on < ${monday}::date
           order by id limit ${limit} for update skip locked)
        update comparison_subscriptions s set told_on = ${monday}::date from due where due.id = s.id
        returning s.account_id::text as account_id, s.tenant_id, s.name, s.query`.execute(db);
      return rows;
    },
  };
}
export type DueComparisonRepository = ReturnType<typeof dueComparisonRepository>;
