import {
  type Alarm,
  type ReportReader,
  reportDetail,
  reportPdf,
  reportReaders,
  reportSend,
  reportSubscribe,
  reportSubscriptionList,
  reportViewCode,
} from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import { systemScope, type TenantScope } from "../../tenant-scope.ts";
import type { AnalyticsService } from "../analytics/index.ts";
import type { BackgroundJobService } from "../background-jobs/index.ts";
import type { DeviceService } from "../devices/index.ts";
import type { FarmService } from "../farms/index.ts";
import type { FileService } from "../files/index.ts";
import { messageRepository } from "../messages/index.ts";
import { dueReportRepository, reportRepository } from "./report.repository.ts";
import { createReportService } from "./report.service.ts";
import { createReportNotices } from "./report-notice.service.ts";
import { createReportPdf, type ReportPdfDependencies } from "./report-pdf.service.ts";
import { createReportSends } from "./report-send.service.ts";

export interface ReportsModuleDependencies {
  analytics: AnalyticsService;
  alarmsOf: (scope: TenantScope, ids: readonly string[]) => Promise<Alarm[]>;
  /** Members of the scope's tenant whose roles grant a button code. */
  holders: (scope: TenantScope, buttonCode: string) => Promise<ReportReader[]>;
  devices: DeviceService;
  farms: FarmService;
  translate: ReportPdfDependencies["translate"];
  jobs: BackgroundJobService;
  files: FileService;
}

/** Daily and weekly reports of farms: to read, as PDF, and by message to who asked for it. */
export function createReportsModule(
  { kysely, inTransaction, nextId, now }: Platform,
  { analytics, alarmsOf, holders, translate, devices, farms, jobs, files }: ReportsModuleDependencies,
): ServerModule {
  const byTheClock = systemScope("members are told of the reports that they asked for, whosever farms they are of");
  const reports = createReportService({
    repository: reportRepository(kysely),
    analytics,
    alarmsOf,
    devices,
    farms,
    nextId,
    now,
  });
  const notices = createReportNotices({
    inTransaction: inTransaction((db) => ({
      due: dueReportRepository(db, byTheClock),
      messages: messageRepository(db),
    })),
    scope: byTheClock,
    now,
    nextId,
  });
  const sends = createReportSends({
    reports,
    readersOf: (scope) => holders(scope, reportViewCode),
    inTransaction: inTransaction((db) => messageRepository(db)),
    scope: systemScope("members are told of the reports that others of their tenant send them"),
    now,
    nextId,
  });
  const pdf = createReportPdf({ reports, translate, jobs, files });
  return {
    routes(router) {
      router.on(reportDetail, ({ scope, query }) => reports.detail(scope, query));
      router.on(reportPdf, ({ scope, body }) => pdf.begin(scope, body));
      router.on(reportReaders, ({ scope }) => sends.readers(scope));
      router.on(reportSend, ({ scope, body }) => sends.send(scope, body));
      router.on(reportSubscriptionList, ({ scope }) => reports.subscriptions(scope));
      router.on(reportSubscribe, async ({ scope, body }) => {
        await reports.subscribe(scope, body);
        return {};
      });
    },
    jobs: [
      jobs.define(pdf.job),
      { name: "reports.tell", schedule: "*/5 * * * *", retries: 3, timeoutS: 300, run: () => notices.run() },
    ],
  };
}
