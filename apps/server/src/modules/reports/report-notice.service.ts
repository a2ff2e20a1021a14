import { type ReportPeriod, reportViewCode } from "@herdwise/contract";
import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";
import { accountScope, type SystemScope } from "../../tenant-scope.ts";
import type { MessageRepository } from "../messages/index.ts";
import type { DueReportRepository } from "./report.repository.ts";
import { reportMessage } from "./report-message.ts";
import { spanOf } from "./report-span.ts";

/** Subscriptions that one transaction tells of. */
const takenTogether = 200;

/** Chinese, keys of the translations. */
const titles: Readonly<Record<ReportPeriod, string>> = { day: "养殖日报", week: "养殖周报" };

export interface ReportNoticeDependencies {
  inTransaction<T>(
    work: (transaction: { due: DueReportRepository; messages: Pick<MessageRepository, "insert"> }) => Promise<T>,
  ): Promise<T>;
  scope: SystemScope;
  now: () => number;
  nextId: () => string;
}

/** Tells people of the reports that they asked for: of each day and week once, whichever server does it. */
export function createReportNotices({ inTransaction, scope, now, nextId }: ReportNoticeDependencies) {
  const tell = (): Promise<number> =>
    inTransaction(async ({ due, messages }) => {
      const nowMs = now();
      const today = shanghaiDay(nowMs);
      const monday = spanOf("week", today, nowMs)?.day ?? today;
      const minute = Math.floor((nowMs - shanghaiMidnight(today)) / 60_000);
      const reports = await due.take({ today, monday, minute }, reportViewCode, takenTogether);
      for (const { accountId, farmId, farmName, period } of reports) {
        // The one that is over: yesterday, or the week before this one.
        const before = spanOf(period, shanghaiDay(shanghaiMidnight(period === "day" ? today : monday) - 1), nowMs);
        const day = before?.day ?? today;
        await messages.insert(accountScope(scope, accountId), {
          id: nextId(),
          title: titles[period],
          ...reportMessage({ farmId, farmName, period, day }),
        });
      }
      return reports.length;
    });
  return {
    async run(): Promise<void> {
      while ((await tell()) === takenTogether);
    },
  };
}
