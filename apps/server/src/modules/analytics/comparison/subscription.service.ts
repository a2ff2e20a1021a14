import {
  type BodyOf,
  type ComparisonSubscription,
  comparisonDetail,
  comparisonPath,
  type comparisonSubscribe,
  deathsRight,
  mostComparisonSubscriptions,
} from "@herdwise/contract";
import { comparisonSearch } from "@herdwise/contract/comparison-search";
import { shanghaiDay, shanghaiMidnight, shanghaiMs } from "@herdwise/contract/shanghai";
import { scopeOfCall } from "../../../http/access.ts";
import { refuse } from "../../../http/errors.ts";
import { accountScope, type SystemScope, type TenantScope } from "../../../tenant-scope.ts";
import type { IdentityService } from "../../identity/index.ts";
import type { MessageRepository } from "../../messages/index.ts";
import { dayMs } from "../formulas/formula.ts";
import type { ComparisonService } from "./comparison.service.ts";
import { sentenceOf } from "./sentence.ts";
import type {
  ComparisonSubscriptionRepository,
  DueComparison,
  DueComparisonRepository,
} from "./subscription.repository.ts";

/** Subscriptions that are taken together. */
const takenTogether = 20;
/** Six in the morning of Mondays: before the first round. */
const tellingMinute = 360;

/** The Monday of the week of a moment, yyyy-MM-dd in Asia/Shanghai. */
function mondayOf(ms: number): string {
  const midnight = shanghaiMidnight(shanghaiDay(ms));
  // 1970-01-05 was a Monday.
  const sinceMonday = (Math.floor((midnight + shanghaiMs) / dayMs) + 3) % 7;
  return shanghaiDay(midnight - sinceMonday * dayMs);
}

export interface ComparisonSubscriptionDependencies {
  repository: ComparisonSubscriptionRepository;
  inTransaction<T>(
    work: (transaction: { due: DueComparisonRepository; messages: Pick<MessageRepository, "insert"> }) => Promise<T>,
  ): Promise<T>;
  comparisons: ComparisonService;
  sessionOfMember: IdentityService["sessionOfMember"];
  scope: SystemScope;
  nextId: () => string;
  now: () => number;
}

/** Tells members every Monday of the answers that they asked for, as far as they may see them then. */
export function createComparisonSubscriptions({
  repository,
  inTransaction,
  comparisons,
  sessionOfMember,
  scope: byTheClock,
  nextId,
  now,
}: ComparisonSubscriptionDependencies) {
  /** The answer as the member may see it now; undefined for who is no member any more, or does not reach a place any more. */
  const answerFor = async ({
    accountId,
    tenantId,
    query,
  }: { accountId: string; tenantId: string } & Pick<DueComparison, "query">) => {
    const member = await sessionOfMember(accountId, tenantId);
    if (member === undefined || !Object.values(member.stands).every(Boolean)) return undefined;
    const reach = scopeOfCall(comparisonDetail, member.session, "");
    if (reach === undefined) return undefined;
    const reply = await comparisons
      .detail(reach, query, member.session.permissions.has(deathsRight))
      .catch(() => undefined);
    return reply && sentenceOf(reply, query.kind);
  };
  return {
    list: async (scope: TenantScope): Promise<ComparisonSubscription[]> =>
      (await repository.list(scope)).map(({ name, query }) => ({ name, ...query })),

    /** @throws {Refusal} 404 for a place that the scope does not reach */
    async subscribe(
      scope: TenantScope,
      { name, enabled, ...query }: BodyOf<typeof comparisonSubscribe>,
      mayDeaths: boolean,
    ) {
      if (!enabled) return repository.remove(scope, name);
      await comparisons.detail(scope, { ...query, days: 7 }, mayDeaths);
      const held = await repository.list(scope);
      if (held.length >= mostComparisonSubscriptions && !held.some((one) => one.name === name))
        throw refuse("comparisons.most", { values: { max: mostComparisonSubscriptions } });
      await repository.put(scope, { id: nextId(), name, query, toldOn: mondayOf(now()) });
    },

    async tell(): Promise<void> {
      const nowMs = now();
      // Until six on a Monday, the Monday before counts.
      const monday = mondayOf(nowMs - tellingMinute * 60_000);
      const tellSome = (): Promise<number> =>
        inTransaction(async ({ due, messages }) => {
          const taken = await due.take(monday, takenTogether);
          for (const one of taken) {
            const sentence = await answerFor(one);
            if (sentence === undefined) continue;
            await messages.insert(accountScope(byTheClock, one.accountId), {
              id: nextId(),
              kind: "system",
              title: "每周的分析",
              content: `${one.name}：${sentence.zh}`,
              titleEn: "Weekly analysis",
              contentEn: `${one.name}: ${sentence.en}`,
              link: `${comparisonPath}?${comparisonSearch(one.query)}`,
            });
          }
          return taken.length;
        });
      while ((await tellSome()) === takenTogether);
    },
  };
}
