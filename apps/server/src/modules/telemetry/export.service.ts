import type { BodyOf, telemetryExport } from "@herdwise/contract";
import { type Channel, localUnit, rejectReasonNames } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import { wireDateTime } from "../../http/present.ts";
import { makeSheetFile, ownScopeOf } from "../../resources/index.ts";
import { reachOf, type TenantReach, type TenantScope } from "../../tenant-scope.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import type { SheetColumn, SheetValue } from "../sheets/index.ts";
import type { HistoryRepository } from "./history.repository.ts";
import { readOrder } from "./ordered-history.ts";
import { valuesOf } from "./packing.ts";

type Order = BodyOf<typeof telemetryExport>;
type Language = "zh" | "en";

const kind = "telemetry.export";
const dayMs = 86_400_000;
/** Raw rows in memory at a time. */
const rowsAtOnce = 5000;
/** Most columns of an export that names none. */
const mostColumns = 500;
const words = {
  zh: { device: "设备", serialNumber: "序列号", time: "时间", rejected: "不可信的读数", title: "原始数据" },
  en: {
    device: "Device",
    serialNumber: "Serial number",
    time: "Time",
    rejected: "Rejected readings",
    title: "Raw data",
  },
} as const;
const rejectedColumn = "rejected";

/** Keys of devices get a prefix, so that they differ from the other columns. */
const keyColumn = (key: string): string => `=${key}`;

export interface TelemetryExportDependencies {
  history: Pick<HistoryRepository, "reached" | "rawRows" | "deviceNames">;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft">;
}

/** Content of a cell: numbers as they are, everything else as text. */
const cellOf = (value: unknown): SheetValue =>
  typeof value === "number" ? value : typeof value === "string" ? value : JSON.stringify(value);

/** Columns for device, time and each key; declared keys have their name and unit. */
function columnsOf(keys: readonly string[], channels: ReadonlyMap<string, Channel>, language: Language): SheetColumn[] {
  const { device, serialNumber, time, rejected } = words[language];
  return [
    { key: "device", header: device, width: 24 },
    { key: "serialNumber", header: serialNumber, width: 20 },
    { key: "time", header: time, type: "dateTime", width: 22 },
    ...keys.map((key): SheetColumn => {
      const channel = channels.get(key);
      if (channel === undefined) return { key: keyColumn(key), header: key };
      const unit = localUnit(channel.unit)[language];
      return {
        key: keyColumn(key),
        header: unit === "" ? channel.name[language] : `${channel.name[language]} (${unit})`,
      };
    }),
    { key: rejectedColumn, header: rejected, width: 32 },
  ];
}

/** Exports raw values of devices to a file, as a job of the person who asked. */
export function createTelemetryExports({ history, jobs, files }: TelemetryExportDependencies) {
  const run: BackgroundJobDefinition<Order & { scope: TenantReach }>["run"] = async (order, run_) => {
    const { progress, signal } = run_;
    const { start, end, format, language = "zh" } = order;
    const scope = ownScopeOf(order.scope);
    const { reached, devices, channels, keys } = await readOrder(history, scope, order, mostColumns);
    const days = Math.ceil((end - start) / dayMs);
    const wanted = new Set(keys);

    async function* rows(): AsyncGenerator<Record<string, SheetValue>> {
      for (const [place, { id, name, serialNumber }] of devices.entries()) {
        const known = reached.get(id)?.keys ?? [];
        for (let afterUs: number | undefined; ; ) {
          signal.throwIfAborted();
          const page = await history.rawRows(scope, id, { fromMs: start, toMs: end, afterUs }, rowsAtOnce);
          for (const row of page) {
            const cells: [string, SheetValue][] = [];
            const rejects: [string, string][] = [];
            const accepted = new Set<string>();
            valuesOf(
              row,
              known,
              (key, value) => {
                if (!wanted.has(key)) return;
                accepted.add(key);
                cells.push([keyColumn(key), cellOf(value)]);
              },
              (key, { reason, text }) => {
                if (wanted.has(key)) rejects.push([key, `${key}: ${text} (${rejectReasonNames[reason][language]})`]);
              },
            );
            // A reading of the same time that was accepted later replaces the rejected one.
            const evidence = rejects.flatMap(([key, said]) => (accepted.has(key) ? [] : [said]));
            if (evidence.length > 0) cells.push([rejectedColumn, evidence.join("; ")]);
            if (cells.length === 0) continue;
            const ms = String(row.at % 1000).padStart(3, "0");
            yield {
              device: name,
              serialNumber,
              time: `${wireDateTime(new Date(row.at))}.${ms}`,
              ...Object.fromEntries(cells),
            };
          }
          const last = page.at(-1);
          const doneDays = last === undefined ? days : Math.floor((last.at - start) / dayMs);
          await progress(place * days + Math.min(days, doneDays), devices.length * days);
          if (last === undefined || page.length < rowsAtOnce) break;
          afterUs = last.us;
        }
        await progress((place + 1) * days, devices.length * days);
      }
    }

    return makeSheetFile(files, run_, {
      name: `${words[language].title}.${format}`,
      columns: columnsOf(keys, channels, language),
      rows: rows(),
    });
  };

  return {
    job: { kind, retries: 1, timeoutS: 3600, run },

    /**
     * Starts an export.
     * @throws {Refusal} at once, instead of by a failing job
     */
    async begin(scope: TenantScope, order: Order): Promise<{ jobId: string }> {
      const { keys } = await readOrder(history, scope, order, mostColumns);
      if (order.end <= order.start) throw refuse("history.empty_range");
      if (keys.length === 0) throw refuse("export.nothing_to_export");
      return { jobId: await jobs.submit(scope, kind, "导出设备原始数据", { ...order, scope: reachOf(scope) }) };
    },
  };
}
export type TelemetryExportService = ReturnType<typeof createTelemetryExports>;
