import type { AlarmState, alarmExport, BodyOf } from "@herdwise/contract";
import { channelOfFigure, deviceKinds, localUnit } from "@herdwise/device-kinds";
import { wireDateTime } from "../../http/present.ts";
import { columnsIn, makeSheetFile, ownScopeOf, rowsByParts, type WordedColumn } from "../../resources/index.ts";
import { reachOf, type TenantReach, type TenantScope } from "../../tenant-scope.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import type { SheetValue } from "../sheets/index.ts";
import type { AlarmRepository, AlarmRow } from "./alarm.repository.ts";
import { logFilterOf } from "./alarm.service.ts";
import { sentenceOf } from "./sentence.ts";
import { severityOf, severityWords } from "./severity.ts";

type Order = BodyOf<typeof alarmExport>;
type Language = NonNullable<Order["language"]>;

export interface AlarmExportDependencies {
  repository: Pick<AlarmRepository, "before" | "count">;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft">;
}

const exportKind = "alarm.export";
const rowsAtOnce = 1000;

type Words = Readonly<Record<Language, string>>;
const columns: readonly WordedColumn[] = [
  { key: "severity", header: { zh: "级别", en: "Severity" }, width: 10 },
  { key: "rule", header: { zh: "告警", en: "Alarm" }, width: 48 },
  { key: "state", header: { zh: "状态", en: "State" }, width: 12 },
  { key: "farm", header: { zh: "场区", en: "Farm" }, width: 18 },
  { key: "house", header: { zh: "栋舍", en: "House" }, width: 16 },
  { key: "unit", header: { zh: "单元", en: "Unit" }, width: 12 },
  { key: "device", header: { zh: "设备", en: "Device" }, width: 26 },
  { key: "kind", header: { zh: "设备类型", en: "Kind" }, width: 18 },
  { key: "value", header: { zh: "数值", en: "Value" }, type: "number", width: 10 },
  { key: "limit", header: { zh: "界限", en: "Limit" }, type: "number", width: 10 },
  { key: "measure", header: { zh: "计量单位", en: "Measure" }, width: 10 },
  { key: "raised", header: { zh: "发生时间", en: "Raised" }, type: "dateTime", width: 20 },
  { key: "ended", header: { zh: "恢复时间", en: "Cleared" }, type: "dateTime", width: 20 },
  { key: "minutes", header: { zh: "持续分钟", en: "Minutes" }, type: "number", width: 10 },
  { key: "acknowledged", header: { zh: "确认时间", en: "Acknowledged" }, type: "dateTime", width: 20 },
  { key: "acknowledgedBy", header: { zh: "确认人", en: "Acknowledged by" }, width: 12 },
  {
    key: "acknowledgeMinutes",
    header: { zh: "多久确认（分钟）", en: "Minutes until acknowledged" },
    type: "number",
    width: 14,
  },
  { key: "resolution", header: { zh: "处理结果", en: "Resolution" }, width: 12 },
  { key: "id", header: { zh: "编号", en: "Number" }, width: 22 },
];
const stateWords: Readonly<Record<AlarmState, Words>> = {
  open: { zh: "未恢复", en: "Open" },
  suppressed: { zh: "已屏蔽", en: "Masked" },
  cleared: { zh: "已恢复", en: "Cleared" },
  closed: { zh: "已关闭", en: "Closed" },
  late: { zh: "迟到数据", en: "Late data" },
  withdrawn: { zh: "已撤回", en: "Withdrawn" },
};
const resolutionWords: Readonly<Record<string, Words>> = {
  resolved: { zh: "已处理", en: "Resolved" },
  "false-alarm": { zh: "误报", en: "False alarm" },
  expected: { zh: "已知情况", en: "Expected" },
  other: { zh: "其他", en: "Other" },
};

const minutesBetween = (from: Date, to: Date | null): number | undefined =>
  to === null ? undefined : Math.round((to.getTime() - from.getTime()) / 6000) / 10;

function cellsOf(row: AlarmRow, language: Language): Record<string, SheetValue> {
  const kind = deviceKinds[row.kind];
  const { key = "", value, limit } = row.facts;
  const channel = channelOfFigure(key);
  const declared = [...kind.channels, ...kind.derived].find((one) => one.key === channel);
  return {
    severity: severityWords[severityOf(row.severity)][language],
    rule: sentenceOf(row)[language],
    state: stateWords[row.state][language],
    farm: row.farmName,
    house: row.houseName,
    unit: row.unitName,
    device: row.deviceName,
    kind: kind.name[language],
    value: typeof value === "number" ? value : undefined,
    limit: typeof limit === "number" ? limit : undefined,
    measure: declared ? localUnit(declared.unit)[language] : "",
    raised: wireDateTime(row.raisedAt),
    ended: row.endedAt === null ? "" : wireDateTime(row.endedAt),
    minutes: minutesBetween(row.raisedAt, row.endedAt),
    acknowledged: row.acknowledgedAt === null ? "" : wireDateTime(row.acknowledgedAt),
    acknowledgedBy: row.acknowledgedBy,
    acknowledgeMinutes: minutesBetween(row.raisedAt, row.acknowledgedAt),
    resolution: resolutionWords[row.resolution]?.[language] ?? "",
    id: row.id,
  };
}

/** Exports the alarm log to a file. */
export function createAlarmExport({ repository, jobs, files }: AlarmExportDependencies) {
  const run: BackgroundJobDefinition<Order & { scope: TenantReach }>["run"] = async (
    { scope: reach, format, language = "zh", ...query },
    of,
  ) => {
    const scope = ownScopeOf(reach);
    const filter = logFilterOf(query);
    async function* rows() {
      const parts = rowsByParts<AlarmRow>(of, await repository.count(scope, filter), rowsAtOnce, (last) =>
        repository.before(scope, filter, last?.id, rowsAtOnce),
      );
      for await (const row of parts) yield cellsOf(row, language);
    }
    const title = language === "zh" ? "告警历史" : "Alarm log";
    return makeSheetFile(files, of, {
      name: `${title}.${format}`,
      columns: columnsIn(language, columns),
      rows: rows(),
    });
  };

  return {
    job: { kind: exportKind, retries: 1, timeoutS: 1800, run } as const,

    async export(scope: TenantScope, order: Order): Promise<{ jobId: string }> {
      // Refused at once instead of by a failing job.
      logFilterOf(order);
      return { jobId: await jobs.submit(scope, exportKind, "导出告警历史", { ...order, scope: reachOf(scope) }) };
    },
  };
}
export type AlarmExport = ReturnType<typeof createAlarmExport>;
