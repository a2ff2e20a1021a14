import type { BodyOf, FarmReport, reportPdf } from "@herdwise/contract";
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
/** Between the names of a place. */
const partsBetween = " · ";

export interface ReportPdfDependencies {
  reports: Pick<ReportService, "detail" | "requireFarm">;
  /** Names that come as data, in another language; one a line. @param address whose budget of a machine it is */
  translate: (source: string, to: "zh" | "en", address: string) => Promise<{ dst: string }>;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft">;
}

/** Reports as files. */
export function createReportPdf({ reports, translate, jobs, files }: ReportPdfDependencies) {
  /** The report with its names in English, as the screens have them. */
  const named = async (report: FarmReport, address: string): Promise<FarmReport> => {
    const names = new Set([report.farmName]);
    const add = (text: string): void => {
      for (const part of text.split(partsBetween)) if (part !== "") names.add(part);
    };
    for (const { houseName, unitName, deviceName } of report.wrong) [houseName, unitName, deviceName].forEach(add);
    for (const { deviceName } of report.offline) add(deviceName);
    for (const { devices } of report.kinds)
      for (const { deviceName, place } of devices) [deviceName, place].forEach(add);
    const list = [...names];
    const { dst } = await translate(list.join("\n"), "en", address);
    const found = new Map(dst.split("\n").map((name, at) => [list[at] ?? "", name]));
    const inEnglish = (text: string): string =>
      text
        .split(partsBetween)
        .map((part) => found.get(part) ?? part)
        .join(partsBetween);
    const withName = <Row extends { deviceName: string }>(row: Row): Row => ({
      ...row,
      deviceName: inEnglish(row.deviceName),
    });
    return {
      ...report,
      farmName: inEnglish(report.farmName),
      wrong: report.wrong.map((alarm) => ({
        ...withName(alarm),
        houseName: inEnglish(alarm.houseName),
        unitName: inEnglish(alarm.unitName),
      })),
      offline: report.offline.map(withName),
      kinds: report.kinds.map(({ kind, devices }) => ({
        kind,
        devices: devices.map((device) => ({ ...withName(device), place: inEnglish(device.place) })),
      })),
    };
  };

  const run: BackgroundJobDefinition<Order & { scope: TenantReach }>["run"] = async (
    { scope: reach, language = "zh", ...which },
    { signal, progress, owner },
  ) => {
    await progress(0, 2);
    const told = await reports.detail(ownScopeOf(reach), which);
    const report = language === "zh" ? told : await named(told, reach.remoteAddress);
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

    /** @throws {Refusal} 404 for a farm that the scope does not reach, 400 for a time of which there is no report */
    async begin(scope: TenantScope, order: Order): Promise<{ jobId: string }> {
      await reports.requireFarm(scope, order.farmId);
      if (spanOf(order.period, order.day, Date.now()) === undefined) throw refuse("report.day", { field: "day" });
      return { jobId: await jobs.submit(scope, kind, "生成养殖报告 PDF", { ...order, scope: reachOf(scope) }) };
    },
  };
}
