import type { BodyOf, reportPdf } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { ownScopeOf } from "../../resources/index.ts";
import { reachOf, type TenantReach, type TenantScope } from "../../tenant-scope.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import type { ReportService } from "./report.service.ts";
import { spanOf } from "./report-span.ts";
import { reportWord } from "./report-words.ts";

type Order = BodyOf<typeof reportPdf>;

const kind = "report.pdf";
/** How long the file can be fetched, s. */
const lifetimeS = 86_400;

export interface ReportPdfDependencies {
  reports: Pick<ReportService, "detail">;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft">;
}

/** Reports as files. */
export function createReportPdf({ reports, jobs, files }: ReportPdfDependencies) {
  const run: BackgroundJobDefinition<Order & { scope: TenantReach }>["run"] = async (
    { scope: reach, language = "zh", ...which },
    { signal, progress, owner },
  ) => {
    await progress(0, 2);
    const report = await reports.detail(ownScopeOf(reach), which);
    signal.throwIfAborted();
    await progress(1, 2);
    // The library and its fonts are large: only who writes a PDF has them in memory.
    const { writeReportPdf } = await import("./report-pdf.ts");
    return files.withDraft(async (path) => {
      await writeReportPdf(path, report, language);
      signal.throwIfAborted();
      const attachmentId = await files.make(owner, {
        path,
        originalName: `${report.farmName} ${reportWord(language, report.period)} ${report.day}.pdf`,
        extension: "pdf",
        contentType: "application/pdf",
        lifetimeS,
      });
      return { attachmentId };
    });
  };

  return {
    job: { kind, retries: 1, timeoutS: 600, run } as const,

    /** @throws {Refusal} 400 for a time of which there is no report; what else is refused ends the job */
    async begin(scope: TenantScope, order: Order): Promise<{ jobId: string }> {
      if (spanOf(order.period, order.day, Date.now()) === undefined) throw refuse("report.day", { field: "day" });
      return { jobId: await jobs.submit(scope, kind, "生成养殖报告 PDF", { ...order, scope: reachOf(scope) }) };
    },
  };
}
