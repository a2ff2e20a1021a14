import type { BodyOf, ReportPeriod, ReportReader, reportSend } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { accountScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import type { MessageRepository } from "../messages/index.ts";
import type { ReportService } from "./report.service.ts";
import { reportMessage } from "./report-message.ts";
import { spanOf } from "./report-span.ts";

export interface ReportSendDependencies {
  reports: Pick<ReportService, "requireFarm">;
  /** Members of the scope's tenant who may read reports. */
  readersOf: (scope: TenantScope) => Promise<ReportReader[]>;
  inTransaction<T>(work: (messages: Pick<MessageRepository, "insert">) => Promise<T>): Promise<T>;
  /** Reaches the lists of those who are told. */
  scope: SystemScope;
  now: () => number;
  nextId: () => string;
}

const titles: Readonly<Record<ReportPeriod, readonly [zh: string, en: string]>> = {
  day: ["发来一份养殖日报", "sent you a daily farm report"],
  week: ["发来一份养殖周报", "sent you a weekly farm report"],
};

/** Reports that a member sends to others of the tenant. */
export function createReportSends({
  reports,
  readersOf,
  inTransaction,
  scope: ofAll,
  now,
  nextId,
}: ReportSendDependencies) {
  return {
    /** Whom the caller may send a report to: the tenant's other members who may read reports. */
    readers: async (scope: TenantScope): Promise<ReportReader[]> =>
      (await readersOf(scope)).filter(({ id }) => id !== scope.accountId),

    /** @throws {Refusal} 404 for a farm that the scope does not reach, 400 for a day to come or for somebody who may not read reports */
    async send(
      scope: TenantScope,
      { farmId, period, day, accountIds }: BodyOf<typeof reportSend>,
    ): Promise<{ sent: number }> {
      const farmName = await reports.requireFarm(scope, farmId);
      const span = spanOf(period, day, now());
      if (span === undefined) throw refuse("report.day", { field: "day" });
      const readers = await readersOf(scope);
      const to = [...new Set(accountIds)];
      if (to.some((id) => id === scope.accountId || !readers.some((reader) => reader.id === id)))
        throw refuse("report.reader", { field: "accountIds" });
      const sender = readers.find(({ id }) => id === scope.accountId)?.personName ?? "";
      const [zh, en] = titles[period];
      const message = reportMessage({ farmId, farmName, period, day: span.day });
      await inTransaction(async (messages) => {
        for (const accountId of to)
          await messages.insert(accountScope(ofAll, accountId), {
            ...message,
            id: nextId(),
            title: `${sender} ${zh}`,
            titleEn: `${sender} ${en}`,
          });
      });
      return { sent: to.length };
    },
  };
}
